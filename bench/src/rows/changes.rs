//! The list of changes: polls that find nothing, open streams, and the delay of a change to them.

use std::{
    cell::{Cell, RefCell},
    net::Ipv4Addr,
    time::{Duration, Instant},
};

use anyhow::{Context, bail, ensure};
use futures_util::{StreamExt as _, stream::FuturesUnordered};
use tokio::{
    select,
    time::{sleep, timeout},
};

use super::{Bench, short};
use crate::{
    client::{Client, Request},
    data::{Caches, Calendar, Store},
    facts::{self, API, get_json},
    load::{self, count},
    process::Server,
    report::Row,
};

/// Number of idle streams, as many as a server has by default.
const STREAMS: usize = 1000;

/// Number of streams that a change reaches.
const REACHED: usize = 100;

/// Number of streams at one address, as many as may be.
const PER_ADDRESS: usize = 20;

/// Number of writes in a round.
const WRITES: usize = 20;

/// The part of a stream that each change has once.
const CHANGE: &[u8] = b"event: change\n";

/// Longest wait for a stream.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Time in which idle streams are looked at: each of them sends a comment once.
const IDLE: Duration = Duration::from_secs(16);

/// The rows about changes on a store.
pub(crate) async fn run(bench: &Bench, store: Store) -> anyhow::Result<Vec<Row>> {
    let events = bench.size(100_000.min(bench.largest(store)));
    let at = format!("{}, {}", store.name(), short(events));
    let calendar = bench.program.copy(store, events, "changes")?;
    let token = calendar.token(&bench.program)?;
    let mut rows = polls(bench, &calendar, &token, &at).await?;
    rows.push(idle(bench, &calendar, &at).await?);
    rows.extend(delays(bench, &calendar, &token, &at).await?);
    Ok(rows)
}

/// Polls without news, relative to a list that has not changed: of anybody, whose answers the server keeps, and of the
/// administrator, whose answers it makes anew.
async fn polls(
    bench: &Bench,
    calendar: &Calendar,
    token: &str,
    at: &str,
) -> anyhow::Result<Vec<Row>> {
    let server = bench.program.serve(calendar, Caches::Default)?;
    let mut rows = Vec::new();
    for (who, token) in [("of anybody", None), ("of an administrator", Some(token))] {
        let mut row = Row::most(
            format!("poll without news, {who}, against a list's 304, {at}"),
            2.0,
            1.2,
            " ×",
        );
        let mut client = Client::connect(server.address).await?;
        let get = |path: &str, tag: Option<&str>| Request::get_as(path, token, tag);
        let path = format!(
            "{API}/changes?sync_token={}",
            present(&server, token).await?
        );
        let poll = [get(&path, None)];
        let answer = client.send(&poll[0]).await?;
        let body = String::from_utf8_lossy(answer.body);
        ensure!(
            answer.status == 200 && body.contains(r#""changes":[]"#),
            "{path} has news: {body}"
        );
        let tag = client.tag(&get(&facts::list(), None)).await?;
        let list = [get(&facts::list(), Some(&tag))];
        load::quiet(&server).await?;
        for _ in 0..bench.rounds {
            let unchanged = bench.repeat_with(&server, &list, 304).await?;
            let nothing = bench.repeat(&server, &poll).await?;
            let remark = format!(
                "{:.3} ms, 304 {:.3} ms",
                nothing.cpu_ms(),
                unchanged.cpu_ms()
            );
            row.push(nothing.cpu_ms() / unchanged.cpu_ms(), remark);
        }
        rows.push(row);
    }
    server.stop()?;
    Ok(rows)
}

/// The request of a stream from the present state on.
fn stream(token: Option<&str>) -> Request {
    let login = token.map(|token| format!("Authorization: Bearer {token}\r\n"));
    let login = login.unwrap_or_default();
    Request::with_headers(
        &format!("{API}/changes"),
        &format!("Accept: text/event-stream\r\n{login}"),
    )
}

/// The token of the present state, with which a stream begins.
async fn present(server: &Server, token: Option<&str>) -> anyhow::Result<String> {
    let mut client = Client::connect(server.address).await?;
    let (begin, request) = (RefCell::new(Vec::new()), stream(token));
    let reading = client.stream(&request, |part| begin.borrow_mut().extend_from_slice(part));
    let found = async {
        loop {
            let text = String::from_utf8_lossy(&begin.borrow()).into_owned();
            let id = text.split_once("\nid: ").map(|(_, rest)| rest);
            if let Some((id, _)) = id.and_then(|rest| rest.split_once('\n')) {
                return id.to_owned();
            }
            sleep(Duration::from_millis(5)).await;
        }
    };
    select! {
        ended = reading => bail!("a stream ended: {}", ended?),
        token = found => Ok(token),
    }
}

/// The address of one of many streams.
fn address(number: usize) -> anyhow::Result<Ipv4Addr> {
    let own = u8::try_from(number / PER_ADDRESS + 1)?;
    Ok(Ipv4Addr::new(127, 0, 1, own))
}

/// Reads a stream, counts its changes, and gives their number to a function.
async fn follow(server: &Server, number: usize, mut seen: impl FnMut(usize)) -> anyhow::Result<()> {
    let mut client = Client::connect_from(address(number)?, server.address).await?;
    let (mut rest, mut changes, mut is_ready) = (Vec::new(), 0, false);
    let head = client
        .stream(&stream(None), |part| {
            rest.extend_from_slice(part);
            let found = rest.windows(CHANGE.len()).filter(|text| *text == CHANGE);
            changes += found.count();
            // The text may be divided between two parts.
            let kept = rest.len().saturating_sub(CHANGE.len() - 1);
            rest.drain(..kept);
            if !is_ready || changes > 0 {
                is_ready = true;
                seen(changes);
            }
        })
        .await?;
    bail!("a stream ended: {head}")
}

/// Memory that idle streams take, on top of that of a server that has answered a request.
async fn idle(bench: &Bench, calendar: &Calendar, at: &str) -> anyhow::Result<Row> {
    let mut row = Row::most(
        format!("{STREAMS} open streams: memory on top, {at}"),
        32.0,
        20.0,
        " MiB",
    );
    let server = bench.program.serve(calendar, Caches::Default)?;
    let mut client = Client::connect(server.address).await?;
    get_json(&mut client, &facts::list()).await?;
    load::quiet(&server).await?;
    let before = server.memory()?;
    let open = Cell::new(0);
    let streams = (0..STREAMS).map(|number| {
        let (open, mut is_open) = (&open, false);
        follow(&server, number, move |_| {
            open.set(open.get() + usize::from(!is_open));
            is_open = true;
        })
    });
    let mut streams: FuturesUnordered<_> = streams.collect();
    let measure = async {
        let begun = Instant::now();
        while open.get() < STREAMS {
            ensure!(begun.elapsed() < TIMEOUT, "{} streams", open.get());
            sleep(Duration::from_millis(10)).await;
        }
        let cpu = server.cpu()?;
        sleep(IDLE).await;
        let after = server.memory()?;
        let cpu = server.cpu()?.saturating_sub(cpu).as_secs_f64() / IDLE.as_secs_f64();
        let remark = format!(
            "{:.1} MiB before, peak {:.1} MiB; {:.1} ms of CPU time a second",
            before.resident,
            after.peak,
            1000.0 * cpu
        );
        row.push(after.resident - before.resident, remark);
        anyhow::Ok(())
    };
    select! {
        measured = measure => measured?,
        Some(failed) = streams.next() => failed?,
    }
    drop(streams);
    server.stop()?;
    Ok(row)
}

/// The time from the acknowledgement of a change until a stream has it: at the server that wrote it, and at another one on
/// the same database.
async fn delays(
    bench: &Bench,
    calendar: &Calendar,
    token: &str,
    at: &str,
) -> anyhow::Result<Vec<Row>> {
    let writer = bench.program.serve(calendar, Caches::Default)?;
    let other = bench.program.serve(calendar, Caches::Default)?;
    for server in [&writer, &other] {
        load::quiet(server).await?;
    }
    let mut client = Client::connect(writer.address).await?;
    let (list, _) = get_json(&mut client, &facts::list()).await?;
    let event = list["events"][0]["id"].as_i64().context("no event")?;
    let mut rows = Vec::new();
    for (how, server) in [("same server", &writer), ("another server", &other)] {
        let name = format!("a change reaches {REACHED} streams, {how}: 99th percentile, {at}");
        let mut row = Row::most(name, 250.0, 150.0, " ms");
        let streams = Streams::default();
        let following = (0..REACHED).map(|number| {
            let streams = &streams;
            follow(server, number, move |changes| streams.note(number, changes))
        });
        let mut following: FuturesUnordered<_> = following.collect();
        let writing = async {
            for round in 0..bench.rounds {
                let mut times = Vec::new();
                for number in 0..WRITES {
                    // The looks of the server and the writes must not keep step.
                    sleep(Duration::from_millis((number as u64 * 37) % 100)).await;
                    let written = 1 + round * WRITES + number;
                    streams.await_all(written - 1).await?;
                    let json = format!(r#"{{"title": "Changed {how} {written}"}}"#);
                    let change = Request::json("PUT", &facts::event(event), token, &json);
                    let status = client.send(&change).await?.status;
                    let acknowledged = Instant::now();
                    ensure!(status == 200, "status of a change: {status}");
                    times.extend(streams.await_all(written).await?.iter().map(|seen| {
                        let delay = seen.saturating_duration_since(acknowledged);
                        delay.as_secs_f64() * 1000.0
                    }));
                }
                times.sort_by(f64::total_cmp);
                let percentile = |percent: usize| times[(times.len() * percent).div_ceil(100) - 1];
                let remark = format!(
                    "median {:.0} ms, {:.0} changes",
                    percentile(50),
                    count(times.len())
                );
                row.push(percentile(99), remark);
            }
            anyhow::Ok(())
        };
        select! {
            written = writing => written?,
            Some(failed) = following.next() => failed?,
        }
        rows.push(row);
    }
    writer.stop()?;
    other.stop()?;
    Ok(rows)
}

/// The number of changes that each stream has received, and the time of the last one; `None` before a stream is open.
#[derive(Default)]
struct Streams(RefCell<Vec<Option<(usize, Instant)>>>);

impl Streams {
    fn note(&self, number: usize, changes: usize) {
        let mut all = self.0.borrow_mut();
        all.resize(REACHED, None);
        if all[number].is_none_or(|(before, _)| before < changes) {
            all[number] = Some((changes, Instant::now()));
        }
    }

    /// Waits until each stream has so many changes. Returns when they came.
    async fn await_all(&self, changes: usize) -> anyhow::Result<Vec<Instant>> {
        let all = async {
            loop {
                let seen: Vec<_> = {
                    let all = self.0.borrow();
                    let there = all.iter().flatten();
                    let there = there.filter(|(number, _)| *number >= changes);
                    there.map(|(_, at)| *at).collect()
                };
                if seen.len() == REACHED {
                    return seen;
                }
                sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(TIMEOUT, all)
            .await
            .with_context(|| format!("a stream lacks change {changes}"))
    }
}
