//! The fields of an image.

use app::{
    fault::{BadFields, Fault},
    write::{Change, ImageWrite},
};
use domain::image::{AltText, InvalidAltText};
use serde_json::Value;

use crate::{
    field::{Param, Schema, values},
    fields::Fields,
    input::Input,
};

declare! {
    /// The content of the image in words, for people who do not see it: one line, or empty for none. Markup is
    /// removed.
    pub ALT: Alt, Schema::AltText, example("A red bench by the river") => alt as Option<AltText>;
}

/// The fields of an image that change.
pub const IMAGE_FIELDS: [Param; 1] = [ALT.param];

/// The members of an image in answers, which a client may send back.
const READ_ONLY: [&str; 7] = [
    "url",
    "id",
    "extension",
    "width",
    "height",
    "filesize",
    "sizes",
];

/// Reads the change of an image.
///
/// ```
/// use app::write::Change;
/// use events_calendar_forms::{Fields, image};
///
/// let write = image(&Fields::from_query("alt=A+red+bench"))?;
/// assert_eq!(write.alt, Change::Set("A red bench".parse().unwrap()));
/// assert_eq!(image(&Fields::from_query("alt="))?.alt, Change::Clear);
/// assert_eq!(image(&Fields::default())?.alt, Change::Keep);
/// # Ok::<(), app::fault::BadFields>(())
/// ```
///
/// # Errors
///
/// [`BadFields::Invalid`] for a bad text; in a strict request, also for unknown fields.
pub fn image(fields: &Fields) -> Result<ImageWrite, BadFields> {
    let mut input = Input::new(fields);
    input.language();
    let alt = match input.take(&ALT) {
        None => Change::Keep,
        Some(None) => Change::Clear,
        Some(Some(text)) => Change::Set(text),
    };
    for name in READ_ONLY {
        input.ignore(name);
    }
    input.finish_strict(None)?;
    let language = fields.language();
    Ok(ImageWrite { alt, language })
}

/// Reads the alternative text of a new image.
///
/// ```
/// use events_calendar_forms::{Fields, new_image};
///
/// assert_eq!(new_image(&Fields::from_query("alt=%20"))?, None);
/// assert!(new_image(&Fields::from_query(&format!("alt={}", "x".repeat(501)))).is_err());
/// # Ok::<(), app::fault::BadFields>(())
/// ```
///
/// # Errors
///
/// As for [`image`].
pub fn new_image(fields: &Fields) -> Result<Option<AltText>, BadFields> {
    let mut input = Input::new(fields);
    input.language();
    let alt = input.take(&ALT);
    input.finish_strict(None)?;
    Ok(alt.flatten())
}

fn alt(value: &Value) -> Result<Option<AltText>, Fault> {
    match values::any_text(value)?.parse::<AltText>() {
        Ok(text) => Ok(Some(text)),
        Err(InvalidAltText::Empty) => Ok(None),
        Err(InvalidAltText::TooLong { .. }) => Err(Fault::TooLong(AltText::MAX_CHARS)),
    }
}
