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

use super::random_writes::Calendar;
use crate::{
    lists::{RIGHT, compare_page_of},
    sample::{edit, in_unit, remove, request},
};

/// The words of the changed event; `other` is one of all events beside it.
pub const WORDS: [&str; 12] = [
    "alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "ph", "o",
    "other",
];

/// More writes than wait for the index together.
pub const MANY: usize = 300;

/// A change of an event.
pub type Edit = fn(&mut Event);

pub fn title(text: &str) -> Title {
    text.parse().unwrap()
}

pub fn rich(text: &str) -> RichText {
    RichText::parse(text).unwrap()
}

pub fn starts(event: &mut Event, start: &str, end: &str) {
    let (start, end) = (parse_civil(start).unwrap(), parse_civil(end).unwrap());
    event.details.when = EventTime::new(Zone::utc(), start, end, false).unwrap();
}

pub fn publish(event: &mut Event) {
    event.published_at = None;
    event.date_is_chosen = false;
    event.move_to(Status::Publish, at(START));
}

pub fn french(event: &mut Event, title: Option<&str>, description: Option<&str>) {
    let translation = Translation {
        title: title.map(|title| title.parse().unwrap()),
        description: description.map(rich),
        ..Translation::default()
    };
    event.translations.put(Language::French, translation);
}

/// Changes of one event, in this order; each changes what some search finds.
pub const EDITS: [(&str, Edit); 30] = [
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
pub fn first() -> Event {
    event("Alpha").build()
}

/// Windows around the starts.
pub fn windows() -> [Window; 4] {
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
pub fn readers() -> [Visibility; 4] {
    let anonymous = Visibility::new(Caller::Anonymous, at(START));
    let french = Visibility { language: Language::French, ..anonymous.clone() };
    let password = Some(PasswordHash::from_stored(RIGHT.to_owned()));
    let with_password = Visibility { password, ..anonymous.clone() };
    let editor = app::test_support::caller(domain::Id::from_raw(3), domain::Role::Editor);
    [anonymous, french, with_password, Visibility::new(editor, at(START))]
}

/// The lists of all words, windows and readers that the domain's rule makes of these events.
pub fn lists(calendar: &Calendar) -> Vec<(EventFilter, Visibility, Vec<EventId>)> {
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
pub async fn compare(from: &dyn Repositories, what: &str) -> Vec<Vec<EventId>> {
    compare_some(from, what, 1).await
}

/// Compares each list of which the number is a multiple of `every`, from a beginning that differs
/// with `what`; returns all expected ones.
pub async fn compare_some(from: &dyn Repositories, what: &str, every: usize) -> Vec<Vec<EventId>> {
    println!("{what}");
    let lists = lists(&Calendar::read(from).await);
    let page = PageRequest::new(1, 1000, 1000);
    for (filter, reader, expected) in lists.iter().skip(what.len() % every).step_by(every) {
        compare_page_of::<Event>(from, reader, filter, page, expected).await;
    }
    lists.into_iter().map(|(.., expected)| expected).collect()
}

/// Without a common divisor with the number of windows and readers, so that all of them have a turn.
pub const SOME: usize = 5;

/// Adds the event that the edits change, among others that hold some of its words.
pub async fn add_events(store: &dyn Store) -> Stored<Event> {
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
pub async fn write_others(store: &dyn Store, number: usize) {
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
pub async fn each_change_is_found(store: &dyn Store) {
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
pub async fn each_change_within_a_unit_is_found(store: &dyn Store) {
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

/// Two changes between searches: the text in between is not found, in one unit or in two.
pub async fn the_last_of_two_changes_counts(store: &dyn Store) {
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
pub async fn a_deleted_event_is_not_found(store: &dyn Store) {
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
pub async fn found(from: &dyn Repositories, search: &str) -> Vec<EventId> {
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
pub async fn each_of_many_writes_is_found(store: &dyn Store) {
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
