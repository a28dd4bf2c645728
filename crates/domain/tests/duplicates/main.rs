//! Duplicates that are planted in the 6,006 conferences, and found again.
//!
//! A planted duplicate is a conference as another source might bring it: with a typing error, its words in another order, its
//! days in another zone, or a shortened title; often without its web site, or with another name of the venue. The file
//! `natural.txt` beside this test holds the pairs of the conferences themselves that are one event, judged by hand: one pair
//! a line, as `day | title | title`.
#![cfg(test)]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use chrono::{NaiveDate, NaiveTime};
use events_calendar_domain::{
    Entry, Event, UserId, Venue, VenueDetails,
    duplicate::{Likeness, Sketch},
    event::EventDetails,
    text::Title,
    time::{EventTime, Timestamp, Zone},
    web_url::WebUrl,
};
use serde_json::Value;

const PLANTED: usize = 500;
const SEED: u64 = 20_261_203;

/// A pseudo-random sequence (`SplitMix64`).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let product = u128::from(mixed ^ (mixed >> 31)) * end as u128;
        usize::try_from(product >> 64).unwrap()
    }
}

#[derive(Clone)]
struct Conference {
    title: String,
    days: [NaiveDate; 2],
    zone: &'static str,
    all_day: bool,
    website: Option<String>,
    /// Name, city and country.
    venue: Option<[String; 3]>,
    /// For a planted one, the index of the conference that it is.
    copy_of: Option<usize>,
}

fn conferences() -> Vec<Conference> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/data/conferences.jsonl");
    let lines = fs::read_to_string(path).unwrap();
    let rows = lines.lines().map(|line| {
        let row: Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        let venue = row["venue"].as_object().map(|venue| {
            ["venue", "city", "country"].map(|name| venue[name].as_str().unwrap().to_owned())
        });
        Conference {
            title: text("title"),
            days: [text("start_date"), text("end_date")].map(|day| day.parse().unwrap()),
            zone: "UTC",
            all_day: true,
            website: Some(text("website")),
            venue,
            copy_of: None,
        }
    });
    // Two of the file have an invalid web address, and are rejected.
    let is_valid = |row: &Conference| {
        let website = row.website.as_ref();
        website.is_some_and(|url| url.parse::<WebUrl>().is_ok())
    };
    rows.filter(is_valid).collect()
}

fn event(conference: &Conference) -> (Event, Option<Venue>) {
    let now = Timestamp::from_seconds(0).unwrap();
    let [start, end] = conference.days;
    let [start, end] = [
        start.and_time(NaiveTime::MIN),
        end.and_hms_opt(23, 59, 59).unwrap(),
    ];
    let zone = conference.zone.parse::<Zone>().unwrap();
    let when = EventTime::new(zone, start, end, conference.all_day).unwrap();
    let mut details = EventDetails::new(when, "uid".to_owned());
    details.website = conference.website.as_ref().and_then(|url| url.parse().ok());
    let title = conference.title.parse::<Title>().unwrap();
    let author = UserId::from_raw(1);
    let venue = conference.venue.as_ref().map(|[name, city, country]| {
        let details = VenueDetails {
            city: city.clone(),
            country: country.clone(),
            ..VenueDetails::default()
        };
        Entry::new(author, name.parse::<Title>().unwrap(), details, now)
    });
    (Entry::new(author, title, details, now), venue)
}

/// A title with one letter too few, too many, wrong, or in the wrong place.
fn with_typing_error(title: &str, random: &mut Random) -> Option<String> {
    let mut letters: Vec<_> = title.chars().collect();
    let indexes: Vec<_> = (0..letters.len())
        .filter(|index| letters[*index].is_alphabetic())
        .collect();
    let index = *indexes.get(random.below(indexes.len().max(1)))?;
    match random.below(4) {
        0 => drop(letters.remove(index)),
        1 => letters.insert(index, letters[index]),
        2 => letters[index] = char::from(b'a' + u8::try_from(random.below(26)).unwrap()),
        _ if index + 1 < letters.len() => letters.swap(index, index + 1),
        _ => return None,
    }
    let wrong: String = letters.into_iter().collect();
    (wrong != title && wrong.trim().len() > 2).then_some(wrong)
}

fn in_other_order(title: &str, random: &mut Random) -> Option<String> {
    let mut words: Vec<_> = title.split_whitespace().collect();
    let last = words.len().checked_sub(1).filter(|last| *last > 0)?;
    let (one, two) = (random.below(words.len()), random.below(last));
    let two = if two >= one { two + 1 } else { two };
    words.swap(one, two);
    Some(words.join(" "))
}

/// A title without its last words, or in one of four without its first one; at least half of it stays.
fn shortened(title: &str, random: &mut Random) -> Option<String> {
    let words: Vec<_> = title.split_whitespace().collect();
    let gone = 1 + random.below(2);
    let left = words.len().checked_sub(gone).filter(|left| *left > 0)?;
    let short = if random.below(4) == 0 {
        words[1..].join(" ")
    } else {
        words[..left].join(" ")
    };
    let is_enough = 2 * short.len() >= title.len() && short.chars().any(char::is_alphabetic);
    is_enough.then_some(short)
}

fn planted(all: &[Conference]) -> Vec<Conference> {
    let mut random = Random(SEED);
    let mut taken = BTreeSet::new();
    let mut planted: Vec<Conference> = Vec::new();
    while planted.len() < PLANTED {
        let of = random.below(all.len());
        let mut copy = all[of].clone();
        let title = match planted.len() % 4 {
            0 => with_typing_error(&copy.title, &mut random),
            1 => in_other_order(&copy.title, &mut random),
            2 => {
                let zones = ["Etc/UTC", "Europe/Kiev", "US/Pacific", "Asia/Tokyo"];
                copy.zone = zones[random.below(zones.len())];
                copy.all_day = random.below(2) == 0;
                Some(copy.title.clone())
            }
            _ => shortened(&copy.title, &mut random),
        };
        let Some(title) = title else { continue };
        if !taken.insert(of) {
            continue;
        }
        (copy.title, copy.copy_of) = (title, Some(of));
        if random.below(2) == 0 {
            copy.website = None;
        }
        if let Some([name, city, _]) = &mut copy.venue
            && random.below(3) == 0
        {
            name.clone_from(city);
        }
        planted.push(copy);
    }
    planted
}

/// The pairs of conferences that look alike, by their indexes, with their scores.
fn reported(all: &[Conference]) -> BTreeMap<[usize; 2], Likeness> {
    let sketches: Vec<_> = all
        .iter()
        .map(|one| {
            let (event, venue) = event(one);
            let start = event.details.when.start().utc;
            (start, Sketch::of_event(&event, venue.as_ref()))
        })
        .collect();
    let mut by_start: Vec<_> = (0..all.len()).collect();
    by_start.sort_by_key(|index| sketches[*index].0);
    let mut found = BTreeMap::new();
    for (n, one) in by_start.iter().enumerate() {
        let (start, sketch) = &sketches[*one];
        let end = sketch.window().unwrap().start_max.unwrap();
        assert!(*start < end);
        for other in &by_start[n + 1..] {
            if sketches[*other].0 > end {
                break;
            }
            if let Some(alike) = sketch.compare(&sketches[*other].1) {
                found.insert([*one.min(other), *one.max(other)], alike);
            }
        }
    }
    found
}

/// Conferences of the file that are one event, judged by hand.
fn natural() -> BTreeSet<[String; 3]> {
    let lines = include_str!("natural.txt").lines();
    lines
        .map(|line| {
            let parts: Vec<_> = line.split(" | ").map(str::to_owned).collect();
            parts.try_into().unwrap()
        })
        .collect()
}

#[test]
fn planted_duplicates_are_found() {
    let conferences = conferences();
    assert_eq!(conferences.len(), 6006);
    let mut all = conferences.clone();
    all.extend(planted(&conferences));
    let reported = reported(&all);

    let natural = natural();
    let original = |index: usize| all[index].copy_of.unwrap_or(index);
    let is_right = |pair: &[usize; 2]| {
        let [one, two] = pair.map(original);
        let (one, two) = (one.min(two), one.max(two));
        let [first, second] = [one, two].map(|index| &conferences[index]);
        let day = first.days[0].to_string();
        one == two || natural.contains(&[day, first.title.clone(), second.title.clone()])
    };
    let show = |index: usize| {
        let one = &all[index];
        let [start, end] = one.days;
        let venue = one.venue.as_ref().map_or("", |venue| &venue[0]);
        let website = one.website.as_deref().unwrap_or_default();
        format!("{start} {end} {} @ {venue} {website}", one.title)
    };
    let wrong: Vec<_> = reported
        .iter()
        .filter(|(pair, _)| !is_right(pair))
        .map(|([one, two], alike)| format!("{alike:?}\n  {}\n  {}\n", show(*one), show(*two)))
        .collect();
    let missed: Vec<_> = (6006..all.len())
        .filter(|copy| !reported.contains_key(&[original(*copy), *copy]))
        .map(|copy| format!("{}\n  {}\n", show(original(copy)), show(copy)))
        .collect();
    eprintln!(
        "{} reported, {} wrong, {} of {PLANTED} missed\nwrong:\n{}missed:\n{}",
        reported.len(),
        wrong.len(),
        missed.len(),
        wrong.concat(),
        missed.concat()
    );
    assert!(10 * missed.len() <= PLANTED, "at least 90 % are found");
    assert!(100 * wrong.len() <= reported.len(), "at most 1 % is wrong");
}
