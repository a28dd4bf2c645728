//! The format of a response that a client asks for: by the suffix of the path, else by the parameter
//! `format`, else by `Accept`.

use app::{AppError, input::Fault};
use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, Method, Request, Uri, header, request::Parts},
};
use domain::Kind;

use super::RequestContext;
use crate::{NAMESPACE, error::ApiError, header_values::quality, response::tag::EntityTags};

/// A format of the responses with events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Json,
    /// iCalendar (RFC 5545).
    Calendar,
}

impl Format {
    /// The formats of calendars, each with its name in `format` and suffixes, and its media type.
    const FILES: [(Self, &str, &str); 1] = [(Self::Calendar, "ics", "text/calendar")];

    fn named(name: &str) -> Option<Self> {
        let mut named = Self::FILES.iter().filter(|(_, known, _)| *known == name);
        match name {
            "json" => Some(Self::Json),
            _ => named.next().map(|(format, ..)| *format),
        }
    }

    /// The format that `Accept` prefers to JSON, if there is one.
    fn accepted(headers: &HeaderMap) -> Option<Self> {
        let quality = |name| quality(headers, &header::ACCEPT, &[name]).unwrap_or(0);
        let files = Self::FILES
            .iter()
            .map(|(format, _, name)| (quality(*name), *format));
        let (best, format) = files.max_by_key(|(quality, _)| *quality)?;
        (best > 0 && best >= quality("application/json")).then_some(format)
    }
}

/// Whether `Accept` asks for another format than JSON, where there is one.
pub(crate) fn prefers_file(headers: &HeaderMap) -> bool {
    Format::accepted(headers).is_some()
}

/// The formats that a request names, and the entity tags that its client has.
#[derive(Debug)]
pub(crate) struct Negotiation {
    suffix: Option<Suffix>,
    accepted: Option<Format>,
    pub(crate) cached: Option<EntityTags>,
}

impl<S: Sync> FromRequestParts<S> for Negotiation {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        Ok(Self {
            suffix: parts.extensions.get().copied(),
            accepted: Format::accepted(&parts.headers),
            cached: EntityTags::read(&parts.headers, &header::IF_NONE_MATCH),
        })
    }
}

impl RequestContext<Negotiation> {
    /// The format of the response, for a kind of record.
    ///
    /// # Errors
    ///
    /// [`AppError::Invalid`] if `format` names none.
    pub(crate) fn format(&self, kind: Kind) -> Result<Format, ApiError> {
        if kind != Kind::Event || self.state.calendar_format.is_none() {
            return Ok(Format::Json);
        }
        if let Some(Suffix(format)) = self.head.suffix {
            return Ok(format);
        }
        let mut sent = self.query.iter().rev().filter(|(name, _)| name == "format");
        match sent.next() {
            Some((_, name)) => Format::named(name).ok_or_else(|| {
                let names = ["json"].into_iter();
                let names = names.chain(Format::FILES.map(|(_, name, _)| name));
                AppError::invalid("format", Fault::NotOneOf(names.collect())).into()
            }),
            None => Ok(self.head.accepted.unwrap_or(Format::Json)),
        }
    }
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

/// The path of events, or of one event, that a path with a suffix stands for, and its format.
fn without_suffix(path: &str) -> Option<(&str, Format)> {
    let (rest, suffix) = path.rsplit_once('.')?;
    let events = rest.strip_prefix('/')?.strip_prefix(NAMESPACE)?;
    let event = events.strip_prefix("/events")?;
    let event = event.strip_prefix("/by-slug").unwrap_or(event);
    let is_one = event
        .strip_prefix('/')
        .is_some_and(|key| !key.contains('/'));
    let format = Format::named(suffix).filter(|format| *format != Format::Json)?;
    (events == "/events" || is_one).then_some((rest, format))
}

/// Whether the response to a path, in the spelling of the routes, depends on `Accept`.
pub(crate) fn is_negotiated(path: &str) -> bool {
    let rest = path
        .strip_prefix('/')
        .and_then(|path| path.strip_prefix(NAMESPACE));
    rest.is_some_and(|rest| {
        let event = rest.strip_prefix("/events");
        event.is_some_and(|event| event.is_empty() || event.starts_with('/'))
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
            ("/cal/events/v1/venues.ics", None),
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
            ("text/calendar", Some(Format::Calendar)),
            ("text/calendar, */*", Some(Format::Calendar)),
            ("text/calendar;q=0.5, application/json", None),
            ("text/calendar;q=0", None),
            ("*/*", None),
            ("image/png", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT, accept.parse().unwrap());
            assert_eq!(Format::accepted(&headers), expected, "{accept}");
        }
    }
}
