//! Answers that are kept: whole, and for as long as nothing that they depend on has changed.
//!
//! What may be kept is told by [`Shared`](crate::headers::Shared): an answer that depends on nothing
//! but the address, the data and the clock. Data and clock are a [`CacheEpoch`]: an entry holds the one
//! that was told *before* the answer was made, and is only sent while an equal one is told. A change
//! that came while the answer was made thus spoils the entry, whatever the answer shows of it.

use std::{sync::Arc, time::Duration};

use app::calendar::CacheEpoch;
use axum::{
    body::HttpBody,
    extract::Request,
    http::{Method, Uri, header},
};
use tokio::time::timeout;

use super::text::Text;
use crate::{
    cache::{self, Cache, ENTRY_BYTES, Measured},
    in_flight::InFlight,
    path,
    preference::PREFER,
    state::AppState,
};

/// An answer may take an eighth of the room at the most; a larger one is not kept.
const LARGEST_SHARE: u64 = 8;

/// What an answer takes, more or less.
const USUAL_BYTES: u64 = 16 * 1024;

/// How long the store is waited for. What is kept is of no use if telling takes longer.
const PATIENCE: Duration = Duration::from_millis(500);

/// The answers of one service. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Answers(Arc<Service>);

#[derive(Debug)]
struct Service {
    state: AppState,
    kept: Option<Kept<CacheEpoch>>,
}

/// Answers by path and query, as they were sent; `P` is what was the case when they were made.
#[derive(Debug)]
struct Kept<P> {
    entries: Cache<Box<str>, Entry<P>>,
    largest: u64,
}

#[derive(Clone, Debug)]
struct Entry<P> {
    epoch: P,
    text: Arc<Text>,
    size: u64,
}

impl<P> Measured for Entry<P> {
    fn size(&self) -> u64 {
        self.size
    }
}

impl<P: Clone> Kept<P> {
    /// With room for so many bytes; none if there is no room.
    fn new(bytes: u64) -> Option<Self> {
        Some(Self {
            entries: cache::with_room(bytes, USUAL_BYTES)?,
            largest: bytes / LARGEST_SHARE,
        })
    }

    /// Keeps an answer, if it is not too large.
    fn keep(&self, key: Box<str>, epoch: P, text: &Text) -> Option<Arc<Text>> {
        let size = (key.len() + ENTRY_BYTES + text.size()) as u64;
        if size > self.largest {
            return None;
        }
        let text = Arc::new(text.compact());
        let entry = Entry {
            epoch,
            text: Arc::clone(&text),
            size,
        };
        self.entries.insert(key, entry);
        Some(text)
    }
}

/// What there is for a request.
#[derive(Debug)]
pub(super) enum Found {
    /// The answer.
    Answer(Arc<Text>),
    /// Nothing yet, but its answer may be kept here.
    Place(Place),
    /// Nothing, and nothing is wanted.
    Nothing,
}

/// Where an answer may be kept.
#[derive(Debug)]
pub(super) struct Place {
    key: Box<str>,
    /// What was the case before the answer was made.
    epoch: CacheEpoch,
}

/// The address that a request asks for, if that says all: it reads, as nobody in particular.
pub(super) fn asks_plainly(request: &Request) -> Option<&Uri> {
    let is_plain = request.method() == Method::GET
        && !request.headers().contains_key(header::AUTHORIZATION)
        && !request.headers().contains_key(PREFER)
        && request.body().is_end_stream();
    is_plain.then(|| request.uri())
}

impl Answers {
    /// None yet. Every service has its own: another may be set to something else.
    pub(crate) fn new(state: &AppState) -> Self {
        Self(Arc::new(Service {
            kept: Kept::new(state.answer_bytes()),
            state: state.clone(),
        }))
    }

    /// How many bytes may be in flight to the client of a request.
    pub(super) fn in_flight(&self, request: &Request) -> InFlight {
        let AppState {
            in_flight, proxies, ..
        } = &self.0.state;
        InFlight::new(
            in_flight,
            proxies.client_of(request.extensions(), request.headers()),
        )
    }

    /// What is kept for a request that [`asks_plainly`].
    pub(super) async fn find(&self, address: &Uri) -> Found {
        let (Some(kept), Some(key)) = (&self.0.kept, address.path_and_query()) else {
            return Found::Nothing;
        };
        let key = key.as_str();
        let entry = kept.entries.get(key);
        if entry.is_none() && !path::tells_of_records(address.path(), &self.0.state.mounts) {
            return Found::Nothing;
        }
        // Asked after the entry was found: it is right if nothing has changed until now.
        let Some(epoch) = self.cache_epoch().await else {
            return Found::Nothing;
        };
        match entry {
            Some(entry) if entry.epoch == epoch => Found::Answer(entry.text),
            _ => Found::Place(Place {
                key: key.into(),
                epoch,
            }),
        }
    }

    /// What is the case; none if nobody can tell. Who asks takes a place among the requests that are
    /// worked on, as the store may keep it waiting.
    async fn cache_epoch(&self) -> Option<CacheEpoch> {
        let state = &self.0.state;
        let _place = state.room.enter().ok()?;
        match timeout(PATIENCE, state.calendar.cache_epoch()).await {
            Ok(Ok(epoch)) => epoch,
            Ok(Err(error)) => {
                tracing::debug!(cause = %error, "the state of the data cannot be told");
                None
            }
            Err(_) => None,
        }
    }

    /// Keeps an answer, if it is not too large: as it is then, it is to be sent.
    pub(super) fn keep(&self, place: Place, text: &Text) -> Option<Arc<Text>> {
        let kept = self.0.kept.as_ref()?;
        kept.keep(place.key, place.epoch, text)
    }
}

#[cfg(test)]
mod tests {
    use axum::{body::Bytes, http::Response};

    use super::*;

    fn text(length: usize) -> Text {
        let (parts, ()) = Response::new(()).into_parts();
        Text::new(parts, Bytes::from(vec![b'x'; length]), true)
    }

    #[test]
    fn many_answers_take_no_more_than_there_is_room() {
        const ROOM: u64 = 1024 * 1024;
        let kept = Kept::new(ROOM).unwrap();
        for n in 0..2000 {
            kept.keep(
                format!("/events?page={n}").into(),
                1,
                &text(n * 13 % 20_000),
            );
            assert!(kept.entries.weight() <= ROOM);
        }
        let bytes: usize = kept
            .entries
            .iter()
            .map(|(_, entry)| entry.text.size())
            .sum();
        assert!(ROOM / 2 < bytes as u64 && bytes as u64 <= ROOM, "{bytes}");
        // Of one address, the last is kept.
        kept.keep("/".into(), 1, &text(10));
        kept.keep("/".into(), 2, &text(10));
        assert_eq!(kept.entries.get("/").map(|entry| entry.epoch), Some(2));
    }

    #[test]
    fn what_is_too_large_is_not_kept() {
        let kept = Kept::new(1024 * 1024).unwrap();
        kept.keep("/small".into(), 1, &text(50_000));
        kept.keep("/large".into(), 1, &text(200_000));
        assert!(kept.entries.get("/small").is_some());
        assert!(kept.entries.get("/large").is_none());
        assert!(Kept::<u64>::new(0).is_none());
    }
}
