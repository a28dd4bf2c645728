//! Secret feeds: the lists of their owners, opened by a key in their URL.

use async_trait::async_trait;
use domain::{
    Id, Secret,
    page::Page,
    policy::{Caller, Capability},
    time::Timestamp,
};

use crate::{
    calendar::{
        Calendar, IdempotencyKey, Idempotent, IdempotentWork, Work, check_fields, read_page,
    },
    error::AppError,
    event::EventFilterInput,
    hashing,
    input::{self, Fault, Fields, Input},
    ports::{NewSecretFeed, SecretFeed, UnitOfWork},
    resource::FilterInput as _,
};

/// Most secret feeds of a user.
const MAX_FEEDS: u64 = 20;

/// A new secret feed with its key. The store keeps only the hash of the key.
///
/// ```
/// use app::{calendar::FreshFeed, input::Fields, test_support::*};
/// use domain::{Role, policy::Caller};
/// use serde_json::json;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = InMemoryStore::new();
/// let author = add_user(&store, "ada", Role::Author).await;
/// let calendar = calendar(store).await;
/// let fields = json!({ "name": "My drafts", "query": "status=draft" });
/// let fields = Fields::from_body(fields.as_object().unwrap().clone());
/// let mut list = Fields::default();
/// list.query.insert("status".to_owned(), json!("draft"));
/// let FreshFeed { feed, key } = calendar.create_secret_feed(author, &fields, &list).await?;
/// assert_eq!(key.expose().len(), 43);
///
/// let page = calendar.secret_feeds(author, &Fields::default()).await?;
/// assert_eq!(page.rows, [feed.clone()]);
/// let nothing = Fields::default();
/// assert_eq!(calendar.secret_feed(author, feed.id, &nothing).await?, feed);
/// assert!(calendar.may_delete_secret_feed(author, feed.id).await);
///
/// // The key opens the feed, and nothing else.
/// let opened = calendar.open_secret_feed(key.expose()).await?;
/// assert_eq!((opened.owner, opened.query.as_str()), (author, "status=draft"));
/// calendar.delete_secret_feed(author, feed.id, &nothing).await?;
/// assert!(calendar.open_secret_feed(key.expose()).await.is_err());
/// assert!(calendar.secret_feeds(Caller::Anonymous, &nothing).await.is_err());
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

/// A secret feed that a key opened.
///
/// ```
/// use app::calendar::OpenedFeed;
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
        Ok(FreshFeed {
            feed: added.await?.ok_or(AppError::TooManyFeeds(MAX_FEEDS))?,
            key: self.key.clone(),
        })
    }
}

struct Delete<'a> {
    caller: Caller,
    id: Id<SecretFeed>,
    fields: &'a Fields,
}

#[async_trait]
impl Work for Delete<'_> {
    type Output = SecretFeed;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<SecretFeed, AppError> {
        check_fields(self.fields)?;
        require_login(self.caller)?;
        let feed = unit.secret_feeds().find(self.id).await?;
        let feed = feed.filter(|feed| may_manage(self.caller, feed));
        let feed = feed.ok_or(AppError::FeedNotFound)?;
        unit.secret_feeds().delete(feed.id).await?;
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
    caller.user() == Some(feed.details.owner) || caller.can(Capability::ReadSettings)
}

fn require_login(caller: Caller) -> Result<(), AppError> {
    match caller {
        Caller::Anonymous => Err(AppError::Unauthenticated),
        Caller::User { .. } => Ok(()),
    }
}

impl Calendar {
    /// Adds a secret feed of the caller. `list` are the fields of its query, which are checked as those
    /// of a list.
    ///
    /// # Errors
    ///
    /// [`AppError`], in the order of its checks: missing fields, bad fields, no caller, bad fields in
    /// the query, too many feeds.
    #[tracing::instrument(name = "app.secret_feed.create", skip_all)]
    pub async fn create_secret_feed(
        &self,
        caller: Caller,
        fields: &Fields,
        list: &Fields,
    ) -> Result<FreshFeed, AppError> {
        let create = self.prepare_feed(caller, fields, list).await?;
        self.perform(&create).await
    }

    /// Adds a secret feed once per idempotency key. A repeated request gets the stored answer of the
    /// first, which `answer` makes. It must not hold the key of the feed.
    ///
    /// ```
    /// use app::{calendar::{FreshFeed, Idempotent, IdempotencyKey}, input::Fields, test_support::*};
    /// use domain::Role;
    /// use serde_json::json;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let store = InMemoryStore::new();
    /// let author = add_user(&store, "ada", Role::Author).await;
    /// let calendar = calendar(store).await;
    /// let fields = Fields::from_body(json!({ "name": "All" }).as_object().unwrap().clone());
    /// let key = IdempotencyKey::new("POST /feeds", "a key of the client", b"the request".to_vec());
    /// let answer = |fresh: &FreshFeed| format!("created {}", fresh.feed.id);
    /// for _ in 0..2 {
    ///     let list = Fields::default();
    ///     calendar.create_secret_feed_idempotent(author, &fields, &list, &key, &answer).await?;
    /// }
    /// assert_eq!(calendar.secret_feeds(author, &Fields::default()).await?.total, 1);
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
        fields: &Fields,
        list: &Fields,
        key: &IdempotencyKey,
        answer: &(dyn Fn(&FreshFeed) -> String + Sync),
    ) -> Result<Idempotent<FreshFeed>, AppError> {
        let once = IdempotentWork {
            work: self.prepare_feed(caller, fields, list).await?,
            request: self.request(caller, fields),
            key,
            answer,
        };
        self.perform(&once).await
    }

    async fn prepare_feed(
        &self,
        caller: Caller,
        fields: &Fields,
        list: &Fields,
    ) -> Result<Create, AppError> {
        let mut input = Input::new(fields);
        input.language();
        input.require("name");
        let name = input.read("name", |value| {
            let name = input::line(value)?;
            if name.is_empty() {
                Err(Fault::Empty)
            } else {
                Ok(name)
            }
        });
        let query = input.read("query", input::line);
        input.finish_strict(None)?;
        require_login(caller)?;
        let request = self.request(caller, list);
        let mut input = Input::new(list);
        input.language();
        let wanted = EventFilterInput::read_whole(&mut input, &request);
        input.read("cancelled", input::boolean);
        // A feed shows its query to its owner and to administrators, and passwords are never shown.
        input.read("password", |_| -> Result<(), Fault> {
            Err(Fault::UnknownField { nearest: None })
        });
        input.finish()?;
        let reads = self.store.reads().await?;
        wanted.look_up(&request, &*reads).await?;
        let key = hashing::random_segment();
        let owner = caller.user().ok_or(AppError::Unauthenticated)?;
        Ok(Create {
            feed: NewSecretFeed {
                owner,
                name: name.unwrap_or_default(),
                query: query.unwrap_or_default(),
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
    /// [`AppError`]: bad fields, no caller.
    pub async fn secret_feeds(
        &self,
        caller: Caller,
        fields: &Fields,
    ) -> Result<Page<SecretFeed>, AppError> {
        let mut input = Input::new(fields);
        input.language();
        let page = read_page(&mut input, &self.site);
        input.finish_strict(None)?;
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
    /// [`AppError`]: bad fields, no caller; [`AppError::FeedNotFound`], also for a feed of another
    /// user.
    pub async fn secret_feed(
        &self,
        caller: Caller,
        id: Id<SecretFeed>,
        fields: &Fields,
    ) -> Result<SecretFeed, AppError> {
        check_fields(fields)?;
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
        fields: &Fields,
    ) -> Result<SecretFeed, AppError> {
        self.perform(&Delete { caller, id, fields }).await
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
            let using = self.perform(&Use { id: feed.id, now }).await;
            if let Err(error) = using {
                tracing::warn!(%error, feed.id = %feed.id, "the use of a feed is not recorded");
            }
        }
        Ok(OpenedFeed {
            owner: Caller::User {
                id: owner.id,
                role: owner.role,
            },
            query: feed.details.query,
        })
    }
}
