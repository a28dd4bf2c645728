//! The table of tickets, which belong to events.

use std::fmt::Display;

use app::ports::StoreError;
use domain::{
    EventId,
    cost::Currency,
    text::Title,
    ticket::{OnSale, Price, Ticket},
    time::Timestamp,
    web_url::WebUrl,
};
use sea_orm::{DynIden, sea_query::SelectStatement};

use crate::{
    error::broken_row,
    sql::{InsertBatch, Json, Row, Shape},
};

/// Name of the table.
pub(crate) const TABLE: &str = "event_ticket";

const COLUMNS: [&str; 8] = [
    "event_id",
    "position",
    "name",
    "price",
    "currency",
    "url",
    "available_from_utc",
    "available_until_utc",
];

/// The tickets of the event that is being selected, in order.
pub(super) fn of_event(json: Json) -> SelectStatement {
    let shape = Shape::List(&COLUMNS[2..]);
    json.rows((TABLE, "event_id"), "event", shape, "position")
}

/// What that makes of each.
type TicketRow = (
    String,
    String,
    String,
    Option<String>,
    Option<i64>,
    Option<i64>,
);

/// The tickets of an event, in order.
pub(super) fn read_all(row: &Row<'_>) -> Result<Vec<Ticket>, StoreError> {
    let tickets: Vec<TicketRow> = row.list("tickets")?;
    tickets.into_iter().map(read).collect()
}

fn read((name, price, currency, url, from, until): TicketRow) -> Result<Ticket, StoreError> {
    fn whole<T, E: Display>(column: &'static str, value: Result<T, E>) -> Result<T, StoreError> {
        value.map_err(|error| broken_row(TABLE, column, error))
    }
    let moment = |column, seconds: Option<i64>| {
        let moment = seconds.map(|seconds| Timestamp::from_seconds(seconds).ok_or("out of range"));
        whole(column, moment.transpose())
    };
    let on_sale = OnSale::new(
        moment("available_from_utc", from)?,
        moment("available_until_utc", until)?,
    );
    Ok(Ticket {
        name: whole("name", name.parse::<Title>())?,
        price: whole("price", price.parse::<Price>())?,
        currency: whole("currency", currency.parse::<Currency>())?,
        url: whole("url", url.as_deref().map(str::parse::<WebUrl>).transpose())?,
        on_sale: whole("available_until_utc", on_sale)?,
    })
}

/// The rows of the tickets of an event.
pub(super) fn ticket_rows(event: EventId, tickets: &[Ticket], rows: &mut InsertBatch) {
    for (position, ticket) in (0_i64..).zip(tickets) {
        let Ticket {
            name,
            price,
            currency,
            url,
            on_sale,
        } = ticket;
        let row = [
            event.get().into(),
            position.into(),
            name.as_str().into(),
            price.to_string().into(),
            currency.code().into(),
            url.as_ref().map(WebUrl::as_str).into(),
            on_sale.from().map(Timestamp::seconds).into(),
            on_sale.until().map(Timestamp::seconds).into(),
        ];
        rows.push(TABLE, COLUMNS.into_iter().map(DynIden::from).zip(row));
    }
}
