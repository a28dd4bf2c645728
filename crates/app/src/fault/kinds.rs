//! The faults of field values.
//!
//! The texts here are for logs and the command line; clients get them in the language of the
//! request.

use std::{borrow::Cow, fmt};

use domain::{
    FieldName, Kind, Role,
    cost::InvalidCost,
    html::TooLong,
    policy::Capability,
    recurrence::{InvalidLine, InvalidMove, InvalidRecurrence, InvalidRule, InvalidSplit},
    source::{InvalidEvery, InvalidSourceName},
    text::InvalidTitle,
    ticket::{EndsBeforeStart, InvalidPrice},
    time::{InvalidDate, InvalidEventTime, InvalidZone},
    web_url::InvalidWebUrl,
};
use indexmap::IndexMap;

use super::{MAX_LIST, MAX_TEXT_BYTES, RecurrenceFault};
use crate::ports::{BadImage, FetchError};

/// The fault of a value.
///
/// ```
/// use events_calendar_app::fault::{ExpectedType, Fault, Range, ReferenceKind};
/// use domain::{Kind, Status, policy::Capability};
///
/// let unknown = Fault::UnknownReference(ReferenceKind::Record(Kind::Venue));
/// assert_eq!(unknown.to_string(), "names no venue that exists");
/// let latitude = Fault::OutOfRange(Range::Within(-90, 90));
/// assert_eq!(latitude.to_string(), "must be from -90 to 90");
/// let status = Fault::RequiresCapability(Capability::Publish);
/// assert!(status.to_string().starts_with("may have this value only"));
/// let text = Fault::Type(ExpectedType::Text);
/// assert_eq!((text.to_string().as_str(), text.code()), ("must be text", Some("rest_invalid_type")));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The value has another type.
    #[error("must be {0}")]
    Type(ExpectedType),
    /// The value is empty.
    #[error("must not be empty")]
    Empty,
    /// The value is not one of the known words.
    #[error("must be one of {}", .0.join(", "))]
    NotOneOf(Vec<&'static str>),
    /// The value requires a right that the caller lacks.
    #[error("may have this value only if you log in as {}", roles(.0.least_role()))]
    RequiresCapability(Capability),
    /// The value is out of range.
    #[error("must be {0}")]
    OutOfRange(Range),
    /// The field that belongs to it is missing.
    #[error("must be sent together with {0}")]
    RequiresField(FieldName),
    /// No reader uses the field, and the request is strict.
    #[error("is not known{}", .nearest.map(|name| format!("; did you mean {name}?")).unwrap_or_default())]
    UnknownField {
        /// The most similar known name.
        nearest: Option<&'static str>,
    },
    /// The field was sent more than once.
    #[error("must be sent once")]
    Repeated,
    /// The field takes no file.
    #[error("must not be a file; only the image of an event, venue or organizer may be one")]
    File,
    /// The bytes are no text in UTF-8, nor in the encoding that the request names.
    #[error("must be text in UTF-8, or in the charset that the Content-Type names")]
    Encoding,
    /// The text is too long.
    #[error("must have at most {0} characters")]
    TooLong(usize),
    /// The texts of the request are too long together.
    #[error("has, with the fields before it, more than {MAX_TEXT_BYTES} bytes of text")]
    TextsTooLong,
    /// The list is too long.
    #[error("must have at most {MAX_LIST} values")]
    TooMany,
    /// The value is not a valid title or name.
    #[error(transparent)]
    Title(#[from] InvalidTitle),
    /// The value is not a valid formatted text.
    #[error(transparent)]
    RichText(#[from] TooLong),
    /// The value is not a date.
    #[error(transparent)]
    Date(#[from] InvalidDate),
    /// The date is inconsistent with the other date.
    #[error(transparent)]
    EventTime(#[from] InvalidEventTime),
    /// The value is not a time zone.
    #[error(transparent)]
    Zone(#[from] InvalidZone),
    /// The value is not a web URL.
    #[error(transparent)]
    WebUrl(#[from] InvalidWebUrl),
    /// The value is not a time between two runs of a source.
    #[error(transparent)]
    Every(#[from] InvalidEvery),
    /// The value is not the name of a source.
    #[error(transparent)]
    SourceName(#[from] InvalidSourceName),
    /// Another record has the value.
    #[error("is taken")]
    Taken,
    /// The value cannot change.
    #[error("cannot change")]
    Fixed,
    /// A public record would be merged into one that is not.
    #[error("must be the public one of the two records")]
    HidesPublic,
    /// The field is not one that a merged record takes from the other one, or its texts are in another language.
    #[error("cannot come from this record")]
    NotTakeable,
    /// The former value of a field is not readable.
    #[error("has a former value that cannot be restored")]
    NotRestorable,
    /// A list is of the present.
    #[error("may be sent in a read of one record alone")]
    OfOneRecord,
    /// The value names no user, or one who may not publish.
    #[error("must be a user who is not disabled, and an author, an editor or an administrator")]
    NoAuthor,
    /// The value is not a price.
    #[error(transparent)]
    Cost(#[from] InvalidCost),
    /// The value is not the price of a ticket.
    #[error(transparent)]
    TicketPrice(#[from] InvalidPrice),
    /// The end of the ticket's sale is before its start.
    #[error(transparent)]
    OnSale(#[from] EndsBeforeStart),
    /// The value is not a recurrence, or does not fit that of the event.
    #[error(transparent)]
    Recurrence(#[from] RecurrenceFault),
    /// A member of the object has a fault.
    #[error("{}", .fault.of(.name))]
    Member {
        /// The name of the member.
        name: &'static str,
        /// Its fault.
        fault: Box<Fault>,
    },
    /// One occurrence alone cannot have the value.
    #[error("may have this value only with scope=following or scope=all")]
    OfSeriesOnly,
    /// All occurrences, or several, cannot have the value.
    #[error("may have this value only with scope=this")]
    OfOccurrenceOnly,
    /// A write on a series has another scope than `all`.
    #[error("must be all, as the event is a series")]
    ScopeOfSeries,
    /// The text is no token of this site.
    #[error("must be a token that an answer of this site had")]
    Token,
    /// The kinds differ from the kinds of the token.
    #[error("must be the kinds of the token, or be left out")]
    KindsOfToken,
    /// The normalized slug is empty.
    #[error("must contain a letter or a digit")]
    Slug,
    /// The referenced record does not exist, or the caller may not see it.
    #[error("names no {0} that exists")]
    UnknownReference(ReferenceKind),
    /// The parent is the record itself or one of its descendants.
    #[error("must not be {}", circle(*.0))]
    CircularParent(Kind),
    /// Elements of the list are invalid; each with its index, from 0.
    #[error("is not usable: {}", .0.iter().map(|(index, cause)| format!("[{index}] {cause}")).collect::<Vec<_>>().join(", "))]
    Items(Vec<(usize, BadFields)>),
    /// The request names more image URLs than are fetched for one request.
    #[error("is one of more than {0} addresses of images in one request")]
    TooManyImageUrls(usize),
    /// No image could be fetched from the URL.
    #[error(transparent)]
    Fetch(FetchError),
    /// The file of an import does not say which events are gone: it is incomplete, or half of the
    /// events of its source would be.
    #[error("must not be sent: the file is incomplete, or has not even half of the coming events")]
    TooManyGone,
    /// The uploaded or fetched file is rejected as an image.
    #[error("is not usable as image: it {0}")]
    Image(BadImage),
    /// A record given in full is invalid.
    #[error("is not usable as {kind}: {cause}")]
    Inline {
        /// The kind of the record.
        kind: Kind,
        /// Its missing or invalid fields.
        cause: BadFields,
    },
}

impl Fault {
    /// The fault of a reference to a record of this kind, which does not exist for the caller.
    pub const fn unknown(kind: Kind) -> Self {
        Self::UnknownReference(ReferenceKind::Record(kind))
    }

    /// The error code of the fault beside its text, if it has one.
    pub fn code(&self) -> Option<&'static str> {
        match self {
            Self::Type(_) => Some("rest_invalid_type"),
            Self::NotOneOf(_) => Some("rest_not_in_enum"),
            Self::CircularParent(_) => Some("circular_parent"),
            _ => None,
        }
    }
}

impl Fault {
    /// The fault with the name of its field, as a text.
    ///
    /// ```
    /// use events_calendar_app::fault::Fault;
    /// use domain::recurrence::InvalidRecurrence;
    ///
    /// assert_eq!(Fault::Empty.of("title"), "title must not be empty");
    /// let bad = Fault::from(InvalidRecurrence::NoneLeft);
    /// assert_eq!(bad.of("recurrence"), "recurrence: at least one date must remain");
    /// let member = Fault::Member { name: "rdate", fault: Box::new(Fault::Empty) };
    /// assert_eq!(member.of("recurrence"), "recurrence: rdate must not be empty");
    /// ```
    pub fn of(&self, field: &str) -> String {
        match self {
            Self::Recurrence(_) | Self::Member { .. } => format!("{field}: {self}"),
            fault => format!("{field} {fault}"),
        }
    }
}

macro_rules! faults {
    ($($cause:ty),*) => {
        $(impl From<$cause> for Fault {
            fn from(cause: $cause) -> Self {
                Self::Recurrence(cause.into())
            }
        })*
    };
}

faults!(
    InvalidRule,
    InvalidLine,
    InvalidRecurrence,
    InvalidMove,
    InvalidSplit
);

/// The roles from `least` up, as a text.
fn roles(least: Role) -> &'static str {
    match least {
        Role::Subscriber => "any user",
        Role::Contributor => "a contributor, an author, an editor or an administrator",
        Role::Author => "an author, an editor or an administrator",
        Role::Editor => "an editor or an administrator",
        Role::Administrator => "an administrator",
    }
}

/// The records that would form a cycle as parents of a record of this kind, as a text.
fn circle(kind: Kind) -> &'static str {
    match kind {
        Kind::Category => "the category itself or a category below it",
        _ => "the record itself or a part of it",
    }
}

/// The type that a value must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedType {
    /// A text.
    Text,
    /// True or false.
    Boolean,
    /// A whole number.
    WholeNumber,
    /// Any number.
    Number,
    /// A date.
    Date,
    /// A price.
    Price,
    /// The code of a currency, ISO 4217.
    Currency,
    /// The ID or the URL of an image.
    ImageId,
    /// A list of IDs and names of records.
    IdsAndNames,
    /// A list of tickets.
    Tickets,
    /// A recurrence rule, as text, as lines or as object.
    Recurrence,
    /// True, or a list of names of fields.
    FieldNames,
    /// IDs of records by the names of fields.
    FieldSources,
    /// An e-mail address.
    Email,
}

impl fmt::Display for ExpectedType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text => "text",
            Self::Boolean => "true or false",
            Self::WholeNumber => "a whole number",
            Self::Number => "a number",
            Self::Date => "a date",
            Self::Price => "text, a number or a list of these",
            Self::Currency => "the three letters of a currency",
            Self::ImageId => "the ID or the address of an image",
            Self::IdsAndNames => "a list of IDs and names",
            Self::Tickets => "a list of tickets",
            Self::Recurrence => "a rule, a list of lines or an object",
            Self::FieldNames => "true or a list of names of fields",
            Self::FieldSources => "an object of names of fields and IDs of records",
            Self::Email => "an e-mail address",
        })
    }
}

/// The range of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// At least this.
    From(i32),
    /// At least the first, at most the second.
    Within(i32, i32),
    /// More than the first, at most the second.
    Above(i32, i32),
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::From(min) => write!(f, "{min} or more"),
            Self::Within(min, max) => write!(f, "from {min} to {max}"),
            Self::Above(min, max) => write!(f, "more than {min} and at most {max}"),
        }
    }
}

/// The kind of record or object that a value refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReferenceKind {
    /// A record of a kind.
    Record(Kind),
    /// A user.
    User,
    /// An image.
    Image,
}

impl fmt::Display for ReferenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Record(kind) => kind.name(),
            Self::User => "user",
            Self::Image => "image",
        })
    }
}

/// The fault of each invalid field, in the order of reading.
pub type Faults = IndexMap<Cow<'static, str>, Fault>;

/// The reason why the fields of a request are rejected.
///
/// ```
/// use events_calendar_app::fault::{BadFields, Fault, Faults};
///
/// let faults = Faults::from_iter([("title".into(), Fault::Empty)]);
/// assert_eq!(BadFields::Invalid(faults).to_string(), "title must not be empty");
/// assert_eq!(BadFields::Missing(vec!["title"]).to_string(), "missing: title");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadFields {
    /// Required fields were not sent.
    Missing(Vec<&'static str>),
    /// Fields have invalid values.
    Invalid(Faults),
}

impl fmt::Display for BadFields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<_> = match self {
            Self::Missing(fields) => return write!(f, "missing: {}", fields.join(", ")),
            Self::Invalid(faults) => faults
                .iter()
                .map(|(field, fault)| fault.of(field))
                .collect(),
        };
        f.write_str(&texts.join("; "))
    }
}
