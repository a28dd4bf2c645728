//! The table of tickets, which belong to events.

use app::ports::StoreError;
use domain::{
    EventId,
    ticket::{OnSale, Ticket},
    time::Timestamp,
    web_url::WebUrl,
};
use sea_orm::{EntityName, IdenStatic, sea_query::SelectStatement};

use crate::{
    entity::{
        event,
        event_ticket::{Column, Entity},
    },
    error::broken_column,
    sql::{InsertBatch, Json, Row, Shape, optional_time_column, parse_column, set},
};

/// The columns of a ticket, in the order of [`TicketRow`].
const COLUMNS: [Column; 6] = [
    Column::Name,
    Column::Price,
    Column::Currency,
    Column::Url,
    Column::AvailableFromUtc,
    Column::AvailableUntilUtc,
];

/// The tickets of the event that is being selected, in order.
pub(super) fn of_event(json: Json) -> SelectStatement {
    let columns = COLUMNS.map(|column| column.as_str());
    json.rows(
        (Entity.table_name(), Column::EventId.as_str()),
        event::Entity.table_name(),
        Shape::List(&columns),
        Column::Position.as_str(),
    )
}

/// A ticket as [`of_event`] selects it.
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
    let on_sale = OnSale::new(
        optional_time_column(Column::AvailableFromUtc, from)?,
        optional_time_column(Column::AvailableUntilUtc, until)?,
    );
    let url = url.as_deref().map(|url| parse_column(Column::Url, url));
    Ok(Ticket {
        name: parse_column(Column::Name, &name)?,
        price: parse_column(Column::Price, &price)?,
        currency: parse_column(Column::Currency, &currency)?,
        url: url.transpose()?,
        on_sale: on_sale.map_err(|error| broken_column(Column::AvailableUntilUtc, error))?,
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
        let seconds = |time: Option<Timestamp>| time.map(Timestamp::seconds);
        let row = [
            set(Column::EventId, event.get()),
            set(Column::Position, position),
            set(Column::Name, name.as_str()),
            set(Column::Price, price.to_string()),
            set(Column::Currency, currency.code()),
            set(Column::Url, url.as_ref().map(WebUrl::as_str)),
            set(Column::AvailableFromUtc, seconds(on_sale.from())),
            set(Column::AvailableUntilUtc, seconds(on_sale.until())),
        ];
        rows.push(Entity, row);
    }
}
