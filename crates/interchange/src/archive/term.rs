//! Lines of categories and tags.

use std::marker::PhantomData;

use domain::{Id, Language, Stored, Term, html::RichText, term::Taxonomy, text::Title};
use serde::{Deserialize, Serialize};

use super::text::{FormerSlugLine, SlugText, TranslationLines, translation_lines, translations};

/// A category or a tag.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub(super) struct TermLine<X: Taxonomy> {
    id: Id<Term<X>>,
    revision: i64,
    language: Language,
    name: Title,
    slug: SlugText,
    description: RichText,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parent: Option<Id<Term<X>>>,
    #[serde(default, skip_serializing_if = "TranslationLines::is_empty")]
    translations: TranslationLines,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    former_slugs: Vec<FormerSlugLine>,
}

impl<X: Taxonomy> TermLine<X> {
    pub(super) fn new(term: Stored<Term<X>>, former_slugs: Vec<FormerSlugLine>) -> Self {
        Self {
            translations: translation_lines(&term.content),
            id: term.id,
            revision: term.revision,
            language: term.content.language,
            name: term.content.name,
            slug: SlugText(term.content.slug),
            description: term.content.description,
            parent: term.content.parent,
            former_slugs,
        }
    }

    /// The record, with the slugs that it gave up.
    pub(super) fn into_record(self) -> (Stored<Term<X>>, Vec<FormerSlugLine>) {
        let record = Stored {
            id: self.id,
            revision: self.revision,
            content: Term {
                language: self.language,
                translations: translations(self.translations),
                name: self.name,
                slug: self.slug.0,
                description: self.description,
                parent: self.parent,
                taxonomy: PhantomData,
            },
        };
        (record, self.former_slugs)
    }
}
