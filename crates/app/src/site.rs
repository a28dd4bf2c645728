//! The settings of the site.

use domain::{Language, cost::SiteCurrency, page::MAX_PER_PAGE, time::Zone};

/// The settings of the site that use cases need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The zone of dates without one.
    pub zone: Zone,
    /// The language of texts of which nothing else is said.
    pub language: Language,
    /// The currency of prices without one.
    pub currency: SiteCurrency,
    /// Whether requests are refused that send what nothing reads.
    pub strict: bool,
    /// Records on a page of a list at the most.
    pub max_per_page: u32,
    /// Address below which files of images lie: `https://cal.example/media`.
    pub media_url: String,
    /// Host part of the names of records across sites: `cal.example`.
    pub host: String,
}

impl Default for Site {
    fn default() -> Self {
        Self {
            zone: Zone::utc(),
            language: Language::default(),
            currency: SiteCurrency::default(),
            strict: false,
            max_per_page: MAX_PER_PAGE,
            media_url: "http://localhost/media".to_owned(),
            host: "localhost".to_owned(),
        }
    }
}
