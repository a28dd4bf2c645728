//! The tickets of an event as sent by a request.

use std::borrow::Cow;

use domain::{
    ticket::{MAX_TICKETS, OnSale, Ticket},
    time::{Timestamp, Zone, read_date},
};
use serde_json::Value;

use crate::{
    input::{
        self, BadFields, ExpectedType, Fault, FaultCollector, Faults, FieldChange, Fields, Input,
    },
    request::Request,
};

/// A ticket as sent. The meaning of its times depends on the zone of the event.
#[derive(Clone, Debug)]
pub(crate) struct TicketFields {
    /// The ticket, always on sale.
    pub(crate) ticket: Ticket,
    pub(crate) from: Option<String>,
    pub(crate) until: Option<String>,
}

/// Reads a list of tickets; an empty text is an empty list.
pub(super) fn read(
    value: &Value,
    strict: bool,
    request: &Request<'_>,
) -> Result<Vec<TicketFields>, Fault> {
    let tickets = match value {
        Value::Array(tickets) => tickets.as_slice(),
        Value::String(text) if text.is_empty() => &[],
        _ => return Err(Fault::Type(ExpectedType::Tickets)),
    };
    if tickets.len() > MAX_TICKETS {
        return Err(Fault::TooMany);
    }
    let mut usable = Vec::with_capacity(tickets.len());
    let mut faults = Vec::new();
    for (place, ticket) in tickets.iter().enumerate() {
        match read_one(ticket, strict, request) {
            Ok(ticket) => usable.push(ticket),
            Err(cause) => faults.push((place, cause)),
        }
    }
    if faults.is_empty() {
        Ok(usable)
    } else {
        Err(Fault::Items(faults))
    }
}

/// Reads a ticket.
fn read_one(value: &Value, strict: bool, request: &Request<'_>) -> Result<TicketFields, BadFields> {
    const REQUIRED: [&str; 3] = ["name", "price", "currency"];
    let missing = || BadFields::Missing(REQUIRED.to_vec());
    let fields = value.as_object().ok_or_else(missing)?;
    let fields = Fields {
        strict,
        ..Fields::from_body(fields.clone())
    };
    let mut input = Input::new(&fields);
    for required in REQUIRED {
        input.require(required);
    }
    let mut time = |name| {
        let read = |value: &Value| {
            input::date(value, &request.site.zone, request.now)?;
            input::date_text(value)
        };
        match input.read_clearable(name, read) {
            FieldChange::Set(text) => Some(text),
            FieldChange::Unchanged | FieldChange::Clear => None,
        }
    };
    let (from, until) = (time("available_from"), time("available_until"));
    let mut url = None;
    input.read_clearable("url", input::web_url).apply(&mut url);
    let name = input.read("name", input::title);
    let price = input.read("price", input::price);
    let currency = input.read("currency", input::currency);
    input.finish_strict(None)?;
    let (Some(name), Some(price), Some(currency)) = (name, price, currency) else {
        return Err(missing());
    };
    let ticket = Ticket {
        name,
        price,
        currency,
        url,
        on_sale: OnSale::default(),
    };
    Ok(TicketFields {
        ticket,
        from,
        until,
    })
}

/// Makes the tickets of an event in a zone, and reports faults of their times. A time equal to a
/// displayed time of `before` keeps the stored instant.
pub(super) fn make(
    tickets: &[TicketFields],
    zone: &Zone,
    now: Timestamp,
    before: &[Ticket],
    collector: &mut FaultCollector,
) -> Vec<Ticket> {
    let mut made = Vec::with_capacity(tickets.len());
    let mut faults = Vec::new();
    for (place, ticket) in tickets.iter().enumerate() {
        // The ticket at the same index comes first: tickets are usually not reordered.
        let before = before.get(place).into_iter().chain(before);
        match on_sale(ticket, zone, now, &before) {
            Ok(on_sale) => made.push(Ticket {
                on_sale,
                ..ticket.ticket.clone()
            }),
            Err((field, fault)) => {
                let faults_of_one = Faults::from_iter([(Cow::Borrowed(field), fault)]);
                faults.push((place, BadFields::Invalid(faults_of_one)));
            }
        }
    }
    if !faults.is_empty() {
        collector.fault("tickets", Fault::Items(faults));
    }
    made
}

/// The sale period of a ticket, or the faulty field.
fn on_sale<'a>(
    ticket: &TicketFields,
    zone: &Zone,
    now: Timestamp,
    before: &(impl Iterator<Item = &'a Ticket> + Clone),
) -> Result<OnSale, (&'static str, Fault)> {
    let moment = |field, text: &Option<String>, of: fn(OnSale) -> Option<Timestamp>| match text {
        None => Ok(None),
        Some(text) => match read_date(text, zone, now) {
            Ok(sent) => {
                let stored = before.clone().filter_map(|ticket| of(ticket.on_sale));
                Ok(Some(sent.beside(stored.map(|utc| zone.at(utc))).utc))
            }
            Err(error) => Err((field, Fault::Date(error))),
        },
    };
    let from = moment("available_from", &ticket.from, OnSale::from)?;
    let until = moment("available_until", &ticket.until, OnSale::until)?;
    OnSale::new(from, until).map_err(|error| ("available_until", error.into()))
}
