//! Events (VEVENT), as read.

use std::{collections::HashMap, rc::Rc};

use app::feed::FeedStatus;
use chrono::{NaiveDateTime, NaiveTime};
use domain::{
    geo::Position,
    recurrence::{DateValue, RecurrenceParts, Rule},
    time::{EventTime, InvalidEventTime, Moment, Timestamp, Zone},
};
use interchange::{Finding, FindingCode, ReadEvent, ReadOrganizer, ReadPlace, ReadRecurrenceId};

use super::{
    dates::{Duration, ReadDate},
    property::Property,
    rule_text::RuleText,
    rules::{dates_of, frequent_dates, has_start, is_endless},
    scales::scaled_dates,
    wall_slots::wall_slots,
    zones::{Rules, Zones},
};

/// The largest sequence number that is stored (RFC 5545, section 3.3.8).
const MAX_SEQUENCE: i64 = i32::MAX as i64;

/// Extra dates with an end of their own, each with its time.
type Periods = Vec<(DateValue, EventTime)>;

/// The properties of one event, with what is found in them.
pub(super) struct EventReader<'a> {
    properties: &'a [Property],
    zones: &'a mut Zones,
    pub(super) warnings: Vec<Finding>,
    /// The meaning, in this event, of the names of zones that the file defines.
    defined: HashMap<String, Option<Meaning>>,
    uid: Option<String>,
    line: u64,
}

/// The meaning of a defined zone for an event.
#[derive(Clone, Debug)]
enum Meaning {
    /// A zone in which all of its wall clocks have the right instant.
    Zone(Zone),
    /// The definition alone.
    Rules(Rc<Rules>),
}

/// A date with the zone of its wall clock.
#[derive(Clone, Debug)]
struct Dated {
    value: DateValue,
    zone: Zone,
}

impl Dated {
    /// The date for an event in a zone: a wall clock of another zone becomes an instant.
    fn value_in(&self, zone: &Zone) -> DateValue {
        match self.value {
            DateValue::Local(local) if self.zone != *zone => {
                let moment = self.zone.at_local(local);
                moment.map_or(self.value, |moment| DateValue::Instant(moment.utc))
            }
            value => value,
        }
    }
}

impl<'a> EventReader<'a> {
    pub(super) fn new(line: u64, properties: &'a [Property], zones: &'a mut Zones) -> Self {
        let mut reader = Self {
            properties,
            zones,
            warnings: Vec::new(),
            defined: HashMap::new(),
            uid: None,
            line,
        };
        reader.uid = reader.text("UID");
        reader
    }

    /// Reads the event, or the reason why it is refused.
    pub(super) fn read(&mut self, is_cancelled: bool) -> Result<ReadEvent, Finding> {
        let when = self.time()?;
        let title = self.text("SUMMARY").unwrap_or_default();
        let status = if is_cancelled {
            FeedStatus::Cancelled
        } else {
            self.status()
        };
        // A cancelled event may have no text at all, and an occurrence inherits the text of its series.
        let needs_title = status != FeedStatus::Cancelled && self.get("RECURRENCE-ID").is_none();
        if title.trim().is_empty() && needs_title {
            let finding = self.finding(self.line, Some("SUMMARY"), FindingCode::NoTitle);
            self.warnings.push(finding);
        }
        let stamp = self
            .instant("LAST-MODIFIED")
            .or_else(|| self.instant("DTSTAMP"));
        let (recurrence, periods) = self.recurrence(&when)?;
        let recurrence_id = self.recurrence_id(when.zone())?;
        let description = self.text("DESCRIPTION").or_else(|| {
            let is_html = |property: &&Property| {
                let format = property.parameter("FMTTYPE").unwrap_or_default();
                format.eq_ignore_ascii_case("text/html")
            };
            self.all("X-ALT-DESC").find(is_html).map(Property::text)
        });
        Ok(ReadEvent {
            line: self.line,
            uid: self.uid.clone(),
            sequence: self.value("SEQUENCE").map_or(0, sequence),
            stamp,
            status,
            title,
            description,
            place: self
                .text("LOCATION")
                .and_then(|text| ReadPlace::parse(&text)),
            position: self.value("GEO").and_then(position),
            url: self.value("URL").map(str::to_owned),
            organizer: self.get("ORGANIZER").map(organizer),
            categories: self.categories(),
            is_private: self
                .value("CLASS")
                .is_some_and(|class| !class.eq_ignore_ascii_case("PUBLIC")),
            blanks: self.blanks(),
            parent_uid: self.parent(),
            recurrence,
            periods,
            recurrence_id,
            when,
        })
    }

    /// The finding for an event of a calendar that answers an invitation.
    pub(super) fn answer(&self) -> Finding {
        self.finding(self.line, Some("METHOD"), FindingCode::Method)
    }

    fn all(&self, name: &'static str) -> impl Iterator<Item = &'a Property> + use<'a> {
        self.properties
            .iter()
            .filter(move |property| property.name == name)
    }

    fn get(&self, name: &'static str) -> Option<&'a Property> {
        self.all(name).next()
    }

    /// The value of a property, unless it is blank.
    fn value(&self, name: &'static str) -> Option<&'a str> {
        self.get(name)
            .map(|property| property.value.trim())
            .filter(|value| !value.is_empty())
    }

    /// The text of a property, unless it is blank.
    fn text(&self, name: &'static str) -> Option<String> {
        self.get(name)
            .map(Property::text)
            .filter(|text| !text.trim().is_empty())
    }

    fn finding(&self, line: u64, property: Option<&str>, code: FindingCode) -> Finding {
        Finding {
            line,
            uid: self.uid.clone(),
            property: property.map(str::to_owned),
            code,
        }
    }

    fn at(&self, property: &Property, code: FindingCode) -> Finding {
        self.finding(property.line, Some(&property.name), code)
    }

    fn warn(&mut self, property: &Property, code: FindingCode) {
        let finding = self.at(property, code);
        if !self.warnings.contains(&finding) {
            self.warnings.push(finding);
        }
    }

    /// A date of a property, in the zone that it names.
    fn date(&mut self, property: &Property, text: &str) -> Result<Dated, Finding> {
        let date = ReadDate::parse(text).map_err(|code| self.at(property, code))?;
        if date.is_adjusted {
            self.warn(property, FindingCode::AdjustedTime);
        }
        if property.is_adjusted {
            self.warn(property, FindingCode::AdjustedValue);
        }
        let mut value = date.value;
        let is_day = property
            .parameter("VALUE")
            .is_some_and(|kind| kind.eq_ignore_ascii_case("DATE"));
        // Midnight is the day; another time counts.
        if is_day && !matches!(value, DateValue::Day(_)) {
            value = day_of_midnight(value).unwrap_or(value);
            self.warn(property, FindingCode::AdjustedValue);
        }
        let zone = match value {
            // A rule on an instant is a rule in UTC, whatever zone the calendar is shown in.
            DateValue::Instant(_) if self.repeats() => Zone::utc(),
            DateValue::Instant(_) => self.zones.of_instants(),
            DateValue::Day(_) => self.zones.of_floating().clone(),
            DateValue::Local(local) => match self.meaning(property) {
                Meaning::Zone(zone) => zone,
                Meaning::Rules(rules) => {
                    let instant = rules.instant(local);
                    let instant = instant.ok_or_else(|| self.at(property, FindingCode::BadDate))?;
                    value = DateValue::Instant(instant);
                    self.zones.of_floating().clone()
                }
            },
        };
        Ok(Dated { value, zone })
    }

    /// Whether the event is a series, or an occurrence of one.
    fn repeats(&self) -> bool {
        let names = ["RRULE", "RDATE", "EXRULE", "RECURRENCE-ID"];
        names.into_iter().any(|name| self.value(name).is_some())
    }

    /// Whether the event takes whole days.
    fn is_of_days(&self) -> bool {
        let start = self.value("DTSTART").map(ReadDate::parse);
        start.is_some_and(|start| start.is_ok_and(|date| matches!(date.value, DateValue::Day(_))))
    }

    /// The date of a slot: without a zone of its own, it is a wall clock of the series.
    fn slot(&mut self, property: &Property, text: &str, zone: &Zone) -> Result<Dated, Finding> {
        let mut date = self.date(property, text)?;
        // Series of whole days have days, in whatever zone the time of one is.
        if self.is_of_days() {
            date.value = match (date.value, ReadDate::parse(text).map(|read| read.value)) {
                (_, Ok(DateValue::Local(local))) => DateValue::Day(local.date()),
                (value, _) => day_of_midnight(value).unwrap_or(value),
            };
        }
        Ok(match date.value {
            DateValue::Local(_) if property.parameter("TZID").is_none() => Dated {
                zone: zone.clone(),
                ..date
            },
            _ => date,
        })
    }

    /// A date of a list; a bad one costs itself alone.
    fn date_of_list(&mut self, property: &Property, text: &str, zone: &Zone) -> Option<Dated> {
        let date = self.slot(property, text, zone);
        if date.is_err() {
            self.warn(property, FindingCode::BadDate);
        }
        date.ok()
    }

    /// The meaning of the zone of a property for its wall clocks.
    fn meaning(&mut self, property: &Property) -> Meaning {
        let Some(name) = property.parameter("TZID") else {
            return Meaning::Zone(self.zones.of_floating().clone());
        };
        if let Some(zone) = self.zones.find(name) {
            return Meaning::Zone(zone);
        }
        let known = self.defined.get(name).cloned();
        let meaning = known.unwrap_or_else(|| {
            let meaning = self.defined(name);
            self.defined.insert(name.to_owned(), meaning.clone());
            meaning
        });
        meaning.unwrap_or_else(|| {
            self.warn(property, FindingCode::UnknownZone);
            Meaning::Zone(self.zones.of_floating().clone())
        })
    }

    /// The meaning of a defined zone for all wall clocks of the event.
    fn defined(&mut self, name: &str) -> Option<Meaning> {
        let has_zone = |property: &&Property| property.parameter("TZID") == Some(name);
        let walls = self
            .properties
            .iter()
            .filter(has_zone)
            .flat_map(|property| {
                values(property).filter_map(|text| wall(text.split('/').next().unwrap_or(text)))
            });
        let mut walls: Vec<_> = walls.collect();
        let start = self.get("DTSTART").filter(has_zone);
        let rules: Vec<_> = ["RRULE", "EXRULE"]
            .into_iter()
            .flat_map(|name| self.all(name))
            .collect();
        if let Some(start) = start.and_then(|start| wall(&start.value)) {
            let slots = rules.iter().flat_map(|rule| wall_slots(&rule.value, start));
            walls.extend(slots);
        }
        let definition = self.zones.rules(name, &walls)?;
        if let Some(zone) = self.zones.fit(name, &definition, &walls) {
            return Some(Meaning::Zone(zone));
        }
        // A rule needs wall clocks.
        let fixed = start.filter(|_| !rules.is_empty());
        if let Some(zone) = fixed.and_then(|_| definition.fixed(&walls)) {
            return Some(Meaning::Zone(zone));
        }
        Some(Meaning::Rules(Rc::new(definition)))
    }

    /// The time of the event.
    fn time(&mut self) -> Result<EventTime, Finding> {
        let Some(property) = self.get("DTSTART") else {
            return Err(self.finding(self.line, Some("DTSTART"), FindingCode::NoStart));
        };
        let start = self.date(property, &property.value)?;
        let end = match self.get("DTEND") {
            Some(property) if property.value.trim().is_empty() => {
                self.warn(property, FindingCode::AdjustedValue);
                None
            }
            Some(property) => Some((property, self.date(property, &property.value)?)),
            None => None,
        };
        let duration = match self.get("DURATION").filter(|_| end.is_none()) {
            None => None,
            Some(property) if property.value.trim().is_empty() => {
                self.warn(property, FindingCode::AdjustedValue);
                None
            }
            Some(property) => {
                let duration = Duration::parse(&property.value);
                let duration = duration.ok_or_else(|| self.at(property, FindingCode::BadDate))?;
                if duration.is_adjusted {
                    self.warn(property, FindingCode::AdjustedValue);
                }
                if duration.is_negative() {
                    return Err(self.at(property, FindingCode::EndBeforeStart));
                }
                Some(duration)
            }
        };
        let last = end.as_ref().map_or(property, |(property, _)| property);
        let time = if let DateValue::Day(first) = start.value {
            let last = match &end {
                // The end is the day after the last one, or a time on the last one.
                Some((property, end)) => {
                    let moment = moment(end, &end.zone);
                    let local = moment.ok_or_else(|| self.at(property, FindingCode::BadDate))?;
                    let is_midnight = local.local.time() == NaiveTime::MIN;
                    let after = local.local.date();
                    if after > first && is_midnight {
                        after.pred_opt().unwrap_or(first)
                    } else {
                        after
                    }
                }
                None => duration
                    .and_then(|one| one.last_day(first))
                    .unwrap_or(first),
            };
            let [first, last] = [first, last].map(|day| day.and_time(NaiveTime::MIN));
            EventTime::new(start.zone, first, last, true)
        } else {
            let zone = start.zone.clone();
            let begin =
                moment(&start, &zone).ok_or_else(|| self.at(property, FindingCode::BadDate))?;
            let end = match (&end, duration) {
                (Some((_, end)), _) => moment(end, &zone),
                (None, Some(duration)) => after(&zone, begin, duration),
                (None, None) => Some(begin),
            };
            let end = end.ok_or_else(|| self.at(last, FindingCode::BadDate))?;
            EventTime::between(zone, begin, end, false)
        };
        time.map_err(|error| match error {
            InvalidEventTime::EndBeforeStart => self.at(last, FindingCode::EndBeforeStart),
            InvalidEventTime::OutOfRange(_) => self.at(last, FindingCode::BadDate),
        })
    }

    fn instant(&mut self, name: &'static str) -> Option<Timestamp> {
        let property = self.get(name)?;
        let date = self.date(property, &property.value).ok()?;
        let zone = date.zone.clone();
        moment(&date, &zone).map(|moment| moment.utc)
    }

    /// The rule and the dates by which it repeats, and the extra dates with an end of their own.
    fn recurrence(&mut self, when: &EventTime) -> Result<(RecurrenceParts, Periods), Finding> {
        let mut parts = RecurrenceParts::default();
        let rule = self.rules("RRULE", when, &mut parts.extra)?;
        parts.rule = rule.map(|(_, rule)| rule);
        if let Some((property, rule)) = self.rules("EXRULE", when, &mut parts.deleted)? {
            let excludes_start = has_start(&rule, when);
            let dates = self.dates_of(property, rule, when)?.into_iter();
            parts
                .deleted
                .extend(dates.skip(usize::from(!excludes_start)));
        }
        let mut periods = Vec::new();
        for property in self.all("RDATE") {
            for text in values(property) {
                let (start, end) = text.split_once('/').unwrap_or((text, ""));
                let Some(date) = self.date_of_list(property, start, when.zone()) else {
                    continue;
                };
                let value = date.value_in(when.zone());
                parts.extra.push(value);
                if !end.is_empty() && !when.all_day() {
                    periods.push((value, self.period(property, &date, end, when)?));
                }
            }
        }
        for property in self.all("EXDATE") {
            for text in values(property) {
                let date = self.date_of_list(property, text, when.zone());
                parts
                    .deleted
                    .extend(date.map(|date| date.value_in(when.zone())));
            }
        }
        Ok((parts, periods))
    }

    /// The rule of a property: one that has no end, or else the first. The others become dates.
    fn rules(
        &mut self,
        name: &'static str,
        when: &EventTime,
        dates: &mut Vec<DateValue>,
    ) -> Result<Option<(&'a Property, Rule)>, Finding> {
        let mut kept: Option<(&Property, Rule)> = None;
        for property in self.all(name) {
            let text = RuleText::read(&property.value, when);
            if text.is_adjusted {
                self.warn(property, FindingCode::AdjustedValue);
            }
            let Some(text) = text.text else {
                continue;
            };
            if let Some(found) = self.by_definition(&text) {
                self.warn(property, FindingCode::AdjustedValue);
                dates.extend(found);
                continue;
            }
            let Ok(rule) = text.parse::<Rule>() else {
                let found = frequent_dates(&text, when).or_else(|| scaled_dates(&text, when));
                dates.extend(found.ok_or_else(|| self.at(property, FindingCode::Recurrence))?);
                continue;
            };
            let is_kept = match &kept {
                None => true,
                Some((_, kept)) => is_endless(&rule) && !is_endless(kept),
            };
            let rule = (property, rule);
            let other = if is_kept {
                kept.replace(rule)
            } else {
                Some(rule)
            };
            if let Some((property, other)) = other {
                dates.extend(self.dates_of(property, other, when)?);
            }
        }
        Ok(kept)
    }

    /// The dates of a rule by a VTIMEZONE that equals no IANA zone; `None` if a zone has the rules.
    fn by_definition(&mut self, text: &str) -> Option<Vec<DateValue>> {
        let property = self.get("DTSTART")?;
        let start = wall(&property.value)?;
        let Meaning::Rules(rules) = self.meaning(property) else {
            return None;
        };
        let slots = rules_slots(&rules, text, start);
        let dates = slots.into_iter().filter_map(|slot| rules.instant(slot));
        Some(dates.map(DateValue::Instant).collect())
    }

    /// The dates of a rule.
    fn dates_of(
        &self,
        property: &Property,
        rule: Rule,
        when: &EventTime,
    ) -> Result<Vec<DateValue>, Finding> {
        let dates = dates_of(rule, when);
        dates.ok_or_else(|| self.at(property, FindingCode::Recurrence))
    }

    /// The time of an extra date with an end or a duration.
    fn period(
        &mut self,
        property: &Property,
        start: &Dated,
        end: &str,
        when: &EventTime,
    ) -> Result<EventTime, Finding> {
        let zone = when.zone().clone();
        let bad = || self.at(property, FindingCode::BadDate);
        let begin = moment(start, &zone).ok_or_else(bad)?;
        let end = if let Some(duration) = Duration::parse(end) {
            after(&zone, begin, duration)
        } else {
            let end = self.slot(property, end, &zone)?;
            moment(&end, &zone)
        };
        let end = end.ok_or_else(|| self.at(property, FindingCode::BadDate))?;
        let time = EventTime::between(zone, begin, end, false);
        time.map_err(|_| self.at(property, FindingCode::EndBeforeStart))
    }

    fn recurrence_id(&mut self, of_start: &Zone) -> Result<Option<ReadRecurrenceId>, Finding> {
        let Some(property) = self.get("RECURRENCE-ID") else {
            return Ok(None);
        };
        let Dated { value, zone } = self.slot(property, &property.value, of_start)?;
        let zone = property.parameter("TZID").is_some().then_some(zone);
        let range = property.parameter("RANGE").unwrap_or_default();
        let and_following = range.eq_ignore_ascii_case("THISANDFUTURE");
        Ok(Some(ReadRecurrenceId {
            value,
            zone,
            and_following,
        }))
    }

    fn status(&self) -> FeedStatus {
        match self.value("STATUS").map(str::to_ascii_uppercase).as_deref() {
            Some("CANCELLED") => FeedStatus::Cancelled,
            Some("TENTATIVE") => FeedStatus::Tentative,
            _ => FeedStatus::Confirmed,
        }
    }

    fn categories(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for name in self.all("CATEGORIES").flat_map(Property::texts) {
            let name = name.trim();
            if !name.is_empty() && !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        names
    }

    fn blanks(&self) -> Vec<String> {
        let is_blank = |property: &&Property| property.value.trim().is_empty();
        let blank = self.properties.iter().filter(is_blank);
        blank.map(|property| property.name.clone()).collect()
    }

    fn parent(&self) -> Option<String> {
        let mut related = self.all("RELATED-TO");
        let is_parent = |property: &&Property| {
            property
                .parameter("RELTYPE")
                .is_none_or(|kind| kind.eq_ignore_ascii_case("PARENT"))
        };
        let uid = related.find(is_parent)?.text().trim().to_owned();
        (!uid.is_empty()).then_some(uid)
    }
}

/// The day of a time that is midnight by its own clock; `None` for another time, and for a day.
fn day_of_midnight(value: DateValue) -> Option<DateValue> {
    let local = match value {
        DateValue::Day(_) => return None,
        DateValue::Local(local) => local,
        DateValue::Instant(instant) => instant.civil(),
    };
    (local.time() == NaiveTime::MIN).then(|| DateValue::Day(local.date()))
}

/// The wall clock of a text; `None` if it is a day or an instant.
fn wall(text: &str) -> Option<NaiveDateTime> {
    match ReadDate::parse(text).ok()?.value {
        DateValue::Local(local) => Some(local),
        DateValue::Day(_) | DateValue::Instant(_) => None,
    }
}

/// The slots of a rule whose end, an instant, is one of a definition.
fn rules_slots(rules: &Rules, text: &str, start: NaiveDateTime) -> Vec<NaiveDateTime> {
    let by_clock = |rule: Rule| {
        let mut parts = rule.parts().clone();
        if let Some(DateValue::Instant(until)) = parts.until {
            parts.until = Some(DateValue::Local(rules.local(until)));
        }
        Rule::new(parts).ok()
    };
    let rule = text.parse().ok().and_then(by_clock);
    let text = rule.map_or_else(|| text.to_owned(), |rule| rule.to_string());
    wall_slots(&text, start).collect()
}

/// The values of a list of dates.
fn values(property: &Property) -> impl Iterator<Item = &str> {
    let values = property.value.split(',');
    values.filter(|text| !text.trim().is_empty())
}

/// The moment of a date in a zone.
fn moment(date: &Dated, zone: &Zone) -> Option<Moment> {
    match date.value_in(zone) {
        DateValue::Day(day) => zone.at_local(day.and_time(NaiveTime::MIN)).ok(),
        DateValue::Local(local) => zone.at_local(local).ok(),
        DateValue::Instant(instant) => Some(zone.at(instant)),
    }
}

/// The moment after a duration: its days by the calendar, then its seconds.
fn after(zone: &Zone, start: Moment, duration: Duration) -> Option<Moment> {
    let mut moment = start;
    if duration.days != 0 {
        moment = zone.at_local(duration.days_after(start.local)?).ok()?;
    }
    Some(zone.at(duration.seconds_after(moment.utc)?))
}

/// A sequence number, limited to the largest one; 0 for another text.
fn sequence(text: &str) -> i64 {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        let number = text.parse().unwrap_or(MAX_SEQUENCE);
        return number.min(MAX_SEQUENCE);
    }
    let number = text.parse::<i64>().unwrap_or(0);
    number.clamp(0, MAX_SEQUENCE)
}

fn position(text: &str) -> Option<Position> {
    let (latitude, longitude) = text.split_once(';').or_else(|| text.split_once(','))?;
    let position = Position::new(
        latitude.trim().parse().ok()?,
        longitude.trim().parse().ok()?,
    )
    .ok()?;
    // Programs write zeros for an unknown position.
    (position.latitude() != 0.0 || position.longitude() != 0.0).then_some(position)
}

fn organizer(property: &Property) -> ReadOrganizer {
    let value = property.value.trim();
    let has_scheme = value
        .get(..7)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("mailto:"));
    let email = if has_scheme {
        value[7..].to_owned()
    } else {
        String::new()
    };
    let name = property
        .parameter("CN")
        .unwrap_or_default()
        .trim()
        .to_owned();
    ReadOrganizer { name, email }
}
