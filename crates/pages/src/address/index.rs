//! The addresses of indexes.

use domain::{Kind, Language};
use http_service::site::Site;

use crate::words::{Word, kinds};

/// The index of the records of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Index(pub(crate) Kind);

/// A link to an index.
#[derive(Debug)]
pub(crate) struct IndexLink {
    pub(crate) kind: Kind,
    pub(crate) url: String,
    pub(crate) text: &'static str,
    pub(crate) is_current: bool,
}

impl Index {
    /// The title.
    pub(crate) const fn title(self) -> Word {
        match self.0 {
            Kind::Organizer => Word("الجهات المنظمة", "Organizers", "Organisations"),
            kind => kinds(kind),
        }
    }

    /// The URL of the first page.
    pub(crate) fn url(self, site: &Site) -> String {
        site.page_at(&self.path_of_page())
    }

    /// The path, with the language of the request.
    pub(crate) fn path(self, site: &Site) -> String {
        let path = self.path_of_page();
        match site.base_path().language {
            Some(language) => format!("/{language}{path}"),
            None => path,
        }
    }

    fn path_of_page(self) -> String {
        format!("/{}/", self.0.plural())
    }
}

/// Links to all indexes.
pub(crate) fn index_links(site: &Site, language: Language) -> Vec<IndexLink> {
    let kinds_with_index = [Kind::Venue, Kind::Organizer, Kind::Category, Kind::Tag];
    let link = |kind| IndexLink {
        kind,
        url: Index(kind).url(site),
        text: Index(kind).title().text(language),
        is_current: false,
    };
    kinds_with_index.map(link).into()
}
