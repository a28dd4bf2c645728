//! Rules: checked parts, and their text form.

mod frequency;
mod part;
mod parts;
mod regular;
mod text;

pub use frequency::{Frequency, MissingDay, WeekdayNumber};
pub use part::{InvalidRule, Part};
pub use parts::RuleParts;

pub(super) use frequency::WEEKDAYS;

/// A recurrence rule (RFC 5545, section 3.3.10), checked.
///
/// `FromStr` reads the text form in any letter case, with or without `RRULE:`. `Display` writes the
/// canonical text: the parts in one order, lists sorted and without repetition, `INTERVAL=1` and
/// `WKST=MO` left out.
///
/// FREQ is DAILY or longer. `RSCALE=GREGORIAN` and `SKIP=OMIT` (RFC 7529) are read and dropped.
/// INTERVAL other than 1 is refused beside BYWEEKNO, as implementations differ there.
///
/// ```
/// use events_calendar_domain::recurrence::{InvalidRule, Part, Rule};
///
/// let rule: Rule = "rrule:freq=monthly;interval=1;byday=-1fr,-1FR;count=4".parse()?;
/// assert_eq!(rule.to_string(), "FREQ=MONTHLY;COUNT=4;BYDAY=-1FR");
/// let thirteenth = "FREQ=YEARLY;BYMONTH=13".parse::<Rule>();
/// assert_eq!(thirteenth, Err(InvalidRule::Value(Part::Months)));
/// # Ok::<(), InvalidRule>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rule(RuleParts);

impl Rule {
    /// Most characters of a text form, in Unicode scalar values.
    ///
    /// ```
    /// use events_calendar_domain::recurrence::{InvalidRule, Rule};
    /// let chars = Rule::MAX_CHARS + 1;
    /// assert_eq!("x".repeat(chars).parse::<Rule>(), Err(InvalidRule::TooLong { chars }));
    /// ```
    pub const MAX_CHARS: usize = 1000;
    /// Greatest INTERVAL.
    pub const MAX_INTERVAL: i64 = 1000;
    /// Greatest COUNT.
    pub const MAX_COUNT: i64 = 5000;
    /// Most times a day that BYHOUR and BYMINUTE give together.
    pub const MAX_TIMES_PER_DAY: usize = 24;

    /// Makes a rule of its parts.
    ///
    /// ```
    /// use events_calendar_domain::recurrence::{Frequency, InvalidRule, Part, Rule, RuleParts};
    ///
    /// let daily = RuleParts::new(Frequency::Daily);
    /// for (parts, error) in [
    ///     (RuleParts { interval: Rule::MAX_INTERVAL + 1, ..daily.clone() }, Part::Interval),
    ///     (RuleParts { count: Some(Rule::MAX_COUNT + 1), ..daily.clone() }, Part::Count),
    /// ] {
    ///     assert_eq!(Rule::new(parts), Err(InvalidRule::Value(error)));
    /// }
    /// let every_minute = RuleParts { minutes: (0..60).collect(), ..daily };
    /// assert!(every_minute.minutes.len() > Rule::MAX_TIMES_PER_DAY);
    /// assert_eq!(Rule::new(every_minute), Err(InvalidRule::TooManyTimes));
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidRule`], naming the part that breaks a limit.
    pub fn new(parts: RuleParts) -> Result<Self, InvalidRule> {
        Self::checked(parts)?.limited()
    }

    /// A rule of any length.
    fn checked(mut parts: RuleParts) -> Result<Self, InvalidRule> {
        parts.sort();
        parts.check_values()?;
        parts.check_combinations()?;
        Ok(Self(parts))
    }

    /// The rule, unless its canonical text is too long to be sent again.
    fn limited(self) -> Result<Self, InvalidRule> {
        match self.to_string().len() {
            chars if chars > Self::MAX_CHARS => Err(InvalidRule::TooLong { chars }),
            _ => Ok(self),
        }
    }

    /// The parts, lists in order.
    ///
    /// ```
    /// use events_calendar_domain::recurrence::Rule;
    ///
    /// let rule: Rule = "FREQ=DAILY;BYHOUR=14,10".parse()?;
    /// assert_eq!(rule.parts().hours, [10, 14]);
    /// assert_eq!(rule.parts().interval, 1);
    /// # Ok::<(), events_calendar_domain::recurrence::InvalidRule>(())
    /// ```
    pub fn parts(&self) -> &RuleParts {
        &self.0
    }

    /// The rule with other parts, which the caller derives from these.
    pub(super) fn with(&self, change: impl FnOnce(&mut RuleParts)) -> Self {
        let mut parts = self.0.clone();
        change(&mut parts);
        parts.sort();
        Self(parts)
    }
}
