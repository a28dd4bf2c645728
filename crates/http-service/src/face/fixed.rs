//! The values of a face that the settings of the program fix.

use std::{collections::BTreeMap, fmt};

use app::ports::StoredSite;
use domain::site::{SiteSetting, SiteValue};

use super::Face;
use crate::response::asset::Asset;

/// The place of the setting that fixes a value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// The program itself.
    Program,
    /// A flag of the command line, such as `--site-name`.
    Flag(String),
    /// An environment variable, such as `EVENTS_CALENDAR_SITE_NAME`.
    Variable(String),
    /// A file of settings, such as `/etc/events-calendar/config.toml`.
    File(String),
}

/// The name of the flag, variable or file; empty for the program itself.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program => Ok(()),
            Self::Flag(name) | Self::Variable(name) | Self::File(name) => f.write_str(name),
        }
    }
}

/// The values of a face that the settings of the program fix: stored values do not replace them.
///
/// ```
/// use events_calendar_http_service::face::{FixedFace, Origin};
/// use domain::site::{SiteSetting, SiteValue};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let flag = Origin::Flag("--site-name".to_owned());
/// let fixed = FixedFace::default().with(SiteValue::Name("Springfield".parse()?), flag);
/// let (_, origin) = fixed.get(SiteSetting::Name).unwrap();
/// assert_eq!(origin.to_string(), "--site-name");
/// assert!(fixed.get(SiteSetting::Logo).is_none());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct FixedFace {
    values: BTreeMap<SiteSetting, (SiteValue, Origin)>,
    stylesheet: Option<Asset>,
}

impl FixedFace {
    /// Maximum size of a stylesheet, in bytes.
    pub const MAX_STYLESHEET_BYTES: usize = 64 * 1024;

    /// Fixes a value.
    #[must_use]
    pub fn with(mut self, value: SiteValue, origin: Origin) -> Self {
        self.values.insert(value.setting(), (value, origin));
        self
    }

    /// Adds a stylesheet, which browsers load after the ones of the program.
    ///
    /// # Errors
    ///
    /// [`InvalidStylesheet`] if the file is not UTF-8, or has more than
    /// [`MAX_STYLESHEET_BYTES`](Self::MAX_STYLESHEET_BYTES).
    pub fn with_stylesheet(self, file: Vec<u8>) -> Result<Self, InvalidStylesheet> {
        if file.len() > Self::MAX_STYLESHEET_BYTES {
            return Err(InvalidStylesheet::TooLarge);
        }
        if str::from_utf8(&file).is_err() {
            return Err(InvalidStylesheet::NoText);
        }
        let stylesheet = Some(Asset::stylesheet("site", file));
        Ok(Self { stylesheet, ..self })
    }

    /// The fixed value of a setting, with its origin.
    pub fn get(&self, setting: SiteSetting) -> Option<(&SiteValue, &Origin)> {
        let (value, origin) = self.values.get(&setting)?;
        Some((value, origin))
    }

    /// The face of these values, and of stored ones that none of them replaces.
    pub(super) fn over(&self, stored: &StoredSite) -> Face {
        let stored = stored.values.values().map(|stored| &stored.value);
        let fixed = self.values.values().map(|(value, _)| value);
        Face {
            stylesheet: self.stylesheet.clone(),
            ..Face::of(stored.chain(fixed))
        }
    }
}

/// The reason why a file is not the stylesheet of a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidStylesheet {
    /// It is too large.
    #[error("has more than {} KiB", FixedFace::MAX_STYLESHEET_BYTES / 1024)]
    TooLarge,
    /// It is not a text.
    #[error("is not UTF-8")]
    NoText,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stylesheet_is_a_short_text() {
        let style = |file: Vec<u8>| FixedFace::default().with_stylesheet(file).map(drop);
        assert_eq!(style(b"h1 { color: red }".to_vec()), Ok(()));
        assert_eq!(style(vec![0xff]), Err(InvalidStylesheet::NoText));
        assert_eq!(
            style(vec![b' '; 64 * 1024 + 1]),
            Err(InvalidStylesheet::TooLarge)
        );
    }
}
