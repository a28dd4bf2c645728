//! Random writes of events with searched texts, and what the calendar then holds.

use super::texts;
use crate::{
    Dice,
    lists::{Events, RIGHT, WRONG},
    sample::{DATES, Links, Sample, ids, staged},
};
use app::{
    ports::{Repositories, SlugRequests},
    resource::Resource,
    test_support::{START, at, category, event, organizer, tag, venue},
};
use domain::{
    Event, Id, Language, Record, Stored, Translation, Venue,
    geo::Position,
    html::RichText,
    text::Title,
    time::{EventTime, Timestamp, Zone},
};

/// How long events last, in seconds: up to many years.
const LENGTHS: [i64; 10] =
    [0, 1, 3_600, 7_200, 14_401, 86_400, 518_401, 3_110_401, 100_000_000, 900_000_000];

/// Moments at which many events start.
const USUAL: [&str; 4] =
    ["2030-01-01 00:00:00", "2030-01-05 18:00:00", "2030-01-05 20:00:00", "2030-01-12 20:00:00"];

/// The most events that the writes leave, unless there were more before.
const MOST: usize = 120;

/// A moment: mostly in a few weeks, also far away, often at the border of a block of 2ⁿ seconds.
pub fn moment(dice: &mut Dice) -> Timestamp {
    let start = at(START).seconds();
    let seconds = |dice: &mut Dice, most| i64::try_from(dice.roll(most)).unwrap();
    let moment = match dice.roll(12) {
        0..=2 => return at(dice.pick(&USUAL)),
        3..=7 => start + seconds(dice, 40 * 86_400),
        8 | 9 => start + seconds(dice, 2_000_000_000) - 1_000_000_000,
        10 => -seconds(dice, 2_000_000_000),
        _ => dice.pick(&[Timestamp::MIN.seconds(), -1, 0, at("9900-01-01 00:00:00").seconds()]),
    };
    let block = dice.pick(&[12, 16, 17, 18, 19, 20, 21]);
    let moment = match dice.roll(3) {
        0 => (moment >> block << block) + seconds(dice, 3) - 1,
        _ => moment,
    };
    Timestamp::from_seconds(moment).unwrap_or(Timestamp::MIN)
}

fn time(dice: &mut Dice) -> EventTime {
    let start = moment(dice);
    let end = start.saturating_add(dice.pick(&LENGTHS));
    EventTime::new(Zone::utc(), start.civil(), end.civil(), false).unwrap()
}

fn title(dice: &mut Dice) -> Title {
    texts::title(dice).parse().unwrap()
}

fn rich(dice: &mut Dice, words: usize) -> RichText {
    RichText::parse(&texts::text(dice, words)).unwrap()
}

/// Replaces or removes the translation into a random language.
fn translate(dice: &mut Dice, event: &mut Event) {
    let language = dice.pick(&Language::ALL);
    if language == event.language {
        return;
    }
    let translation = Translation {
        title: dice.once_in(2).then(|| title(dice)),
        description: dice.once_in(2).then(|| rich(dice, 6)),
        excerpt: dice.once_in(3).then(|| rich(dice, 3)),
        ..Translation::default()
    };
    let removes = dice.once_in(3);
    event.translations.put(language, if removes { Translation::default() } else { translation });
}

fn link(dice: &mut Dice, event: &mut Event, links: &Links) {
    let details = &mut event.details;
    details.venue = dice.some(&links.venues, 1).pop();
    details.categories = dice.some(&links.categories, 3);
    details.tags = dice.some(&links.tags, 2);
    details.organizers = dice.some(&links.organizers, 2);
}

/// An event with random texts, time, links, status and password.
pub fn varied(dice: &mut Dice, links: &Links) -> Event {
    // Half of the events are public.
    let mut builder = event("E");
    if dice.once_in(2) {
        builder = staged(dice, builder);
    }
    let mut event = builder.build();
    event.title = title(dice);
    event.description = rich(dice, 14);
    event.excerpt = rich(dice, 4);
    event.language = dice.pick(&[Language::English, Language::French, Language::Arabic]);
    event.details.when = time(dice);
    event.details.hide_from_listings = dice.once_in(8);
    event.details.featured = dice.once_in(3);
    event.modified = at(dice.pick(&DATES));
    lock(dice, &mut event);
    link(dice, &mut event, links);
    for _ in 0..dice.roll(3) {
        translate(dice, &mut event);
    }
    event
}

fn lock(dice: &mut Dice, event: &mut Event) {
    let hash = dice.pick(&[None, None, None, Some(RIGHT), Some(RIGHT), Some(WRONG)]);
    let hash = hash.map(|hash| domain::entry::PasswordHash::from_stored(hash.to_owned()));
    event.details.password = hash;
}

/// Gives an event another author, status and date.
fn move_stage(dice: &mut Dice, event: &mut Event) {
    let other = staged(dice, app::test_support::event("E")).build();
    event.author = other.author;
    event.stage = other.stage;
    event.date = other.date;
    event.date_is_chosen = other.date_is_chosen;
    event.published_at = other.published_at;
}

/// Changes one aspect of an event.
fn edit(dice: &mut Dice, event: &mut Event, links: &Links) {
    match dice.roll(12) {
        0 => event.title = title(dice),
        1 => event.description = rich(dice, 14),
        2 => event.excerpt = rich(dice, 4),
        3 | 4 => event.details.when = time(dice),
        5 => event.details.hide_from_listings ^= true,
        6 => lock(dice, event),
        7 | 8 => move_stage(dice, event),
        9 | 10 => translate(dice, event),
        _ => link(dice, event, links),
    }
}

/// All records of a calendar on which searches depend.
#[derive(Clone, Debug)]
pub struct Calendar {
    pub events: Events,
    pub links: Links,
}

impl Calendar {
    /// The records with IDs that a test assigns.
    pub async fn read(from: &dyn Repositories) -> Self {
        let events =
            Events { all: all(from).await, venues: all(from).await, categories: all(from).await };
        let links = Links {
            venues: ids(&events.venues),
            organizers: ids(&all(from).await),
            categories: ids(&events.categories),
            tags: ids(&all(from).await),
        };
        Self { events, links }
    }

    /// Adds records that events link, and events.
    pub async fn fill(to: &dyn Repositories, dice: &mut Dice, events: usize) {
        let mut links = Links::add(to, &["A", "B", "C"]).await;
        let below = category("Below").below(links.categories[0]).insert(to).await;
        links.categories.push(below.id);
        for latitude in [0.0, 0.2, 1.0] {
            links.venues.push(there(latitude).insert(to).await.id);
        }
        for _ in 0..events {
            let event = varied(dice, &links);
            to.events().insert(event, SlugRequests::default()).await.unwrap();
        }
    }

    /// The texts of all events, in all languages.
    pub fn texts(&self) -> Vec<String> {
        let events = self.events.all.iter();
        let texts = events.flat_map(|event| {
            let titles = event.titles().map(|title| title.as_str().to_owned());
            let own = [event.description.plain(), event.excerpt.plain()];
            let others = event.translations.iter();
            let others = others.filter_map(|(_, other)| Some(other.description.as_ref()?.plain()));
            titles.chain(own).chain(others).collect::<Vec<_>>()
        });
        texts.filter(|text| !text.is_empty()).collect()
    }

    /// Fails unless the repositories hold exactly these records.
    pub async fn check(&self, from: &dyn Repositories) {
        assert_eq!(Self::read(from).await.events, self.events);
    }
}

fn there(latitude: f64) -> app::test_support::EntryBuilder<domain::VenueDetails> {
    let position = Some(Position::new(latitude, 7.0).unwrap());
    venue("V").with(|venue| venue.details.position = position)
}

async fn all<R: Resource>(from: &dyn Repositories) -> Vec<Stored<R>> {
    let every_id: Vec<_> = (1..=4_000).map(Id::from_raw).collect();
    R::repository(from).find_many(&every_id).await.unwrap()
}

/// Random writes within a unit of work, repeated on the records that the calendar then holds.
#[expect(missing_debug_implementations, reason = "a unit of work has no form of text")]
pub struct Writes<'a> {
    pub dice: &'a mut Dice,
    pub unit: &'a dyn Repositories,
    pub calendar: &'a mut Calendar,
}

impl Writes<'_> {
    /// Performs one random write.
    pub async fn write(&mut self) {
        let count = self.calendar.events.all.len();
        match self.dice.roll(16) {
            0..=3 if count < MOST => self.insert().await,
            4 if count > 0 => self.delete().await,
            5 => self.write_links().await,
            6 if count > 0 => {
                let next = varied(self.dice, &self.calendar.links);
                self.update(|_, event, _| *event = next.in_place_of(event)).await;
            }
            7 if count > 0 => {
                // The texts and times of another event, of which some are often the same.
                let other = self.dice.pick(&self.calendar.events.all).content;
                self.update(|_, event, _| *event = other.in_place_of(event)).await;
            }
            _ if count > 0 => self.update(edit).await,
            _ => self.insert().await,
        }
    }

    async fn insert(&mut self) {
        let event = varied(self.dice, &self.calendar.links);
        let added = self.unit.events().insert(event, SlugRequests::default()).await;
        self.calendar.events.all.push(added.unwrap());
    }

    async fn delete(&mut self) {
        let index = self.dice.roll(self.calendar.events.all.len());
        let gone = self.calendar.events.all.remove(index);
        assert!(self.unit.events().delete(gone.id).await.unwrap());
    }

    async fn update(&mut self, edit: impl FnOnce(&mut Dice, &mut Event, &Links)) {
        let Calendar { events, links } = &mut *self.calendar;
        let index = self.dice.roll(events.all.len());
        let before = &events.all[index];
        let mut after = before.content.clone();
        edit(self.dice, &mut after, links);
        let after = self.unit.events().update(before, after, SlugRequests::default()).await;
        events.all[index] = after.unwrap();
    }

    /// Moves a venue, or replaces a record that events link.
    async fn write_links(&mut self) {
        let links = &self.calendar.links;
        match self.dice.roll(5) {
            0 => {
                let before = self.dice.pick(&self.calendar.events.venues);
                let latitude = self.dice.pick(&[0.0, 0.2, 1.0]);
                let moved: Venue = staged(self.dice, there(latitude)).build();
                let moved = self.unit.venues().update(&before, moved, SlugRequests::default());
                moved.await.unwrap();
            }
            1 => {
                remove::<Venue>(self.unit, self.dice.pick(&links.venues)).await;
                there(0.2).insert(self.unit).await;
            }
            2 => {
                remove(self.unit, self.dice.pick(&links.categories)).await;
                category("New").insert(self.unit).await;
            }
            3 => {
                remove(self.unit, self.dice.pick(&links.tags)).await;
                tag("New").insert(self.unit).await;
            }
            _ => {
                remove(self.unit, self.dice.pick(&links.organizers)).await;
                organizer("New").insert(self.unit).await;
            }
        }
        // A deleted record leaves the events that named it.
        *self.calendar = Calendar::read(self.unit).await;
    }
}

async fn remove<R: Resource>(from: &dyn Repositories, id: Id<R>) {
    assert!(R::repository(from).delete(id).await.unwrap());
}
