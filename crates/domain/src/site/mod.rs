//! The settings of a site that people see: its names, logo, colour, footer, links and first day of the week.
//!
//! ```
//! use events_calendar_domain::site::{InvalidSiteValue, SiteSetting, SiteValue};
//!
//! let colour = SiteValue::read(SiteSetting::Colour, b"#0B5D57")?;
//! assert_eq!(colour.setting(), SiteSetting::Colour);
//! assert_eq!(colour.text().as_deref(), Some("#0b5d57"));
//! // A value is stored as bytes, and read back by the same rules.
//! assert_eq!(SiteValue::read(SiteSetting::Colour, &colour.to_bytes())?, colour);
//! # Ok::<(), InvalidSiteValue>(())
//! ```

mod colour;
mod line;
mod logo;

pub use colour::{Colour, InvalidColour, Shades};
pub use line::{InvalidLine, Line};
pub use logo::{InvalidLogo, Logo};

use crate::{
    Language,
    time::Weekday,
    web_url::{InvalidWebUrl, WebUrl},
};

named_enum! {
    /// A setting of a site that people see. The flag has the same name.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum SiteSetting, name {
        /// The name.
        Name = "site-name",
        /// The name in Arabic.
        ArabicName = "site-name-ar",
        /// The name in English.
        EnglishName = "site-name-en",
        /// The name in French.
        FrenchName = "site-name-fr",
        /// The picture beside the name.
        Logo = "site-logo",
        /// The colour of links and buttons.
        Colour = "site-colour",
        /// The text at the end of each page.
        Footer = "site-footer",
        /// The address of the imprint.
        Imprint = "imprint-url",
        /// The address of the privacy policy.
        Privacy = "privacy-url",
        /// The first day of the week.
        WeekStart = "week-start",
    }
}

named_enum! {
    /// The first day of a week.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum WeekStart, name {
        /// As in most Arab countries.
        Saturday = "saturday",
        /// As in the United States.
        Sunday = "sunday",
        /// As in Europe.
        Monday = "monday",
    }
}

impl WeekStart {
    /// The day.
    ///
    /// ```
    /// use events_calendar_domain::{site::WeekStart, time::Weekday};
    /// assert_eq!(WeekStart::Sunday.day(), Weekday::Sun);
    /// ```
    pub const fn day(self) -> Weekday {
        match self {
            Self::Saturday => Weekday::Sat,
            Self::Sunday => Weekday::Sun,
            Self::Monday => Weekday::Mon,
        }
    }
}

impl SiteSetting {
    /// The name in a language.
    ///
    /// ```
    /// use events_calendar_domain::{Language, site::SiteSetting};
    /// assert_eq!(SiteSetting::name_in(Language::French), SiteSetting::FrenchName);
    /// ```
    pub const fn name_in(language: Language) -> Self {
        match language {
            Language::Arabic => Self::ArabicName,
            Language::English => Self::EnglishName,
            Language::French => Self::FrenchName,
        }
    }
}

/// The value of a [`SiteSetting`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SiteValue {
    /// The name.
    Name(Line),
    /// The name in a language.
    NameIn(Language, Line),
    /// The picture beside the name.
    Logo(Logo),
    /// The colour of links and buttons.
    Colour(Colour),
    /// The text at the end of each page.
    Footer(Line),
    /// The address of the imprint.
    Imprint(WebUrl),
    /// The address of the privacy policy.
    Privacy(WebUrl),
    /// The first day of the week.
    WeekStart(WeekStart),
}

/// The reason why a value does not suit a [`SiteSetting`].
///
/// ```
/// use events_calendar_domain::site::{InvalidSiteValue, SiteSetting, SiteValue};
///
/// let day = SiteValue::read(SiteSetting::WeekStart, b"friday");
/// assert_eq!(day, Err(InvalidSiteValue::WeekStart));
/// let link = SiteValue::read(SiteSetting::Imprint, b"imprint").unwrap_err();
/// assert_eq!(link.to_string(), "must start with http:// or https://");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum InvalidSiteValue {
    /// It is no text.
    #[error("is not UTF-8")]
    Text,
    /// It is no text of one line.
    #[error(transparent)]
    Line(#[from] InvalidLine),
    /// It is no logo.
    #[error(transparent)]
    Logo(#[from] InvalidLogo),
    /// It is no colour.
    #[error(transparent)]
    Colour(#[from] InvalidColour),
    /// It is no web address.
    #[error(transparent)]
    Url(#[from] InvalidWebUrl),
    /// It is no first day of a week.
    #[error("is not one of {}", WeekStart::NAMES.join(", "))]
    WeekStart,
}

impl SiteValue {
    /// Reads the value of a setting: the content of the file of a logo, else a text.
    ///
    /// # Errors
    ///
    /// [`InvalidSiteValue`], naming the rule that the value breaks.
    pub fn read(setting: SiteSetting, value: &[u8]) -> Result<Self, InvalidSiteValue> {
        let text = || str::from_utf8(value).map_err(|_| InvalidSiteValue::Text);
        let line = || Ok::<_, InvalidSiteValue>(text()?.parse::<Line>()?);
        Ok(match setting {
            SiteSetting::Name => Self::Name(line()?),
            SiteSetting::ArabicName => Self::NameIn(Language::Arabic, line()?),
            SiteSetting::EnglishName => Self::NameIn(Language::English, line()?),
            SiteSetting::FrenchName => Self::NameIn(Language::French, line()?),
            SiteSetting::Logo => Self::Logo(Logo::new(value.to_vec())?),
            SiteSetting::Colour => Self::Colour(text()?.parse()?),
            SiteSetting::Footer => Self::Footer(line()?),
            SiteSetting::Imprint => Self::Imprint(text()?.parse()?),
            SiteSetting::Privacy => Self::Privacy(text()?.parse()?),
            SiteSetting::WeekStart => {
                let day = text()?.parse();
                Self::WeekStart(day.map_err(|_| InvalidSiteValue::WeekStart)?)
            }
        })
    }

    /// The setting that has the value.
    pub const fn setting(&self) -> SiteSetting {
        match self {
            Self::Name(_) => SiteSetting::Name,
            Self::NameIn(language, _) => SiteSetting::name_in(*language),
            Self::Logo(_) => SiteSetting::Logo,
            Self::Colour(_) => SiteSetting::Colour,
            Self::Footer(_) => SiteSetting::Footer,
            Self::Imprint(_) => SiteSetting::Imprint,
            Self::Privacy(_) => SiteSetting::Privacy,
            Self::WeekStart(_) => SiteSetting::WeekStart,
        }
    }

    /// The value as text; none for a logo.
    pub fn text(&self) -> Option<String> {
        match self {
            Self::Name(line) | Self::NameIn(_, line) | Self::Footer(line) => Some(line.to_string()),
            Self::Imprint(url) | Self::Privacy(url) => Some(url.to_string()),
            Self::Colour(colour) => Some(colour.to_string()),
            Self::WeekStart(day) => Some(day.to_string()),
            Self::Logo(_) => None,
        }
    }

    /// The value as it is stored; [`SiteValue::read`] reads it.
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Logo(logo) => logo.content().to_vec(),
            other => other.text().unwrap_or_default().into_bytes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_setting_reads_what_it_stores() {
        for setting in SiteSetting::ALL {
            let value: &[u8] = match setting {
                SiteSetting::Logo => b"\xff\xd8\xff\xe0",
                SiteSetting::Colour => b"#7A1F3D",
                SiteSetting::Imprint | SiteSetting::Privacy => b"https://town.example/?a=1&b=2",
                SiteSetting::WeekStart => b"sunday",
                _ => " مهرجان <b> ".as_bytes(),
            };
            let read = SiteValue::read(setting, value).unwrap();
            assert_eq!(read.setting(), setting);
            assert_eq!(
                SiteValue::read(setting, &read.to_bytes()).as_ref(),
                Ok(&read)
            );
            assert_eq!(read.text().is_none(), setting == SiteSetting::Logo);
            for bad in [&b""[..], b"\xff"] {
                assert!(SiteValue::read(setting, bad).is_err(), "{setting}");
            }
        }
    }
}
