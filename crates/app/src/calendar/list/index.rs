//! Reading an index.

use std::collections::HashMap;

use domain::{
    index::{IndexEntry, IndexQuery},
    page::{Page, PageRequest},
    policy::Caller,
};

use super::{Calendar, bounded};
use crate::{
    error::AppError,
    resource::{self, Resource},
    search_queue::Client,
    write::ReadOptions,
};

/// A record of an index.
///
/// ```
/// use events_calendar_app::calendar::Indexed;
/// let entry = Indexed { view: "Old Mill", upcoming: 3 };
/// assert!(entry.upcoming > 0);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Indexed<V> {
    /// The record.
    pub view: V,
    /// The number of its upcoming events.
    pub upcoming: u64,
}

impl Calendar {
    /// A page of the index of a kind: the records that everybody can list, each with the number of its upcoming
    /// events, in the order of [`IndexQuery::list`]. It waits in the queue of searches, in which `client` has its
    /// share.
    ///
    /// ```
    /// use events_calendar_app::write::{NewTag, ReadOptions};
    /// use domain::{Tag, page::PageRequest};
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    ///
    /// calendar.create(editor, &NewTag::builder("Loud".parse()?).build()).await?;
    /// let page = PageRequest::new(1, 50, 100);
    /// let index = calendar.index::<Tag>(None, page, &ReadOptions::default()).await?;
    /// assert_eq!((index.rows[0].view.term.name.as_str(), index.rows[0].upcoming), ("Loud", 0));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError`]: a page beyond the last, or too many searches.
    #[tracing::instrument(name = "app.index", skip_all, fields(kind = %R::KIND))]
    pub async fn index<R: Resource>(
        &self,
        client: Client,
        page: PageRequest,
        options: &ReadOptions,
    ) -> Result<Page<Indexed<R::View>>, AppError> {
        let visibility = self.request_with(Caller::Anonymous, options).visibility();
        let query = IndexQuery {
            language: visibility.language,
            now: visibility.now,
            page: bounded(page, &self.site),
        };
        let reads = self.store.reads().await?;
        let turn = self.search_queue.turn(client).await?;
        let found = R::repository(&*reads).index(&query).await?;
        drop(turn);
        if found.rows.is_empty() && query.page.number() > 1 {
            return Err(AppError::PageNotFound(R::KIND));
        }
        let ids: Vec<_> = found.rows.iter().map(|entry| entry.id).collect();
        let counts: HashMap<_, _> = found
            .rows
            .iter()
            .map(|IndexEntry { id, upcoming }| (*id, *upcoming))
            .collect();
        let mut records = R::repository(&*reads).find_many(&ids).await?;
        // A record may have been withdrawn after its ID was found.
        records.retain(|record| record.content.is_published(query.now));
        let upcoming: Vec<_> = records
            .iter()
            .map(|record| counts.get(&record.id).copied().unwrap_or(0))
            .collect();
        let views = resource::load::<R>(records, &visibility, &*reads).await?;
        let rows = views.into_iter().zip(upcoming);
        Ok(Page {
            rows: rows
                .map(|(view, upcoming)| Indexed { view, upcoming })
                .collect(),
            total: found.total,
            request: found.request,
        })
    }
}
