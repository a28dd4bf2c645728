//! Options of reads and deletions.

use app::{
    fault::BadFields,
    write::{DeleteOptions, ReadOptions},
};
use domain::{Kind, Secret};

use crate::{
    declare,
    event::{OPENING_PASSWORD, SCOPE},
    fields::Fields,
    input::Input,
    param::DefaultValue,
    schema::Schema,
    values,
};

declare! {
    /// The language of texts and messages. The default is that of the path, then that of the site.
    pub LANGUAGE: Language, Schema::Language => values::language as domain::Language;
    /// Delete permanently, also from the trash. Categories and tags have no trash: they are always
    /// deleted permanently.
    pub FORCE: Force, Schema::Boolean, default(DefaultValue::Flag(false)) => values::boolean as bool;
}

/// Reads the options of a request for one record.
///
/// ```
/// use domain::Kind;
/// use forms::{Fields, read_options};
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
    let mut input = Input::new(fields);
    input.language();
    if kind == Kind::Event {
        input.take(&OPENING_PASSWORD);
    }
    input.finish_strict(None)?;
    Ok(ReadOptions::from(fields))
}

/// The options of a request, as far as it has them: nothing is refused.
impl From<&Fields> for ReadOptions {
    fn from(fields: &Fields) -> Self {
        let password = fields.password().map(str::to_owned);
        Self {
            language: fields.language(),
            password: password.map(Secret::new),
        }
    }
}

/// Reads the options of a deletion.
///
/// ```
/// use domain::Kind;
/// use forms::{Fields, delete_options};
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
