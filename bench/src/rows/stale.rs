//! Stale responses: older than a write that was acknowledged before the request.

use anyhow::{Context, ensure};
use serde_json::Value;
use tokio::select;

use super::{Bench, short};
use crate::{
    client::{Client, Request},
    data::{Caches, Store},
    facts::{self, get_json},
    load::count,
    report::Row,
};

/// Number of writes in a round.
const WRITES: usize = 100;

/// Writes an event, reads it at once by ID and in the list over another connection, and counts
/// stale responses. Other clients read the same meanwhile.
pub(crate) async fn run(bench: &Bench, store: Store) -> anyhow::Result<Row> {
    let events = bench.size(10_000);
    let name = format!("stale answers, {}, {}", store.name(), short(events));
    let mut row = Row::most(name, 0.0, 0.0, "");
    let calendar = bench.program.copy(store, events, "stale")?;
    let token = calendar.token(&bench.program)?;
    let server = bench.program.serve(&calendar, Caches::Default)?;
    let mut writer = Client::connect(server.address).await?;
    let mut reader = Client::connect(server.address).await?;
    let (list, _) = get_json(&mut reader, &facts::list()).await?;
    let first = list["events"][0]["id"].as_i64().context("no event")?;
    let others = [
        Request::get(&facts::list()),
        Request::get(&facts::event(first)),
    ];
    let mut written = 0_usize;
    for _ in 0..bench.rounds {
        let reading = async {
            loop {
                bench.repeat(&server, &others).await?;
            }
        };
        let writing = async {
            let mut stale = 0;
            for _ in 0..WRITES {
                written += 1;
                let title = format!("Written {written} times");
                let json = format!(r#"{{"title": "{title}"}}"#);
                let change = Request::json("PUT", &facts::event(first), &token, &json);
                let status = writer.send(&change).await?.status;
                ensure!(status == 200, "status of a change: {status}");
                let (one, _) = get_json(&mut reader, &facts::event(first)).await?;
                let (list, _) = get_json(&mut reader, &facts::list()).await?;
                let listed = list["events"].as_array().into_iter().flatten();
                let listed = listed.filter(|event| event["id"] == first);
                let shown = std::iter::once(&one).chain(listed);
                stale += shown
                    .filter(|event| event["title"] != title.as_str())
                    .count();
            }
            Ok::<_, anyhow::Error>(stale)
        };
        let stale = select! {
            stale = writing => stale?,
            failed = reading => { let failed: anyhow::Result<Value> = failed; failed?; 0 }
        };
        let remark = format!("after {written} writes, two answers each");
        row.push(count(stale), remark);
    }
    Ok(row)
}
