//! Tickets as JSON.

use std::borrow::Cow;

use domain::{
    text::escape_markup,
    ticket::Ticket,
    time::{Timestamp, Zone},
    web_url::WebUrl,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::values::{DateTime, Url};

/// A ticket.
///
/// Its times are in the zone of the event. Fields that are empty are left out.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Ticket", description = "A ticket.")]
pub(super) struct TicketRecord<'a> {
    /// The name.
    name: Cow<'a, str>,
    /// The price, as decimal digits.
    price: String,
    /// The ISO 4217 code of the currency.
    currency: &'static str,
    /// The URL of the shop.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<Url<&'a str>>,
    /// The start of sale.
    #[serde(skip_serializing_if = "Option::is_none")]
    available_from: Option<DateTime>,
    /// The end of sale.
    #[serde(skip_serializing_if = "Option::is_none")]
    available_until: Option<DateTime>,
}

impl<'a> TicketRecord<'a> {
    pub(super) fn new(ticket: &'a Ticket, zone: &Zone) -> Self {
        let Ticket {
            name,
            price,
            currency,
            url,
            on_sale,
        } = ticket;
        let time = |moment: Timestamp| zone.at(moment).local.into();
        Self {
            name: escape_markup(name.as_str()),
            price: price.to_string(),
            currency: currency.code(),
            url: url.as_ref().map(WebUrl::as_str).map(Url),
            available_from: on_sale.from().map(time),
            available_until: on_sale.until().map(time),
        }
    }
}
