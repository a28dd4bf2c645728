//! Query plans of lists: no statement reads a whole table, or sorts more than it must.
//!
//! Statements are planned as the program sends them, with their values. PostgreSQL plans some once
//! for all values: these are planned without values too.

mod filling;
mod observed;
mod plan;

use adapters_db::Planned;
use app::{
    ports::{RelatedIds, Repositories},
    test_support::{START, at},
};
use domain::{
    Id, Language, Organizer, Venue,
    event::{EventFilter, Window},
    geo::{Circle, Position},
    place::PlaceFilter,
    policy::{Caller, Visibility},
    search::Search,
    slug::Slug,
    term::{Categories, TermFilter, TermSort},
};
use sea_orm::{ConnectionTrait, Statement};
use tests::{both_stores, db::TestDb};

use self::observed::Observed;

/// The number of events with which plans are checked.
const EVENTS: u32 = 100_000;

/// The number of events, among them series, with which plans of series are checked.
const REPEATED: u32 = 20_000;

/// The number of events in which searches are checked.
const SEARCHED: u32 = 24_000;

/// The list whose index is dropped to test the check itself.
const CATEGORY: &str = "a category";

/// Counts of all listed events. For the second, PostgreSQL also scans an index of them.
const COUNTED: [&str; 2] = [
    "(SELECT COUNT(*) FROM event WHERE listed)",
    "(SELECT COUNT(*) FROM (SELECT id FROM event WHERE listed AND published_utc <= 1893456000 \
     ORDER BY start_utc, id) AS counted)",
];

/// Counts events published later. PostgreSQL estimates few of them only if it plans with the value.
const LATER: &str = "SELECT COUNT(title) AS total FROM event WHERE listed AND published_utc > $1";

/// Marks of the statements with a generic plan in PostgreSQL: pages of lists, records by ID, related
/// records.
const PLANNED_ONCE: [&str; 3] = ["stretch", "rows_read", "organizers"];

/// The first page of all listed events, with another expression as its total.
fn page_with(beside: &str) -> String {
    format!(
        "SELECT (SELECT MAX(id) FROM (SELECT id FROM event WHERE listed AND published_utc <= {} \
         ORDER BY start_utc, id LIMIT 10) AS stretch) AS ids, {beside} AS total",
        at(START).seconds()
    )
}

/// The filter of the default list.
fn usual() -> EventFilter {
    let window = Window {
        start_min: Some(at(START)),
        end_max: Some(at(START).saturating_add(2 * 365 * 86_400)),
        ..Window::default()
    };
    EventFilter { window, ..EventFilter::default() }
}

/// A list of events: its description, whether it may sort, the requested page and the filter.
type List = (&'static str, bool, u64, EventFilter);

/// The first page of the default list, narrowed by a filter.
fn narrowed(what: &'static str, sorted: bool, narrow: impl FnOnce(&mut EventFilter)) -> List {
    let mut filter = usual();
    narrow(&mut filter);
    (what, sorted, 1, filter)
}

/// Lists of public events within windows of time.
fn windows() -> Vec<List> {
    let within = |what, sorted, window| narrowed(what, sorted, |filter| filter.window = window);
    let start = Some(at(START));
    let everything = Window::default;
    vec![
        ("the usual list", false, 1, usual()),
        ("a deep page", false, 1000, usual()),
        narrowed("the last first", false, |filter| filter.descending = true),
        within("everything", false, everything()),
        within("what starts later", false, Window { start_min: start, ..everything() }),
        within("what started before", false, Window { start_max: start, ..everything() }),
        within("what has not ended", true, Window { end_min: start, ..everything() }),
        within("a month", true, month()),
    ]
}

/// The events in progress within a month, already begun or not.
fn month() -> Window {
    Window {
        start_max: Some(at(START).saturating_add(30 * 86_400)),
        end_min: Some(at(START)),
        ..Window::default()
    }
}

/// Lists of public events, narrowed by filters.
fn filters() -> Vec<List> {
    fn ids<R>(ids: impl IntoIterator<Item = i64>) -> Vec<Id<R>> {
        ids.into_iter().map(Id::from_raw).collect()
    }
    let concert = || Search::parse("concert");
    vec![
        narrowed("a category in a month", false, |filter| {
            filter.categories = Some(ids([3]));
            filter.window = month();
        }),
        narrowed("two venues", true, |filter| filter.venues = Some(ids(1..=2))),
        narrowed("many venues", true, |filter| filter.venues = Some(ids(1..=60))),
        narrowed(CATEGORY, false, |filter| filter.categories = Some(ids([3]))),
        narrowed("a tag", false, |filter| filter.tags = Some(ids([3]))),
        narrowed("an organizer", false, |filter| filter.organizers = Some(ids([3]))),
        narrowed("a venue", false, |filter| filter.venues = Some(ids([3]))),
        narrowed("a category, a tag and a venue", true, |filter| {
            filter.categories = Some(ids([3]));
            filter.tags = Some(ids([3]));
            filter.venues = Some(ids([3]));
        }),
        narrowed("a category with others below it", false, |filter| {
            filter.categories = Some(ids([1]));
        }),
        narrowed("two categories", true, |filter| filter.categories = Some(ids([3, 4]))),
        narrowed("near a point", true, |filter| {
            let center = Position::new(10.0, 10.0).unwrap();
            filter.near = Circle::new(center, 50.0).ok();
        }),
        narrowed("a city", true, |filter| filter.cities = Some(vec!["c3".to_owned()])),
        narrowed("a large city", true, |filter| filter.cities = Some(vec!["big".to_owned()])),
        narrowed("a search in a month", true, |filter| {
            filter.window.end_max = Some(at(START).saturating_add(30 * 86_400));
            filter.search = concert();
        }),
        narrowed("a rare word", true, |filter| {
            filter.window = Window::default();
            filter.search = concert();
        }),
    ]
}

/// Lists of public events by their price. An index of series is read whole, as series are few.
fn prices() -> [List; 2] {
    [
        narrowed("free events", false, |filter| filter.free = Some(true)),
        narrowed("events that are not free", false, |filter| filter.free = Some(false)),
    ]
}

/// The faults of the plans that load related records.
async fn named(observed: &Observed) -> Vec<String> {
    fn ids<R>() -> Vec<Id<R>> {
        // The IDs of records that are not cached yet.
        (15..=17).map(Id::from_raw).collect()
    }
    let events = observed.store.events();
    let wanted = RelatedIds { categories: ids(), tags: ids(), venues: ids(), organizers: ids() };
    let named = events.load_related(&wanted, at(START)).await.unwrap();
    let found = [named.venues.len(), named.organizers.len(), named.tags.len()];
    assert_eq!(found, [3; 3]);
    assert!(named.categories.len() > 3);
    observed.faults("what events name", true).await
}

/// The faults of the plan that counts events by the values of filters. For the 5,000 events of the bound PostgreSQL
/// reads tables of this size as a whole: one by one the rows cost more.
async fn tallied(observed: &Observed, events: u32) -> Vec<String> {
    let ids: Vec<_> = (1..=i64::from(events)).map(Id::from_raw).collect();
    let visibility = Visibility::new(Caller::Anonymous, at(START));
    let tally = observed.store.events().tally(&ids, None, &visibility).await.unwrap();
    assert!(tally.free + tally.not_free > u64::from(events) / 2 && !tally.venues.is_empty());
    assert!(!tally.categories.is_empty() && !tally.organizers.is_empty());
    observed.faults("numbers of events", true).await
}

#[both_stores]
async fn plans_follow_indexes(db: TestDb) {
    let observed = Observed::over(db, EVENTS).await;
    let mut faults = Vec::new();
    for (what, sorted, page, filter) in windows().into_iter().chain(filters()).chain(prices()) {
        let (rows, total) = observed.events(&filter, page).await;
        assert!(!rows.is_empty() && total > 0, "{what}: {total}");
        faults.extend(observed.faults(what, sorted).await);
    }
    let store = &observed.store;
    let slug = Slug::from_stored("e77".to_owned());
    let found = store.events().find_by_slug(&slug).await.unwrap();
    assert_eq!(found, Some(Id::from_raw(77)));
    let slug = Slug::from_stored("old77".to_owned());
    let found = store.events().find_by_former_slug(&slug).await.unwrap();
    assert_eq!(found, Some((Id::from_raw(77), Language::English)));
    assert!(store.events().find(Id::from_raw(77)).await.unwrap().is_some());
    faults.extend(observed.faults("one event", true).await);

    for (has_events, only_with_upcoming) in [(None, false), (Some(true), false), (None, true)] {
        let filter = PlaceFilter { has_events, only_with_upcoming, ..PlaceFilter::default() };
        observed.list::<Venue>(filter).await;
        let filter = PlaceFilter { has_events, only_with_upcoming, ..PlaceFilter::default() };
        observed.list::<Organizer>(filter).await;
    }
    faults.extend(observed.faults("venues and organizers", false).await);
    for sort in [TermSort::Name, TermSort::Count] {
        let filter = TermFilter { hide_empty: true, sort, ..TermFilter::default() };
        observed.list::<domain::Term<Categories>>(filter).await;
    }
    let ids: Vec<_> = (1..=10).map(Id::from_raw).collect();
    store.categories().find_with_counts(&ids, at(START)).await.unwrap();
    faults.extend(observed.faults("categories with counts", true).await);
    faults.extend(named(&observed).await);
    faults.extend(tallied(&observed, 1_500).await);
    for what in PLANNED_ONCE {
        let generic = observed.generic.lock().unwrap();
        let is_there = generic.iter().any(|(.., asked)| asked.sql.contains(what));
        assert_eq!(is_there, observed.is_postgres(), "{what}");
    }
    if observed.is_postgres() {
        faults.extend(observed.faults_after_writes().await);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));

    // The check must report a bad plan.
    let note = |statement, planned| observed.noted.lock().unwrap().push((statement, planned));
    let backend = observed.connection.get_database_backend();
    let page_with = |beside| Statement::from_string(backend, page_with(beside));
    note(page_with("''"), Planned::ForItsValues);
    assert_eq!(observed.faults("a page", false).await, [""; 0]);
    for counted in COUNTED {
        note(page_with(counted), Planned::ForItsValues);
        let faults = observed.faults("a page that counts", true).await;
        assert_eq!(faults.len(), 1, "{counted}");
    }
    if observed.is_postgres() {
        for planned in [Planned::ForItsValues, Planned::ForAny] {
            let moment = at(START).seconds().into();
            let later = Statement::from_sql_and_values(backend, LATER, [moment]);
            note(later, planned);
            let faults = observed.faults("what is published later", true).await;
            assert_eq!(faults.len(), usize::from(planned == Planned::ForAny), "{faults:?}");
        }
    }
    let drop = "DROP INDEX event_in_category_listed; DROP INDEX event_in_category_start;";
    observed.connection.execute_unprepared(drop).await.unwrap();
    let category = filters().into_iter().find(|list| list.0 == CATEGORY);
    let (what, sorted, page, filter) = category.unwrap();
    // Another page: a statement that was explained before is not explained again.
    observed.events(&filter, page + 1).await;
    assert!(!observed.faults(what, sorted).await.is_empty());
}

/// The lists of one scope that sort nothing merge events and occurrences in the order of their indexes, too.
#[both_stores]
async fn plans_of_series_follow_indexes(db: TestDb) {
    let observed = Observed::over_series(db, REPEATED).await;
    let mut faults = Vec::new();
    let lists = windows().into_iter().chain(filters());
    for (what, sorted, page, filter) in lists.filter(|(_, sorted, ..)| !sorted) {
        let (rows, total) = observed.events(&filter, page).await;
        assert!(!rows.is_empty() && total > 0, "{what}: {total}");
        faults.extend(observed.faults(what, sorted).await);
    }
    faults.extend(tallied(&observed, 40).await);
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// Searches of indexed and of queued texts, over all dates and within some weeks, find all events.
#[both_stores]
async fn searches_find_all(db: TestDb) {
    let observed = Observed::over(db, SEARCHED).await;
    let translate = "INSERT INTO event_translation (record_id, language, title_key, search_text) \
        SELECT id, 'ar', 'e', 'soiree numero ' || id FROM event WHERE id % 3 = 0";
    let change = "UPDATE event SET search_text = 'opera ' || id WHERE id % 5 = 0";
    let delete = "DELETE FROM event WHERE id % 700 = 0";
    let postpone = "UPDATE event SET start_utc = start_utc + 1728000, end_utc = end_utc + 1728000 \
        WHERE id % 11 = 0";
    let weeks = Window {
        start_min: Some(at(START)),
        start_max: Some(at(START).saturating_add(40 * 86_400)),
        ..Window::default()
    };
    for (word, statement) in [
        ("walk", ""),
        ("soiree", translate),
        ("opera", change),
        ("concert", delete),
        ("walk", postpone),
    ] {
        if !statement.is_empty() {
            observed.connection.execute_unprepared(statement).await.unwrap();
        }
        for word in [word, "mber 12", "39"] {
            for language in [Language::English, Language::Arabic] {
                for window in [Window::default(), weeks] {
                    let total = observed.found(word, language, window).await;
                    let counted = observed.counted(word, language, window).await;
                    assert_eq!(total, counted, "{word} {language:?} {window:?}");
                }
            }
        }
    }
}
