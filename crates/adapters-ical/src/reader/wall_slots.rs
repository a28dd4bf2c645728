//! The slots of rules as plain wall clocks, without a zone.

use chrono::{Datelike as _, NaiveDateTime};
use domain::{
    recurrence::{Recurrence, RecurrenceParts, Rule, Slot},
    time::{EventTime, Zone},
};

use super::rule_text::RuleText;

/// Most slots: a series has at most half as many.
const MOST_SLOTS: usize = 2 * Recurrence::MAX_SLOTS;

/// Rules without an end are looked at up to this year, and for ten years at least.
const LAST_YEAR: i32 = 2045;

/// The wall clocks of a rule from a start on, which is the first of them.
pub(super) fn wall_slots(rule: &str, start: NaiveDateTime) -> impl Iterator<Item = NaiveDateTime> {
    let recurrence = recurrence(rule, start);
    let last_year = LAST_YEAR.max(start.year() + 10);
    let slots = recurrence.into_iter().flat_map(|recurrence| {
        let slots = recurrence.slots(..).take(MOST_SLOTS);
        slots.map(Slot::local).collect::<Vec<_>>()
    });
    slots.take_while(move |slot| slot.year() <= last_year)
}

fn recurrence(rule: &str, start: NaiveDateTime) -> Option<Recurrence> {
    let first = EventTime::new(Zone::utc(), start, start, false).ok()?;
    let rule: Rule = RuleText::read(rule, &first).text?.parse().ok()?;
    let parts = RecurrenceParts {
        rule: Some(rule),
        ..RecurrenceParts::default()
    };
    Recurrence::new(first, parts).ok()
}
