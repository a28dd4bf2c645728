//! The tickets of an event.

use app::{
    event::TicketFields,
    fault::{BadFields, ExpectedType, Fault},
    write::Change,
};
use domain::{
    cost::Currency,
    text::Title,
    ticket::{MAX_TICKETS, OnSale, Price, Ticket},
    web_url::WebUrl,
};
use serde_json::Value;

use crate::{
    field::{Output, Param, Schema, values, written},
    fields::Fields,
    input::{Input, Reading},
};

declare! {
    /// The name.
    NAME: Name, Schema::Title, required() => values::title, written::text as Title;
    /// The price: a number, or decimal digits as text; at most 15 digits, 4 of them decimals.
    PRICE: Price, Schema::Price, required() => values::price, written::text as Price;
    /// The ISO 4217 code of the currency.
    CURRENCY: Currency, Schema::CurrencyCode, required() => values::currency, written::currency as Currency;
    /// The URL of the shop (http or https).
    URL: Url, Schema::Url => values::web_url, written::text as WebUrl;
    /// The start of sale, in the time zone of the event.
    AVAILABLE_FROM: AvailableFrom, Schema::Date;
    /// The end of sale, not before `available_from`.
    AVAILABLE_UNTIL: AvailableUntil, Schema::Date;
}

/// Fields of a ticket.
pub const TICKET_MEMBERS: [Param; 6] = [
    NAME.param,
    PRICE.param,
    CURRENCY.param,
    URL.param,
    AVAILABLE_FROM,
    AVAILABLE_UNTIL,
];

/// Reads a list of tickets; an empty text is an empty list.
pub(super) fn read(
    value: &Value,
    strict: bool,
    reading: Reading<'_>,
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
    for (index, ticket) in tickets.iter().enumerate() {
        match read_one(ticket, strict, reading) {
            Ok(ticket) => usable.push(ticket),
            Err(cause) => faults.push((index, cause)),
        }
    }
    if faults.is_empty() {
        Ok(usable)
    } else {
        Err(Fault::Items(faults))
    }
}

/// Writes a list of tickets.
pub(super) fn write(tickets: &[TicketFields]) -> Vec<Value> {
    tickets.iter().map(write_one).collect()
}

fn write_one(fields: &TicketFields) -> Value {
    let TicketFields {
        ticket,
        from,
        until,
    } = fields;
    let Ticket {
        name,
        price,
        currency,
        url,
        on_sale: _,
    } = ticket;
    let mut output = Output::default();
    output.set(&NAME, Some(name));
    output.set(&PRICE, Some(price));
    output.set(&CURRENCY, Some(currency));
    output.set(&URL, url.as_ref());
    for (field, date) in [(&AVAILABLE_FROM, from), (&AVAILABLE_UNTIL, until)] {
        if let Some(date) = date {
            output.put(field, date.as_str());
        }
    }
    Value::Object(output.into_fields())
}

/// Reads a ticket.
fn read_one(value: &Value, strict: bool, reading: Reading<'_>) -> Result<TicketFields, BadFields> {
    let required: [&Param; 3] = [&NAME, &PRICE, &CURRENCY];
    let missing = || BadFields::Missing(required.map(|one| one.name.as_str()).to_vec());
    let fields = value.as_object().ok_or_else(missing)?;
    let fields = Fields {
        strict,
        ..Fields::from_body(fields.clone())
    };
    let mut input = Input::new(&fields);
    for required in required {
        input.require(required);
    }
    let mut time = |field| {
        let read = |value: &Value| {
            values::date(value, reading.zone(), reading.now)?;
            values::date_text(value)
        };
        match input.read_clearable(field, read) {
            Change::Set(text) => Some(text),
            Change::Keep | Change::Clear => None,
        }
    };
    let (from, until) = (time(&AVAILABLE_FROM), time(&AVAILABLE_UNTIL));
    let mut url = None;
    input.take_clearable(&URL).apply(&mut url);
    let name = input.take(&NAME);
    let price = input.take(&PRICE);
    let currency = input.take(&CURRENCY);
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
