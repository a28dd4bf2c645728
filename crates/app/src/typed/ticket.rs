//! The fields of a ticket.

use domain::ticket::Ticket;
use serde_json::{Map, Value};

use super::instant;

/// A ticket as an element of the field `tickets`.
pub(super) fn value(ticket: &Ticket) -> Value {
    let Ticket {
        name,
        price,
        currency,
        url,
        on_sale,
    } = ticket;
    let fields = [
        ("name", Some(name.to_string())),
        ("price", Some(price.to_string())),
        ("currency", Some(currency.code().to_owned())),
        ("url", url.as_ref().map(ToString::to_string)),
        ("available_from", on_sale.from().map(instant)),
        ("available_until", on_sale.until().map(instant)),
    ];
    let set = fields
        .into_iter()
        .filter_map(|(name, text)| Some((name.to_owned(), Value::from(text?))));
    Value::Object(set.collect::<Map<_, _>>())
}
