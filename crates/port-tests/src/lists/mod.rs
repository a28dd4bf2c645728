//! Comparisons of a store's lists with what the domain says of each record.

pub mod event_lists;
pub mod event_parents;
pub mod event_spans;
pub mod event_totals;
pub mod indexes;
pub mod nearby;
pub mod place_lists;
pub mod tallies;
pub mod term_lists;
pub mod terms;

use app::{
    ports::{Repositories, Store},
    resource::Resource,
    test_support::{START, at, caller},
};
use domain::{
    Category, Event, EventId, Id, Language, Role, Stored, Venue,
    entry::PasswordHash,
    event::EventFilter,
    page::PageRequest,
    policy::{Caller, Collection, Visibility},
    query::Query,
    time::Timestamp,
};

use crate::sample::{all, ids, user_id};

/// Hash of the password that locks some of the events, and that some readers send.
pub const RIGHT: &str = "5f00";
/// Hash of another password.
pub const WRONG: &str = "a1b2";

/// More records than any list here has.
const ALL: u32 = 1000;

/// The moments of the readers: the start of the tests, after all scheduled dates, and long before.
pub fn moments() -> [Timestamp; 3] {
    [at(START), at(START).saturating_add(365 * 86_400), at("2029-06-01 00:00:00")]
}

/// Readers, each of whom sees other records than the others.
pub fn readers() -> Vec<Visibility> {
    let callers = [
        Caller::Anonymous,
        caller(user_id(0), Role::Subscriber),
        caller(user_id(0), Role::Contributor),
        caller(user_id(1), Role::Contributor),
        caller(user_id(1), Role::Author),
        caller(user_id(2), Role::Author),
        caller(user_id(2), Role::Editor),
        caller(user_id(0), Role::Administrator),
        caller(user_id(2), Role::Editor).limited_to([Collection::Events].into_iter().collect()),
        caller(user_id(2), Role::Editor)
            .limited_to([Collection::Venues, Collection::Images].into_iter().collect()),
        caller(user_id(1), Role::Author)
            .limited_to([Collection::Organizers, Collection::Events].into_iter().collect()),
    ];
    let mut readers = Vec::new();
    for (n, caller) in callers.into_iter().enumerate() {
        let now = moments()[n % 3];
        readers.push(Visibility::new(caller, at(START)));
        for (hash, now) in [(RIGHT, at(START)), (WRONG, now), (RIGHT, now)] {
            readers.push(Visibility {
                caller,
                now,
                password: Some(PasswordHash::from_stored(hash.to_owned())),
                language: Language::ALL[readers.len() % 3],
            });
        }
    }
    readers
}

/// Compares a page of a list with that part of the expected list, and the total with its length.
pub async fn compare_page<R: Resource>(
    store: &dyn Store,
    visibility: &Visibility,
    filter: &R::Filter,
    page: PageRequest,
    expected: &[Id<R>],
) {
    compare_page_of(store.repositories(), visibility, filter, page, expected).await;
}

/// The same for a page that these repositories read.
pub async fn compare_page_of<R: Resource>(
    repositories: &dyn Repositories,
    visibility: &Visibility,
    filter: &R::Filter,
    page: PageRequest,
    expected: &[Id<R>],
) {
    let query = Query { visibility: visibility.clone(), filter: filter.clone(), page };
    let answer = R::repository(repositories).page(&query).await;
    let answer = answer.unwrap_or_else(|error| panic!("{error}: {query:?}"));
    let before = usize::try_from(page.offset()).unwrap();
    let rows = expected.iter().skip(before).take(page.per_page() as usize).copied();
    assert_eq!(answer.rows, rows.collect::<Vec<_>>(), "{:?} {query:?}", R::KIND);
    assert_eq!(answer.total, expected.len() as u64, "{:?} {query:?}", R::KIND);
    assert_eq!(answer.request, page);
}

/// Compares a whole list with the expected one.
pub async fn compare<R: Resource>(
    store: &dyn Store,
    visibility: &Visibility,
    filter: &R::Filter,
    expected: &[Id<R>],
) {
    let whole = PageRequest::new(1, ALL.into(), ALL);
    compare_page(store, visibility, filter, whole, expected).await;
}

/// Compares every page of a list, in several sizes, and the pages beyond its end.
pub async fn compare_pages<R: Resource>(
    store: &dyn Store,
    visibility: &Visibility,
    filter: &R::Filter,
    expected: &[Id<R>],
) {
    for per_page in [1, 7, 10] {
        let last = (expected.len() as u64).div_ceil(per_page);
        // Pages of one record are many: only the first and the last few are compared.
        let is_compared = |n: &u64| per_page > 1 || *n < 3 || n + 1 >= last;
        let numbers = (1..=last).filter(is_compared).chain([last + 1, last + 5, u64::MAX]);
        for number in numbers {
            let page = PageRequest::new(number, per_page, ALL);
            compare_page(store, visibility, filter, page, expected).await;
        }
    }
}

/// All events, with the other records on which their lists depend.
#[derive(Clone, Debug, PartialEq)]
pub struct Events {
    pub all: Vec<Stored<Event>>,
    pub venues: Vec<Stored<Venue>>,
    pub categories: Vec<Stored<Category>>,
}

impl Events {
    pub async fn of(store: &dyn Store) -> Self {
        Self { all: all(store).await, venues: all(store).await, categories: all(store).await }
    }

    /// The list of events that the domain computes.
    pub fn list(&self, filter: &EventFilter, visibility: &Visibility) -> Vec<EventId> {
        let venue = |id| {
            let venue = self.venues.iter().find(|venue| venue.id == id);
            venue.map(|venue| &venue.content)
        };
        let filter = filter.clone().with_descendants(&self.categories);
        ids(&filter.list(&self.all, venue, visibility))
    }
}
