//! Recurrences as `Schedule` of schema.org.

use domain::{
    recurrence::{Frequency, Recurrence, RuleParts, Weekday},
    time::{EventTime, NaiveDateTime},
};
use serde_json::{Value, json};

/// The schedule of a series; null if the type cannot express its rule. Extra dates are left out.
pub(super) fn schedule(recurrence: &Recurrence, last: Option<&EventTime>) -> Value {
    let Some(rule) = recurrence
        .rule()
        .filter(|rule| is_expressible(rule.parts()))
    else {
        return Value::Null;
    };
    let parts = rule.parts();
    let first = recurrence.first();
    let (start, end) = (first.start().local, first.end().local);
    let is_timed = !first.all_day();
    let time = |time: NaiveDateTime| time.format("%H:%M:%S").to_string();
    let is_in_day = is_timed && start.date() == end.date();
    let length = recurrence.start().length();
    let days: Vec<_> = parts.days.iter().map(ToString::to_string).collect();
    let deleted = recurrence.deleted().iter();
    let deleted: Vec<_> = deleted
        .map(|slot| recurrence.recurrence_id(*slot).to_string())
        .collect();
    let zone = first.zone().name();
    let has_name = !zone.starts_with("UTC+") && !zone.starts_with("UTC-");
    json!({
        "@type": "Schedule",
        "startDate": start.date().to_string(),
        "endDate": last.map(|last| last.start().local.date().to_string()),
        "startTime": is_timed.then(|| time(start)),
        "endTime": is_in_day.then(|| time(end)),
        "duration": if is_timed {
            format!("PT{length}S")
        } else {
            format!("P{}D", length / 86_400 + 1)
        },
        "scheduleTimezone": has_name.then_some(zone),
        "repeatFrequency": format!("P{}{}", parts.interval, unit(parts.frequency)),
        "repeatCount": parts.count,
        "byDay": days,
        "byMonth": parts.months,
        "byMonthDay": parts.days_of_month,
        "exceptDate": deleted,
    })
}

/// The unit of a duration in ISO 8601.
const fn unit(frequency: Frequency) -> char {
    match frequency {
        Frequency::Daily => 'D',
        Frequency::Weekly => 'W',
        Frequency::Monthly => 'M',
        Frequency::Yearly => 'Y',
    }
}

/// Whether a schedule has all parts of a rule.
fn is_expressible(parts: &RuleParts) -> bool {
    let has_other_weeks = parts.week_start != Weekday::Mon && parts.interval != 1;
    let lists = [
        &parts.weeks,
        &parts.days_of_year,
        &parts.hours,
        &parts.minutes,
        &parts.positions,
    ];
    lists.iter().all(|list| list.is_empty())
        && parts.days_of_month.iter().all(|day| *day > 0)
        && !has_other_weeks
}
