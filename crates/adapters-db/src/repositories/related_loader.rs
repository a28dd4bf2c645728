//! Loads the records that events name, in one statement.

use app::ports::{RelatedIds, RelatedRecords, StoreError};
use domain::{
    Id, Organizer, Stored, Venue,
    term::{Categories, Tags},
    time::Timestamp,
};
use sea_orm::{
    QueryResult,
    sea_query::{SelectStatement, SimpleExpr},
};

use super::terms::TermLookup;
use crate::{
    cache::{BatchLookup, CacheSnapshot},
    connection::Connection,
    session::Session,
    sql::{Json, Row},
    tables::{Columns, RecordQuery, Table, read_record},
};

impl<C: Connection> Session<C> {
    /// Implements [`EventRepository::load_related`](app::ports::EventRepository::load_related).
    pub(crate) async fn load_named(
        &self,
        ids: &RelatedIds,
        now: Timestamp,
    ) -> Result<RelatedRecords, StoreError> {
        let (cache, json) = (self.cache().await?, self.json());
        let mut categories = TermLookup::<Categories>::new(cache, &ids.categories, now);
        let mut tags = TermLookup::<Tags>::new(cache, &ids.tags, now);
        let mut venues = lookup::<Venue>(cache, &ids.venues);
        let mut organizers = lookup::<Organizer>(cache, &ids.organizers);

        let mut parts = BatchQuery::default();
        let new_categories = parts.ask(categories.missing(json), "categories");
        let new_tags = parts.ask(tags.missing(json), "tags");
        let new_venues = parts.ask(missing::<Venue>(&venues, json), "venues");
        let new_organizers = parts.ask(missing::<Organizer>(&organizers, json), "organizers");
        if let Some(row) = parts.row(self).await? {
            categories.add(new_categories.read(&row, |row| categories.read(row))?);
            tags.add(new_tags.read(&row, |row| tags.read(row))?);
            keep(&mut venues, new_venues.read(&row, read_record::<Venue>)?);
            let read = new_organizers.read(&row, read_record::<Organizer>)?;
            keep(&mut organizers, read);
        }
        Ok(RelatedRecords {
            categories: categories.counted(),
            tags: tags.counted(),
            venues: venues.in_order(&numbers(&ids.venues)),
            organizers: organizers.in_order(&numbers(&ids.organizers)),
        })
    }
}

/// Record queries that run in one statement, each as a column.
#[derive(Default)]
pub(crate) struct BatchQuery {
    select: SelectStatement,
    is_needed: bool,
}

/// A column with the result of a record query, if there was one.
pub(crate) struct BatchColumn(Option<(&'static str, Columns)>);

impl BatchQuery {
    pub(crate) fn ask(&mut self, wanted: Option<RecordQuery>, name: &'static str) -> BatchColumn {
        BatchColumn(wanted.map(|wanted| {
            let (select, columns) = wanted.into_parts();
            self.select.expr_as(SimpleExpr::from(select), name);
            self.is_needed = true;
            (name, columns)
        }))
    }

    pub(crate) async fn row<C: Connection>(
        self,
        session: &Session<C>,
    ) -> Result<Option<QueryResult>, StoreError> {
        if !self.is_needed {
            return Ok(None);
        }
        session.generic_plan().row(&self.select).await
    }
}

impl BatchColumn {
    pub(crate) fn read<T>(
        &self,
        result: &QueryResult,
        read: impl Fn(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        match &self.0 {
            Some((name, columns)) => columns.read(result, name, read),
            None => Ok(Vec::new()),
        }
    }
}

fn numbers<R>(ids: &[Id<R>]) -> Vec<i64> {
    ids.iter().map(|id| id.get()).collect()
}

fn lookup<'a, R: Table>(
    cache: Option<CacheSnapshot<'a>>,
    ids: &[Id<R>],
) -> BatchLookup<'a, Stored<R>> {
    BatchLookup::new(cache, R::table(), &numbers(ids))
}

/// The query for the records that are not cached, if any.
fn missing<R: Table>(lookup: &BatchLookup<'_, Stored<R>>, json: Json) -> Option<RecordQuery> {
    let some = !lookup.missing.is_empty();
    some.then(|| RecordQuery::of::<R>(json).only(&lookup.missing))
}

fn keep<R: Table>(lookup: &mut BatchLookup<'_, Stored<R>>, records: Vec<Stored<R>>) {
    for record in records {
        let weight = record.text_bytes();
        lookup.add(R::table(), record.id.get(), record, weight);
    }
}
