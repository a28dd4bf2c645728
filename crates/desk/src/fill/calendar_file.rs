//! The events of a calendar file, or of one in a message.

use std::{borrow::Cow, io::Cursor};

use app::feed::FeedStatus;
use domain::{
    html::RichText,
    text::{has_elements, without_references},
    time::Zone,
};
use interchange::{ReadEvent, ReadItem, ReadableFormat};
use mail_parser::{MessageParser, MimeHeaders as _};

use super::found::{Found, MAX_FOUND};

/// The most parts of a file that are read.
const MAX_ITEMS: usize = 1000;

/// The first events of a calendar file, or of the first one in a message. Changed dates of a series are left out.
pub(super) fn read(format: &dyn ReadableFormat, file: &[u8], zone: Zone) -> Vec<Found> {
    let Some(calendar) = calendar_of(file) else {
        return Vec::new();
    };
    let items = format.reader(Box::new(Cursor::new(calendar.into_owned())), zone);
    let items = items.take(MAX_ITEMS).map_while(Result::ok);
    let events = items.filter_map(|item| match item {
        ReadItem::Event(event) if event.recurrence_id.is_none() => found(*event),
        _ => None,
    });
    events.take(MAX_FOUND).collect()
}

/// The calendar file: the file itself, or the first part of a message that is one.
fn calendar_of(file: &[u8]) -> Option<Cow<'_, [u8]>> {
    let text = file
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(file)
        .trim_ascii_start();
    let begins = |text: &[u8]| {
        let start = b"BEGIN:VCALENDAR";
        text.get(..start.len())
            .is_some_and(|one| one.eq_ignore_ascii_case(start))
    };
    if begins(text) {
        return Some(Cow::Borrowed(file));
    }
    let message = MessageParser::default().parse(file)?;
    let mut parts = message.parts.iter();
    let part = parts.find(|part| {
        let is_calendar = part.content_type().is_some_and(|kind| {
            let is = |text: &str, one: &str| text.eq_ignore_ascii_case(one);
            is(kind.ctype(), "text") && kind.subtype().is_some_and(|one| is(one, "calendar"))
        });
        is_calendar || begins(part.contents().trim_ascii_start())
    })?;
    Some(Cow::Owned(part.contents().to_vec()))
}

fn found(event: ReadEvent) -> Option<Found> {
    let plain = |text: &str| without_references(text).trim().to_owned();
    let title = plain(&event.title);
    if title.is_empty() {
        return None;
    }
    let description = event.description.map_or_else(String::new, |text| {
        if has_elements(&text) {
            return text;
        }
        let text = RichText::from_plain(&without_references(&text));
        text.map_or_else(|_| String::new(), |text| text.as_str().to_owned())
    });
    let of_place = event.place.as_ref().map(|place| place.url.clone());
    let url = event.url.or(of_place).unwrap_or_default();
    let is_web = ["http://", "https://"]
        .iter()
        .any(|scheme| url.starts_with(scheme));
    let organizer = event.organizer.map_or_else(String::new, |one| {
        if one.name.trim().is_empty() {
            one.email
        } else {
            one.name
        }
    });
    let tags: Vec<_> = event
        .categories
        .iter()
        .map(|name| plain(name).replace(',', " "))
        .collect();
    Some(Found {
        recurrence: event.recurrence,
        description,
        venue: event
            .place
            .map_or_else(String::new, |place| plain(&place.name)),
        organizers: plain(&organizer),
        website: if is_web { url } else { String::new() },
        tags: tags.join(", "),
        is_cancelled: event.status == FeedStatus::Cancelled,
        ..Found::new(title, event.when)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n";

    fn of_message(head: &str, body: &str) -> Option<String> {
        let message = format!("From: a@b.example\r\n{head}\r\n\r\n{body}");
        let file = calendar_of(message.as_bytes())?;
        Some(String::from_utf8(file.into_owned()).unwrap())
    }

    #[test]
    fn a_message_has_a_calendar_file() {
        for file in [FILE.to_owned(), format!("\u{feff}\r\n{FILE}")] {
            assert_eq!(calendar_of(file.as_bytes()).unwrap(), file.as_bytes());
        }
        let base64 = "QkVHSU46VkNBTEVOREFSDQpFTkQ6VkNB\r\nTEVOREFSDQo=\r\n";
        let calendar = "Content-Type: text/calendar; charset=utf-8; method=REQUEST";
        let encoded = format!("{calendar}\r\nContent-Transfer-Encoding: base64");
        assert_eq!(of_message(&encoded, base64).as_deref(), Some(FILE));
        let quoted = format!("{calendar}\r\nContent-Transfer-Encoding: quoted-printable");
        let body = "BEGIN:VCALEN=\r\nDAR=0D=0AEND:VCALENDAR=0D=0A";
        assert_eq!(of_message(&quoted, body).as_deref(), Some(FILE));

        let mixed = "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x";
        let parts = format!(
            "--x\r\nContent-Type: text/plain\r\n\r\nHello\r\n--x\r\n{encoded}\r\n\r\n{base64}\r\n--x--\r\n"
        );
        assert_eq!(of_message(mixed, &parts).as_deref(), Some(FILE));
        let attached = format!(
            "--x\r\nContent-Type: application/octet-stream\r\n\
             Content-Transfer-Encoding: base64\r\n\r\n{base64}\r\n--x--\r\n"
        );
        assert_eq!(of_message(mixed, &attached).as_deref(), Some(FILE));
    }

    #[test]
    fn other_files_have_none() {
        for file in [
            &b""[..],
            b"\0\x01\x02",
            b"Hello",
            b"From: a@b.example\r\n\r\nHello",
        ] {
            assert_eq!(calendar_of(file), None);
        }
    }
}
