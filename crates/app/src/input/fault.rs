//! The faults of field values.
//!
//! The texts here are for logs and for the command line; what clients are told comes in their
//! language.

use std::{borrow::Cow, fmt};

use domain::{
    Kind, Role,
    cost::InvalidCost,
    html::TooLong,
    policy::Capability,
    text::InvalidTitle,
    ticket::{EndsBeforeStart, InvalidPrice},
    time::{InvalidDate, InvalidEventTime, InvalidZone},
    web_url::InvalidWebUrl,
};
use indexmap::IndexMap;

use super::{MAX_LIST, MAX_TEXT_BYTES};
use crate::ports::{BadImage, FetchError};

/// The fault of a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Another type is wanted.
    #[error("must be {0}")]
    Type(ExpectedType),
    /// It is empty.
    #[error("must not be empty")]
    Empty,
    /// It is not one of the known words.
    #[error("must be one of {}", .0.join(", "))]
    NotOneOf(Vec<&'static str>),
    /// It is known, and only for users who have the right.
    #[error("may have this value only if you log in as {}", roles(.0.least_role()))]
    RequiresCapability(Capability),
    /// It is too small or too great.
    #[error("must be {0}")]
    OutOfRange(Range),
    /// It was sent without the field that belongs to it.
    #[error("must be sent together with {0}")]
    RequiresField(&'static str),
    /// Nothing reads it, and the request is to be refused for that.
    #[error("is not known{}", .nearest.map(|name| format!("; did you mean {name}?")).unwrap_or_default())]
    UnknownField {
        /// The known name that is nearest to it.
        nearest: Option<&'static str>,
    },
    /// It was sent more than once.
    #[error("must be sent once")]
    Repeated,
    /// It is too long.
    #[error("must have at most {0} characters")]
    TooLong(usize),
    /// The texts of the request are too long together.
    #[error("has, with the fields before it, more than {MAX_TEXT_BYTES} bytes of text")]
    TextsTooLong,
    /// The list is too long.
    #[error("must have at most {MAX_LIST} values")]
    TooMany,
    /// It cannot be a title or a name.
    #[error(transparent)]
    Title(#[from] InvalidTitle),
    /// It cannot be a text with formatting.
    #[error(transparent)]
    RichText(#[from] TooLong),
    /// It is not a date.
    #[error(transparent)]
    Date(#[from] InvalidDate),
    /// It does not fit the other date.
    #[error(transparent)]
    EventTime(#[from] InvalidEventTime),
    /// It is not a time zone.
    #[error(transparent)]
    Zone(#[from] InvalidZone),
    /// It is not a web address.
    #[error(transparent)]
    WebUrl(#[from] InvalidWebUrl),
    /// It is not a price.
    #[error(transparent)]
    Cost(#[from] InvalidCost),
    /// It is not the price of a ticket.
    #[error(transparent)]
    TicketPrice(#[from] InvalidPrice),
    /// It does not fit the time from which a ticket can be had.
    #[error(transparent)]
    OnSale(#[from] EndsBeforeStart),
    /// Nothing usable is left of a slug.
    #[error("must contain a letter or a digit")]
    Slug,
    /// It names something that does not exist, or that the caller may not see.
    #[error("names no {0} that exists")]
    UnknownReference(ReferenceKind),
    /// It is the record itself, or a part of it.
    #[error("must not be {}", circle(*.0))]
    CircularParent(Kind),
    /// Some of the things in a list are not usable; each with its place, from 0.
    #[error("is not usable: {}", .0.iter().map(|(place, cause)| format!("[{place}] {cause}")).collect::<Vec<_>>().join(", "))]
    Items(Vec<(usize, BadFields)>),
    /// It names more addresses than are fetched for one request.
    #[error("is one of more than {0} addresses of images in one request")]
    TooManyImageUrls(usize),
    /// No image could be fetched from the address.
    #[error(transparent)]
    Fetch(FetchError),
    /// The file that was uploaded, or fetched from an address, is not accepted as image.
    #[error("is not usable as image: it {0}")]
    Image(BadImage),
    /// A record given in full is not usable.
    #[error("is not usable as {kind}: {cause}")]
    Inline {
        /// The kind of the record.
        kind: Kind,
        /// Which of its fields are missing or wrong.
        cause: BadFields,
    },
}

impl Fault {
    /// The code of what is to be told beside the text, if the fault has one.
    pub fn code(&self) -> Option<&'static str> {
        match self {
            Self::Type(_) => Some("rest_invalid_type"),
            Self::NotOneOf(_) => Some("rest_not_in_enum"),
            Self::CircularParent(_) => Some("circular_parent"),
            _ => None,
        }
    }
}

/// A role and those above it.
fn roles(least: Role) -> &'static str {
    match least {
        Role::Subscriber => "any user",
        Role::Contributor => "a contributor, an author, an editor or an administrator",
        Role::Author => "an author, an editor or an administrator",
        Role::Editor => "an editor or an administrator",
        Role::Administrator => "an administrator",
    }
}

/// The records that form a circle with a record of a kind.
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
    /// A number without decimals.
    WholeNumber,
    /// Any number.
    Number,
    /// A date.
    Date,
    /// A price.
    Price,
    /// The code of a currency, ISO 4217.
    Currency,
    /// The number or the address of an image.
    ImageId,
    /// A list of numbers and names of records.
    IdsAndNames,
    /// A list of tickets.
    Tickets,
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
        })
    }
}

/// Between which bounds a number must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// This or more.
    From(i32),
    /// Not less than the first, not more than the second.
    Within(i32, i32),
    /// More than the first, not more than the second.
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

/// The kind of thing that a value refers to.
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

/// The faults of each bad field, in the order in which they were found.
pub type Faults = IndexMap<Cow<'static, str>, Fault>;

/// The reason why the fields of a request cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadFields {
    /// Required ones were not sent.
    Missing(Vec<&'static str>),
    /// Some have bad values.
    Invalid(Faults),
}

impl fmt::Display for BadFields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<_> = match self {
            Self::Missing(fields) => return write!(f, "missing: {}", fields.join(", ")),
            Self::Invalid(faults) => faults
                .iter()
                .map(|(field, fault)| format!("{field} {fault}"))
                .collect(),
        };
        f.write_str(&texts.join("; "))
    }
}
