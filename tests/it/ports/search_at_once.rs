//! Searches while others write: each finds one state of the calendar.

use std::sync::atomic::{AtomicUsize, Ordering};

use app::{
    ports::{Repositories, SlugRequests, Store, StoreError},
    test_support::{START, at, event},
};
use domain::{
    Event, EventId, Language, Stored, Translation,
    event::{EventFilter, Window},
    page::{Page, PageRequest},
    policy::{Caller, Visibility},
    query::Query,
    search::Search,
    time::{EventTime, Timestamp, Zone},
};
use tests::{both_stores, db::TestDb};

use port_tests::{Dice, add_users, rounds, sample::in_unit};

/// The number of writers, each with events of its own.
const WRITERS: usize = 3;

/// The pairs of events of a writer. One event of each pair holds the common word.
const PAIRS: usize = 20;

/// The attempts of a unit that a store refuses because of another one.
const ATTEMPTS: usize = 50;

fn reader(language: Language) -> Visibility {
    Visibility { language, ..Visibility::new(Caller::Anonymous, at(START)) }
}

async fn page(
    from: &dyn Repositories,
    search: &str,
    window: Window,
    language: Language,
) -> Page<EventId> {
    let query = Query {
        visibility: reader(language),
        filter: EventFilter { search: Search::parse(search), window, ..EventFilter::default() },
        page: PageRequest::new(1, 1000, 1000),
    };
    from.events().page(&query).await.unwrap()
}

/// A pair of events of which one holds the common word.
struct Pair {
    events: [Stored<Event>; 2],
    /// The index of the event with the word.
    holder: usize,
    /// How often the pair was written.
    writes: usize,
}

/// Words of the pair number `pair` of a writer: the one of both events, and the one of its state
/// after a number of writes.
fn own(writer: usize, pair: usize) -> String {
    format!("writer{writer}pair{pair}.")
}

fn state(writer: usize, pair: usize, round: usize) -> String {
    format!("writer{writer}pair{pair}state{round}.")
}

/// A random start near the beginning of the year 2030, from a few blocks of the index.
fn start(dice: &mut Dice) -> Timestamp {
    let seconds = i64::try_from(dice.roll(60 * 86_400)).unwrap();
    at(START).saturating_add(seconds - 30 * 86_400)
}

/// The content of an event of a pair: in the original or in the French text, the common word.
fn content(dice: &mut Dice, before: &Event, words: &str, holds: bool) -> Event {
    let mut after = before.clone();
    let (word, other) = if holds { ("common", "rare") } else { ("rare", "common") };
    after.title = format!("{word} {words}").parse().unwrap();
    // In French, the other event of the pair holds the word.
    let title = Some(format!("{other} {words}").parse().unwrap());
    let translation = Translation { title, ..Translation::default() };
    after.translations.put(Language::French, translation);
    let (start, length) = (start(dice), dice.pick(&[0, 7_200, 1_000_000]));
    let end = start.saturating_add(length);
    after.details.when = EventTime::new(Zone::utc(), start.civil(), end.civil(), false).unwrap();
    after
}

impl Pair {
    async fn add(to: &dyn Repositories, dice: &mut Dice, writer: usize, pair: usize) -> Self {
        let words = format!("{} {}", own(writer, pair), state(writer, pair, 0));
        let mut events = Vec::new();
        for holds in [true, false] {
            let content = content(dice, &event("E").build(), &words, holds);
            events.push(to.events().insert(content, SlugRequests::default()).await.unwrap());
        }
        Self { events: events.try_into().unwrap(), holder: 0, writes: 0 }
    }

    /// Moves the common word to the other event; both get new words and starts.
    async fn toggle(
        &mut self,
        store: &dyn Store,
        dice: &mut Dice,
        (writer, pair): (usize, usize),
    ) -> Result<(), StoreError> {
        let words = format!("{} {}", own(writer, pair), state(writer, pair, self.writes + 1));
        let unit = store.begin().await?;
        let mut after = Vec::new();
        // In either order.
        let mut indexes = [0, 1];
        if dice.once_in(2) {
            indexes.reverse();
        }
        for index in indexes {
            let before = &self.events[index];
            let content = content(dice, before, &words, index != self.holder);
            let update = unit.events().update(before, content, SlugRequests::default());
            after.push((index, update.await?));
        }
        if dice.once_in(8) {
            return unit.rollback().await;
        }
        unit.commit().await?;
        for (index, event) in after {
            self.events[index] = event;
        }
        self.holder = 1 - self.holder;
        self.writes += 1;
        Ok(())
    }
}

/// Writes pairs, each time through another store, and searches them through all stores.
async fn write(stores: &[&dyn Store], writer: usize, pairs: &mut [Pair], count: usize) {
    let mut dice = Dice(writer as u64 + 1);
    for _ in 0..count {
        let number = dice.roll(pairs.len());
        let pair = &mut pairs[number];
        let before = pair.writes;
        let store = dice.pick(stores);
        for attempt in 1.. {
            match pair.toggle(store, &mut dice, (writer, number)).await {
                Err(StoreError::Conflict) if attempt < ATTEMPTS => tokio::task::yield_now().await,
                outcome => {
                    outcome.unwrap();
                    break;
                }
            }
        }
        for store in stores {
            let all = Window::default();
            let language = dice.pick(&[Language::English, Language::French]);
            let search = state(writer, number, pair.writes);
            let mut found = page(store.repositories(), &search, all, language).await.rows;
            found.sort_unstable();
            assert_eq!(found, pair.events.each_ref().map(|event| event.id), "{search}");
            if pair.writes > before {
                let search = state(writer, number, before);
                assert_eq!(page(store.repositories(), &search, all, language).await.rows, []);
            }
            let search = format!("common {}", own(writer, number));
            let holder = pair.holder ^ usize::from(language == Language::French);
            let found = page(store.repositories(), &search, all, language).await;
            assert_eq!(found.rows, [pair.events[holder].id], "{search}");
        }
    }
}

/// Searches until all writers have ended. Every search finds each pair once, whatever is written
/// meanwhile. Returns the number of searches.
async fn search(store: &dyn Store, writing: &AtomicUsize, reader: usize) -> usize {
    let mut dice = Dice(reader as u64 + 100);
    let mut searches = 0;
    while writing.load(Ordering::SeqCst) > 0 {
        let search = dice.pick(&[
            "common",
            "rare",
            "\"common writer\"",
            "com -rare",
            "-rare",
            "mm mon",
            "pair -common",
        ]);
        let language = dice.pick(&Language::ALL);
        let window = match dice.roll(3) {
            0 => Window::default(),
            1 => Window { start_min: Some(at("2029-11-01 00:00:00")), ..Window::default() },
            _ => Window { end_min: Some(at("2029-11-01 00:00:00")), ..Window::default() },
        };
        let page = if dice.once_in(2) {
            let reads = store.reads().await.unwrap();
            page(&*reads, search, window, language).await
        } else {
            page(store.repositories(), search, window, language).await
        };
        let context = format!("{search}, {language:?}, {window:?}");
        assert_eq!(page.total, (WRITERS * PAIRS) as u64, "{context}");
        assert_eq!(page.rows.len(), WRITERS * PAIRS, "{context}");
        let mut pairs: Vec<_> = page.rows.iter().map(|id| (id.get() - 1) / 2).collect();
        pairs.sort_unstable();
        pairs.dedup();
        assert_eq!(pairs.len(), WRITERS * PAIRS, "one event of each pair: {context}");
        searches += 1;
        tokio::task::yield_now().await;
    }
    searches
}

/// Writers that move a word between the events of pairs, through two stores, and readers of both.
#[both_stores(threads = 4)]
async fn every_search_sees_one_state(db: &TestDb) {
    add_users(&db.store).await;
    let other = db.another(|_| ()).await;
    let stores: [&dyn Store; 2] = [&db.store, &other];
    let mut dice = Dice(21);
    let mut pairs: [Vec<Pair>; WRITERS] = Default::default();
    in_unit(&db.store, async |to| {
        for (writer, pairs) in pairs.iter_mut().enumerate() {
            for pair in 0..PAIRS {
                pairs.push(Pair::add(to, &mut dice, writer, pair).await);
            }
        }
    })
    .await;
    let writing = AtomicUsize::new(WRITERS);
    let [one, two, three] = &mut pairs;
    let count = rounds(200);
    let write = async |writer, pairs| {
        write(&stores, writer, pairs, count).await;
        writing.fetch_sub(1, Ordering::SeqCst);
    };
    let (.., first, second) = tokio::join!(
        write(0, one),
        write(1, two),
        write(2, three),
        search(stores[0], &writing, 0),
        search(stores[1], &writing, 1),
    );
    assert!(first > 20 && second > 20, "{first} and {second} searches");
    let written: usize = pairs.iter().flatten().map(|pair| pair.writes).sum();
    assert!(written > WRITERS * count / 2, "{written} writes");
    other.close().await.unwrap();
}
