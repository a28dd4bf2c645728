//! The store as a whole, and units of work.

use std::{collections::HashSet, fmt, ops::Deref};

use async_trait::async_trait;
use domain::{
    EventId, Organizer, Venue,
    term::{Categories, Tags},
};

use super::{
    EventRepository, IdempotencyKeys, ImageRepository, Repository, StoreError, TermRepository,
    UserRepository,
};

/// A state of the data: while a store tells the same one, everything that is read is the same too.
///
/// What was read after one was told is as good as what would be read now, for as long as it is told
/// again. Between two equal ones nothing was committed, by whichever process. They have no order, and
/// mean nothing to another store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DataVersion(u64);

impl DataVersion {
    /// One that is told from others by a number.
    pub fn new(number: u64) -> Self {
        Self(number)
    }
}

/// All repositories, over the store as it is or over a unit of work.
pub trait Repositories: Send + Sync {
    /// Events.
    fn events(&self) -> &dyn EventRepository;
    /// Venues.
    fn venues(&self) -> &dyn Repository<Venue>;
    /// Organizers.
    fn organizers(&self) -> &dyn Repository<Organizer>;
    /// Categories.
    fn categories(&self) -> &dyn TermRepository<Categories>;
    /// Tags.
    fn tags(&self) -> &dyn TermRepository<Tags>;
    /// Images.
    fn images(&self) -> &dyn ImageRepository;
    /// Users and their tokens.
    fn users(&self) -> &dyn UserRepository;
    /// Rows of files that were imported.
    fn imports(&self) -> &dyn ImportLedger;
    /// Settings that the service itself stores.
    fn settings(&self) -> &dyn Settings;
    /// Answers that are given again.
    fn idempotency(&self) -> &dyn IdempotencyKeys;
}

/// The repositories for what one request reads.
pub enum Reads<'a> {
    /// The repositories that all requests share.
    Shared(&'a dyn Repositories),
    /// Repositories for this request alone.
    Own(Box<dyn Repositories + 'a>),
}

impl<'a> Deref for Reads<'a> {
    type Target = dyn Repositories + 'a;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Shared(repositories) => *repositories,
            Self::Own(repositories) => &**repositories,
        }
    }
}

impl fmt::Debug for Reads<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reads").finish_non_exhaustive()
    }
}

/// The store. Plain reads go to it directly; writes MUST go to a unit of work, and may fail here.
#[async_trait]
pub trait Store: Repositories {
    /// Starts a unit of work: all of it is kept, or nothing.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn begin(&self) -> Result<Box<dyn UnitOfWork>, StoreError>;

    /// The present state of the data: every write that was acknowledged before is in it, unless the
    /// store is told that those of other processes may come later. None if the store cannot tell, or is
    /// told not to: then nothing that was read may be kept.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn version(&self) -> Result<Option<DataVersion>, StoreError> {
        Ok(None)
    }

    /// Whether the store answers at all.
    ///
    /// # Errors
    ///
    /// If it does not.
    async fn ping(&self) -> Result<(), StoreError>;

    /// The same repositories, for what a request only reads. They may be those of a copy that has all
    /// that was written over this store, and not yet all that others wrote: a request MUST ask once
    /// where to read, and what decides about writes MUST be read from the store itself.
    fn repositories(&self) -> &dyn Repositories;

    /// The repositories for what a request reads that begins now: they know all that was acknowledged
    /// before, and need not look whether anything was written since.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn reads(&self) -> Result<Reads<'_>, StoreError> {
        Ok(Reads::Shared(self.repositories()))
    }
}

/// Writes, and the reads that they rest on. Dropping it undoes them.
#[async_trait]
pub trait UnitOfWork: Repositories {
    /// Keeps what was written, on disk.
    ///
    /// # Errors
    ///
    /// If the store cannot keep it; then nothing of it is kept.
    async fn commit(self: Box<Self>) -> Result<(), StoreError>;

    /// Undoes what was written.
    ///
    /// # Errors
    ///
    /// If the store does not answer; what was written is not kept all the same.
    async fn rollback(self: Box<Self>) -> Result<(), StoreError>;

    /// Starts a unit within this one, which it may undo alone. Committed, it is kept if and when
    /// this one is. This one MUST NOT be used until that one has ended.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn nested(&self) -> Result<Box<dyn UnitOfWork>, StoreError>;
}

/// Remembers which rows of files were imported.
#[async_trait]
pub trait ImportLedger: Send + Sync {
    /// The rows of some digests that were imported, each with its ordinal (from 0 among equal rows). The
    /// number of statements MUST NOT depend on how many they are.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn known(&self, digests: &[String]) -> Result<HashSet<(String, i64)>, StoreError>;

    /// Notes that it became this event.
    ///
    /// # Errors
    ///
    /// [`StoreError::Conflict`] if it was noted before; or if the store cannot answer.
    async fn record(&self, digest: &str, ordinal: i64, event: EventId) -> Result<(), StoreError>;
}

/// Remembers texts under names.
#[async_trait]
pub trait Settings: Send + Sync {
    /// The text under a name; if there is none, `value` is put there.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn get_or_insert(&self, name: &str, value: &str) -> Result<String, StoreError>;
}
