//! The face of a site: its names, logo, colour, stylesheet and footer on every page.

mod fixed;
mod live;

pub use fixed::{FixedFace, InvalidStylesheet, Origin};
pub use live::LiveFace;

use std::collections::BTreeMap;

use domain::{
    Language,
    site::{Colour, SiteValue},
    time::Weekday,
    web_url::WebUrl,
};

use crate::response::asset::Asset;

/// The face of a site: what its pages show besides its calendar.
///
/// ```
/// use events_calendar_http_service::face::Face;
/// use domain::{Language, site::SiteValue, time::Weekday};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let values = [SiteValue::Name("Springfield".parse()?), SiteValue::Colour("#0b5d57".parse()?)];
/// let face = Face::of(&values);
/// assert_eq!(face.name_in(Language::French), Some("Springfield"));
/// assert_eq!(face.week_start(Language::French), Weekday::Mon);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Face {
    /// The name of the site, if it has one.
    name: Option<String>,
    /// The names of the site in languages.
    names: BTreeMap<Language, String>,
    /// The picture beside the name.
    pub logo: Option<Asset>,
    /// The stylesheet of the colour.
    pub colour: Option<Asset>,
    /// The stylesheet of the site, after the ones of the program.
    pub stylesheet: Option<Asset>,
    /// The text at the end of each page.
    pub footer: Option<String>,
    /// The address of the imprint.
    pub imprint: Option<WebUrl>,
    /// The address of the privacy policy.
    pub privacy: Option<WebUrl>,
    /// The first day of the week, if it does not depend on the language.
    week_start: Option<Weekday>,
}

impl Face {
    /// The face with these values.
    pub fn of<'a>(values: impl IntoIterator<Item = &'a SiteValue>) -> Self {
        let mut face = Self::default();
        for value in values {
            face.put(value);
        }
        face
    }

    fn put(&mut self, value: &SiteValue) {
        match value {
            SiteValue::Name(name) => self.name = Some(name.to_string()),
            SiteValue::NameIn(language, name) => {
                self.names.insert(*language, name.to_string());
            }
            SiteValue::Logo(logo) => {
                let (format, content) = (logo.format(), logo.content().to_vec());
                let asset = Asset::new("logo", format.extension(), format.media_type(), content);
                self.logo = Some(asset);
            }
            SiteValue::Colour(colour) => {
                self.colour = Some(Asset::stylesheet("colour", stylesheet(*colour)));
            }
            SiteValue::Footer(text) => self.footer = Some(text.to_string()),
            SiteValue::Imprint(url) => self.imprint = Some(url.clone()),
            SiteValue::Privacy(url) => self.privacy = Some(url.clone()),
            SiteValue::WeekStart(start) => self.week_start = Some(start.day()),
        }
    }

    /// The name of the site, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The name of the site in a language.
    pub fn name_in(&self, language: Language) -> Option<&str> {
        let name = self.names.get(&language).map(String::as_str);
        name.or(self.name())
    }

    /// The first day of the week on pages in a language.
    pub fn week_start(&self, language: Language) -> Weekday {
        self.week_start.unwrap_or_else(|| language.week_start())
    }

    /// The files that pages of this face load.
    pub fn assets(&self) -> impl Iterator<Item = &Asset> {
        let Self {
            logo,
            colour,
            stylesheet,
            ..
        } = self;
        [logo, colour, stylesheet].into_iter().flatten()
    }
}

/// The properties of the stylesheet that depend on the colour.
fn stylesheet(colour: Colour) -> String {
    let (light, dark) = (colour.light(), colour.dark());
    format!(
        ":root {{ --accent: {}; --tint: {}; }}\n\
         @media (prefers-color-scheme: dark) {{ :root {{ --accent: {}; --tint: {}; }} }}\n",
        light.text, light.tint, dark.text, dark.tint
    )
}
