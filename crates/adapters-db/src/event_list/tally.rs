//! The numbers of events by each value of a filter.
//!
//! One statement finds the events with some IDs, or the series of those that are plain occurrences, and
//! counts them by the rows that link them with other records.

use std::{collections::HashMap, hash::Hash};

use app::ports::{CityTally, StoreError, Tally};
use domain::{EventId, Id, Kind, VenueId, policy::Visibility};
use sea_orm::{
    ExprTrait,
    sea_query::{
        Asterisk, CaseStatement, CommonTableExpression, Condition, DynIden, Expr, Func, IntoIden,
        Query as Sql, SelectStatement, SimpleExpr, UnionType, WithClause,
    },
};

use super::occurrences;
use crate::{
    entity::{
        LinkColumn,
        event::{self, Column},
        event_ticket, occurrence, venue, venue_city,
    },
    error::store_error,
    session::Session,
    sql::{condition, from},
    tables::Links,
};

/// The found events and series.
const FOUND: &str = "found";

/// The venues of found events.
const VENUES: &str = "venues";

/// The number of events of a row: for a series, of its occurrences.
const TIMES: &str = "times";

/// Whether a found event has tickets.
const TICKETED: &str = "ticketed";

/// The counts as JSON, and the alias of their rows.
const COUNTS: &str = "counts";

/// The columns of a count besides the number of events: by what it is, the value, and its text.
const KIND: &str = "by_what";
const KEY: &str = "by_value";
const TEXT: &str = "by_text";

/// A count: by what it is, the value, its text, and the number of events.
type Count = (i64, Option<i64>, Option<String>, u64);

/// By what events are counted.
#[derive(Clone, Copy)]
enum By {
    Category,
    Tag,
    Organizer,
    Venue,
    City,
    Free,
    Ticketed,
}

impl By {
    const ALL: [Self; 7] = [
        Self::Category,
        Self::Tag,
        Self::Organizer,
        Self::Venue,
        Self::City,
        Self::Free,
        Self::Ticketed,
    ];

    /// The events of each value. Outer joins, as SQLite might else read all links in their order; events without
    /// a value are counted with none.
    fn counts(self, visibility: &Visibility) -> SelectStatement {
        match self {
            Self::Category => self.linked(Links::InCategories),
            Self::Tag => self.linked(Links::Tags),
            Self::Organizer => self.linked(Links::Organizers),
            Self::Venue => self.of(VENUES, (VENUES.into_iden(), Column::VenueId.into_iden())),
            Self::City => self.by_city(visibility),
            Self::Free => self.of(FOUND, (FOUND.into_iden(), Column::IsFree.into_iden())),
            Self::Ticketed => self.of(FOUND, (FOUND.into_iden(), TICKETED.into_iden())),
        }
    }

    /// The rows of a source by a column.
    fn of(self, source: &'static str, key: (DynIden, DynIden)) -> SelectStatement {
        let value = match self {
            Self::Free | Self::Ticketed => {
                let holds = Expr::col(key.clone());
                CaseStatement::new()
                    .case(holds, 1_i64)
                    .finally(0_i64)
                    .into()
            }
            _ => Expr::col(key.clone()),
        };
        self.count(source, value, Expr::val(""))
            .group_by_col(key)
            .take()
    }

    /// The number of the events of a source, for a value and its text.
    fn count(
        self,
        source: &'static str,
        value: impl Into<SimpleExpr>,
        text: Expr,
    ) -> SelectStatement {
        Sql::select()
            .expr_as(Expr::val(self as i64), KIND)
            .expr_as(value, KEY)
            .expr_as(text, TEXT)
            .expr_as(times(source), TIMES)
            .from(source)
            .take()
    }

    /// By linked record.
    fn linked(self, links: Links) -> SelectStatement {
        let same = Expr::col((links.table(), LinkColumn::EventId)).equals((FOUND, Column::Id));
        self.of(FOUND, (links.table().into_iden(), links.column()))
            .left_join(links.table(), same)
            .take()
    }

    /// By the city of a visible venue, with the least ID of its venues.
    fn by_city(self, visibility: &Visibility) -> SelectStatement {
        let city = |name: venue_city::Column| Expr::col((venue_city::Entity, name));
        let venue_id = (venue::Entity, venue::Column::Id);
        let of_venue = Condition::all()
            .add(Expr::col(venue_id).equals((VENUES, Column::VenueId)))
            .add(condition::is_linkable(visibility, Kind::Venue));
        let of_city = Condition::all()
            .add(city(venue_city::Column::VenueId).equals(venue_id))
            .add(city(venue_city::Column::Language).eq(visibility.language.code()));
        let key = city(venue_city::Column::CityKey);
        self.count(VENUES, Func::min(Expr::col(venue_id)), key)
            .left_join(venue::Entity, of_venue)
            .left_join(venue_city::Entity, of_city)
            .group_by_col((venue_city::Entity, venue_city::Column::CityKey))
            .take()
    }
}

/// The number of the events of the rows of a source.
fn times(source: &'static str) -> SimpleExpr {
    Func::cast_as(Func::sum(Expr::col((source, TIMES))), "bigint").into()
}

/// The found events by venue.
fn venues() -> SelectStatement {
    let venue = (FOUND, Column::VenueId);
    Sql::select()
        .column(venue)
        .expr_as(times(FOUND), TIMES)
        .from(FOUND)
        .group_by_col(venue)
        .take()
}

impl Session {
    /// Counts the events with these IDs that everybody can list and open.
    pub(crate) async fn event_tally(
        &self,
        ids: &[EventId],
        visibility: &Visibility,
    ) -> Result<Tally, StoreError> {
        if ids.is_empty() {
            return Ok(Tally::default());
        }
        let has_series = self.has_series().await?;
        let mut rows = By::ALL.into_iter().map(|by| by.counts(visibility));
        let mut counts = rows.next().unwrap_or_default();
        counts.unions(rows.map(|rows| (UnionType::All, rows)));
        let columns = [KIND, KEY, TEXT, TIMES].map(|name| Expr::col((COUNTS, name)));
        let mut all = Sql::select()
            .expr_as(self.json().table(columns.into()), COUNTS)
            .from_subquery(counts, COUNTS)
            .take();
        let mut with = WithClause::new();
        let sources = [
            (FOUND, self.found(ids, visibility, has_series)),
            (VENUES, venues()),
        ];
        for (name, rows) in sources {
            with.cte(
                CommonTableExpression::new()
                    .query(rows)
                    .table_name(name)
                    .to_owned(),
            );
        }
        // With the values, PostgreSQL would estimate that a scan of all links is cheaper. SQLite has no such plans, and
        // threads of low priority, with which a flood of views leaves the processors to lists.
        let connection = if self.is_postgres() {
            self.generic_plan()
        } else {
            self.slow()
        };
        let row = connection.row(all.with_cte(with)).await?;
        let json = row.map(|row| row.try_get::<Option<String>>("", COUNTS));
        let json = json.transpose().map_err(store_error)?.flatten();
        let json = json.unwrap_or_else(|| "[]".to_owned());
        let rows: Vec<Count> = serde_json::from_str(&json)
            .map_err(|error| StoreError::Internal(format!("counts of events: {error}")))?;
        Ok(read(rows))
    }

    /// The events with these IDs, and the series of those that are plain occurrences.
    fn found(&self, ids: &[EventId], visibility: &Visibility, has_series: bool) -> SelectStatement {
        let ids: Vec<_> = ids.iter().map(|id| id.get()).collect();
        let now = visibility.now.seconds();
        let event = |name: Column| Expr::col((event::Entity, name));
        let shown = [Column::Id, Column::VenueId, Column::IsFree];
        let shown = shown.map(|name| (event::Entity, name));
        let of_event = Expr::col((event_ticket::Entity, event_ticket::Column::EventId));
        let tickets = from(event_ticket::Entity)
            .and_where(of_event.equals((event::Entity, Column::Id)))
            .take();
        let columns = |mut rows: SelectStatement, times: SimpleExpr| {
            rows.columns(shown)
                .expr_as(condition::exists(tickets.clone()), TICKETED)
                .expr_as(times, TIMES)
                .and_where(event(Column::PasswordHash).is_null())
                .take()
        };
        // SQLite has an index by this sum.
        let id = if self.is_postgres() {
            event(Column::Id)
        } else {
            event(Column::Id).add(Expr::cust("0"))
        };
        let given = self.json().has_one_of(id, &ids);
        let mut events = columns(from(event::Entity), Expr::val(1_i64));
        events
            .and_where(given)
            .and_where(event(Column::Listed))
            .and_where(event(Column::PublishedUtc).lte(now));
        if !has_series {
            return events;
        }
        let mut series = from(occurrence::Entity);
        occurrences::join_series(&mut series);
        let times = Func::count(Expr::col(Asterisk));
        let series = columns(series, times.into())
            .and_where(
                self.json()
                    .is_one_of((occurrence::Entity, occurrence::Column::Id), &ids),
            )
            .and_where(occurrences::column(occurrence::Column::Listed))
            .and_where(occurrences::column(occurrence::Column::PublishedUtc).lte(now))
            .group_by_columns(shown)
            .take();
        events.union(UnionType::All, series).take()
    }
}

/// The tally of rows.
fn read(rows: Vec<Count>) -> Tally {
    fn add<R>(counts: &mut HashMap<Id<R>, u64>, id: i64, events: u64)
    where
        Id<R>: Eq + Hash,
    {
        counts.insert(Id::from_raw(id), events);
    }
    let mut tally = Tally::default();
    for (kind, key, text, events) in rows {
        let by = By::ALL.into_iter().find(|by| *by as i64 == kind);
        let Some(((by, key), text)) = by.zip(key).zip(text) else {
            continue;
        };
        match by {
            By::Category => add(&mut tally.categories, key, events),
            By::Tag => add(&mut tally.tags, key, events),
            By::Organizer => add(&mut tally.organizers, key, events),
            By::Venue => add(&mut tally.venues, key, events),
            By::City => {
                let venue = VenueId::from_raw(key);
                tally.cities.insert(text, CityTally { events, venue });
            }
            By::Free if key == 1 => tally.free = events,
            By::Free => tally.not_free = events,
            By::Ticketed if key == 1 => tally.ticketed = events,
            By::Ticketed => tally.not_ticketed = events,
        }
    }
    tally
}
