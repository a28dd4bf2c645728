//! Categories and tags as JSON.

use std::borrow::Cow;

use app::term::TermView;
use domain::{
    Id, Kind,
    term::{Categories, Tags, Taxonomy},
    text::escape_markup,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::values::{EmptyList, LanguageCode, Url, languages};
use crate::site::Site;

/// A category or a tag.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Term")]
pub(crate) struct TermRecord<'a> {
    /// Its number among its kind.
    pub(crate) id: i64,
    /// Published events that carry it.
    pub(crate) count: u64,
    /// A description, HTML.
    pub(crate) description: &'a str,
    /// The name, plain text.
    pub(crate) name: Cow<'a, str>,
    /// Its name in addresses.
    pub(crate) slug: &'a str,
    /// Which kind it is: a category, or a tag.
    #[schemars(extend("enum" = [Categories::NAME, Tags::NAME]))]
    pub(crate) taxonomy: &'static str,
    /// The category above it, or 0; tags have no such field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) parent: Option<i64>,
    /// Further data: none.
    pub(crate) meta: EmptyList,
    /// Its page for people.
    pub(crate) url: Url,
    urls: TermUrls,
    /// The language it was written in.
    language: LanguageCode,
    /// The languages it has texts in, its own first.
    translations: Vec<LanguageCode>,
}

/// Addresses in this interface.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
struct TermUrls {
    /// The term.
    #[serde(rename = "self")]
    this: Url,
    /// The list of its kind.
    collection: Url,
    /// The category above it, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    up: Option<Url>,
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
            meta: EmptyList::default(),
            url: Url(page(view, site)),
            urls: TermUrls {
                this: Url(site.record(X::KIND, term.id)),
                collection: Url(site.collection(X::KIND)),
                up: term.parent.map(|parent| Url(site.record(X::KIND, parent))),
            },
            language: term.language.into(),
            translations: languages(&term.content),
        }
    }
}

/// The URL of the page of a term.
pub(crate) fn page<X: Taxonomy>(view: &TermView<X>, site: &Site) -> String {
    let TermView {
        term, ancestors, ..
    } = view;
    match X::KIND {
        Kind::Category => site.category_page(ancestors.iter().chain([&term.slug])),
        kind => site.page(kind, term.id, Some(&term.slug)),
    }
}
