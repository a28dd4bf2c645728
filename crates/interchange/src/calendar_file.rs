//! Events as calendar files of other programs have them.

use std::fmt;

use app::feed::FeedStatus;
use domain::{
    geo::Position,
    recurrence::{DateValue, RecurrenceParts},
    time::{EventTime, Timestamp, Zone},
};

/// A part of a calendar file, as read.
///
/// ```
/// use events_calendar_interchange::{Finding, FindingCode, ReadItem};
///
/// fn report(item: &ReadItem) -> String {
///     match item {
///         ReadItem::Event(event) => format!("line {}: {}", event.line, event.title),
///         ReadItem::Refused(finding) | ReadItem::Warning(finding) => {
///             format!("line {}: {}", finding.line, finding.code)
///         }
///         ReadItem::Ignored { line, name } => format!("line {line}: {name} is ignored"),
///     }
/// }
/// let finding = Finding { line: 88, uid: None, property: Some("DTSTART".to_owned()), code: FindingCode::BadDate };
/// assert_eq!(report(&ReadItem::Refused(finding)), "line 88: bad-date");
/// assert_eq!(FindingCode::BadDate.name(), "bad-date");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadItem {
    /// An event.
    Event(Box<ReadEvent>),
    /// An event that cannot be taken.
    Refused(Finding),
    /// A guess, or a fault that stops nothing. It stands before the event that it is about.
    Warning(Finding),
    /// A component or a property that says nothing about an event of this calendar.
    Ignored {
        /// The line, from 1.
        line: u64,
        /// Its name.
        name: String,
    },
}

/// A finding in a line of a calendar file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The line, from 1.
    pub line: u64,
    /// The unique identifier of the event, if it is known.
    pub uid: Option<String>,
    /// The property.
    pub property: Option<String>,
    /// The kind of the finding.
    pub code: FindingCode,
}

/// Declares the kinds of findings, each with its name in reports.
macro_rules! finding_codes {
    ($($(#[$doc:meta])* $code:ident = $name:literal,)*) => {
        /// The kinds of findings.
        ///
        /// ```
        /// use events_calendar_interchange::FindingCode;
        /// assert_eq!("no-start".parse(), Ok(FindingCode::NoStart));
        /// assert!("no-end".parse::<FindingCode>().is_err());
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum FindingCode {
            $($(#[$doc])* $code,)*
        }

        impl std::str::FromStr for FindingCode {
            type Err = domain::UnknownName;

            fn from_str(name: &str) -> Result<Self, domain::UnknownName> {
                match name {
                    $($name => Ok(Self::$code),)*
                    _ => Err(domain::UnknownName),
                }
            }
        }

        impl FindingCode {
            /// The name in reports.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$code => $name,)*
                }
            }
        }
    };
}

finding_codes! {
    /// A property that must be a date is none, or outside the years 1 to 9999.
    BadDate = "bad-date",
    /// The event has no start.
    NoStart = "no-start",
    /// The end is before the start.
    EndBeforeStart = "end-before-start",
    /// The event has no title.
    NoTitle = "no-title",
    /// The event repeats in a way that this calendar does not know.
    Recurrence = "recurrence",
    /// A line or an event has more than 1 MiB.
    TooLarge = "too-large",
    /// Components are nested more than 8 levels deep.
    TooDeep = "too-deep",
    /// The event has more than 1,000 properties.
    TooManyProperties = "too-many-properties",
    /// A property has more than 1,000 values.
    TooManyValues = "too-many-values",
    /// A line is not UTF-8, and was read as Windows-1252.
    Encoding = "encoding",
    /// The file has no component, and is no calendar.
    NoCalendar = "no-calendar",
    /// A line has no colon, and was left out.
    NoColon = "no-colon",
    /// A component has no end, and was closed.
    NotClosed = "not-closed",
    /// A time zone is unknown, and its dates were read in the zone of the calendar.
    UnknownZone = "unknown-zone",
    /// A time of day such as 24:00 or a 60th second was replaced by one that exists.
    AdjustedTime = "adjusted-time",
    /// A value has a fault: it was read as it is meant, or left out.
    AdjustedValue = "adjusted-value",
    /// The file is an answer to an invitation, which changes nothing here.
    Method = "method",
    /// The unique identifier belongs to an event that another source brought, or that was created
    /// here.
    ForeignUid = "foreign-uid",
    /// The file has the event twice; the newer one counts.
    Twice = "twice",
    /// The event has no unique identifier; it is known by its start, title and place.
    NoUid = "no-uid",
    /// A value breaks a rule of this calendar, such as a length.
    BadValue = "bad-value",
    /// The caller may not change the event.
    Forbidden = "forbidden",
    /// There are more warnings, which the report leaves out.
    MoreWarnings = "more-warnings",
    /// The event that it is a part of is not here, or cannot be its parent; it is taken without.
    UnknownParent = "unknown-parent",
    /// A column of a table is unknown, and was left out.
    UnknownColumn = "unknown-column",
    /// A table has too many columns.
    TooManyColumns = "too-many-columns",
    /// The dates of a column could have the day or the month first, and were read day first.
    DayFirst = "day-first",
    /// The dates of a column could have the day or the month first, and were read month first.
    MonthFirst = "month-first",
    /// A date contradicts the order of day and month that others of its column, or the request, have.
    DateOrder = "date-order",
    /// A category or a tag is not here, or has no name, or the caller may not create it; the record is
    /// taken without.
    NotLinked = "not-linked",
    /// The event repeats on more dates than this calendar keeps; it is taken without the oldest ones, and if
    /// need be without the latest.
    TooManyDates = "too-many-dates",
    /// The import took too long, and stopped before the record.
    NotReached = "not-reached",
}

impl fmt::Display for FindingCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// An event of a calendar file, as read. Texts are as in the file, without escapes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadEvent {
    /// The line of its beginning, from 1.
    pub line: u64,
    /// The unique identifier across calendars.
    pub uid: Option<String>,
    /// The number of changes that matter to guests, 0 if the file has none.
    pub sequence: i64,
    /// Its last change (LAST-MODIFIED, else DTSTAMP).
    pub stamp: Option<Timestamp>,
    /// Start and end.
    pub when: EventTime,
    /// Its state.
    pub status: FeedStatus,
    /// The title.
    pub title: String,
    /// The description: plain text with blank lines between paragraphs, or HTML that is not filtered.
    pub description: Option<String>,
    /// The place.
    pub place: Option<ReadPlace>,
    /// The position.
    pub position: Option<Position>,
    /// The URL of its page.
    pub url: Option<String>,
    /// The organizer.
    pub organizer: Option<ReadOrganizer>,
    /// The names of categories.
    pub categories: Vec<String>,
    /// Whether it is not public.
    pub is_private: bool,
    /// The names of the properties that the file has, with a blank value.
    pub blanks: Vec<String>,
    /// The unique identifier of the event that it is a part of.
    pub parent_uid: Option<String>,
    /// How it repeats; without rule and dates if it happens once. Wall clocks are those of the zone of
    /// `when`.
    pub recurrence: RecurrenceParts,
    /// The extra dates with an end of their own, each with its time.
    pub periods: Vec<(DateValue, EventTime)>,
    /// The slot, if it stands for one occurrence of the series with its unique identifier.
    pub recurrence_id: Option<ReadRecurrenceId>,
}

/// The place of an event, as read.
///
/// ```
/// use events_calendar_interchange::ReadPlace;
///
/// let place = ReadPlace::parse("Old Mill, 3 Quai Vert, Lyon").unwrap();
/// assert_eq!((place.name.as_str(), place.address.as_str()), ("Old Mill", "3 Quai Vert, Lyon"));
/// assert_eq!(ReadPlace::parse("https://meet.example/1").unwrap().url, "https://meet.example/1");
/// assert_eq!(ReadPlace::parse(" "), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadPlace {
    /// The name: the text up to the first comma or line break.
    pub name: String,
    /// The rest of the text.
    pub address: String,
    /// The URL, if the text is nothing else; name and address are empty then.
    pub url: String,
}

impl ReadPlace {
    /// Divides a text; none if it is blank.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.is_empty() {
            return None;
        }
        let is_url = text.starts_with("https://") || text.starts_with("http://");
        if is_url && !text.contains(char::is_whitespace) {
            let url = text.to_owned();
            return Some(Self {
                url,
                ..Self::default()
            });
        }
        let (name, address) = text.split_at(end_of_name(text));
        let address = address.strip_prefix([',', '\n']).unwrap_or(address);
        Some(Self {
            name: name.trim().to_owned(),
            address: address.trim().to_owned(),
            url: String::new(),
        })
    }
}

/// The end of the name of a place: the first comma or line break outside of brackets. A bracket that
/// nothing closes is a character like others.
fn end_of_name(text: &str) -> usize {
    let mut closed = 0;
    let end = text.char_indices().find(|(at, c)| match c {
        _ if *at < closed => false,
        c if BRACKETS.iter().any(|[open, _]| open == c) => {
            closed = end_of_brackets(&text[*at..]).map_or(0, |length| at + length);
            false
        }
        c => matches!(c, ',' | '\n'),
    });
    end.map_or(text.len(), |(at, _)| at)
}

/// The opening and the closing bracket of each kind.
const BRACKETS: [[char; 2]; 4] = [['(', ')'], ['[', ']'], ['{', '}'], ['（', '）']];

/// The length of the brackets at the beginning of a text, with others in them; none if nothing closes
/// them.
fn end_of_brackets(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    let [open, close] = BRACKETS.into_iter().find(|[open, _]| *open == first)?;
    let mut depth = 0;
    let end = text.char_indices().find(|(_, c)| {
        depth += i32::from(*c == open) - i32::from(*c == close);
        depth == 0
    });
    end.map(|(at, _)| at)
}

/// The organizer of an event, as read. An empty text is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOrganizer {
    /// The name.
    pub name: String,
    /// The e-mail address.
    pub email: String,
}

/// The slot of an occurrence, as read.
///
/// ```
/// use events_calendar_interchange::ReadRecurrenceId;
/// use domain::recurrence::DateValue;
///
/// let id = ReadRecurrenceId {
///     value: "20270316T190000".parse()?,
///     zone: Some("Europe/Paris".parse()?),
///     and_following: false,
/// };
/// assert_eq!(id.value_in(&"Europe/Paris".parse()?).basic(), "20270316T190000");
/// assert_eq!(id.value_in(&"Europe/London".parse()?).basic(), "20270316T180000Z");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadRecurrenceId {
    /// The day, wall clock or instant.
    pub value: DateValue,
    /// The zone of a wall clock; `None` if it is the zone of the series.
    pub zone: Option<Zone>,
    /// Whether all later occurrences change alike (RANGE=THISANDFUTURE).
    pub and_following: bool,
}

impl ReadRecurrenceId {
    /// The slot for a series in a zone: a wall clock of another zone becomes an instant.
    pub fn value_in(&self, zone: &Zone) -> DateValue {
        match (self.value, &self.zone) {
            (DateValue::Local(local), Some(own)) if zone != own => own
                .at_local(local)
                .map_or(self.value, |moment| DateValue::Instant(moment.utc)),
            (value, _) => value,
        }
    }
}

impl ReadEvent {
    /// A finding about a property of the event.
    pub(crate) fn finding(&self, property: &str, code: FindingCode) -> Finding {
        Finding {
            line: self.line,
            uid: self.uid.clone(),
            property: Some(property.to_owned()),
            code,
        }
    }
}
