//! The settings of the site.

use domain::{Language, cost::SiteCurrency, page::MAX_PER_PAGE, time::Zone};

/// The months ahead for which the occurrences of endless series are stored, unless set.
///
/// ```
/// use app::site::{DEFAULT_RECURRENCE_MONTHS, Site};
///
/// assert_eq!(Site::default().recurrence_months, DEFAULT_RECURRENCE_MONTHS);
/// ```
pub const DEFAULT_RECURRENCE_MONTHS: u32 = 60;

/// Most events and series in a feed, unless set.
///
/// ```
/// use app::site::{DEFAULT_FEED_MAX, Site};
///
/// assert_eq!(Site::default().feed_max, DEFAULT_FEED_MAX);
/// ```
pub const DEFAULT_FEED_MAX: u32 = 50_000;

/// The settings of the site that use cases need.
///
/// ```
/// use app::site::Site;
/// use domain::Language;
///
/// let site = Site {
///     zone: "Europe/Paris".parse()?,
///     language: Language::French,
///     host: "cal.example".to_owned(),
///     ..Site::default()
/// };
/// assert_eq!(site.max_per_page, 100);
/// # Ok::<(), domain::time::InvalidZone>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The zone of dates without a zone.
    pub zone: Zone,
    /// The language of texts without a language.
    pub language: Language,
    /// The currency of prices without one.
    pub currency: SiteCurrency,
    /// Whether requests with unknown fields are refused.
    pub strict: bool,
    /// Most records on a page of a list.
    pub max_per_page: u32,
    /// URL prefix of the files of images: `https://cal.example/media`.
    pub media_url: String,
    /// Host part of the UIDs of events: `cal.example`.
    pub host: String,
    /// The months ahead for which the occurrences of endless series are stored.
    pub recurrence_months: u32,
    /// Most events and series in a feed, at least 1.
    pub feed_max: u32,
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
            recurrence_months: DEFAULT_RECURRENCE_MONTHS,
            feed_max: DEFAULT_FEED_MAX,
        }
    }
}
