use app::feed::{FeedImage, FeedOrganizer, FeedPlace, FeedTombstone};
use domain::{geo::Position, html::RichText, image::ImageFormat, recurrence::DateValue};

use super::*;

/// A property as its name and parameters, and its value, of the first event.
fn value(file: &str, name: &str) -> Option<String> {
    property(file, name).map(|line| line[name.len()..].to_owned())
}

#[test]
fn a_file_of_one_event() {
    let mut event = river_cleanup();
    let content = event.content.as_mut().unwrap();
    let html = "<p>Bring gloves.</p><ul><li>Boots</li></ul><p>See <a href=\"https://x.example/\">here</a></p>";
    content.description = Some(InLanguage::new(
        RichText::from_stored(html.to_owned()),
        Language::French,
    ));
    let mill = FeedPlace {
        name: "Old Mill".to_owned(),
        address: "3 Quai Vert".to_owned(),
        zip: "69002".to_owned(),
        city: "Lyon".to_owned(),
        country: "France".to_owned(),
        position: Some(Position::new(45.764, -4.8357).unwrap()),
        ..FeedPlace::default()
    };
    content.place = Some(InLanguage::new(mill, Language::English));
    content.categories = vec!["Nature".to_owned()];
    content.is_private = true;
    content.organizers = vec![FeedOrganizer {
        name: "Rowing club".to_owned(),
        phone: "+33 4".to_owned(),
        ..FeedOrganizer::default()
    }];
    content.parent_uid = Some("9@cal.example".to_owned());
    content.image = Some(FeedImage {
        url: "https://cal.example/media/mill.png".to_owned(),
        format: ImageFormat::Png,
    });
    let expected = "\
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//events-calendar//EN
CALSCALE:GREGORIAN
BEGIN:VTIMEZONE
TZID:Europe/Paris
BEGIN:STANDARD
DTSTART:20251026T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
TZNAME:CET
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:20260329T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
TZNAME:CEST
END:DAYLIGHT
END:VTIMEZONE
BEGIN:VEVENT
UID:1@cal.example
DTSTAMP:20270105T090000Z
DTSTART;TZID=Europe/Paris:20270417T090000
DTEND;TZID=Europe/Paris:20270417T120000
SEQUENCE:1
STATUS:CONFIRMED
CREATED:20270104T073000Z
LAST-MODIFIED:20270105T090000Z
SUMMARY;LANGUAGE=en:River cleanup
DESCRIPTION;LANGUAGE=fr:Bring gloves.\\n\\n- Boots\\n\\nSee here (https://x.example/)
LOCATION;LANGUAGE=en:Old Mill\\, 3 Quai Vert\\, 69002 Lyon\\, France
GEO:45.764000;-4.835700
CATEGORIES:Nature
CLASS:PRIVATE
TRANSP:OPAQUE
CONTACT:Rowing club\\, +33 4
RELATED-TO;RELTYPE=PARENT:9@cal.example
URL:https://cal.example/event/river-cleanup/
IMAGE;VALUE=URI;DISPLAY=BADGE;FMTTYPE=image/png:https://cal.example/media/mill.png
END:VEVENT
END:VCALENDAR";
    assert_eq!(unfolded(&single(event)).join("\n"), expected);
}

#[test]
fn a_feed_says_its_name_and_when_to_read_it_again() {
    let expected = "\
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//events-calendar//EN
CALSCALE:GREGORIAN
NAME:cal.example
X-WR-CALNAME:cal.example
X-WR-TIMEZONE:Europe/Paris
REFRESH-INTERVAL;VALUE=DURATION:PT1H
X-PUBLISHED-TTL:PT1H
SOURCE;VALUE=URI:https://cal.example/events.ics
URL:https://cal.example/
BEGIN:VTIMEZONE
";
    let file = unfolded(&written(feed(), &[])).join("\n");
    assert!(file.starts_with(expected), "{file}");
    let mut other = feed();
    let header = other.feed.as_mut().unwrap();
    (header.refresh, header.source) = (std::time::Duration::from_secs(5430), None);
    let file = written(other, &[]);
    assert!(file.contains("REFRESH-INTERVAL;VALUE=DURATION:PT1H30M30S\r\n"));
    assert!(!file.contains("SOURCE"));
}

/// F-17: The same items give the same bytes.
#[test]
fn equal_items_give_equal_bytes() {
    let items = [
        river_cleanup().into(),
        event(days("Asia/Tokyo", "2027-03-10", "2027-03-12")).into(),
    ];
    assert_eq!(written(feed(), &items), written(feed(), &items));
}

/// F-18: A zone of the IANA database is named, and defined before the first event that uses it.
#[test]
fn a_zone_is_defined_before_its_event() {
    let file = written(feed(), &[river_cleanup().into(), river_cleanup().into()]);
    assert_eq!(file.matches("BEGIN:VTIMEZONE").count(), 1);
    assert!(file.find("BEGIN:VTIMEZONE") < file.find("BEGIN:VEVENT"));
    assert_eq!(
        value(&file, "DTSTART").unwrap(),
        ";TZID=Europe/Paris:20270417T090000"
    );
}

/// F-19: UTC and offsets are written as instants, without a definition of a zone.
#[test]
fn offsets_are_written_as_instants() {
    for (name, start) in [
        ("UTC", ":20270417T090000Z"),
        ("UTC+2", ":20270417T070000Z"),
        ("+05:30", ":20270417T033000Z"),
        ("Etc/GMT-2", ":20270417T070000Z"),
    ] {
        let file = single(event(timed(
            name,
            "2027-04-17 09:00:00",
            "2027-04-17 12:00:00",
        )));
        assert_eq!(value(&file, "DTSTART").unwrap(), start, "{name}");
        assert!(!file.contains("VTIMEZONE"), "{name}");
    }
}

/// F-20: Whole days are dates; the end is the day after the last one.
#[test]
fn whole_days_are_dates() {
    let file = single(event(days("Asia/Tokyo", "2027-03-10", "2027-03-12")));
    assert_eq!(value(&file, "DTSTART").unwrap(), ";VALUE=DATE:20270310");
    assert_eq!(value(&file, "DTEND").unwrap(), ";VALUE=DATE:20270313");
    assert!(!file.contains("VTIMEZONE"));
    assert_eq!(value(&file, "TRANSP").unwrap(), ":TRANSPARENT");
}

/// F-21: An end that equals the start is left out.
#[test]
fn an_end_at_the_start_is_left_out() {
    let file = single(event(timed(
        "Europe/Paris",
        "2027-04-17 09:00:00",
        "2027-04-17 09:00:00",
    )));
    assert_eq!(value(&file, "DTEND"), None);
}

/// F-22: The second 02:30 of an autumn night is written as an instant, the first as a wall clock.
#[test]
fn the_second_reading_of_a_wall_clock_is_an_instant() {
    let paris = zone("Europe/Paris");
    // 2027-10-31 00:30:00 and 01:30:00 UTC.
    for (seconds, start) in [
        (1_824_942_600, ";TZID=Europe/Paris:20271031T023000"),
        (1_824_946_200, ":20271031T013000Z"),
    ] {
        let (start_moment, end) = (paris.at(at(seconds)), paris.at(at(seconds + 7200)));
        assert_eq!(
            start_moment.local,
            parse_civil("2027-10-31 02:30:00").unwrap()
        );
        let when = EventTime::between(paris.clone(), start_moment, end, false).unwrap();
        let file = single(event(when));
        assert_eq!(value(&file, "DTSTART").unwrap(), start);
        assert_eq!(file.contains("VTIMEZONE"), start.contains("TZID"));
    }
}

/// F-34: Events of feeds leave their time free, a single event with times takes it.
#[test]
fn feeds_are_transparent() {
    let file = written(feed(), &[river_cleanup().into()]);
    assert_eq!(value(&file, "TRANSP").unwrap(), ":TRANSPARENT");
    assert_eq!(
        value(&single(river_cleanup()), "TRANSP").unwrap(),
        ":OPAQUE"
    );
}

#[test]
fn a_locked_event_has_eight_properties() {
    let file = single(FeedEvent {
        content: None,
        ..river_cleanup()
    });
    let lines = component(&file, "VEVENT");
    let names: Vec<_> = lines
        .iter()
        .map(|line| line.split([':', ';']).next().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "UID", "DTSTAMP", "DTSTART", "DTEND", "SEQUENCE", "STATUS", "SUMMARY", "URL"
        ]
    );
}

#[test]
fn a_tombstone_has_five_properties() {
    let mut gone = FeedTombstone {
        uid: "2@cal.example".to_owned(),
        stamp: at(STAMP),
        start: DateValue::Instant(at(STAMP + 3600)),
        sequence: 3,
    };
    let file = written(feed(), &[FeedItem::Tombstone(gone.clone())]);
    assert_eq!(
        component(&file, "VEVENT"),
        [
            "UID:2@cal.example",
            "DTSTAMP:20270105T090000Z",
            "DTSTART:20270105T100000Z",
            "SEQUENCE:3",
            "STATUS:CANCELLED",
        ]
    );
    gone.start = "2027-03-10".parse().unwrap();
    let file = written(feed(), &[FeedItem::Tombstone(gone)]);
    assert_eq!(value(&file, "DTSTART").unwrap(), ";VALUE=DATE:20270310");
}

#[test]
fn a_long_description_is_cut() {
    let mut event = river_cleanup();
    let long = RichText::from_stored("é".repeat(20_000));
    event.content.as_mut().unwrap().description = Some(InLanguage::new(long, Language::English));
    let description = value(&single(event), "DESCRIPTION").unwrap();
    assert_eq!(description.matches('é').count(), 8 * 1024);
    assert!(description.ends_with("é…"));
}
