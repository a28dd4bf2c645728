//! The repetition of an event, in plain words: from the form to a rule, and back.

use app::{
    event::EventView,
    fault::{Fault, RecurrenceFault},
};
use chrono::{Datelike as _, Timelike as _};
use domain::{
    Language,
    recurrence::{
        InvalidRecurrence, InvalidRule, Part, PlainRule, Recurrence, Repeats, RuleEnd, Weekday,
    },
    time::{EventTime, NaiveDate, Timestamp},
};
use http_service::rule_words::{self, month_name, weekday_name};

use crate::{body::Form, words::Word};

/// Weekdays with their names in forms.
pub(super) const WEEKDAYS: [(&str, Weekday); 7] = [
    ("mo", Weekday::Mon),
    ("tu", Weekday::Tue),
    ("we", Weekday::Wed),
    ("th", Weekday::Thu),
    ("fr", Weekday::Fri),
    ("sa", Weekday::Sat),
    ("su", Weekday::Sun),
];

/// The choices of the form, and their names.
pub(super) const CHOICES: [(&str, Word); 8] = [
    ("never", Word::REPEATS_NEVER),
    ("daily", Word::REPEATS_DAILY),
    ("weekly", Word::REPEATS_WEEKLY),
    ("monthly", Word::REPEATS_MONTHLY),
    ("monthly-weekday", Word::REPEATS_ON_WEEKDAY),
    ("monthly-last-weekday", Word::REPEATS_ON_LAST_WEEKDAY),
    ("yearly", Word::REPEATS_YEARLY),
    ("other", Word::REPEATS_OTHER),
];

/// The ends of the form.
pub(super) const ENDS: [(&str, Word); 3] = [
    ("never", Word::ENDS_NEVER),
    ("until", Word::ENDS_UNTIL),
    ("count", Word::ENDS_AFTER),
];

/// The most dates of a preview.
const MAX_DATES: usize = 10;

/// Whether and how an event repeats, as the form says it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Repetition {
    #[default]
    Never,
    Plain(PlainRule),
    /// Lines of iCalendar.
    Other(String),
}

impl Repetition {
    /// The repetition of a stored event.
    pub(super) fn of(view: &EventView) -> Self {
        let series = view.event.series();
        series.map_or(Self::Never, |series| Self::said_by(&series.recurrence))
    }

    fn said_by(recurrence: &Recurrence) -> Self {
        match PlainRule::of(recurrence) {
            Some(plain) => Self::Plain(plain),
            None => Self::Other(recurrence.lines().join("\n")),
        }
    }

    /// The repetition that a form says; `None` if it has no such fields.
    ///
    /// # Errors
    ///
    /// The first fault of its fields.
    pub(super) fn sent(form: &Form) -> Option<Result<Self, InvalidRule>> {
        let raw = || {
            let lines = form.get("recurrence")?.lines().map(str::trim);
            let lines: Vec<_> = lines.filter(|line| !line.is_empty()).collect();
            Some(match lines.as_slice() {
                [] => Self::Never,
                lines => Self::Other(lines.join("\n")),
            })
        };
        let on = form.all("on");
        let repeats = match form.get("repeats") {
            None | Some("other") => return raw().map(Ok),
            Some("daily") => Repeats::Daily,
            Some("weekly") => {
                let on: Vec<_> = on.collect();
                let days = WEEKDAYS.iter().filter(|(name, _)| on.contains(name));
                Repeats::Weekly(days.map(|(_, day)| *day).collect())
            }
            Some("monthly") => Repeats::MonthlyOnDay,
            Some("monthly-weekday") => Repeats::MonthlyOnWeekday,
            Some("monthly-last-weekday") => Repeats::MonthlyOnLastWeekday,
            Some("yearly") => Repeats::Yearly,
            Some(_) => return Some(Ok(Self::Never)),
        };
        Some(plain(form, repeats).map(Self::Plain))
    }

    /// The field of the interface.
    ///
    /// # Errors
    ///
    /// If a number is out of its limits.
    pub(super) fn rule(&self, start: NaiveDate) -> Result<String, InvalidRule> {
        Ok(match self {
            Self::Never => String::new(),
            Self::Plain(plain) => plain.rule(start)?.to_string(),
            Self::Other(lines) => lines.clone(),
        })
    }

    /// Whether a form with this repetition, and another start, changes a stored one.
    pub(super) fn changes(&self, stored: &Self, is_moved: bool) -> bool {
        // The number in the month comes from the start, which a stored rule does not follow.
        let follows = |plain: &PlainRule| {
            let repeats = &plain.repeats;
            *repeats == Repeats::MonthlyOnWeekday || *repeats == Repeats::MonthlyOnLastWeekday
        };
        match (self, stored) {
            (Self::Plain(plain), Self::Plain(before)) if plain == before => {
                is_moved && follows(plain)
            }
            (one, stored) => one != stored,
        }
    }

    /// The repetition with the weekday of the start where none was chosen.
    pub(super) fn with_start(mut self, start: NaiveDate) -> Self {
        if let Self::Plain(plain) = &mut self
            && let Repeats::Weekly(days) = &mut plain.repeats
            && days.is_empty()
        {
            days.push(start.weekday());
        }
        self
    }

    /// The inputs of the form with their values, and the weekdays.
    pub(super) fn inputs(&self) -> (Vec<(&'static str, String)>, Vec<String>) {
        let plain = match self {
            Self::Never => return (vec![("repeats", "never".to_owned())], Vec::new()),
            Self::Other(lines) => {
                let inputs = vec![
                    ("repeats", "other".to_owned()),
                    ("recurrence", lines.clone()),
                ];
                return (inputs, Vec::new());
            }
            Self::Plain(plain) => plain,
        };
        let mut on = Vec::new();
        let name = match &plain.repeats {
            Repeats::Daily => "daily",
            Repeats::Weekly(days) => {
                let chosen = WEEKDAYS.iter().filter(|(_, day)| days.contains(day));
                on.extend(chosen.map(|(name, _)| (*name).to_owned()));
                "weekly"
            }
            Repeats::MonthlyOnDay => "monthly",
            Repeats::MonthlyOnWeekday => "monthly-weekday",
            Repeats::MonthlyOnLastWeekday => "monthly-last-weekday",
            Repeats::Yearly => "yearly",
        };
        let mut inputs = vec![
            ("repeats", name.to_owned()),
            ("every", plain.interval.to_string()),
        ];
        match plain.end {
            RuleEnd::Never => {}
            RuleEnd::Until(day) => {
                inputs.extend([("ends", "until".to_owned()), ("until", day.to_string())]);
            }
            RuleEnd::After(times) => {
                inputs.extend([("ends", "count".to_owned()), ("times", times.to_string())]);
            }
        }
        (inputs, on)
    }
}

fn plain(form: &Form, repeats: Repeats) -> Result<PlainRule, InvalidRule> {
    let text = |name: &str| form.get(name).unwrap_or_default().trim();
    let number = |name: &str, part: Part| {
        let number = text(name).parse::<i64>();
        number.map_err(|_| InvalidRule::Value(part))
    };
    let interval = match text("every") {
        "" => 1,
        _ => number("every", Part::Interval)?,
    };
    let end = match text("ends") {
        "until" => {
            let day = text("until").parse();
            RuleEnd::Until(day.map_err(|_| InvalidRule::Value(Part::Until))?)
        }
        "count" => RuleEnd::After(number("times", Part::Count)?),
        _ => RuleEnd::Never,
    };
    Ok(PlainRule {
        repeats,
        interval,
        end,
    })
}

/// The inputs of the form of an event that repeats, with their values.
pub(crate) fn inputs_of(recurrence: &Recurrence) -> Vec<(&'static str, String)> {
    let has_dates = !recurrence.extra().is_empty() || !recurrence.deleted().is_empty();
    let lines = || Repetition::Other(recurrence.lines().join("\n"));
    // A new event has no dates beside its rule, except the dates of the form.
    let repetition = if has_dates {
        lines()
    } else {
        Repetition::said_by(recurrence)
    };
    let (mut inputs, on) = repetition.inputs();
    inputs.extend(on.into_iter().map(|day| ("on", day)));
    inputs
}

/// The input of a fault of the repetition, and its words if the form has them.
pub(super) fn fault_of(fault: &Fault) -> Option<(&'static str, Word)> {
    let Fault::Recurrence(fault) = fault else {
        return None;
    };
    Some(match fault {
        RecurrenceFault::Rule(InvalidRule::Value(Part::Interval)) => {
            ("every", Word::EVERY_IS_NUMBER)
        }
        RecurrenceFault::Rule(InvalidRule::Value(Part::Count)) => ("times", Word::TIMES_IS_NUMBER),
        RecurrenceFault::Rule(InvalidRule::Value(Part::Until)) => ("until", Word::UNTIL_IS_DATE),
        RecurrenceFault::Dates(InvalidRecurrence::UntilBeforeStart) => {
            ("until", Word::UNTIL_AFTER_START)
        }
        _ => return None,
    })
}

/// The dates that a form would store.
#[derive(Debug)]
pub(super) struct Preview {
    /// The rule in words, if a short phrase says it.
    pub(super) words: Option<String>,
    /// The next dates.
    pub(super) dates: Vec<String>,
    /// Whether more dates follow.
    pub(super) has_more: bool,
}

impl Preview {
    /// The preview of a time and of its recurrence.
    pub(super) fn of(
        when: &EventTime,
        recurrence: Option<&Recurrence>,
        now: Timestamp,
        language: Language,
    ) -> Self {
        let Some(recurrence) = recurrence else {
            return Self {
                words: None,
                dates: vec![in_words(when, language)],
                has_more: false,
            };
        };
        let upcoming = recurrence.occurrences(now..).take(MAX_DATES + 1);
        let mut dates: Vec<_> = upcoming.map(|one| one.when).collect();
        if dates.is_empty() {
            let all = recurrence.occurrences(..).take(MAX_DATES + 1);
            dates.extend(all.map(|one| one.when));
        }
        let has_more = dates.len() > MAX_DATES;
        dates.truncate(MAX_DATES);
        Self {
            words: rule_words::rule(recurrence, now, language),
            dates: dates.iter().map(|when| in_words(when, language)).collect(),
            has_more,
        }
    }
}

/// The start of a time: `Tuesday 16 March 2027, 19:00`.
pub(crate) fn in_words(when: &EventTime, language: Language) -> String {
    let start = when.start().local;
    let weekday = weekday_name(start.weekday(), language);
    let month = month_name(start.month(), language);
    let day = match (start.day(), language) {
        (1, Language::French) => "1er".to_owned(),
        (day, _) => day.to_string(),
    };
    let text = format!("{weekday} {day} {month} {}", start.year());
    if when.all_day() {
        return text;
    }
    let comma = match language {
        Language::Arabic => "،",
        Language::English | Language::French => ",",
    };
    format!("{text}{comma} {:02}:{:02}", start.hour(), start.minute())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(pairs: &[(&str, &str)]) -> Form {
        let fields = pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Form {
            fields: fields.collect(),
            ..Form::default()
        }
    }

    /// The fields of a form say the same when they are sent again.
    #[test]
    fn a_form_says_a_rule_and_a_rule_fills_the_form() {
        let start = NaiveDate::from_ymd_opt(2027, 3, 9).unwrap();
        for (fields, rule) in [
            (vec![("repeats", "never")], ""),
            (
                vec![("repeats", "daily"), ("every", "3")],
                "FREQ=DAILY;INTERVAL=3",
            ),
            (
                vec![("repeats", "weekly"), ("on", "th"), ("on", "tu")],
                "FREQ=WEEKLY;BYDAY=TU,TH",
            ),
            (vec![("repeats", "weekly")], "FREQ=WEEKLY"),
            (
                vec![
                    ("repeats", "monthly"),
                    ("ends", "until"),
                    ("until", "2027-12-31"),
                ],
                "FREQ=MONTHLY;UNTIL=20271231",
            ),
            (
                vec![
                    ("repeats", "monthly-weekday"),
                    ("ends", "count"),
                    ("times", "4"),
                ],
                "FREQ=MONTHLY;COUNT=4;BYDAY=2TU",
            ),
            (
                vec![("repeats", "monthly-last-weekday")],
                "FREQ=MONTHLY;BYDAY=-1TU",
            ),
            (
                vec![("repeats", "yearly"), ("recurrence", "ignored")],
                "FREQ=YEARLY",
            ),
            (
                vec![("repeats", "other"), ("recurrence", " FREQ=DAILY \n\n")],
                "FREQ=DAILY",
            ),
            (vec![("recurrence", "FREQ=DAILY")], "FREQ=DAILY"),
        ] {
            let sent = Repetition::sent(&form(&fields)).unwrap().unwrap();
            let sent = sent.with_start(start);
            assert_eq!(sent.rule(start).unwrap(), rule, "{fields:?}");
            let (inputs, on) = sent.inputs();
            let mut again: Vec<_> = inputs
                .iter()
                .map(|(name, text)| (*name, text.as_str()))
                .collect();
            again.extend(on.iter().map(|day| ("on", day.as_str())));
            let again = Repetition::sent(&form(&again)).unwrap().unwrap();
            assert!(!again.changes(&sent, false), "{again:?} {sent:?}");
        }
        assert!(Repetition::sent(&form(&[("title", "Jazz")])).is_none());
        for fields in [
            [("repeats", "daily"), ("every", "often"), ("ends", "")],
            [("repeats", "daily"), ("ends", "until"), ("until", "")],
            [("repeats", "daily"), ("ends", "count"), ("times", "some")],
        ] {
            assert!(
                Repetition::sent(&form(&fields)).unwrap().is_err(),
                "{fields:?}"
            );
        }
    }

    /// A number in the month is sent again when the start moves.
    #[test]
    fn a_second_tuesday_follows_the_start() {
        let plain = |name| {
            let sent = Repetition::sent(&form(&[("repeats", name)]));
            sent.unwrap().unwrap()
        };
        let (second, yearly) = (plain("monthly-weekday"), plain("yearly"));
        assert!(second.changes(&second, true) && !second.changes(&second, false));
        assert!(!yearly.changes(&yearly, true) && yearly.changes(&second, false));
    }
}
