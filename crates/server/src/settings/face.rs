//! The face of the pages: its files are read and checked before anything is opened.

use std::{fmt, fs, io::Read as _, path::Path};

use domain::site::{self, InvalidSiteValue, Logo, SiteSetting, SiteValue};
use http_service::face::FixedFace;

use super::{InvalidSetting, SettingsArgs, args::WeekStart, checked};

/// Reads the face, with its files.
pub(super) fn read(args: &SettingsArgs) -> Result<FixedFace, InvalidSetting> {
    let mut values = Vec::new();
    for (setting, text) in [
        (SiteSetting::Name, &args.site_name),
        (SiteSetting::ArabicName, &args.site_name_ar),
        (SiteSetting::EnglishName, &args.site_name_en),
        (SiteSetting::FrenchName, &args.site_name_fr),
        (SiteSetting::Colour, &args.site_colour),
        (SiteSetting::Footer, &args.site_footer),
        (SiteSetting::Imprint, &args.imprint_url),
        (SiteSetting::Privacy, &args.privacy_url),
    ] {
        if let Some(text) = text {
            values.push(value(setting, text)?);
        }
    }
    if let Some(path) = &args.site_logo {
        let logo = file(path, Logo::MAX_BYTES, Logo::new);
        values.push(SiteValue::Logo(checked(SiteSetting::Logo.name(), logo)?));
    }
    values.extend(args.week_start.map(|day| SiteValue::WeekStart(day.into())));
    let face = values
        .into_iter()
        .fold(FixedFace::default(), |face, value| {
            let origin = args.origin(value.setting().name());
            face.with(value, origin)
        });
    let Some(path) = &args.site_stylesheet else {
        return Ok(face);
    };
    let styled = file(path, FixedFace::MAX_STYLESHEET_BYTES, |file| {
        face.with_stylesheet(file)
    });
    checked("site-stylesheet", styled)
}

/// Reads the value of a setting.
fn value(setting: SiteSetting, text: &str) -> Result<SiteValue, InvalidSetting> {
    SiteValue::read(setting, text.as_bytes()).map_err(|error| {
        let reason = match error {
            InvalidSiteValue::Line(error) => error.to_string(),
            error => format!("`{text}` {error}"),
        };
        InvalidSetting::of(setting.name(), reason)
    })
}

/// Reads a file of at most `max` bytes, or one byte more.
fn file<T, E: fmt::Display>(
    path: &Path,
    max: usize,
    use_file: impl FnOnce(Vec<u8>) -> Result<T, E>,
) -> Result<T, String> {
    let named = |reason: &dyn fmt::Display| format!("{}: {reason}", path.display());
    let mut content = Vec::new();
    fs::File::open(path)
        .and_then(|file| file.take(max as u64 + 1).read_to_end(&mut content))
        .map_err(|error| named(&error))?;
    use_file(content).map_err(|error| named(&error))
}

impl From<WeekStart> for site::WeekStart {
    fn from(day: WeekStart) -> Self {
        match day {
            WeekStart::Saturday => Self::Saturday,
            WeekStart::Sunday => Self::Sunday,
            WeekStart::Monday => Self::Monday,
        }
    }
}
