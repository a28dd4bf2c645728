//! Categories and tags.

use domain::{Id, Language, Term, term::Taxonomy};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Warning, values::id_or_zero};

/// A category or a tag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct TermRecord<X: Taxonomy> {
    /// The ID, unique among records of its kind.
    pub id: Id<Term<X>>,
    /// The number of its events that everybody can list.
    pub count: u64,
    /// A description, HTML.
    pub description: String,
    /// The name.
    pub name: String,
    /// The slug.
    pub slug: String,
    /// The name of the taxonomy.
    pub taxonomy: String,
    /// The category above.
    #[serde(default, with = "id_or_zero")]
    pub parent: Option<Id<Term<X>>>,
    /// Always empty.
    pub meta: Vec<Value>,
    /// The URL of the HTML page.
    pub url: String,
    /// URLs in the interface.
    pub urls: TermUrls,
    /// The language of the original texts.
    pub language: Language,
    /// The languages of the texts, the original first.
    pub translations: Vec<Language>,
    /// The parts of a restored revision that had no effect; a restored record alone has them.
    #[serde(default)]
    pub warnings: Vec<Warning>,
}

/// URLs of a category or a tag in the interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TermUrls {
    /// The URL of the record.
    #[serde(rename = "self")]
    pub this: String,
    /// The URL of the list.
    pub collection: String,
    /// The URL of the category above.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub up: Option<String>,
}
