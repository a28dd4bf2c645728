//! Tombstones of events that are not public any more.

use async_trait::async_trait;
use domain::{EventId, event::Tombstone, slug::Slug, time::Timestamp};

use crate::ports::StoreError;

/// Stores tombstones of events, at most one for each UID.
///
/// ```
/// use events_calendar_app::{ports::{Repositories, Store, Tombstones}, test_support::{InMemoryStore, add_user, at, event}};
/// use domain::{Role, event::Tombstone};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = InMemoryStore::new();
/// add_user(&store, "ada", Role::Editor).await;
/// let unit = store.begin().await?;
/// let fair = event("Fair").insert(&*unit).await;
/// let now = at("2030-01-01 00:00:00");
/// let gone = Tombstone::of(&fair, Vec::new(), now);
///
/// let tombstones: &dyn Tombstones = unit.tombstones();
/// tombstones.put(&gone).await?;
/// assert_eq!(tombstones.page(now, "", 10).await?, [gone.clone()]);
/// assert_eq!(tombstones.page(now, &gone.uid, 10).await?, []);
/// assert_eq!(tombstones.find(fair.id).await?, Some(gone.clone()));
/// assert_eq!(tombstones.find_by_slug(fair.slug.as_ref().unwrap()).await?, Some(gone.clone()));
/// tombstones.remove(&gone.uid).await?;
/// assert_eq!(tombstones.find(fair.id).await?, None);
/// assert_eq!(tombstones.prune(now).await?, 0);
/// # Ok(())
/// # }
/// ```
#[cfg_attr(any(test, feature = "test-support"), mockall::automock)]
#[async_trait]
pub trait Tombstones: Send + Sync {
    /// Stores a tombstone, in place of one with the same UID.
    ///
    /// # Errors
    ///
    /// If the store cannot answer; so for every method here.
    async fn put(&self, tombstone: &Tombstone) -> Result<(), StoreError>;

    /// Removes the tombstone with a UID, if there is one.
    ///
    /// # Errors
    ///
    /// As for `put`.
    async fn remove(&self, uid: &str) -> Result<(), StoreError>;

    /// The last tombstone of an event with this ID.
    ///
    /// # Errors
    ///
    /// As for `put`.
    async fn find(&self, event: EventId) -> Result<Option<Tombstone>, StoreError>;

    /// The last tombstone of an event with this slug.
    ///
    /// # Errors
    ///
    /// As for `put`.
    async fn find_by_slug(&self, slug: &Slug) -> Result<Option<Tombstone>, StoreError>;

    /// At most `limit` tombstones that ended at `since` or later, in the order of their UIDs: those
    /// behind a UID. All are behind the empty one.
    ///
    /// # Errors
    ///
    /// As for `put`.
    async fn page(
        &self,
        since: Timestamp,
        after: &str,
        limit: u64,
    ) -> Result<Vec<Tombstone>, StoreError>;

    /// Deletes the tombstones that ended before an instant. Returns how many there were.
    ///
    /// # Errors
    ///
    /// As for `put`.
    async fn prune(&self, before: Timestamp) -> Result<u64, StoreError>;
}
