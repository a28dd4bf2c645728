//! The table of tickets, which belong to events.

use std::collections::HashMap;

use app::ports::StoreError;
use domain::{
    Event, EventId,
    cost::Currency,
    text::Title,
    ticket::{OnSale, Price, Ticket},
    time::Timestamp,
    web_url::WebUrl,
};
use sea_orm::{
    ExprTrait,
    sea_query::{Expr, Order, Query as Sql},
};

use super::venue::web_url;
use crate::{
    error::broken_row,
    row::Row,
    rows::Rows,
    store::{Connection, Over},
};

/// Name of the table.
pub(super) const TABLE: &str = "event_ticket";

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

/// The tickets of some events, by event, in order.
pub(super) async fn load<C: Connection>(
    over: &Over<C>,
    events: &[i64],
) -> Result<HashMap<i64, Vec<Ticket>>, StoreError> {
    let select = Sql::select()
        .columns(COLUMNS)
        .from(TABLE)
        .and_where(Expr::col("event_id").is_in(events.iter().copied()))
        .order_by("event_id", Order::Asc)
        .order_by("position", Order::Asc)
        .take();
    let rows = over.connection.rows(&select).await?;
    let mut tickets: HashMap<i64, Vec<Ticket>> = HashMap::new();
    for result in &rows {
        let row = Row {
            table: TABLE,
            result,
        };
        let event = row.get("event_id")?;
        tickets.entry(event).or_default().push(read(&row)?);
    }
    Ok(tickets)
}

fn read(row: &Row<'_>) -> Result<Ticket, StoreError> {
    let on_sale = OnSale::new(
        row.optional_moment("available_from_utc")?,
        row.optional_moment("available_until_utc")?,
    );
    Ok(Ticket {
        name: row.parse("name", Title::parse)?,
        price: row.parse("price", Price::parse)?,
        currency: row.parse("currency", Currency::parse)?,
        url: web_url(row, "url")?,
        on_sale: on_sale.map_err(|error| broken_row(row.table, "available_until_utc", error))?,
    })
}

/// Writes the tickets of an event, if they changed.
pub(super) async fn save<C: Connection>(
    over: &Over<C>,
    event: EventId,
    before: Option<&Event>,
    after: Option<&Event>,
) -> Result<(), StoreError> {
    fn of(event: Option<&Event>) -> &[Ticket] {
        event.map_or(&[], |event| &event.details.tickets)
    }
    let (before, after) = (of(before), of(after));
    if before == after {
        return Ok(());
    }
    if !before.is_empty() {
        let delete = Sql::delete()
            .from_table(TABLE)
            .and_where(Expr::col("event_id").eq(event.get()))
            .take();
        over.connection.run(&delete).await?;
    }
    let mut rows = Rows::default();
    ticket_rows(event, after, &mut rows);
    rows.insert(over).await
}

/// The rows of the tickets of an event.
pub(super) fn ticket_rows(event: EventId, tickets: &[Ticket], rows: &mut Rows) {
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
        rows.push(TABLE, COLUMNS.into_iter().zip(row));
    }
}
