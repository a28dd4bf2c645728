//! Searches find what the domain's rule says, on every page and with every total, after any writes.

use app::{
    ports::{Repositories, Store},
    test_support::{START, at},
};
use domain::{
    Event, Status, Stored,
    event::{EventFilter, EventSort, Window},
    geo::{Circle, Position},
    page::PageRequest,
    policy::{Caller, Visibility},
    query::Statuses,
    search::Search,
};

use super::random_writes::{Calendar, Writes, moment};
use super::texts;
use crate::{
    Dice,
    lists::{compare_page_of, moments, readers},
    rounds,
    sample::{end, ids, in_unit},
};

/// A window like those of requests, or any bounds near the start or the end of some event.
fn window(dice: &mut Dice, events: &[Stored<Event>]) -> Window {
    let mut bound = || {
        if events.is_empty() || dice.once_in(3) {
            return moment(dice);
        }
        let when = &events[dice.roll(events.len())].details.when;
        let moment = if dice.once_in(2) { when.start() } else { when.end() };
        moment.utc.saturating_add(dice.pick(&[-3600, -1, 0, 0, 1, 3600]))
    };
    let (one, two) = (bound(), bound());
    let (min, max) = (Some(one.min(two)), Some(one.max(two)));
    let none = Window::default();
    match dice.roll(9) {
        0 | 1 => none,
        2 => Window { start_min: Some(at(START)), ..none },
        3 => Window { start_min: min, ..none },
        4 => Window { start_max: max, ..none },
        5 => Window { start_min: min, start_max: max, ..none },
        6 => Window { end_min: min, start_max: max, ..none },
        7 => Window { end_min: Some(one), end_max: Some(two), ..none },
        _ => Window { start_min: min, start_max: max, end_min: Some(two), end_max: max },
    }
}

/// A filter with a search, and often with other conditions.
fn filter(dice: &mut Dice, calendar: &Calendar, texts: &[String]) -> EventFilter {
    let Calendar { events, links } = calendar;
    let mut filter = EventFilter {
        search: Search::parse(&texts::search(dice, texts)),
        window: window(dice, &events.all),
        sort: dice.pick(&[
            EventSort::Start,
            EventSort::Start,
            EventSort::Start,
            EventSort::Start,
            EventSort::End,
            EventSort::Date,
            EventSort::Modified,
            EventSort::Title,
            EventSort::Id,
        ]),
        descending: dice.once_in(3),
        ..EventFilter::default()
    };
    for _ in 0..dice.pick(&[0, 0, 0, 1, 1, 2]) {
        match dice.roll(9) {
            0 => filter.categories = Some(dice.some(&links.categories, 2)),
            1 => filter.tags = Some(dice.some(&links.tags, 2)),
            2 => filter.venues = Some(dice.some(&links.venues, 2)),
            3 => filter.organizers = Some(dice.some(&links.organizers, 2)),
            4 => filter.featured = Some(dice.once_in(2)),
            5 => filter.statuses = Statuses(Some(dice.some(&Status::ALL, 6))),
            6 => filter.include = Some(dice.some(&ids(&events.all), 60)),
            7 => filter.located = Some(dice.once_in(2)),
            _ => {
                let center = Position::new(0.1, 7.0).unwrap();
                filter.near = Circle::new(center, dice.pick(&[1.0, 20.0, 500.0])).ok();
            }
        }
    }
    filter
}

/// An anonymous reader, or one of [`readers`].
fn reader(dice: &mut Dice) -> Visibility {
    if dice.once_in(2) {
        let mut reader = Visibility::new(Caller::Anonymous, dice.pick(&moments()));
        reader.language = dice.pick(&domain::Language::ALL);
        return reader;
    }
    dice.pick(&readers())
}

/// The comparisons so far.
#[derive(Debug, Default)]
struct Compared {
    searches: usize,
    /// Searches that find at least one event, but not all of the other conditions.
    selective: usize,
}

impl Compared {
    /// Compares one page of some searches.
    async fn compare(
        &mut self,
        repositories: &dyn Repositories,
        dice: &mut Dice,
        calendar: &Calendar,
        searches: usize,
    ) {
        let texts = calendar.texts();
        for _ in 0..searches {
            let filter = filter(dice, calendar, &texts);
            let reader = reader(dice);
            let expected = calendar.events.list(&filter, &reader);
            let per_page = dice.pick(&[1, 3, 10, 1000]);
            let number = dice.pick(&[1, 1, 1, 2, 3, 400, u64::MAX]);
            let page = PageRequest::new(number, per_page, 1000);
            compare_page_of::<Event>(repositories, &reader, &filter, page, &expected).await;
            self.searches += 1;
            let all = EventFilter { search: Search::default(), ..filter };
            let all = calendar.events.list(&all, &reader).len();
            self.selective += usize::from(!expected.is_empty() && expected.len() < all);
        }
    }

    /// Fails unless many searches found some events and not others.
    fn check(&self) {
        assert!(self.selective * 8 > self.searches, "{self:?}");
    }
}

/// Writes in units of work, some of them nested, some rolled back; compares searches in each unit and
/// after it. Each unit and each comparison uses one of the stores over the same database.
pub async fn write_and_search(stores: &[&dyn Store], dice: &mut Dice, units: usize) {
    let mut calendar = Calendar::read(stores[0].repositories()).await;
    let mut compared = Compared::default();
    for number in 0..units {
        println!("unit {number} of {units}");
        let unit = dice.pick(stores).begin().await.unwrap();
        let mut within = calendar.clone();
        for _ in 0..=dice.roll(5) {
            if dice.once_in(6) {
                let nested = unit.nested().await.unwrap();
                let mut deeper = within.clone();
                Writes { dice, unit: &*nested, calendar: &mut deeper }.write().await;
                compared.compare(&*nested, dice, &deeper, 1).await;
                let keeps = dice.once_in(2);
                end(nested, keeps).await;
                if keeps {
                    within = deeper;
                }
            } else {
                Writes { dice, unit: &*unit, calendar: &mut within }.write().await;
            }
        }
        compared.compare(&*unit, dice, &within, 2).await;
        let keeps = !dice.once_in(5);
        end(unit, keeps).await;
        if keeps {
            calendar = within;
        }
        for _ in 0..4 {
            let store = dice.pick(stores);
            if dice.once_in(2) {
                let reads = store.reads().await.unwrap();
                compared.compare(&*reads, dice, &calendar, 2).await;
            } else {
                compared.compare(store.repositories(), dice, &calendar, 2).await;
            }
        }
    }
    compared.check();
    calendar.check(stores[0].repositories()).await;
}

/// Random writes of every kind, with random searches after them.
pub async fn random_searches_after_random_writes(store: &dyn Store) {
    let mut dice = Dice(11);
    in_unit(store, async |to| Calendar::fill(to, &mut dice, 40).await).await;
    write_and_search(&[store], &mut dice, rounds(150)).await;
}
