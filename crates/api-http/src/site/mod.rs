//! Addresses in answers: absolute, under the configured public URL, never from what a request says.

pub(crate) mod announcement;
pub(crate) mod base_path;
pub(crate) mod list_urls;
pub(crate) mod route_path;

use std::{ops::Deref, sync::Arc};

use domain::{
    Id, ImageId, Kind, Language,
    cost::SiteCurrency,
    image::FilePath,
    slug::Slug,
    time::{Timestamp, Zone},
};
use list_urls::ListUrls;

use crate::site::base_path::{BasePath, segment};

/// What is the same for all requests.
#[derive(Clone, Debug)]
pub(crate) struct SiteConfig {
    url: String,
    /// The name of the site, if it has one.
    name: Option<String>,
    media: String,
    pub(crate) host: String,
    pub(crate) zone: Zone,
    /// The currency of prices without one.
    pub(crate) currency: SiteCurrency,
    /// Of requests that choose none.
    pub(crate) language: Language,
    /// The site that shows the pages for people.
    pages: String,
}

/// The site as the answer to a request names it: its addresses keep the path under which the request
/// came, and the language that it chose.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    config: Arc<SiteConfig>,
    /// Under which path the request came.
    base_path: Arc<BasePath>,
    /// Where the interface begins.
    api: String,
    /// Where the pages for people begin.
    pages: String,
    /// The language, if it was chosen by a parameter.
    parameter: Option<Language>,
}

impl Deref for Site {
    type Target = SiteConfig;

    fn deref(&self) -> &SiteConfig {
        &self.config
    }
}

impl Site {
    /// The site to requests that choose nothing.
    pub(crate) fn new(public_url: &str, site: &app::site::Site) -> Self {
        let url = public_url.trim_end_matches('/');
        let config = SiteConfig {
            pages: url.to_owned(),
            url: url.to_owned(),
            name: None,
            media: site.media_url.clone(),
            host: site.host.clone(),
            zone: site.zone.clone(),
            currency: site.currency,
            language: site.language,
        };
        Self::seen(Arc::new(config), Arc::default(), None)
    }

    /// The site to a request that came under `base_path` and chose a language by the parameter
    /// `ml_language`, if any.
    pub(crate) fn at(&self, base_path: Arc<BasePath>, parameter: Option<Language>) -> Self {
        Self::seen(Arc::clone(&self.config), base_path, parameter)
    }

    /// The site to the same request under another base_path.
    pub(crate) fn under(&self, base_path: &Arc<BasePath>) -> Self {
        self.at(Arc::clone(base_path), self.parameter)
    }

    /// The site to the same request without a language in its parameters.
    pub(crate) fn without_parameter(&self) -> Self {
        self.at(Arc::clone(&self.base_path), None)
    }

    /// The site to a request whose path names this language.
    pub(crate) fn in_language(&self, language: Option<Language>) -> Self {
        self.at(Arc::new(BasePath::of_namespace(language)), None)
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
        }
    }

    /// The site to requests that choose nothing, where another site shows the pages for people.
    pub(crate) fn with_pages_at(&self, url: &str) -> Self {
        let config = SiteConfig {
            pages: url.trim_end_matches('/').to_owned(),
            ..SiteConfig::clone(&self.config)
        };
        Self::seen(Arc::new(config), Arc::default(), None)
    }

    /// The site to requests that choose nothing, under a name.
    pub(crate) fn named(&self, name: &str) -> Self {
        let config = SiteConfig {
            name: Some(name.to_owned()),
            ..SiteConfig::clone(&self.config)
        };
        Self::seen(Arc::new(config), Arc::default(), None)
    }

    /// The name of the site, if it has one.
    pub(crate) fn name(&self) -> Option<&str> {
        self.config.name.as_deref()
    }

    /// The title of the site: its name, else its host.
    pub(crate) fn title(&self) -> &str {
        self.name().unwrap_or(&self.host)
    }

    /// Under which path the request came.
    pub(crate) fn base_path(&self) -> &Arc<BasePath> {
        &self.base_path
    }

    /// Where the interface begins, without a slash at its end.
    pub(crate) fn api(&self) -> &str {
        &self.api
    }

    /// Where the interface begins in any language: `https://cal.example/{language}/cal/events/v1`.
    pub(crate) fn api_in_languages(&self) -> String {
        format!("{}{}", self.url, self.base_path.pattern)
    }

    /// The address of the discovery object, without a slash at its end; none if the base_path has none.
    pub(crate) fn discovery(&self) -> Option<String> {
        let root = self.base_path.root.as_deref()?;
        Some(format!("{}{root}", self.url))
    }

    /// The address of a path of the host's own interface, such as `/tags`.
    pub(crate) fn host(&self, path: &str) -> String {
        self.with_language(self.plain_host(path))
    }

    fn plain_host(&self, path: &str) -> String {
        let root = self.base_path.root.as_deref().unwrap_or_default();
        format!("{}{root}/{}{path}", self.url, HOST_NAMESPACE)
    }

    /// An address with the language, if a parameter chose it.
    fn with_language(&self, address: String) -> String {
        match self.parameter {
            Some(language) => format!("{address}?ml_language={language}"),
            None => address,
        }
    }

    /// Whether another site shows the pages for people.
    pub(crate) fn has_pages_elsewhere(&self) -> bool {
        self.config.pages != self.url
    }

    /// The address of the site.
    pub(crate) fn root(&self) -> &str {
        &self.url
    }

    /// A moment by the clocks of the site.
    pub(crate) fn local(&self, moment: Timestamp) -> String {
        domain::time::format_civil(self.zone.at(moment).local)
    }

    /// The address of a path of the interface (`/events`, or none for its root), with the language if
    /// a parameter chose it.
    pub(crate) fn address(&self, path: &str) -> String {
        self.with_language(format!("{}{path}", self.api))
    }

    /// The address of a collection in the interface.
    pub(crate) fn collection(&self, kind: Kind) -> String {
        self.address(&format!("/{}", kind.plural()))
    }

    /// The address of a record in the interface.
    pub(crate) fn record<R>(&self, kind: Kind, id: Id<R>) -> String {
        self.address(&format!("/{}/{id}", kind.plural()))
    }

    /// The address of an image in the interface.
    pub(crate) fn image(&self, id: ImageId) -> String {
        self.address(&format!("/images/{id}"))
    }

    /// The address of a file.
    pub(crate) fn file(&self, path: &FilePath) -> String {
        format!("{}/{}", self.media, path.as_str())
    }

    /// The page of a record for people.
    pub(crate) fn page<R>(&self, kind: Kind, id: Id<R>, slug: Option<&Slug>) -> String {
        match slug {
            Some(slug) => format!("{}/{}/{}/", self.pages, kind.name(), slug.percent_encoded()),
            None => format!("{}/?post_type={}&p={id}", self.pages, kind.name()),
        }
    }

    /// The page of a category for people, below the pages of those above it.
    pub(crate) fn category_page<'a>(&self, path: impl Iterator<Item = &'a Slug>) -> String {
        path.fold(format!("{}/events/category/", self.pages), |url, slug| {
            url + &slug.percent_encoded() + "/"
        })
    }

    /// The address of a page for people, by its path.
    pub(crate) fn page_at(&self, path: &str) -> String {
        format!("{}{path}", self.pages)
    }

    /// The path of a file that goes with the pages for people, whatever their language.
    pub(crate) fn asset(&self, name: &str) -> String {
        let path = self.url.split_once("://").map_or("", |(_, rest)| {
            rest.find('/').map_or("", |slash| &rest[slash..])
        });
        format!("{path}/assets/{name}")
    }

    /// The address of a list; see [`ListUrls`].
    pub(crate) fn list(&self, kind: Kind, query: &[(String, String)], per_page: u32) -> ListUrls {
        ListUrls::new(format!("{}/{}", self.api, kind.plural()), query, per_page)
    }

    /// The address of a list of the host's own interface.
    pub(crate) fn host_list(
        &self,
        path: &str,
        query: &[(String, String)],
        per_page: u32,
    ) -> ListUrls {
        ListUrls::new(self.plain_host(path), query, per_page)
    }
}

/// The namespace of the host's own interface.
pub(crate) const HOST_NAMESPACE: &str = "wp/v2";

/// The path of the discovery object, as the routes know it. No client can send it, as the path of a
/// request is brought to lower case.
pub(crate) const HOST_ROOT: &str = "/Host";

/// A path below [`HOST_ROOT`] that has no route.
pub(crate) const HOST_NOWHERE: &str = "/Host/nowhere";

/// Whether a path, without a language before it, is that of a page.
pub(crate) fn is_page(path: &str) -> bool {
    let below = [
        "/event/",
        "/venue/",
        "/organizer/",
        "/events/category/",
        "/tag/",
    ];
    path == "/" || below.iter().any(|prefix| path.starts_with(prefix))
}
