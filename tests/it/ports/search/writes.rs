//! Searches see each write at once: in the unit of work that performs it, after its commit, through
//! another store, after a restart, and after many other writes.

use app::{
    ports::{Repositories, SlugRequests, Store},
    test_support::{START, at, event},
};
use domain::{
    Event, EventId, Language, Status, Stored, Translation,
    entry::PasswordHash,
    event::{EventFilter, Window},
    html::RichText,
    page::PageRequest,
    policy::{Caller, Visibility},
    query::Query,
    search::Search,
    text::Title,
    time::{EventTime, Zone, parse_civil},
};
use sea_orm::{ConnectionTrait, Database};
use tests::{
    both_stores,
    db::{TestDb, add_users},
    every_store,
};

use super::random_writes::Calendar;
use crate::ports::{
    lists::{RIGHT, compare_page_of},
    sample::{change, edit, in_unit, remove, request},
};

/// The words of the changed event; `other` is one of all events beside it.
const WORDS: [&str; 12] = [
    "alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "ph", "o",
    "other",
];

/// More writes than wait for the index together.
const MANY: usize = 300;

/// A change of an event.
type Edit = fn(&mut Event);

fn title(text: &str) -> Title {
    text.parse().unwrap()
}

fn rich(text: &str) -> RichText {
    RichText::parse(text).unwrap()
}

fn starts(event: &mut Event, start: &str, end: &str) {
    let (start, end) = (parse_civil(start).unwrap(), parse_civil(end).unwrap());
    event.details.when = EventTime::new(Zone::utc(), start, end, false).unwrap();
}

fn publish(event: &mut Event) {
    event.published_at = None;
    event.date_is_chosen = false;
    event.move_to(Status::Publish, at(START));
}

fn french(event: &mut Event, title: Option<&str>, description: Option<&str>) {
    let translation = Translation {
        title: title.map(|title| title.parse().unwrap()),
        description: description.map(rich),
        ..Translation::default()
    };
    event.translations.put(Language::French, translation);
}

/// Changes of one event, in this order; each changes what some search finds.
const EDITS: [(&str, Edit); 30] = [
    ("the title", |event| event.title = title("Bravo")),
    ("another title", |event| event.title = title("Charlie")),
    ("the first title again", |event| event.title = title("Alpha")),
    ("a description", |event| event.description = rich("<p>delta</p>")),
    ("an excerpt", |event| event.excerpt = rich("echo")),
    ("a description without words", |event| event.description = rich("")),
    ("hidden", |event| event.details.hide_from_listings = true),
    ("shown", |event| event.details.hide_from_listings = false),
    ("a draft", |event| event.move_to(Status::Draft, at(START))),
    ("published", publish),
    ("private", |event| event.move_to(Status::Private, at(START))),
    ("published with another text", |event| {
        publish(event);
        event.description = rich("foxtrot");
    }),
    ("in the trash", |event| event.move_to(Status::Trash, at(START))),
    ("restored", publish),
    ("scheduled", |event| event.published_at = Some(at("2031-01-01 00:00:00"))),
    ("published before its time", publish),
    ("locked", |event| {
        event.details.password = Some(PasswordHash::from_stored(RIGHT.to_owned()));
    }),
    ("a locked text and an open title", |event| {
        event.title = title("Golf");
        event.description = rich("hotel");
    }),
    ("opened", |event| event.details.password = None),
    ("locked again", |event| {
        event.details.password = Some(PasswordHash::from_stored(RIGHT.to_owned()));
    }),
    ("opened with another text", |event| {
        event.details.password = None;
        event.description = rich("india");
    }),
    ("a French title", |event| french(event, Some("Delta"), None)),
    ("a French title and text", |event| french(event, Some("Delta"), Some("Hotel"))),
    ("a French text", |event| french(event, None, Some("Hotel"))),
    ("no French text", |event| french(event, None, None)),
    ("an earlier start", |event| {
        starts(event, "2029-04-03 10:00:00", "2029-04-03 11:00:00");
    }),
    ("an earlier start and a later end", |event| {
        starts(event, "2029-04-03 10:00:00", "2031-04-03 11:00:00");
    }),
    ("the first start again", |event| {
        starts(event, "2030-06-01 10:00:00", "2030-06-01 12:00:00");
    }),
    ("the next second", |event| {
        starts(event, "2030-06-01 10:00:01", "2030-06-01 12:00:00");
    }),
    ("a title and a start", |event| {
        event.title = title("Bravo");
        starts(event, "2030-07-01 10:00:00", "2030-07-01 12:00:00");
    }),
];

/// The event that the edits change, at its beginning.
fn first() -> Event {
    event("Alpha").build()
}

/// Windows around the starts.
fn windows() -> [Window; 4] {
    let bound = |text| Some(at(text));
    [
        Window::default(),
        Window { start_max: bound("2030-05-31 00:00:00"), ..Window::default() },
        Window {
            start_min: bound("2030-06-01 10:00:00"),
            start_max: bound("2030-06-01 10:00:00"),
            ..Window::default()
        },
        Window {
            end_min: bound("2030-05-01 00:00:00"),
            start_max: bound("2030-06-20 00:00:00"),
            ..Window::default()
        },
    ]
}

/// The readers of every search: anonymous in two languages, one with the password, an editor.
fn readers() -> [Visibility; 4] {
    let anonymous = Visibility::new(Caller::Anonymous, at(START));
    let french = Visibility { language: Language::French, ..anonymous.clone() };
    let password = Some(PasswordHash::from_stored(RIGHT.to_owned()));
    let with_password = Visibility { password, ..anonymous.clone() };
    let editor = app::test_support::caller(domain::Id::from_raw(3), domain::Role::Editor);
    [anonymous, french, with_password, Visibility::new(editor, at(START))]
}

/// The lists of all words, windows and readers that the domain's rule makes of these events.
fn lists(calendar: &Calendar) -> Vec<(EventFilter, Visibility, Vec<EventId>)> {
    let mut lists = Vec::new();
    for word in WORDS {
        for window in windows() {
            let filter =
                EventFilter { search: Search::parse(word), window, ..EventFilter::default() };
            for reader in readers() {
                let expected = calendar.events.list(&filter, &reader);
                lists.push((filter.clone(), reader, expected));
            }
        }
    }
    lists
}

/// Compares the lists of all words; returns the expected ones.
async fn compare(from: &dyn Repositories, what: &str) -> Vec<Vec<EventId>> {
    compare_some(from, what, 1).await
}

/// Compares each list of which the number is a multiple of `every`, from a beginning that differs
/// with `what`; returns all expected ones.
async fn compare_some(from: &dyn Repositories, what: &str, every: usize) -> Vec<Vec<EventId>> {
    println!("{what}");
    let lists = lists(&Calendar::read(from).await);
    let page = PageRequest::new(1, 1000, 1000);
    for (filter, reader, expected) in lists.iter().skip(what.len() % every).step_by(every) {
        compare_page_of::<Event>(from, reader, filter, page, expected).await;
    }
    lists.into_iter().map(|(.., expected)| expected).collect()
}

/// Without a common divisor with the number of windows and readers, so that all of them have a turn.
const SOME: usize = 5;

/// Adds the event that the edits change, among others that hold some of its words.
async fn add_events(store: &dyn Store) -> Stored<Event> {
    in_unit(store, async |to| {
        for text in ["Other", "Other alphabet", "Other echo"] {
            event(text).insert(to).await;
        }
        let changed = to.events().insert(first(), request("same").into()).await.unwrap();
        event("Other delta").insert(to).await;
        changed
    })
    .await
}

/// Adds and changes events, in units of one or many writes. None of them is found by a word of
/// [`WORDS`] at the end, except for `other`.
async fn write_others(store: &dyn Store, number: usize) {
    in_unit(store, async |to| {
        for n in 0..MANY {
            let added = event("Alpha other").build();
            let added = to.events().insert(added, SlugRequests::default()).await.unwrap();
            if n > 2 {
                assert!(to.events().delete(added.id).await.unwrap());
            } else {
                let mut other = added.content.clone();
                other.title = title(&format!("Unit {number}"));
                to.events().update(&added, other, SlugRequests::default()).await.unwrap();
            }
        }
    })
    .await;
}

/// Each change, in a unit of its own.
#[every_store]
async fn each_change_is_found(store: &dyn Store) {
    let mut changed = add_events(store).await;
    let mut before = compare(store.repositories(), "at the beginning").await;
    for (what, change) in EDITS {
        changed = edit(store, &changed, change).await;
        let after = compare(store.repositories(), what).await;
        assert_ne!(before, after, "{what}");
        before = after;
    }
}

/// Each change within one unit, which is rolled back, and then the same in a unit that is committed;
/// each change once more in a nested unit that is rolled back.
#[every_store]
async fn each_change_within_a_unit_is_found(store: &dyn Store) {
    let first = add_events(store).await;
    let before = compare(store.repositories(), "before").await;
    for commits in [false, true] {
        let mut changed = first.clone();
        let unit = store.begin().await.unwrap();
        for (what, change) in EDITS {
            let mut content = changed.content.clone();
            change(&mut content);
            let nested = unit.nested().await.unwrap();
            let within = nested.events().update(&changed, content.clone(), SlugRequests::default());
            within.await.unwrap();
            let in_nested = compare_some(&*nested, what, SOME).await;
            nested.rollback().await.unwrap();
            compare_some(&*unit, &format!("rolled back: {what}"), SOME).await;
            changed =
                unit.events().update(&changed, content, SlugRequests::default()).await.unwrap();
            assert_eq!(compare_some(&*unit, what, SOME).await, in_nested);
        }
        if commits {
            unit.commit().await.unwrap();
        } else {
            unit.rollback().await.unwrap();
        }
        let after = compare(store.repositories(), "after the unit").await;
        assert_eq!(before == after, !commits);
    }
}

/// Each change through one of two stores is found through the other, and by a store that was opened
/// after the change; the writer is closed and opened again now and then. Many other writes come
/// between some of the changes.
#[both_stores]
async fn each_change_is_found_by_other_servers(db: &TestDb) {
    add_users(&db.store).await;
    let other = db.another(|_| ()).await;
    let mut writer = db.another(|_| ()).await;
    let mut changed = add_events(&writer).await;
    for (n, (what, change)) in EDITS.into_iter().enumerate() {
        changed = edit(&writer, &changed, change).await;
        let found = compare_some(other.repositories(), what, SOME).await;
        if n % 5 == 0 {
            write_others(if n % 10 == 0 { &other } else { &writer }, n).await;
            compare_some(other.repositories(), "after others", SOME).await;
            compare_some(writer.repositories(), "after others, by the writer", SOME).await;
        }
        if n % 3 == 0 {
            writer.close().await.unwrap();
            writer = db.another(|_| ()).await;
        }
        let opened = db.another(|options| options.cache_bytes = 0).await;
        let again = compare_some(opened.repositories(), what, SOME).await;
        assert!(n % 5 == 0 || again == found);
        opened.close().await.unwrap();
    }
    writer.close().await.unwrap();
    other.close().await.unwrap();
}

/// Two changes between searches: the text in between is not found, in one unit or in two.
#[every_store]
async fn the_last_of_two_changes_counts(store: &dyn Store) {
    let mut changed = add_events(store).await;
    for (n, (what, second)) in EDITS.into_iter().enumerate() {
        let (before, first) = EDITS[(n * 7 + 3) % EDITS.len()];
        let what = format!("{before}, then {what}");
        changed = edit(store, &changed, first).await;
        changed = edit(store, &changed, second).await;
        compare_some(store.repositories(), &what, SOME).await;
        changed = in_unit(store, async |to| {
            let mut content = changed.content.clone();
            first(&mut content);
            let slugs = SlugRequests::default;
            let between = to.events().update(&changed, content, slugs()).await.unwrap();
            let mut content = between.content.clone();
            second(&mut content);
            to.events().update(&between, content, slugs()).await.unwrap()
        })
        .await;
        compare_some(store.repositories(), &what, SOME).await;
    }
}

/// An event that is deleted is not found any more; one that is added with its slug is.
#[every_store]
async fn a_deleted_event_is_not_found(store: &dyn Store) {
    let mut changed = add_events(store).await;
    for title in ["Bravo", "Alpha", "Alpha", "Charlie"] {
        assert!(remove(store, changed.id).await);
        compare(store.repositories(), "deleted").await;
        let again = event(title).description("golf").build();
        let requests = request("same").into();
        changed =
            in_unit(store, async |to| to.events().insert(again, requests).await).await.unwrap();
        assert_eq!(changed.slug.as_ref().map(ToString::to_string).as_deref(), Some("same"));
        compare(store.repositories(), title).await;
    }
    in_unit(store, async |to| {
        let again = event("Delta").build();
        let again = to.events().insert(again, SlugRequests::default()).await.unwrap();
        assert!(to.events().delete(again.id).await.unwrap());
        assert!(to.events().delete(changed.id).await.unwrap());
    })
    .await;
    compare(store.repositories(), "deleted with one of the same unit").await;
}

/// The IDs that a search finds for an anonymous reader. The total agrees.
async fn found(from: &dyn Repositories, search: &str) -> Vec<EventId> {
    let query = Query {
        visibility: Visibility::new(Caller::Anonymous, at(START)),
        filter: EventFilter { search: Search::parse(search), ..EventFilter::default() },
        page: PageRequest::new(1, 1000, 1000),
    };
    let page = from.events().page(&query).await.unwrap();
    assert_eq!(page.total, page.rows.len() as u64, "{search}");
    page.rows
}

/// Each of many writes in a row is found at once, whatever number of them waits for the index.
#[every_store]
async fn each_of_many_writes_is_found(store: &dyn Store) {
    let mut all = Vec::new();
    for n in 0..MANY + 30 {
        let added = in_unit(store, async |to| {
            let content = event(&format!("Common number{n}x")).build();
            to.events().insert(content, SlugRequests::default()).await.unwrap()
        });
        let mut added = added.await;
        let from = store.repositories();
        assert_eq!(found(from, &format!("number{n}x")).await, [added.id]);
        all.push(added.id);
        assert_eq!(found(from, "common").await, all, "after {n}");
        if n % 3 == 0 {
            added = edit(store, &added, |event| event.title = title("Common too")).await;
            assert_eq!(found(from, &format!("number{n}x")).await, []);
            assert_eq!(found(from, "common").await, all, "after {n}");
            assert!(found(from, "\"on too\"").await.contains(&added.id));
        }
    }
    // Many writes in one unit.
    for commits in [false, true] {
        let unit = store.begin().await.unwrap();
        let mut left = all.clone();
        for id in all.iter().step_by(2) {
            assert!(unit.events().delete(*id).await.unwrap());
            left.retain(|one| one != id);
        }
        let slugs = SlugRequests::default;
        for _ in 0..MANY {
            let added = unit.events().insert(event("Uncommon").build(), slugs()).await.unwrap();
            left.push(added.id);
        }
        assert_eq!(found(&*unit, "common").await, left);
        if commits {
            unit.commit().await.unwrap();
            all = left;
        } else {
            unit.rollback().await.unwrap();
        }
        assert_eq!(found(store.repositories(), "common").await, all);
    }
}

/// A unit that is committed long after its write, and after many writes of others. The starts of its
/// events are far from those of the others: it would block them if they updated the same counter.
#[tokio::test]
async fn a_late_commit_is_found() {
    let Some(db) = TestDb::postgres().await else {
        return;
    };
    let store = &db.store;
    add_users(store).await;
    let changed = add_events(store).await;
    let changed =
        edit(store, &changed, |event| starts(event, "2030-08-01 10:00:00", "2030-08-01 12:00:00"))
            .await;
    let far = |text| event(text).lasting("2030-08-01 10:00:00", "2030-08-01 12:00:00");
    let deleted = in_unit(store, async |to| far("Golf").insert(to).await.id).await;
    let late = store.begin().await.unwrap();
    let mut content = changed.content.clone();
    content.title = title("Bravo hotel");
    starts(&mut content, "2030-09-01 10:00:00", "2030-09-01 12:00:00");
    late.events().update(&changed, content, SlugRequests::default()).await.unwrap();
    let added = far("Hotel").build();
    let added = late.events().insert(added, SlugRequests::default()).await.unwrap();
    assert!(late.events().delete(deleted).await.unwrap());

    let other = db.another(|_| ()).await;
    for n in 0..3 {
        write_others(&other, n).await;
        compare(store.repositories(), "before the late commit").await;
        assert_eq!(found(store.repositories(), "hotel").await, []);
        assert_eq!(found(store.repositories(), "golf").await, [deleted]);
    }
    assert_eq!(found(&*late, "hotel").await, [added.id, changed.id]);
    assert_eq!(found(&*late, "golf").await, []);
    late.commit().await.unwrap();
    for n in 0..3 {
        for store in [store, &other] {
            assert_eq!(found(store.repositories(), "hotel").await, [added.id, changed.id]);
            assert_eq!(found(store.repositories(), "golf").await, []);
            compare(store.repositories(), "after the late commit").await;
        }
        write_others(&other, n).await;
    }
    other.close().await.unwrap();
}

/// Statements of another program that has no part in the index.
const FOREIGN: [&str; 8] = [
    "UPDATE event SET title = 'Bravo', title_key = 'bravo', search_text = 'bravo' WHERE id = 4",
    "UPDATE event SET description = 'hotel', search_text = 'bravo' || chr(10) || 'hotel' WHERE id = 4",
    "UPDATE event SET start_utc = start_utc - 40000000, \
        start_local = '2029-02-23 10:53:20' WHERE id = 4",
    "UPDATE event SET password_hash = '5f00' WHERE id = 4",
    "UPDATE event SET password_hash = NULL WHERE id = 4",
    "UPDATE event SET hide_from_listings = TRUE, listed = FALSE WHERE id = 4",
    "UPDATE event SET hide_from_listings = FALSE, listed = TRUE WHERE id = 4",
    "DELETE FROM event WHERE id = 4",
];

/// Writes of another program are found.
#[both_stores]
async fn a_foreign_write_is_found(db: &TestDb) {
    add_users(&db.store).await;
    let changed = add_events(&db.store).await;
    assert_eq!(changed.id.get(), 4);
    let connection = Database::connect(&db.url).await.unwrap();
    let mut before = compare(db.store.repositories(), "before").await;
    for statement in FOREIGN {
        let statement = if db.url.starts_with("sqlite") {
            statement.replace("chr(10)", "char(10)")
        } else {
            statement.to_owned()
        };
        connection.execute_unprepared(&statement).await.unwrap();
        let after = compare(db.store.repositories(), &statement).await;
        assert_ne!(before, after, "{statement}");
        before = after;
    }
    connection.close().await.unwrap();
}

/// A change of all events in one statement is found.
#[both_stores]
async fn a_foreign_write_of_many_events_is_found(db: &TestDb) {
    add_users(&db.store).await;
    let changed = add_events(&db.store).await;
    write_others(&db.store, 0).await;
    let statement = "UPDATE event SET title = 'Echo', title_key = 'echo', search_text = 'echo'";
    let connection = Database::connect(&db.url).await.unwrap();
    connection.execute_unprepared(statement).await.unwrap();
    compare(db.store.repositories(), "after the statement").await;
    assert_eq!(found(db.store.repositories(), "echo").await.len(), 8);
    connection.execute_unprepared("UPDATE event SET start_utc = start_utc + 7200").await.unwrap();
    assert_eq!(found(db.store.repositories(), "echo").await.len(), 8);
    connection.close().await.unwrap();
    // The row is read again, as its revision is the same.
    let content = event("Foxtrot").with(|event| event.details.uid.clone_from(&changed.details.uid));
    change(&db.store, &changed, content.build(), None).await;
    assert_eq!(found(db.store.repositories(), "foxtrot").await, [changed.id]);
    assert_eq!(found(db.store.repositories(), "echo").await.len(), 7);
}
