//! Made-up events.

use std::{collections::BTreeSet, time::Duration};

use anyhow::Context;
use domain::{
    CategoryId, Event, Kind, Language, OrganizerId, Stage, Status, TagId, Translation, VenueId,
    cost::{Cost, Currency},
    entry::PasswordHash,
    event::{EventDetails, Repetition, Series},
    recurrence::Recurrence,
    slug::Slug,
    text::Title,
    ticket::{OnSale, Price, Ticket},
    time::{EventTime, NaiveDateTime, Timestamp, Zone},
};

use crate::{
    cities::{CITIES, City},
    random::Random,
    records::{Generator, venue_city},
    texts::{TextGenerator, rich, website},
    words::RARE,
};

/// Approximate number of events that contain the rare word.
const RARE_EVENTS: usize = 20;

/// Shares of events, in thousandths.
mod share {
    pub(crate) const VENUE: usize = 920;
    pub(crate) const TRANSLATED: usize = 50;
    pub(crate) const ALL_DAY: usize = 80;
    pub(crate) const MANY_DAYS: usize = 50;
    pub(crate) const MANY_WEEKS: usize = 2;
    pub(crate) const PAID: usize = 550;
    pub(crate) const TICKETED: usize = 60;
    pub(crate) const WEBSITE: usize = 400;
    pub(crate) const EXCERPT: usize = 300;
    pub(crate) const FEATURED: usize = 30;
    pub(crate) const STICKY: usize = 10;
    pub(crate) const HIDDEN: usize = 10;
    pub(crate) const LOCKED: usize = 10;
    pub(crate) const DRAFT: usize = 10;
    pub(crate) const PENDING: usize = 5;
    pub(crate) const PRIVATE: usize = 10;
    pub(crate) const TRASHED: usize = 3;
    pub(crate) const SCHEDULED: usize = 1;
}

/// IDs of the records that events refer to.
#[derive(Debug)]
pub struct RelatedIds {
    /// Venues, in the order of their numbers.
    pub venues: Vec<VenueId>,
    /// Organizers.
    pub organizers: Vec<OrganizerId>,
    /// Categories.
    pub categories: Vec<CategoryId>,
    /// Tags.
    pub tags: Vec<TagId>,
}

/// The number of occurrences of a series.
const SERIES_SLOTS: usize = 100;

/// Makes each event from its number alone, except for the slug.
#[derive(Debug)]
pub struct EventGenerator {
    generator: Generator,
    related: RelatedIds,
    /// The number of all events.
    count: usize,
}

impl EventGenerator {
    /// A generator of `count` events that refer to these records.
    pub fn new(generator: Generator, related: RelatedIds, count: usize) -> Self {
        Self {
            generator,
            related,
            count,
        }
    }

    /// The event of a number as a weekly series of 100 occurrences, the first of which is
    /// up to 99 weeks before the event.
    ///
    /// # Errors
    ///
    /// As for [`Self::event`].
    pub fn series(&mut self, number: usize) -> anyhow::Result<Event> {
        let mut event = self.event(number)?;
        let when = &event.details.when;
        let weeks = u64::try_from(number % SERIES_SLOTS)?;
        let earlier = |local: NaiveDateTime| local - Duration::from_secs(weeks * 7 * 24 * 3600);
        let first = EventTime::new(
            when.zone().clone(),
            earlier(when.start().local),
            earlier(when.end().local),
            when.all_day(),
        )?;
        let rule = Some(format!("FREQ=WEEKLY;COUNT={SERIES_SLOTS}").parse()?);
        let none = BTreeSet::new();
        let recurrence = Recurrence::from_stored(first.clone(), rule, none.clone(), none);
        event.details.when = first;
        event.details.repetition = Repetition::Series(Box::new(Series::new(recurrence)));
        Ok(event)
    }

    /// The event of a number.
    ///
    /// # Errors
    ///
    /// If the domain rejects a generated value.
    pub fn event(&mut self, number: usize) -> anyhow::Result<Event> {
        let Generator { seed, now, .. } = self.generator;
        let mut random = Random::of(seed, Kind::Event, number);
        let related = &self.related;
        let venue = random
            .permille(share::VENUE)
            .then(|| random.skewed(related.venues.len()));
        let city = match venue {
            Some(venue) => venue_city(seed, venue),
            None => &CITIES[random.below(CITIES.len())],
        };
        // One event in ten is in a random language.
        let language = match random.below(10) {
            0 => random.pick(&Language::ALL),
            _ => city.language,
        };
        let when = when((now, self.generator.days), city, &mut random)?;
        let mut texts = TextGenerator::new(language, city, &mut random);
        let title = texts.title()?;
        let mut description = texts.paragraphs(&[3, 3, 3, 3]);
        let excerpt = texts.paragraphs(&[1]);
        if number.is_multiple_of((self.count / RARE_EVENTS).max(1)) {
            description = format!("{description}\n\n{RARE}.");
        }
        let uid = format!("{seed:016x}-{number}@seed.example");
        let mut details = EventDetails::new(when, uid);
        details.venue = venue.map(|venue| related.venues[venue]);
        details.organizers = some(&related.organizers, 2, &mut random);
        details.categories = some(&related.categories, 2, &mut random);
        details.tags = some(&related.tags, 4, &mut random);
        prices(&mut details, number, &mut random)?;
        if random.permille(share::WEBSITE) {
            details.website = Some(website(random.below(5000), number)?);
        }
        details.show_map = true;
        details.show_map_link = true;
        details.featured = random.permille(share::FEATURED);
        details.sticky = random.permille(share::STICKY);
        details.hide_from_listings = random.permille(share::HIDDEN);
        if random.permille(share::LOCKED) {
            // No password has this hash.
            details.password = Some(PasswordHash::from_stored(format!("seed {number}")));
        }
        let mut event = self.generator.entry(title, language, details, &mut random);
        event.description = rich(&description)?;
        if random.permille(share::EXCERPT) {
            event.excerpt = rich(&excerpt)?;
        }
        status(&mut event, now, &mut random);
        if random.permille(share::TRANSLATED) {
            translate(&mut event, city, &mut random)?;
        }
        if !event.stage.awaits_decision() {
            event.slug = Some(self.take_slug(event.slug_from_title()));
        }
        if event.stage == Stage::Trashed {
            event.former_slug = event.slug.take();
            let trashed = event.former_slug.as_ref().map(Slug::trashed);
            event.slug = trashed.map(|slug| self.take_slug(slug));
        }
        Ok(event)
    }

    fn take_slug(&mut self, requested: Slug) -> Slug {
        self.generator.slugs.take(Kind::Event, requested)
    }
}

/// Up to `end` different elements, the first ones more often.
fn some<T: Copy + PartialEq>(all: &[T], end: usize, random: &mut Random) -> Vec<T> {
    let mut some = Vec::new();
    for _ in 0..random.below(end) + usize::from(end == 2) {
        let one = all[random.skewed(all.len())];
        if !some.contains(&one) {
            some.push(one);
        }
    }
    some
}

/// The time of an event within some days before and after now: mostly in the evening, for a few hours.
fn when(
    (now, days): (Timestamp, usize),
    city: &City,
    random: &mut Random,
) -> anyhow::Result<EventTime> {
    const DAY: i64 = 24 * 3600;

    let seconds = |number: usize| i64::try_from(number).unwrap_or_default();
    let zone = city.zone.parse::<Zone>().context("the zone of a city")?;
    let day = seconds(random.below(2 * days)) - seconds(days);
    let midnight = now.seconds() - now.seconds().rem_euclid(DAY) + day * DAY;
    // From 8:00 to 20:00 in quarters of an hour, the later ones more often.
    let quarter = random.below(48).max(random.below(48));
    let start = midnight + 8 * 3600 + 900 * seconds(quarter);
    let all_day = random.permille(share::ALL_DAY);
    let length = if random.permille(share::MANY_WEEKS) {
        (30 + seconds(random.below(330))) * DAY
    } else if random.permille(share::MANY_DAYS) {
        (1 + seconds(random.below(9))) * DAY
    } else {
        3600 + 900 * seconds(random.below(13))
    };
    let local = |at: i64| -> anyhow::Result<NaiveDateTime> {
        Ok(Timestamp::from_seconds(at).context("a date")?.civil())
    };
    EventTime::new(zone, local(start)?, local(start + length)?, all_day).context("a date")
}

fn prices(details: &mut EventDetails, number: usize, random: &mut Random) -> anyhow::Result<()> {
    if !random.permille(share::PAID) {
        if random.below(2) == 0 {
            details.cost = Cost::parse(&["0"]).context("a price")?;
        }
        return Ok(());
    }
    let euro = 3 + random.below(60);
    let cost = match random.below(3) {
        0 => format!("{euro}-{}", euro + 10),
        1 => format!("{euro} €"),
        _ => euro.to_string(),
    };
    details.cost = Cost::parse(&[cost]).context("a price")?;
    if random.below(2) == 0 {
        details.currency = Some("EUR".parse::<Currency>().context("a currency")?);
    }
    if random.permille(share::TICKETED) {
        for (name, price) in [("Full price", euro), ("Reduced", euro / 2)] {
            details.tickets.push(Ticket {
                name: name.parse::<Title>().context("a name")?,
                price: price.to_string().parse::<Price>().context("a price")?,
                currency: "EUR".parse::<Currency>().context("a currency")?,
                url: Some(website(random.below(5000), number)?),
                on_sale: OnSale::default(),
            });
        }
    }
    Ok(())
}

/// Makes a few events drafts, pending, private, trashed or scheduled.
fn status(event: &mut Event, now: Timestamp, random: &mut Random) {
    let shares = [
        (share::DRAFT, Status::Draft),
        (share::PENDING, Status::Pending),
        (share::PRIVATE, Status::Private),
        (share::TRASHED, Status::Trash),
        (share::SCHEDULED, Status::Future),
    ];
    let mut rest = random.below(1000);
    for (share, status) in shares {
        if rest >= share {
            rest -= share;
            continue;
        }
        if status == Status::Future {
            let days = i64::try_from(random.below(200)).unwrap_or_default();
            event.date = now.saturating_add((days + 2) * 24 * 3600);
            event.date_is_chosen = true;
            event.published_at = None;
        }
        if matches!(status, Status::Draft | Status::Pending) {
            event.published_at = None;
        }
        event.move_to(status, event.modified);
        return;
    }
}

fn translate(event: &mut Event, city: &City, random: &mut Random) -> anyhow::Result<()> {
    let language = random.pick(&Language::ALL);
    if language == event.language {
        return Ok(());
    }
    let mut texts = TextGenerator::new(language, city, random);
    let translation = Translation {
        title: Some(texts.title()?),
        description: Some(rich(&texts.paragraphs(&[3, 3, 3, 3]))?),
        ..Translation::default()
    };
    event.translations.put(language, translation);
    Ok(())
}
