//! The recurrence of an event as sent by a request.

use domain::{
    FieldName,
    recurrence::{
        DateValue, InvalidRecurrence, MissingDay, Recurrence, RecurrenceParts, Rule, RuleParts,
        Start,
    },
    time::{EventTime, Timestamp, Zone},
};

use crate::fault::Fault;

/// A sent recurrence. Its dates depend on the zone of the event, its rule on the start.
#[derive(Clone, Debug)]
pub enum RecurrenceChange {
    /// The event stops repeating.
    Stop,
    /// Another rule; extra and deleted dates stay.
    Rule(Rule),
    /// Lines of iCalendar, which are the whole.
    Lines(Vec<String>),
    /// Members of an object; those that are none stay.
    Members {
        /// The rule.
        rule: Option<SentRule>,
        /// Extra dates.
        extra: Option<Vec<String>>,
        /// Deleted dates.
        deleted: Option<Vec<String>>,
    },
}

/// The rule of an object.
#[derive(Clone, Debug)]
pub enum SentRule {
    /// No rule: only extra dates.
    None,
    /// A whole rule.
    Whole(Rule),
    /// Parts, of which the last day of a month may replace a missing one.
    Parts(RuleParts, MissingDay),
}

/// The value of a member, or its fault with its name.
fn of_member<T>(name: FieldName, read: Result<T, Fault>) -> Result<T, Fault> {
    read.map_err(|fault| Fault::Member {
        name: name.as_str(),
        fault: Box::new(fault),
    })
}

/// Dates as sent: extra and deleted ones; absent ones stay.
type Dates = (Option<Vec<DateValue>>, Option<Vec<DateValue>>);

impl RecurrenceChange {
    /// Whether the change names a rule, or that there is none.
    pub(super) fn has_rule(&self) -> bool {
        !matches!(self, Self::Members { rule: None, .. })
    }

    /// Reads the dates in a zone.
    ///
    /// # Errors
    ///
    /// For a text that is no date, and for a line that is none of a recurrence.
    pub fn dates(&self, zone: &Zone, now: Timestamp) -> Result<Dates, Fault> {
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
            Self::Members { extra, deleted, .. } => Ok((
                read(FieldName::RDate, extra)?,
                read(FieldName::ExDate, deleted)?,
            )),
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
