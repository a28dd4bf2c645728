//! Copies of a calendar that are kept up to date.
//!
//! A [`Mirror`] is the copy. A [`Feed`] tells it what changed: first all records that the caller may list, then each
//! change.
//!
//! ```no_run
//! use std::collections::BTreeMap;
//!
//! use events_calendar_client::{Client, sync::{Finished, Mirror, RecordRef, SyncRecord}};
//!
//! #[derive(Default)]
//! struct Titles(BTreeMap<RecordRef, String>);
//!
//! impl Mirror for Titles {
//!     type Error = std::convert::Infallible;
//!
//!     async fn upsert(&mut self, record: SyncRecord) -> Result<(), Self::Error> {
//!         self.0.insert(record.key(), record.name().to_owned());
//!         Ok(())
//!     }
//!
//!     async fn remove(&mut self, record: RecordRef) -> Result<(), Self::Error> {
//!         self.0.remove(&record);
//!         Ok(())
//!     }
//!
//!     async fn finish(&mut self, finished: Finished<'_>) -> Result<(), Self::Error> {
//!         self.0.retain(|record, _| finished.keeps(record));
//!         Ok(())
//!     }
//! }
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let client = Client::new("https://cal.example")?;
//! client.feed().keep(&mut Titles::default(), None).await?;
//! # Ok(())
//! # }
//! ```

use std::{
    collections::{BTreeMap, BTreeSet},
    convert::Infallible,
    future::Future,
    time::Duration,
};

pub use app::ports::RecordRef;
use domain::{
    FieldName, Kind, Language,
    term::{Categories, Tags},
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;
use url::Url;

use crate::{
    Client, ClientError, ErrorCode,
    client::{Call, follow},
    record::{EventRecord, LinkIds, OrganizerRecord, TermRecord, VenueRecord},
};

/// The seconds for which an answer without news is held back.
const WAIT: u64 = 50;

/// The changes of a page.
const PER_PAGE: u32 = 500;

/// The pause before a request is sent again, if the service names none.
const PAUSE: Duration = Duration::from_secs(5);

/// A copy of a calendar.
///
/// A copy that survives its program stores the changes of a batch together with its token, in one transaction, or forgets the
/// token at the first change after [`finish`](Self::finish): without a token it walks over all records again. Changes of half a
/// batch beside the former token would be wrong: a record that was added and deleted since is in no later batch.
pub trait Mirror: Send {
    /// The reason why a change cannot be applied.
    type Error: Send;

    /// Puts a record in the place of the one with its [key](SyncRecord::key), if there is one.
    fn upsert(
        &mut self,
        record: SyncRecord,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// Removes a record, if it is there.
    fn remove(&mut self, record: RecordRef)
    -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// Ends a batch: the copy has all changes up to the token. Records that are not [kept](Finished::keeps) go.
    fn finish(
        &mut self,
        finished: Finished<'_>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send;
}

/// The end of a batch of changes.
#[derive(Clone, Copy, Debug)]
pub struct Finished<'a> {
    /// The token from which the copy goes on. A copy that survives its program stores it.
    pub token: &'a str,
    /// The records that a walk over all of them named; none after a batch of changes.
    walked: Option<&'a BTreeSet<RecordRef>>,
}

impl Finished<'_> {
    /// Whether a record stays. Records that a walk did not name are gone.
    pub fn keeps(&self, record: &RecordRef) -> bool {
        self.walked.is_none_or(|walked| walked.contains(record))
    }

    /// Whether all records were walked, so that some may go.
    pub fn is_walk(&self) -> bool {
        self.walked.is_some()
    }
}

/// A record of a list of changes.
#[derive(Clone, Debug, PartialEq)]
pub enum SyncRecord {
    /// An event, which names its links by ID. A linked record may follow.
    Event(Box<Synced<EventRecord<LinkIds>>>),
    /// A venue.
    Venue(Box<Synced<VenueRecord>>),
    /// An organizer.
    Organizer(Box<Synced<OrganizerRecord>>),
    /// A category.
    Category(Box<Synced<TermRecord<Categories>>>),
    /// A tag.
    Tag(Box<Synced<TermRecord<Tags>>>),
}

/// A record with its texts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Synced<T> {
    /// The record.
    #[serde(flatten)]
    pub record: T,
    /// Its own texts in each of its languages by the names of their fields, if the feed asks for them.
    #[serde(default)]
    pub texts: BTreeMap<Language, BTreeMap<String, String>>,
}

impl SyncRecord {
    /// Kind and ID.
    pub fn key(&self) -> RecordRef {
        let (kind, id) = match self {
            Self::Event(event) => (Kind::Event, event.record.id.get()),
            Self::Venue(venue) => (Kind::Venue, venue.record.id.get()),
            Self::Organizer(organizer) => (Kind::Organizer, organizer.record.id.get()),
            Self::Category(category) => (Kind::Category, category.record.id.get()),
            Self::Tag(tag) => (Kind::Tag, tag.record.id.get()),
        };
        RecordRef { kind, id }
    }

    /// Title or name.
    pub fn name(&self) -> &str {
        match self {
            Self::Event(event) => &event.record.title,
            Self::Venue(venue) => &venue.record.venue,
            Self::Organizer(organizer) => &organizer.record.organizer,
            Self::Category(category) => &category.record.name,
            Self::Tag(tag) => &tag.record.name,
        }
    }

    fn read(kind: Kind, record: Value) -> Result<Self, ClientError> {
        fn boxed<T: DeserializeOwned>(record: Value) -> Result<Box<T>, ClientError> {
            let record = serde_json::from_value(record).map(Box::new);
            record.map_err(|error| ClientError::Unreadable(error.to_string()))
        }
        Ok(match kind {
            Kind::Event => Self::Event(boxed(record)?),
            Kind::Venue => Self::Venue(boxed(record)?),
            Kind::Organizer => Self::Organizer(boxed(record)?),
            Kind::Category => Self::Category(boxed(record)?),
            Kind::Tag => Self::Tag(boxed(record)?),
        })
    }
}

/// The reason why a copy is not kept any more.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SyncError<E> {
    /// A request has no result.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The copy cannot apply a change.
    #[error("{0}")]
    Mirror(E),
}

/// The changes of a calendar.
#[derive(Clone, Debug)]
#[must_use]
pub struct Feed {
    client: Client,
    kinds: Vec<Kind>,
    has_texts: bool,
}

/// A page of changes.
#[derive(Deserialize)]
struct Page {
    changes: Vec<Change>,
    next_rest_url: Option<String>,
    sync_token: Option<String>,
}

#[derive(Deserialize)]
struct Change {
    kind: Kind,
    id: i64,
    /// None of a record that was removed.
    record: Option<Value>,
}

impl Client {
    /// The changes of the calendar, of all kinds of records.
    pub fn feed(&self) -> Feed {
        Feed {
            client: self.clone(),
            kinds: Vec::new(),
            has_texts: false,
        }
    }
}

impl Feed {
    /// Only the records of these kinds.
    pub fn of_kinds(mut self, kinds: impl IntoIterator<Item = Kind>) -> Self {
        self.kinds = kinds.into_iter().collect();
        self
    }

    /// Each record with its own texts in each of its languages.
    pub fn with_texts(mut self) -> Self {
        self.has_texts = true;
        self
    }

    /// Applies all changes since the token; without one, or if it has expired, all records. Returns the next token.
    ///
    /// # Errors
    ///
    /// If a request has no result, or the copy cannot apply a change.
    pub async fn catch_up<M: Mirror>(
        &self,
        mirror: &mut M,
        token: Option<&str>,
    ) -> Result<String, SyncError<M::Error>> {
        self.round(mirror, token, Patience::AsOthers).await
    }

    /// Keeps the copy up to date from the token on; without one, it begins with all records. Applies a change as soon
    /// as there is one, and waits while the service is away.
    ///
    /// # Errors
    ///
    /// If the service refuses the caller or the request, or the copy cannot apply a change.
    pub async fn keep<M: Mirror>(
        &self,
        mirror: &mut M,
        token: Option<String>,
    ) -> Result<Infallible, SyncError<M::Error>> {
        let mut token = token;
        loop {
            token = Some(
                self.round(mirror, token.as_deref(), Patience::Endless)
                    .await?,
            );
        }
    }

    async fn round<M: Mirror>(
        &self,
        mirror: &mut M,
        token: Option<&str>,
        patience: Patience,
    ) -> Result<String, SyncError<M::Error>> {
        let mut since = token;
        loop {
            let mut named = BTreeSet::new();
            let Some(next) = self.apply(mirror, since, &mut named, patience).await? else {
                since = None;
                continue;
            };
            if since != Some(next.as_str()) {
                let finished = Finished {
                    token: &next,
                    walked: since.is_none().then_some(&named),
                };
                mirror.finish(finished).await.map_err(SyncError::Mirror)?;
            }
            return Ok(next);
        }
    }

    /// Applies all pages of a walk, or of a batch of changes, and collects the records that they name. Returns the next
    /// token; none if the token, or that of a page, has expired.
    async fn apply<M: Mirror>(
        &self,
        mirror: &mut M,
        token: Option<&str>,
        named: &mut BTreeSet<RecordRef>,
        patience: Patience,
    ) -> Result<Option<String>, SyncError<M::Error>> {
        let mut call = Call::get(self.first(token, patience));
        if token.is_some() && patience == Patience::Endless {
            call.wait = Duration::from_secs(WAIT);
        }
        loop {
            let Some(page) = self.page(&call, patience).await? else {
                return Ok(None);
            };
            for Change { kind, id, record } in page.changes {
                let key = RecordRef { kind, id };
                let applied = if let Some(record) = record {
                    named.insert(key);
                    mirror.upsert(SyncRecord::read(kind, record)?).await
                } else {
                    named.remove(&key);
                    mirror.remove(key).await
                };
                applied.map_err(SyncError::Mirror)?;
            }
            match (page.sync_token, page.next_rest_url) {
                (Some(token), _) => return Ok(Some(token)),
                (None, Some(next)) => {
                    call = Call::get(follow(self.client.address(&["changes"]), &next)?);
                }
                (None, None) => {
                    let reason = "a page without a token and without a next page";
                    return Err(ClientError::Unreadable(reason.to_owned()).into());
                }
            }
        }
    }

    fn first(&self, token: Option<&str>, patience: Patience) -> Url {
        let mut url = self.client.address(&["changes"]);
        {
            let mut pairs = url.query_pairs_mut();
            let mut set = |name: FieldName, value: &str| {
                pairs.append_pair(name.as_str(), value);
            };
            set(FieldName::PerPage, &PER_PAGE.to_string());
            if !self.kinds.is_empty() {
                let kinds: Vec<_> = self.kinds.iter().map(|kind| kind.name()).collect();
                set(FieldName::Kinds, &kinds.join(","));
            }
            if self.has_texts {
                set(FieldName::Texts, "all");
            }
            if let Some(token) = token {
                set(FieldName::SyncToken, token);
                if patience == Patience::Endless {
                    set(FieldName::Wait, &WAIT.to_string());
                }
            }
        }
        url
    }

    /// A page; none if its token has expired.
    async fn page(&self, call: &Call, patience: Patience) -> Result<Option<Page>, ClientError> {
        loop {
            let error = match self.client.answer(call).await {
                Ok(page) => return Ok(Some(page)),
                Err(error) => error,
            };
            if error.code() == Some(&ErrorCode::TokenExpired) {
                return Ok(None);
            }
            if patience == Patience::AsOthers || !error.is_transient() {
                return Err(error);
            }
            let pause = match &error {
                ClientError::Refused(refusal) => refusal.retry_after,
                _ => None,
            };
            tokio::time::sleep(pause.unwrap_or(PAUSE)).await;
        }
    }
}

/// How long a request is repeated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Patience {
    /// As any other request.
    AsOthers,
    /// As long as there is hope.
    Endless,
}
