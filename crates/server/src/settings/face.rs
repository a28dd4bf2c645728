//! The face of the pages: its files are read and checked before anything is opened.

use std::{fmt, fs, io::Read as _, path::Path};

use domain::{Language, time::Weekday};
use http_service::face::{Face, InvalidFile};

use super::{InvalidSetting, SettingsArgs, args::WeekStart, checked, checked_text, line};

/// Reads the names of the site in languages.
pub(super) fn names(args: &SettingsArgs) -> Result<Vec<(Language, String)>, InvalidSetting> {
    let mut names = Vec::new();
    for (language, flag, name) in [
        (Language::Arabic, "site-name-ar", &args.site_name_ar),
        (Language::English, "site-name-en", &args.site_name_en),
        (Language::French, "site-name-fr", &args.site_name_fr),
    ] {
        names.extend(line(flag, name.as_deref())?.map(|name| (language, name)));
    }
    Ok(names)
}

/// Reads the face, with its files.
pub(super) fn read(args: &SettingsArgs) -> Result<Face, InvalidSetting> {
    let mut face = Face::default();
    if let Some(colour) = &args.site_colour {
        face = face.with_colour(checked_text("site-colour", colour, str::parse)?);
    }
    if let Some(path) = &args.site_logo {
        let logo = file(path, Face::MAX_LOGO_BYTES, |file| {
            face.clone().with_logo(file)
        });
        face = checked("site-logo", logo)?;
    }
    if let Some(path) = &args.site_stylesheet {
        let style = file(path, Face::MAX_STYLESHEET_BYTES, |file| {
            face.clone().with_stylesheet(file)
        });
        face = checked("site-stylesheet", style)?;
    }
    if let Some(text) = line("site-footer", args.site_footer.as_deref())? {
        face = face.with_footer(&text);
    }
    if let Some(imprint) = &args.imprint_url {
        face = face.with_imprint(checked_text("imprint-url", imprint, str::parse)?);
    }
    if let Some(privacy) = &args.privacy_url {
        face = face.with_privacy(checked_text("privacy-url", privacy, str::parse)?);
    }
    Ok(face)
}

/// Reads a file of at most `max` bytes, or one byte more.
fn file<T>(
    path: &Path,
    max: usize,
    use_file: impl FnOnce(Vec<u8>) -> Result<T, InvalidFile>,
) -> Result<T, String> {
    let named = |reason: &dyn fmt::Display| format!("{}: {reason}", path.display());
    let mut content = Vec::new();
    fs::File::open(path)
        .and_then(|file| file.take(max as u64 + 1).read_to_end(&mut content))
        .map_err(|error| named(&error))?;
    use_file(content).map_err(|error| named(&error))
}

impl From<WeekStart> for Weekday {
    fn from(day: WeekStart) -> Self {
        match day {
            WeekStart::Saturday => Self::Sat,
            WeekStart::Sunday => Self::Sun,
            WeekStart::Monday => Self::Mon,
        }
    }
}
