//! Bulk insertion of records.

use std::collections::HashMap;

use app::ports::{SlugRequest, SlugRequests, StoreError};
use domain::{
    Category, CategoryId, Event, EventId, Id, Organizer, OrganizerId, Tag, TagId, Venue, VenueId,
    term::{Categories, Tags},
};
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, ExprTrait,
    sea_query::{Expr, Query},
};

use crate::{
    SeaOrmStore,
    connection::{Connection, begin_immediate},
    entity::{category, event, slug},
    error::store_error,
    session::Session,
    sql::{InsertBatch, set},
    tables::{Table, TermTable, counted_terms, slug_row, translation_rows},
};

/// Inserts many new records in one transaction, with few statements.
///
/// The caller provides complete records: the records that they name exist, and no other record has
/// their slugs or those of their translations. A dropped loader rolls back.
#[derive(Debug)]
pub struct Loader {
    session: Session<DatabaseTransaction>,
    categories: HashMap<i64, i64>,
    tags: HashMap<i64, i64>,
}

impl SeaOrmStore {
    /// Begins a bulk insertion.
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
            Event::table(),
            Venue::table(),
            Organizer::table(),
            Category::table(),
            Tag::table(),
        ];
        for table in tables {
            let select = Query::select()
                .column(event::Column::Id)
                .from(table)
                .limit(1)
                .take();
            if self.session.connection.row(&select).await?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Adds venues; returns their IDs in order.
    ///
    /// # Errors
    ///
    /// If the database fails, or a slug is taken.
    pub async fn venues(&mut self, venues: &[Venue]) -> Result<Vec<VenueId>, StoreError> {
        self.add(venues).await
    }

    /// Adds organizers; returns their IDs in order.
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

    /// Adds categories; returns their IDs in order.
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

    /// Adds tags; returns their IDs in order.
    ///
    /// # Errors
    ///
    /// As for `venues`.
    pub async fn tags(&mut self, tags: &[Tag]) -> Result<Vec<TagId>, StoreError> {
        self.add(tags).await
    }

    /// Adds events; returns their IDs in order.
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
            let requests = SlugRequests::from(record.slug().cloned().map(SlugRequest::from_name));
            let translated = !record.translations().is_empty();
            let columns = record.columns();
            let extra = record.creation_columns(&requests);
            let others = [
                set(event::Column::Revision, 1_i64),
                set(event::Column::Translated, translated),
            ];
            own.push(R::table(), columns.into_iter().chain(extra).chain(others));
        }
        let ids = own.insert_numbered(&self.session).await?;
        let mut linked = InsertBatch::default();
        for (id, record) in ids.iter().zip(records) {
            for (_, slug) in record.slugs() {
                linked.push(slug::Entity, slug_row(R::KIND, *id, slug));
            }
            translation_rows(*id, record, &mut linked);
            record.linked_rows(Id::from_raw(*id), &mut linked);
        }
        linked.insert(&self.session).await?;
        Ok(ids.into_iter().map(Id::from_raw).collect())
    }

    /// Commits the records that were added.
    ///
    /// # Errors
    ///
    /// If the database fails; then no record is stored.
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

/// Adds the new events to the counters of their terms.
async fn count<X: TermTable>(
    session: &Session<DatabaseTransaction>,
    counts: HashMap<i64, i64>,
) -> Result<(), StoreError> {
    for (term, events) in counts {
        let update = Query::update()
            .table(X::table())
            .value(
                category::Column::EventCount,
                Expr::col(category::Column::EventCount).add(events),
            )
            .and_where(Expr::col(event::Column::Id).eq(term))
            .take();
        session.connection.execute_deferred(&update).await?;
    }
    Ok(())
}
