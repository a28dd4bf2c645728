//! Lists of categories and tags hold what [`TermFilter::matches`] says, in the order of
//! [`TermFilter::compare`].

use std::collections::HashMap;

use app::{
    ports::{SlugRequest, SlugRequests, Store, TermRepository},
    resource::Resource,
    term::TermKind,
    test_support::{START, at},
};
use domain::{
    Event, Id, Language, Role, Stored, Term,
    html::RichText,
    policy::Visibility,
    slug::Slug,
    term::{Categories, Tags, Taxonomy, TermFilter, TermSort},
    text::{Title, fold},
    time::Timestamp,
};

use super::event_lists::{add_events, varied};
use crate::{
    Dice,
    lists::{compare, compare_pages, moments},
    random_series::shuffle_events,
    sample::{Links, Sample, all, change, counts, found, ids, in_unit, remove, translate, user_id},
};

const NAMES: [&str; 12] = [
    "Été",
    "ete",
    "Zoo",
    "a b",
    "ab",
    "A-B",
    "100% _x",
    "100 x",
    "موسيقى",
    "🎉",
    "Straße",
    "back\\slash",
];

const SLUGS: [&str; 8] = ["ab", "a-b", "a_b", "b", "z", "0", "موسيقى", "東京"];

const DESCRIPTIONS: [&str; 8] = ["", "a", "A", "b b", "bb", "é", "<i>x</i>", "موسيقى"];

/// Parts of folded names and slugs.
const SEARCHES: [&str; 14] =
    ["", "e", "ete", "été", "%", "_", "a-b", "a b", "موسيقى", "🎉", "\\", "-2", "strasse", "*"];

/// A kind of term that events carry.
pub trait Carried: TermKind {
    /// The links of an event to some of these terms.
    fn links(ids: Vec<Id<Term<Self>>>) -> Links;
    /// The terms that count an event.
    fn counted(event: &Event) -> &[Id<Term<Self>>];
}

impl Carried for Categories {
    fn links(categories: Vec<Id<Term<Self>>>) -> Links {
        Links { categories, ..Links::default() }
    }

    fn counted(event: &Event) -> &[Id<Term<Self>>] {
        event.counted_categories()
    }
}

impl Carried for Tags {
    fn links(tags: Vec<Id<Term<Self>>>) -> Links {
        Links { tags, ..Links::default() }
    }

    fn counted(event: &Event) -> &[Id<Term<Self>>] {
        event.counted_tags()
    }
}

/// A term with random values in every field that filters and orders use, and the slug to request.
fn varied_term<X: Taxonomy>(dice: &mut Dice, above: &[Id<Term<X>>]) -> (Term<X>, Slug) {
    let name = dice.pick(&NAMES).parse::<Title>().unwrap();
    let mut slug = Slug::from_stored(dice.pick(&SLUGS).to_owned());
    // Siblings may share a name unless one has the slug made of it.
    while slug == Term::<X>::slug_from(&name) {
        slug = Slug::from_stored(dice.pick(&SLUGS).to_owned());
    }
    let mut term = Term::new(name, slug.clone());
    term.description = RichText::parse(dice.pick(&DESCRIPTIONS)).unwrap();
    term.language = dice.pick(&Language::ALL);
    translate(dice, &mut term, &[], &NAMES, &DESCRIPTIONS);
    if X::HIERARCHICAL && !above.is_empty() && !dice.once_in(3) {
        term.parent = Some(dice.pick(above));
    }
    (term, slug)
}

/// A request for this slug, and sometimes for others in other languages.
fn requests<X: Taxonomy>(dice: &mut Dice, term: &Term<X>, slug: Slug) -> SlugRequests {
    let mut requests = SlugRequests::from(SlugRequest::new(slug));
    for language in Language::ALL {
        if language != term.language && dice.once_in(2) {
            let slug = Slug::from_stored(dice.pick(&SLUGS).to_owned());
            requests.translations.insert(language, SlugRequest::new(slug));
        }
    }
    requests
}

/// The number of public events that carry each term.
fn count<X: Carried>(events: &[Stored<Event>], now: Timestamp) -> HashMap<Id<Term<X>>, u64> {
    let mut counts = HashMap::new();
    for event in events {
        if event.is_counted(now) {
            for id in X::counted(event) {
                *counts.entry(*id).or_insert(0) += 1;
            }
        }
    }
    counts
}

/// The list that the domain computes for these terms and events.
fn expected<X: Carried>(
    terms: &[Stored<Term<X>>],
    events: &[Stored<Event>],
    filter: &TermFilter<X>,
    visibility: &Visibility,
) -> Vec<Id<Term<X>>> {
    let counts = count::<X>(events, visibility.now);
    let count = |id| counts.get(&id).copied().unwrap_or(0);
    ids(&filter.list(terms, count, visibility.language))
}

const SORTS: [TermSort; 7] = [
    TermSort::Name,
    TermSort::Id,
    TermSort::Slug,
    TermSort::Count,
    TermSort::Description,
    TermSort::Parent,
    TermSort::Include,
];

/// Each filter alone, each order, and some filters together.
fn filters<X: Taxonomy>(dice: &mut Dice, terms: &[Stored<Term<X>>]) -> Vec<TermFilter<X>> {
    let usual = TermFilter::default;
    let all: Vec<_> = ids(terms);
    let mut filters = vec![usual(), TermFilter { hide_empty: true, ..usual() }];
    filters
        .extend(SEARCHES.map(|search| TermFilter { search: Some(search.to_owned()), ..usual() }));
    let some = vec![all[7], all[2], Id::from_raw(9999), all[4], all[7]];
    for ids in [vec![], some, all.iter().rev().copied().collect()] {
        for sort in [TermSort::Include, TermSort::Name] {
            for descending in [false, true] {
                filters.push(TermFilter {
                    include: Some(ids.clone()),
                    sort,
                    descending,
                    ..usual()
                });
            }
        }
        filters.push(TermFilter { exclude: ids, ..usual() });
    }
    for parent in [None, Some(all[0]), Some(all[1]), Some(Id::from_raw(9999))] {
        filters.push(TermFilter { parent: Some(parent), ..usual() });
    }
    let slugs = ["ab", "a-b", "AB", "", "موسيقى", "nothing"];
    filters.extend(
        slugs.map(|slug| TermFilter { slug: Some(Slug::from_stored(slug.to_owned())), ..usual() }),
    );
    for sort in SORTS {
        for descending in [false, true] {
            filters.push(TermFilter { sort, descending, ..usual() });
        }
    }
    for _ in 0..60 {
        filters.push(TermFilter {
            hide_empty: dice.once_in(3),
            sort: dice.pick(&SORTS),
            descending: dice.once_in(2),
            exclude: dice.some(&all, 3),
            search: dice.once_in(2).then(|| fold(dice.pick(&SEARCHES))),
            include: dice.once_in(2).then(|| dice.some(&all, 20)),
            parent: dice.once_in(3).then(|| dice.pick(&[None, Some(all[0]), Some(all[2])])),
            slug: dice.once_in(6).then(|| dice.pick(terms).slug.clone()),
        });
    }
    filters
}

async fn compare_all<X: Carried>(store: &dyn Store, dice: &mut Dice, added: &[Id<Term<X>>]) {
    let (terms, events) = (all::<Term<X>>(store).await, all::<Event>(store).await);
    for now in moments() {
        let repository = X::repository(store.repositories());
        compare_counts(repository, added, &count::<X>(&events, now), now).await;
    }
    for (n, filter) in filters::<X>(dice, &terms).iter().enumerate() {
        // Every reader sees the same terms.
        let caller = app::test_support::caller(user_id(0), Role::ALL[n % 5]);
        for (index, now) in moments().into_iter().enumerate() {
            let reader = Visibility {
                language: Language::ALL[(n + index) % 3],
                ..Visibility::new(caller, now)
            };
            let expected = expected(&terms, &events, filter, &reader);
            compare::<Term<X>>(store, &reader, filter, &expected).await;
        }
    }
    let usual = Visibility::new(domain::policy::Caller::Anonymous, at(START));
    for sort in SORTS {
        let filter =
            TermFilter { hide_empty: sort == TermSort::Name, sort, ..TermFilter::default() };
        let expected = expected(&terms, &events, &filter, &usual);
        compare_pages::<Term<X>>(store, &usual, &filter, &expected).await;
    }
}

async fn compare_counts<X: TermKind>(
    repository: &dyn TermRepository<X>,
    all: &[Id<Term<X>>],
    expected: &HashMap<Id<Term<X>>, u64>,
    now: Timestamp,
) {
    let counts = counts(repository, all, now).await;
    for id in all {
        let (got, expected) = (counts.get(id), expected.get(id));
        let (got, expected) = (got.copied().unwrap_or(0), expected.copied().unwrap_or(0));
        assert_eq!(got, expected, "{:?} {id} at {now}", X::KIND);
    }
    assert!(counts.keys().all(|id| all.contains(id)));
}

/// Lists of terms, before and after changes of the terms and their events.
pub async fn terms<X: Carried>(store: &dyn Store)
where
    Term<X>: Sample,
{
    let mut dice = Dice(4);
    let added = in_unit(store, async |to| {
        let mut added = Vec::new();
        for _ in 0..24 {
            let (term, slug) = varied_term::<X>(&mut dice, &added);
            let requests = requests(&mut dice, &term, slug);
            added.push(Term::<X>::repository(to).insert(term, requests).await.unwrap().id);
        }
        added
    })
    .await;
    // Many events carry some terms, and no event carries some others.
    let links = X::links(added.iter().copied().step_by(2).collect());
    add_events(store, &mut dice, &links, 40).await;
    compare_all::<X>(store, &mut dice, &added).await;

    shuffle_events(store, &mut dice, |dice| varied(dice, &links)).await;
    for id in added.iter().copied() {
        match dice.roll(5) {
            0 => assert!(remove(store, id).await),
            1 => {}
            _ => {
                let (content, slug) = varied_term::<X>(&mut dice, &[]);
                let requests = if dice.once_in(2) {
                    requests(&mut dice, &content, slug)
                } else {
                    SlugRequests::default()
                };
                // The deletion of its parent may have changed it.
                let now = found::<Term<X>>(store, id).await.unwrap();
                let content = Term { parent: now.parent, ..content };
                change(store, &now, content, requests).await;
            }
        }
    }
    compare_all::<X>(store, &mut dice, &added).await;
}
