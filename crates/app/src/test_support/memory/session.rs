//! Units of work of the in-memory store.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use async_trait::async_trait;
use domain::{
    Organizer, Venue,
    term::{Categories, Tags},
};
use tokio::sync::OwnedMutexGuard;

use super::state::State;
use crate::ports::{
    AuditTrail, Duplicates, EventRepository, IdempotencyKeys, ImageRepository, ImportLedger,
    Journal, OccurrenceRepository, Repositories, Repository, ReviewRepository, SecretFeeds,
    Settings, SignInRepository, Sources, Store, StoreError, TermRepository, Tombstones, UnitOfWork,
    UserRepository,
};

/// The in-memory store. Clones share its state.
///
/// Units of work are serialized: the next one waits until the previous one has ended. Plain reads
/// see committed data. The store refuses, with [`StoreError::Internal`], what another store might
/// refuse: writes outside a unit, the use of a unit while a nested one is open, references to
/// records that do not exist, and a second event with the same UID.
///
/// ```
/// use events_calendar_app::{ports::{Repositories, SlugRequests, Store, StoreError}, test_support::{InMemoryStore, tag}};
/// use domain::TagId;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), StoreError> {
/// let store = InMemoryStore::new();
/// let unit = store.begin().await?;
/// let loud = tag("Loud").insert(&*unit).await;
/// assert_eq!(store.tags().find(loud.id).await?, None); // not committed yet
/// unit.commit().await?;
/// assert_eq!(store.tags().find(loud.id).await?, Some(loud));
///
/// let outside = store.tags().insert(tag("Quiet").build(), SlugRequests::default()).await;
/// assert!(matches!(outside, Err(StoreError::Internal(_))));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct InMemoryStore {
    committed: Session,
    /// Locked by a unit of work from its beginning to its end.
    writer: Arc<tokio::sync::Mutex<()>>,
}

/// A step at which a store fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailingStep {
    /// A write within a unit of work.
    Write,
    /// The commit of a unit of work.
    Commit,
    /// The rollback of a unit of work.
    Rollback,
}

impl InMemoryStore {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes the next steps of a kind fail with these errors, one each.
    ///
    /// A conflict is what a concurrent transaction causes: a calendar repeats its work.
    ///
    /// ```
    /// use events_calendar_app::{ports::StoreError, test_support::*, write::NewVenue};
    /// use domain::Role;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let store = InMemoryStore::new();
    /// let editor = add_user(&store, "ada", Role::Editor).await;
    /// let calendar = calendar(store.clone()).await;
    /// let mill = NewVenue::builder("Old Mill".parse()?).build();
    ///
    /// store.fail(FailingStep::Commit, [StoreError::Conflict, StoreError::Conflict]);
    /// assert!(calendar.create(editor, &mill).await.is_ok());
    /// assert_eq!(store.failures_left(), 0);
    ///
    /// store.fail(FailingStep::Write, [StoreError::Unavailable("gone".to_owned())]);
    /// assert!(calendar.create(editor, &mill).await.is_err());
    /// # Ok(())
    /// # }
    /// ```
    pub fn fail(&self, step: FailingStep, errors: impl IntoIterator<Item = StoreError>) {
        let failures = errors.into_iter().map(|error| (step, error));
        lock(&self.committed.failures).extend(failures);
    }

    /// The number of failures that are still to come.
    pub fn failures_left(&self) -> usize {
        lock(&self.committed.failures).len()
    }

    /// Reads from the committed state.
    pub(super) fn committed<T>(&self, read: impl FnOnce(&State) -> T) -> Result<T, StoreError> {
        self.committed.read(read)
    }

    /// Changes the committed state, outside any unit of work.
    pub(super) fn change_committed<T>(
        &self,
        change: impl FnOnce(&mut State) -> T,
    ) -> Result<T, StoreError> {
        self.committed.check_usable()?;
        Ok(change(&mut lock(&self.committed.state)))
    }
}

/// All repositories, over the committed data or over the state of a unit of work.
#[derive(Clone, Debug, Default)]
pub(super) struct Session {
    state: Arc<Mutex<State>>,
    /// The failures to come, of all units.
    failures: Arc<Mutex<VecDeque<(FailingStep, StoreError)>>>,
    /// Whether writes are allowed.
    is_unit: bool,
    /// Whether a nested unit is open.
    suspended: Arc<AtomicBool>,
}

impl Session {
    /// Reads from the state.
    pub(super) fn read<T>(&self, read: impl FnOnce(&State) -> T) -> Result<T, StoreError> {
        self.check_usable()?;
        Ok(read(&lock(&self.state)))
    }

    /// Writes to the state; `write` MUST check before its first change, and not fail after it.
    pub(super) fn write<T>(
        &self,
        write: impl FnOnce(&mut State) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if !self.is_unit {
            return misused("a write needs a unit of work");
        }
        self.check_usable()?;
        self.fail_at(FailingStep::Write)?;
        write(&mut lock(&self.state))
    }

    /// Fails if the next failure is at this step.
    fn fail_at(&self, step: FailingStep) -> Result<(), StoreError> {
        let failure = lock(&self.failures).pop_front_if(|(at, _)| *at == step);
        failure.map_or(Ok(()), |(_, error)| Err(error))
    }

    fn check_usable(&self) -> Result<(), StoreError> {
        if self.suspended.load(Ordering::SeqCst) {
            return misused("a unit of work was used while one within it was under way");
        }
        Ok(())
    }

    /// A unit of work over a copy of the state.
    fn branch(&self, lock: Option<OwnedMutexGuard<()>>) -> Result<Box<dyn UnitOfWork>, StoreError> {
        let state = self.read(State::clone)?;
        Ok(Box::new(Unit {
            session: Session {
                state: Arc::new(Mutex::new(state)),
                failures: self.failures.clone(),
                is_unit: true,
                suspended: Arc::default(),
            },
            outer: self.clone(),
            lock,
        }))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn misused<T>(how: &str) -> Result<T, StoreError> {
    Err(StoreError::Internal(how.to_owned()))
}

/// A unit of work; dropping it discards its state.
struct Unit {
    session: Session,
    /// The session that a commit writes to.
    outer: Session,
    /// Blocks other units; none in a nested unit.
    lock: Option<OwnedMutexGuard<()>>,
}

impl Unit {
    fn is_outermost(&self) -> bool {
        self.lock.is_some()
    }
}

impl Drop for Unit {
    fn drop(&mut self) {
        self.outer.suspended.store(false, Ordering::SeqCst);
    }
}

/// Implements [`Repositories`] for two types by the sessions in their fields.
macro_rules! repositories {
    ($($method:ident: $port:ty,)*) => {
        impl Repositories for InMemoryStore {
            $(fn $method(&self) -> &$port {
                &self.committed
            })*
        }

        impl Repositories for Unit {
            $(fn $method(&self) -> &$port {
                &self.session
            })*
        }
    };
}

repositories! {
    events: dyn EventRepository,
    occurrences: dyn OccurrenceRepository,
    venues: dyn Repository<Venue>,
    organizers: dyn Repository<Organizer>,
    categories: dyn TermRepository<Categories>,
    tags: dyn TermRepository<Tags>,
    images: dyn ImageRepository,
    users: dyn UserRepository,
    sign_ins: dyn SignInRepository,
    reviews: dyn ReviewRepository,
    imports: dyn ImportLedger,
    settings: dyn Settings,
    idempotency: dyn IdempotencyKeys,
    tombstones: dyn Tombstones,
    secret_feeds: dyn SecretFeeds,
    sources: dyn Sources,
    duplicates: dyn Duplicates,
    audit: dyn AuditTrail,
}

#[async_trait]
impl Store for InMemoryStore {
    async fn begin(&self) -> Result<Box<dyn UnitOfWork>, StoreError> {
        let lock = self.writer.clone().lock_owned().await;
        self.committed.branch(Some(lock))
    }

    async fn ping(&self) -> Result<(), StoreError> {
        Ok(())
    }

    fn journal(&self) -> &dyn Journal {
        self
    }

    fn repositories(&self) -> &dyn Repositories {
        self
    }
}

#[async_trait]
impl UnitOfWork for Unit {
    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        let mut state = self.session.read(State::clone)?;
        self.session.fail_at(FailingStep::Commit)?;
        let mut outer = lock(&self.outer.state);
        if self.is_outermost() {
            // Entries may have been deleted since the unit began.
            state.journal = outer.journal.clone();
            state.record_changes(&outer);
        }
        *outer = state;
        Ok(())
    }

    async fn rollback(self: Box<Self>) -> Result<(), StoreError> {
        self.session.fail_at(FailingStep::Rollback)
    }

    async fn nested(&self) -> Result<Box<dyn UnitOfWork>, StoreError> {
        let unit = self.session.branch(None)?;
        self.session.suspended.store(true, Ordering::SeqCst);
        Ok(unit)
    }
}
