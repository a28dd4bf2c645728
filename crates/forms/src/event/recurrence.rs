//! The recurrence of an event.

use app::{
    event::{RecurrenceChange, SentRule},
    fault::{ExpectedType, Fault, RecurrenceFault},
};
use domain::{
    recurrence::{MissingDay, Part, Rule, RuleParts},
    time::{Timestamp, Zone},
};
use serde_json::{Map, Value};

use crate::field::{DefaultValue, Output, Param, Schema, values::named};

declare! {
    /// The rule as text; not together with the members of a rule.
    RRULE: RRule, Schema::AnyText;
    /// The unit that repeats, the only required member of a rule.
    FREQUENCY: Frequency, Schema::OneOf(&["daily", "weekly", "monthly", "yearly"]);
    /// Every how many units.
    INTERVAL: Interval, Schema::Rule, default(DefaultValue::Number(1));
    /// The number of slots, the start included.
    COUNT: Count, Schema::Rule;
    /// The last day, wall clock or instant, inclusive; not together with `count`.
    UNTIL: Until, Schema::Date;
    /// Weekdays: `mo`; in a month or year also numbered, such as `1mo` or `-1fr`.
    DAYS: Days, Schema::RuleList;
    /// Days of the month; negative ones count from its end.
    DAYS_OF_MONTH: DaysOfMonth, Schema::RuleList;
    /// Days of the year; negative ones count from its end.
    DAYS_OF_YEAR: DaysOfYear, Schema::RuleList;
    /// Weeks of the year (ISO 8601); negative ones count from its end.
    WEEKS: Weeks, Schema::RuleList;
    /// Months.
    MONTHS: Months, Schema::RuleList;
    /// Hours of the day.
    HOURS: Hours, Schema::RuleList;
    /// Minutes of the hour.
    MINUTES: Minutes, Schema::RuleList;
    /// Positions among the slots of one interval; negative ones count from its end.
    POSITIONS: Positions, Schema::RuleList;
    /// The first day of the week.
    WEEK_START: WeekStart, Schema::AnyText;
    /// The substitute for a day that a month does not have: none, or its last day.
    MISSING_DAY: MissingDay, Schema::OneOf(&MissingDay::NAMES);
    /// Extra dates.
    RDATE: RDate, Schema::RuleList;
    /// Deleted dates.
    EXDATE: ExDate, Schema::RuleList;
}

/// Members of a recurrence as an object.
pub const RECURRENCE_MEMBERS: [Param; 17] = [
    RRULE,
    FREQUENCY,
    INTERVAL,
    COUNT,
    UNTIL,
    DAYS,
    DAYS_OF_MONTH,
    DAYS_OF_YEAR,
    WEEKS,
    MONTHS,
    HOURS,
    MINUTES,
    POSITIONS,
    WEEK_START,
    MISSING_DAY,
    RDATE,
    EXDATE,
];

/// Members of an object that only answers have.
const OF_ANSWERS: [&str; 8] = [
    "rule",
    "first",
    "last",
    "total",
    "kept_until",
    "previous",
    "next",
    "occurrences",
];

/// Reads the field. Its dates are checked in the zone that the request names, or else in the site's.
pub(super) fn read(value: &Value, zone: &Zone, now: Timestamp) -> Result<RecurrenceChange, Fault> {
    let change = match value {
        Value::String(text) if text.trim().is_empty() => RecurrenceChange::Stop,
        Value::String(text) => RecurrenceChange::Rule(text.parse()?),
        Value::Array(lines) if lines.is_empty() => RecurrenceChange::Stop,
        Value::Array(lines) => {
            let lines = lines.iter().map(|line| Some(line.as_str()?.to_owned()));
            let lines: Option<_> = lines.collect();
            RecurrenceChange::Lines(lines.ok_or(Fault::Type(ExpectedType::Recurrence))?)
        }
        Value::Object(members) => read_members(members)?,
        _ => return Err(Fault::Type(ExpectedType::Recurrence)),
    };
    change.dates(zone, now)?;
    Ok(change)
}

fn read_members(members: &Map<String, Value>) -> Result<RecurrenceChange, Fault> {
    let (mut whole, mut parts) = (None, Vec::new());
    let (mut extra, mut deleted, mut missing_day) = (None, None, None);
    for (name, value) in members.iter().filter(|(_, value)| !value.is_null()) {
        match name.as_str() {
            "rrule" => whole = Some(of_member("rrule", text(value))?),
            "rdate" => extra = Some(of_member("rdate", texts(value))?),
            "exdate" => deleted = Some(of_member("exdate", texts(value))?),
            "missing_day" => {
                let read = text(value).and_then(|name| named(&name, &MissingDay::NAMES));
                missing_day = Some(of_member("missing_day", read)?);
            }
            name if OF_ANSWERS.contains(&name) => {}
            name => match Part::of_member(name) {
                Some(part) => {
                    let name = part.member().unwrap_or("rrule");
                    parts.push((part, of_member(name, texts(value))?.join(",")));
                }
                None => return Err(RecurrenceFault::UnknownMember(name.to_owned()).into()),
            },
        }
    }
    let rule = match (whole, parts.is_empty() && missing_day.is_none()) {
        (Some(_), false) => return Err(RecurrenceFault::RuleTwice.into()),
        (Some(rule), true) if rule.trim().is_empty() => Some(SentRule::None),
        (Some(rule), true) => Some(SentRule::Whole(rule.parse()?)),
        (None, true) => None,
        (None, false) => {
            let parts = RuleParts::from_texts(parts)?;
            let missing_day = missing_day.unwrap_or_default();
            if missing_day == MissingDay::Skip {
                Rule::new(parts.clone())?;
            }
            Some(SentRule::Parts(parts, missing_day))
        }
    };
    Ok(RecurrenceChange::Members {
        rule,
        extra,
        deleted,
    })
}

/// Writes the field.
pub(super) fn write(change: &RecurrenceChange) -> Value {
    match change {
        RecurrenceChange::Stop => "".into(),
        RecurrenceChange::Rule(rule) => rule.to_string().into(),
        RecurrenceChange::Lines(lines) => lines.iter().map(String::as_str).collect(),
        RecurrenceChange::Members {
            rule,
            extra,
            deleted,
        } => {
            let mut members = Output::default();
            match rule {
                None => {}
                Some(SentRule::None) => members.put(&RRULE, ""),
                Some(SentRule::Whole(rule)) => members.put(&RRULE, rule.to_string()),
                Some(SentRule::Parts(parts, missing_day)) => {
                    for (part, text) in parts.texts() {
                        let field = RECURRENCE_MEMBERS.iter();
                        let mut field =
                            field.filter(|one| part.member() == Some(one.name.as_str()));
                        if let Some(field) = field.next() {
                            members.put(field, text.to_ascii_lowercase());
                        }
                    }
                    members.put(&MISSING_DAY, missing_day.name());
                }
            }
            for (field, dates) in [(&RDATE, extra), (&EXDATE, deleted)] {
                if let Some(dates) = dates {
                    members.put(field, dates.clone());
                }
            }
            Value::Object(members.into_fields())
        }
    }
}

/// The value of a member, or its fault with its name.
fn of_member<T>(name: &'static str, read: Result<T, Fault>) -> Result<T, Fault> {
    read.map_err(|fault| Fault::Member {
        name,
        fault: Box::new(fault),
    })
}

fn text(value: &Value) -> Result<String, Fault> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        _ => Err(Fault::Type(ExpectedType::Text)),
    }
}

/// The texts of a list, or of one value, in which commas separate values.
fn texts(value: &Value) -> Result<Vec<String>, Fault> {
    match value {
        Value::Array(values) => values.iter().map(text).collect(),
        value => {
            let text = text(value)?;
            let texts = text.split(',').filter(|one| !one.trim().is_empty());
            Ok(texts.map(str::to_owned).collect())
        }
    }
}
