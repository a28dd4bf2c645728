//! The ways in which databases find what lists ask for: none reads a whole table, or puts more in
//! order than it must.
//!
//! Statements are those that the program sends, with the values that it sends.

mod filling;
mod plan;

use std::sync::{Arc, Mutex};

use adapters_db::{DbOptions, SeaOrmStore, connect};
use app::{
    ports::Repositories,
    resource::Resource,
    test_support::{START, at},
};
use domain::{
    Id, Language, Organizer, Venue,
    geo::{Circle, Position},
    page::PageRequest,
    policy::{Caller, Visibility},
    query::{EventFilter, PlaceFilter, Query, TermFilter, TermSort, Window},
    search::Search,
    slug::Slug,
    term::Categories,
};
use sea_orm::{ConnectionTrait, Database, DatabaseConnection, DbBackend, QueryResult, Statement};
use tests::db::TestDb;

use self::{
    filling::filling,
    plan::{Index, Plan},
};

/// As many events as lists are promised to be quick with.
const EVENTS: u32 = 100_000;

/// Enough events that a search of all of them goes by the index of texts.
const SEARCHED: u32 = 24_000;

/// A list by whose index the test is tested.
const CATEGORY: &str = "a category";

/// What counts all listed events. To do the second, PostgreSQL goes along an index of them, too.
const COUNTED: [&str; 2] = [
    "(SELECT COUNT(*) FROM event WHERE listed)",
    "(SELECT COUNT(*) FROM (SELECT id FROM event WHERE listed AND published_utc <= 1893456000 \
     ORDER BY start_utc, id) AS counted)",
];

/// The first page of all listed events, and something with each.
fn page_with(beside: &str) -> String {
    format!(
        "SELECT (SELECT MAX(id) FROM (SELECT id FROM event WHERE listed AND published_utc <= {} \
         ORDER BY start_utc, id LIMIT 10) AS stretch) AS ids, {beside} AS total",
        at(START).seconds()
    )
}

/// The tables that grow with the number of events.
const LARGE: [&str; 9] = [
    "event",
    "event_category",
    "event_in_category",
    "event_tag",
    "event_organizer",
    "event_starts",
    "event_translation",
    "venue",
    "organizer",
];

/// A database with many events, and a store over it whose statements are noted.
struct Observed {
    store: SeaOrmStore,
    noted: Arc<Mutex<Vec<String>>>,
    connection: DatabaseConnection,
    _db: TestDb,
}

impl Observed {
    async fn over(db: TestDb, events: u32) -> Self {
        let connection = Database::connect(&db.url).await.unwrap();
        let postgres = connection.get_database_backend() == DbBackend::Postgres;
        for statement in filling(postgres, events) {
            connection.execute_unprepared(&statement).await.unwrap();
        }
        if postgres {
            // As its autovacuum does in time.
            connection
                .execute_unprepared("VACUUM ANALYZE")
                .await
                .unwrap();
        }
        let noted = Arc::new(Mutex::new(Vec::new()));
        let mut options = DbOptions::new(&db.url);
        let pad = Arc::clone(&noted);
        options.on_statement = Some(Arc::new(move |statement: &str| {
            pad.lock().unwrap().push(statement.to_owned());
        }));
        Self {
            store: connect(&options).await.unwrap(),
            noted,
            connection,
            _db: db,
        }
    }

    /// The plans of the statements that were sent since this was asked last.
    async fn plans(&self) -> Vec<Plan> {
        let statements = std::mem::take(&mut *self.noted.lock().unwrap());
        let backend = self.connection.get_database_backend();
        let mut plans = Vec::new();
        for statement in statements {
            let explain = match backend {
                DbBackend::Postgres => "EXPLAIN",
                _ => "EXPLAIN QUERY PLAN",
            };
            let explained = Statement::from_string(backend, format!("{explain} {statement}"));
            let rows = self.connection.query_all_raw(explained).await.unwrap();
            let rows = rows.iter();
            plans.push(if backend == DbBackend::Postgres {
                let line = |row: &QueryResult| row.try_get("", "QUERY PLAN").unwrap();
                Plan::of_postgres(statement, rows.map(line).collect())
            } else {
                let number = |row: &QueryResult, name| row.try_get("", name).unwrap();
                let text = |row: &QueryResult| row.try_get("", "detail").unwrap();
                let line = |row| (number(row, "id"), number(row, "parent"), text(row));
                Plan::of_sqlite(statement, rows.map(line).collect())
            });
        }
        plans
    }

    /// What is wrong with the plans of the statements that were sent since this was asked last.
    async fn faults(&self, what: &str, sorted: bool) -> Vec<String> {
        let plans = self.plans().await;
        assert!(!plans.is_empty(), "{what} asks for nothing");
        let postgres = self.connection.get_database_backend() == DbBackend::Postgres;
        // Of the last there are few here: PostgreSQL reads all, and rightly.
        let large = if postgres { &LARGE[..6] } else { &LARGE[..] };
        let sorts = if postgres {
            "Sort Key"
        } else {
            "TEMP B-TREE FOR ORDER BY"
        };
        let indexes = Index::all(&self.connection).await;
        let mut faults = Vec::new();
        for plan in plans {
            let mut whole = if postgres {
                plan.scans_of_postgres(&indexes)
            } else {
                plan.scans_of_sqlite()
            };
            whole.retain(|table| large.contains(table));
            let lines = plan.lines();
            let sort = lines.iter().any(|line| line.contains(sorts));
            if !whole.is_empty() || (sort && !sorted) {
                let (statement, lines) = (&plan.statement, lines.join("\n  "));
                faults.push(format!("{what}: {whole:?} {sort}\n{statement}\n  {lines}"));
            }
        }
        faults
    }

    async fn events(&self, filter: &EventFilter, page: u64) -> (Vec<i64>, u64) {
        let query = Query {
            visibility: Visibility {
                language: Language::French,
                ..Visibility::new(Caller::Anonymous, at(START))
            },
            filter: filter.clone(),
            page: PageRequest::new(page, 10, 100),
        };
        let answer = self.store.events().page(&query).await.unwrap();
        (
            answer.rows.iter().map(|id| id.get()).collect(),
            answer.total,
        )
    }

    async fn list<R: Resource>(&self, filter: R::Filter) {
        let query = Query {
            visibility: Visibility::new(Caller::Anonymous, at(START)),
            filter,
            page: PageRequest::new(1, 10, 100),
        };
        let repository = R::repository(&self.store);
        let ids = repository.page(&query).await.unwrap().rows;
        assert_eq!(repository.find_many(&ids).await.unwrap().len(), 10);
    }
}

fn upcoming() -> Window {
    Window {
        start_min: Some(at(START)),
        end_max: Some(at(START).saturating_add(2 * 365 * 86_400)),
        ..Window::default()
    }
}

/// The usual list, narrowed.
fn narrowed(narrow: impl FnOnce(&mut EventFilter)) -> EventFilter {
    let mut filter = EventFilter {
        window: upcoming(),
        ..EventFilter::default()
    };
    narrow(&mut filter);
    filter
}

/// Lists of events, whether some must be put in order, and which page is asked for.
fn lists() -> Vec<(&'static str, bool, u64, EventFilter)> {
    const THIRD: i64 = 3;
    let first = |what, sorted, filter| (what, sorted, 1, filter);
    let everything = Window::default;
    let concert = || Search::parse("concert");
    let category = |filter: &mut EventFilter| filter.categories = Some(vec![Id::from_raw(THIRD)]);
    let tag = |filter: &mut EventFilter| filter.tags = Some(vec![Id::from_raw(THIRD)]);
    let venue = |filter: &mut EventFilter| filter.venues = Some(vec![Id::from_raw(THIRD)]);
    let organizer = |filter: &mut EventFilter| filter.organizers = Some(vec![Id::from_raw(THIRD)]);
    vec![
        first("the usual list", false, narrowed(|_| {})),
        ("a deep page", false, 1000, narrowed(|_| {})),
        first("everything", false, EventFilter::default()),
        first(
            "what has not ended",
            true,
            narrowed(|filter| {
                filter.window = Window {
                    end_min: Some(at(START)),
                    ..everything()
                };
            }),
        ),
        first(CATEGORY, false, narrowed(category)),
        first("a tag", false, narrowed(tag)),
        first("an organizer", false, narrowed(organizer)),
        first("a venue", false, narrowed(venue)),
        first(
            "a category, a tag and a venue",
            true,
            narrowed(|filter| {
                category(filter);
                tag(filter);
                venue(filter);
            }),
        ),
        first(
            "a category with others below it",
            false,
            narrowed(|filter| filter.categories = Some(vec![Id::from_raw(1)])),
        ),
        first(
            "two categories",
            true,
            narrowed(|filter| filter.categories = Some(vec![Id::from_raw(3), Id::from_raw(4)])),
        ),
        first(
            "near a point",
            true,
            narrowed(|filter| {
                let center = Position::new(10.0, 10.0).unwrap();
                filter.near = Circle::new(center, 50.0).ok();
            }),
        ),
        first(
            "a search in a month",
            true,
            narrowed(|filter| {
                filter.window.end_max = Some(at(START).saturating_add(30 * 86_400));
                filter.search = concert();
            }),
        ),
        first(
            "a rare word",
            true,
            narrowed(|filter| {
                filter.window = everything();
                filter.search = concert();
            }),
        ),
    ]
}

async fn plans_follow_indexes(db: TestDb) {
    let observed = Observed::over(db, EVENTS).await;
    let mut faults = Vec::new();
    for (what, sorted, page, filter) in lists() {
        let (rows, total) = observed.events(&filter, page).await;
        assert!(!rows.is_empty() && total > 0, "{what}: {total}");
        faults.extend(observed.faults(what, sorted).await);
    }
    let store = &observed.store;
    let slug = Slug::from_stored("e77".to_owned());
    let found = store.events().find_by_slug(&slug).await.unwrap();
    assert_eq!(found, Some(Id::from_raw(77)));
    assert!(
        store
            .events()
            .find(Id::from_raw(77))
            .await
            .unwrap()
            .is_some()
    );
    faults.extend(observed.faults("one event", true).await);

    for (has_events, only_with_upcoming) in [(None, false), (Some(true), false), (None, true)] {
        let filter = PlaceFilter {
            has_events,
            only_with_upcoming,
            ..PlaceFilter::default()
        };
        observed.list::<Venue>(filter).await;
        let filter = PlaceFilter {
            has_events,
            only_with_upcoming,
            ..PlaceFilter::default()
        };
        observed.list::<Organizer>(filter).await;
    }
    faults.extend(observed.faults("venues and organizers", false).await);
    for sort in [TermSort::Name, TermSort::Count] {
        let filter = TermFilter {
            hide_empty: true,
            sort,
            ..TermFilter::default()
        };
        observed.list::<domain::Term<Categories>>(filter).await;
    }
    let ids: Vec<_> = (1..=10).map(Id::from_raw).collect();
    store.categories().counts(&ids, at(START)).await.unwrap();
    faults.extend(observed.faults("categories with counts", true).await);
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));

    // A test that cannot fail shows nothing.
    let pad = || observed.noted.lock().unwrap();
    pad().push(page_with("''"));
    assert_eq!(observed.faults("a page", false).await, [""; 0]);
    for counted in COUNTED {
        pad().push(page_with(counted));
        let faults = observed.faults("a page that counts", true).await;
        assert_eq!(faults.len(), 1, "{counted}");
    }
    let drop = "DROP INDEX event_in_category_listed";
    observed.connection.execute_unprepared(drop).await.unwrap();
    let category = lists().into_iter().find(|list| list.0 == CATEGORY);
    let (what, sorted, page, filter) = category.unwrap();
    // Another page: what was explained before is not explained anew.
    observed.events(&filter, page + 1).await;
    assert!(!observed.faults(what, sorted).await.is_empty());
}

/// Looks for words by the index and without it.
async fn searches_find_all(db: TestDb) {
    let observed = Observed::over(db, SEARCHED).await;
    let translate = "INSERT INTO event_translation (record_id, language, title_key, search_text) \
        SELECT id, 'ar', 'e', 'soiree numero ' || id FROM event WHERE id % 3 = 0";
    let change = "UPDATE event SET search_text = 'opera ' || id WHERE id % 5 = 0";
    let delete = "DELETE FROM event WHERE id % 700 = 0";
    for (word, statement) in [
        ("walk", ""),
        ("soiree", translate),
        ("opera", change),
        ("concert", delete),
    ] {
        if !statement.is_empty() {
            observed
                .connection
                .execute_unprepared(statement)
                .await
                .unwrap();
        }
        for word in [word, "mber 12", "39"] {
            for language in [Language::English, Language::Arabic] {
                let query = Query {
                    visibility: Visibility {
                        language,
                        ..Visibility::new(Caller::Anonymous, at(START))
                    },
                    filter: EventFilter {
                        search: Search::parse(&format!("\"{word}\"")),
                        ..EventFilter::default()
                    },
                    page: PageRequest::new(1, 10, 100),
                };
                let text = "COALESCE((SELECT search_text FROM event_translation \
                    WHERE record_id = event.id AND language = 'LANGUAGE'), search_text)";
                let count = format!(
                    "SELECT COUNT(*) AS events FROM event WHERE {} LIKE '%{word}%'",
                    text.replace("LANGUAGE", language.code())
                );
                let backend = observed.connection.get_database_backend();
                let counted = Statement::from_string(backend, count);
                let counted = observed.connection.query_one_raw(counted).await.unwrap();
                let counted: i64 = counted.unwrap().try_get("", "events").unwrap();
                let total = observed.store.events().page(&query).await.unwrap().total;
                assert_eq!(total, counted.unsigned_abs(), "{word} {language:?}");
            }
        }
    }
}

#[tokio::test]
async fn sqlite() {
    plans_follow_indexes(TestDb::sqlite().await).await;
}

#[tokio::test]
async fn sqlite_searches() {
    searches_find_all(TestDb::sqlite().await).await;
}

#[tokio::test]
async fn postgres() {
    if let Some(db) = TestDb::postgres().await {
        plans_follow_indexes(db).await;
    }
}

#[tokio::test]
async fn postgres_searches() {
    if let Some(db) = TestDb::postgres().await {
        searches_find_all(db).await;
    }
}
