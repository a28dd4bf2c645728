//! Calendar feeds: their first reading, a poll, and memory.

use anyhow::{Context, ensure};

use super::{Bench, short};
use crate::{
    client::{Client, Request},
    data::{Caches, Store},
    facts::API,
    load::{self, count},
    process::Server,
    report::Row,
};

/// The number of events to which the cost of a feed is converted: that of the conferences.
const EVENTS: f64 = 6008.0;

/// The end of an event in a calendar file.
const END: &[u8] = b"END:VEVENT";

/// The feed of all events.
fn feed() -> String {
    format!("{API}/events.ics?start_date=1990-01-01&end_date=2100-01-01")
}

/// The rows about feeds, on SQLite.
pub(crate) async fn run(bench: &Bench) -> anyhow::Result<Vec<Row>> {
    let events = bench.size(100_000);
    let at = short(events);
    let calendar = bench.program.copy(Store::Sqlite, events, "feeds")?;
    let bare = bench.bare(&[b"nothing".to_vec()])?;
    let whole = feed();

    let name = |what: &str| format!("{what}, SQLite, {at}");
    let mut first = Row::most(
        name("feed, first: CPU for 6,008 events"),
        1000.0,
        400.0,
        " ms",
    );
    let mut begin = Row::most(name("feed, first byte"), 150.0, 50.0, " ms");
    let mut poll = Row::most(name("unchanged feed, 304"), 2.0, 1.5, " ×");
    let mut memory = Row::most(name("feed of all events: memory on top"), 16.0, 8.0, " MiB");
    for _ in 0..bench.rounds {
        calendar.warm()?;
        let server = bench.program.serve(&calendar, Caches::Default)?;
        // At rest is a server that has answered one request: its caches are nearly empty.
        let mut client = Client::connect(server.address).await?;
        client.send(&Request::get(&format!("{API}/events"))).await?;
        load::quiet(&server).await?;
        let before = server.memory()?;
        let read = read(&server, &whole).await?;
        let after = server.memory()?;
        let per_event = read.cpu_ms / count(read.events);
        let remark = format!("{} events, {} MiB", read.events, read.bytes >> 20);
        first.push(per_event * EVENTS, remark);
        begin.push(read.first_byte_ms, "");
        let remark = format!("{:.1} MiB before", before.resident);
        memory.push(after.peak - before.resident, remark);

        let request = [Request::if_none_match(&whole, &read.tag)];
        let changed = bench.repeat_with(&server, &request, 304).await?;
        let limit = bench.repeat(&bare, &[Request::get("/0")]).await?;
        let remark = format!("{:.3} ms, limit {:.3} ms", changed.cpu_ms(), limit.cpu_ms());
        poll.push(changed.cpu_ms() / limit.cpu_ms(), remark);
        server.stop()?;
    }
    Ok(vec![first, begin, poll, memory])
}

/// A feed that was read.
struct Read {
    events: usize,
    bytes: usize,
    tag: String,
    cpu_ms: f64,
    first_byte_ms: f64,
}

/// Reads a feed. Its bytes are counted, not stored.
async fn read(server: &Server, path: &str) -> anyhow::Result<Read> {
    let mut client = Client::connect(server.address).await?;
    let cpu = server.cpu()?;
    let begun = std::time::Instant::now();
    let (mut events, mut bytes, mut first_byte_ms) = (0, 0, 0.0);
    let mut rest = Vec::new();
    let head = client
        .stream(&Request::get(path), |part| {
            if bytes == 0 {
                first_byte_ms = begun.elapsed().as_secs_f64() * 1000.0;
            }
            bytes += part.len();
            rest.extend_from_slice(part);
            events += rest
                .windows(END.len())
                .filter(|bytes| *bytes == END)
                .count();
            // An end may be divided between two parts.
            let kept = rest.len().saturating_sub(END.len() - 1);
            rest.drain(..kept);
        })
        .await?;
    ensure!(
        head.starts_with("HTTP/1.1 200"),
        "a feed was answered {head}"
    );
    let tag = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("etag")
            .then(|| value.trim().to_owned())
    });
    Ok(Read {
        events,
        bytes,
        tag: tag.context("a feed without an entity tag")?,
        cpu_ms: (server.cpu()?.saturating_sub(cpu)).as_secs_f64() * 1000.0,
        first_byte_ms,
    })
}
