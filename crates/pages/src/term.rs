//! The pages of categories and tags.

use app::{
    error::AppError,
    request::RecordKey,
    term::{TermKind, TermView},
};
use domain::{
    Id, Kind, Term, page as list,
    term::{Taxonomy, TermFilter},
};
use http_service::{record::term_page, site::Site};

use super::{
    content::{Content, Link},
    files::ListFilter,
    record::HasPage,
    request::PageRequest,
    words::{Word, kind},
};

/// The maximum number of subcategories on a page.
const MAX_CHILDREN: u64 = 100;

impl<X: TermKind> HasPage for Term<X> {
    fn url(view: &TermView<X>, site: &Site) -> String {
        term_page(view, site)
    }

    fn content(view: &TermView<X>, request: &PageRequest) -> Content {
        Content {
            kind: Some(request.word(kind(X::KIND))),
            title: view.term.name.as_str().to_owned(),
            description: view.term.description.in_paragraphs(),
            ..Content::default()
        }
    }

    fn summary(view: &TermView<X>, _request: &PageRequest) -> String {
        view.term.description.plain()
    }

    fn list_filter(view: &TermView<X>) -> Option<ListFilter> {
        let id = view.term.id.get();
        Some(match X::KIND {
            Kind::Tag => ListFilter::Tag(Id::from_raw(id)),
            _ => ListFilter::Category(Id::from_raw(id)),
        })
    }

    fn depth(view: &TermView<X>) -> usize {
        view.ancestors.len()
    }

    /// Adds the parent category and the subcategories.
    async fn load_related(
        view: &TermView<X>,
        request: &PageRequest,
        content: &mut Content,
    ) -> Result<(), AppError> {
        if !X::HIERARCHICAL {
            return Ok(());
        }
        let calendar = &request.state.calendar;
        if let Some(parent) = view.term.parent {
            let parent = calendar
                .get_public(RecordKey::<Self>::Id(parent), &request.options())
                .await?;
            content.terms(
                request.word(Word::PART_OF),
                [link(&parent, &request.site)].into_iter(),
            );
        }
        let filter = TermFilter {
            parent: Some(Some(view.term.id)),
            ..TermFilter::default()
        };
        let page = list::PageRequest::new(1, MAX_CHILDREN, u32::MAX);
        let children = request.list::<Self>(filter, page).await?;
        let links = children.rows.iter().map(|view| link(view, &request.site));
        let links: Vec<_> = links.collect();
        if !links.is_empty() {
            content.children = Some((request.word(Word::SUBCATEGORIES), links));
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
