//! The settings of the site.

use domain::{
    Language,
    cost::SiteCurrency,
    duplicate::MergeDuplicates,
    event::{ProposalLimits, Proposers},
    page::MAX_PER_PAGE,
    time::Zone,
};

/// The months ahead for which the occurrences of endless series are stored, unless set.
///
/// ```
/// use events_calendar_app::site::{DEFAULT_RECURRENCE_MONTHS, Site};
///
/// assert_eq!(Site::default().recurrence_months, DEFAULT_RECURRENCE_MONTHS);
/// ```
pub const DEFAULT_RECURRENCE_MONTHS: u32 = 60;

/// Most events and series in a feed, unless set.
///
/// ```
/// use events_calendar_app::site::{DEFAULT_FEED_MAX, Site};
///
/// assert_eq!(Site::default().feed_max, DEFAULT_FEED_MAX);
/// ```
pub const DEFAULT_FEED_MAX: u32 = 50_000;

/// The settings of the site that use cases need.
///
/// ```
/// use events_calendar_app::site::Site;
/// use domain::Language;
///
/// let site = Site {
///     zone: "Europe/Paris".parse()?,
///     language: Language::French,
///     ..Site::at("https://cal.example")
/// };
/// assert_eq!((&*site.host, site.max_per_page), ("cal.example", 100));
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
    /// Host part of the UIDs of new events: `cal.example`. UIDs never change, so that a program sets it
    /// before its first event, by [`Site::at`].
    pub host: String,
    /// The months ahead for which the occurrences of endless series are stored.
    pub recurrence_months: u32,
    /// Most events and series in a feed, at least 1.
    pub feed_max: u32,
    /// The people who may propose events.
    pub proposals: Proposers,
    /// Most proposals that wait for an editor.
    pub proposals_open: u32,
    /// The duplicates that imports and sources merge.
    pub merge_duplicates: MergeDuplicates,
}

impl Site {
    /// The default settings of a site at an http or https URL. Its UIDs have the host, without port, and the
    /// path; its images lie below `/media`.
    ///
    /// ```
    /// use events_calendar_app::site::Site;
    ///
    /// let site = Site::at("https://cal.example:8443/sub/");
    /// assert_eq!(site.host, "cal.example/sub");
    /// assert_eq!(site.media_url, "https://cal.example:8443/sub/media");
    /// ```
    pub fn at(public_url: &str) -> Self {
        let url = public_url.trim_end_matches('/');
        let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        // An IPv6 address ends with a bracket.
        let is_port = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let host = match authority.rsplit_once(':') {
            Some((host, port)) if is_port(port) => host,
            _ => authority,
        };
        Self {
            zone: Zone::utc(),
            language: Language::default(),
            currency: SiteCurrency::default(),
            strict: false,
            max_per_page: MAX_PER_PAGE,
            media_url: format!("{url}/media"),
            host: format!("{}{path}", host.to_ascii_lowercase()),
            recurrence_months: DEFAULT_RECURRENCE_MONTHS,
            feed_max: DEFAULT_FEED_MAX,
            proposals: Proposers::Nobody,
            proposals_open: ProposalLimits::OPEN,
            merge_duplicates: MergeDuplicates::default(),
        }
    }
}

/// For tests: a site at `http://localhost`.
impl Default for Site {
    fn default() -> Self {
        Self::at("http://localhost")
    }
}
