//! Bulk insertion of records.

use std::collections::HashMap;

use app::ports::{
    OccurrencePlan, OccurrenceRepository as _, SlugRequest, SlugRequests, StoreError,
};
use domain::{Category, Event, EventId, Id, Organizer, Stored, Tag, Venue};
use sea_orm::sea_query::Query;

use crate::{
    SeaOrmStore,
    entity::RecordColumn,
    search_index::{MERGE_LOCK, merge_all},
    session::OpenTransaction,
    sql::{InsertBatch, set},
    tables::{Table, TermKey, slug_row, translation_rows},
};

/// Inserts many new records in one transaction, with few statements.
///
/// The caller provides complete records: the records that they name exist, and no other record has
/// their slugs or those of their translations. A dropped loader rolls back.
#[derive(Debug)]
pub struct Loader {
    transaction: OpenTransaction,
    /// The number of events added to each term.
    counts: HashMap<TermKey, i64>,
}

impl SeaOrmStore {
    /// Begins a bulk insertion.
    ///
    /// # Errors
    ///
    /// If the database fails; so for every method of [`Loader`].
    pub async fn loader(&self) -> Result<Loader, StoreError> {
        Ok(Loader {
            transaction: OpenTransaction::begin(&self.writer).await?,
            counts: HashMap::new(),
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
        let session = &self.transaction.session;
        for table in tables {
            let select = Query::select()
                .column(RecordColumn::Id)
                .from(table)
                .limit(1)
                .take();
            if session.connection.row(&select).await?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Adds records of one kind; returns their IDs in order.
    ///
    /// # Errors
    ///
    /// If the database fails, or a slug is taken.
    #[expect(private_bounds, reason = "the five kinds of records have tables")]
    pub async fn add<R: Table>(&mut self, records: &[R]) -> Result<Vec<Id<R>>, StoreError> {
        let session = &self.transaction.session;
        let mut own = InsertBatch::default();
        for record in records {
            let requests = SlugRequests::from(record.slug().cloned().map(SlugRequest::from_name));
            let translated = !record.translations().is_empty();
            let columns = record.columns();
            let extra = record.creation_columns(&requests);
            let others = [
                set(RecordColumn::Revision, 1_i64),
                set(RecordColumn::Translated, translated),
            ];
            own.push(R::table(), columns.into_iter().chain(extra).chain(others));
            for term in record.counted_terms() {
                *self.counts.entry(term).or_default() += 1;
            }
        }
        let ids = own.insert_numbered(session).await?;
        let mut linked = InsertBatch::default();
        for (id, record) in ids.iter().zip(records) {
            for (_, slug) in record.slugs() {
                linked.push_model(&slug_row(R::KIND, *id, slug));
            }
            translation_rows(*id, record, &mut linked);
            record.linked_rows(Id::from_raw(*id), &mut linked);
        }
        linked.insert(session).await?;
        for (id, record) in ids.iter().zip(records) {
            let id = Id::from_raw(*id);
            record.after_write(None, session, id).await?;
        }
        Ok(ids.into_iter().map(Id::from_raw).collect())
    }

    /// Adds series with all occurrences of their rules, which end; returns their IDs in order.
    ///
    /// # Errors
    ///
    /// As for [`Self::add`].
    pub async fn add_series(&mut self, series: &[Event]) -> Result<Vec<EventId>, StoreError> {
        let ids = self.add(series).await?;
        for (id, content) in ids.iter().zip(series) {
            let stored = Stored {
                id: *id,
                revision: 1,
                content: content.clone(),
            };
            let recurrence = stored.series().map(|series| &series.recurrence);
            let slots = recurrence
                .into_iter()
                .flat_map(|recurrence| recurrence.slots(..));
            let occurrences = OccurrencePlan {
                added: slots.collect(),
                ..OccurrencePlan::default()
            };
            self.transaction
                .session
                .apply(&stored, &occurrences)
                .await?;
        }
        Ok(ids)
    }

    /// Commits the records that were added.
    ///
    /// # Errors
    ///
    /// If the database fails; then no record is stored.
    pub async fn commit(self) -> Result<(), StoreError> {
        let session = &self.transaction.session;
        for ((table, id), events) in self.counts {
            session.count_events(table, [id], events).await?;
        }
        self.transaction.wait_for_lock(MERGE_LOCK).await?;
        merge_all(&session.connection).await?;
        self.transaction.commit().await
    }
}
