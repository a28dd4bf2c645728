//! Texts and members of rules.

use events_calendar_domain::{
    recurrence::{
        DateValue, Frequency, InvalidRecurrence, InvalidRule, Part, Recurrence, RecurrenceParts,
        Rule, RuleParts,
    },
    time::EventTime,
};

use super::{canonical, dates, days, event, jazz, parts, recurrence, wall};

/// A rule is read with and without its property name.
/// In any letter case and order, with repetitions and defaults.
#[test]
fn texts_become_canonical() {
    for (case, text, shown) in [
        ("R-55", "FREQ=WEEKLY;COUNT=6", "FREQ=WEEKLY;COUNT=6"),
        ("R-55", "RRULE:FREQ=WEEKLY;COUNT=6", "FREQ=WEEKLY;COUNT=6"),
        (
            "R-56",
            "freq=monthly;wkst=mo;interval=1;byday=-1fr,-1FR;count=4",
            "FREQ=MONTHLY;COUNT=4;BYDAY=-1FR",
        ),
        (
            "R-59",
            "FREQ=DAILY;RSCALE=GREGORIAN;SKIP=OMIT",
            "FREQ=DAILY",
        ),
    ] {
        assert_eq!(text.parse::<Rule>().unwrap().to_string(), shown, "{case}");
    }
}

/// Faults of rules, each with its part.
#[test]
fn refused_rules() {
    use Frequency::{Daily, Monthly, Weekly};
    use InvalidRule::{Missing, NotWith, NotWithFrequency, PositionsAlone, Twice, Unknown, Value};
    for (text, error) in [
        ("FREQ=HOURLY", Value(Part::Frequency)),
        ("FREQ=MINUTELY", Value(Part::Frequency)),
        ("FREQ=SECONDLY", Value(Part::Frequency)),
        ("", Missing(Part::Frequency)),
        ("COUNT=2", Missing(Part::Frequency)),
        ("FREQ=DAILY;FREQ=DAILY", Twice(Part::Frequency)),
        (
            "FREQ=DAILY;FOO=1",
            Unknown {
                name: "FOO".to_owned(),
            },
        ),
        (
            "FREQ=DAILY;",
            Unknown {
                name: String::new(),
            },
        ),
        ("FREQ=DAILY;RSCALE=HEBREW", Value(Part::Scale)),
        ("FREQ=DAILY;SKIP=BACKWARD", Value(Part::Skip)),
        ("FREQ=DAILY;INTERVAL=0", Value(Part::Interval)),
        ("FREQ=DAILY;INTERVAL=1001", Value(Part::Interval)),
        ("FREQ=DAILY;INTERVAL=-1", Value(Part::Interval)),
        ("FREQ=DAILY;INTERVAL=two", Value(Part::Interval)),
        ("FREQ=DAILY;COUNT=0", Value(Part::Count)),
        (
            "FREQ=DAILY;COUNT=2;UNTIL=20280101",
            NotWith(Part::Count, Part::Until),
        ),
        ("FREQ=DAILY;UNTIL=soon", Value(Part::Until)),
        ("FREQ=DAILY;UNTIL=20270230", Value(Part::Until)),
        ("FREQ=YEARLY;BYMONTH=13", Value(Part::Months)),
        ("FREQ=YEARLY;BYMONTH=0", Value(Part::Months)),
        ("FREQ=YEARLY;BYMONTH=", Value(Part::Months)),
        ("FREQ=WEEKLY;BYDAY=XX", Value(Part::Days)),
        ("FREQ=MONTHLY;BYDAY=6MO", Value(Part::Days)),
        ("FREQ=MONTHLY;BYDAY=0MO", Value(Part::Days)),
        ("FREQ=YEARLY;BYDAY=54MO", Value(Part::Days)),
        ("FREQ=MONTHLY;BYMONTHDAY=0", Value(Part::DaysOfMonth)),
        ("FREQ=MONTHLY;BYMONTHDAY=32", Value(Part::DaysOfMonth)),
        ("FREQ=YEARLY;BYYEARDAY=-367", Value(Part::DaysOfYear)),
        ("FREQ=YEARLY;BYWEEKNO=54", Value(Part::Weeks)),
        ("FREQ=DAILY;BYHOUR=24", Value(Part::Hours)),
        ("FREQ=DAILY;BYMINUTE=60", Value(Part::Minutes)),
        ("FREQ=DAILY;BYSECOND=60", Value(Part::Seconds)),
        ("FREQ=DAILY;BYHOUR=1;BYSETPOS=367", Value(Part::Positions)),
        ("FREQ=DAILY;WKST=XX", Value(Part::WeekStart)),
        (
            "FREQ=WEEKLY;BYMONTHDAY=1",
            NotWithFrequency(Part::DaysOfMonth, Weekly),
        ),
        (
            "FREQ=MONTHLY;BYWEEKNO=2",
            NotWithFrequency(Part::Weeks, Monthly),
        ),
        (
            "FREQ=MONTHLY;BYYEARDAY=1",
            NotWithFrequency(Part::DaysOfYear, Monthly),
        ),
        ("FREQ=DAILY;BYDAY=1MO", NotWithFrequency(Part::Days, Daily)),
        (
            "FREQ=YEARLY;BYWEEKNO=2;BYDAY=1MO",
            NotWith(Part::Weeks, Part::Days),
        ),
        (
            "FREQ=YEARLY;INTERVAL=2;BYWEEKNO=2",
            NotWith(Part::Weeks, Part::Interval),
        ),
        ("FREQ=DAILY;BYSETPOS=1", PositionsAlone),
        ("FREQ=DAILY;BYSECOND=0;BYSETPOS=1", PositionsAlone),
        (
            "FREQ=DAILY;BYHOUR=0,1,2,3,4;BYMINUTE=0,10,20,30,40",
            InvalidRule::TooManyTimes,
        ),
    ] {
        assert_eq!(text.parse::<Rule>(), Err(error), "{text}");
    }
    let long = format!("FREQ=DAILY;BYHOUR={}", "1,".repeat(500));
    assert_eq!(
        long.parse::<Rule>(),
        Err(InvalidRule::TooLong { chars: long.len() })
    );
}

/// Faults of rules beside a start.
#[test]
fn refused_with_a_start() {
    use InvalidRecurrence::{NotForAllDay, OtherSecond, UntilBeforeStart};
    let with = |first: EventTime, rule| Recurrence::new(first, parts(rule));
    assert!(with(jazz(), "FREQ=DAILY;BYSECOND=0").is_ok(), "R-59");
    let second = with(jazz(), "FREQ=DAILY;BYSECOND=0").unwrap();
    assert_eq!(canonical(&second), "FREQ=DAILY", "R-59");
    assert_eq!(
        with(jazz(), "FREQ=DAILY;BYSECOND=30"),
        Err(OtherSecond),
        "R-59"
    );
    for rule in [
        "FREQ=DAILY;UNTIL=20270301",
        "FREQ=DAILY;UNTIL=20270302T185959",
        "FREQ=DAILY;UNTIL=20270302T175959Z",
    ] {
        assert_eq!(with(jazz(), rule), Err(UntilBeforeStart), "R-60 {rule}");
    }
    for rule in [
        "FREQ=DAILY;UNTIL=20270302",
        "FREQ=DAILY;UNTIL=20270302T180000Z",
    ] {
        assert_eq!(with(jazz(), rule).unwrap().total(), Some(1), "R-60 {rule}");
    }
    let whole_days = days("2027-03-10", "2027-03-10");
    let hours = with(whole_days.clone(), "FREQ=DAILY;BYHOUR=9");
    assert_eq!(hours, Err(NotForAllDay(Part::Hours)), "R-62");
    let minutes = with(whole_days, "FREQ=DAILY;BYMINUTE=9");
    assert_eq!(minutes, Err(NotForAllDay(Part::Minutes)), "R-62");
}

/// The last day in place of a missing one.
#[test]
fn the_last_day_replaces_a_missing_one() {
    let monthly = RuleParts {
        count: Some(5),
        ..RuleParts::new(Frequency::Monthly)
    };
    let start = event("Europe/Paris", "2027-01-31 20:00", "2027-01-31 21:00");
    let rule = Rule::new(
        monthly
            .clone()
            .with_last_day(wall("2027-01-31").date())
            .unwrap(),
    )
    .unwrap();
    assert_eq!(
        rule.to_string(),
        "FREQ=MONTHLY;COUNT=5;BYMONTHDAY=28,29,30,31;BYSETPOS=-1"
    );
    let last_days = recurrence(&start, &rule.to_string());
    let days: Vec<_> = last_days
        .slots(..)
        .map(|slot| slot.day().to_string())
        .collect();
    assert_eq!(days, dates("2027-01-31, 02-28, 03-31, 04-30, 05-31"));
    let yearly = RuleParts::new(Frequency::Yearly).with_last_day(wall("2028-02-29").date());
    assert_eq!(
        Rule::new(yearly.unwrap()).unwrap().to_string(),
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1"
    );
    let refused = [
        monthly.clone().with_last_day(wall("2027-01-28").date()),
        RuleParts::new(Frequency::Weekly).with_last_day(wall("2027-01-31").date()),
        RuleParts {
            positions: vec![1],
            days_of_month: vec![31],
            ..monthly.clone()
        }
        .with_last_day(wall("2027-01-31").date()),
        RuleParts {
            hours: vec![9, 10],
            ..monthly.clone()
        }
        .with_last_day(wall("2027-01-31").date()),
        RuleParts {
            days: vec!["MO".parse().unwrap()],
            ..monthly
        }
        .with_last_day(wall("2027-01-31").date()),
        RuleParts {
            months: vec![2, 4],
            ..RuleParts::new(Frequency::Yearly)
        }
        .with_last_day(wall("2027-04-30").date()),
    ];
    for refused in refused {
        assert_eq!(refused, Err(InvalidRule::NoMissingDay));
    }
}

/// Members of an object say the same as the text of a rule.
#[test]
fn members() {
    let read = |members: &[(&str, &str)]| {
        let texts = members
            .iter()
            .map(|(name, text)| (Part::of_member(name).unwrap(), *text));
        RuleParts::from_texts(texts)
            .and_then(Rule::new)
            .map(|rule| rule.to_string())
    };
    let six = read(&[("frequency", "weekly"), ("count", "6")]);
    assert_eq!(six.as_deref(), Ok("FREQ=WEEKLY;COUNT=6"), "R-55");
    let all = [
        ("frequency", "yearly"),
        ("interval", "2"),
        ("until", "2030-01-01T00:00:00"),
        ("months", "3,1"),
        ("days_of_year", "-1"),
        ("days_of_month", "31"),
        ("days", "su,mo"),
        ("hours", "9"),
        ("minutes", "30,0"),
        ("positions", "-1"),
        ("week_start", "su"),
    ];
    let shown = "FREQ=YEARLY;INTERVAL=2;UNTIL=20300101T000000;BYMONTH=1,3;BYYEARDAY=-1;\
                 BYMONTHDAY=31;BYDAY=MO,SU;BYHOUR=9;BYMINUTE=0,30;BYSETPOS=-1;WKST=SU";
    assert_eq!(read(&all).as_deref(), Ok(shown));
    let weeks = read(&[("frequency", "yearly"), ("weeks", "20")]);
    assert_eq!(weeks.as_deref(), Ok("FREQ=YEARLY;BYWEEKNO=20"));
    for (members, error) in [
        (&[("count", "6")][..], InvalidRule::Missing(Part::Frequency)),
        (
            &[("frequency", "often")],
            InvalidRule::Value(Part::Frequency),
        ),
        (
            &[("frequency", "daily"), ("days", "")],
            InvalidRule::Value(Part::Days),
        ),
        (
            &[("frequency", "daily"), ("frequency", "daily")],
            InvalidRule::Twice(Part::Frequency),
        ),
    ] {
        assert_eq!(read(members), Err(error), "{members:?}");
    }
    assert_eq!(Part::of_member("seconds"), None);
}

/// A text that a recurrence makes longer is read again.
#[test]
fn stored_texts_have_any_length() {
    let days = |count: usize| {
        let days: Vec<_> = (100..100 + count).map(|day| day.to_string()).collect();
        format!("FREQ=YEARLY;UNTIL=20310312;BYYEARDAY={}", days.join(","))
    };
    let rule: Rule = days(240).parse().unwrap();
    assert!(rule.to_string().len() > Rule::MAX_CHARS - 8);
    let series = recurrence(&jazz(), &rule.to_string());
    let text = canonical(&series);
    assert!(text.len() > Rule::MAX_CHARS, "{}", text.len());
    assert!(matches!(
        text.parse::<Rule>(),
        Err(InvalidRule::TooLong { .. })
    ));
    assert_eq!(
        Rule::from_stored(&text).as_ref(),
        Ok(series.rule().unwrap())
    );
}

/// No more slots are deleted than can be sent back.
#[test]
fn many_deleted_days() {
    let hours: Vec<_> = (0..24).map(|hour| hour.to_string()).collect();
    let rule = format!("FREQ=DAILY;COUNT=2000;BYHOUR={}", hours.join(","));
    let deleted = |days: i64| {
        let start = wall("2027-03-03").date();
        let days = (0..days).map(|day| start + chrono::TimeDelta::days(day));
        let parts = RecurrenceParts {
            deleted: days.map(DateValue::Day).collect(),
            ..parts(&rule)
        };
        Recurrence::new(jazz(), parts)
    };
    assert_eq!(deleted(60), Err(InvalidRecurrence::TooManyDates));
    let most = deleted(41).unwrap();
    assert_eq!(most.deleted().len(), 41 * 24);
    let parts = RecurrenceParts::from_lines(&most.lines(), jazz().zone()).unwrap();
    assert_eq!(Recurrence::new(jazz(), parts), Ok(most));
}

/// The deleted first slot has the instant of the extra one, which the clocks skip.
#[test]
fn no_occurrence_is_left() {
    let first = event("Europe/Paris", "2027-03-28 03:30", "2027-03-28 03:30");
    let parts = RecurrenceParts {
        extra: vec!["20270328T023000".parse().unwrap()],
        deleted: vec!["20270328T033000".parse().unwrap()],
        ..parts("")
    };
    assert_eq!(
        Recurrence::new(first, parts),
        Err(InvalidRecurrence::NoneLeft)
    );
}
