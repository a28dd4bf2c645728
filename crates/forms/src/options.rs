//! Options of reads and deletions.

use app::{
    fault::BadFields,
    site::Site,
    write::{DeleteOptions, ReadOptions},
};
use domain::{FieldName, Kind, Secret, time::Timestamp};
use serde_json::Value;

use crate::{
    event::{OPENING_PASSWORD, SCOPE},
    field::{DefaultValue, Schema, values},
    fields::Fields,
    input::Input,
};

declare! {
    /// Delete permanently, also from the trash. Categories and tags have no trash: they are always
    /// deleted permanently.
    pub FORCE: Force, Schema::Boolean, default(DefaultValue::Flag(false)) => values::boolean as bool;
    /// The record as it was at this moment, such as `2026-11-01T10:00:00Z`, for those who may change it now.
    pub AS_OF: AsOf, Schema::Date, example("now");
}

/// Reads the options of a request for one record.
///
/// ```
/// use domain::Kind;
/// use events_calendar_forms::{Fields, read_options};
///
/// assert!(read_options(&Fields::from_query("ml_language=fr"), Kind::Venue).is_ok());
/// assert!(read_options(&Fields::from_query("ml_language=de"), Kind::Venue).is_err());
/// ```
///
/// # Errors
///
/// [`BadFields::Invalid`] for an unknown language or an empty password; in a strict request, also
/// for other fields.
pub fn read_options(fields: &Fields, kind: Kind) -> Result<ReadOptions, BadFields> {
    let mut input = reading(fields, kind);
    input.ignore(FieldName::AsOf.as_str());
    input.finish_strict(None)?;
    Ok(ReadOptions::from(fields))
}

/// The input of a request for one record, without the options that each such request takes.
fn reading(fields: &Fields, kind: Kind) -> Input<'_> {
    let mut input = Input::new(fields);
    input.language();
    if kind == Kind::Event {
        input.take(&OPENING_PASSWORD);
    }
    input
}

/// Reads the moment of which a record is wanted; `None` for the present.
///
/// ```
/// use app::site::Site;
/// use domain::{Kind, time::Timestamp};
/// use events_calendar_forms::{Fields, as_of};
///
/// let (site, now) = (Site::default(), Timestamp::from_seconds(0).unwrap());
/// let read = |query| as_of(&Fields::from_query(query), Kind::Venue, &site, now);
/// assert_eq!(read("as_of=2026-11-01T10:00:00Z").unwrap().unwrap().to_string(), "2026-11-01 10:00:00");
/// assert_eq!(read("").unwrap(), None);
/// assert!(read("as_of=once").is_err());
/// ```
///
/// # Errors
///
/// [`BadFields::Invalid`] for what is no moment, and as [`read_options`].
pub fn as_of(
    fields: &Fields,
    kind: Kind,
    site: &Site,
    now: Timestamp,
) -> Result<Option<Timestamp>, BadFields> {
    if fields.get(FieldName::AsOf.as_str()).is_none() {
        return Ok(None);
    }
    let mut input = reading(fields, kind);
    let instant = |value: &Value| values::date(value, &site.zone, now).map(|moment| moment.utc);
    let at = input.read(&AS_OF, instant);
    input.finish_strict(None)?;
    Ok(at)
}

impl Fields {
    /// Checks the fields of a request that takes only a language; fields with the names `ignored`
    /// are accepted, too.
    ///
    /// # Errors
    ///
    /// [`BadFields::Invalid`] for an unknown language; in a strict request, also for other fields.
    pub fn check_language_only(&self, ignored: &[&'static str]) -> Result<(), BadFields> {
        let mut input = Input::new(self);
        input.language();
        for name in ignored {
            input.ignore(name);
        }
        input.finish_strict(None)
    }
}

/// The options of a request, as far as it has them: nothing is refused.
impl From<&Fields> for ReadOptions {
    fn from(fields: &Fields) -> Self {
        let password = fields.password().map(str::to_owned);
        let mut options = Self::default();
        options.language = fields.language();
        options.password = password.map(Secret::new);
        options
    }
}

/// Reads the options of a deletion.
///
/// ```
/// use domain::Kind;
/// use events_calendar_forms::{Fields, delete_options};
///
/// assert!(delete_options(&Fields::from_query("force=maybe"), Kind::Venue).is_err());
/// ```
///
/// # Errors
///
/// [`BadFields::Invalid`] for a bad value; in a strict request, also for other fields.
pub fn delete_options(fields: &Fields, kind: Kind) -> Result<DeleteOptions, BadFields> {
    let mut input = Input::new(fields);
    input.language();
    let force = input.take(&FORCE).unwrap_or(false);
    let is_event = kind == Kind::Event;
    let scope = is_event.then(|| input.take(&SCOPE)).flatten();
    input.finish_strict(None)?;
    Ok(DeleteOptions {
        language: fields.language(),
        force,
        scope,
    })
}

/// Reads the options of a request that takes a language alone. Other fields are accepted.
///
/// # Errors
///
/// [`BadFields::Invalid`] for an unknown language.
pub fn language_options(fields: &Fields) -> Result<ReadOptions, BadFields> {
    let mut input = Input::new(fields);
    input.language();
    input.finish()?;
    Ok(ReadOptions::from(fields))
}
