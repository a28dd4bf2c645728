//! Lists of each kind of record.

use app::ports::StoreError;
use async_trait::async_trait;
use domain::{Event, Id, Organizer, Term, Venue, page::Page, query::Query};

use crate::{
    connection::Connection,
    event_list,
    session::Session,
    tables::{Table, TermTable, places, terms},
};

/// A kind of record that can be listed.
#[async_trait]
pub(crate) trait Listed: Table {
    /// The page that a query selects.
    async fn page<C: Connection>(
        session: &Session<C>,
        query: &Query<Self::Filter>,
    ) -> Result<Page<Id<Self>>, StoreError>;
}

/// Implements [`Listed`] by a function from a query to its list.
macro_rules! listed {
    ($list:path => $record:ty $(, $x:ident)?) => {
        #[async_trait]
        impl$(<$x: TermTable>)? Listed for $record {
            async fn page<C: Connection>(
                session: &Session<C>,
                query: &Query<Self::Filter>,
            ) -> Result<Page<Id<Self>>, StoreError> {
                session.page_of(query.page, $list(query)).await
            }
        }
    };
}

listed!(places => Venue);
listed!(places => Organizer);
listed!(terms => Term<X>, X);

#[async_trait]
impl Listed for Event {
    async fn page<C: Connection>(
        session: &Session<C>,
        query: &Query<Self::Filter>,
    ) -> Result<Page<Id<Self>>, StoreError> {
        event_list::page(session, query).await
    }
}
