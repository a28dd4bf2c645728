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
    let mut rare = Row::most(
        format!("search, rare word, all dates: CPU, {at}"),
        250.0,
        60.0,
        " ms",
    );
    let mut triple = Row::most(
        format!("category + tag + venue, first time: CPU, {at}"),
        60.0,
        15.0,
        " ms",
    );
    let last = usize::try_from(facts.total / 10)
        .unwrap_or(1)
        .clamp(1, 5000);
    let mut deep = Row::most(
        format!("page {last} against page 1: CPU, {at}"),
        10.0,
        2.0,
        " ×",
    );
    for round in 0..bench.rounds {
        let load = first(bench, &calendar, &facts::rare()).await?;
        rare.values.push(load.cpu_ms());
        rare.remark = format!(
            "{:.1} ms until the answer, {} found",
            load.wall_ms(),
            facts.rare
        );
        if let Some(one) = facts.triples.get(round * 7 % facts.triples.len().max(1)) {
            let load = first(bench, &calendar, &facts::triple(*one)).await?;
            triple.values.push(load.cpu_ms());
            triple.remark = format!("{:.1} ms until the answer", load.wall_ms());
        }
        let one = first(bench, &calendar, &facts::page(1)).await?;
        let far = first(bench, &calendar, &facts::page(last)).await?;
        deep.values.push(far.cpu_ms() / one.cpu_ms());
        deep.remark = format!("{:.2} ms, page 1 {:.2} ms", far.cpu_ms(), one.cpu_ms());
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
