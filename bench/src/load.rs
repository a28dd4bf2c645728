//! Concurrent requests, and their cost for the server.

use std::{
    cell::Cell,
    time::{Duration, Instant},
};

use anyhow::bail;
use futures_util::future::try_join_all;
use tokio::time::sleep;

use crate::{
    client::{Client, Request},
    process::Server,
};

/// Duration of a look at a server that may be idle.
const LOOK: Duration = Duration::from_millis(500);

/// Number of looks in a row that must find a server idle.
const LOOKS: usize = 4;

/// CPU time of an idle server in a look, at most. The system may report it in steps of 10 ms.
const IDLE: Duration = Duration::from_millis(15);

/// Timeout of the work that a server does without requests.
const QUIET_TIMEOUT: Duration = Duration::from_mins(10);

/// The requests of a measurement.
#[derive(Clone, Debug)]
pub(crate) struct Plan<'a> {
    /// The requests, sent in turn; the first one follows the last one.
    pub(crate) requests: &'a [Request],
    pub(crate) clients: usize,
    pub(crate) until: Until,
    /// The expected status; 0 accepts any status below 500.
    pub(crate) status: u16,
}

/// The end of a measurement.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Until {
    Time(Duration),
    /// After each request has been sent once.
    Once,
}

/// The cost of the requests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load {
    pub(crate) requests: usize,
    pub(crate) seconds: f64,
    pub(crate) cpu_seconds: f64,
    pub(crate) bytes: usize,
}

impl Load {
    /// CPU time of a request, in milliseconds.
    pub(crate) fn cpu_ms(&self) -> f64 {
        self.cpu_seconds * 1000.0 / count(self.requests)
    }

    /// Duration of a request with one client, in milliseconds.
    pub(crate) fn wall_ms(&self) -> f64 {
        self.seconds * 1000.0 / count(self.requests)
    }

    pub(crate) fn per_second(&self) -> f64 {
        count(self.requests) / self.seconds
    }
}

/// A count as a float.
#[expect(clippy::cast_precision_loss, reason = "counts stay below 2^52")]
pub(crate) fn count(number: usize) -> f64 {
    number as f64
}

/// Sends the requests of a plan.
pub(crate) async fn run(server: &Server, plan: &Plan<'_>) -> anyhow::Result<Load> {
    let mut clients = Vec::new();
    for _ in 0..plan.clients {
        clients.push(Client::connect(server.address).await?);
    }
    let (next, bytes) = (Cell::new(0), Cell::new(0));
    let cpu = server.cpu()?;
    let begun = Instant::now();
    let all = clients
        .into_iter()
        .map(|client| one(client, plan, begun, &next, &bytes));
    try_join_all(all).await?;
    Ok(Load {
        requests: next.get(),
        seconds: begun.elapsed().as_secs_f64(),
        cpu_seconds: server.cpu()?.saturating_sub(cpu).as_secs_f64(),
        bytes: bytes.get(),
    })
}

/// Waits until a server and its database are idle: until work that a write or a start left behind is
/// done.
pub(crate) async fn quiet(server: &Server) -> anyhow::Result<()> {
    let begun = Instant::now();
    let mut idle = 0;
    let mut before = server.cpu()?;
    while idle < LOOKS {
        sleep(LOOK).await;
        let cpu = server.cpu()?;
        let is_idle = cpu.saturating_sub(before) <= IDLE;
        idle = if is_idle { idle + 1 } else { 0 };
        before = cpu;
        if begun.elapsed() > QUIET_TIMEOUT {
            bail!("a server without requests does not become idle");
        }
    }
    Ok(())
}

async fn one(
    mut client: Client,
    plan: &Plan<'_>,
    begun: Instant,
    next: &Cell<usize>,
    bytes: &Cell<usize>,
) -> anyhow::Result<()> {
    loop {
        let number = next.get();
        let over = match plan.until {
            Until::Time(time) => begun.elapsed() >= time,
            Until::Once => number >= plan.requests.len(),
        };
        if over {
            return Ok(());
        }
        next.set(number + 1);
        let request = &plan.requests[number % plan.requests.len()];
        let answer = client.send(request).await?;
        let is_expected = match plan.status {
            0 => answer.status < 500,
            status => answer.status == status,
        };
        if !is_expected {
            let body = String::from_utf8_lossy(answer.body);
            bail!("{request:?} was answered {}: {body}", answer.status);
        }
        bytes.set(bytes.get() + answer.body.len());
    }
}
