//! The rows of the table.

pub(crate) mod ablation;
pub(crate) mod changes;
pub(crate) mod creates;
pub(crate) mod feeds;
pub(crate) mod flood;
pub(crate) mod growth;
pub(crate) mod hot;
pub(crate) mod life;
pub(crate) mod pages;
pub(crate) mod search;
pub(crate) mod series;
pub(crate) mod slow;
pub(crate) mod stale;
pub(crate) mod texts;

use std::{fs, process::Command, time::Duration};

use crate::{
    client::Request,
    data::{Program, Store},
    load::{self, Load, Plan, Until},
    process::Server,
};

/// The configuration of a run.
#[derive(Debug)]
pub(crate) struct Bench {
    pub(crate) program: Program,
    pub(crate) rounds: usize,
    /// Duration of one measurement.
    pub(crate) time: Duration,
    pub(crate) clients: usize,
    /// Sizes of calendars in ascending order, at least one.
    pub(crate) sizes: Vec<usize>,
    pub(crate) stores: Vec<Store>,
    /// Size of the largest calendar on PostgreSQL, in events.
    pub(crate) postgres_events: usize,
}

impl Bench {
    /// The largest size of at most `wanted` events, or else the smallest.
    pub(crate) fn size(&self, wanted: usize) -> usize {
        let fitting = self.sizes.iter().rev().find(|size| **size <= wanted);
        fitting.copied().unwrap_or(self.sizes[0])
    }

    /// The size of the largest calendar on a store, in events.
    pub(crate) fn largest(&self, store: Store) -> usize {
        match store {
            Store::Sqlite => usize::MAX,
            Store::Postgres => self.postgres_events,
        }
    }

    /// Starts a server with constant bodies at `/0`, `/1` ….
    pub(crate) fn bare(&self, bodies: &[Vec<u8>]) -> anyhow::Result<Server> {
        let folder = self.program.folder.join("bare");
        fs::create_dir_all(&folder)?;
        for (number, body) in bodies.iter().enumerate() {
            fs::write(folder.join(number.to_string()), body)?;
        }
        let mut command = Command::new(std::env::current_exe()?);
        Server::start(command.arg("bare").arg(&folder), None)
    }

    /// Sends requests in turn for the duration of a measurement.
    pub(crate) async fn repeat(
        &self,
        server: &Server,
        requests: &[Request],
    ) -> anyhow::Result<Load> {
        self.repeat_with(server, requests, 200).await
    }

    /// As [`repeat`](Self::repeat), with another status of the responses.
    pub(crate) async fn repeat_with(
        &self,
        server: &Server,
        requests: &[Request],
        status: u16,
    ) -> anyhow::Result<Load> {
        let plan = Plan {
            requests,
            clients: self.clients,
            until: Until::Time(self.time),
            status,
        };
        load::run(server, &plan).await
    }
}

/// Sends each request once, sequentially.
pub(crate) async fn each(server: &Server, requests: &[Request]) -> anyhow::Result<Load> {
    let plan = Plan {
        requests,
        clients: 1,
        until: Until::Once,
        status: 200,
    };
    load::run(server, &plan).await
}

/// A size such as `10k`.
pub(crate) fn short(size: usize) -> String {
    match size {
        size if size >= 1_000_000 && size.is_multiple_of(1_000_000) => {
            format!("{}M", size / 1_000_000)
        }
        size if size >= 1_000 && size.is_multiple_of(1_000) => format!("{}k", size / 1_000),
        size => size.to_string(),
    }
}
