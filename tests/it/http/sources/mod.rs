//! Sources that are read on a schedule. A stand-in plays their servers.

mod kept;
mod routes;
mod runs;
mod week;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, MutexGuard},
};

use adapters_ical::ICalendar;
use async_trait::async_trait;
use domain::source::{ReadFault, Source, SourceFailure, SourceRuns, Validators};
use interchange::{
    SourceSite,
    source::{ReadError, SourceFile, SourceReader, run_source},
};
use serde_json::{Value, json};
use tests::{app::TestApp, both_stores, client::Client};

/// The address whose path only administrators see.
pub(super) const ADDRESS: &str = "https://club.example/5f2a.ics";

/// The servers of all sources.
#[derive(Debug, Default)]
pub(super) struct Servers {
    answers: Mutex<BTreeMap<String, Answered>>,
    /// The number of requests, and of files that were sent.
    counts: Mutex<[u64; 2]>,
}

/// The content of a server at an address.
#[derive(Clone, Debug)]
enum Answered {
    File(String),
    Failure(SourceFailure, Option<u32>),
}

impl Servers {
    pub(super) fn of(address: &str, file: impl Into<String>) -> Self {
        let servers = Self::default();
        servers.put(address, file);
        servers
    }

    fn answers(&self) -> MutexGuard<'_, BTreeMap<String, Answered>> {
        self.answers.lock().unwrap()
    }

    fn put(&self, address: &str, file: impl Into<String>) {
        self.answers().insert(address.to_owned(), Answered::File(file.into()));
    }

    pub(super) fn fail(&self, address: &str, failure: impl Into<SourceFailure>) {
        self.answers().insert(address.to_owned(), Answered::Failure(failure.into(), None));
    }

    fn counts(&self) -> [u64; 2] {
        *self.counts.lock().unwrap()
    }
}

#[async_trait]
impl SourceReader for Servers {
    async fn file(
        &self,
        source: &Source,
        validators: &Validators,
    ) -> Result<SourceFile, ReadError> {
        let answer = self.answers().get(source.url.expose()).cloned();
        let mut counts = self.counts.lock().unwrap();
        counts[0] += 1;
        match answer {
            None => Err(ReadFault::Unreachable.into()),
            Some(Answered::Failure(failure, retry_after)) => {
                Err(ReadError { failure, retry_after })
            }
            Some(Answered::File(file)) if validators.etag.as_ref() == Some(&file) => {
                Ok(SourceFile::Unchanged)
            }
            Some(Answered::File(file)) => {
                counts[1] += 1;
                let validators = Validators { etag: Some(file.clone()), last_modified: None };
                Ok(SourceFile::Changed { content: file.into(), validators })
            }
        }
    }

    async fn site(&self, _: &Source) -> Result<Box<dyn SourceSite>, ReadError> {
        Err(ReadFault::NoCalendar.into())
    }
}

/// Reads all sources that are due. Returns what each run left behind.
pub(super) async fn run_due(app: &TestApp, servers: &Servers) -> Vec<SourceRuns> {
    let mut all = Vec::new();
    while let Some(leased) = app.calendar.lease_due_source().await.unwrap() {
        let run = run_source(&app.calendar, &ICalendar, servers, &leased);
        all.push(run.await.unwrap().runs);
    }
    all
}

/// Adds a source.
pub(super) async fn add(client: &Client, fields: Value) -> i64 {
    let mut all = json!({"name": "Club", "url": ADDRESS});
    all.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    client.make("/sources", all).await["id"].as_i64().unwrap()
}

/// A calendar file of events on 2027-03-10, each with an identifier and further lines.
pub(super) fn file(events: &[(&str, &str)]) -> String {
    let events = events.iter().map(|(uid, lines)| {
        format!(
            "BEGIN:VEVENT\r\nUID:{uid}@club.example\r\nDTSTART:20270310T090000Z\r\n\
             DTEND:20270310T100000Z\r\n{lines}\r\nEND:VEVENT\r\n"
        )
    });
    let events: String = events.collect();
    format!("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{events}END:VCALENDAR\r\n")
}

/// The titles of the events that a client sees, with their status.
async fn titles(client: &Client) -> BTreeSet<String> {
    let list = client.get("/events?status=any&per_page=100&start_date=1900-01-01").await.json();
    let events = list["events"].as_array().unwrap().iter();
    events
        .map(|one| {
            format!("{} {}", one["title"].as_str().unwrap(), one["status"].as_str().unwrap())
        })
        .collect()
}
