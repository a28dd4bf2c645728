//! The table of tickets, which belong to events.

use app::ports::StoreError;
use domain::{
    EventId,
    ticket::{OnSale, Ticket},
    time::Timestamp,
};
use sea_orm::{EntityName, IdenStatic, Iterable, sea_query::SelectStatement};

use crate::{
    entity::{
        event,
        event_ticket::{Column, Entity, Model},
    },
    error::broken_column,
    sql::{InsertBatch, Json, Row, Shape, optional_time_column, parse_column},
};

/// The tickets of the event that is being selected, in order.
pub(super) fn of_event(json: Json) -> SelectStatement {
    let columns: Vec<_> = Column::iter().map(|column| column.as_str()).collect();
    json.rows(
        (Entity.table_name(), Column::EventId.as_str()),
        event::Entity.table_name(),
        Shape::List(&columns),
        Column::Position.as_str(),
    )
}

/// The tickets of an event, in order.
pub(super) fn read_all(row: &Row<'_>) -> Result<Vec<Ticket>, StoreError> {
    let tickets: Vec<Model> = row.list("tickets")?;
    tickets.into_iter().map(read).collect()
}

fn read(ticket: Model) -> Result<Ticket, StoreError> {
    let Model {
        event_id: _,
        position: _,
        name,
        price,
        currency,
        url,
        available_from_utc,
        available_until_utc,
    } = ticket;
    let on_sale = OnSale::new(
        optional_time_column(Column::AvailableFromUtc, available_from_utc)?,
        optional_time_column(Column::AvailableUntilUtc, available_until_utc)?,
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
        rows.push_model(&Model {
            event_id: event.get(),
            position,
            name: name.as_str().to_owned(),
            price: price.to_string(),
            currency: currency.code().to_owned(),
            url: url.as_ref().map(|url| url.as_str().to_owned()),
            available_from_utc: seconds(on_sale.from()),
            available_until_utc: seconds(on_sale.until()),
        });
    }
}
