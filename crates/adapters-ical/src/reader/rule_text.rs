//! The texts of rules, with the small faults that other programs leave in them.

use std::collections::HashSet;

use chrono::Datelike as _;
use domain::{
    recurrence::{DateValue, Recurrence, RecurrenceParts, Rule},
    time::EventTime,
};

/// The largest COUNT that is counted.
const MOST_COUNTED: usize = 50_000;

/// A rule with a larger COUNT than this calendar takes has no end if it goes on in this year.
const FAR_YEAR: i32 = 2100;

/// A rule as it is meant.
pub(super) struct RuleText {
    /// The text; `None` if the rule gives nothing but the start.
    pub(super) text: Option<String>,
    /// Whether a fault was mended.
    pub(super) is_adjusted: bool,
}

impl RuleText {
    /// Reads the value of a property. For whole days, parts of the time of day are ignored (RFC 5545,
    /// section 3.3.10).
    pub(super) fn read(value: &str, when: &EventTime) -> Self {
        let text: String = value.split_whitespace().collect();
        let mut is_adjusted = text.len() != value.trim().len();
        // A list may end with a comma.
        let text = text.replace(",;", ";");
        let text = text.trim_end_matches(',');
        is_adjusted |= value.contains(",;") || value.trim().ends_with(',');
        let times = ["BYHOUR", "BYMINUTE", "BYSECOND"];
        let mut parts: Vec<_> = text.split(';').filter(|part| !part.is_empty()).collect();
        if when.all_day() {
            parts.retain(|part| !times.iter().any(|time| is_named(part, time)));
        }
        let all = parts.len();
        let has_none = |part: &str| {
            ["COUNT", "INTERVAL"]
                .iter()
                .any(|name| is_named(part, name))
        };
        parts.retain(|part| !(part.ends_with('=') || has_none(part) && is_none(part)));
        let mut known = HashSet::new();
        parts.retain(|part| known.insert(part.to_ascii_uppercase()));
        is_adjusted |= parts.len() < all;
        let [count, until] = ["COUNT", "UNTIL"].map(|name| {
            let mut found = parts.iter().copied();
            found.find(|part| is_named(part, name))
        });
        if let (Some(count), Some(until)) = (count, until) {
            is_adjusted = true;
            let later = later_end(&parts, count, until, when);
            parts.retain(|part| *part != later);
        }
        let mut text = parts.join(";");
        if let Some(count) = parts.iter().find_map(|part| large_count(part)) {
            parts.retain(|part| !is_named(part, "COUNT"));
            if let Some(whole) = recurrence(&parts.join(";"), when) {
                text = parts.join(";");
                match last_slot(&whole, count) {
                    Some(last) => text = format!("{text};UNTIL={}", last.basic()),
                    None => is_adjusted = true,
                }
            }
        }
        if text.is_empty() || is_over(&text, when) {
            return Self {
                text: None,
                is_adjusted: true,
            };
        }
        Self {
            text: Some(text),
            is_adjusted,
        }
    }
}

fn is_named(part: &str, name: &str) -> bool {
    let own = part.split('=').next().unwrap_or_default();
    own.eq_ignore_ascii_case(name)
}

/// Whether the value of a part is 0 or below.
fn is_none(part: &str) -> bool {
    let value = part.split_once('=').map(|(_, value)| value.parse::<i64>());
    matches!(value, Some(Ok(..=0)))
}

/// The value of COUNT, if it is larger than this calendar takes.
fn large_count(part: &str) -> Option<usize> {
    let (_, count) = part.split_once('=').filter(|_| is_named(part, "COUNT"))?;
    let is_number = !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit());
    let count = is_number.then(|| count.parse().unwrap_or(usize::MAX));
    count.filter(|count| *count > Recurrence::MAX_SLOTS)
}

/// The last date of a recurrence without an end that gives some number of them; `None` if it is far away.
fn last_slot(whole: &Recurrence, count: usize) -> Option<DateValue> {
    let slots = whole.slots(..).take(MOST_COUNTED.min(count));
    let mut near = slots.take_while(|slot| slot.day().year() < FAR_YEAR);
    Some(whole.recurrence_id(near.nth(count - 1)?))
}

/// The part with the later end of a rule with two: the other one ends it.
fn later_end<'a>(parts: &[&str], count: &'a str, until: &'a str, when: &EventTime) -> &'a str {
    let without = |left_out: &str| {
        let parts = parts.iter().copied().filter(|part| *part != left_out);
        recurrence(&parts.collect::<Vec<_>>().join(";"), when)
    };
    let (by_count, by_until) = (without(until), without(count));
    let (Some(by_count), Some(by_until)) = (by_count, by_until) else {
        return count;
    };
    let counted = by_count.slots(..).count();
    if by_until.slots(..).nth(counted).is_some() {
        until
    } else {
        count
    }
}

/// Whether a rule ends before its start.
fn is_over(text: &str, when: &EventTime) -> bool {
    let parts = RecurrenceParts {
        rule: text.parse().ok(),
        ..RecurrenceParts::default()
    };
    let has_until = |rule: &Rule| rule.parts().until.is_some();
    parts.rule.as_ref().is_some_and(has_until)
        && matches!(
            Recurrence::new(when.clone(), parts),
            Err(domain::recurrence::InvalidRecurrence::UntilBeforeStart)
        )
}

fn recurrence(text: &str, when: &EventTime) -> Option<Recurrence> {
    let parts = RecurrenceParts {
        rule: Some(text.parse().ok()?),
        ..RecurrenceParts::default()
    };
    Recurrence::new(when.clone(), parts).ok()
}
