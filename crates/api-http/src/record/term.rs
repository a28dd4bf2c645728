//! Categories and tags as JSON.

use std::borrow::Cow;

use app::term::TermView;
use domain::{Id, Kind, Record as _, term::Taxonomy, text::escape_markup};
use serde::Serialize;

use super::languages;
use crate::{pieces::Piece, urls::Site};

/// A term as JSON; the same on its own and within an event.
#[derive(Debug, Serialize)]
pub(crate) struct TermRecord<'a> {
    id: i64,
    count: u64,
    description: &'a str,
    name: Cow<'a, str>,
    slug: &'a str,
    taxonomy: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<i64>,
    meta: [(); 0],
    url: String,
    urls: TermUrls,
    language: &'static str,
    translations: Vec<&'static str>,
}

#[derive(Debug, Serialize)]
struct TermUrls {
    #[serde(rename = "self")]
    this: String,
    collection: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    up: Option<String>,
}

impl<'a> TermRecord<'a> {
    pub(crate) fn new<X: Taxonomy>(view: &'a TermView<X>, site: &Site) -> Self {
        let TermView {
            term,
            count,
            ancestors: _,
            language: _,
        } = view;
        Self {
            id: term.id.get(),
            count: *count,
            description: term.description.as_str(),
            name: escape_markup(term.name.as_str()),
            slug: term.slug.as_str(),
            taxonomy: X::NAME,
            parent: X::HIERARCHICAL.then(|| term.parent.map_or(0, Id::get)),
            meta: [],
            url: page(view, site),
            urls: TermUrls {
                this: site.record(X::KIND, term.id),
                collection: site.collection(X::KIND),
                up: term.parent.map(|parent| site.record(X::KIND, parent)),
            },
            language: term.language.code(),
            translations: languages(&term.content),
        }
    }
}

impl<X: Taxonomy> Piece for TermView<X> {
    const KIND: Kind = X::KIND;

    fn id(&self) -> i64 {
        self.term.id.get()
    }

    fn is_shown_as(&self, other: &Self) -> bool {
        self == other
    }

    fn to_kept(&self) -> Self {
        self.clone()
    }

    fn text_bytes(&self) -> usize {
        self.term.text_bytes()
    }

    fn parts(&self, site: &Site) -> serde_json::Result<[Vec<u8>; 2]> {
        Ok([
            serde_json::to_vec(&TermRecord::new(self, site))?,
            Vec::new(),
        ])
    }
}

/// The page of a term for people.
pub(crate) fn page<X: Taxonomy>(view: &TermView<X>, site: &Site) -> String {
    let TermView {
        term, ancestors, ..
    } = view;
    match X::KIND {
        Kind::Category => site.category_page(ancestors.iter().chain([&term.slug])),
        kind => site.page(kind, term.id, Some(&term.slug)),
    }
}
