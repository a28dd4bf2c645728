//! The numbers of events by each value of a filter.
//!
//! One statement finds the events with some IDs, the series of those that are plain occurrences, and the records to
//! which they are linked; of a period, one reads all events that begin in it. They are counted here: the database would
//! sort them for each filter.

mod by_start;

use std::{collections::HashMap, hash::Hash};

use app::ports::{CityTally, StoreError, Tally};
use domain::{EventId, Id, Kind, VenueId, event::Window, policy::Visibility};
use sea_orm::{
    ExprTrait, QueryResult,
    sea_query::{
        Asterisk, CommonTableExpression, Condition, Expr, Func, IntoIden, Query as Sql,
        SelectStatement, SimpleExpr, UnionType, WithClause,
    },
};
use serde::de::DeserializeOwned;

use super::occurrences;
use crate::{
    entity::{
        LinkColumn,
        event::{self, Column},
        event_ticket, occurrence, venue, venue_city,
    },
    error::store_error,
    session::Session,
    sql::{Json, as_number, condition, from},
    tables::Links,
};

/// The found events.
const FOUND: &str = "found";

/// The series of the found occurrences, each with their number.
const REPEATED: &str = "repeated";

/// The number of occurrences of a series.
const TIMES: &str = "times";

/// Whether an event has tickets.
const TICKETED: &str = "ticketed";

/// The venues of the found events.
const VENUES: &str = "venues";

/// The column with the cities of venues.
const CITIES: &str = "cities";

/// The columns with linked records, for events and for series.
const LINKED: [(Links, [&str; 2]); 3] = [
    (Links::InCategories, ["categories", "series_categories"]),
    (Links::Tags, ["tags", "series_tags"]),
    (Links::Organizers, ["organizers", "series_organizers"]),
];

/// An event or a series: its venue, whether it is free and has tickets, and how often it takes place.
type Found = (Option<i64>, u8, u8, u64);

/// The found rows of a source.
fn rows(json: Json, source: &'static str) -> SelectStatement {
    let times = match source {
        FOUND => Expr::val(1_i64),
        _ => Expr::col((source, TIMES)),
    };
    let columns = vec![
        Expr::col((source, Column::VenueId)),
        as_number(Expr::col((source, Column::IsFree))),
        as_number(Expr::col((source, TICKETED))),
        times,
    ];
    Sql::select().expr(json.table(columns)).from(source).take()
}

/// The records to which the events of a source are linked: of events each one as often as it is linked, of series
/// with the number of occurrences. Outer joins, as SQLite might else read all links in their order; an event without
/// links has none.
fn linked(json: Json, source: &'static str, links: Links) -> SelectStatement {
    let record = (links.table().into_iden(), links.column());
    let value = match source {
        FOUND => json.list(record),
        _ => json.table(vec![Expr::col(record), Expr::col((source, TIMES))]),
    };
    let same = Expr::col((links.table(), LinkColumn::EventId)).equals((source, Column::Id));
    Sql::select()
        .expr(value)
        .from(source)
        .left_join(links.table(), same)
        .take()
}

/// The visible venues of all sources, each with its city, or none.
fn cities(json: Json, sources: &[&'static str], visibility: &Visibility) -> SelectStatement {
    let of_source = |source: &&'static str| {
        let venue = (*source, Column::VenueId);
        Sql::select().distinct().column(venue).from(*source).take()
    };
    let mut selects = sources.iter().map(of_source);
    let mut venues = selects.next().unwrap_or_default();
    venues.unions(selects.map(|venues| (UnionType::Distinct, venues)));
    let city = |name: venue_city::Column| Expr::col((venue_city::Entity, name));
    let venue_id = (venue::Entity, venue::Column::Id);
    let of_venue = Condition::all()
        .add(Expr::col(venue_id).equals((VENUES, Column::VenueId)))
        .add(condition::is_linkable(visibility, Kind::Venue));
    let of_city = Condition::all()
        .add(city(venue_city::Column::VenueId).equals(venue_id))
        .add(city(venue_city::Column::Language).eq(visibility.language.code()));
    let columns = vec![Expr::col(venue_id), city(venue_city::Column::CityKey)];
    Sql::select()
        .expr(json.table(columns))
        .from_subquery(venues, VENUES)
        .left_join(venue::Entity, of_venue)
        .left_join(venue_city::Entity, of_city)
        .take()
}

/// The tables of a statement, with their names.
fn with(tables: impl IntoIterator<Item = (&'static str, SelectStatement)>) -> WithClause {
    let mut with = WithClause::new();
    for (name, rows) in tables {
        let table = CommonTableExpression::new()
            .query(rows)
            .table_name(name)
            .to_owned();
        with.cte(table);
    }
    with
}

impl Session {
    /// Counts the events with these IDs that everybody can list and open. `window` has few other events.
    pub(crate) async fn event_tally(
        &self,
        ids: &[EventId],
        window: Option<Window>,
        visibility: &Visibility,
    ) -> Result<Tally, StoreError> {
        let (mut tally, others) = match window {
            Some(window) if !ids.is_empty() => {
                self.tally_by_start(ids, &window, visibility).await?
            }
            _ => (Tally::default(), ids.to_vec()),
        };
        if !others.is_empty() {
            merge(&mut tally, self.tally_by_id(&others, visibility).await?);
        }
        Ok(tally)
    }

    /// Counts the events with these IDs, which are found one by one.
    async fn tally_by_id(
        &self,
        ids: &[EventId],
        visibility: &Visibility,
    ) -> Result<Tally, StoreError> {
        let json = self.json();
        let ids: Vec<_> = ids.iter().map(|id| id.get()).collect();
        let mut tables = vec![(FOUND, self.found(&ids, visibility))];
        if self.has_series().await? {
            tables.push((REPEATED, self.repeated(&ids, visibility)));
        }
        let sources: Vec<_> = tables.iter().map(|(name, _)| *name).collect();
        let mut all = Sql::select();
        for (index, source) in sources.iter().enumerate() {
            all.expr_as(SimpleExpr::from(rows(json, source)), *source);
            for (links, names) in LINKED {
                let linked = linked(json, source, links);
                all.expr_as(SimpleExpr::from(linked), names[index]);
            }
        }
        let cities = cities(json, &sources, visibility);
        all.expr_as(SimpleExpr::from(cities), CITIES);
        // With the values, PostgreSQL would estimate that a scan of all links is cheaper. SQLite has no such plans, and
        // threads of low priority, with which a flood of views leaves the processors to lists.
        let connection = if self.is_postgres() {
            self.generic_plan()
        } else {
            self.slow()
        };
        match connection.row(all.with_cte(with(tables))).await? {
            Some(row) => read(&row, &sources),
            None => Ok(Tally::default()),
        }
    }

    /// The events with these IDs.
    fn found(&self, ids: &[i64], visibility: &Visibility) -> SelectStatement {
        let event = |name: Column| Expr::col((event::Entity, name));
        // SQLite has an index by this sum.
        let id = if self.is_postgres() {
            event(Column::Id)
        } else {
            event(Column::Id).add(Expr::cust("0"))
        };
        counted(from(event::Entity))
            .and_where(self.json().has_one_of(id, ids))
            .and_where(event(Column::Listed))
            .and_where(event(Column::PublishedUtc).lte(visibility.now.seconds()))
            .take()
    }

    /// The series of the plain occurrences with these IDs.
    fn repeated(&self, ids: &[i64], visibility: &Visibility) -> SelectStatement {
        let mut series = from(occurrence::Entity);
        occurrences::join_series(&mut series);
        let occurrence = (occurrence::Entity, occurrence::Column::Id);
        let now = visibility.now.seconds();
        let columns = [Column::Id, Column::VenueId, Column::IsFree];
        counted(series)
            .expr_as(Func::count(Expr::col(Asterisk)), TIMES)
            .and_where(self.json().is_one_of(occurrence, ids))
            .and_where(occurrences::column(occurrence::Column::Listed))
            .and_where(occurrences::column(occurrence::Column::PublishedUtc).lte(now))
            .group_by_columns(columns.map(|name| (event::Entity, name)))
            .take()
    }
}

/// The columns of events by which they are counted, for those without a password.
fn counted(mut rows: SelectStatement) -> SelectStatement {
    let of_event = Expr::col((event_ticket::Entity, event_ticket::Column::EventId));
    let tickets = from(event_ticket::Entity)
        .and_where(of_event.equals((event::Entity, Column::Id)))
        .take();
    let columns = [Column::Id, Column::VenueId, Column::IsFree];
    rows.columns(columns.map(|name| (event::Entity, name)))
        .expr_as(condition::exists(tickets), TICKETED)
        .and_where(Expr::col((event::Entity, Column::PasswordHash)).is_null())
        .take()
}

/// The values of a column.
fn values<T: DeserializeOwned>(row: &QueryResult, column: &str) -> Result<Vec<T>, StoreError> {
    let text: Option<String> = row.try_get_by(column).map_err(store_error)?;
    let values = text.map(|text| serde_json::from_str(&text)).transpose();
    let broken = |error| StoreError::Internal(format!("counts of events: {error}"));
    Ok(values.map_err(broken)?.unwrap_or_default())
}

/// The tally of a row.
fn read(row: &QueryResult, sources: &[&str]) -> Result<Tally, StoreError> {
    let mut tally = Tally::default();
    for source in sources {
        for found in values::<Found>(row, source)? {
            add_event(&mut tally, found);
        }
    }
    for (links, names) in LINKED {
        let once = values::<Option<i64>>(row, names[0])?.into_iter();
        let mut counted: Vec<_> = once.map(|id| (id, 1)).collect();
        if sources.len() > 1 {
            counted.extend(values::<(Option<i64>, u64)>(row, names[1])?);
        }
        for (id, times) in counted {
            if let Some(id) = id {
                add_link(&mut tally, links, id, times);
            }
        }
    }
    add_cities(&mut tally, row)?;
    Ok(tally)
}

/// Adds an event, or the occurrences of a series.
fn add_event(tally: &mut Tally, (venue, is_free, is_ticketed, times): Found) {
    let [free, ticketed] = [is_free, is_ticketed].map(|flag| flag != 0);
    *if free {
        &mut tally.free
    } else {
        &mut tally.not_free
    } += times;
    *if ticketed {
        &mut tally.ticketed
    } else {
        &mut tally.not_ticketed
    } += times;
    if let Some(venue) = venue {
        add(&mut tally.venues, venue, times);
    }
}

/// Adds events that are linked to a record.
fn add_link(tally: &mut Tally, links: Links, id: i64, times: u64) {
    match links {
        Links::Categories | Links::InCategories => add(&mut tally.categories, id, times),
        Links::Tags => add(&mut tally.tags, id, times),
        Links::Organizers => add(&mut tally.organizers, id, times),
    }
}

/// Adds the cities of the venues of a row, whose events are counted.
fn add_cities(tally: &mut Tally, row: &QueryResult) -> Result<(), StoreError> {
    for (venue, city) in values::<(Option<i64>, Option<String>)>(row, CITIES)? {
        let (Some(venue), Some(city)) = (venue.map(VenueId::from_raw), city) else {
            continue;
        };
        let Some(events) = tally.venues.get(&venue).copied() else {
            continue;
        };
        add_city(tally, city, CityTally { events, venue });
    }
    Ok(())
}

fn add_city(tally: &mut Tally, city: String, part: CityTally) {
    let whole = tally.cities.entry(city);
    let whole = whole.or_insert(CityTally { events: 0, ..part });
    whole.events += part.events;
    whole.venue = whole.venue.min(part.venue);
}

/// Adds the tally of other events.
fn merge(tally: &mut Tally, other: Tally) {
    add_all(&mut tally.categories, other.categories);
    add_all(&mut tally.tags, other.tags);
    add_all(&mut tally.venues, other.venues);
    add_all(&mut tally.organizers, other.organizers);
    for (city, part) in other.cities {
        add_city(tally, city, part);
    }
    tally.free += other.free;
    tally.not_free += other.not_free;
    tally.ticketed += other.ticketed;
    tally.not_ticketed += other.not_ticketed;
}

fn add_all<K: Eq + Hash>(counts: &mut HashMap<K, u64>, others: HashMap<K, u64>) {
    for (key, events) in others {
        *counts.entry(key).or_default() += events;
    }
}

fn add<R>(counts: &mut HashMap<Id<R>, u64>, id: i64, times: u64)
where
    Id<R>: Eq + Hash,
{
    *counts.entry(Id::from_raw(id)).or_default() += times;
}
