//! The filters of lists of categories and tags.

use async_trait::async_trait;
use domain::{
    EventId, Term,
    slug::Slug,
    term::{TermFilter, TermSort},
    text::fold,
};

use super::TermKind;
use crate::{
    entry::{check_ids, read_event_id, readable_event},
    error::AppError,
    input::{self, Commas, FaultCollector, Input, Orders},
    ports::Repositories,
    request::Request,
    resource::{FilterInput, among_slugs, read_slugs},
};

/// The values of `orderby` for lists of terms.
///
/// ```
/// assert!(app::term::TERM_ORDERS.words().contains(&"count"));
/// ```
pub const TERM_ORDERS: Orders<TermSort, 9> = Orders([
    ("id", TermSort::Id),
    ("name", TermSort::Name),
    ("slug", TermSort::Slug),
    ("count", TermSort::Count),
    // Terms have no groups: all are in the same one.
    ("term_group", TermSort::Id),
    ("description", TermSort::Description),
    ("parent", TermSort::Parent),
    ("include", TermSort::Include),
    ("include_slugs", TermSort::Slug),
]);

/// The filters of a list of categories or tags as sent.
#[derive(Clone, Debug)]
pub struct TermFilterInput {
    search: Option<String>,
    include: Option<Vec<i64>>,
    exclude: Option<Vec<i64>>,
    parent: Option<i64>,
    slug: Option<String>,
    slugs: Option<Vec<Slug>>,
    event: Option<(&'static str, EventId)>,
    hide_empty: bool,
    sort: TermSort,
    descending: bool,
}

#[async_trait]
impl<X: TermKind> FilterInput<Term<X>> for TermFilterInput {
    fn read(input: &mut Input<'_>, _request: &Request<'_>) -> Self {
        let mut event = |name| input.read(name, read_event_id).map(|id| (name, id));
        let (post, event) = (event("post"), event("event"));
        Self {
            search: input.read("search", |value| Ok(fold(input::search(value)?))),
            include: input.read_list("include", Commas::Separate, input::ids),
            exclude: input.read_list("exclude", Commas::Separate, input::ids),
            parent: if X::HIERARCHICAL {
                input.read("parent", input::integer)
            } else {
                None
            },
            slugs: read_slugs(input),
            slug: if input.takes_slugs() {
                None
            } else {
                input.read("slug", |value| Ok(input::text(value)?.to_owned()))
            },
            event: event.or(post),
            hide_empty: input.read("hide_empty", input::boolean).unwrap_or(true),
            sort: input
                .read("orderby", |value| TERM_ORDERS.read(value))
                .unwrap_or_default(),
            descending: input.read("order", input::order).unwrap_or(false),
        }
    }

    async fn look_up(
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
        let include = check_ids("include", include, request, repositories, &mut faults).await?;
        let exclude = check_ids("exclude", exclude, request, repositories, &mut faults).await?;
        let top = parent == Some(0);
        let parent = parent.filter(|_| !top).map(|id| vec![id]);
        let parent = check_ids("parent", parent, request, repositories, &mut faults).await?;
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
