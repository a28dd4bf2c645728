//! Tickets as JSON.

use std::borrow::Cow;

use domain::{
    text::escape_markup,
    ticket::Ticket,
    time::{Timestamp, Zone, format_civil},
    web_url::WebUrl,
};
use serde::Serialize;

/// A ticket as JSON; times are in the zone of the event. What is unknown is left out.
#[derive(Debug, Serialize)]
pub(super) struct TicketRecord<'a> {
    name: Cow<'a, str>,
    price: String,
    currency: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    available_from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    available_until: Option<String>,
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
        let time = |moment: Timestamp| format_civil(zone.at(moment).local);
        Self {
            name: escape_markup(name.as_str()),
            price: price.to_string(),
            currency: currency.code(),
            url: url.as_ref().map(WebUrl::as_str),
            available_from: on_sale.from().map(time),
            available_until: on_sale.until().map(time),
        }
    }
}
