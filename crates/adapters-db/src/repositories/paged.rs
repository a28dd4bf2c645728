//! Pages of each kind of record.

use app::ports::StoreError;
use domain::{Entry, Event, Id, Term, page::Page, query::Query};

use crate::{
    connection::Connection,
    event_list,
    session::Session,
    tables::{PlaceTable, Table, TermTable, places, terms},
};

/// A kind of record with pages of its list.
pub(crate) trait Paged: Table {
    /// The page that a query selects.
    fn page<C: Connection>(
        session: &Session<C>,
        query: &Query<Self::Filter>,
    ) -> impl Future<Output = Result<Page<Id<Self>>, StoreError>> + Send;
}

impl Paged for Event {
    async fn page<C: Connection>(
        session: &Session<C>,
        query: &Query<Self::Filter>,
    ) -> Result<Page<Id<Self>>, StoreError> {
        event_list::page(session, query).await
    }
}

impl<D: PlaceTable> Paged for Entry<D> {
    async fn page<C: Connection>(
        session: &Session<C>,
        query: &Query<Self::Filter>,
    ) -> Result<Page<Id<Self>>, StoreError> {
        session.page_of(query.page, places(query)).await
    }
}

impl<X: TermTable> Paged for Term<X> {
    async fn page<C: Connection>(
        session: &Session<C>,
        query: &Query<Self::Filter>,
    ) -> Result<Page<Id<Self>>, StoreError> {
        session.page_of(query.page, terms(query)).await
    }
}
