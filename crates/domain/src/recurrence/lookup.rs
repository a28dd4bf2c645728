//! The slots that single dates mean.

use chrono::{NaiveDate, NaiveTime, TimeDelta, Timelike};

use super::{
    date_value::DateValue,
    set::{Recurrence, last_second},
    slot::Slot,
};
use crate::time::Timestamp;

impl Recurrence {
    /// The one slot that a date means, deleted or not: its wall clock, its instant, or the only one
    /// of its day.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use events_calendar_domain::recurrence::Recurrence;
    /// # use events_calendar_domain::time::{EventTime, parse_civil};
    /// # let start = parse_civil("2027-03-02 19:00:00").unwrap();
    /// let first = EventTime::new("Europe/Paris".parse()?, start, start, false)?;
    /// # let rule = Some("FREQ=WEEKLY;COUNT=6".parse()?);
    /// # let weekly = Recurrence::from_stored(first, rule, BTreeSet::new(), BTreeSet::new());
    /// for id in ["2027-03-16T19:00:00", "20270316T190000", "2027-03-16", "20270316T180000Z"] {
    ///     let slot = weekly.find(id.parse()?).unwrap();
    ///     assert_eq!(slot.to_string(), "2027-03-16T19:00:00");
    ///     assert_eq!(weekly.recurrence_id(slot).to_string(), "2027-03-16T19:00:00");
    /// }
    /// assert_eq!(weekly.find("2027-03-17".parse()?), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find(&self, date: DateValue) -> Option<Slot> {
        let slots = match self.kind_of(date) {
            DateValue::Day(day) => self.shown_of(day),
            date => self.slots_at(date),
        };
        match *slots {
            [slot] => Some(slot),
            _ => None,
        }
    }

    /// The first slot with an occurrence that a date means, which may be a day with several.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use events_calendar_domain::recurrence::Recurrence;
    /// # use events_calendar_domain::time::{EventTime, Zone, parse_civil};
    /// # let start = parse_civil("2027-03-02 19:00:00").unwrap();
    /// # let first = EventTime::new(Zone::utc(), start, start, false)?;
    /// let rule = Some("FREQ=WEEKLY;COUNT=6".parse()?);
    /// let extra = BTreeSet::from(["2027-03-16T23:30:00".parse()?]);
    /// let series = Recurrence::from_stored(first, rule, extra, BTreeSet::new());
    /// let day = "2027-03-16".parse()?;
    /// assert_eq!(series.find(day), None, "two slots");
    /// assert_eq!(series.find_first(day), Some("2027-03-16T19:00:00".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_first(&self, date: DateValue) -> Option<Slot> {
        let slots = self.slots_at(date).into_iter();
        slots
            .filter(|slot| self.occurrence_at(*slot).is_some())
            .min()
    }

    /// The date of a label, whether or not a slot has it; also a date in the form of
    /// [`DateValue`].
    ///
    /// ```
    /// use events_calendar_domain::recurrence::Recurrence;
    ///
    /// let date = |label| Recurrence::date_of_label(label).map(|date| date.to_string());
    /// assert_eq!(date("2027-03-16").as_deref(), Some("2027-03-16"));
    /// assert_eq!(date("2027-03-16-1900").as_deref(), Some("2027-03-16T19:00:00"));
    /// assert_eq!(date("2027-03"), None);
    /// ```
    pub fn date_of_label(label: &str) -> Option<DateValue> {
        if let Ok(date) = label.parse() {
            return Some(date);
        }
        let (day, time) = label.split_at_checked("YYYY-MM-DD".len())?;
        let DateValue::Day(day) = day.parse().ok()? else {
            return None;
        };
        let time = time_of_label(time.strip_prefix('-')?)?;
        Some(DateValue::Local(day.and_time(time)))
    }

    /// A slot as RECURRENCE-ID: a day if the event takes whole days, otherwise a wall clock.
    pub fn recurrence_id(&self, slot: Slot) -> DateValue {
        if self.first().all_day() {
            DateValue::Day(slot.day())
        } else {
            DateValue::Local(slot.local())
        }
    }

    /// A slot within a slug: its day, and its time of day if the day has several slots.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use events_calendar_domain::recurrence::Recurrence;
    /// # use events_calendar_domain::time::{EventTime, Zone, parse_civil};
    /// # let start = parse_civil("2027-03-02 19:00:00").unwrap();
    /// # let first = EventTime::new(Zone::utc(), start, start, false)?;
    /// let rule = Some("FREQ=WEEKLY;COUNT=6".parse()?);
    /// let extra = BTreeSet::from(["2027-03-16T23:30:00".parse()?]);
    /// let series = Recurrence::from_stored(first, rule, extra, BTreeSet::new());
    /// let (second, third) = ("2027-03-09T19:00:00".parse()?, "2027-03-16T19:00:00".parse()?);
    /// assert_eq!(series.label(second), "2027-03-09");
    /// assert_eq!(series.label(third), "2027-03-16-1900");
    /// assert_eq!(series.find_label("2027-03-16-1900"), Some(third));
    /// assert_eq!(series.find_label("2027-03-16"), None, "two slots");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn label(&self, slot: Slot) -> String {
        label(slot, self.has_several_on(slot.day()))
    }

    /// The labels of slots, in their order. It works out each day once if its slots come together.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use events_calendar_domain::recurrence::Recurrence;
    /// # use events_calendar_domain::time::{EventTime, Zone, parse_civil};
    /// # let start = parse_civil("2027-03-02 19:00:00").unwrap();
    /// # let first = EventTime::new(Zone::utc(), start, start, false)?;
    /// let rule = Some("FREQ=WEEKLY;COUNT=2".parse()?);
    /// let extra = BTreeSet::from(["2027-03-09T23:30:00".parse()?]);
    /// let series = Recurrence::from_stored(first, rule, extra, BTreeSet::new());
    /// let labels: Vec<_> = series.labels(series.slots(..)).collect();
    /// assert_eq!(labels, ["2027-03-02", "2027-03-09-1900", "2027-03-09-2330"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn labels(&self, slots: impl IntoIterator<Item = Slot>) -> impl Iterator<Item = String> {
        let mut known = None;
        slots.into_iter().map(move |slot| {
            let day = slot.day();
            let is_one_of_several = match known {
                Some((known_day, is_one_of_several)) if known_day == day => is_one_of_several,
                _ => self.has_several_on(day),
            };
            known = Some((day, is_one_of_several));
            label(slot, is_one_of_several)
        })
    }

    /// The slot with a label, deleted or not.
    pub fn find_label(&self, text: &str) -> Option<Slot> {
        let (day, time) = text.split_at_checked("YYYY-MM-DD".len())?;
        let DateValue::Day(day) = day.parse().ok()? else {
            return None;
        };
        let slots = self.shown_of(day);
        let slot = match time.strip_prefix('-') {
            Some(time) => Slot::new(day.and_time(time_of_label(time)?)),
            None => *slots.first()?,
        };
        let is_it = slots.contains(&slot) && label(slot, slots.len() > 1) == text;
        is_it.then_some(slot)
    }

    /// The slots that a date means: its wall clock, its instant, or those of its day.
    pub(super) fn slots_at(&self, date: DateValue) -> Vec<Slot> {
        match self.kind_of(date) {
            DateValue::Day(day) => self.slots_of(day),
            DateValue::Local(local) => {
                let slot = Slot::new(local);
                self.has_slot(slot).then_some(slot).into_iter().collect()
            }
            DateValue::Instant(instant) => {
                let is_at = |slot: &Slot| {
                    let when = self.time_at(*slot);
                    self.has_slot(*slot) && when.is_some_and(|when| when.start().utc == instant)
                };
                self.candidates(instant).find(is_at).into_iter().collect()
            }
        }
    }

    /// The slots of a day, deleted or not.
    pub(super) fn slots_of(&self, day: NaiveDate) -> Vec<Slot> {
        let (from, to) = (Slot::of_day(day), Slot::new(last_second(day)));
        self.all_slots_between(from, to).collect()
    }

    /// Whether several slots of a day have occurrences, deleted or not. Most rules give one slot a day.
    fn has_several_on(&self, day: NaiveDate) -> bool {
        let has_times = self
            .pattern()
            .is_some_and(|pattern| pattern.times.len() > 1);
        let (from, to) = (Slot::of_day(day), Slot::new(last_second(day)));
        let has_other = || self.extra().range(from..=to).next().is_some();
        (has_times || day == self.first_slot().day() || has_other()) && self.shown_of(day).len() > 1
    }

    /// The slots of a day that have occurrences, deleted or not.
    pub(super) fn shown_of(&self, day: NaiveDate) -> Vec<Slot> {
        let mut slots = self.slots_of(day);
        if slots.len() > 1 {
            slots.retain(|slot| self.occurrence(*slot).is_some());
        }
        slots
    }

    /// The slots that a deleted date means. A date that hits none gives a wall clock that is none;
    /// an instant at the second time that a wall clock of a slot occurs has no such wall clock.
    pub(super) fn deleted_slots(&self, date: DateValue) -> Vec<Slot> {
        let slots = self.slots_at(date);
        if !slots.is_empty() {
            return slots;
        }
        let local = match date {
            DateValue::Day(day) => day.and_time(self.first_slot().local().time()),
            DateValue::Local(local) => local,
            DateValue::Instant(instant) => self.first().zone().at(instant).local,
        };
        let slot = Slot::at(local, self.first().all_day());
        (!self.has_slot(slot)).then_some(slot).into_iter().collect()
    }

    /// A date as the slots have it: a day if the event takes whole days.
    pub(super) fn kind_of(&self, date: DateValue) -> DateValue {
        let first = self.first();
        match date {
            DateValue::Local(local) if first.all_day() => DateValue::Day(local.date()),
            DateValue::Instant(instant) if first.all_day() => {
                DateValue::Day(first.zone().at(instant).local.date())
            }
            date => date,
        }
    }

    /// The wall clock of an instant, and that which the clocks skipped within the day before it and
    /// which has moved there.
    fn candidates(&self, instant: Timestamp) -> impl Iterator<Item = Slot> {
        let zone = self.first().zone();
        let day_before = instant.saturating_add(-86_400);
        let shown = zone.at(instant).local;
        let elapsed = TimeDelta::seconds(instant.seconds() - day_before.seconds());
        let jump = shown - zone.at(day_before).local - elapsed;
        let shown = Slot::new(shown);
        let skipped = (jump > TimeDelta::zero()).then(|| shown.plus(-jump));
        [Some(shown), skipped].into_iter().flatten()
    }
}

/// The time of day within a label: `1900` or `190030`.
fn time_of_label(text: &str) -> Option<NaiveTime> {
    let seconds = if text.len() == "HHMM".len() { "00" } else { "" };
    NaiveTime::parse_from_str(&format!("{text}{seconds}"), "%H%M%S").ok()
}

/// A slot within a slug, with its time of day if its day has several slots.
fn label(slot: Slot, is_one_of_several: bool) -> String {
    let (day, local) = (DateValue::Day(slot.day()), slot.local());
    match () {
        () if !is_one_of_several => day.to_string(),
        () if local.second() == 0 => format!("{day}-{}", local.format("%H%M")),
        () => format!("{day}-{}", local.format("%H%M%S")),
    }
}
