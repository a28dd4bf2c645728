//! Adding many records at once.

use std::collections::HashMap;

use app::ports::{SlugRequest, SlugRequests, StoreError};
use domain::{
    Category, CategoryId, Event, EventId, Id, Organizer, OrganizerId, Tag, TagId, Venue, VenueId,
    term::{Categories, Tags},
};
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, ExprTrait, Value,
    sea_query::{Expr, Query},
};

use crate::{
    SeaOrmStore,
    connection::{Connection, begin_immediate},
    error::store_error,
    session::Session,
    sql::InsertBatch,
    tables::{Table, TermTable, counted_terms, slug_row, translation_rows},
};

/// Adds many new records in one transaction, with few statements.
///
/// The records are complete: what they name exists, and nobody else has their slugs, of which those
/// of translations stand in them too. Whoever cannot promise that creates records one by one.
/// Dropping it undoes what was added.
#[derive(Debug)]
pub struct Loader {
    session: Session<DatabaseTransaction>,
    categories: HashMap<i64, i64>,
    tags: HashMap<i64, i64>,
}

impl SeaOrmStore {
    /// Begins to add many records.
    ///
    /// # Errors
    ///
    /// If the database fails; so for every method of [`Loader`].
    pub async fn loader(&self) -> Result<Loader, StoreError> {
        let session = Session::new(begin_immediate(&self.writer).await.map_err(store_error)?);
        if session.is_postgres() {
            session
                .connection
                .execute_unprepared("SET LOCAL statement_timeout = 0")
                .await
                .map_err(store_error)?;
        }
        Ok(Loader {
            session,
            categories: HashMap::new(),
            tags: HashMap::new(),
        })
    }
}

impl Loader {
    /// Whether the calendar holds no record of any kind.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn finds_nothing(&self) -> Result<bool, StoreError> {
        let tables = [
            Event::TABLE,
            Venue::TABLE,
            Organizer::TABLE,
            Category::TABLE,
            Tag::TABLE,
        ];
        for table in tables {
            let select = Query::select().column("id").from(table).limit(1).take();
            if self.session.connection.row(&select).await?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Adds venues; answers their IDs in their order.
    ///
    /// # Errors
    ///
    /// If the database fails, or a slug is taken.
    pub async fn venues(&mut self, venues: &[Venue]) -> Result<Vec<VenueId>, StoreError> {
        self.add(venues).await
    }

    /// Adds organizers; answers their IDs in their order.
    ///
    /// # Errors
    ///
    /// As for `venues`.
    pub async fn organizers(
        &mut self,
        organizers: &[Organizer],
    ) -> Result<Vec<OrganizerId>, StoreError> {
        self.add(organizers).await
    }

    /// Adds categories; answers their IDs in their order.
    ///
    /// # Errors
    ///
    /// As for `venues`.
    pub async fn categories(
        &mut self,
        categories: &[Category],
    ) -> Result<Vec<CategoryId>, StoreError> {
        self.add(categories).await
    }

    /// Adds tags; answers their IDs in their order.
    ///
    /// # Errors
    ///
    /// As for `venues`.
    pub async fn tags(&mut self, tags: &[Tag]) -> Result<Vec<TagId>, StoreError> {
        self.add(tags).await
    }

    /// Adds events; answers their IDs in their order.
    ///
    /// # Errors
    ///
    /// As for `venues`.
    pub async fn events(&mut self, events: &[Event]) -> Result<Vec<EventId>, StoreError> {
        for event in events {
            let (categories, tags) = counted_terms(event);
            for (counts, terms) in [(&mut self.categories, categories), (&mut self.tags, tags)] {
                for term in terms {
                    *counts.entry(term).or_default() += 1;
                }
            }
        }
        self.add(events).await
    }

    async fn add<R: Table>(&self, records: &[R]) -> Result<Vec<Id<R>>, StoreError> {
        let mut own = InsertBatch::default();
        for record in records {
            let wishes = SlugRequests::from(record.slug().cloned().map(SlugRequest::from_name));
            let translated = !record.translations().is_empty();
            let columns = record.columns();
            let extra = record.creation_columns(&wishes);
            let others = [
                ("revision", Value::from(1_i64)),
                ("translated", translated.into()),
            ];
            own.push(R::TABLE, columns.into_iter().chain(extra).chain(others));
        }
        let ids = own.insert_numbered(&self.session).await?;
        let mut linked = InsertBatch::default();
        for (id, record) in ids.iter().zip(records) {
            for (_, slug) in record.slugs() {
                linked.push("slug", slug_row(R::KIND, *id, slug));
            }
            translation_rows(*id, record, &mut linked);
            record.linked_rows(Id::from_raw(*id), &mut linked);
        }
        linked.insert(&self.session).await?;
        Ok(ids.into_iter().map(Id::from_raw).collect())
    }

    /// Keeps what was added.
    ///
    /// # Errors
    ///
    /// If the database fails; then nothing of it is kept.
    pub async fn commit(self) -> Result<(), StoreError> {
        let Self {
            session,
            categories,
            tags,
        } = self;
        count::<Categories>(&session, categories).await?;
        count::<Tags>(&session, tags).await?;
        session.connection.commit().await.map_err(store_error)
    }
}

/// Counts the events that were added for their terms.
async fn count<X: TermTable>(
    session: &Session<DatabaseTransaction>,
    counts: HashMap<i64, i64>,
) -> Result<(), StoreError> {
    for (term, events) in counts {
        let update = Query::update()
            .table(X::TABLE)
            .value("event_count", Expr::col("event_count").add(events))
            .and_where(Expr::col("id").eq(term))
            .take();
        session.connection.execute_deferred(&update).await?;
    }
    Ok(())
}
