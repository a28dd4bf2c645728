//! Secret feeds: the lists of their owners, opened by a key in their URL.

use async_trait::async_trait;
use domain::{
    Event, FieldName, Id, Secret,
    audit::{AuditAction, AuditedKind},
    page::{Page, PageRequest},
    policy::{Caller, Capability},
    time::Timestamp,
};

use crate::{
    audit,
    calendar::{Calendar, IdempotencyKey, Idempotent, IdempotentWork, Work, bounded, permit},
    error::AppError,
    event::EventQuery,
    fault::BadFields,
    hashing,
    ports::{NewSecretFeed, SecretFeed, UnitOfWork},
    resource::Resource as _,
};

/// Most secret feeds of a user.
const MAX_FEEDS: u64 = 20;

/// A new secret feed with its key. The store keeps only the hash of the key.
///
/// ```
/// use events_calendar_app::{calendar::{FreshFeed, SecretFeedWrite}, event::EventQuery, test_support::*};
/// use domain::{Role, page::PageRequest, policy::Caller};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = InMemoryStore::new();
/// let author = add_user(&store, "ada", Role::Author).await;
/// let calendar = calendar(store).await;
/// let (name, query) = ("My drafts".to_owned(), "status=draft".to_owned());
/// let write = SecretFeedWrite { name, query, list: Ok(EventQuery::default()) };
/// let FreshFeed { feed, key } = calendar.create_secret_feed(author, write).await?;
/// assert_eq!(key.expose().len(), 43);
///
/// let first = PageRequest::new(1, 10, 100);
/// let page = calendar.secret_feeds(author, first).await?;
/// assert_eq!(page.rows, [feed.clone()]);
/// assert_eq!(calendar.secret_feed(author, feed.id).await?, feed);
/// assert!(calendar.may_delete_secret_feed(author, feed.id).await);
///
/// // The key opens the feed, and nothing else.
/// let opened = calendar.open_secret_feed(key.expose()).await?;
/// assert_eq!((opened.owner, opened.query.as_str()), (author, "status=draft"));
/// calendar.delete_secret_feed(author, feed.id).await?;
/// assert!(calendar.open_secret_feed(key.expose()).await.is_err());
/// assert!(calendar.secret_feeds(Caller::Anonymous, first).await.is_err());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct FreshFeed {
    /// The feed as stored.
    pub feed: SecretFeed,
    /// Its key: 43 letters, digits, hyphens and underscores.
    pub key: Secret,
}

/// The fields of a new secret feed.
#[derive(Clone, Debug)]
pub struct SecretFeedWrite {
    /// A name for its owner.
    pub name: String,
    /// The query of the list that it shows.
    pub query: String,
    /// The same as filters, or their faults.
    pub list: Result<EventQuery, BadFields>,
}

/// A secret feed that a key opened.
///
/// ```
/// use events_calendar_app::calendar::OpenedFeed;
/// use domain::policy::Caller;
/// let opened = OpenedFeed { owner: Caller::Anonymous, query: "categories=3".to_owned() };
/// assert!(opened.query.starts_with("categories"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenedFeed {
    /// The owner, with the present role.
    pub owner: Caller,
    /// The query of the list that it shows.
    pub query: String,
}

struct Create {
    feed: NewSecretFeed,
    key: Secret,
}

#[async_trait]
impl Work for Create {
    type Output = FreshFeed;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<FreshFeed, AppError> {
        let added = unit.secret_feeds().insert(self.feed.clone(), MAX_FEEDS);
        let feed = added.await?.ok_or(AppError::TooManyFeeds(MAX_FEEDS))?;
        let changes = vec![
            audit::value(FieldName::Name, None, Some(self.feed.name.clone())),
            audit::secret(FieldName::Query),
        ];
        let (by, of) = (Some(self.feed.owner), (AuditedKind::Feed, feed.id.get()));
        audit::note(
            by,
            of,
            AuditAction::Create,
            changes,
            self.feed.created,
            unit,
        )
        .await?;
        Ok(FreshFeed {
            feed,
            key: self.key.clone(),
        })
    }
}

struct Delete {
    caller: Caller,
    id: Id<SecretFeed>,
    now: Timestamp,
}

#[async_trait]
impl Work for Delete {
    type Output = SecretFeed;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<SecretFeed, AppError> {
        require_login(self.caller)?;
        let feed = unit.secret_feeds().find(self.id).await?;
        let feed = feed.filter(|feed| may_manage(self.caller, feed));
        let feed = feed.ok_or(AppError::FeedNotFound)?;
        unit.secret_feeds().delete(feed.id).await?;
        let name = feed.details.name.clone();
        let changes = vec![audit::value(FieldName::Name, Some(name), None)];
        let (by, of) = (self.caller.user(), (AuditedKind::Feed, feed.id.get()));
        audit::note(by, of, AuditAction::Delete, changes, self.now, unit).await?;
        Ok(feed)
    }
}

/// A use on another day than the last one.
struct Use {
    id: Id<SecretFeed>,
    now: Timestamp,
}

#[async_trait]
impl Work for Use {
    type Output = ();

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<(), AppError> {
        let today = self.now.civil().date();
        Ok(unit.secret_feeds().set_last_used(self.id, today).await?)
    }
}

/// Whether the caller may see and delete a feed.
fn may_manage(caller: Caller, feed: &SecretFeed) -> bool {
    caller.beyond().user() == Some(feed.details.owner) || caller.can(Capability::ReadSettings)
}

/// Feeds are in no collection: a key opens whatever its owner sees.
fn require_login(caller: Caller) -> Result<(), AppError> {
    permit(caller, caller.beyond().user().is_some())
}

impl Calendar {
    /// Adds a secret feed of the caller.
    ///
    /// # Errors
    ///
    /// [`AppError`], in the order of its checks: no caller, bad fields in the query, too many feeds.
    #[tracing::instrument(name = "app.secret_feed.create", skip_all)]
    pub async fn create_secret_feed(
        &self,
        caller: Caller,
        write: SecretFeedWrite,
    ) -> Result<FreshFeed, AppError> {
        let create = self.prepare_feed(caller, write).await?;
        self.in_unit(&create).await
    }

    /// Adds a secret feed once per idempotency key. A repeated request gets the stored answer of the
    /// first, which `answer` makes. It must not hold the key of the feed.
    ///
    /// ```
    /// use events_calendar_app::{calendar::{FreshFeed, Idempotent, IdempotencyKey, SecretFeedWrite}, event::EventQuery, test_support::*};
    /// use domain::{Role, page::PageRequest};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let store = InMemoryStore::new();
    /// let author = add_user(&store, "ada", Role::Author).await;
    /// let calendar = calendar(store).await;
    /// let (name, query) = ("All".to_owned(), String::new());
    /// let all = SecretFeedWrite { name, query, list: Ok(EventQuery::default()) };
    /// let key = IdempotencyKey::new("POST /feeds", "a key of the client", b"the request".to_vec());
    /// let answer = |fresh: &FreshFeed| format!("created {}", fresh.feed.id);
    /// for _ in 0..2 {
    ///     calendar.create_secret_feed_idempotent(author, all.clone(), &key, &answer).await?;
    /// }
    /// assert_eq!(calendar.secret_feeds(author, PageRequest::new(1, 10, 100)).await?.total, 1);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`create_secret_feed`](Self::create_secret_feed), and [`AppError::KeyReused`].
    #[tracing::instrument(name = "app.secret_feed.create_idempotent", skip_all)]
    pub async fn create_secret_feed_idempotent(
        &self,
        caller: Caller,
        write: SecretFeedWrite,
        key: &IdempotencyKey,
        answer: &(dyn Fn(&FreshFeed) -> String + Sync),
    ) -> Result<Idempotent<FreshFeed>, AppError> {
        let once = IdempotentWork {
            work: self.prepare_feed(caller, write).await?,
            request: self.request_of(caller),
            key,
            answer,
        };
        self.in_unit(&once).await
    }

    async fn prepare_feed(
        &self,
        caller: Caller,
        write: SecretFeedWrite,
    ) -> Result<Create, AppError> {
        let SecretFeedWrite { name, query, list } = write;
        require_login(caller)?;
        let request = self.request_of(caller);
        let reads = self.store.reads().await?;
        Event::look_up(list?, &request, &*reads).await?;
        let key = hashing::random_segment();
        let owner = caller.user().ok_or(AppError::Unauthenticated)?;
        Ok(Create {
            feed: NewSecretFeed {
                owner,
                name,
                query,
                key_hash: hashing::sha256_hex(&key).into(),
                created: request.now,
            },
            key: key.into(),
        })
    }

    /// A page of the secret feeds of the caller, by ID. Administrators see those of all users.
    ///
    /// # Errors
    ///
    /// [`AppError`]: no caller.
    pub async fn secret_feeds(
        &self,
        caller: Caller,
        page: PageRequest,
    ) -> Result<Page<SecretFeed>, AppError> {
        let page = bounded(page, &self.site);
        require_login(caller)?;
        let owner = caller.user();
        let owner = owner.filter(|_| !caller.can(Capability::ReadSettings));
        let feeds = self.store.secret_feeds().list(owner).await?;
        Ok(Page::of(feeds, page))
    }

    /// A secret feed that the caller may manage.
    ///
    /// # Errors
    ///
    /// [`AppError`]: no caller; [`AppError::FeedNotFound`], also for a feed of another
    /// user.
    pub async fn secret_feed(
        &self,
        caller: Caller,
        id: Id<SecretFeed>,
    ) -> Result<SecretFeed, AppError> {
        require_login(caller)?;
        let feed = self.store.secret_feeds().find(id).await?;
        let feed = feed.filter(|feed| may_manage(caller, feed));
        feed.ok_or(AppError::FeedNotFound)
    }

    /// Deletes a secret feed that the caller may manage. Its key opens nothing any more.
    ///
    /// # Errors
    ///
    /// As for [`secret_feed`](Self::secret_feed).
    #[tracing::instrument(name = "app.secret_feed.delete", skip_all)]
    pub async fn delete_secret_feed(
        &self,
        caller: Caller,
        id: Id<SecretFeed>,
    ) -> Result<SecretFeed, AppError> {
        let now = self.now();
        self.in_unit(&Delete { caller, id, now }).await
    }

    /// Whether the caller may delete a secret feed.
    pub async fn may_delete_secret_feed(&self, caller: Caller, id: Id<SecretFeed>) -> bool {
        let found = self.store.secret_feeds().find(id).await;
        matches!(found, Ok(Some(feed)) if may_manage(caller, &feed))
    }

    /// The secret feed of a key. The day of its last use is stored.
    ///
    /// # Errors
    ///
    /// [`AppError::FeedNotFound`] for an unknown key, and for the feed of a disabled user.
    #[tracing::instrument(name = "app.secret_feed.open", skip_all)]
    pub async fn open_secret_feed(&self, key: &str) -> Result<OpenedFeed, AppError> {
        // One look-up by hash: neither the answer nor its duration tells why no feed was found.
        let feeds = self.store.secret_feeds();
        let found = feeds.find_by_key(&hashing::sha256_hex(key)).await?;
        let found = found.filter(|(_, owner)| !owner.disabled);
        let (feed, owner) = found.ok_or(AppError::FeedNotFound)?;
        let now = self.now();
        if feed.last_used != Some(now.civil().date()) {
            let using = self.in_unit(&Use { id: feed.id, now }).await;
            if let Err(error) = using {
                tracing::warn!(%error, feed.id = %feed.id, "the use of a feed is not recorded");
            }
        }
        Ok(OpenedFeed {
            owner: Caller::of(owner.id, owner.role),
            query: feed.details.query,
        })
    }
}
