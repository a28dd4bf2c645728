//! The tables of events.

use app::ports::StoreError;
use async_trait::async_trait;
use domain::{
    Event, EventId, Id, Stage,
    cost::{Cost, Currency},
    entry::PasswordHash,
    event::EventDetails,
    term::{Categories, Tags},
    time::{EventTime, Moment, Zone, format_civil, parse_civil},
    web_url::WebUrl,
};
use sea_orm::{
    ExprTrait,
    sea_query::{Expr, Query as Sql, SelectStatement},
};

use super::{
    CATEGORIES, Links, ORGANIZERS, TAGS, TermTable,
    entry::{DetailsTable, folded},
    ticket, website,
};
use crate::{
    connection::Connection,
    error::broken_row,
    session::Session,
    sql::{ColumnValue, InsertBatch, Json, Row, Shape, optional_text, text},
};

#[async_trait]
impl DetailsTable for EventDetails {
    const TABLE: &'static str = "event";
    const TRANSLATIONS: &'static str = "event_translation";
    const READ: &'static [&'static str] = &[
        "uid",
        "sequence",
        "start_local",
        "end_local",
        "start_utc",
        "end_utc",
        "time_zone",
        "all_day",
        "cost",
        "currency",
        "website",
        "show_map",
        "show_map_link",
        "hide_from_listings",
        "sticky",
        "featured",
        "venue_id",
        "parent_id",
        "password_hash",
    ];

    fn columns(event: &Event) -> Vec<ColumnValue> {
        let Self {
            uid,
            sequence,
            when,
            cost,
            currency,
            tickets: _,
            website,
            show_map,
            show_map_link,
            hide_from_listings,
            sticky,
            featured,
            categories: _,
            tags: _,
            venue,
            organizers: _,
            parent,
            password,
        } = &event.details;
        let (start, end) = (when.start(), when.end());
        vec![
            text("uid", uid),
            ("sequence", (*sequence).into()),
            (
                "listed",
                (event.stage == Stage::Published && !hide_from_listings).into(),
            ),
            text("start_local", format_civil(start.local)),
            text("end_local", format_civil(end.local)),
            ("start_utc", start.utc.seconds().into()),
            ("end_utc", end.utc.seconds().into()),
            text("time_zone", when.zone().name()),
            ("all_day", when.all_day().into()),
            text("cost", cost.texts().join("\n")),
            optional_text("currency", currency.map(Currency::code)),
            optional_text("website", website.as_ref().map(WebUrl::as_str)),
            ("show_map", (*show_map).into()),
            ("show_map_link", (*show_map_link).into()),
            ("hide_from_listings", (*hide_from_listings).into()),
            ("sticky", (*sticky).into()),
            ("featured", (*featured).into()),
            ("venue_id", venue.map(Id::get).into()),
            ("parent_id", parent.map(Id::get).into()),
            optional_text("password_hash", password.as_ref().map(PasswordHash::as_str)),
            text("search_text", folded(event).join("\n")),
        ]
    }

    fn translation_columns(shown: &Event) -> Vec<ColumnValue> {
        vec![text("search_text", folded(shown).join("\n"))]
    }

    fn read(row: &Row<'_>) -> Result<Self, StoreError> {
        let costs: String = row.get("cost")?;
        let costs: Vec<&str> = costs.lines().collect();
        let currency: Option<String> = row.get("currency")?;
        let link = |column| row.get::<Option<i64>>(column);
        Ok(Self {
            uid: row.get("uid")?,
            sequence: row.get("sequence")?,
            when: when(row)?,
            cost: Cost::parse(&costs).map_err(|error| broken_row(row.table, "cost", error))?,
            currency: currency
                .as_deref()
                .map(str::parse::<Currency>)
                .transpose()
                .map_err(|error| broken_row(row.table, "currency", error))?,
            tickets: ticket::read_all(row)?,
            website: website(row)?,
            show_map: row.get("show_map")?,
            show_map_link: row.get("show_map_link")?,
            hide_from_listings: row.get("hide_from_listings")?,
            sticky: row.get("sticky")?,
            featured: row.get("featured")?,
            categories: linked(row, "categories")?,
            tags: linked(row, "tags")?,
            venue: link("venue_id")?.map(Id::from_raw),
            organizers: linked(row, "organizers")?,
            parent: link("parent_id")?.map(Id::from_raw),
            password: row
                .get::<Option<String>>("password_hash")?
                .map(PasswordHash::from_stored),
        })
    }

    fn links(json: Json) -> Vec<(&'static str, SelectStatement)> {
        let linked = |Links { table, column, .. }| {
            let shape = Shape::Value(column);
            json.rows((table, "event_id"), "event", shape, "position")
        };
        vec![
            ("categories", linked(CATEGORIES)),
            ("tags", linked(TAGS)),
            ("organizers", linked(ORGANIZERS)),
            ("tickets", ticket::of_event(json)),
        ]
    }

    fn linked_rows(event: &Event, id: EventId, rows: &mut InsertBatch) {
        link_rows(CATEGORIES, id, &categories(event), rows);
        link_rows(TAGS, id, &tags(event), rows);
        link_rows(ORGANIZERS, id, &organizers(event), rows);
        ticket::ticket_rows(id, &event.details.tickets, rows);
    }

    async fn save_links<C: Connection>(
        session: &Session<C>,
        id: EventId,
        before: Option<&Event>,
        after: Option<&Event>,
    ) -> Result<(), StoreError> {
        save(
            session,
            CATEGORIES,
            id,
            before.map(categories),
            after.map(categories),
        )
        .await?;
        save(session, TAGS, id, before.map(tags), after.map(tags)).await?;
        save(
            session,
            ORGANIZERS,
            id,
            before.map(organizers),
            after.map(organizers),
        )
        .await?;
        ticket::save(session, id, before, after).await?;
        let counted = |event: Option<&Event>| event.map(counted_terms).unwrap_or_default();
        let (categories, tags) = counted(before);
        let (new_categories, new_tags) = counted(after);
        count::<Categories, C>(session, &categories, &new_categories).await?;
        count::<Tags, C>(session, &tags, &new_tags).await
    }
}

fn categories(event: &Event) -> Vec<i64> {
    event.details.categories.iter().map(|id| id.get()).collect()
}

fn tags(event: &Event) -> Vec<i64> {
    event.details.tags.iter().map(|id| id.get()).collect()
}

fn organizers(event: &Event) -> Vec<i64> {
    event.details.organizers.iter().map(|id| id.get()).collect()
}

/// The categories and tags that count an event.
pub(crate) fn counted_terms(event: &Event) -> (Vec<i64>, Vec<i64>) {
    if is_counted(event) {
        (categories(event), tags(event))
    } else {
        (Vec::new(), Vec::new())
    }
}

/// The rows that link an event with others, in their order.
fn link_rows(
    Links { table, column, .. }: Links,
    event: EventId,
    ids: &[i64],
    rows: &mut InsertBatch,
) {
    for (position, id) in (0_i64..).zip(ids) {
        let row = [
            ("event_id", event.get().into()),
            ("position", position.into()),
            (column, (*id).into()),
        ];
        rows.push(table, row);
    }
}

fn when(row: &Row<'_>) -> Result<EventTime, StoreError> {
    let moment = |local, utc| {
        let local = row.word(local, parse_civil)?;
        Ok::<_, StoreError>(Moment {
            local,
            utc: row.moment(utc)?,
        })
    };
    let zone = row.parse("time_zone", str::parse::<Zone>)?;
    let (start, end) = (
        moment("start_local", "start_utc")?,
        moment("end_local", "end_utc")?,
    );
    EventTime::between(zone, start, end, row.get("all_day")?)
        .map_err(|error| broken_row(row.table, "end_utc", error))
}

/// What an event is linked with, in order.
fn linked<R>(row: &Row<'_>, column: &str) -> Result<Vec<Id<R>>, StoreError> {
    let ids: Vec<i64> = row.list(column)?;
    Ok(ids.into_iter().map(Id::from_raw).collect())
}

/// Writes what an event is linked with, if it changed.
async fn save<C: Connection>(
    session: &Session<C>,
    links: Links,
    event: EventId,
    before: Option<Vec<i64>>,
    after: Option<Vec<i64>>,
) -> Result<(), StoreError> {
    let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
    if before == after {
        return Ok(());
    }
    if !before.is_empty() {
        let delete = Sql::delete()
            .from_table(links.table)
            .and_where(Expr::col("event_id").eq(event.get()))
            .take();
        session.connection.execute_deferred(&delete).await?;
    }
    let mut rows = InsertBatch::default();
    link_rows(links, event, &after, &mut rows);
    rows.insert(session).await
}

/// Whether an event counts for its terms once it is due.
fn is_counted(event: &Event) -> bool {
    event.stage == Stage::Published && event.details.password.is_none()
}

/// Moves the counters of terms from those that an event counted for to those that it counts for.
async fn count<X: TermTable, C: Connection>(
    session: &Session<C>,
    before: &[i64],
    after: &[i64],
) -> Result<(), StoreError> {
    let without = |ids: &[i64], others: &[i64]| -> Vec<i64> {
        ids.iter()
            .copied()
            .filter(|id| !others.contains(id))
            .collect()
    };
    for (ids, step) in [(without(before, after), -1), (without(after, before), 1)] {
        if ids.is_empty() {
            continue;
        }
        let update = Sql::update()
            .table(X::TABLE)
            .value("event_count", Expr::col("event_count").add(step))
            .and_where(Expr::col("id").is_in(ids))
            .take();
        session.connection.execute_deferred(&update).await?;
    }
    Ok(())
}
