//! Errors of use cases.

use std::borrow::Cow;

use domain::{FieldName, Kind, policy::Unreadable};

use crate::{
    fault::{BadFields, Fault, Faults},
    ports::{BadImage, FilesError, StoreError},
};

/// The reason why a use case failed. Nothing was changed.
///
/// ```
/// use events_calendar_app::{AppError, error::CredentialKind, fault::{ExpectedType, Fault}, write::NewVenue};
/// use domain::{FieldName, Kind, policy::Caller};
/// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
/// # use domain::Role;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = InMemoryStore::new();
/// # let editor = add_user(&store, "ada", Role::Editor).await;
/// # let calendar = calendar(store).await;
///
/// let mill = NewVenue::builder("Old Mill".parse()?).address("x".repeat(5000)).build();
/// match calendar.create(editor, &mill).await {
///     Err(AppError::Invalid(faults)) => assert_eq!(faults["address"], Fault::TooLong(1000)),
///     other => panic!("{other:?}"),
/// }
/// let expected = AppError::invalid(FieldName::Address, Fault::Type(ExpectedType::Text));
/// assert_eq!(expected.to_string(), "invalid: address");
/// assert_eq!(AppError::NotFound(Kind::Venue).to_string(), "no such venue");
/// let refused = AppError::BadCredentials(CredentialKind::Bearer);
/// assert_eq!(refused.to_string(), "the credentials are not valid");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// Required fields were not sent.
    #[error("missing: {}", .0.join(", "))]
    Missing(Vec<&'static str>),
    /// Fields have bad values.
    #[error("invalid: {}", .0.keys().map(|name| &**name).collect::<Vec<_>>().join(", "))]
    Invalid(Faults),
    /// Credentials are needed and were not sent.
    #[error("credentials are needed")]
    Unauthenticated,
    /// The credentials sent are not valid.
    #[error("the credentials are not valid")]
    BadCredentials(CredentialKind),
    /// The client sent too many wrong credentials.
    #[error("too many attempts to log in")]
    TooManyAttempts {
        /// Delay before the next attempt, in seconds.
        retry_after_seconds: u64,
    },
    /// The client sent too many wrong passwords of events.
    #[error("too many passwords of events were tried")]
    TooManyPasswords {
        /// Delay before the next attempt, in seconds.
        retry_after_seconds: u64,
    },
    /// No permit for CPU-bound work became free in time.
    #[error("there is too much work for now")]
    Overloaded,
    /// The caller lacks the right.
    #[error("the caller has not the right")]
    Forbidden,
    /// There is no such record.
    #[error("no such {0}")]
    NotFound(Kind),
    /// The record exists, and the caller may not read it.
    #[error("the {0} may not be read")]
    NotAccessible(Kind),
    /// The event is in the trash.
    #[error("the event is in the trash")]
    NoLongerAvailable,
    /// The event's content is locked, and the request has no password or a wrong one.
    #[error("the event needs a password")]
    PasswordProtected,
    /// The record is not at the revision that the write expects.
    #[error("the record is at another revision")]
    PreconditionFailed,
    /// The idempotency key belongs to another request.
    #[error("the key was given to something else")]
    KeyReused,
    /// The record is in the trash already.
    #[error("the {0} is in the trash already")]
    InTrash(Kind),
    /// The page is beyond the last page of the list.
    #[error("the list of {} has no such page", .0.plural())]
    PageNotFound(Kind),
    /// A feed has more events than the site allows.
    #[error("{total} events are more than the {limit} of a feed")]
    FeedTooLarge {
        /// The number of events and series.
        total: u64,
        /// Most events and series in a feed.
        limit: u32,
    },
    /// A filter names an event that does not exist.
    #[error("no such event: {0}")]
    UnknownEvent(FieldName),
    /// A term with that name exists.
    #[error("a term of that name exists")]
    TermExists {
        /// Its ID.
        term_id: i64,
    },
    /// Another term has the slug.
    #[error("another term has the slug")]
    DuplicateTermSlug,
    /// The name of a term consists of blanks only.
    #[error("the name is empty")]
    EmptyTermName,
    /// A parent was sent for a term of a flat taxonomy.
    #[error("the taxonomy has no parents")]
    NotHierarchical,
    /// There is no such secret feed.
    #[error("no such feed")]
    FeedNotFound,
    /// The caller has as many secret feeds as a user may have.
    #[error("a user has at most {0} feeds")]
    TooManyFeeds(u64),
    /// The token of a reader that keeps a copy is of no use any more.
    #[error("the token has expired: {}", .0.reason())]
    TokenExpired(TokenExpiry),
    /// There is no such source.
    #[error("no such source")]
    SourceNotFound,
    /// A server reads the source now.
    #[error("the source is being read")]
    SourceRunning,
    /// There are as many sources as a calendar may have.
    #[error("a calendar has at most {0} sources")]
    TooManySources(u64),
    /// There is no such pair of records that look alike.
    #[error("no such pair of duplicates")]
    DuplicateNotFound,
    /// A record of the pair changed since the two were compared, or the pair is closed.
    #[error("the pair of duplicates changed, or is closed")]
    DuplicateChanged,
    /// The trail has no such revision of the record, or not all changes since.
    #[error("no such revision")]
    RevisionNotFound,
    /// There is no such image.
    #[error("no such image")]
    ImageNotFound,
    /// The file is rejected as an image.
    #[error("the file {0}")]
    BadImage(BadImage),
    /// The files of images failed.
    #[error(transparent)]
    Files(#[from] FilesError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a token is of no use any more: its reader starts again with a first walk.
///
/// ```
/// use events_calendar_app::{AppError, error::TokenExpiry};
/// assert_eq!(TokenExpiry::TooOld.reason(), "too-old");
/// assert_eq!(AppError::TokenExpired(TokenExpiry::Caller).to_string(), "the token has expired: caller");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenExpiry {
    /// Changes after its state were forgotten: they were too old, or too many followed.
    TooOld,
    /// Its state belongs to another history of the records.
    Unknown,
    /// It belongs to another caller.
    Caller,
}

impl TokenExpiry {
    /// The word for it.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::TooOld => "too-old",
            Self::Unknown => "unknown",
            Self::Caller => "caller",
        }
    }
}

/// The authentication scheme of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CredentialKind {
    /// A name and a password.
    Basic,
    /// A token alone.
    Bearer,
}

impl From<BadFields> for AppError {
    fn from(bad: BadFields) -> Self {
        match bad {
            BadFields::Missing(fields) => Self::Missing(fields),
            BadFields::Invalid(faults) => Self::Invalid(faults),
        }
    }
}

impl From<Unreadable> for AppError {
    fn from(reason: Unreadable) -> Self {
        match reason {
            Unreadable::InTrash => Self::NoLongerAvailable,
            Unreadable::Invisible(kind) => Self::NotAccessible(kind),
            Unreadable::Locked => Self::PasswordProtected,
        }
    }
}

impl AppError {
    /// One bad field.
    pub fn invalid(field: FieldName, fault: Fault) -> Self {
        Self::Invalid(Faults::from_iter([(Cow::Borrowed(field.as_str()), fault)]))
    }
}
