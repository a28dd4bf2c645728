//! The tables of events.

use std::collections::HashMap;

use app::ports::StoreError;
use async_trait::async_trait;
use domain::{
    Event, EventId, Id, Stage, Stored,
    cost::{Cost, Currency},
    event::{EventDetails, PasswordHash},
    page::Page,
    query::{EventFilter, Query},
    search::Searchable,
    term::{Categories, Tags},
    time::{EventTime, Moment, Zone, format_civil, parse_civil},
    web_url::WebUrl,
};
use sea_orm::{
    ExprTrait,
    sea_query::{Expr, Order, Query as Sql},
};

use super::{Column, TermTable, entry::DetailsTable, optional_text, text, ticket, venue::website};
use crate::{
    error::{broken_row, store_error},
    event_list,
    row::Row,
    store::{Connection, Over},
};

#[async_trait]
impl DetailsTable for EventDetails {
    const TABLE: &'static str = "event";
    const TRANSLATIONS: &'static str = "event_translation";
    const LINKED: bool = true;

    fn columns(event: &Event) -> Vec<Column> {
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
            text("search_text", event.folded_fields().join("\n")),
        ]
    }

    fn translation_columns(shown: &Event) -> Vec<Column> {
        vec![text("search_text", shown.folded_fields().join("\n"))]
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
                .map(Currency::parse)
                .transpose()
                .map_err(|error| broken_row(row.table, "currency", error))?,
            tickets: Vec::new(),
            website: website(row)?,
            show_map: row.get("show_map")?,
            show_map_link: row.get("show_map_link")?,
            hide_from_listings: row.get("hide_from_listings")?,
            sticky: row.get("sticky")?,
            featured: row.get("featured")?,
            categories: Vec::new(),
            tags: Vec::new(),
            venue: link("venue_id")?.map(Id::from_raw),
            organizers: Vec::new(),
            parent: link("parent_id")?.map(Id::from_raw),
            password: row
                .get::<Option<String>>("password_hash")?
                .map(PasswordHash::from_stored),
        })
    }

    async fn page<C: Connection>(
        over: &Over<C>,
        query: &Query<EventFilter>,
    ) -> Result<Page<EventId>, StoreError> {
        event_list::page(over, query).await
    }

    async fn load_links<C: Connection>(
        over: &Over<C>,
        events: &mut [Stored<Event>],
    ) -> Result<(), StoreError> {
        let ids: Vec<i64> = events.iter().map(|event| event.id.get()).collect();
        let mut categories = links(over, CATEGORIES, &ids).await?;
        let mut tags = links(over, TAGS, &ids).await?;
        let mut organizers = links(over, ORGANIZERS, &ids).await?;
        let mut tickets = ticket::load(over, &ids).await?;
        for event in events {
            let id = event.id.get();
            event.content.details.categories = typed(categories.remove(&id));
            event.content.details.tags = typed(tags.remove(&id));
            event.content.details.organizers = typed(organizers.remove(&id));
            event.content.details.tickets = tickets.remove(&id).unwrap_or_default();
        }
        Ok(())
    }

    async fn save_links<C: Connection>(
        over: &Over<C>,
        id: EventId,
        before: Option<&Event>,
        after: Option<&Event>,
    ) -> Result<(), StoreError> {
        let categories = |event: &Event| {
            event
                .details
                .categories
                .iter()
                .map(|id| id.get())
                .collect::<Vec<_>>()
        };
        let tags = |event: &Event| {
            event
                .details
                .tags
                .iter()
                .map(|id| id.get())
                .collect::<Vec<_>>()
        };
        let organizers = |event: &Event| {
            event
                .details
                .organizers
                .iter()
                .map(|id| id.get())
                .collect::<Vec<_>>()
        };
        save(
            over,
            CATEGORIES,
            id,
            before.map(categories),
            after.map(categories),
        )
        .await?;
        save(over, TAGS, id, before.map(tags), after.map(tags)).await?;
        save(
            over,
            ORGANIZERS,
            id,
            before.map(organizers),
            after.map(organizers),
        )
        .await?;
        ticket::save(over, id, before, after).await?;
        let counted = |event: Option<&Event>, ids: fn(&Event) -> Vec<i64>| {
            event
                .filter(|event| is_counted(event))
                .map(ids)
                .unwrap_or_default()
        };
        count::<Categories, C>(
            over,
            &counted(before, categories),
            &counted(after, categories),
        )
        .await?;
        count::<Tags, C>(over, &counted(before, tags), &counted(after, tags)).await
    }
}

/// A table of links.
pub(crate) struct Links {
    /// Its name.
    pub(crate) table: &'static str,
    /// The column beside the event's.
    pub(crate) column: &'static str,
    /// The number under which the events of each are counted.
    pub(crate) scope: i64,
}

pub(crate) const CATEGORIES: Links = Links {
    table: Categories::LINKS,
    column: "term_id",
    scope: 1,
};
pub(crate) const TAGS: Links = Links {
    table: Tags::LINKS,
    column: "term_id",
    scope: 2,
};
pub(crate) const ORGANIZERS: Links = Links {
    table: "event_organizer",
    column: "place_id",
    scope: 3,
};

fn when(row: &Row<'_>) -> Result<EventTime, StoreError> {
    let moment = |local, utc| {
        let local = row.word(local, parse_civil)?;
        Ok::<_, StoreError>(Moment {
            local,
            utc: row.moment(utc)?,
        })
    };
    let zone = row.parse("time_zone", Zone::parse)?;
    let (start, end) = (
        moment("start_local", "start_utc")?,
        moment("end_local", "end_utc")?,
    );
    EventTime::between(zone, start, end, row.get("all_day")?)
        .map_err(|error| broken_row(row.table, "end_utc", error))
}

/// What some events are linked with, in order.
async fn links<C: Connection>(
    over: &Over<C>,
    Links { table, column, .. }: Links,
    events: &[i64],
) -> Result<HashMap<i64, Vec<i64>>, StoreError> {
    let select = Sql::select()
        .columns(["event_id", column])
        .from(table)
        .and_where(Expr::col("event_id").is_in(events.iter().copied()))
        .order_by("event_id", Order::Asc)
        .order_by("position", Order::Asc)
        .take();
    let mut links: HashMap<i64, Vec<i64>> = HashMap::new();
    for row in over.connection.rows(&select).await? {
        let event = row.try_get("", "event_id").map_err(store_error)?;
        links
            .entry(event)
            .or_default()
            .push(row.try_get("", column).map_err(store_error)?);
    }
    Ok(links)
}

fn typed<R>(ids: Option<Vec<i64>>) -> Vec<Id<R>> {
    ids.unwrap_or_default()
        .into_iter()
        .map(Id::from_raw)
        .collect()
}

/// Writes what an event is linked with, if it changed.
async fn save<C: Connection>(
    over: &Over<C>,
    Links { table, column, .. }: Links,
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
            .from_table(table)
            .and_where(Expr::col("event_id").eq(event.get()))
            .take();
        over.connection.run(&delete).await?;
    }
    if !after.is_empty() {
        let mut insert = Sql::insert()
            .into_table(table)
            .columns(["event_id", "position", column])
            .take();
        for (position, id) in (0_i64..).zip(after) {
            insert.values_panic([event.get().into(), position.into(), id.into()]);
        }
        over.connection.run(&insert).await?;
    }
    Ok(())
}

/// Whether an event counts for its terms once it is due.
fn is_counted(event: &Event) -> bool {
    event.stage == Stage::Published && event.details.password.is_none()
}

/// Moves the counters of terms from those that an event counted for to those that it counts for.
async fn count<X: TermTable, C: Connection>(
    over: &Over<C>,
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
        over.connection.run(&update).await?;
    }
    Ok(())
}
