//! Answers that are kept: whole, and for as long as nothing that they depend on has changed.
//!
//! What may be kept is told by [`Shared`](crate::headers::Shared): an answer that depends on nothing
//! but the address, the data and the clock. Data and clock are a [`Present`]: an entry holds the one
//! that was told *before* the answer was made, and is only sent while an equal one is told. A change
//! that came while the answer was made thus spoils the entry, whatever the answer shows of it.

use std::{sync::Arc, time::Duration};

use app::calendar::Present;
use axum::{
    body::HttpBody,
    extract::Request,
    http::{Method, Uri, header},
};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter, sync};
use tokio::time::timeout;

use super::text::Text;
use crate::{path, state::AppState};

/// Into how many parts the room is divided, each with a lock of its own.
const PARTS: usize = 4;

/// An answer that takes more than this part of the room is not kept.
const LARGEST: u64 = 8;

/// What an answer takes, more or less; how many there will be is guessed from it.
const USUAL_BYTES: u64 = 16 * 1024;

/// What an entry takes beside what stands in it.
const ENTRY_BYTES: usize = 512;

/// How long the store is waited for. What is kept is of no use if telling takes longer.
const PATIENCE: Duration = Duration::from_millis(500);

/// The answers of one service. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Answers(Arc<Service>);

#[derive(Debug)]
struct Service {
    state: AppState,
    kept: Option<Kept>,
}

/// By path and query, as they were sent.
#[derive(Debug)]
struct Kept {
    entries: sync::Cache<Box<str>, Entry, Weight>,
    largest: u64,
}

#[derive(Clone, Debug)]
struct Entry {
    present: Present,
    text: Arc<Text>,
}

#[derive(Clone, Copy, Debug)]
struct Weight;

impl Weighter<Box<str>, Entry> for Weight {
    fn weight(&self, key: &Box<str>, entry: &Entry) -> u64 {
        (key.len() + ENTRY_BYTES + entry.text.size()) as u64
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
    present: Present,
}

/// The address that a request asks for, if that says all: it reads, as nobody in particular.
pub(super) fn asks_plainly(request: &Request) -> Option<&Uri> {
    let is_plain = request.method() == Method::GET
        && !request.headers().contains_key(header::AUTHORIZATION)
        && request.body().is_end_stream();
    is_plain.then(|| request.uri())
}

impl Answers {
    /// None yet. Every service has its own: another may be set to something else.
    pub(crate) fn new(state: &AppState) -> Self {
        let bytes = state.cache_bytes;
        let options = OptionsBuilder::new()
            .shards(PARTS)
            .weight_capacity(bytes)
            .estimated_items_capacity(usize::try_from(bytes / USUAL_BYTES).unwrap_or(usize::MAX))
            .build();
        let kept = options.ok().filter(|_| bytes > 0).map(|options| Kept {
            entries: sync::Cache::with_options(
                options,
                Weight,
                DefaultHashBuilder::default(),
                sync::DefaultLifecycle::default(),
            ),
            largest: bytes / LARGEST,
        });
        Self(Arc::new(Service {
            state: state.clone(),
            kept,
        }))
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
        let Some(present) = self.present().await else {
            return Found::Nothing;
        };
        match entry {
            Some(entry) if entry.present == present => Found::Answer(entry.text),
            _ => Found::Place(Place {
                key: key.into(),
                present,
            }),
        }
    }

    /// What is the case; none if nobody can tell. Who asks takes a place among the requests that are
    /// worked on, as the store may keep it waiting.
    async fn present(&self) -> Option<Present> {
        let state = &self.0.state;
        let _place = state.room.enter().ok()?;
        match timeout(PATIENCE, state.calendar.present()).await {
            Ok(Ok(present)) => present,
            Ok(Err(error)) => {
                tracing::debug!(cause = %error, "the state of the data cannot be told");
                None
            }
            Err(_) => None,
        }
    }

    /// Keeps an answer, if it is not too large.
    pub(super) fn keep(&self, place: Place, text: &Text) {
        let Some(kept) = &self.0.kept else { return };
        let Place { key, present } = place;
        if (text.size() as u64) <= kept.largest {
            let text = Arc::new(text.compact());
            kept.entries.insert(key, Entry { present, text });
        }
    }
}
