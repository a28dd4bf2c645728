//! The port of sources that are read on a schedule.

use async_trait::async_trait;
use domain::{
    Id,
    source::{Source, SourceRuns},
    time::Timestamp,
};

use crate::ports::StoreError;

/// A stored source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSource {
    /// The ID.
    pub id: Id<Source>,
    /// The settings, which people choose.
    pub source: Source,
    /// The state that its runs left.
    pub runs: SourceRuns,
    /// The lease of a server that reads it, or that read it and died.
    pub lease: Option<SourceLease>,
}

impl StoredSource {
    /// Whether a server reads it, as far as its lease tells.
    ///
    /// [`Sources`] has an example.
    pub fn is_running(&self, now: Timestamp) -> bool {
        self.lease.as_ref().is_some_and(|lease| lease.until > now)
    }
}

/// The right of one server to read a source, for a short time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLease {
    /// A random text that no other lease has.
    pub holder: String,
    /// Its end, unless it is renewed.
    pub until: Timestamp,
}

/// Stores sources.
///
/// ```
/// use events_calendar_app::{
///     ports::{Repositories, SourceLease, Sources, Store, StoredSource},
///     test_support::{InMemoryStore, at, source, user},
/// };
/// use domain::{Role, source::SourceRuns};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let now = at("2030-01-01 00:00:00");
/// let store = InMemoryStore::new();
/// let unit = store.begin().await?;
/// let ada = unit.users().insert(user("ada", Role::Author)).await?.unwrap();
/// let sources: &dyn Sources = unit.sources();
/// let club = source("Club", ada.id);
/// let stored: Option<StoredSource> = sources.insert(&club, &SourceRuns::new(&club, now), 1).await?;
/// let stored = stored.unwrap();
/// assert_eq!(sources.find_by_name("Club").await?, Some(stored.clone()));
/// assert_eq!(sources.list().await?, [stored.clone()]);
///
/// // One server reads it, and others keep away.
/// let lease = |holder: &str| SourceLease { holder: holder.to_owned(), until: now.saturating_add(60) };
/// assert!(sources.lease(stored.id, &lease("one"), now).await?);
/// assert!(!sources.lease(stored.id, &lease("two"), now).await?);
/// assert!(sources.find(stored.id).await?.unwrap().is_running(now));
/// assert!(!sources.update(stored.id, &club, &stored.runs, now).await?);
/// assert!(sources.finish(stored.id, "one", &stored.runs).await?);
/// assert!(sources.delete(stored.id, None, now).await?);
/// # Ok(())
/// # }
/// ```
#[cfg_attr(any(test, feature = "test-support"), mockall::automock)]
#[async_trait]
pub trait Sources: Send + Sync {
    /// Adds a source; `None` if there are `limit` sources already, also in units of work that run at the same
    /// time.
    ///
    /// # Errors
    ///
    /// [`StoreError::Conflict`] if another one has its name; or if the store cannot answer, as for every
    /// method here.
    async fn insert(
        &self,
        source: &Source,
        runs: &SourceRuns,
        limit: u64,
    ) -> Result<Option<StoredSource>, StoreError>;

    /// The source with an ID.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn find(&self, id: Id<Source>) -> Result<Option<StoredSource>, StoreError>;

    /// The source with a name, letter by letter.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn find_by_name(&self, name: &str) -> Result<Option<StoredSource>, StoreError>;

    /// All sources, by ID.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn list(&self) -> Result<Vec<StoredSource>, StoreError>;

    /// Stores the source, unless a lease has not ended. Returns whether it did.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn update(
        &self,
        id: Id<Source>,
        source: &Source,
        runs: &SourceRuns,
        now: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Gives or renews a lease, unless another one has not ended. Returns whether it did. At most one of
    /// several units of work that run at the same time MUST get a lease.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn lease(
        &self,
        id: Id<Source>,
        lease: &SourceLease,
        now: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Stores what a run left behind and ends its lease, if the holder has it still. Returns whether it did.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn finish(
        &self,
        id: Id<Source>,
        holder: &str,
        runs: &SourceRuns,
    ) -> Result<bool, StoreError>;

    /// Deletes a source, unless a lease of somebody else than `holder` has not ended. Returns whether it did.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn delete(
        &self,
        id: Id<Source>,
        holder: Option<String>,
        now: Timestamp,
    ) -> Result<bool, StoreError>;
}
