//! The faults of recurrences.

use domain::recurrence::{InvalidLine, InvalidMove, InvalidRecurrence, InvalidRule, InvalidSplit};

/// The fault of a recurrence, or of a field that does not fit the recurrence of the event. Its text is
/// a clause of its own.
///
/// ```
/// use events_calendar_app::fault::RecurrenceFault;
/// use domain::recurrence::{InvalidRule, Part};
///
/// let fault = RecurrenceFault::from(InvalidRule::Missing(Part::Frequency));
/// assert_eq!(fault.to_string(), "FREQ is missing");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecurrenceFault {
    /// The text or the parts are not a rule.
    #[error(transparent)]
    Rule(#[from] InvalidRule),
    /// A line of the list is no rule, extra date or deleted date.
    #[error(transparent)]
    Line(#[from] InvalidLine),
    /// The rule and the dates do not fit the start, or give too many dates or none.
    #[error(transparent)]
    Dates(#[from] InvalidRecurrence),
    /// The rule of the series does not follow the new start.
    #[error(transparent)]
    Move(#[from] InvalidMove),
    /// The series is not split at this occurrence.
    #[error(transparent)]
    Split(#[from] InvalidSplit),
    /// The object has a member that it must not have.
    #[error("the member {0} is unknown")]
    UnknownMember(String),
    /// The object has the text of a rule and parts of a rule.
    #[error("there must be rrule or the parts of a rule, not both")]
    RuleTwice,
}
