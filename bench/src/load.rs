//! Many requests at once, and what they cost the server.

use std::{
    cell::Cell,
    time::{Duration, Instant},
};

use anyhow::bail;
use futures_util::future::try_join_all;

use crate::{
    client::{Client, Request},
    process::Server,
};

/// What is asked, and for how long.
#[derive(Clone, Debug)]
pub(crate) struct Plan<'a> {
    /// One after the other, and from the first again.
    pub(crate) requests: &'a [Request],
    pub(crate) clients: usize,
    pub(crate) until: Until,
    /// The status of every answer; 0 accepts any status below 500.
    pub(crate) status: u16,
}

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Until {
    Time(Duration),
    /// After each request was sent once.
    Once,
}

/// What it took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load {
    pub(crate) requests: usize,
    pub(crate) seconds: f64,
    pub(crate) cpu_seconds: f64,
    pub(crate) bytes: usize,
}

impl Load {
    /// Processor time of a request, in milliseconds.
    pub(crate) fn cpu_ms(&self) -> f64 {
        self.cpu_seconds * 1000.0 / count(self.requests)
    }

    /// Time of a request at one client, in milliseconds.
    pub(crate) fn wall_ms(&self) -> f64 {
        self.seconds * 1000.0 / count(self.requests)
    }

    pub(crate) fn per_second(&self) -> f64 {
        count(self.requests) / self.seconds
    }
}

/// A count to reckon with.
#[expect(
    clippy::cast_precision_loss,
    reason = "nothing here is counted to 2^52"
)]
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
        cpu_seconds: server.cpu()?.since(cpu),
        bytes: bytes.get(),
    })
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
        let answer = client.ask(request).await?;
        let is_as_planned = match plan.status {
            0 => answer.status < 500,
            status => answer.status == status,
        };
        if !is_as_planned {
            let body = String::from_utf8_lossy(answer.body);
            bail!("{request:?} was answered {}: {body}", answer.status);
        }
        bytes.set(bytes.get() + answer.body.len());
    }
}
