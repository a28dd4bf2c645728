//! The codes of errors.

use std::fmt;

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $code:literal,)+) => {
        /// The code of an error: what a program decides by.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ErrorCode {
            $($(#[doc = $doc])+ $variant,)+
            /// A code that this library does not know.
            Other(String),
        }

        impl ErrorCode {
            /// The codes that this library knows, by name.
            pub const NAMES: &[&str] = &[$($code),+];

            /// The code in answers.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $code,)+
                    Self::Other(code) => code,
                }
            }
        }

        impl From<&str> for ErrorCode {
            fn from(code: &str) -> Self {
                match code {
                    $($code => Self::$variant,)+
                    code => Self::Other(code.to_owned()),
                }
            }
        }
    };
}

codes! {
    /// The body is too large.
    BodyTooLarge = "payload_too_large",
    /// A record of the pair changed, or the pair is closed.
    DuplicateChanged = "duplicate-changed",
    /// There is no such pair of records that look alike.
    DuplicateNotFound = "duplicate-not-found",
    /// Another category or tag has this slug.
    DuplicateTermSlug = "duplicate_term_slug",
    /// The name of a category or a tag is blank.
    EmptyTermName = "empty_term_name",
    /// The event is in the trash already.
    EventInTrash = "event-is-in-trash",
    /// A password locks the event.
    EventLocked = "event-password-protected",
    /// The event is in the trash.
    EventNoLongerAvailable = "event-no-longer-available",
    /// The caller may not read the event.
    EventNotAccessible = "event-not-accessible",
    /// There is no such event.
    EventNotFound = "rest-event-not-found",
    /// There is no such secret feed.
    FeedNotFound = "feed-not-found",
    /// A calendar file would have too many events.
    FeedTooLarge = "feed-too-large",
    /// The caller has not the right, or sent no credentials.
    Forbidden = "rest_forbidden",
    /// There is no such image.
    ImageNotFound = "image-not-found",
    /// The name or the password is wrong.
    IncorrectPassword = "incorrect_password",
    /// The service failed.
    Internal = "internal_server_error",
    /// Fields have wrong values.
    InvalidFields = "rest_invalid_param",
    /// The body is no JSON.
    InvalidJson = "rest_invalid_json",
    /// The interface has no such namespace.
    InvalidNamespace = "rest_invalid_namespace",
    /// The token is wrong.
    InvalidToken = "invalid_token",
    /// The idempotency key belongs to another request.
    KeyReused = "idempotency_key_reused",
    /// Required fields are missing.
    MissingFields = "rest_missing_callback_param",
    /// The list of events has no such page.
    NoEventPage = "event-archive-page-not-found",
    /// The list of organizers has no such page.
    NoOrganizerPage = "organizer-archive-page-not-found",
    /// There is no such address.
    NoRoute = "rest_no_route",
    /// The list of categories or tags has no such page.
    NoTermPage = "term-archive-page-not-found",
    /// The list of venues has no such page.
    NoVenuePage = "venue-archive-page-not-found",
    /// Tags have no parent.
    NotHierarchical = "rest_taxonomy_not_hierarchical",
    /// The organizer is in the trash already.
    OrganizerInTrash = "organizer-is-in-trash",
    /// The caller may not read the organizer.
    OrganizerNotAccessible = "organizer-not-accessible",
    /// There is no such organizer.
    OrganizerNotFound = "organizer-not-found",
    /// The record has changed since.
    PreconditionFailed = "precondition_failed",
    /// The query is too long.
    QueryTooLong = "uri_too_long",
    /// The caller sends too many requests.
    RateLimited = "rate_limited",
    /// The record has no such revision, or it is too old.
    RevisionNotFound = "revision-not-found",
    /// There is no such source.
    SourceNotFound = "source-not-found",
    /// The source is read now.
    SourceRunning = "source-running",
    /// A category or a tag with this name exists.
    TermExists = "term_exists",
    /// There is no such category or tag.
    TermNotFound = "rest_term_invalid",
    /// The token of changes is of no use any more.
    TokenExpired = "sync-token-expired",
    /// The user has too many secret feeds.
    TooManyFeeds = "too-many-feeds",
    /// There are too many sources.
    TooManySources = "too-many-sources",
    /// The service has too much to do, or no database.
    Unavailable = "service_unavailable",
    /// A filter names an event that does not exist.
    UnknownEvent = "rest-invalid-event-id",
    /// The body has a type that the service does not read.
    UnsupportedMediaType = "unsupported_media_type",
    /// The venue is in the trash already.
    VenueInTrash = "venue-is-in-trash",
    /// The caller may not read the venue.
    VenueNotAccessible = "venue-not-accessible",
    /// There is no such venue.
    VenueNotFound = "venue-not-found",
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
