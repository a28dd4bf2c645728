//! The tree of categories.

use app::{AppError, term::TermView};
use domain::{
    Category, Id, Stored,
    page::{MAX_PER_PAGE, PageRequest},
    term::{Categories, TermFilter},
};

use crate::request::DeskRequest;

/// The most pages of categories that the tree is made of: 2,000 categories.
const MAX_PAGES: u64 = 20;

/// The categories in the order of the tree, each with its depth.
pub(super) async fn read(
    request: &DeskRequest,
) -> Result<Vec<(usize, TermView<Categories>)>, AppError> {
    let (calendar, caller) = (&request.state.calendar, request.caller());
    let mut all = Vec::new();
    for number in 1..=MAX_PAGES {
        let page = PageRequest::new(number, MAX_PER_PAGE.into(), MAX_PER_PAGE);
        let (filter, options) = (TermFilter::default(), request.options());
        let found = calendar.query::<Category>(caller, request.network(), filter, page, &options);
        let found = found.await?;
        let is_last = !found.has_next();
        all.extend(found.rows);
        if is_last {
            break;
        }
    }
    Ok(ordered(all))
}

/// Each category before those below it. One whose parent is not there stands at the top.
fn ordered(all: Vec<TermView<Categories>>) -> Vec<(usize, TermView<Categories>)> {
    let parents: Vec<_> = {
        let known = |id: &Id<Category>| all.iter().any(|one| one.term.id == *id);
        all.iter()
            .map(|one| one.term.parent.filter(known))
            .collect()
    };
    let mut left: Vec<_> = all.into_iter().zip(parents).map(Some).collect();
    let mut tree: Vec<(usize, TermView<Categories>)> = Vec::with_capacity(left.len());
    // The categories whose children come next, the deepest last.
    let mut above: Vec<Option<Id<Category>>> = vec![None];
    while let Some(parent) = above.last().copied() {
        let next = left
            .iter_mut()
            .find(|one| one.as_ref().is_some_and(|(_, of)| *of == parent));
        match next.and_then(Option::take) {
            Some((view, _)) => {
                let Stored { id, .. } = view.term;
                tree.push((above.len() - 1, view));
                above.push(Some(id));
            }
            None => drop(above.pop()),
        }
    }
    tree
}

/// The categories that can stand above another one: all but those below it, and itself.
pub(super) fn without(
    tree: Vec<(usize, TermView<Categories>)>,
    id: Option<i64>,
) -> Vec<(usize, TermView<Categories>)> {
    let mut left_out = None;
    let mut kept = Vec::with_capacity(tree.len());
    for (depth, view) in tree {
        if left_out.is_some_and(|above| depth <= above) {
            left_out = None;
        }
        if left_out.is_none() && Some(view.term.id.get()) == id {
            left_out = Some(depth);
        }
        if left_out.is_none() {
            kept.push((depth, view));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use domain::{Language, slug::Slug};

    use super::*;

    fn category(id: i64, parent: Option<i64>) -> TermView<Categories> {
        let slug = Slug::normalize(&format!("c{id}")).unwrap();
        let mut term = Category::new(format!("C{id}").parse().unwrap(), slug);
        term.parent = parent.map(Id::from_raw);
        TermView {
            term: Stored {
                id: Id::from_raw(id),
                revision: 1,
                content: term,
            },
            language: Language::English,
            count: 0,
            ancestors: Vec::new(),
        }
    }

    fn ids(tree: &[(usize, TermView<Categories>)]) -> Vec<(usize, i64)> {
        let ids = tree
            .iter()
            .map(|(depth, view)| (*depth, view.term.id.get()));
        ids.collect()
    }

    #[test]
    fn the_tree_has_each_category_once() {
        let all = [
            (5, Some(2)),
            (1, None),
            (2, Some(1)),
            (3, None),
            (4, Some(1)),
            (6, Some(9)),
        ];
        let tree = ordered(all.map(|(id, parent)| category(id, parent)).into());
        let expected = [(0, 1), (1, 2), (2, 5), (1, 4), (0, 3), (0, 6)];
        assert_eq!(ids(&tree), expected);
        assert_eq!(ids(&without(tree.clone(), None)), expected);
        assert_eq!(
            ids(&without(tree.clone(), Some(2))),
            [(0, 1), (1, 4), (0, 3), (0, 6)]
        );
        assert_eq!(ids(&without(tree, Some(1))), [(0, 3), (0, 6)]);
    }
}
