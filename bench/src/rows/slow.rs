//! First requests, each on a server that has just started.

use super::{Bench, each, short};
use crate::{
    client::Request,
    data::{Caches, Calendar, Store},
    facts,
    load::Load,
    report::Row,
};

/// Size of the calendar, if there is one as large.
pub(crate) const EVENTS: usize = 1_000_000;

/// The rows about first requests at the largest size.
pub(crate) async fn run(bench: &Bench, store: Store) -> anyhow::Result<Vec<Row>> {
    let events = bench.size(EVENTS);
    let at = format!("{}, {}", store.name(), short(events));
    let calendar = bench.program.seeded(store, events)?;
    let facts = super::hot::gather(bench, &calendar).await?;
    let name = format!("search, rare word, all dates: CPU, {at}");
    let mut rare = Row::most(name, 250.0, 60.0, " ms");
    let name = format!("category + tag + venue, first time: CPU, {at}");
    let mut triple = Row::most(name, 60.0, 15.0, " ms");
    let last = usize::try_from(facts.total / 10)
        .unwrap_or(1)
        .clamp(1, 5000);
    let name = format!("page {last} against page 1: CPU, {at}");
    let mut deep = Row::most(name, 10.0, 2.0, " ×");
    for round in 0..bench.rounds {
        let load = first(bench, &calendar, &facts::rare()).await?;
        let (wall, found) = (load.wall_ms(), facts.rare);
        let remark = format!("{wall:.1} ms until the answer, {found} found");
        rare.push(load.cpu_ms(), remark);
        if let Some(one) = facts.triples.get(round * 7 % facts.triples.len().max(1)) {
            let load = first(bench, &calendar, &facts::triple(*one)).await?;
            let remark = format!("{:.1} ms until the answer", load.wall_ms());
            triple.push(load.cpu_ms(), remark);
        }
        let one = first(bench, &calendar, &facts::page(1)).await?;
        let far = first(bench, &calendar, &facts::page(last)).await?;
        let (far, one) = (far.cpu_ms(), one.cpu_ms());
        deep.push(far / one, format!("{far:.2} ms, page 1 {one:.2} ms"));
    }
    Ok(vec![rare, triple, deep])
}

/// Sends a request that the server has not had before. Requests of other kinds go first, so that
/// the cost of the start is not measured.
async fn first(bench: &Bench, calendar: &Calendar, path: &str) -> anyhow::Result<Load> {
    let server = bench.program.serve(calendar, Caches::Default)?;
    let warm = ["/categories", "/venues", "/events?page=7"];
    let warm = warm.map(|path| Request::get(&format!("{}{path}", facts::API)));
    each(&server, &warm).await?;
    let load = each(&server, &[Request::get(path)]).await?;
    server.stop()?;
    Ok(load)
}
