//! Addresses in answers: absolute, under the configured public URL, never from what a request says.

use std::{ops::Deref, sync::Arc};

use domain::{
    Id, ImageId, Kind, Language,
    cost::SiteCurrency,
    image::FilePath,
    slug::Slug,
    time::{Timestamp, Zone},
};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::{
    host,
    mount::{Mount, segment},
};

/// What stays as it is in the value of a query.
const QUERY: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~')
    .remove(b',')
    .remove(b':');

/// What is the same for all requests.
#[derive(Clone, Debug)]
pub(crate) struct Home {
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
    home: Arc<Home>,
    /// Under which path the request came.
    mount: Arc<Mount>,
    /// Where the interface begins.
    api: String,
    /// Where the pages for people begin.
    pages: String,
    /// The language, if it was chosen by a parameter.
    parameter: Option<Language>,
}

/// What tells sites of one service apart.
pub(crate) type SiteDigest = [u8; 16];

impl Deref for Site {
    type Target = Home;

    fn deref(&self) -> &Home {
        &self.home
    }
}

impl Site {
    /// The site to requests that choose nothing.
    pub(crate) fn new(public_url: &str, site: &app::site::Site) -> Self {
        let url = public_url.trim_end_matches('/');
        let home = Home {
            pages: url.to_owned(),
            url: url.to_owned(),
            name: None,
            media: site.media_url.clone(),
            host: site.host.clone(),
            zone: site.zone.clone(),
            currency: site.currency,
            language: site.language,
        };
        Self::seen(Arc::new(home), Arc::default(), None)
    }

    /// The site to a request that came under `mount` and chose a language by the parameter
    /// `ml_language`, if any.
    pub(crate) fn at(&self, mount: Arc<Mount>, parameter: Option<Language>) -> Self {
        Self::seen(Arc::clone(&self.home), mount, parameter)
    }

    /// The site to the same request under another mount.
    pub(crate) fn under(&self, mount: &Arc<Mount>) -> Self {
        self.at(Arc::clone(mount), self.parameter)
    }

    /// The site to the same request without a language in its parameters.
    pub(crate) fn without_parameter(&self) -> Self {
        self.at(Arc::clone(&self.mount), None)
    }

    /// The site to a request whose path names this language.
    pub(crate) fn in_language(&self, language: Option<Language>) -> Self {
        self.at(Arc::new(Mount::of_namespace(language)), None)
    }

    fn seen(home: Arc<Home>, mount: Arc<Mount>, parameter: Option<Language>) -> Self {
        let chosen = parameter.or(mount.language);
        Self {
            api: format!("{}{}", home.url, mount.prefix),
            pages: home.pages.clone() + &chosen.map(segment).unwrap_or_default(),
            parameter,
            mount,
            home,
        }
    }

    /// What sets it apart from the site of other requests.
    pub(crate) fn digest(&self) -> SiteDigest {
        let Self {
            home: _,
            // The address of the interface tells it.
            mount: _,
            api,
            pages,
            parameter,
        } = self;
        let parameter = parameter.map_or("", Language::code);
        let mut hasher = blake3::Hasher::new();
        for text in [api, pages, parameter] {
            // No address contains it.
            hasher.update(text.as_bytes()).update(b"\n");
        }
        let mut digest = SiteDigest::default();
        hasher.finalize_xof().fill(&mut digest);
        digest
    }

    /// The site to requests that choose nothing, where another site shows the pages for people.
    pub(crate) fn with_pages_at(&self, url: &str) -> Self {
        let home = Home {
            pages: url.trim_end_matches('/').to_owned(),
            ..Home::clone(&self.home)
        };
        Self::seen(Arc::new(home), Arc::default(), None)
    }

    /// The site to requests that choose nothing, under a name.
    pub(crate) fn named(&self, name: &str) -> Self {
        let home = Home {
            name: Some(name.to_owned()),
            ..Home::clone(&self.home)
        };
        Self::seen(Arc::new(home), Arc::default(), None)
    }

    /// The name of the site, if it has one.
    pub(crate) fn name(&self) -> Option<&str> {
        self.home.name.as_deref()
    }

    /// The title of the site: its name, else its host.
    pub(crate) fn title(&self) -> &str {
        self.name().unwrap_or(&self.host)
    }

    /// Under which path the request came.
    pub(crate) fn mount(&self) -> &Arc<Mount> {
        &self.mount
    }

    /// Where the interface begins, without a slash at its end.
    pub(crate) fn api(&self) -> &str {
        &self.api
    }

    /// Where the interface begins in any language: `https://cal.example/{language}/cal/events/v1`.
    pub(crate) fn api_in_languages(&self) -> String {
        format!("{}{}", self.url, self.mount.pattern)
    }

    /// The address of the discovery object, without a slash at its end; none if the mount has none.
    pub(crate) fn discovery(&self) -> Option<String> {
        let root = self.mount.root.as_deref()?;
        Some(format!("{}{root}", self.url))
    }

    /// The address of a path of the host's own interface, such as `/tags`.
    pub(crate) fn host(&self, path: &str) -> String {
        self.with_language(self.plain_host(path))
    }

    fn plain_host(&self, path: &str) -> String {
        let root = self.mount.root.as_deref().unwrap_or_default();
        format!("{}{root}/{}{path}", self.url, host::NAMESPACE)
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
        self.home.pages != self.url
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

/// The address of a list, and of its other pages, with the parameters of the request.
#[derive(Clone, Debug)]
pub(crate) struct ListUrls {
    collection: String,
    query: Vec<(String, String)>,
}

impl ListUrls {
    /// `query` is what was sent, in its order; `per_page` is what was used of it. A password is left
    /// out.
    fn new(collection: String, query: &[(String, String)], per_page: u32) -> Self {
        let kept = query.iter().filter(|(name, _)| name != "password");
        let query = kept.map(|(name, value)| {
            let value = if name == "per_page" {
                per_page.to_string()
            } else {
                value.clone()
            };
            (name.clone(), value)
        });
        Self {
            collection,
            query: query.collect(),
        }
    }

    /// The list itself.
    pub(crate) fn this(&self) -> String {
        self.with(
            self.query
                .iter()
                .map(|(name, value)| (name.as_str(), value.as_str())),
        )
    }

    /// One of its pages; the first has no number.
    pub(crate) fn page(&self, number: u64) -> String {
        let text = number.to_string();
        let others = self.query.iter().filter(|(name, _)| name != "page");
        let others = others.map(|(name, value)| (name.as_str(), value.as_str()));
        self.with(others.chain((number > 1).then_some(("page", text.as_str()))))
    }

    fn with<'a>(&self, query: impl Iterator<Item = (&'a str, &'a str)>) -> String {
        let mut url = self.collection.clone();
        for (index, (name, value)) in query.enumerate() {
            url.push(if index == 0 { '?' } else { '&' });
            url.extend(utf8_percent_encode(name, QUERY));
            url.push('=');
            url.extend(utf8_percent_encode(value, QUERY));
        }
        url
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_keep_what_was_sent() {
        let query = [
            ("search", "a b&c"),
            ("page", "2"),
            ("per_page", "1000"),
            ("password", "x"),
        ];
        let query = query.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let urls = ListUrls::new("http://h/events".to_owned(), &query, 100);
        assert_eq!(
            urls.this(),
            "http://h/events?search=a%20b%26c&page=2&per_page=100"
        );
        assert_eq!(
            urls.page(1),
            "http://h/events?search=a%20b%26c&per_page=100"
        );
        assert_eq!(
            urls.page(3),
            "http://h/events?search=a%20b%26c&per_page=100&page=3"
        );
    }
}
