//! The recurrence of an event as sent by a request.

use domain::{
    recurrence::{
        DateValue, InvalidRecurrence, MissingDay, Part, Recurrence, RecurrenceParts, Rule,
        RuleParts, Start,
    },
    time::{EventTime, Timestamp, Zone},
};
use serde_json::{Map, Value};

use crate::input::{ExpectedType, Fault, RecurrenceFault};

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

/// A sent recurrence. Its dates depend on the zone of the event, its rule on the start.
#[derive(Clone, Debug)]
pub(crate) enum RecurrenceChange {
    /// The event stops repeating.
    Stop,
    /// Another rule; extra and deleted dates stay.
    Rule(Rule),
    /// Lines of iCalendar, which are the whole.
    Lines(Vec<String>),
    /// Members of an object; those that are none stay.
    Members {
        rule: Option<SentRule>,
        extra: Option<Vec<String>>,
        deleted: Option<Vec<String>>,
    },
}

/// The rule of an object.
#[derive(Clone, Debug)]
pub(crate) enum SentRule {
    /// No rule: only extra dates.
    None,
    /// A whole rule.
    Whole(Rule),
    /// Parts, of which the last day of a month may replace a missing one.
    Parts(RuleParts, MissingDay),
}

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
                let names = MissingDay::ALL.iter().map(|one| one.name()).collect();
                let read = text(value).and_then(|name| {
                    let day = name.parse();
                    day.map_err(|_| Fault::NotOneOf(names))
                });
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

/// Dates as sent: extra and deleted ones; absent ones stay.
type Dates = (Option<Vec<DateValue>>, Option<Vec<DateValue>>);

impl RecurrenceChange {
    /// Whether the change names a rule, or that there is none.
    pub(super) fn has_rule(&self) -> bool {
        !matches!(self, Self::Members { rule: None, .. })
    }

    fn dates(&self, zone: &Zone, now: Timestamp) -> Result<Dates, Fault> {
        let read = |name, texts: &Option<Vec<String>>| match texts {
            Some(texts) => {
                let dates = texts.iter().map(|text| DateValue::read(text, zone, now));
                let dates: Result<_, _> = dates.collect();
                of_member(name, dates.map_err(Fault::from)).map(Some)
            }
            None => Ok(None),
        };
        match self {
            Self::Stop | Self::Rule(_) => Ok((None, None)),
            Self::Lines(lines) => {
                let parts = RecurrenceParts::from_lines(lines, zone)?;
                Ok((Some(parts.extra), Some(parts.deleted)))
            }
            Self::Members { extra, deleted, .. } => {
                Ok((read("rdate", extra)?, read("exdate", deleted)?))
            }
        }
    }

    /// The rule after the change; `before` is the present one.
    fn rule(&self, before: Option<&Rule>, first: &EventTime) -> Result<Option<Rule>, Fault> {
        Ok(match self {
            Self::Stop => None,
            Self::Rule(rule) => Some(rule.clone()),
            Self::Lines(lines) => RecurrenceParts::from_lines(lines, first.zone())?.rule,
            Self::Members { rule, .. } => match rule {
                None => before.cloned(),
                Some(SentRule::None) => None,
                Some(SentRule::Whole(rule)) => Some(rule.clone()),
                Some(SentRule::Parts(parts, MissingDay::Skip)) => Some(Rule::new(parts.clone())?),
                Some(SentRule::Parts(parts, MissingDay::Last)) => {
                    let start = first.start().local.date();
                    Some(Rule::new(parts.clone().with_last_day(start)?)?)
                }
            },
        })
    }

    /// The recurrence after the change, from a start on; none if the event does not repeat.
    /// `before` is the present one, already moved to that start.
    pub(super) fn apply(
        &self,
        before: Option<&Recurrence>,
        first: &EventTime,
        now: Timestamp,
    ) -> Result<Option<Recurrence>, Fault> {
        let (extra, deleted) = self.dates(first.zone(), now)?;
        let rule = self.rule(before.and_then(Recurrence::rule), first)?;
        match (self, before) {
            (Self::Stop, _) => Ok(None),
            (_, Some(before)) => Ok(Some(before.with_parts(rule, extra, deleted)?)),
            (_, None) if rule.is_none() && extra.as_ref().is_none_or(Vec::is_empty) => Ok(None),
            (_, None) => {
                let parts = RecurrenceParts {
                    rule,
                    extra: extra.unwrap_or_default(),
                    deleted: deleted.unwrap_or_default(),
                };
                Ok(Some(Recurrence::new(Start::from(first.clone()), parts)?))
            }
        }
    }
}

/// Checks that an endless recurrence has not too many occurrences before an instant.
///
/// # Errors
///
/// As for a recurrence that ends and has too many.
pub(super) fn check_number(recurrence: &Recurrence, horizon: Timestamp) -> Result<(), Fault> {
    let max = Recurrence::MAX_SLOTS;
    let is_too_many = recurrence.is_endless() && recurrence.count_before(horizon, max + 1) > max;
    if is_too_many {
        return Err(InvalidRecurrence::TooManySlots.into());
    }
    Ok(())
}
