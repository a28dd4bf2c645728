//! The tickets in the form of an event: a row of inputs for each, and an empty row.

use app::event::EventView;
use domain::{
    ticket::MAX_TICKETS,
    time::{Timestamp, Zone},
};
use serde_json::{Map, Value};

use crate::words::Word;

/// The field of the interface, and the ID of the rows.
pub(super) const TICKETS: &str = "tickets";

/// The input that removes a ticket.
const REMOVE: &str = "remove";

/// The member of the interface that a row has though it is empty.
const CURRENCY: &str = "currency";

/// The other members.
const TEXTS: [&str; 5] = ["name", "price", "url", "available_from", "available_until"];

/// An input of a row.
#[derive(Debug)]
pub(super) struct Input {
    pub(super) name: String,
    pub(super) label: Word,
    pub(super) kind: &'static str,
    pub(super) value: String,
}

/// The inputs of a ticket.
#[derive(Debug)]
pub(super) struct Row {
    /// The position among the tickets, from 1.
    pub(super) number: usize,
    pub(super) inputs: Vec<Input>,
    /// The name of the check box that removes it; none of an empty row.
    pub(super) remove: Option<String>,
}

/// The prefix of the name of an input.
const PREFIX: &str = "ticket_";

/// The name of an input.
fn input_name(row: usize, member: &str) -> String {
    format!("{PREFIX}{row}_{member}")
}

/// Whether an input is of a ticket.
pub(super) fn is_input(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// The inputs of the tickets of an event, with their values.
pub(super) fn inputs_of(view: &EventView) -> Vec<(String, String)> {
    let details = &view.event.details;
    let zone = details.when.zone();
    let tickets = details.tickets.iter().enumerate();
    let inputs = tickets.flat_map(|(row, ticket)| {
        let url = ticket.url.as_ref().map_or("", |url| url.as_str());
        let values = [
            ("name", ticket.name.as_str().to_owned()),
            ("price", ticket.price.to_string()),
            (CURRENCY, ticket.currency.code().to_owned()),
            ("url", url.to_owned()),
            ("available_from", local(ticket.on_sale.from(), zone)),
            ("available_until", local(ticket.on_sale.until(), zone)),
        ];
        values.map(|(member, value)| (input_name(row, member), value))
    });
    inputs.collect()
}

/// A time in the form of HTML, with the seconds if there are any.
fn local(at: Option<Timestamp>, zone: &Zone) -> String {
    let Some(at) = at else {
        return String::new();
    };
    let local = zone.at(at).local.format("%Y-%m-%dT%H:%M:%S").to_string();
    local
        .strip_suffix(":00")
        .map_or(local.clone(), str::to_owned)
}

/// The tickets of inputs, as the interface takes them. A row without texts is no ticket.
pub(super) fn of_inputs<'a>(get: impl Fn(&str) -> Option<&'a str>) -> Value {
    let rows = (0..=MAX_TICKETS).filter_map(|row| ticket(|member| get(&input_name(row, member))));
    rows.collect()
}

fn ticket<'a>(get: impl Fn(&str) -> Option<&'a str>) -> Option<Value> {
    let text = |member| get(member).map(str::trim).filter(|text| !text.is_empty());
    let mut ticket = Map::new();
    for member in TEXTS {
        if let Some(text) = text(member) {
            ticket.insert(member.to_owned(), text.into());
        }
    }
    if ticket.is_empty() || get(REMOVE).is_some() {
        return None;
    }
    if let Some(currency) = text(CURRENCY) {
        ticket.insert(CURRENCY.to_owned(), currency.into());
    }
    Some(Value::Object(ticket))
}

/// The rows of the form: those with texts, and one more. `currency` is that of an empty row.
pub(super) fn rows<'a>(get: impl Fn(&str) -> &'a str, currency: &str) -> Vec<Row> {
    let is_filled = |row: &usize| {
        TEXTS
            .iter()
            .any(|one| !get(&input_name(*row, one)).is_empty())
    };
    let filled: Vec<_> = (0..=MAX_TICKETS).filter(is_filled).collect();
    let next = filled.last().map_or(0, |last| last + 1);
    let rows = filled
        .into_iter()
        .chain([next].into_iter().filter(|next| *next < MAX_TICKETS));
    let rows = rows.enumerate().map(|(index, row)| {
        let input = |(member, label, kind)| {
            let name = input_name(row, member);
            let value = match get(&name) {
                "" if row == next && member == CURRENCY => currency,
                value => value,
            };
            Input {
                value: value.to_owned(),
                name,
                label,
                kind,
            }
        };
        let inputs = [
            ("name", Word::TICKET_NAME, "text"),
            ("price", Word::PRICE, "text"),
            (CURRENCY, Word::CURRENCY, "text"),
            ("url", Word::TICKET_SHOP, "url"),
            ("available_from", Word::ON_SALE_FROM, "datetime-local"),
            ("available_until", Word::ON_SALE_UNTIL, "datetime-local"),
        ];
        Row {
            number: index + 1,
            inputs: inputs.map(input).into(),
            remove: (row != next).then(|| input_name(row, REMOVE)),
        }
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use serde_json::json;

    use super::*;

    #[test]
    fn rows_are_tickets_and_one_more() {
        let typed: HashMap<_, _> = HashMap::from([
            ("ticket_0_name", "Day"),
            ("ticket_0_price", "5"),
            ("ticket_0_currency", "EUR"),
            ("ticket_1_name", "Evening"),
            ("ticket_1_remove", "1"),
            ("ticket_2_currency", "EUR"),
            ("ticket_3_price", " 7 "),
        ]);
        let tickets = of_inputs(|name| typed.get(name).copied());
        let expected = json!([{"name": "Day", "price": "5", "currency": "EUR"}, {"price": "7"}]);
        assert_eq!(tickets, expected);
        let rows = rows(|name| typed.get(name).copied().unwrap_or_default(), "CHF");
        let shown = |row: &Row| {
            (
                row.number,
                row.inputs[2].value.clone(),
                row.remove.is_some(),
            )
        };
        let shown: Vec<_> = rows.iter().map(shown).collect();
        let expected = [("EUR", true), ("", true), ("", true), ("CHF", false)];
        let expected = expected.into_iter().enumerate();
        let expected =
            expected.map(|(index, (currency, is_one))| (index + 1, currency.to_owned(), is_one));
        assert_eq!(shown, expected.collect::<Vec<_>>());
    }

    #[test]
    fn times_have_seconds_if_they_are_set() {
        let zone = Zone::utc();
        let at = |seconds| local(Timestamp::from_seconds(seconds), &zone);
        assert_eq!(
            [at(60), at(61)],
            ["1970-01-01T00:01", "1970-01-01T00:01:01"]
        );
    }
}
