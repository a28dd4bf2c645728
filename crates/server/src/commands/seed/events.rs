//! Made-up events.

use anyhow::Context;
use domain::{
    CategoryId, Event, Kind, Language, OrganizerId, Stage, Status, TagId, VenueId,
    cost::{Cost, Currency},
    event::{EventDetails, PasswordHash},
    text::Title,
    ticket::{OnSale, Price, Ticket},
    time::{EventTime, NaiveDateTime, Timestamp, Zone},
    translation::Translation,
};

use super::{
    cities::{CITIES, City},
    random::Random,
    records::{Slugs, World, venue_city},
    texts::{Writer, rich, website},
    words::RARE,
};

/// Days before and after now between which events lie.
const DAYS: usize = 5 * 365;

/// Events that hold the rare word.
const RARE_EVENTS: usize = 20;

/// Shares of events, in a thousandth.
mod share {
    pub(super) const VENUE: usize = 920;
    pub(super) const TRANSLATED: usize = 50;
    pub(super) const ALL_DAY: usize = 80;
    pub(super) const MANY_DAYS: usize = 50;
    pub(super) const MANY_WEEKS: usize = 2;
    pub(super) const PAID: usize = 550;
    pub(super) const TICKETED: usize = 60;
    pub(super) const WEBSITE: usize = 400;
    pub(super) const EXCERPT: usize = 300;
    pub(super) const FEATURED: usize = 30;
    pub(super) const STICKY: usize = 10;
    pub(super) const HIDDEN: usize = 10;
    pub(super) const LOCKED: usize = 10;
    pub(super) const DRAFT: usize = 10;
    pub(super) const PENDING: usize = 5;
    pub(super) const PRIVATE: usize = 10;
    pub(super) const TRASHED: usize = 3;
    pub(super) const SCHEDULED: usize = 1;
}

/// What events can name.
#[derive(Debug)]
pub(super) struct Named {
    pub(super) venues: Vec<VenueId>,
    pub(super) organizers: Vec<OrganizerId>,
    pub(super) categories: Vec<CategoryId>,
    pub(super) tags: Vec<TagId>,
}

/// Makes events, each by its number alone, but for its slug.
#[derive(Debug)]
pub(super) struct Events {
    pub(super) world: World,
    pub(super) named: Named,
    /// How many there will be.
    pub(super) count: usize,
    pub(super) slugs: Slugs,
}

impl Events {
    /// The event of a number.
    pub(super) fn event(&mut self, number: usize) -> anyhow::Result<Event> {
        let world = self.world;
        let mut random = Random::of(world.seed, Kind::Event, number);
        let named = &self.named;
        let venue = random
            .permille(share::VENUE)
            .then(|| random.skewed(named.venues.len()));
        let city = match venue {
            Some(venue) => venue_city(world.seed, venue),
            None => random.pick(&CITIES),
        };
        // Some events are not in the language of their town.
        let language = match random.below(10) {
            0 => *random.pick(&Language::ALL),
            _ => city.language,
        };
        let when = when(world.now, city, &mut random)?;
        let mut writer = Writer::new(language, city, &mut random);
        let title = writer.title()?;
        let mut description = writer.paragraphs(&[3, 3, 3, 3]);
        let excerpt = writer.paragraphs(&[1]);
        if number.is_multiple_of((self.count / RARE_EVENTS).max(1)) {
            description = format!("{description}\n\n{RARE}.");
        }
        let uid = format!("{:016x}-{number}@seed.example", world.seed);
        let mut details = EventDetails::new(when, uid);
        details.venue = venue.map(|venue| named.venues[venue]);
        details.organizers = some(&named.organizers, 2, &mut random);
        details.categories = some(&named.categories, 2, &mut random);
        details.tags = some(&named.tags, 4, &mut random);
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
        let mut event = world.entry(title, language, details, &mut random);
        event.description = rich(&description)?;
        if random.permille(share::EXCERPT) {
            event.excerpt = rich(&excerpt)?;
        }
        status(&mut event, world.now, &mut random);
        if random.permille(share::TRANSLATED) {
            translate(&mut event, city, &mut random)?;
        }
        if !matches!(event.stage, Stage::Draft | Stage::Pending) {
            event.slug = Some(self.slugs.take(event.slug_from_title()));
        }
        if event.stage == Stage::Trashed {
            event.former_slug = event.slug.take();
            let trashed = event.former_slug.as_ref().map(domain::slug::Slug::trashed);
            event.slug = trashed.map(|slug| self.slugs.take(slug));
        }
        Ok(event)
    }
}

/// Up to so many of some, none twice, the first ones more often.
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

/// When an event happens: most in the evening, for a few hours.
fn when(now: Timestamp, city: &City, random: &mut Random) -> anyhow::Result<EventTime> {
    const DAY: i64 = 24 * 3600;

    let seconds = |number: usize| i64::try_from(number).unwrap_or_default();
    let zone = Zone::parse(city.zone).context("the zone of a town")?;
    let day = seconds(random.below(2 * DAYS)) - seconds(DAYS);
    let midnight = now.seconds() - now.seconds().rem_euclid(DAY) + day * DAY;
    // From eight to eight in the evening, by the quarter; the second half is more likely.
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
        Ok(Timestamp::from_seconds(at)
            .context("a made-up date")?
            .civil())
    };
    EventTime::new(zone, local(start)?, local(start + length)?, all_day).context("a made-up date")
}

fn prices(details: &mut EventDetails, number: usize, random: &mut Random) -> anyhow::Result<()> {
    if !random.permille(share::PAID) {
        if random.below(2) == 0 {
            details.cost = Cost::parse(&["0"]).context("a made-up price")?;
        }
        return Ok(());
    }
    let euro = 3 + random.below(60);
    let cost = match random.below(3) {
        0 => format!("{euro}-{}", euro + 10),
        1 => format!("{euro} €"),
        _ => euro.to_string(),
    };
    details.cost = Cost::parse(&[cost]).context("a made-up price")?;
    if random.below(2) == 0 {
        details.currency = Some(Currency::parse("EUR").context("a currency")?);
    }
    if random.permille(share::TICKETED) {
        for (name, price) in [("Full price", euro), ("Reduced", euro / 2)] {
            details.tickets.push(Ticket {
                name: Title::parse(name).context("a made-up name")?,
                price: Price::parse(&price.to_string()).context("a made-up price")?,
                currency: Currency::parse("EUR").context("a currency")?,
                url: Some(website(random.below(5000), number)?),
                on_sale: OnSale::default(),
            });
        }
    }
    Ok(())
}

/// Takes a few events out of the public, and lets others wait for their moment.
fn status(event: &mut Event, now: Timestamp, random: &mut Random) {
    let shares = [
        (share::DRAFT, Status::Draft),
        (share::PENDING, Status::Pending),
        (share::PRIVATE, Status::Private),
        (share::TRASHED, Status::Trash),
        (share::SCHEDULED, Status::Future),
    ];
    let mut place = random.below(1000);
    for (share, status) in shares {
        if place >= share {
            place -= share;
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
    let language = *random.pick(&Language::ALL);
    if language == event.language {
        return Ok(());
    }
    let mut writer = Writer::new(language, city, random);
    let translation = Translation {
        title: Some(writer.title()?),
        description: Some(rich(&writer.paragraphs(&[3, 3, 3, 3]))?),
        ..Translation::default()
    };
    event.translations.put(language, translation);
    Ok(())
}
