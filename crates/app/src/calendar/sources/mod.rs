//! Sources: their management, and the leases of the servers that read them.

use async_trait::async_trait;
use domain::{
    FieldName, Id, Role, Secret, Status, UserId,
    page::{Page, PageRequest},
    policy::{Caller, Capability},
    source::{Every, Source, SourceFormat, SourceName, SourceRuns, SourceUrl, UpdatePolicy},
    text::Title,
    time::Timestamp,
};

use crate::{
    audit,
    calendar::{Calendar, Work, bounded, require},
    error::AppError,
    fault::Fault,
    hashing,
    ports::{Repositories, SourceLease, StoredSource, UnitOfWork},
};

/// The time after which another server reads a source whose lease nobody renews, in seconds.
const LEASE_SECONDS: i64 = 120;

/// The fields of a new source, or of the change of one. A field that is absent stays, or has its default.
///
/// ```
/// use events_calendar_app::{AppError, calendar::{LeasedSource, SourceWrite}, test_support::*};
/// use domain::{Role, page::PageRequest};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = InMemoryStore::new();
/// let admin = add_user(&store, "ada", Role::Administrator).await;
/// let editor = add_user(&store, "bob", Role::Editor).await;
/// let calendar = calendar(store).await;
/// let write = SourceWrite {
///     name: Some("Club".parse()?),
///     url: Some("webcal://club.example/5f2a.ics".parse()?),
///     ..SourceWrite::default()
/// };
/// let club = calendar.create_source(admin, &write).await?;
/// assert!(matches!(calendar.create_source(editor, &write).await, Err(AppError::Forbidden)));
/// assert_eq!(calendar.sources(editor, PageRequest::new(1, 10, 100)).await?.total, 1);
/// assert_eq!(calendar.source(editor, club.id).await?, club);
/// assert_eq!(calendar.source_named("Club").await?, club);
///
/// // A server reads what is due.
/// let leased: LeasedSource = calendar.lease_due_source().await?.unwrap();
/// assert_eq!(calendar.lease_due_source().await?, None);
/// assert!(matches!(calendar.request_run(editor, club.id).await, Err(AppError::SourceRunning)));
/// assert!(calendar.renew_source(&leased).await?);
/// assert_eq!(calendar.source_caller(&leased.stored.source).await?, Some(admin));
/// let mut runs = leased.stored.runs.clone();
/// runs.succeed(club.source.every, calendar.now(), leased.jitter(calendar.now()));
/// assert!(calendar.finish_source(&leased, &runs).await?);
///
/// calendar.pause_source(admin, club.id, true).await?;
/// calendar.request_run(editor, club.id).await?;
/// let leased = calendar.lease_source(club.id).await?;
/// let every = SourceWrite { every: Some("6h".parse()?), ..SourceWrite::default() };
/// assert!(calendar.update_source(admin, club.id, &every).await.is_err());
/// calendar.delete_source(admin, club.id, Some(&leased)).await?;
/// assert!(matches!(calendar.source(admin, club.id).await, Err(AppError::SourceNotFound)));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct SourceWrite {
    /// The name.
    pub name: Option<SourceName>,
    /// The form in which it is read.
    pub format: Option<SourceFormat>,
    /// The address.
    pub url: Option<SourceUrl>,
    /// The user whose records it brings; by default the caller.
    pub user: Option<UserId>,
    /// The time between two runs.
    pub every: Option<Every>,
    /// The status of new events.
    pub status: Option<Status>,
    /// The name of a category of all its events, or none.
    pub category: Option<Option<Title>>,
    /// The fields of known events that change.
    pub policy: Option<UpdatePolicy>,
    /// Whether events that it has no longer go to the trash.
    pub prune: Option<bool>,
    /// The file with the headers of its requests, which the command line alone sets.
    pub header_file: Option<Secret>,
}

impl SourceWrite {
    /// The source after the write. A new one belongs to `creator` by default.
    fn apply(&self, present: Option<&Source>, creator: UserId) -> Result<Source, AppError> {
        let name = self.name.clone();
        let name = name.or_else(|| Some(present?.name.clone()));
        let url = self.url.clone().or_else(|| Some(present?.url.clone()));
        let (Some(name), Some(url)) = (name.clone(), url.clone()) else {
            let missing = [
                (FieldName::Name, name.is_none()),
                (FieldName::Url, url.is_none()),
            ];
            let missing = missing.into_iter().filter(|(_, is_missing)| *is_missing);
            let names = missing.map(|(field, _)| field.as_str());
            return Err(AppError::Missing(names.collect()));
        };
        if present.is_some_and(|present| present.name != name) {
            return Err(AppError::invalid(FieldName::Name, Fault::Fixed));
        }
        let category = match &self.category {
            Some(category) => category.clone(),
            None => present.and_then(|present| present.category.clone()),
        };
        // Headers were given for one address, and no other one learns them.
        let same_address = present.filter(|present| present.url == url);
        let headers_before = same_address.and_then(|present| present.header_file.clone());
        Ok(Source {
            name,
            url,
            format: self
                .format
                .or_else(|| Some(present?.format))
                .unwrap_or(SourceFormat::Calendar),
            user: self.user.or_else(|| Some(present?.user)).unwrap_or(creator),
            every: self
                .every
                .or_else(|| Some(present?.every))
                .unwrap_or_default(),
            status: self
                .status
                .or_else(|| Some(present?.status))
                .unwrap_or(Status::Publish),
            category,
            policy: self
                .policy
                .or_else(|| Some(present?.policy))
                .unwrap_or(UpdatePolicy::KeepLocal),
            prune: self
                .prune
                .or_else(|| Some(present?.prune))
                .unwrap_or_default(),
            header_file: self.header_file.clone().or(headers_before),
            paused: present.is_some_and(|present| present.paused),
        })
    }
}

/// A source that this server may read now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeasedSource {
    /// The source as it was when the lease began.
    pub stored: StoredSource,
    /// The holder of the lease.
    holder: String,
}

impl LeasedSource {
    /// The thousandths by which the next run is moved, from -100 to 100.
    pub fn jitter(&self, now: Timestamp) -> i16 {
        let text = format!("{} {}", self.stored.id, now.seconds());
        let hash = hashing::sha256_hex(&text);
        let number = u32::from_str_radix(&hash[..4], 16).unwrap_or_default();
        i16::try_from(number % 201).unwrap_or_default() - 100
    }
}

/// The user of a source, with the present rights; `None` if the user may bring nothing.
async fn author(repositories: &dyn Repositories, id: UserId) -> Result<Option<Caller>, AppError> {
    let user = repositories.users().find(id).await?;
    let user = user.filter(|user| !user.disabled && user.role >= Role::Author);
    Ok(user.map(|user| Caller::of(user.id, user.role)))
}

/// The source with an ID.
async fn found(repositories: &dyn Repositories, id: Id<Source>) -> Result<StoredSource, AppError> {
    let found = repositories.sources().find(id).await?;
    found.ok_or(AppError::SourceNotFound)
}

async fn check_user(unit: &dyn UnitOfWork, source: &Source) -> Result<(), AppError> {
    match author(unit, source.user).await? {
        Some(_) => Ok(()),
        None => Err(AppError::invalid(FieldName::User, Fault::NoAuthor)),
    }
}

struct Create<'a> {
    caller: Caller,
    write: &'a SourceWrite,
    now: Timestamp,
}

#[async_trait]
impl Work for Create<'_> {
    type Output = StoredSource;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<StoredSource, AppError> {
        let creator = self.caller.user().ok_or(AppError::Unauthenticated)?;
        let source = self.write.apply(None, creator)?;
        check_user(unit, &source).await?;
        let taken = unit.sources().find_by_name(source.name.as_str()).await?;
        if taken.is_some() {
            return Err(AppError::invalid(FieldName::Name, Fault::Taken));
        }
        let runs = SourceRuns::new(&source, self.now);
        let added = unit.sources().insert(&source, &runs, Source::MAX).await?;
        let added = added.ok_or(AppError::TooManySources(Source::MAX))?;
        let (id, after) = (added.id.get(), Some(&added.source));
        audit::of_source(id, None, after, self.now, unit).await?;
        Ok(added)
    }
}

/// A change of what is stored of a source that nobody reads.
struct Change<F> {
    id: Id<Source>,
    now: Timestamp,
    apply: F,
}

#[async_trait]
impl<F> Work for Change<F>
where
    F: Fn(&mut StoredSource) -> Result<(), AppError> + Sync,
{
    type Output = StoredSource;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<StoredSource, AppError> {
        let mut stored = found(unit, self.id).await?;
        let before = stored.source.clone();
        (self.apply)(&mut stored)?;
        if stored.source.user != before.user {
            check_user(unit, &stored.source).await?;
        }
        let StoredSource {
            id, source, runs, ..
        } = &stored;
        if !unit.sources().update(*id, source, runs, self.now).await? {
            return Err(AppError::SourceRunning);
        }
        let (id, before, after) = (id.get(), Some(&before), Some(source));
        audit::of_source(id, before, after, self.now, unit).await?;
        Ok(stored)
    }
}

/// A lease of a source that is due, or of any source.
struct Lease {
    id: Id<Source>,
    only_due: bool,
    by: SourceLease,
    now: Timestamp,
}

#[async_trait]
impl Work for Lease {
    type Output = Option<StoredSource>;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<Option<StoredSource>, AppError> {
        let stored = found(unit, self.id).await?;
        if self.only_due && !stored.runs.is_due(&stored.source, self.now) {
            return Ok(None);
        }
        let sources = unit.sources();
        let is_leased = sources.lease(self.id, &self.by, self.now).await?;
        Ok(is_leased.then_some(stored))
    }
}

struct Renew<'a> {
    leased: &'a LeasedSource,
    lease: SourceLease,
    now: Timestamp,
}

#[async_trait]
impl Work for Renew<'_> {
    type Output = bool;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<bool, AppError> {
        let id = self.leased.stored.id;
        // A lease that another server took over, or that ended with its source, is not renewed.
        let present = unit.sources().find(id).await?;
        let present = present.and_then(|stored| stored.lease);
        if present.is_none_or(|lease| lease.holder != self.lease.holder) {
            return Ok(false);
        }
        Ok(unit.sources().lease(id, &self.lease, self.now).await?)
    }
}

struct Finish<'a> {
    leased: &'a LeasedSource,
    runs: &'a SourceRuns,
}

#[async_trait]
impl Work for Finish<'_> {
    type Output = bool;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<bool, AppError> {
        let LeasedSource { stored, holder } = self.leased;
        Ok(unit.sources().finish(stored.id, holder, self.runs).await?)
    }
}

struct Delete {
    id: Id<Source>,
    holder: Option<String>,
    now: Timestamp,
}

#[async_trait]
impl Work for Delete {
    type Output = StoredSource;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<StoredSource, AppError> {
        let stored = found(unit, self.id).await?;
        let delete = unit
            .sources()
            .delete(self.id, self.holder.clone(), self.now);
        if !delete.await? {
            return Err(AppError::SourceRunning);
        }
        let (id, before) = (stored.id.get(), Some(&stored.source));
        audit::of_source(id, before, None, self.now, unit).await?;
        Ok(stored)
    }
}

impl Calendar {
    /// Adds a source, for administrators.
    ///
    /// # Errors
    ///
    /// [`AppError`]: no right, missing fields, a name that is taken, a user who is no author, too many sources.
    #[tracing::instrument(name = "app.source.create", skip_all)]
    pub async fn create_source(
        &self,
        caller: Caller,
        write: &SourceWrite,
    ) -> Result<StoredSource, AppError> {
        require(caller, Capability::ManageSources)?;
        let now = self.now();
        self.in_unit(&Create { caller, write, now }).await
    }

    /// A page of all sources, by ID, for editors and above.
    ///
    /// # Errors
    ///
    /// [`AppError`]: no right.
    pub async fn sources(
        &self,
        caller: Caller,
        page: PageRequest,
    ) -> Result<Page<StoredSource>, AppError> {
        let page = bounded(page, &self.site);
        require(caller, Capability::EditOthers)?;
        Ok(Page::of(self.store.sources().list().await?, page))
    }

    /// A source, for editors and above.
    ///
    /// # Errors
    ///
    /// [`AppError`]: no right, no such source.
    pub async fn source(&self, caller: Caller, id: Id<Source>) -> Result<StoredSource, AppError> {
        require(caller, Capability::EditOthers)?;
        found(&*self.store.reads().await?, id).await
    }

    /// The source with a name, for the command line.
    ///
    /// # Errors
    ///
    /// [`AppError::SourceNotFound`].
    pub async fn source_named(&self, name: &str) -> Result<StoredSource, AppError> {
        let found = self.store.sources().find_by_name(name).await?;
        found.ok_or(AppError::SourceNotFound)
    }

    /// Changes a source, for administrators. The next run reads the whole file.
    ///
    /// # Errors
    ///
    /// [`AppError`]: no right, no such source, another name, a user who is no author, a run under way.
    #[tracing::instrument(name = "app.source.update", skip_all)]
    pub async fn update_source(
        &self,
        caller: Caller,
        id: Id<Source>,
        write: &SourceWrite,
    ) -> Result<StoredSource, AppError> {
        let now = self.now();
        self.change_source(caller, Capability::ManageSources, id, |stored| {
            let source = write.apply(Some(&stored.source), stored.source.user)?;
            stored.runs.change(&stored.source, &source, now);
            stored.source = source;
            Ok(())
        })
        .await
    }

    /// Makes a source due at once, for editors and above, also one that is paused.
    ///
    /// # Errors
    ///
    /// [`AppError`]: no right, no such source, a run under way.
    #[tracing::instrument(name = "app.source.request_run", skip_all)]
    pub async fn request_run(
        &self,
        caller: Caller,
        id: Id<Source>,
    ) -> Result<StoredSource, AppError> {
        self.change_source(caller, Capability::EditOthers, id, |stored| {
            stored.runs.is_requested = true;
            Ok(())
        })
        .await
    }

    /// Pauses a source, or ends its pause, for administrators.
    ///
    /// # Errors
    ///
    /// [`AppError`]: no right, no such source, a run under way.
    #[tracing::instrument(name = "app.source.pause", skip_all)]
    pub async fn pause_source(
        &self,
        caller: Caller,
        id: Id<Source>,
        paused: bool,
    ) -> Result<StoredSource, AppError> {
        self.change_source(caller, Capability::ManageSources, id, |stored| {
            stored.source.paused = paused;
            Ok(())
        })
        .await
    }

    async fn change_source(
        &self,
        caller: Caller,
        right: Capability,
        id: Id<Source>,
        change: impl Fn(&mut StoredSource) -> Result<(), AppError> + Sync,
    ) -> Result<StoredSource, AppError> {
        require(caller, right)?;
        let now = self.now();
        let change = Change {
            id,
            now,
            apply: change,
        };
        self.in_unit(&change).await
    }

    /// Deletes a source, for administrators. Its events stay.
    ///
    /// # Errors
    ///
    /// [`AppError`]: no right, no such source, a run under way that is not `leased` to the caller.
    #[tracing::instrument(name = "app.source.delete", skip_all)]
    pub async fn delete_source(
        &self,
        caller: Caller,
        id: Id<Source>,
        leased: Option<&LeasedSource>,
    ) -> Result<StoredSource, AppError> {
        require(caller, Capability::ManageSources)?;
        let holder = leased.map(|leased| leased.holder.clone());
        let now = self.now();
        self.in_unit(&Delete { id, holder, now }).await
    }

    /// Leases the source that has been due longest; `None` if no source is due.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub async fn lease_due_source(&self) -> Result<Option<LeasedSource>, AppError> {
        let now = self.now();
        let mut due = self.store.sources().list().await?;
        due.retain(|one| one.runs.is_due(&one.source, now) && !one.is_running(now));
        due.sort_by_key(|one| (one.runs.next_run, one.id));
        for one in due {
            if let Some(leased) = self.lease(one.id, true).await? {
                return Ok(Some(leased));
            }
        }
        Ok(None)
    }

    /// Leases a source, whether or not it is due.
    ///
    /// # Errors
    ///
    /// [`AppError::SourceNotFound`]; [`AppError::SourceRunning`] while another lease lasts.
    pub async fn lease_source(&self, id: Id<Source>) -> Result<LeasedSource, AppError> {
        let leased = self.lease(id, false).await?;
        leased.ok_or(AppError::SourceRunning)
    }

    async fn lease(
        &self,
        id: Id<Source>,
        only_due: bool,
    ) -> Result<Option<LeasedSource>, AppError> {
        let (now, holder) = (self.now(), hashing::random_segment());
        let lease = SourceLease {
            holder: holder.clone(),
            until: now.saturating_add(LEASE_SECONDS),
        };
        let work = Lease {
            id,
            only_due,
            by: lease,
            now,
        };
        let stored = match self.in_unit(&work).await {
            // It was removed meanwhile.
            Err(AppError::SourceNotFound) if only_due => None,
            stored => stored?,
        };
        Ok(stored.map(|stored| LeasedSource { stored, holder }))
    }

    /// Renews a lease. False means that another server may read the source now: the run stops.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub async fn renew_source(&self, leased: &LeasedSource) -> Result<bool, AppError> {
        let now = self.now();
        let lease = SourceLease {
            holder: leased.holder.clone(),
            until: now.saturating_add(LEASE_SECONDS),
        };
        self.in_unit(&Renew { leased, lease, now }).await
    }

    /// Stores what a run left behind, and ends its lease. False means that the lease had ended.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub async fn finish_source(
        &self,
        leased: &LeasedSource,
        runs: &SourceRuns,
    ) -> Result<bool, AppError> {
        self.in_unit(&Finish { leased, runs }).await
    }

    /// The caller as whom a source is imported: its user with the present role. None if the user is
    /// disabled or no author any more.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub async fn source_caller(&self, source: &Source) -> Result<Option<Caller>, AppError> {
        author(&*self.store.reads().await?, source.user).await
    }
}
