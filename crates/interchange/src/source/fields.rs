//! The fields of sources in requests.

use app::{
    calendar::SourceWrite,
    error::AppError,
    fault::{BadFields, Fault},
};
use domain::{
    FieldName, Id, UserId,
    source::{Every, SourceFormat, SourceName, SourceUrl, UpdatePolicy},
    text::Title,
};
use forms::{DefaultValue, Fields, Input, Param, Schema, declare, values};
use serde_json::Value;

use super::Fate;

declare! {
    /// The name, which does not change: 1 to 100 characters.
    NAME: Name, Schema::Line, example("Rowing club") => name as SourceName;
    /// The address of the calendar. Only administrators see its path and query.
    URL: Url, Schema::Line, example("https://club.example/calendar.ics") => url as SourceUrl;
    /// The form: a calendar file, a table, or a site of The Events Calendar.
    FORMAT: Format, Schema::OneOf(&SourceFormat::NAMES), default(DefaultValue::Conditional("ics"));
    /// The time between two runs, from 5m to 7d.
    EVERY: Every, Schema::Line, default(DefaultValue::Conditional("1h")), example("6h") => every as Every;
    /// The ID of the user whose events it brings, an author or above. The default is the caller.
    USER: User, Schema::Id, example("1") => values::positive as i64;
    /// The status of new events.
    STATUS: Status, Schema::OneOf(&["publish", "pending", "draft"]), default(DefaultValue::Conditional("publish"));
    /// The name of a category of all its events; an empty text for none.
    CATEGORY: Category, Schema::Line, example("Sport") => category as Option<Title>;
    /// The fields of known events that change: those that nobody changed here, all, none, or those that are empty.
    POLICY: Policy, Schema::OneOf(&UpdatePolicy::NAMES), default(DefaultValue::Conditional("keep-local"));
    /// Put those events into the trash that have not ended and that the source has no longer.
    PRUNE: Prune, Schema::Boolean, default(DefaultValue::Conditional("false")) => values::boolean as bool;
    /// The fate of the events of the source.
    EVENTS: Events, Schema::OneOf(&["keep", "trash"]), required();
    /// The command line alone sets it.
    HEADER_FILE: HeaderFile, Schema::Text;
}

/// The fields of a source, as the interface describes them.
pub const SOURCE_FIELDS: [Param; 9] = [
    NAME.param,
    URL.param,
    FORMAT,
    EVERY.param,
    USER.param,
    STATUS,
    CATEGORY.param,
    POLICY,
    PRUNE.param,
];

/// The fields of the removal of a source.
pub const SOURCE_REMOVAL: [Param; 1] = [EVENTS];

/// Reads the fields of a new source, or of the change of one.
///
/// ```
/// use events_calendar_interchange::source::source_write;
/// use forms::Fields;
///
/// let write = source_write(&Fields::from_query("name=Club&every=6h"))?;
/// assert_eq!(write.every.unwrap().seconds(), 6 * 3600);
/// assert!(source_write(&Fields::from_query("header_file=/etc/passwd")).is_err());
/// # Ok::<(), app::fault::BadFields>(())
/// ```
///
/// # Errors
///
/// [`BadFields`] for bad values, and for a `header_file`, which would name a file of the server.
pub fn source_write(fields: &Fields) -> Result<SourceWrite, BadFields> {
    let mut input = Input::new(fields);
    input.language();
    let write = SourceWrite {
        name: input.take(&NAME),
        format: input.word(&FORMAT),
        url: input.take(&URL),
        user: input.take(&USER).map(|id| -> UserId { Id::from_raw(id) }),
        every: input.take(&EVERY),
        status: input.word(&STATUS),
        category: input.take(&CATEGORY),
        policy: input.word(&POLICY),
        prune: input.take(&PRUNE),
        header_file: None,
    };
    input.read(&HEADER_FILE, |_| -> Result<(), Fault> {
        Err(Fault::UnknownField { nearest: None })
    });
    input.finish_strict(None)?;
    Ok(write)
}

/// Reads the fate of the events of a source that is removed, which is required.
///
/// ```
/// use events_calendar_interchange::source::{Fate, removal};
/// use forms::Fields;
///
/// assert_eq!(removal(&Fields::from_query("events=keep")).unwrap(), Fate::Keep);
/// assert!(removal(&Fields::default()).is_err());
/// ```
///
/// # Errors
///
/// [`AppError::Missing`] and [`AppError::Invalid`].
pub fn removal(fields: &Fields) -> Result<Fate, AppError> {
    let mut input = Input::new(fields);
    input.language();
    let fate = input.word(&EVENTS);
    input.finish_strict(None)?;
    fate.ok_or_else(|| AppError::Missing(vec![FieldName::Events.as_str()]))
}

fn name(value: &Value) -> Result<SourceName, Fault> {
    Ok(values::any_text(value)?.parse::<SourceName>()?)
}

fn url(value: &Value) -> Result<SourceUrl, Fault> {
    Ok(values::text(value)?.parse::<SourceUrl>()?)
}

fn every(value: &Value) -> Result<Every, Fault> {
    Ok(values::text(value)?.parse::<Every>()?)
}

fn category(value: &Value) -> Result<Option<Title>, Fault> {
    match values::any_text(value)? {
        "" => Ok(None),
        _ => values::title(value).map(Some),
    }
}
