//! The text form of rules.

use std::{collections::BTreeSet, fmt, str::FromStr};

use super::{
    super::DateValue,
    Rule,
    frequency::{Frequency, weekday, weekday_name},
    part::{InvalidRule, Part},
    parts::RuleParts,
};

impl FromStr for Rule {
    type Err = InvalidRule;

    fn from_str(text: &str) -> Result<Self, InvalidRule> {
        match text.chars().count() {
            chars if chars > Self::MAX_CHARS => Err(InvalidRule::TooLong { chars }),
            _ => Self::from_stored(text)?.limited(),
        }
    }
}

impl Rule {
    /// Parses a text form of any length. Where a recurrence changes the parts of a rule, its text can
    /// exceed [`Self::MAX_CHARS`].
    ///
    /// ```
    /// use events_calendar_domain::recurrence::Rule;
    ///
    /// assert_eq!(Rule::from_stored("FREQ=WEEKLY;COUNT=6"), "FREQ=WEEKLY;COUNT=6".parse());
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidRule`], as for `FromStr`.
    pub fn from_stored(text: &str) -> Result<Self, InvalidRule> {
        let text = text.trim().to_ascii_uppercase();
        let text = text.strip_prefix("RRULE:").unwrap_or(&text);
        let parts = text.split(';').filter(|_| !text.is_empty());
        let parts = parts.map(|part| part.split_once('=').unwrap_or((part, "")));
        let parts = parts.map(|(name, value)| match name.parse() {
            Ok(part) => Ok((part, value)),
            Err(_) => Err(InvalidRule::Unknown {
                name: name.to_owned(),
            }),
        });
        let parts = parts.collect::<Result<Vec<_>, _>>()?;
        Self::checked(RuleParts::from_texts(parts)?)
    }
}

impl RuleParts {
    /// Reads the values of parts, as the text form of a rule has them, in any letter case: a text
    /// such as `weekly`, `2` or `mo,fr` for each part.
    ///
    /// ```
    /// use events_calendar_domain::recurrence::{InvalidRule, Part, Rule, RuleParts};
    ///
    /// let members = [("frequency", "monthly"), ("days", "-1fr,mo"), ("count", "4")];
    /// let texts = members.map(|(name, text)| (Part::of_member(name).unwrap(), text));
    /// let rule = Rule::new(RuleParts::from_texts(texts)?)?;
    /// assert_eq!(rule.to_string(), "FREQ=MONTHLY;COUNT=4;BYDAY=MO,-1FR");
    /// let half = RuleParts::from_texts([(Part::Frequency, "daily"), (Part::Interval, "1.5")]);
    /// assert_eq!(half, Err(InvalidRule::Value(Part::Interval)));
    /// # Ok::<(), InvalidRule>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidRule`] if a value is not of its type, if a part is there twice, or without a
    /// frequency. [`Rule::new`] checks the rest.
    pub fn from_texts<S: AsRef<str>>(
        texts: impl IntoIterator<Item = (Part, S)>,
    ) -> Result<Self, InvalidRule> {
        let mut seen = BTreeSet::new();
        // The frequency is replaced below.
        let mut parts = Self::new(Frequency::Daily);
        for (part, text) in texts {
            if !seen.insert(part) {
                return Err(InvalidRule::Twice(part));
            }
            let value = text.as_ref().to_ascii_uppercase();
            set(&mut parts, part, &value).ok_or(InvalidRule::Value(part))?;
        }
        if seen.contains(&Part::Frequency) {
            Ok(parts)
        } else {
            Err(InvalidRule::Missing(Part::Frequency))
        }
    }
}

/// Reads the value of a part, in upper case; none if the part has no such values.
fn set(parts: &mut RuleParts, part: Part, value: &str) -> Option<()> {
    match part {
        Part::Frequency => parts.frequency = value.to_ascii_lowercase().parse().ok()?,
        Part::Interval => parts.interval = value.parse().ok()?,
        Part::Count => parts.count = Some(value.parse().ok()?),
        Part::Until => parts.until = Some(value.parse().ok()?),
        Part::Months => parts.months = list(value)?,
        Part::Weeks => parts.weeks = list(value)?,
        Part::DaysOfYear => parts.days_of_year = list(value)?,
        Part::DaysOfMonth => parts.days_of_month = list(value)?,
        Part::Days => parts.days = list(value)?,
        Part::Hours => parts.hours = list(value)?,
        Part::Minutes => parts.minutes = list(value)?,
        Part::Seconds => parts.seconds = list(value)?,
        Part::Positions => parts.positions = list(value)?,
        Part::WeekStart => parts.week_start = weekday(value).ok()?,
        // These values are the defaults.
        Part::Scale => return (value == "GREGORIAN").then_some(()),
        Part::Skip => return (value == "OMIT").then_some(()),
    }
    Some(())
}

fn list<T: FromStr>(value: &str) -> Option<Vec<T>> {
    value.split(',').map(|one| one.parse().ok()).collect()
}

impl RuleParts {
    /// The values of the parts as texts, in the order of the text form; defaults are left out.
    ///
    /// ```
    /// use events_calendar_domain::recurrence::{Part, Rule, RuleParts};
    ///
    /// let rule: Rule = "FREQ=WEEKLY;COUNT=4;BYDAY=MO,FR".parse()?;
    /// let texts = rule.parts().texts();
    /// assert_eq!(texts[2], (Part::Days, "MO,FR".to_owned()));
    /// assert_eq!(RuleParts::from_texts(texts)?, *rule.parts());
    /// # Ok::<(), events_calendar_domain::recurrence::InvalidRule>(())
    /// ```
    pub fn texts(&self) -> Vec<(Part, String)> {
        let Self {
            frequency,
            interval,
            count,
            until,
            months,
            weeks,
            days_of_year,
            days_of_month,
            days,
            hours,
            minutes,
            seconds,
            positions,
            week_start,
        } = self;
        let mut texts = vec![(Part::Frequency, frequency.name().to_ascii_uppercase())];
        let mut put = |part, text: Option<String>| texts.extend(text.map(|text| (part, text)));
        put(
            Part::Interval,
            (*interval != 1).then(|| interval.to_string()),
        );
        put(Part::Until, until.as_ref().map(DateValue::basic));
        put(Part::Count, count.map(|count| count.to_string()));
        put(Part::Months, joined(months));
        put(Part::Weeks, joined(weeks));
        put(Part::DaysOfYear, joined(days_of_year));
        put(Part::DaysOfMonth, joined(days_of_month));
        put(Part::Days, joined(days));
        put(Part::Hours, joined(hours));
        put(Part::Minutes, joined(minutes));
        put(Part::Seconds, joined(seconds));
        put(Part::Positions, joined(positions));
        let week_start = weekday_name(*week_start);
        put(
            Part::WeekStart,
            (week_start != "MO").then(|| week_start.to_owned()),
        );
        texts
    }
}

/// The values of a list, separated by commas; none for an empty list.
fn joined(list: &[impl fmt::Display]) -> Option<String> {
    let values: Vec<_> = list.iter().map(ToString::to_string).collect();
    (!values.is_empty()).then(|| values.join(","))
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (part, text)) in self.parts().texts().into_iter().enumerate() {
            let separator = if index == 0 { "" } else { ";" };
            write!(f, "{separator}{part}={text}")?;
        }
        Ok(())
    }
}
