//! The tickets of an event as sent by a request.

use std::borrow::Cow;

use domain::{
    FieldName,
    ticket::{OnSale, Ticket},
    time::{Timestamp, Zone, read_date},
};

use crate::fault::{BadFields, Fault, FaultCollector, Faults};

/// A ticket as sent. The meaning of its times depends on the zone of the event.
#[derive(Clone, Debug)]
pub struct TicketFields {
    /// The ticket, always on sale.
    pub ticket: Ticket,
    /// The start of the sale, as a date.
    pub from: Option<String>,
    /// The end of the sale, as a date.
    pub until: Option<String>,
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
    for (index, ticket) in tickets.iter().enumerate() {
        // The ticket at the same index comes first: tickets are usually not reordered.
        let before = before.get(index).into_iter().chain(before);
        match on_sale(ticket, zone, now, &before) {
            Ok(on_sale) => made.push(Ticket {
                on_sale,
                ..ticket.ticket.clone()
            }),
            Err((field, fault)) => {
                let faults_of_one = Faults::from_iter([(Cow::Borrowed(field.as_str()), fault)]);
                faults.push((index, BadFields::Invalid(faults_of_one)));
            }
        }
    }
    if !faults.is_empty() {
        collector.fault(FieldName::Tickets, Fault::Items(faults));
    }
    made
}

/// The sale period of a ticket, or the faulty field.
fn on_sale<'a>(
    ticket: &TicketFields,
    zone: &Zone,
    now: Timestamp,
    before: &(impl Iterator<Item = &'a Ticket> + Clone),
) -> Result<OnSale, (FieldName, Fault)> {
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
    let from = moment(FieldName::AvailableFrom, &ticket.from, OnSale::from)?;
    let until = moment(FieldName::AvailableUntil, &ticket.until, OnSale::until)?;
    OnSale::new(from, until).map_err(|error| (FieldName::AvailableUntil, error.into()))
}
