//! Use cases of categories and tags.

mod query;
mod write;

use std::collections::HashMap;

use async_trait::async_trait;
use domain::{
    FieldName, Id, Language, Record, Stored, Term,
    policy::Visibility,
    slug::Slug,
    term::{Categories, Tags, Taxonomy, TermFilter},
    text::{fold, plain_line},
};

use crate::{
    change::Change,
    error::AppError,
    fault::{Fault, FaultCollector},
    ports::{Repositories, Repository, SlugRequests, TermRepository, TermWithCount},
    request::Request,
    resource::{Former, Located, Resource, all_stored, former_states},
};

pub use query::{TermQuery, TermSelector};
pub use write::{TermName, TermWrite};

/// A taxonomy in the use cases.
///
/// ```
/// use events_calendar_app::{ports::{Repositories, StoreError}, term::TermKind, test_support::event};
/// use domain::{FieldName, Id, TagId, Term, term::Tags};
///
/// /// The names of the terms of an event, in any taxonomy.
/// async fn names<X: TermKind>(event: &domain::Event, store: &dyn Repositories) -> Result<Vec<String>, StoreError> {
///     let ids: &[Id<Term<X>>] = X::of_event(event);
///     let terms = X::repository(store).find_many(ids).await?;
///     Ok(terms.into_iter().map(|term| term.content.name.to_string()).collect())
/// }
/// assert_eq!(Tags::of_event(&event("Fair").tags(&[TagId::from_raw(7)]).build()).len(), 1);
/// assert_eq!(Tags::FIELD, FieldName::Tags);
/// ```
pub trait TermKind: Taxonomy {
    /// The field of an event that names its terms.
    const FIELD: FieldName;

    /// The repository of its terms.
    fn repository(repositories: &dyn Repositories) -> &dyn TermRepository<Self>;

    /// The IDs of an event's terms in this taxonomy.
    fn of_event(event: &domain::Event) -> &[Id<Term<Self>>];
}

impl TermKind for Categories {
    const FIELD: FieldName = FieldName::Categories;

    fn repository(repositories: &dyn Repositories) -> &dyn TermRepository<Self> {
        repositories.categories()
    }

    fn of_event(event: &domain::Event) -> &[Id<Term<Self>>] {
        &event.details.categories
    }
}

impl TermKind for Tags {
    const FIELD: FieldName = FieldName::Tags;

    fn repository(repositories: &dyn Repositories) -> &dyn TermRepository<Self> {
        repositories.tags()
    }

    fn of_event(event: &domain::Event) -> &[Id<Term<Self>>] {
        &event.details.tags
    }
}

/// A term as an answer shows it.
///
/// ```
/// use events_calendar_app::{term::TermView, write::NewCategory};
/// use domain::term::Categories;
/// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
/// # use domain::Role;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = InMemoryStore::new();
/// # let editor = add_user(&store, "ada", Role::Editor).await;
/// # let calendar = calendar(store).await;
///
/// let music = calendar.create(editor, &NewCategory::builder("Music".parse()?).build()).await?.term.id;
/// let jazz = NewCategory::builder("Jazz".parse()?).parent(music).build();
/// let view: TermView<Categories> = calendar.create(editor, &jazz).await?;
/// assert_eq!((view.ancestors[0].as_str(), view.count), ("music", 0));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TermView<X: Taxonomy> {
    /// The term, localized to `language`.
    pub term: Stored<Term<X>>,
    /// The language of the answer.
    pub language: Language,
    /// The number of public events that carry it.
    pub count: u64,
    /// The slugs of its ancestors, from the top.
    pub ancestors: Vec<Slug>,
}

/// The views of the terms with these IDs; `found` holds these terms and their ancestors.
pub(crate) fn views<X: TermKind>(
    ids: &[Id<Term<X>>],
    found: Vec<TermWithCount<X>>,
    language: Language,
) -> Vec<TermView<X>> {
    let known = Known::new(found, language);
    let terms = ids.iter().filter_map(|id| known.terms.get(id));
    terms.map(|one| known.view(one.term.clone())).collect()
}

/// Terms and their ancestors, by ID.
struct Known<X: Taxonomy> {
    terms: HashMap<Id<Term<X>>, TermWithCount<X>>,
    language: Language,
}

impl<X: TermKind> Known<X> {
    fn new(found: Vec<TermWithCount<X>>, language: Language) -> Self {
        let terms = found.into_iter().map(|one| (one.term.id, one));
        Self {
            terms: terms.collect(),
            language,
        }
    }

    fn view(&self, term: Stored<Term<X>>) -> TermView<X> {
        let next = |id: &Id<Term<X>>| self.terms.get(id).map(|one| &one.term);
        let mut ancestors = Vec::new();
        let mut parent = term.parent.as_ref().and_then(next);
        // The length is bounded by the number of terms, so that the loop ends even if the data held
        // a cycle.
        while let Some(one) = parent.filter(|_| ancestors.len() < self.terms.len()) {
            ancestors.push(one.content.clone().localized(self.language).slug);
            parent = one.parent.as_ref().and_then(next);
        }
        ancestors.reverse();
        TermView {
            count: self.terms.get(&term.id).map_or(0, |one| one.events),
            ancestors,
            language: self.language,
            term: term.localized(self.language),
        }
    }
}

/// Whether a term has this name, in lower case, in any language.
fn is_named<X: Taxonomy>(term: &Term<X>, lower: &str) -> bool {
    term.titles()
        .any(|name| name.as_str().to_lowercase() == lower)
}

/// For each text, the term with this name in any letter case and language, or with this slug.
pub(crate) async fn find_by_name_or_slug<X: TermKind>(
    texts: &[&str],
    repositories: &dyn Repositories,
) -> Result<Vec<Option<Id<Term<X>>>>, AppError> {
    let repository = X::repository(repositories);
    let folded: Vec<_> = texts.iter().map(|text| fold(text)).collect();
    let named = repository.find_named(&folded).await?;
    let mut found = Vec::with_capacity(texts.len());
    for text in texts {
        let lower = text.to_lowercase();
        let mut terms = named.iter();
        found.push(match terms.find(|term| is_named(&term.content, &lower)) {
            Some(term) => Some(term.id),
            None => find_by_slug(&lower, repository).await?,
        });
    }
    Ok(found)
}

/// The term with a slug, if the text is a slug: `C++` does not match the term `c`.
async fn find_by_slug<X: TermKind>(
    lower: &str,
    repository: &dyn TermRepository<X>,
) -> Result<Option<Id<Term<X>>>, AppError> {
    match Slug::normalize(lower) {
        Some(slug) if slug.as_str() == lower => Ok(repository.find_by_slug(&slug).await?),
        _ => Ok(None),
    }
}

/// The terms that a filter names.
pub(crate) async fn find_for_filter<X: TermKind>(
    selectors: &[TermSelector],
    repositories: &dyn Repositories,
) -> Result<Vec<Option<Id<Term<X>>>>, AppError> {
    let repository = X::repository(repositories);
    let number = |selector: &TermSelector| selector.id.map(Id::from_raw);
    let ids: Vec<_> = selectors.iter().filter_map(number).collect();
    let with_id = repository.find_many(&ids).await?;
    let mut found = Vec::with_capacity(selectors.len());
    for selector in selectors {
        let by_number = number(selector).filter(|id| with_id.iter().any(|term| term.id == *id));
        found.push(match (by_number, &selector.text) {
            (None, Some(text)) => find_by_slug(&text.to_lowercase(), repository).await?,
            (by_number, _) => by_number,
        });
    }
    // The remaining texts may be names.
    let left = found.iter_mut().zip(selectors);
    let left = left.filter(|(found, _)| found.is_none());
    let (left, names): (Vec<_>, Vec<_>) = left
        .filter_map(|(found, selector)| Some((found, plain_line(selector.text.as_ref()?))))
        .unzip();
    let names: Vec<_> = names.iter().map(|name| &**name).collect();
    let by_name = find_by_name_or_slug(&names, repositories).await?;
    for (found, id) in left.into_iter().zip(by_name) {
        *found = id;
    }
    Ok(found)
}

#[async_trait]
impl<X: TermKind> Resource for Term<X> {
    type Write = TermWrite<X>;
    type Query = TermQuery;
    type View = TermView<X>;

    fn repository(repositories: &dyn Repositories) -> &dyn Repository<Self> {
        X::repository(repositories)
    }

    fn parse_html(write: &mut TermWrite<X>, faults: &mut FaultCollector) {
        write.parse_html(faults);
    }

    async fn lock_for(
        write: Option<&TermWrite<X>>,
        unit: &dyn Repositories,
    ) -> Result<(), AppError> {
        // Two concurrent moves that are each valid could together form a cycle. Deleting a term
        // moves its children up.
        let moves = |write: &TermWrite<X>| !matches!(write.parent, Change::Keep);
        if X::HIERARCHICAL && write.is_none_or(moves) {
            X::repository(unit).lock_tree().await?;
        }
        Ok(())
    }

    async fn new_content(
        write: TermWrite<X>,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<(Self, SlugRequests), AppError> {
        write.new_content(request, unit).await
    }

    async fn changed_content(
        write: TermWrite<X>,
        before: &Stored<Self>,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<(Self, SlugRequests), AppError> {
        write.changed_content(before, request, unit).await
    }

    async fn keep_links(
        content: &mut Self,
        present: &Located<Self>,
        _former: Former,
        request: &Request<'_>,
        repositories: &dyn Repositories,
    ) -> Result<(), AppError> {
        let Some(parent) = content.parent.filter(|_| content.parent != present.parent) else {
            return Ok(());
        };
        let lineage = X::repository(repositories)
            .with_ancestors(&[parent])
            .await?;
        let fault = if lineage.iter().any(|term| Some(term.id) == present.id) {
            Fault::CircularParent(X::KIND)
        } else if lineage.iter().any(|term| term.id == parent) {
            return Ok(());
        } else {
            Fault::unknown(X::KIND)
        };
        former_states::warn(FieldName::Parent, &parent, fault, request);
        content.parent = None;
        Ok(())
    }

    async fn look_up(
        query: TermQuery,
        request: &Request<'_>,
        repositories: &dyn Repositories,
    ) -> Result<TermFilter<X>, AppError> {
        query.look_up(request, repositories).await
    }

    async fn load(
        terms: Vec<Located<Self>>,
        visibility: &Visibility,
        repositories: &dyn Repositories,
    ) -> Result<Vec<TermView<X>>, AppError> {
        let terms = all_stored(terms)?;
        let ids: Vec<_> = terms.iter().map(|term| term.id).collect();
        let found = X::repository(repositories).find_with_counts(&ids, visibility.now);
        let known = Known::new(found.await?, visibility.language);
        Ok(terms.into_iter().map(|term| known.view(term)).collect())
    }
}
