//! The parts of records that are compared.

use std::collections::BTreeSet;

use chrono::{Datelike as _, NaiveDate};

use super::{
    DuplicateReason, Likeness,
    name::{self, Name},
};
use crate::{
    Event, EventId, Organizer, Record as _, Venue,
    event::{Repetition, Window},
    geo::Position,
    text::fold,
    time::{EventTime, Timestamp},
    web_url::WebUrl,
};

/// The difference between two starts on one local day is less than this: the zones of the earth are 26 hours apart.
const LONGEST: i64 = 50 * 3600;

/// The distance at which two positions are one place, in kilometres.
const NEAR_KM: f64 = 0.15;

/// The part of an event, a venue or an organizer that is compared with others of its kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Sketch {
    /// In each language.
    names: Vec<Name>,
    website: Option<String>,
    kind: OfKind,
}

#[derive(Clone, Debug, PartialEq)]
enum OfKind {
    Event(Box<OfEvent>),
    Venue(Box<OfVenue>),
    Organizer(OfOrganizer),
}

#[derive(Clone, Debug, PartialEq)]
struct OfEvent {
    when: EventTime,
    days: [NaiveDate; 2],
    /// The event above, or the series: parts of one whole are told apart by those who made them.
    whole: Option<EventId>,
    venue: Option<(Vec<Name>, OfVenue)>,
}

#[derive(Clone, Debug, PartialEq)]
struct OfVenue {
    address: Name,
    city: Name,
    country: Name,
    position: Option<Position>,
    phone: String,
}

#[derive(Clone, Debug, PartialEq)]
struct OfOrganizer {
    email: String,
    phone: String,
}

impl OfVenue {
    fn new(venue: &Venue) -> Self {
        let details = &venue.details;
        Self {
            address: Name::new(&details.address),
            city: Name::new(&details.city),
            country: Name::new(&details.country),
            position: details.position,
            phone: digits(&details.phone),
        }
    }

    fn is_near(&self, other: &Self) -> Option<bool> {
        Some(self.position?.distance_km(other.position?) <= NEAR_KM)
    }
}

impl Sketch {
    /// The sketch of an event at a venue.
    pub fn of_event(event: &Event, venue: Option<&Venue>) -> Self {
        let whole = match &event.details.repetition {
            Repetition::Occurrence(one) => Some(one.series),
            Repetition::Once | Repetition::Series(_) => event.details.parent,
        };
        let website = event.details.website.as_ref();
        let mut sketch = Self::of_titles(event.titles(), &event.details.when);
        sketch.website = website.map(address);
        if let OfKind::Event(event) = &mut sketch.kind {
            event.whole = whole;
            event.venue = venue.map(|venue| (names(venue.titles()), OfVenue::new(venue)));
        }
        sketch
    }

    /// The sketch of an event of which only the title, the time and the name of the venue are known.
    ///
    /// ```
    /// use events_calendar_domain::{duplicate::Sketch, time::{EventTime, Zone, parse_civil}};
    ///
    /// let start = parse_civil("2027-03-09 19:00:00").unwrap();
    /// let when = EventTime::new(Zone::utc(), start, start, false)?;
    /// let jazz = Sketch::of_plan("Jazz night", &when, Some("Old Mill"));
    /// let again = Sketch::of_plan("Night, JAZZ", &when, Some("old mill"));
    /// assert!(jazz.compare(&again).is_some());
    /// let tower = Sketch::of_plan("Jazz night", &when, Some("Tower"));
    /// assert!(jazz.compare(&tower).is_none());
    /// assert!(jazz.window().unwrap().start_min < Some(when.start().utc));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_plan(title: &str, when: &EventTime, venue: Option<&str>) -> Self {
        let mut sketch = Self::of_titles([title], when);
        let venue = venue.map(Name::new).filter(|name| !name.is_empty());
        if let OfKind::Event(event) = &mut sketch.kind {
            let nowhere = OfVenue {
                address: Name::new(""),
                city: Name::new(""),
                country: Name::new(""),
                position: None,
                phone: String::new(),
            };
            event.venue = venue.map(|name| (vec![name], nowhere));
        }
        sketch
    }

    fn of_titles<T: AsRef<str>>(titles: impl IntoIterator<Item = T>, when: &EventTime) -> Self {
        let [start, end] = [when.start(), when.end()];
        let last = end.utc.saturating_add(-1).max(start.utc);
        Self {
            names: names(titles),
            website: None,
            kind: OfKind::Event(Box::new(OfEvent {
                when: when.clone(),
                days: [start.local.date(), when.zone().at(last).local.date()],
                whole: None,
                venue: None,
            })),
        }
    }

    /// The sketch of a venue.
    ///
    /// ```
    /// use events_calendar_domain::{UserId, Venue, VenueDetails, duplicate::Sketch, time::Timestamp};
    /// let now = Timestamp::from_seconds(0).unwrap();
    /// let mill = |name: &str, city: &str| {
    ///     let details = VenueDetails { city: city.to_owned(), ..VenueDetails::default() };
    ///     Sketch::of_venue(&Venue::new(UserId::from_raw(1), name.parse().unwrap(), details, now))
    /// };
    /// let lyon = mill("Old Mill", "Lyon");
    /// assert!(lyon.compare(&mill("OLD MILL", "Lyon")).is_some());
    /// assert!(lyon.compare(&mill("Old Mill", "Paris")).is_none());
    /// ```
    pub fn of_venue(venue: &Venue) -> Self {
        Self {
            names: names(venue.titles()),
            website: venue.details.website.as_ref().map(address),
            kind: OfKind::Venue(Box::new(OfVenue::new(venue))),
        }
    }

    /// The sketch of an organizer.
    ///
    /// ```
    /// use events_calendar_domain::{Organizer, OrganizerDetails, UserId, duplicate::Sketch, time::Timestamp};
    /// let now = Timestamp::from_seconds(0).unwrap();
    /// let club = |name: &str, email: &str| {
    ///     let details = OrganizerDetails { email: email.to_owned(), ..OrganizerDetails::default() };
    ///     Sketch::of_organizer(&Organizer::new(UserId::from_raw(1), name.parse().unwrap(), details, now))
    /// };
    /// let club_of_lyon = club("Chess club", "hello@club.example");
    /// assert!(club_of_lyon.compare(&club("Chess Clubb", "Hello@club.example")).is_some());
    /// assert!(club_of_lyon.compare(&club("Chess Clubb", "info@other.example")).is_none());
    /// ```
    pub fn of_organizer(organizer: &Organizer) -> Self {
        let details = &organizer.details;
        Self {
            names: names(organizer.titles()),
            website: details.website.as_ref().map(address),
            kind: OfKind::Organizer(OfOrganizer {
                email: fold(&details.email),
                phone: digits(&details.phone),
            }),
        }
    }

    /// For an event, a window that holds the starts of all events that look alike.
    pub fn window(&self) -> Option<Window> {
        let OfKind::Event(event) = &self.kind else {
            return None;
        };
        let start = event.when.start().utc;
        Some(Window {
            start_min: Some(start.saturating_add(-LONGEST)),
            start_max: Some(start.saturating_add(LONGEST)),
            ..Window::default()
        })
    }

    /// The keys under which an index finds venues or organizers that look alike: these have one in common.
    ///
    /// ```
    /// use events_calendar_domain::{Organizer, OrganizerDetails, UserId, duplicate::Sketch, time::Timestamp};
    /// let now = Timestamp::from_seconds(0).unwrap();
    /// let club = |name: &str| Organizer::new(UserId::from_raw(1), name.parse().unwrap(), OrganizerDetails::default(), now);
    /// let [one, other] = ["Chess club", "The Ches-Club"].map(|name| Sketch::of_organizer(&club(name)).keys());
    /// assert!(one.iter().any(|key| other.contains(key)));
    /// ```
    pub fn keys(&self) -> BTreeSet<String> {
        let mut keys: BTreeSet<String> = self.website.iter().cloned().collect();
        for word in self.names.iter().flat_map(Name::telling_words) {
            let letters: Vec<_> = word.chars().collect();
            let part = letters.len().min(3);
            keys.insert(letters[..part].iter().collect());
            keys.insert(letters[letters.len() - part..].iter().collect());
        }
        if let OfKind::Organizer(one) = &self.kind {
            keys.extend(
                [&one.email, &one.phone]
                    .into_iter()
                    .filter(|key| !key.is_empty())
                    .cloned(),
            );
        }
        keys
    }

    /// How much two records look alike; `None` if they are two things.
    pub fn compare(&self, other: &Self) -> Option<Likeness> {
        let mut tally = Tally::default();
        if self.website.is_some() && self.website == other.website {
            tally.add(6, DuplicateReason::Website);
        }
        let has_website = !tally.reasons.is_empty();
        let mut known = BTreeSet::new();
        match (&self.kind, &other.kind) {
            (OfKind::Event(one), OfKind::Event(two)) => {
                one.compare(two, has_website, &mut tally, &mut known)?;
            }
            (OfKind::Venue(one), OfKind::Venue(two)) => {
                known.extend(place_words([&**one, two]));
                one.compare(two, &mut tally)?;
            }
            (OfKind::Organizer(one), OfKind::Organizer(two)) => {
                one.compare(two, has_website, &mut tally)?;
            }
            _ => return None,
        }
        let years = [self, other].map(Self::years).concat();
        known.extend(years.iter().map(String::as_str));
        let name = best_name(&self.names, &other.names, &known)?;
        tally.add(name.points, name.reason);
        let has_other_website = self.website.is_some() && other.website.is_some() && !has_website;
        if name.reason == DuplicateReason::TitlePart && has_other_website {
            tally.points -= 10;
        }
        let score = u8::try_from(tally.points.clamp(0, 100)).unwrap_or_default();
        tally.reasons.sort_unstable();
        tally.reasons.dedup();
        (score >= Likeness::REPORTED).then_some(Likeness {
            score,
            reasons: tally.reasons,
        })
    }

    /// The year of an event, which says nothing beside its days.
    fn years(&self) -> Vec<String> {
        match &self.kind {
            OfKind::Event(event) => {
                let year = event.days[0].year();
                vec![year.to_string(), format!("{:02}", year % 100)]
            }
            OfKind::Venue(_) | OfKind::Organizer(_) => Vec::new(),
        }
    }
}

/// The points and the reasons so far.
#[derive(Default)]
struct Tally {
    points: i32,
    reasons: Vec<DuplicateReason>,
}

impl Tally {
    fn add(&mut self, points: i32, reason: DuplicateReason) {
        self.points += points;
        self.reasons.push(reason);
    }
}

impl OfEvent {
    /// The points of time and place, at most 40; `None` if they differ.
    fn compare<'a>(
        &'a self,
        other: &'a Self,
        has_website: bool,
        tally: &mut Tally,
        known: &mut BTreeSet<&'a str>,
    ) -> Option<()> {
        if self.whole.is_some() && self.whole == other.whole {
            return None;
        }
        let (points, reason) = self.compare_times(other)?;
        tally.add(points, reason);
        match (&self.venue, &other.venue) {
            (Some((names, venue)), Some((other_names, other_venue))) => {
                let places = [venue, other_venue];
                known.extend(place_words(places));
                let town = same(&venue.city, &other_venue.city);
                let name = best_name(names, other_names, &BTreeSet::new());
                let is_near = venue.is_near(other_venue);
                match (name, is_near, town) {
                    (_, Some(false), _) | (_, None, Some(false)) if !has_website => return None,
                    (Some(name), ..) if name.points == name::MOST => {
                        tally.add(20, DuplicateReason::Venue);
                    }
                    (_, Some(true), _) => tally.add(19, DuplicateReason::Position),
                    (Some(_), ..) => tally.add(17, DuplicateReason::Venue),
                    (None, _, Some(true)) => tally.add(10, DuplicateReason::City),
                    (None, _, None) if !has_website => return None,
                    (None, ..) => {}
                }
            }
            // Neither says where it is: nothing speaks against one place.
            (None, None) => tally.points += 14,
            (Some((_, venue)), None) | (None, Some((_, venue))) => {
                known.extend(place_words([venue]));
                tally.points += 6;
            }
        }
        Some(())
    }

    fn compare_times(&self, other: &Self) -> Option<(i32, DuplicateReason)> {
        let [one, two] = [&self.when, &other.when];
        let instants = [
            one.start().utc == two.start().utc,
            one.end().utc == two.end().utc,
        ];
        let clocks = [
            one.start().local == two.start().local,
            one.end().local == two.end().local,
        ];
        let overlap = self.days[0] <= other.days[1] && other.days[0] <= self.days[1];
        Some(if instants == [true; 2] || clocks == [true; 2] {
            (20, DuplicateReason::Time)
        } else if instants[0] || clocks[0] {
            (17, DuplicateReason::Start)
        } else if self.days[0] == other.days[0] {
            (
                if self.meets(other) { 15 } else { 11 },
                DuplicateReason::Day,
            )
        } else if overlap && self.starts_near(other) {
            (6, DuplicateReason::Overlap)
        } else {
            return None;
        })
    }

    /// Whether there is a moment at which both take place.
    fn meets(&self, other: &Self) -> bool {
        let span =
            |event: &Self| -> [Timestamp; 2] { [event.when.start().utc, event.when.end().utc] };
        let [one, two] = [span(self), span(other)];
        one[0] <= two[1] && two[0] <= one[1]
    }

    fn starts_near(&self, other: &Self) -> bool {
        let days = (self.days[0] - other.days[0]).num_days();
        days.abs() <= 1
    }
}

impl OfVenue {
    fn compare(&self, other: &Self, tally: &mut Tally) -> Option<()> {
        if self.is_near(other) == Some(false)
            || same(&self.city, &other.city) == Some(false)
            || (same(&self.country, &other.country) == Some(false) && self.city.is_empty())
        {
            return None;
        }
        let address = same(&self.address, &other.address);
        if address == Some(false) && self.is_near(other).is_none() {
            tally.points -= 12;
        }
        if address == Some(true) {
            tally.add(16, DuplicateReason::Address);
        }
        if self.is_near(other) == Some(true) {
            tally.add(16, DuplicateReason::Position);
        }
        if same(&self.city, &other.city) == Some(true) {
            tally.add(18, DuplicateReason::City);
        }
        if !self.phone.is_empty() && self.phone == other.phone {
            tally.add(8, DuplicateReason::Phone);
        }
        Some(())
    }
}

impl OfOrganizer {
    fn compare(&self, other: &Self, has_website: bool, tally: &mut Tally) -> Option<()> {
        let equal =
            |one: &str, other: &str| (!one.is_empty() && !other.is_empty()).then_some(one == other);
        let email = equal(&self.email, &other.email);
        let phone = equal(&self.phone, &other.phone);
        if email == Some(true) {
            tally.add(30, DuplicateReason::Email);
        }
        if phone == Some(true) {
            tally.add(20, DuplicateReason::Phone);
        }
        if has_website {
            tally.points += 19;
        }
        let speaks_for = has_website || [email, phone].contains(&Some(true));
        let speaks_against = [email, phone].contains(&Some(false));
        if !speaks_for && !speaks_against {
            // Only names are known.
            tally.points += 12;
        }
        (speaks_for || !speaks_against).then_some(())
    }
}

/// The best likeness of two records' names in any language.
fn best_name(
    names: &[Name],
    others: &[Name],
    known: &BTreeSet<&str>,
) -> Option<name::NameLikeness> {
    let pairs = names
        .iter()
        .flat_map(|name| others.iter().map(move |other| (name, other)));
    let alike = pairs.filter_map(|(name, other)| name.compare(other, known));
    alike.max_by_key(|alike| alike.points)
}

/// Whether two texts are the same; `None` if one is unknown.
fn same(one: &Name, other: &Name) -> Option<bool> {
    if one.is_empty() || other.is_empty() {
        return None;
    }
    Some(one.compare(other, &BTreeSet::new()).is_some())
}

fn names<T: AsRef<str>>(titles: impl IntoIterator<Item = T>) -> Vec<Name> {
    let names = titles.into_iter().map(|title| Name::new(title.as_ref()));
    names.filter(|name| !name.is_empty()).collect()
}

/// The words that name the towns and countries of places.
fn place_words<'a>(places: impl IntoIterator<Item = &'a OfVenue>) -> Vec<&'a str> {
    let words = places
        .into_iter()
        .flat_map(|place| place.city.words().iter().chain(place.country.words()));
    words.map(String::as_str).collect()
}

fn digits(phone: &str) -> String {
    phone.chars().filter(char::is_ascii_digit).collect()
}

/// An address without what differs between spellings of it.
fn address(url: &WebUrl) -> String {
    let text = url.as_str().to_lowercase();
    let text = text.split(['?', '#']).next().unwrap_or_default();
    let text = text.split_once("://").map_or(text, |(_, rest)| rest);
    let text = text.strip_prefix("www.").unwrap_or(text);
    text.trim_end_matches('/').to_owned()
}
