//! URLs in responses: absolute, under the configured public URL, independent of request headers.

mod announcement;
mod base_path;
mod list_urls;
mod namespace;
mod old_addresses;
pub(crate) mod route_path;

pub use announcement::announcement;
pub use base_path::{BasePath, BasePathPattern, BasePaths, InvalidBasePath};
pub use list_urls::ListUrls;
pub use namespace::NAMESPACE;
pub use old_addresses::OldAddress;
pub use route_path::{HomeLanguage, RenamedPath, SentPath};

use std::{fmt::Display, ops::Deref, sync::Arc};

use domain::{
    ImageId, Kind, Language,
    cost::SiteCurrency,
    image::FilePath,
    slug::Slug,
    time::{Timestamp, Weekday, Zone},
};

use base_path::segment;

use crate::face::LiveFace;

/// The configuration that all requests share.
#[derive(Clone, Debug)]
pub struct SiteConfig {
    url: String,
    /// The face of the pages.
    pub face: LiveFace,
    media: String,
    /// The host, as in the UIDs of events.
    pub host: String,
    /// The time zone.
    pub zone: Zone,
    /// The currency of prices without one.
    pub currency: SiteCurrency,
    /// The default language.
    pub language: Language,
    /// The URL of the site that shows the pages.
    pages: String,
}

/// The site from the view of a request: its URLs keep the base path and the language of the
/// request.
#[derive(Clone, Debug)]
pub struct Site {
    config: Arc<SiteConfig>,
    /// The base path of the request.
    base_path: Arc<BasePath>,
    /// The URL of the namespace.
    api: String,
    /// The URL of the pages.
    pages: String,
    /// The language, if a parameter chose it.
    parameter: Option<Language>,
    /// Whether a frame of another site shows the page.
    is_embedded: bool,
}

impl Deref for Site {
    type Target = SiteConfig;

    fn deref(&self) -> &SiteConfig {
        &self.config
    }
}

impl Site {
    /// The site under the default base path, in the default language.
    pub fn new(public_url: &str, site: &app::site::Site) -> Self {
        let url = public_url.trim_end_matches('/');
        let config = SiteConfig {
            pages: url.to_owned(),
            url: url.to_owned(),
            face: LiveFace::default(),
            media: site.media_url.clone(),
            host: site.host.clone(),
            zone: site.zone.clone(),
            currency: site.currency,
            language: site.language,
        };
        Self::seen(Arc::new(config), Arc::default(), None)
    }

    /// The site of a request under `base_path`; `parameter` is the language in `ml_language`.
    #[must_use]
    pub fn at(&self, base_path: Arc<BasePath>, parameter: Option<Language>) -> Self {
        Self::seen(Arc::clone(&self.config), base_path, parameter)
    }

    /// The site under another base path.
    #[must_use]
    pub fn under(&self, base_path: &Arc<BasePath>) -> Self {
        self.at(Arc::clone(base_path), self.parameter)
    }

    /// The site without the language of a parameter.
    #[must_use]
    pub fn without_parameter(&self) -> Self {
        self.at(Arc::clone(&self.base_path), None)
    }

    /// The site of a request whose path has this language.
    #[must_use]
    pub fn in_language(&self, language: Option<Language>) -> Self {
        self.at(Arc::new(BasePath::of_namespace(language)), None)
    }

    /// The site of a page that a frame of another site shows.
    #[must_use]
    pub fn embedded(&self) -> Self {
        Self {
            is_embedded: true,
            ..self.clone()
        }
    }

    /// The site of a page outside of frames, in the same language.
    #[must_use]
    pub fn unembedded(&self) -> Self {
        Self {
            is_embedded: false,
            ..self.clone()
        }
    }

    /// Whether a frame of another site shows the page.
    pub fn is_embedded(&self) -> bool {
        self.is_embedded
    }

    fn seen(
        config: Arc<SiteConfig>,
        base_path: Arc<BasePath>,
        parameter: Option<Language>,
    ) -> Self {
        let chosen = parameter.or(base_path.language);
        Self {
            api: format!("{}{}", config.url, base_path.prefix),
            pages: config.pages.clone() + &chosen.map(segment).unwrap_or_default(),
            parameter,
            base_path,
            config,
            is_embedded: false,
        }
    }

    /// The default site, with the pages on another site.
    pub(crate) fn with_pages_at(&self, url: &str) -> Self {
        self.configured(|config| url.trim_end_matches('/').clone_into(&mut config.pages))
    }

    /// The default site with another face.
    pub(crate) fn with_face(&self, face: LiveFace) -> Self {
        self.configured(|config| config.face = face)
    }

    /// The default site with a change of its configuration.
    fn configured(&self, change: impl FnOnce(&mut SiteConfig)) -> Self {
        let mut config = SiteConfig::clone(&self.config);
        change(&mut config);
        Self::seen(Arc::new(config), Arc::default(), None)
    }

    /// The name of the site in a language.
    pub fn name_in(&self, language: Language) -> Option<String> {
        self.face.shown().name_in(language).map(str::to_owned)
    }

    /// The first day of the week.
    pub fn week_start(&self) -> Weekday {
        self.face.shown().week_start(self.shown_language())
    }

    /// The title of the site: its name, else its host.
    pub fn title(&self) -> String {
        let face = self.face.shown();
        face.name().unwrap_or(&self.host).to_owned()
    }

    /// The language of the request, else that of the site.
    pub fn shown_language(&self) -> Language {
        let chosen = self.parameter.or(self.base_path.language);
        chosen.unwrap_or(self.config.language)
    }

    /// The base path of the request.
    pub fn base_path(&self) -> &Arc<BasePath> {
        &self.base_path
    }

    /// The URL of the namespace, without trailing slash.
    pub fn api(&self) -> &str {
        &self.api
    }

    /// The URL of the namespace with a placeholder: `https://cal.example/{language}/cal/events/v1`.
    pub fn api_in_languages(&self) -> String {
        format!("{}{}", self.url, self.base_path.pattern)
    }

    /// The URL of the discovery object, without trailing slash; none if the base path has none.
    pub fn discovery(&self) -> Option<String> {
        let root = self.base_path.root.as_deref()?;
        Some(format!("{}{root}", self.url))
    }

    /// The URL of a path of the host interface, such as `/tags`.
    pub fn host(&self, path: &str) -> String {
        self.with_language(self.plain_host(path))
    }

    fn plain_host(&self, path: &str) -> String {
        let root = self.base_path.root.as_deref().unwrap_or_default();
        format!("{}{root}/{}{path}", self.url, HOST_NAMESPACE)
    }

    /// Adds the language to a URL, if a parameter chose it.
    fn with_language(&self, address: String) -> String {
        match self.parameter {
            Some(language) => format!("{address}?ml_language={language}"),
            None => address,
        }
    }

    /// Whether another site shows the pages.
    pub fn has_pages_elsewhere(&self) -> bool {
        self.config.pages != self.url
    }

    /// The URL of the site.
    pub fn root(&self) -> &str {
        &self.url
    }

    /// A moment in the zone of the site.
    pub fn local(&self, moment: Timestamp) -> String {
        domain::time::format_civil(self.zone.at(moment).local)
    }

    /// The URL of a path of the namespace, such as `/events`, with the language if a parameter
    /// chose it.
    pub fn address(&self, path: &str) -> String {
        self.with_language(format!("{}{path}", self.api))
    }

    /// The URL of a collection.
    pub fn collection(&self, kind: Kind) -> String {
        self.address(&format!("/{}", kind.plural()))
    }

    /// The URL of a record.
    pub fn record(&self, kind: Kind, id: impl Display) -> String {
        self.address(&format!("/{}/{id}", kind.plural()))
    }

    /// The URL of the list of a series' occurrences.
    pub fn occurrences(&self, series: impl Display) -> String {
        self.address(&occurrences_path(series))
    }

    /// The URL of an occurrence by its slot.
    pub fn occurrence(&self, series: impl Display, slot: &str) -> String {
        self.address(&format!("{}/{slot}", occurrences_path(series)))
    }

    /// The URL of an image.
    pub fn image(&self, id: ImageId) -> String {
        self.address(&format!("/images/{id}"))
    }

    /// The URL of a secret feed.
    pub fn secret_feed(&self, id: impl Display) -> String {
        self.address(&format!("/feeds/{id}"))
    }

    /// The URL of a source.
    pub fn source(&self, id: impl Display) -> String {
        self.address(&format!("/sources/{id}"))
    }

    /// The URL of the calendar file of a secret feed.
    pub fn secret_feed_file(&self, key: &str) -> String {
        format!("{}/feeds/{key}.ics", self.api)
    }

    /// The URL of a file.
    pub fn file(&self, path: &FilePath) -> String {
        format!("{}/{}", self.media, path.as_str())
    }

    /// The URL of the page of a record.
    pub fn page(&self, kind: Kind, id: impl Display, slug: Option<&Slug>) -> String {
        match slug {
            Some(slug) => format!("{}/{}/{}/", self.pages, kind.name(), slug.percent_encoded()),
            None => format!("{}/?post_type={}&p={id}", self.pages, kind.name()),
        }
    }

    /// The URL of the page of a category, below those of its ancestors.
    pub(crate) fn category_page<'a>(&self, path: impl Iterator<Item = &'a Slug>) -> String {
        path.fold(format!("{}/events/category/", self.pages), |url, slug| {
            url + &slug.percent_encoded() + "/"
        })
    }

    /// The URL of a page, by its path.
    pub fn page_at(&self, path: &str) -> String {
        format!("{}{path}", self.pages)
    }

    /// The path of the site, without trailing slash.
    pub fn path(&self) -> &str {
        self.url.split_once("://").map_or("", |(_, rest)| {
            rest.find('/').map_or("", |slash| &rest[slash..])
        })
    }

    /// The path of an asset of the pages.
    pub fn asset(&self, name: &str) -> String {
        format!("{}/assets/{name}", self.path())
    }

    /// The URLs of a list.
    pub fn list(&self, kind: Kind, query: &[(String, String)], per_page: u32) -> ListUrls {
        ListUrls::new(format!("{}/{}", self.api, kind.plural()), query, per_page)
    }

    /// The URL of the audit trail.
    pub fn audit(&self) -> String {
        self.address("/audit")
    }

    /// The URL of the list of changes.
    pub fn changes(&self) -> String {
        self.address("/changes")
    }

    /// The URLs of the list of changes with a query.
    pub fn changes_list(&self, query: &[(String, String)], per_page: u32) -> ListUrls {
        ListUrls::new(format!("{}/changes", self.api), query, per_page)
    }

    /// The URL of the calendar feed of the events that a list with a query would hold.
    pub fn calendar_feed(&self, query: &[(String, String)]) -> String {
        self.event_file("ics", query)
    }

    /// The URL of the file, with a suffix, of the events that a list with a query would hold.
    pub fn event_file(&self, suffix: &str, query: &[(String, String)]) -> String {
        const UNUSED: [&str; 7] = [
            "format",
            "page",
            "per_page",
            "orderby",
            "order",
            "_fields",
            "_envelope",
        ];
        let used = query.iter().filter(|(name, _)| !UNUSED.contains(&&**name));
        let used: Vec<_> = used.cloned().collect();
        ListUrls::new(format!("{}/events.{suffix}", self.api), &used, 0).this()
    }

    /// The URLs of the list of a series' occurrences.
    pub fn occurrence_list(
        &self,
        series: impl Display,
        query: &[(String, String)],
        per_page: u32,
    ) -> ListUrls {
        let list = format!("{}{}", self.api, occurrences_path(series));
        ListUrls::new(list, query, per_page)
    }

    /// The URLs of a list of the host interface.
    pub fn host_list(&self, path: &str, query: &[(String, String)], per_page: u32) -> ListUrls {
        ListUrls::new(self.plain_host(path), query, per_page)
    }
}

/// The path of the list of a series' occurrences, below the namespace.
fn occurrences_path(series: impl Display) -> String {
    format!("/{}/{series}/occurrences", Kind::Event.plural())
}

/// The namespace of the host interface.
pub const HOST_NAMESPACE: &str = "wp/v2";

/// The route of the discovery object. No client can send it, as request paths are lowercased.
pub const HOST_ROOT: &str = "/Host";

/// A path below [`HOST_ROOT`] without a route.
pub(crate) const HOST_NOWHERE: &str = "/Host/nowhere";

/// The paths without further segments that are pages.
const EXACT: [&str; 7] = [
    "/",
    "/events",
    "/feed",
    "/venues",
    "/organizers",
    "/categories",
    "/tags",
];

/// The path of the index of the sitemap.
pub const SITEMAP: &str = "/sitemap.xml";

/// Whether a path is that of the sitemap or of one of its files.
fn is_of_sitemap(path: &str) -> bool {
    path == SITEMAP || path.starts_with("/sitemap/")
}

/// Whether a path, without a language before it, is that of a page.
pub(crate) fn is_page(path: &str) -> bool {
    let below = [
        "/event/",
        "/venue/",
        "/organizer/",
        "/tag/",
        "/events/",
        "/series/",
        "/embed/",
    ];
    let path_of_folder = path.strip_suffix('/').filter(|path| !path.is_empty());
    EXACT.contains(&path_of_folder.unwrap_or(path))
        || below.iter().any(|prefix| path.starts_with(prefix))
}

/// The URL of a calendar file by which calendar programs subscribe to it.
pub fn webcal(url: &str) -> String {
    let scheme = url.find("://").unwrap_or_default();
    format!("webcal{}", &url[scheme..])
}

#[cfg(test)]
mod tests {
    use super::{BasePathPattern, InvalidBasePath};

    /// Parses a base path of a service with some routes of the interface and of pages.
    pub(super) fn parse_base_path(text: &str) -> Result<BasePathPattern, InvalidBasePath> {
        let routes = [
            "/healthz",
            "/livez",
            "/readyz",
            "/cal/events/v1/events/{id}",
            "/",
            "/event/{slug}",
            "/events/category/{*path}",
            "/tag/{slug}",
            "/assets/{file}",
            "/media/{*path}",
        ];
        BasePathPattern::parse(text, &routes.map(str::to_owned))
    }
}
