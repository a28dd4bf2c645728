//! Comparisons of a store's lists with what the domain says of each record.

use app::{
    ports::Store,
    resource::Resource,
    test_support::{START, at, caller},
};
use domain::{
    Id, Language, Role,
    entry::PasswordHash,
    page::PageRequest,
    policy::{Caller, Visibility},
    query::Query,
    time::Timestamp,
};

use super::sample::user_id;

/// Hash of the password that locks some of the events, and that some readers send.
pub(super) const RIGHT: &str = "5f00";
/// Hash of another password.
pub(super) const WRONG: &str = "a1b2";

/// More records than any list here has.
const ALL: u32 = 1000;

/// The moments of the readers: the start of the tests, after all scheduled dates, and long before.
pub(super) fn moments() -> [Timestamp; 3] {
    [at(START), at(START).saturating_add(365 * 86_400), at("2029-06-01 00:00:00")]
}

/// Readers, each of whom sees other records than the others.
pub(super) fn readers() -> Vec<Visibility> {
    let callers = [
        Caller::Anonymous,
        caller(user_id(0), Role::Subscriber),
        caller(user_id(0), Role::Contributor),
        caller(user_id(1), Role::Contributor),
        caller(user_id(1), Role::Author),
        caller(user_id(2), Role::Author),
        caller(user_id(2), Role::Editor),
        caller(user_id(0), Role::Administrator),
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

async fn page<R: Resource>(
    store: &dyn Store,
    visibility: &Visibility,
    filter: &R::Filter,
    page: PageRequest,
) -> (Vec<Id<R>>, u64) {
    let query = Query { visibility: visibility.clone(), filter: filter.clone(), page };
    let answer = R::repository(store.repositories()).page(&query).await;
    let answer = answer.unwrap_or_else(|error| panic!("{error}: {query:?}"));
    assert_eq!(answer.request, page);
    (answer.rows, answer.total)
}

/// Compares a whole list with the expected one.
pub(super) async fn compare<R: Resource>(
    store: &dyn Store,
    visibility: &Visibility,
    filter: &R::Filter,
    expected: &[Id<R>],
) {
    let whole = PageRequest::new(1, ALL.into(), ALL);
    let (rows, total) = page::<R>(store, visibility, filter, whole).await;
    assert_eq!(rows, expected, "{:?} {filter:?} for {visibility:?}", R::KIND);
    assert_eq!(total, expected.len() as u64, "{filter:?} for {visibility:?}");
}

/// Compares every page of a list, in several sizes, and the pages beyond its end.
pub(super) async fn compare_pages<R: Resource>(
    store: &dyn Store,
    visibility: &Visibility,
    filter: &R::Filter,
    expected: &[Id<R>],
) {
    for per_page in [1, 7, 10] {
        let pages: Vec<_> = expected.chunks(per_page).collect();
        let last = pages.len() as u64;
        for (n, expected_rows) in (1..).zip(&pages) {
            // Pages of one record are many: only the first and the last few are compared.
            if per_page == 1 && (3..last.saturating_sub(1)).contains(&n) {
                continue;
            }
            let request = PageRequest::new(n, per_page as u64, ALL);
            let (rows, total) = page::<R>(store, visibility, filter, request).await;
            assert_eq!(&rows, expected_rows, "{request:?} {filter:?} {visibility:?}");
            assert_eq!(total, expected.len() as u64, "{request:?} {filter:?}");
        }
        for beyond in [last + 1, last + 5, u64::MAX] {
            let request = PageRequest::new(beyond, per_page as u64, ALL);
            let (rows, total) = page::<R>(store, visibility, filter, request).await;
            assert_eq!(rows, [], "{request:?} {filter:?}");
            assert_eq!(total, expected.len() as u64, "{request:?} {filter:?}");
        }
    }
}
