//! Tests of files as other programs write them.

mod dates;
mod faults;
mod programs;
mod properties;
mod robustness;
mod zones;

use domain::time::{Zone, format_civil};
use interchange::{FindingCode, ReadEvent, ReadItem, ReadableFormat as _};

use crate::ICalendar;

fn zone(name: &str) -> Zone {
    name.parse().unwrap()
}

/// The items of a file, whose wall clocks without a zone are those of Helsinki.
fn items(file: impl Into<Vec<u8>>) -> Vec<ReadItem> {
    let file = std::io::Cursor::new(file.into());
    let items = ICalendar.reader(Box::new(file), zone("Europe/Helsinki"));
    items.map(Result::unwrap).collect()
}

/// The lines of an event, with a title unless there is one.
fn event_file(lines: &str) -> String {
    let title = if lines.contains("SUMMARY") {
        ""
    } else {
        "SUMMARY:x\n"
    };
    format!("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\n{title}{lines}\nEND:VEVENT\nEND:VCALENDAR\n")
}

fn events(items: &[ReadItem]) -> Vec<&ReadEvent> {
    items
        .iter()
        .filter_map(|item| match item {
            ReadItem::Event(event) => Some(&**event),
            _ => None,
        })
        .collect()
}

/// The only event of a file, without a warning.
fn one(lines: &str) -> ReadEvent {
    let items = items(event_file(lines));
    let [ReadItem::Event(event)] = items.as_slice() else {
        panic!("{items:#?}")
    };
    (**event).clone()
}

/// The warnings and refusals of a file: the line, the property and the name of each.
fn findings(items: &[ReadItem]) -> Vec<(u64, &str, &str)> {
    items
        .iter()
        .filter_map(|item| match item {
            ReadItem::Warning(finding) | ReadItem::Refused(finding) => {
                let property = finding.property.as_deref().unwrap_or_default();
                Some((finding.line, property, finding.code.name()))
            }
            _ => None,
        })
        .collect()
}

fn codes(items: &[ReadItem]) -> Vec<FindingCode> {
    let code = |item: &ReadItem| match item {
        ReadItem::Warning(finding) | ReadItem::Refused(finding) => Some(finding.code),
        _ => None,
    };
    items.iter().filter_map(code).collect()
}

/// Start, end and zone of an event.
fn times(event: &ReadEvent) -> [String; 3] {
    let [start, end] =
        [event.when.start(), event.when.end()].map(|moment| format_civil(moment.local));
    [start, end, event.when.zone().name().to_owned()]
}

/// The instants of start and end.
fn instants(event: &ReadEvent) -> [String; 2] {
    [event.when.start(), event.when.end()].map(|moment| moment.utc.to_string())
}
