//! Pages of each kind of record.

use app::ports::StoreError;
use domain::{Entry, Event, Id, Stored, Term, page::Page, query::Query};
use sea_orm::{
    ExprTrait,
    sea_query::{Expr, Query as Sql},
};

use super::batch_query::BatchQuery;

use crate::{
    cache::BatchLookup,
    entity::RecordColumn,
    event_list,
    session::Session,
    tables::{PlaceTable, ROWS_READ, Table, TermTable, counts_events, places, terms},
};

/// A kind of record with pages of its list.
pub(crate) trait Paged: Table {
    /// The page that a query selects.
    fn page(
        session: &Session,
        query: &Query<Self::Filter>,
    ) -> impl Future<Output = Result<Page<Id<Self>>, StoreError>> + Send;

    /// The records with some IDs, in their order, without those that do not exist.
    fn find_many(
        session: &Session,
        ids: &[Id<Self>],
    ) -> impl Future<Output = Result<Vec<Stored<Self>>, StoreError>> + Send {
        async {
            let cache = session.cache().await?;
            let mut records = BatchLookup::new(cache, Self::table(), ids.to_vec());
            let mut batch = BatchQuery::default();
            batch.add_missing(ROWS_READ, &mut records, session.json());
            batch.run(session).await?;
            Ok(records.in_order())
        }
    }

    /// Locks the row of a record on PostgreSQL until the transaction ends.
    fn lock(
        session: &Session,
        id: Id<Self>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send {
        async move {
            let lock = Sql::select()
                .column(RecordColumn::Id)
                .from(Self::table())
                .and_where(Expr::col(RecordColumn::Id).eq(id.get()))
                .lock_exclusive()
                .take();
            session.connection.rows(&lock).await.map(drop)
        }
    }
}

impl Paged for Event {
    async fn page(
        session: &Session,
        query: &Query<Self::Filter>,
    ) -> Result<Page<Id<Self>>, StoreError> {
        event_list::page(session, query).await
    }

    async fn find_many(
        session: &Session,
        ids: &[Id<Self>],
    ) -> Result<Vec<Stored<Self>>, StoreError> {
        session.find_events(ids).await
    }

    async fn lock(session: &Session, id: Id<Self>) -> Result<(), StoreError> {
        session.lock_event(id).await
    }
}

impl<D: PlaceTable> Paged for Entry<D> {
    async fn page(
        session: &Session,
        query: &Query<Self::Filter>,
    ) -> Result<Page<Id<Self>>, StoreError> {
        let has_series = (query.filter.has_events.is_some() || query.filter.only_with_upcoming)
            && session.has_series().await?;
        session.page_of(query.page, places(query, has_series)).await
    }
}

impl<X: TermTable> Paged for Term<X> {
    async fn page(
        session: &Session,
        query: &Query<Self::Filter>,
    ) -> Result<Page<Id<Self>>, StoreError> {
        let has_series = counts_events(&query.filter) && session.has_series().await?;
        session.page_of(query.page, terms(query, has_series)).await
    }
}
