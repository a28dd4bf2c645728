//! The filters of lists of categories and tags.

use domain::{
    EventId, FieldName, Term,
    slug::Slug,
    term::{TermFilter, TermSort},
};

use super::TermKind;
use crate::{
    entry::{check_ids, readable_event},
    error::AppError,
    fault::FaultCollector,
    ports::Repositories,
    request::Request,
    resource::among_slugs,
};

/// A term that a filter names.
///
/// ```
/// use events_calendar_app::term::{TermQuery, TermSelector};
///
/// let jazz = TermSelector { id: None, text: Some("jazz".to_owned()) };
/// let all = TermQuery { hide_empty: false, ..TermQuery::default() };
/// assert!(jazz.id.is_none() && all.slugs.is_none());
/// ```
///
/// It is found by its ID, if a term has it; otherwise by its slug or name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermSelector {
    /// ID.
    pub id: Option<i64>,
    /// Slug or name.
    pub text: Option<String>,
}

/// The filters of a list of categories or tags, whose links are not looked up yet.
#[derive(Clone, Debug, Default)]
pub struct TermQuery {
    /// Part of the name, folded.
    pub search: Option<String>,
    /// The only IDs.
    pub include: Option<Vec<i64>>,
    /// IDs to leave out.
    pub exclude: Option<Vec<i64>>,
    /// The category above; 0 for the top.
    pub parent: Option<i64>,
    /// The only slug, as sent.
    pub slug: Option<String>,
    /// The only slugs.
    pub slugs: Option<Vec<Slug>>,
    /// The event whose terms are listed, and the field that names it.
    pub event: Option<(FieldName, EventId)>,
    /// Whether terms without public events are left out.
    pub hide_empty: bool,
    /// Sort key.
    pub sort: TermSort,
    /// Whether the order is reversed.
    pub descending: bool,
}

impl TermQuery {
    /// See [`Resource::look_up`](crate::resource::Resource::look_up).
    pub(super) async fn look_up<X: TermKind>(
        self,
        request: &Request<'_>,
        repositories: &dyn Repositories,
    ) -> Result<TermFilter<X>, AppError> {
        let Self {
            search,
            include,
            exclude,
            parent,
            slug,
            slugs,
            event,
            hide_empty,
            sort,
            descending,
        } = self;
        let mut faults = FaultCollector::default();
        let include = check_ids(
            FieldName::Include,
            include,
            request,
            repositories,
            &mut faults,
        )
        .await?;
        let exclude = check_ids(
            FieldName::Exclude,
            exclude,
            request,
            repositories,
            &mut faults,
        )
        .await?;
        let top = parent == Some(0);
        let parent = parent.filter(|_| !top).map(|id| vec![id]);
        let parent = check_ids(
            FieldName::Parent,
            parent,
            request,
            repositories,
            &mut faults,
        )
        .await?;
        faults.finish()?;
        let of_event = match event {
            None => None,
            Some((field, id)) => {
                let event = readable_event(field, id, request, repositories).await?;
                Some(X::of_event(&event).to_vec())
            }
        };
        // Both lists restrict the result; `include` also gives the order.
        let include = match (include, of_event) {
            (Some(ids), Some(of_event)) => {
                Some(ids.into_iter().filter(|id| of_event.contains(id)).collect())
            }
            (ids, of_event) => ids.or(of_event),
        };
        let include = among_slugs::<Term<X>>(include, slugs, repositories).await?;
        Ok(TermFilter {
            search,
            include,
            exclude: exclude.unwrap_or_default(),
            parent: if top {
                Some(None)
            } else {
                parent.map(|ids| ids.first().copied())
            },
            // A text that cannot be a slug matches no term.
            slug: slug
                .map(|slug| Slug::typed(&slug).unwrap_or_else(|| Slug::from_stored(String::new()))),
            hide_empty,
            sort,
            descending,
        })
    }
}
