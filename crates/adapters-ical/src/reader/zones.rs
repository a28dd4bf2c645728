//! The time zones that a file names (TZID) and defines (VTIMEZONE).

use std::{
    collections::{BTreeSet, HashMap},
    sync::LazyLock,
};

use chrono::{Datelike, Days, NaiveDate, NaiveDateTime, NaiveTime};
use domain::{
    recurrence::{DateValue, Recurrence, Rule, Slot},
    time::{EventTime, Timestamp, Zone, ZoneData},
};

use super::{dates::ReadDate, display_names, property::Property, windows_zones};

/// Zones with the same rules are chosen by these prefixes, the first ones first.
const PREFERRED: [&str; 6] = [
    "Europe/",
    "America/",
    "Australia/",
    "Asia/",
    "Africa/",
    "Pacific/",
];

/// Most onsets of an observance that are looked at. A zone has one or two a year.
const MOST_ONSETS: usize = 400;

/// The seconds of a day.
const DAY: i64 = 86_400;

/// The seconds between two instants at which zones are compared.
const TEN_DAYS: usize = 10 * 86_400;

/// A yearly rule begins again within them.
const DAYS_OF_TWO_YEARS: u64 = 2 * 366;

/// All zones, zones of large regions first.
static ALL: LazyLock<Vec<Zone>> = LazyLock::new(|| {
    let data = ZoneData::bundled();
    let mut names: Vec<_> = data.names().map(str::to_owned).collect();
    let rank = |name: &String| {
        let region = PREFERRED.iter().position(|prefix| name.starts_with(prefix));
        region.unwrap_or(PREFERRED.len())
    };
    names.sort_by_key(rank);
    names.iter().filter_map(|name| name.parse().ok()).collect()
});

/// The zones of a file.
#[derive(Debug)]
pub(super) struct Zones {
    /// The zone of wall clocks for which the file names none.
    default: Zone,
    /// The zone that the calendar of the file names (X-WR-TIMEZONE).
    calendar: Option<Zone>,
    definitions: HashMap<String, Definition>,
    /// The zones of the names that were looked up.
    named: HashMap<String, Option<Zone>>,
    /// All zones for a definition, the most alike ones first, by its name and a year.
    found: HashMap<(String, i32), Vec<Zone>>,
}

impl Zones {
    pub(super) fn new(default: Zone) -> Self {
        Self {
            default,
            calendar: None,
            definitions: HashMap::new(),
            named: HashMap::new(),
            found: HashMap::new(),
        }
    }

    /// Sets the zone of the calendar, if it is known.
    pub(super) fn set_calendar(&mut self, name: &str) {
        self.calendar = known(name).or(self.calendar.take());
    }

    /// Adds a definition. One without readable rules and without a place counts as absent.
    pub(super) fn define(&mut self, name: String, definition: Definition) {
        self.named.clear();
        if !definition.observances.is_empty() || definition.location.is_some() {
            self.definitions.insert(name, definition);
        }
    }

    /// Forgets the zones of a calendar that ended.
    pub(super) fn forget(&mut self) {
        *self = Self::new(self.default.clone());
    }

    /// The zone of wall clocks without a zone.
    pub(super) fn of_floating(&self) -> &Zone {
        self.calendar.as_ref().unwrap_or(&self.default)
    }

    /// The zone in which instants are shown.
    pub(super) fn of_instants(&self) -> Zone {
        self.calendar.clone().unwrap_or_else(Zone::utc)
    }

    /// The zone that a file calls by a name, unless the rules of a definition say what it means.
    pub(super) fn find(&mut self, name: &str) -> Option<Zone> {
        let name = name.trim();
        if let Some(zone) = self.named.get(name) {
            return zone.clone();
        }
        let zone = self.find_new(name);
        self.named.insert(name.to_owned(), zone.clone());
        zone
    }

    fn find_new(&self, name: &str) -> Option<Zone> {
        let definition = self.definitions.get(name);
        let location = definition.and_then(|one| known(one.location.as_deref()?));
        match (known(name), location) {
            // The other name of an offset.
            (Some(zone), Some(location)) if is_alike(&zone, &location) => Some(location),
            (Some(zone), _) => Some(zone),
            (None, location) => location,
        }
    }

    /// The rules of the definition with a name, for the years of some wall clocks.
    pub(super) fn rules(&self, name: &str, walls: &[NaiveDateTime]) -> Option<Rules> {
        let definition = self.definitions.get(name.trim())?;
        let years = walls.iter().map(Datelike::year);
        Some(definition.rules(years.clone().min()?, years.max()?))
    }

    /// A zone in which all wall clocks mean what the rules of a definition say: of several, the one that
    /// is most alike in the year around the first wall clock.
    pub(super) fn fit(
        &mut self,
        name: &str,
        rules: &Rules,
        walls: &[NaiveDateTime],
    ) -> Option<Zone> {
        let near = walls.first()?;
        let key = (name.trim().to_owned(), near.year());
        let first = self.of_floating().clone();
        let zones = self
            .found
            .entry(key)
            .or_insert_with(|| rules.alike(*near, &first));
        let meant: Vec<_> = walls.iter().map(|wall| rules.instant(*wall)).collect();
        let fits = |zone: &&Zone| {
            let mut all = walls.iter().zip(&meant);
            all.all(|(wall, meant)| {
                let moment = zone.at_local(*wall);
                moment.is_ok_and(|moment| Some(moment.utc) == *meant)
            })
        };
        zones.iter().find(fits).cloned()
    }
}

/// Whether both zones have the same offset at all times.
fn is_alike(zone: &Zone, other: &Zone) -> bool {
    let offset = zone.fixed_offset();
    offset.is_some() && offset == other.fixed_offset()
}

/// The zone of a name: of the IANA database, with or without a prefix, of Windows, or an offset.
fn known(name: &str) -> Option<Zone> {
    let name = name.trim().trim_matches('"').trim();
    let is_offset = name.contains(['+', '-']) && !name.contains('/');
    if is_offset && let Some(iana) = windows_zones::iana_name(name) {
        return iana.parse().ok();
    }
    if let Ok(zone) = name.parse() {
        return Some(zone);
    }
    let of_windows = windows_zones::iana_name(name).or_else(|| display_names::iana_name(name));
    if let Some(iana) = of_windows {
        return iana.parse().ok();
    }
    if let Some(zone) = offset_name(name).and_then(|name| name.parse().ok()) {
        return Some(zone);
    }
    // `America/New York`
    if name.contains('/')
        && name.contains(' ')
        && let Some(zone) = known(&name.replace(' ', "_"))
    {
        return Some(zone);
    }
    // `/mozilla.org/20050126_1/Europe/Berlin`, `/America/New_York`: a name has up to three parts.
    let has_prefix = name.starts_with('/') || name.contains("://");
    let parts: Vec<_> = name.split('/').filter(|part| !part.is_empty()).collect();
    let longest = if has_prefix { parts.len().min(3) } else { 0 };
    (1..=longest)
        .rev()
        .find_map(|count| parts[parts.len() - count..].join("/").parse().ok())
}

/// The name in this calendar of an offset without a colon: `GMT+0100`, `UTC+0530`, `GMT-5`, `+0530`.
fn offset_name(name: &str) -> Option<String> {
    let prefix = name
        .get(..3)
        .filter(|prefix| prefix.eq_ignore_ascii_case("UTC") || prefix.eq_ignore_ascii_case("GMT"));
    let offset = name.get(prefix.map_or(0, str::len)..)?.trim();
    let digits = offset.strip_prefix(['+', '-'])?.replace(':', "");
    let sign = offset.get(..1)?;
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (hours, minutes) = match digits.len() {
        1 | 2 => (digits.as_str(), "00"),
        3 | 4 => digits.split_at(digits.len() - 2),
        _ => return None,
    };
    let hours: u8 = hours.parse().ok()?;
    Some(match prefix {
        None if digits.len() == 4 => format!("{sign}{hours:02}:{minutes}"),
        None => return None,
        Some(_) if minutes == "00" => format!("UTC{sign}{hours}"),
        Some(_) => format!("UTC{sign}{hours}:{minutes}"),
    })
}

/// The definition of a zone.
#[derive(Debug, Default)]
pub(super) struct Definition {
    location: Option<String>,
    observances: Vec<ReadObservance>,
}

/// An observance, as read. Its dates are wall clocks by the offset before.
#[derive(Debug)]
struct ReadObservance {
    dates: Recurrence,
    before: i64,
    offset: i64,
}

impl Definition {
    /// Reads the name of a definition and what it says; none without a name.
    pub(super) fn read(
        properties: &[Property],
        observances: &[Vec<Property>],
    ) -> Option<(String, Self)> {
        let get = |name: &str| properties.iter().find(|property| property.name == name);
        let observances = observances
            .iter()
            .filter_map(|one| ReadObservance::read(one));
        let definition = Self {
            location: get("X-LIC-LOCATION").map(Property::text),
            observances: observances.collect(),
        };
        Some((get("TZID")?.text().trim().to_owned(), definition))
    }

    /// The definition for a range of years, with one before and one after.
    fn rules(&self, first: i32, last: i32) -> Rules {
        let begin = |year| {
            let day = NaiveDate::from_ymd_opt(year, 1, 1).unwrap_or_default();
            Slot::new(day.and_time(NaiveTime::MIN))
        };
        let (from, to) = (
            begin(first.saturating_sub(2)),
            begin(last.saturating_add(3)),
        );
        let mut onsets = Vec::new();
        for one in &self.observances {
            let instant = |slot: Slot| slot.local().and_utc().timestamp() - one.before;
            let near = one.dates.slots(from..to).take(MOST_ONSETS);
            let before = one.last_before(from);
            onsets.extend(
                before
                    .into_iter()
                    .chain(near)
                    .map(|slot| (instant(slot), one.offset)),
            );
        }
        onsets.sort_unstable();
        // Before the first observance, its offset before is in force.
        let earliest = self
            .observances
            .iter()
            .min_by_key(|one| one.dates.first_slot());
        Rules {
            onsets,
            before: earliest.map_or(0, |one| one.before),
        }
    }
}

/// The offsets of a definition in some years.
#[derive(Debug)]
pub(super) struct Rules {
    /// The instants at which observances begin, with their offsets, in order.
    onsets: Vec<(i64, i64)>,
    /// The offset before all of them.
    before: i64,
}

impl Rules {
    /// The offset at an instant, in seconds east of UTC.
    fn offset_at(&self, instant: i64) -> i64 {
        let after = self.onsets.partition_point(|(at, _)| *at <= instant);
        let last = after.checked_sub(1).and_then(|at| self.onsets.get(at));
        last.map_or(self.before, |(_, offset)| *offset)
    }

    /// The instant of a wall clock: the first of two, and by the offset before one that the clocks skip
    /// (RFC 5545, section 3.3.5).
    pub(super) fn instant(&self, wall: NaiveDateTime) -> Option<Timestamp> {
        let wall = wall.and_utc().timestamp();
        let before = self.offset_at(wall - 2 * DAY);
        let from = self.onsets.partition_point(|(at, _)| *at < wall - 2 * DAY);
        let near = self.onsets.iter().skip(from);
        let near = near.take_while(|(at, _)| *at <= wall + 2 * DAY);
        let mut offsets: Vec<_> = near.map(|(_, offset)| *offset).chain([before]).collect();
        // The more eastern offset gives the earlier instant.
        offsets.sort_unstable_by(|a, b| b.cmp(a));
        let meant = offsets
            .into_iter()
            .find(|one| self.offset_at(wall - one) == *one);
        Timestamp::from_seconds(wall - meant.unwrap_or(before))
    }

    /// The wall clock at an instant.
    pub(super) fn local(&self, instant: Timestamp) -> NaiveDateTime {
        instant
            .saturating_add(self.offset_at(instant.seconds()))
            .civil()
    }

    /// The zone with the offset that all wall clocks have, if they have the same.
    pub(super) fn fixed(&self, walls: &[NaiveDateTime]) -> Option<Zone> {
        let offset = |wall: &NaiveDateTime| {
            let instant = self.instant(*wall)?;
            Some(wall.and_utc().timestamp() - instant.seconds())
        };
        let (first, others) = walls.split_first()?;
        let first = offset(first)?;
        if others.iter().any(|wall| offset(wall) != Some(first)) || first % 60 != 0 {
            return None;
        }
        let (sign, minutes) = (if first < 0 { '-' } else { '+' }, first.abs() / 60);
        let name = format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60);
        name.parse().ok()
    }

    /// All zones, the ones first that have the same offsets at more instants of a year around a wall
    /// clock; of equal ones `first`, if it is among them.
    fn alike(&self, near: NaiveDateTime, first: &Zone) -> Vec<Zone> {
        let middle = near.and_utc().timestamp();
        let half = 183 * DAY;
        let changes = self.onsets.iter().flat_map(|(at, _)| [at - 1, *at]);
        let changes = changes.filter(|at| (at - middle).abs() <= half);
        let samples: Vec<_> = (middle - half..=middle + half)
            .step_by(TEN_DAYS)
            .chain(changes)
            .filter_map(|at| Some((Timestamp::from_seconds(at)?, self.offset_at(at))))
            .collect();
        let likeness = |zone: &Zone| {
            let is_equal = |(at, offset): &&(Timestamp, i64)| {
                zone.at(*at).local.and_utc().timestamp() - at.seconds() == *offset
            };
            samples.iter().filter(is_equal).count()
        };
        let all = std::iter::once(first).chain(&*ALL).cloned();
        let mut all: Vec<_> = all.map(|zone| (likeness(&zone), zone)).collect();
        all.sort_by_key(|(likeness, _)| std::cmp::Reverse(*likeness));
        all.into_iter().map(|(_, zone)| zone).collect()
    }
}

impl ReadObservance {
    /// The last onset before a slot.
    fn last_before(&self, slot: Slot) -> Option<Slot> {
        let first = self.dates.first_slot();
        if first >= slot {
            return None;
        }
        let is_counted = self
            .dates
            .rule()
            .is_some_and(|rule| rule.parts().count.is_some());
        let from = if is_counted {
            first
        } else {
            let until = match self.dates.until() {
                Some(DateValue::Local(until)) => slot.min(Slot::new(until)),
                _ => slot,
            };
            let day = until.day().checked_sub_days(Days::new(DAYS_OF_TWO_YEARS));
            Slot::of_day(day.unwrap_or_default()).max(first)
        };
        self.dates
            .slots(from..slot)
            .take(MOST_ONSETS)
            .last()
            .or(Some(first))
    }

    fn read(properties: &[Property]) -> Option<Self> {
        let get = |name: &str| properties.iter().find(|property| property.name == name);
        let start = match ReadDate::parse(&get("DTSTART")?.value).ok()?.value {
            DateValue::Local(local) => local,
            DateValue::Day(day) => day.and_time(NaiveTime::MIN),
            DateValue::Instant(_) => return None,
        };
        let before = offset(&get("TZOFFSETFROM")?.value)?;
        let first = EventTime::new(Zone::utc(), start, start, false).ok()?;
        let rule = get("RRULE").and_then(|rule| rule_by_clock(&rule.value, before));
        let dates = properties
            .iter()
            .filter(|property| property.name == "RDATE");
        let dates = dates.flat_map(|property| property.value.split(','));
        let extra: BTreeSet<_> = dates
            .filter_map(|text| match ReadDate::parse(text).ok()?.value {
                DateValue::Local(local) => Some(Slot::new(local)),
                DateValue::Day(_) | DateValue::Instant(_) => None,
            })
            .collect();
        Some(Self {
            dates: Recurrence::from_stored(first, rule, extra, BTreeSet::new()),
            before,
            offset: offset(&get("TZOFFSETTO")?.value)?,
        })
    }
}

/// The rule of an observance whose end, an instant, is made a wall clock by the offset before.
fn rule_by_clock(text: &str, before: i64) -> Option<Rule> {
    let rule: Rule = text.parse().ok()?;
    let mut parts = rule.parts().clone();
    if let Some(DateValue::Instant(until)) = parts.until {
        parts.until = Some(DateValue::Instant(until.saturating_add(before)));
    }
    Rule::new(parts).ok()
}

/// Parses an offset such as `+0100`, in seconds.
fn offset(text: &str) -> Option<i64> {
    let text = text.trim();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+')?),
    };
    let is_offset =
        matches!(digits.len(), 4 | 6) && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = |at: usize| -> Option<i64> {
        digits
            .get(at..at + 2)
            .map_or(Some(0), |number| number.parse().ok())
    };
    let seconds = number(0)? * 3600 + number(2)? * 60 + number(4)?;
    is_offset.then_some(sign * seconds)
}
