//! The pages of categories and tags.

use app::{
    error::AppError,
    request::RecordKey,
    term::{TermKind, TermView},
};
use domain::{Kind, Term, policy::Caller, term::Taxonomy};
use serde_json::{Value as Json, json};

use super::{
    Shown,
    content::{Content, Link},
    listing::Narrowed,
    visit::Visit,
    words::{Word, kind},
};
use crate::{record::term_page, site::Site};

/// Subcategories on a page at the most.
const MAX_CHILDREN: u32 = 100;

impl<X: TermKind> Shown for Term<X> {
    fn url(view: &TermView<X>, site: &Site) -> String {
        term_page(view, site)
    }

    fn content(view: &TermView<X>, visit: &Visit) -> Content {
        Content {
            kind: Some(kind(X::KIND, visit.language())),
            title: view.term.name.as_str().to_owned(),
            description: view.term.description.in_paragraphs(),
            ..Content::default()
        }
    }

    fn summary(view: &TermView<X>) -> String {
        view.term.description.plain()
    }

    fn structured(_view: &TermView<X>, _site: &Site) -> Option<Json> {
        None
    }

    fn narrowed(view: &TermView<X>) -> Option<Narrowed> {
        let filter = match X::KIND {
            Kind::Tag => "tags",
            _ => "categories",
        };
        Some((filter, json!([view.term.id.get()])))
    }

    /// The category above, and those below.
    async fn complete(
        view: &TermView<X>,
        visit: &Visit,
        content: &mut Content,
    ) -> Result<(), AppError> {
        if !X::HIERARCHICAL {
            return Ok(());
        }
        let calendar = &visit.state.calendar;
        if let Some(parent) = view.term.parent {
            let parent = calendar
                .get_public(RecordKey::<Self>::Id(parent), &visit.fields([]))
                .await?;
            content.terms(
                visit.say(Word::PartOf),
                [link(&parent, &visit.site)].into_iter(),
            );
        }
        let fields = visit.fields([
            ("parent", json!(view.term.id.get())),
            ("hide_empty", json!(false)),
            ("per_page", json!(MAX_CHILDREN)),
        ]);
        let children = calendar.list::<Self>(Caller::Anonymous, &fields).await?;
        let links = children.rows.iter().map(|view| link(view, &visit.site));
        let links: Vec<_> = links.collect();
        if !links.is_empty() {
            content.children = Some((visit.say(Word::Subcategories), links));
        }
        Ok(())
    }
}

/// A link to a category or a tag.
pub(super) fn link<X: Taxonomy>(view: &TermView<X>, site: &Site) -> Link {
    Link {
        url: term_page(view, site),
        text: view.term.name.as_str().to_owned(),
    }
}
