//! Tests of the rules in words.

use domain::{
    Language,
    recurrence::{Recurrence, RecurrenceParts},
    time::{EventTime, Timestamp, parse_civil},
};

use super::rule;

const PARIS: &str = "Europe/Paris";

/// A series in Paris: its first start and end, and its lines of iCalendar.
fn series(start: &str, end: &str, all_day: bool, lines: &[&str]) -> Recurrence {
    let civil = |text: &str| parse_civil(text).unwrap();
    let zone = PARIS.parse().unwrap();
    let first = EventTime::new(zone, civil(start), civil(end), all_day).unwrap();
    let parts = RecurrenceParts::from_lines(lines, first.zone()).unwrap();
    Recurrence::new(first, parts).unwrap()
}

/// A rule of an event from 19:00 to 20:30.
fn evening(day: &str, lines: &[&str]) -> Recurrence {
    let at = |time: &str| format!("{day} {time}");
    series(&at("19:00:00"), &at("20:30:00"), false, lines)
}

fn before_all() -> Timestamp {
    Timestamp::from_seconds(0).unwrap()
}

/// Fails unless the words in English, French and Arabic are these.
#[track_caller]
fn reads(recurrence: &Recurrence, expected: [&str; 3]) {
    let languages = [Language::English, Language::French, Language::Arabic];
    let words = languages.map(|language| rule(recurrence, before_all(), language));
    let words = words
        .each_ref()
        .map(|text| text.as_deref().unwrap_or("none"));
    assert_eq!(words, expected);
}

/// Fails unless the words about the days are these; the hours follow in each language.
#[track_caller]
fn repeats(day: &str, line: &str, [english, french, arabic]: [&str; 3]) {
    let expected = [
        format!("{english}, 19:00 to 20:30"),
        format!("{french}, de 19:00 à 20:30"),
        format!("{arabic}، من 19:00 إلى 20:30"),
    ];
    reads(
        &evening(day, &[&format!("RRULE:{line}")]),
        expected.each_ref().map(String::as_str),
    );
}

#[test]
fn days() {
    for (line, expected) in [
        ("FREQ=DAILY", ["every day", "tous les jours", "كل يوم"]),
        (
            "FREQ=DAILY;INTERVAL=2",
            ["every second day", "un jour sur deux", "كل يومين"],
        ),
        (
            "FREQ=DAILY;INTERVAL=3",
            ["every 3 days", "tous les 3 jours", "كل 3 أيام"],
        ),
        (
            "FREQ=DAILY;INTERVAL=10",
            ["every 10 days", "tous les 10 jours", "كل 10 أيام"],
        ),
        (
            "FREQ=DAILY;INTERVAL=11",
            ["every 11 days", "tous les 11 jours", "كل 11 يومًا"],
        ),
        (
            "FREQ=DAILY;INTERVAL=100",
            ["every 100 days", "tous les 100 jours", "كل 100 يوم"],
        ),
        (
            "FREQ=DAILY;INTERVAL=103",
            ["every 103 days", "tous les 103 jours", "كل 103 أيام"],
        ),
        (
            "FREQ=DAILY;BYMONTH=3",
            [
                "every day in March",
                "tous les jours en mars",
                "كل يوم في مارس",
            ],
        ),
        (
            "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU",
            ["every day", "tous les jours", "كل يوم"],
        ),
    ] {
        repeats("2027-03-02", line, expected);
    }
}

/// 2 March 2027 is a Tuesday.
#[test]
fn weeks() {
    for (line, expected) in [
        (
            "FREQ=WEEKLY",
            ["every Tuesday", "tous les mardis", "كل يوم ثلاثاء"],
        ),
        (
            "FREQ=WEEKLY;BYDAY=TU,TH",
            [
                "every Tuesday and Thursday",
                "tous les mardis et jeudis",
                "كل أسبوع يومي الثلاثاء والخميس",
            ],
        ),
        (
            "FREQ=WEEKLY;BYDAY=TU,TH,SU",
            [
                "every Tuesday, Thursday and Sunday",
                "tous les mardis, jeudis et dimanches",
                "كل أسبوع أيام الثلاثاء والخميس والأحد",
            ],
        ),
        (
            "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
            [
                "every week from Monday to Friday",
                "toutes les semaines, du lundi au vendredi",
                "كل أسبوع من الاثنين إلى الجمعة",
            ],
        ),
        (
            "FREQ=DAILY;BYDAY=MO,TU,WE,TH,SU",
            [
                "every week from Sunday to Thursday",
                "toutes les semaines, du dimanche au jeudi",
                "كل أسبوع من الأحد إلى الخميس",
            ],
        ),
        (
            "FREQ=WEEKLY;INTERVAL=2",
            [
                "every second Tuesday",
                "un mardi sur deux",
                "كل أسبوعين يوم الثلاثاء",
            ],
        ),
        (
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,FR",
            [
                "every second week on Tuesday and Friday",
                "une semaine sur deux, le mardi et le vendredi",
                "كل أسبوعين يومي الثلاثاء والجمعة",
            ],
        ),
        (
            "FREQ=WEEKLY;INTERVAL=3",
            [
                "every 3 weeks on Tuesday",
                "toutes les 3 semaines, le mardi",
                "كل 3 أسابيع يوم الثلاثاء",
            ],
        ),
        (
            "FREQ=WEEKLY;BYMONTH=3,4,8",
            [
                "every Tuesday in March, April and August",
                "tous les mardis en mars, avril et août",
                "كل يوم ثلاثاء في مارس وأبريل وأغسطس",
            ],
        ),
    ] {
        repeats("2027-03-02", line, expected);
    }
}

#[test]
fn months() {
    for (line, expected) in [
        (
            "FREQ=MONTHLY",
            [
                "every month on the 2nd",
                "tous les mois, le 2",
                "كل شهر في اليوم 2",
            ],
        ),
        (
            "FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=1,2",
            [
                "every second month on the 1st and the 2nd",
                "un mois sur deux, le 1er et le 2",
                "كل شهرين في اليومين 1 و2",
            ],
        ),
        (
            "FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=2,11,23",
            [
                "every 3 months on the 2nd, the 11th and the 23rd",
                "tous les 3 mois, le 2, le 11 et le 23",
                "كل 3 أشهر في الأيام 2 و11 و23",
            ],
        ),
        (
            "FREQ=MONTHLY;BYMONTHDAY=2,-1",
            [
                "every month on the 2nd and the last day",
                "tous les mois, le 2 et le dernier jour",
                "كل شهر في اليوم 2 وآخر يوم",
            ],
        ),
        (
            "FREQ=MONTHLY;BYDAY=1TU",
            [
                "every month on the first Tuesday",
                "tous les mois, le premier mardi",
                "كل شهر في أول ثلاثاء",
            ],
        ),
        (
            "FREQ=MONTHLY;BYDAY=TU;BYSETPOS=1",
            [
                "every month on the first Tuesday",
                "tous les mois, le premier mardi",
                "كل شهر في أول ثلاثاء",
            ],
        ),
        (
            "FREQ=MONTHLY;BYDAY=1TU,3TU,-1FR",
            [
                "every month on the first and third Tuesday and the last Friday",
                "tous les mois, le premier et le troisième mardi et le dernier vendredi",
                "كل شهر في أول ثلاثاء وثالث ثلاثاء وآخر جمعة",
            ],
        ),
        (
            "FREQ=MONTHLY;BYDAY=1TU,-2FR",
            [
                "every month on the first Tuesday and the second to last Friday",
                "tous les mois, le premier mardi et l’avant-dernier vendredi",
                "كل شهر في أول ثلاثاء والجمعة قبل الأخيرة",
            ],
        ),
    ] {
        repeats("2027-03-02", line, expected);
    }
    for line in [
        "FREQ=MONTHLY;BYMONTHDAY=-1",
        "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1",
    ] {
        let last = [
            "every month on the last day",
            "tous les mois, le dernier jour",
            "كل شهر في آخر يوم",
        ];
        repeats("2027-03-31", line, last);
    }
}

#[test]
fn years() {
    for (day, line, expected) in [
        (
            "2027-07-14",
            "FREQ=YEARLY",
            [
                "every year on 14 July",
                "tous les ans, le 14 juillet",
                "كل سنة في 14 يوليو",
            ],
        ),
        (
            "2028-02-29",
            "FREQ=YEARLY;INTERVAL=4",
            [
                "every 4 years on 29 February",
                "tous les 4 ans, le 29 février",
                "كل 4 سنوات في 29 فبراير",
            ],
        ),
        (
            "2027-03-01",
            "FREQ=YEARLY;INTERVAL=2;BYMONTH=3,9;BYMONTHDAY=1",
            [
                "every second year on 1 March and 1 September",
                "une année sur deux, le 1er mars et le 1er septembre",
                "كل سنتين في 1 مارس و1 سبتمبر",
            ],
        ),
        (
            "2027-04-26",
            "FREQ=YEARLY;BYMONTH=4;BYDAY=-1MO",
            [
                "every year on the last Monday of April",
                "tous les ans, le dernier lundi d’avril",
                "كل سنة في آخر اثنين من أبريل",
            ],
        ),
        (
            "2027-05-31",
            "FREQ=MONTHLY;BYMONTH=5,8;BYMONTHDAY=-1",
            [
                "every year on the last day of May and August",
                "tous les ans, le dernier jour de mai et d’août",
                "كل سنة في آخر يوم من مايو وأغسطس",
            ],
        ),
    ] {
        repeats(day, line, expected);
    }
}

#[test]
fn hours() {
    let weekly = ["RRULE:FREQ=WEEKLY"];
    let at = series("2027-03-02 19:00:00", "2027-03-02 19:00:00", false, &weekly);
    reads(
        &at,
        [
            "every Tuesday, at 19:00",
            "tous les mardis, à 19:00",
            "كل يوم ثلاثاء، الساعة 19:00",
        ],
    );
    let night = series("2027-03-02 22:00:00", "2027-03-03 04:00:00", false, &weekly);
    reads(
        &night,
        [
            "every Tuesday, 22:00 to 04:00",
            "tous les mardis, de 22:00 à 04:00",
            "كل يوم ثلاثاء، من 22:00 إلى 04:00",
        ],
    );
    let long = series("2027-03-02 22:00:00", "2027-03-04 04:00:00", false, &weekly);
    assert_eq!(
        rule(&long, before_all(), Language::English).as_deref(),
        Some("every Tuesday, at 22:00")
    );
    let whole = series("2027-03-02 00:00:00", "2027-03-02 00:00:00", true, &weekly);
    reads(&whole, ["every Tuesday", "tous les mardis", "كل يوم ثلاثاء"]);
    let two = series("2027-03-02 00:00:00", "2027-03-03 00:00:00", true, &weekly);
    reads(
        &two,
        [
            "every Tuesday, for 2 days",
            "tous les mardis, pendant 2 jours",
            "كل يوم ثلاثاء، لمدة يومين",
        ],
    );
}

#[test]
fn ends() {
    for (line, [english, french, arabic]) in [
        ("COUNT=2", ["twice", "2 fois", "مرتين"]),
        ("COUNT=3", ["3 times", "3 fois", "3 مرات"]),
        ("COUNT=12", ["12 times", "12 fois", "12 مرة"]),
        ("COUNT=102", ["102 times", "102 fois", "102 مرة"]),
        (
            "UNTIL=20270401T170000Z",
            [
                "until 1 April 2027",
                "jusqu’au 1er avril 2027",
                "حتى 1 أبريل 2027",
            ],
        ),
        // The end lies before the start of that day's occurrence.
        (
            "UNTIL=20270401T165959Z",
            [
                "until 31 March 2027",
                "jusqu’au 31 mars 2027",
                "حتى 31 مارس 2027",
            ],
        ),
    ] {
        let daily = evening("2027-03-02", &[&format!("RRULE:FREQ=DAILY;{line}")]);
        let expected = [
            format!("every day, 19:00 to 20:30, {english}"),
            format!("tous les jours, de 19:00 à 20:30, {french}"),
            format!("كل يوم، من 19:00 إلى 20:30، {arabic}"),
        ];
        reads(&daily, expected.each_ref().map(String::as_str));
    }
}

#[test]
fn exceptions() {
    let lines = [
        "RRULE:FREQ=WEEKLY",
        "EXDATE;TZID=Europe/Paris:20270309T190000,20270601T190000",
        "RDATE;TZID=Europe/Paris:20270605T190000",
    ];
    let weekly = evening("2027-03-02", &lines);
    reads(
        &weekly,
        [
            "every Tuesday, 19:00 to 20:30, except on 9 March 2027 and 1 June 2027, and also on 5 June 2027",
            "tous les mardis, de 19:00 à 20:30, sauf le 9 mars 2027 et le 1er juin 2027, et aussi le 5 juin 2027",
            "كل يوم ثلاثاء، من 19:00 إلى 20:30، باستثناء 9 مارس 2027 و1 يونيو 2027، وكذلك في 5 يونيو 2027",
        ],
    );
    // Days that are over are left out.
    let april = Timestamp::from_seconds(1_806_796_800).unwrap();
    assert_eq!(
        rule(&weekly, april, Language::English).as_deref(),
        Some("every Tuesday, 19:00 to 20:30, except on 1 June 2027, and also on 5 June 2027")
    );
    let many = [
        "RRULE:FREQ=DAILY",
        "EXDATE;TZID=Europe/Paris:20270303T190000,20270304T190000,20270305T190000",
        "EXDATE;TZID=Europe/Paris:20270306T190000,20270307T190000",
    ];
    reads(
        &evening("2027-03-02", &many),
        [
            "every day, 19:00 to 20:30, with exceptions",
            "tous les jours, de 19:00 à 20:30, sauf exceptions",
            "كل يوم، من 19:00 إلى 20:30، مع بعض الاستثناءات",
        ],
    );
}

/// Rules that a short phrase would describe wrongly have none.
#[test]
fn rules_without_a_phrase() {
    for line in [
        "FREQ=DAILY;COUNT=1",
        "FREQ=DAILY;BYHOUR=19,21",
        "FREQ=DAILY;BYMONTHDAY=13",
        "FREQ=DAILY;INTERVAL=2;BYDAY=TU",
        "FREQ=WEEKLY;BYDAY=WE",
        "FREQ=WEEKLY;INTERVAL=2;BYMONTH=3",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR,SA,SU",
        "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
        "FREQ=MONTHLY;BYDAY=TU",
        "FREQ=MONTHLY;BYDAY=2TU",
        "FREQ=MONTHLY;BYMONTHDAY=3",
        "FREQ=MONTHLY;BYMONTHDAY=-2",
        "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
        "FREQ=MONTHLY;INTERVAL=2;BYMONTH=3",
        "FREQ=MONTHLY;BYMONTHDAY=2,3,4,5,6,7,8",
        "FREQ=YEARLY;BYDAY=10TU",
        "FREQ=YEARLY;BYMONTH=4",
        "FREQ=YEARLY;BYWEEKNO=9",
        "FREQ=YEARLY;BYYEARDAY=61",
        "FREQ=YEARLY;BYMONTH=3;BYDAY=TU",
    ] {
        let recurrence = evening("2027-03-02", &[&format!("RRULE:{line}")]);
        assert_eq!(
            rule(&recurrence, before_all(), Language::English),
            None,
            "{line}"
        );
    }
    let dates = evening("2027-03-02", &["RDATE;TZID=Europe/Paris:20270309T190000"]);
    assert_eq!(rule(&dates, before_all(), Language::English), None);
}
