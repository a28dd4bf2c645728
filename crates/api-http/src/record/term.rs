//! Categories and tags as JSON.

use std::borrow::Cow;

use app::term::TermView;
use domain::{
    Id,
    term::{Categories, Tags, Taxonomy},
    text::escape_markup,
};
use http_service::{record::term_page, site::Site};
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    WarningRecord,
    values::{EmptyList, LanguageCode, Url, languages},
};

/// A category or a tag.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Term")]
pub(crate) struct TermRecord<'a> {
    /// The ID, unique among records of its kind.
    pub(crate) id: i64,
    /// The number of its published events.
    pub(crate) count: u64,
    /// A description, HTML.
    pub(crate) description: &'a str,
    /// The name, plain text.
    pub(crate) name: Cow<'a, str>,
    /// The slug.
    pub(crate) slug: &'a str,
    /// The taxonomy: categories or tags.
    #[schemars(extend("enum" = [Categories::NAME, Tags::NAME]))]
    pub(crate) taxonomy: &'static str,
    /// The ID of the parent category, or 0; tags have no such field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) parent: Option<i64>,
    /// Always empty.
    pub(crate) meta: EmptyList,
    /// The URL of the HTML page.
    pub(crate) url: Url,
    urls: TermUrls,
    /// The language of the original texts.
    language: LanguageCode,
    /// The languages of the texts, the original first.
    translations: Vec<LanguageCode>,
    /// Only of a restored revision: what of it had no effect.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<WarningRecord>,
}

/// URLs in this interface.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
struct TermUrls {
    /// The URL of the term.
    #[serde(rename = "self")]
    this: Url,
    /// The URL of the list.
    collection: Url,
    /// The URL of the parent category, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    up: Option<Url>,
}

impl<'a> TermRecord<'a> {
    pub(crate) fn new<X: Taxonomy>(view: &'a TermView<X>, site: &Site) -> Self {
        let term = &view.term;
        Self {
            id: term.id.get(),
            count: view.count,
            description: term.description.as_str(),
            name: escape_markup(term.name.as_str()),
            slug: term.slug.as_str(),
            taxonomy: X::NAME,
            parent: X::HIERARCHICAL.then(|| term.parent.map_or(0, Id::get)),
            meta: EmptyList::default(),
            url: Url(term_page(view, site)),
            urls: TermUrls {
                this: Url(site.record(X::KIND, term.id)),
                collection: Url(site.collection(X::KIND)),
                up: term.parent.map(|parent| Url(site.record(X::KIND, parent))),
            },
            language: term.language.into(),
            translations: languages(&term.content),
            // `revisions::restore` adds them to the JSON.
            warnings: Vec::new(),
        }
    }
}
