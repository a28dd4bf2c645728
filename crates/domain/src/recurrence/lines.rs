//! Recurrences as properties of iCalendar.

use super::{
    date_value::DateValue,
    input::RecurrenceParts,
    occurrence::Occurrence,
    rule::{InvalidRule, Rule, RuleParts},
    set::{MARGIN, Recurrence},
    slot::Slot,
};
use crate::time::{Timestamp, Zone};

/// The reason why lines are not [`RecurrenceParts`].
///
/// ```
/// use events_calendar_domain::recurrence::{InvalidLine, RecurrenceParts};
/// use events_calendar_domain::time::Zone;
///
/// let error = |line| RecurrenceParts::from_lines(&[line], &Zone::utc()).unwrap_err();
/// let start = InvalidLine::Unknown { name: "DTSTART".to_owned() };
/// assert_eq!(error("DTSTART:20270302T190000"), start);
/// assert_eq!(error("RDATE;VALUE=PERIOD:20270302T190000Z/PT1H"), InvalidLine::Period);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidLine {
    /// The property is none of RRULE, RDATE and EXDATE.
    #[error("the property {name} is unknown")]
    Unknown {
        /// The name, in upper case.
        name: String,
    },
    /// There are two rules.
    #[error("there must be one RRULE at most")]
    TwoRules,
    /// The rule is invalid.
    #[error(transparent)]
    Rule(#[from] InvalidRule),
    /// A parameter has an unknown name or value.
    #[error("the parameter {name} is unknown")]
    Parameter {
        /// The name, in upper case.
        name: String,
    },
    /// TZID is no time zone.
    #[error("the time zone {name} is unknown")]
    Zone {
        /// The name, as sent.
        name: String,
    },
    /// The dates are periods, whose ends cannot be stored.
    #[error("periods are not allowed")]
    Period,
    /// A value is no date of the form that the line announces.
    #[error("{name} must be dates such as 20270316T190000")]
    Value {
        /// The property, in upper case.
        name: String,
    },
}

impl RecurrenceParts {
    /// Parses unfolded lines with the properties RRULE, RDATE and EXDATE (RFC 5545, sections 3.8.5.1
    /// to 3.8.5.3), in any letter case.
    ///
    /// Wall clocks of a TZID other than `zone` become instants.
    ///
    /// ```
    /// use events_calendar_domain::recurrence::RecurrenceParts;
    ///
    /// let lines = [
    ///     "RRULE:FREQ=WEEKLY;COUNT=10",
    ///     "EXDATE;TZID=Europe/Paris:20270309T190000,20270316T190000",
    ///     "RDATE;VALUE=DATE:20270501",
    /// ];
    /// let parts = RecurrenceParts::from_lines(&lines, &"Europe/Paris".parse()?)?;
    /// assert_eq!(parts.rule.unwrap().to_string(), "FREQ=WEEKLY;COUNT=10");
    /// assert_eq!(parts.deleted[1].to_string(), "2027-03-16T19:00:00");
    /// assert_eq!(parts.extra[0].to_string(), "2027-05-01");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidLine`], for the first line that is wrong.
    pub fn from_lines<S: AsRef<str>>(lines: &[S], zone: &Zone) -> Result<Self, InvalidLine> {
        let mut parts = Self::default();
        for line in lines {
            let (head, value) = cut(line.as_ref().trim());
            let mut parameters = head.split(';');
            let name = parameters.next().unwrap_or_default().to_ascii_uppercase();
            match &*name {
                "RRULE" if parts.rule.is_some() => return Err(InvalidLine::TwoRules),
                "RRULE" => parts.rule = Some(value.parse()?),
                "RDATE" => parts.extra.extend(dates(&name, parameters, value, zone)?),
                "EXDATE" => parts.deleted.extend(dates(&name, parameters, value, zone)?),
                _ => return Err(InvalidLine::Unknown { name }),
            }
        }
        Ok(parts)
    }
}

impl Recurrence {
    /// The properties RRULE, RDATE and EXDATE, a line each, not folded; those without values are
    /// left out.
    ///
    /// Dates are wall clocks with TZID. They are instants if the zone has no name of the IANA
    /// database, and days if the event takes whole days.
    ///
    /// ```
    /// # use events_calendar_domain::recurrence::{Recurrence, RecurrenceParts};
    /// # use events_calendar_domain::time::{EventTime, parse_civil};
    /// # let start = parse_civil("2027-03-02 19:00:00").unwrap();
    /// let first = EventTime::new("Europe/Paris".parse()?, start, start, false)?;
    /// let lines = ["RRULE:FREQ=WEEKLY;COUNT=6", "EXDATE;TZID=Europe/Paris:20270316T190000"];
    /// let parts = RecurrenceParts::from_lines(&lines, first.zone())?;
    /// assert_eq!(Recurrence::new(first, parts)?.lines(), lines);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lines(&self) -> Vec<String> {
        let rule = self.rule().map(|rule| format!("RRULE:{rule}"));
        let extra = self.date_line("RDATE", self.extra().iter());
        let deleted = self.date_line("EXDATE", self.deleted().iter());
        [rule, extra, deleted].into_iter().flatten().collect()
    }

    /// Whether the rule gives the start, as it gives later slots. The start is a slot in any case.
    ///
    /// ```
    /// # use events_calendar_domain::recurrence::{Recurrence, RecurrenceParts};
    /// # use events_calendar_domain::time::{EventTime, Zone, parse_civil};
    /// # let start = parse_civil("2027-03-10 18:00:00").unwrap(); // a Wednesday
    /// let first = EventTime::new(Zone::utc(), start, start, false)?;
    /// for (rule, expected) in [("FREQ=WEEKLY;BYDAY=WE", true), ("FREQ=WEEKLY;BYDAY=TU", false)] {
    ///     let parts = RecurrenceParts { rule: Some(rule.parse()?), ..RecurrenceParts::default() };
    ///     assert_eq!(Recurrence::new(first.clone(), parts)?.rule_gives_start(), expected);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rule_gives_start(&self) -> bool {
        let start = self.first_slot().local();
        let given = self
            .pattern()
            .and_then(|pattern| pattern.slots_between(start, start).next());
        given == Some(start)
    }

    /// The rule as other programs read it. Programs disagree on whether a start that the rule does not
    /// give is one of its COUNT: such a rule ends with its last slot instead.
    ///
    /// ```
    /// # use events_calendar_domain::recurrence::{Recurrence, RecurrenceParts};
    /// # use events_calendar_domain::time::{EventTime, parse_civil};
    /// # let start = parse_civil("2027-03-10 18:00:00").unwrap(); // a Wednesday
    /// let first = EventTime::new("Europe/Paris".parse()?, start, start, false)?;
    /// for (rule, portable) in [
    ///     ("FREQ=WEEKLY;COUNT=3", "FREQ=WEEKLY;COUNT=3"),
    ///     ("FREQ=WEEKLY;COUNT=3;BYDAY=TU", "FREQ=WEEKLY;UNTIL=20270323T170000Z;BYDAY=TU"),
    /// ] {
    ///     let parts = RecurrenceParts { rule: Some(rule.parse()?), ..RecurrenceParts::default() };
    ///     let series = Recurrence::new(first.clone(), parts)?;
    ///     assert_eq!(series.portable_rule().unwrap().to_string(), portable);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn portable_rule(&self) -> Option<Rule> {
        let rule = self.rule()?;
        if rule.parts().count.is_none() || self.rule_gives_start() {
            return Some(rule.clone());
        }
        let last = self.rule_slots().last()?;
        let until = if self.first().all_day() {
            DateValue::Day(last.day())
        } else {
            DateValue::Instant(self.first().zone().at_local(last.local()).ok()?.utc)
        };
        let parts = RuleParts {
            count: None,
            until: Some(until),
            ..rule.parts().clone()
        };
        Rule::new(parts).ok()
    }

    /// The slots before an instant for which these properties, with the first slot as DTSTART and the end
    /// of the first occurrence as DTEND, say something else than this recurrence, in order.
    ///
    /// A reader gives all occurrences the same elapsed time (RFC 5545, section 3.8.5.3). Here, an end
    /// keeps its distance from the slot by the clock. A reader has two occurrences where the clocks skip
    /// the wall clock of one and show that of another; here, there is one. Where the clocks skip a slot,
    /// readers differ. Deleted slots are left out.
    ///
    /// ```
    /// # use events_calendar_domain::recurrence::{Deviation, Recurrence, RecurrenceParts};
    /// # use events_calendar_domain::time::{EventTime, Timestamp, parse_civil};
    /// # let time = |text| parse_civil(text).unwrap();
    /// // The night from 30 to 31 October is longer by an hour.
    /// let (start, end) = (time("2027-10-23 22:00:00"), time("2027-10-24 06:00:00"));
    /// let first = EventTime::new("Europe/Paris".parse()?, start, end, false)?;
    /// let parts = RecurrenceParts::from_lines(&["RRULE:FREQ=WEEKLY"], first.zone())?;
    /// let nights = Recurrence::new(first, parts)?;
    /// let in_2028 = parse_civil("2028-01-01 00:00:00").unwrap();
    /// let before = nights.first().zone().at_local(in_2028)?.utc;
    /// let deviations: Vec<_> = nights.deviations(before).collect();
    /// let [Deviation::Time(night)] = deviations.as_slice() else { panic!("{deviations:?}") };
    /// assert_eq!(night.when.end().local, time("2027-10-31 06:00:00"));
    /// assert_eq!(deviations[0].slot(), night.slot);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn deviations(&self, before: Timestamp) -> impl Iterator<Item = Deviation> {
        let zone = self.first().zone();
        let is_exact = self.first().all_day() || zone.fixed_offset().is_some();
        let read = |slot: Slot| {
            zone.at_local(slot.local())
                .map(|moment| moment.utc.seconds())
        };
        let ends = self.first().end().utc.seconds();
        let length = read(self.first_slot()).map_or(0, |starts| ends - starts);
        let limit = Slot::new(zone.at(before).local).plus(MARGIN);
        let slots = self
            .slots(..)
            .take_while(move |slot| !is_exact && *slot < limit);
        slots.filter_map(move |slot| {
            let Some(one) = self.occurrence(slot) else {
                return Some(Deviation::Missing(slot));
            };
            let [starts, ends] = [one.when.start(), one.when.end()].map(|moment| moment.utc);
            let is_as_read = read(slot).is_ok_and(|read| read == starts.seconds())
                && ends.seconds() - starts.seconds() == length
                && Slot::shown_by(&one.when) == slot;
            (!is_as_read && starts < before).then_some(Deviation::Time(one))
        })
    }

    fn date_line<'a>(&self, name: &str, slots: impl Iterator<Item = &'a Slot>) -> Option<String> {
        let zone = self.first().zone();
        let has_name = zone.is_iana() && *zone != Zone::utc();
        let value = |slot: &Slot| match self.recurrence_id(*slot) {
            DateValue::Local(local) if !has_name => match zone.at_local(local) {
                Ok(moment) => DateValue::Instant(moment.utc).basic(),
                Err(_) => DateValue::Local(local).basic(),
            },
            date => date.basic(),
        };
        let values = slots.map(value).collect::<Vec<_>>().join(",");
        let parameter = if self.first().all_day() {
            ";VALUE=DATE".to_owned()
        } else if has_name {
            format!(";TZID={zone}")
        } else {
            String::new()
        };
        (!values.is_empty()).then(|| format!("{name}{parameter}:{values}"))
    }
}

/// A slot for which the properties of a recurrence say something else than the recurrence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deviation {
    /// The occurrence starts or ends at another time.
    Time(Occurrence),
    /// There is no occurrence, as another slot has the same instant by its own wall clock.
    Missing(Slot),
}

impl Deviation {
    /// The slot.
    pub fn slot(&self) -> Slot {
        match self {
            Self::Time(one) => one.slot,
            Self::Missing(slot) => *slot,
        }
    }
}

/// A line before and after the colon that ends its parameters.
fn cut(line: &str) -> (&str, &str) {
    let mut is_quoted = false;
    let is_end = |c: char| {
        is_quoted ^= c == '"';
        c == ':' && !is_quoted
    };
    line.split_once(is_end).unwrap_or((line, ""))
}

fn dates<'a>(
    name: &str,
    parameters: impl Iterator<Item = &'a str>,
    values: &str,
    zone: &Zone,
) -> Result<Vec<DateValue>, InvalidLine> {
    let mut is_of_days = None;
    let mut read_in = zone.clone();
    for parameter in parameters {
        let (key, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        let (key, value) = (key.to_ascii_uppercase(), value.trim_matches('"'));
        match (&*key, &*value.to_ascii_uppercase()) {
            ("VALUE", "DATE") => is_of_days = Some(true),
            ("VALUE", "DATE-TIME") => is_of_days = Some(false),
            ("VALUE", "PERIOD") => return Err(InvalidLine::Period),
            ("TZID", _) => {
                read_in = value.parse().map_err(|_| InvalidLine::Zone {
                    name: value.to_owned(),
                })?;
            }
            _ => return Err(InvalidLine::Parameter { name: key }),
        }
    }
    let date = |text: &str| {
        let date = text.trim().parse().ok()?;
        let is_day = matches!(date, DateValue::Day(_));
        match date {
            _ if is_of_days.is_some_and(|days| days != is_day) => None,
            DateValue::Local(local) if read_in != *zone => {
                Some(DateValue::Instant(read_in.at_local(local).ok()?.utc))
            }
            date => Some(date),
        }
    };
    let dates: Option<_> = values.split(',').map(date).collect();
    dates.ok_or_else(|| InvalidLine::Value {
        name: name.to_owned(),
    })
}
