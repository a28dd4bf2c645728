//! Growth of costs with the size of the calendar, and the comparison with the reference: the
//! calendar plug-in of a content management system, whose interface this service implements.

use super::{Bench, each, hot, short};
use crate::{
    client::Request,
    data::{Caches, Store},
    facts::{self, Facts},
    process::Server,
    report::Row,
};

/// CPU time of a list of ten in the reference at 10,000 events, in milliseconds, measured once on
/// another machine.
const REFERENCE_MS: f64 = 297.0;

/// Events read once, to fill the caches for the row about memory.
const EVENTS: usize = 1000;

/// The path of a request, from the facts about a calendar.
type Path = fn(&Facts) -> String;

/// A calendar with two servers, with and without caches.
struct Sized {
    facts: Facts,
    hot: Server,
    cold: Server,
}

impl Sized {
    async fn new(bench: &Bench, events: usize) -> anyhow::Result<Self> {
        let calendar = bench.program.seeded(Store::Sqlite, events)?;
        Ok(Self {
            facts: hot::gather(bench, &calendar).await?,
            hot: bench.program.serve(&calendar, Caches::Default)?,
            cold: bench.program.serve(&calendar, Caches::Off)?,
        })
    }
}

/// The rows about growth, memory at the greatest size, and the reference.
pub(crate) async fn run(bench: &Bench) -> anyhow::Result<Vec<Row>> {
    let (least, most) = (bench.size(0), bench.size(usize::MAX));
    let small = Sized::new(bench, least).await?;
    let large = Sized::new(bench, most).await?;
    let between = format!("{} → {}", short(least), short(most));
    let works: [(&str, Path); 4] = [
        ("list", |_| facts::list()),
        ("one event", |facts| facts::event(facts.ids[0])),
        ("categories", |_| facts::categories()),
        ("page of a category", |facts| {
            facts::category(facts.triples.first().map_or(1, |one| one.0))
        }),
    ];
    let mut rows = Vec::new();
    let mut reference = [
        ("repeated", 5_000.0, 15_000.0),
        ("caches off", 150.0, 700.0),
    ]
    .map(|(how, must, goal)| {
        let name = format!("list against the reference, {how}, {}", short(least));
        Row::least(name, must, goal, " × less")
    });
    for (what, path) in works {
        for (how, caches) in [("hot", Caches::Default), ("cold", Caches::Off)] {
            let name = format!("growth {between}: {what}, {how}, SQLite");
            let mut row = Row::most(name, 2.0, 1.3, " ×");
            for _ in 0..bench.rounds {
                let measure = async |sized: &Sized| {
                    let server = match caches {
                        Caches::Off => &sized.cold,
                        Caches::Default => &sized.hot,
                    };
                    let request = Request::get(&path(&sized.facts));
                    bench.repeat(server, &[request]).await
                };
                let (few, many) = (measure(&small).await?, measure(&large).await?);
                let (few, many) = (few.cpu_ms(), many.cpu_ms());
                // The bodies have different lengths, which the ratio ignores.
                row.push(many / few, format!("{few:.3} ms → {many:.3} ms"));
                if what == "list" {
                    let row = &mut reference[usize::from(caches == Caches::Off)];
                    let remark = format!("{few:.3} ms against {REFERENCE_MS} ms");
                    row.push(REFERENCE_MS / few, remark);
                }
            }
            rows.push(row);
        }
    }
    let mut memory = Row::most(
        format!("memory after all of it, SQLite, {}", short(most)),
        160.0,
        96.0,
        " MiB",
    );
    let mut rest: Vec<_> = (1..=100.min(large.facts.ids.len() / 10))
        .map(|number| Request::get(&facts::page(number)))
        .collect();
    let ids = large.facts.ids.iter().take(EVENTS);
    rest.extend(ids.map(|id| Request::get(&facts::event(*id))));
    let triples = large.facts.triples.iter().take(20);
    rest.extend(triples.map(|one| Request::get(&facts::triple(*one))));
    rest.push(Request::get(&facts::rare()));
    each(&large.hot, &rest).await?;
    hot::push_memory(&mut memory, &large.hot)?;
    rows.push(memory);
    rows.extend(reference);
    Ok(rows)
}
