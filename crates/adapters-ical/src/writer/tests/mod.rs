//! Tests of written files, read back by this module and by another library.

mod events;
mod lines;
mod properties;
mod series;
mod zones;

use app::{
    feed::{CalendarHeader, FeedContent, FeedEvent, FeedHeader, FeedItem, FeedStatus, InLanguage},
    ports::CalendarFormat as _,
};
use domain::{
    Language,
    time::{EventTime, Timestamp, Zone, parse_civil},
};

use crate::ICalendar;

/// 2027-01-05 09:00:00 UTC.
const STAMP: i64 = 1_799_139_600;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_seconds(seconds).unwrap()
}

fn zone(name: &str) -> Zone {
    name.parse().unwrap()
}

fn timed(zone_name: &str, start: &str, end: &str) -> EventTime {
    let [start, end] = [start, end].map(|text| parse_civil(text).unwrap());
    EventTime::new(zone(zone_name), start, end, false).unwrap()
}

fn days(zone_name: &str, first: &str, last: &str) -> EventTime {
    let [first, last] = [first, last].map(|day| parse_civil(&format!("{day} 00:00:00")).unwrap());
    EventTime::new(zone(zone_name), first, last, true).unwrap()
}

fn event(when: EventTime) -> FeedEvent {
    FeedEvent {
        uid: "1@cal.example".to_owned(),
        stamp: at(STAMP),
        when,
        sequence: 1,
        status: FeedStatus::Confirmed,
        title: InLanguage::new("River cleanup".to_owned(), Language::English),
        url: "https://cal.example/event/river-cleanup/".to_owned(),
        content: Some(Box::new(FeedContent::new(at(STAMP - 91_800)))),
    }
}

/// A Saturday morning in Paris.
fn river_cleanup() -> FeedEvent {
    event(timed(
        "Europe/Paris",
        "2027-04-17 09:00:00",
        "2027-04-17 12:00:00",
    ))
}

fn feed() -> CalendarHeader {
    CalendarHeader {
        years: Some(2027..=2027),
        feed: Some(FeedHeader {
            name: "cal.example".to_owned(),
            zone: zone("Europe/Paris"),
            refresh: std::time::Duration::from_hours(1),
            source: Some("https://cal.example/events.ics".to_owned()),
            url: "https://cal.example/".to_owned(),
        }),
    }
}

fn written(header: CalendarHeader, items: &[FeedItem]) -> String {
    let mut file = Vec::new();
    let mut writer = ICalendar.writer(header);
    writer.begin(&mut file).unwrap();
    for item in items {
        writer.item(item, &mut file).unwrap();
    }
    writer.end(&mut file).unwrap();
    String::from_utf8(file).unwrap()
}

/// A file of one event.
fn single(event: FeedEvent) -> String {
    written(CalendarHeader::default(), &[event.into()])
}

/// The lines of a file, unfolded. Each line of the file is within 75 octets.
fn unfolded(file: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let file = file.strip_suffix("\r\n").unwrap();
    for line in file.split("\r\n") {
        assert!(line.len() <= 75, "{} octets: {line}", line.len());
        assert!(!line.contains(['\r', '\n']), "{line:?}");
        match line.strip_prefix(' ') {
            Some(rest) => lines.last_mut().unwrap().push_str(rest),
            None => lines.push(line.to_owned()),
        }
    }
    lines
}

/// The lines of the first component of a name, without BEGIN and END.
fn component(file: &str, name: &str) -> Vec<String> {
    components(file, name).remove(0)
}

fn components(file: &str, name: &str) -> Vec<Vec<String>> {
    let lines = unfolded(file);
    let blocks = lines.split(|line| *line == format!("BEGIN:{name}")).skip(1);
    let end = format!("END:{name}");
    blocks
        .map(|block| {
            block
                .iter()
                .take_while(|line| **line != end)
                .cloned()
                .collect()
        })
        .collect()
}

/// The line of a property of the first event.
fn property(file: &str, name: &str) -> Option<String> {
    component(file, "VEVENT")
        .into_iter()
        .find(|line| line.split([':', ';']).next() == Some(name))
}
