//! Whole lists, which have no pages.

use std::vec;

use domain::{
    Filter as _, Id,
    page::PageRequest,
    policy::{Caller, Visibility},
    query::Query,
};

use super::BATCH;
use crate::{
    calendar::Calendar,
    error::AppError,
    ports::Repositories,
    resource::{self, Resource},
    search_queue::Client,
    write::ReadOptions,
};

/// The IDs of a whole list. Its records are read in batches while they are sent.
///
/// ```
/// use events_calendar_app::{calendar::WholeList, place::PlaceQuery, test_support::*, write::{NewVenue, ReadOptions}};
/// use domain::{Role, Venue, policy::Caller};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = InMemoryStore::new();
/// let editor = add_user(&store, "ada", Role::Editor).await;
/// let calendar = calendar(store).await;
/// calendar.create(editor, &NewVenue::builder("Old Mill".parse()?).build()).await?;
///
/// let (all, options) = (PlaceQuery::default(), ReadOptions::default());
/// let mut list: WholeList<Venue> = calendar.whole_list(Caller::Anonymous, None, all, &options).await?;
/// assert_eq!((list.len(), list.is_empty()), (1, false));
/// let views = calendar.next_views(&mut list).await?.unwrap();
/// assert_eq!(views[0].entry.title.as_str(), "Old Mill");
/// assert!(calendar.next_views(&mut list).await?.is_none());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct WholeList<R> {
    visibility: Visibility,
    ids: vec::IntoIter<Id<R>>,
}

impl<R> WholeList<R> {
    /// The number of records that are not read yet.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether all records are read.
    pub fn is_empty(&self) -> bool {
        self.ids.len() == 0
    }
}

impl Calendar {
    /// All records that the caller may list and that match the filters, in their order.
    ///
    /// # Errors
    ///
    /// [`AppError`]: filters that name a record that does not exist, more records than
    /// the site allows, or too many searches.
    #[tracing::instrument(name = "app.whole_list", skip_all, fields(kind = %R::KIND))]
    pub async fn whole_list<R: Resource>(
        &self,
        caller: Caller,
        client: Client,
        query: R::Query,
        options: &ReadOptions,
    ) -> Result<WholeList<R>, AppError> {
        let request = self.request_with(caller, options);
        let reads = self.store.bulk_reads().await?;
        let filter = R::look_up(query, &request, &*reads).await?;
        let client = filter.scans().then_some(client);
        let visibility = request.visibility();
        let ids = self
            .whole_ids::<R>(&*reads, client, &visibility, &filter)
            .await?;
        Ok(WholeList {
            visibility,
            ids: ids.into_iter(),
        })
    }

    /// The IDs of all records of a list. A search waits in the queue of searches for its client.
    ///
    /// # Errors
    ///
    /// [`AppError::FeedTooLarge`] for more records than the site allows; too many searches; or if the
    /// store cannot answer.
    pub(super) async fn whole_ids<R: Resource>(
        &self,
        repositories: &dyn Repositories,
        searching: Option<Client>,
        visibility: &Visibility,
        filter: &R::Filter,
    ) -> Result<Vec<Id<R>>, AppError> {
        let limit = self.site.feed_max;
        let query = Query {
            visibility: visibility.clone(),
            filter: filter.clone(),
            page: PageRequest::new(1, u64::from(limit).max(1), limit.max(1)),
        };
        let turn = match searching {
            Some(client) => Some(self.search_queue.turn(client).await?),
            None => None,
        };
        let found = R::repository(repositories).page(&query).await?;
        drop(turn);
        if found.total > u64::from(limit) {
            let total = found.total;
            return Err(AppError::FeedTooLarge { total, limit });
        }
        Ok(found.rows)
    }

    /// Reads the next records of a whole list; none after the last one. Records that were withdrawn
    /// since it began are left out.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub async fn next_views<R: Resource>(
        &self,
        list: &mut WholeList<R>,
    ) -> Result<Option<Vec<R::View>>, AppError> {
        let ids: Vec<_> = list.ids.by_ref().take(BATCH).collect();
        if ids.is_empty() {
            return Ok(None);
        }
        let reads = self.store.bulk_reads().await?;
        let mut records = R::repository(&*reads).find_many(&ids).await?;
        records.retain(|record| record.is_visible(&list.visibility));
        let views = resource::load::<R>(records, &list.visibility, &*reads).await?;
        Ok(Some(views))
    }
}
