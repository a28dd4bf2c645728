//! Formats of responses with records, and how a client asks for them: by the suffix of a path, or by `Accept`.

use std::cmp::Reverse;

use axum::http::{Extensions, HeaderMap, HeaderValue, Method, Request, Uri, header};
use domain::Kind;

use crate::{header_values::quality, site::NAMESPACE};

/// A format of responses with records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// JSON.
    Json,
    /// iCalendar (RFC 5545).
    Calendar,
    /// Atom (RFC 4287).
    Atom,
    /// Comma-separated values (RFC 4180).
    Csv,
}

impl Format {
    /// The formats other than JSON, each with its name in `format` and suffixes, and its media type.
    const FILES: [(Self, &str, &str); 3] = [
        (Self::Calendar, "ics", "text/calendar"),
        (Self::Atom, "atom", "application/atom+xml"),
        (Self::Csv, "csv", "text/csv"),
    ];

    /// The formats of the list of a kind besides JSON.
    pub fn of_list(kind: Kind) -> &'static [Self] {
        match kind {
            Kind::Event => &[Self::Calendar, Self::Atom, Self::Csv],
            Kind::Venue | Kind::Organizer => &[Self::Csv],
            Kind::Category | Kind::Tag => &[],
        }
    }

    /// The formats of one record of a kind besides JSON.
    pub fn of_record(kind: Kind) -> &'static [Self] {
        match kind {
            Kind::Event => &[Self::Calendar],
            Kind::Venue | Kind::Organizer | Kind::Category | Kind::Tag => &[],
        }
    }

    /// The name in `format` and suffixes.
    pub fn name(self) -> &'static str {
        let mut files = Self::FILES.iter();
        files
            .find(|(format, ..)| *format == self)
            .map_or("json", |(_, name, _)| name)
    }

    /// The format that the suffix of a request's path named, if it had one.
    pub fn of_suffix(extensions: &Extensions) -> Option<Self> {
        extensions.get::<Suffix>().map(|Suffix(format)| *format)
    }

    /// The format with a name in `format`; none if it is JSON or unknown.
    pub fn named(name: &str) -> Option<Self> {
        let mut files = Self::FILES.iter();
        files
            .find(|(_, known, _)| *known == name)
            .map(|(format, ..)| *format)
    }

    /// The formats that `Accept` prefers to JSON, the best first.
    pub fn accepted(headers: &HeaderMap) -> Vec<Self> {
        let quality = |name| quality(headers, &header::ACCEPT, &[name]).unwrap_or(0);
        let files = Self::FILES.map(|(format, _, name)| (quality(name), format));
        let json = quality("application/json");
        let mut files: Vec<_> = files
            .into_iter()
            .filter(|(quality, _)| *quality > 0 && *quality >= json)
            .collect();
        files.sort_by_key(|(quality, _)| Reverse(*quality));
        files.into_iter().map(|(_, format)| format).collect()
    }
}

/// Whether `Accept` asks for another format than JSON, where there is one.
pub(crate) fn prefers_file(headers: &HeaderMap) -> bool {
    !Format::accepted(headers).is_empty()
}

/// The media type of a stream of events.
pub const EVENT_STREAM: HeaderValue = HeaderValue::from_static("text/event-stream");

/// Whether a client accepts a stream of events, by its name.
pub fn accepts_events(headers: &HeaderMap) -> bool {
    quality(headers, &header::ACCEPT, &["text/event-stream"]).is_some()
}

/// The format that the suffix of a path named.
#[derive(Clone, Copy, Debug)]
struct Suffix(Format);

/// Removes the suffix of a path that names a format, and remembers the format. The path is in the
/// spelling of the routes.
pub(crate) fn take_suffix<B>(request: &mut Request<B>) {
    if !matches!(*request.method(), Method::GET | Method::OPTIONS) {
        return;
    }
    let Some((path, format)) = without_suffix(request.uri().path()) else {
        return;
    };
    let query = request.uri().query();
    let path_and_query = query.map_or_else(|| path.to_owned(), |query| format!("{path}?{query}"));
    let Ok(uri) = Uri::try_from(path_and_query) else {
        return;
    };
    *request.uri_mut() = uri;
    request.extensions_mut().insert(Suffix(format));
}

/// Whether the path of a request had a suffix: it is that of a file, which can only be read.
pub(crate) fn is_file(extensions: &Extensions) -> bool {
    extensions.get::<Suffix>().is_some()
}

/// The path of a list, or of one event, that a path with a suffix stands for, and its format.
fn without_suffix(path: &str) -> Option<(&str, Format)> {
    let (rest, suffix) = path.rsplit_once('.')?;
    let format = Format::named(suffix)?;
    let list = rest.strip_prefix('/')?.strip_prefix(NAMESPACE)?;
    let offered = match list.strip_prefix('/')? {
        "events" => Format::of_list(Kind::Event),
        "venues" => Format::of_list(Kind::Venue),
        "organizers" => Format::of_list(Kind::Organizer),
        record => {
            let event = record.strip_prefix("events")?;
            let event = event.strip_prefix("/by-slug").unwrap_or(event);
            let is_one = event
                .strip_prefix('/')
                .is_some_and(|key| !key.contains('/'));
            if is_one {
                Format::of_record(Kind::Event)
            } else {
                &[]
            }
        }
    };
    offered.contains(&format).then_some((rest, format))
}

/// Whether the response to a path, in the spelling of the routes, depends on `Accept`.
pub(crate) fn is_negotiated(path: &str) -> bool {
    let rest = path
        .strip_prefix('/')
        .and_then(|path| path.strip_prefix(NAMESPACE));
    rest.is_some_and(|rest| {
        let event = rest.strip_prefix("/events");
        event.is_some_and(|event| event.is_empty() || event.starts_with('/'))
            || matches!(rest, "/venues" | "/organizers" | "/changes")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes() {
        for (path, expected) in [
            ("/cal/events/v1/events.ics", Some("/cal/events/v1/events")),
            (
                "/cal/events/v1/events/7.ics",
                Some("/cal/events/v1/events/7"),
            ),
            (
                "/cal/events/v1/events/by-slug/fair.ics",
                Some("/cal/events/v1/events/by-slug/fair"),
            ),
            ("/cal/events/v1/events/7/occurrences.ics", None),
            ("/cal/events/v1/events/7.json", None),
            ("/cal/events/v1/events.atom", Some("/cal/events/v1/events")),
            ("/cal/events/v1/events/7.csv", None),
            ("/cal/events/v1/venues.csv", Some("/cal/events/v1/venues")),
            ("/cal/events/v1/venues.ics", None),
            ("/cal/events/v1/tags.csv", None),
            ("/cal/events/v1/eventsx.ics", None),
            ("/events.ics", None),
        ] {
            let found = without_suffix(path).map(|(path, _)| path);
            assert_eq!(found, expected, "{path}");
        }
    }

    #[test]
    fn the_format_in_accept() {
        for (accept, expected) in [
            ("text/calendar", &[Format::Calendar][..]),
            ("text/calendar, */*", &[Format::Calendar]),
            (
                "text/csv, text/calendar;q=0.9",
                &[Format::Csv, Format::Calendar],
            ),
            ("text/calendar;q=0.5, application/json", &[]),
            ("text/calendar;q=0", &[]),
            ("*/*", &[]),
            ("image/png", &[]),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT, accept.parse().unwrap());
            assert_eq!(Format::accepted(&headers), expected, "{accept}");
        }
    }
}
