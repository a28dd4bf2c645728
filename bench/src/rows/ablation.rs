//! The gain of a mechanism of the store: the program with and without it, measured in turn.

use domain::time::Timestamp;

use super::{
    Bench,
    creates::{Related, named},
    each,
    hot::{gather, under_writes},
    short,
};
use crate::{
    client::Request,
    data::{Caches, Calendar},
    facts::{self, Facts},
    load::{self, Load, Plan, Until},
    process::Server,
    report::{median, number},
};

/// A mechanism that the program can leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Mechanism {
    /// Records that were read before
    RecordCache,
    /// Connections that are used again without a ping
    ReadPool,
    /// Entries of the audit trail
    AuditTrail,
    /// Concurrent writes in one transaction
    GroupCommit,
    /// Records that a group of writes found by name
    NameCache,
    /// Statements that are sent with the next one
    DeferredStatements,
}

impl Mechanism {
    /// The name that the program knows.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::RecordCache => "record-cache",
            Self::ReadPool => "read-pool",
            Self::AuditTrail => "audit-trail",
            Self::GroupCommit => "group-commit",
            Self::NameCache => "name-cache",
            Self::DeferredStatements => "deferred-statements",
        }
    }
}

/// A work whose cost is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Work {
    List,
    Uncached,
    Pages,
    Events,
    /// By so many clients, each event with four related records by their IDs.
    Create(usize),
    /// By so many clients, each event with a category and a tag by their names.
    CreateNamed(usize),
    Update,
}

impl Mechanism {
    /// The works that the mechanism may speed up.
    fn works(self) -> &'static [Work] {
        match self {
            Self::RecordCache => &[Work::List, Work::Pages, Work::Events],
            Self::ReadPool => &[Work::Uncached, Work::Pages, Work::Events],
            Self::AuditTrail | Self::GroupCommit | Self::DeferredStatements => {
                &[Work::Create(1), Work::Create(64), Work::Update]
            }
            Self::NameCache => &[Work::CreateNamed(1), Work::CreateNamed(64)],
        }
    }
}

impl Work {
    fn name(self) -> String {
        match self {
            Self::List => "list of ten, repeated".to_owned(),
            Self::Uncached => "list of ten, caches off".to_owned(),
            Self::Pages => "100 pages under 20 writes a second".to_owned(),
            Self::Events => "one event, cold".to_owned(),
            Self::Create(clients) => format!("creations, clients: {clients}"),
            Self::CreateNamed(clients) => format!("creations with names, clients: {clients}"),
            Self::Update => "updates, clients: 8".to_owned(),
        }
    }
}

/// Number of events read in each round. Only a small calendar has too few for each to be read once.
const COLD: usize = 100;

/// Number of different events of a measurement, more than are created in it.
const BATCH: usize = 10_000;

/// The program with or without a mechanism, and what it has measured: CPU time of a request in
/// milliseconds, and requests a second.
struct Side {
    server: Server,
    calendar: Calendar,
    token: String,
    created: usize,
    values: Vec<(f64, f64)>,
}

/// A table of all works with and without each of some mechanisms.
pub(crate) async fn run(
    bench: &Bench,
    mechanisms: &[Mechanism],
    now: Timestamp,
) -> anyhow::Result<String> {
    let mut table = String::from(
        "| left out | work | CPU with it, ms | without it | CPU of a request | requests a second |\n\
        |---|---|---|---|---|---|\n",
    );
    for store in &bench.stores {
        for mechanism in mechanisms {
            for work in mechanism.works() {
                let caches = match work {
                    Work::Uncached => Caches::Off,
                    _ => Caches::Default,
                };
                let side = |name: &str, without: Option<Mechanism>| {
                    let calendar = bench.program.copy(*store, bench.size(10_000), name)?;
                    anyhow::Ok(Side {
                        token: calendar.token(&bench.program)?,
                        server: bench.program.serve_without(&calendar, caches, without)?,
                        calendar,
                        created: 0,
                        values: Vec::new(),
                    })
                };
                let mut sides = [side("with", None)?, side("without", Some(*mechanism))?];
                let facts = gather(bench, &sides[0].calendar).await?;
                for round in 0..bench.rounds {
                    // Each side is the first one in every other round.
                    for turn in [round % 2, 1 - round % 2] {
                        let side = &mut sides[turn];
                        let load = side.measure(bench, *work, &facts, (round, now)).await?;
                        side.values.push((load.cpu_ms(), load.per_second()));
                    }
                }
                let events = short(bench.size(10_000));
                let name = format!("{}, {}, {events}", work.name(), store.name());
                let line = line(mechanism.name(), &name, &sides);
                eprint!("{line}");
                table += &line;
            }
        }
    }
    Ok(table)
}

impl Side {
    async fn measure(
        &mut self,
        bench: &Bench,
        work: Work,
        facts: &Facts,
        (round, now): (usize, Timestamp),
    ) -> anyhow::Result<Load> {
        let server = &self.server;
        match work {
            Work::List | Work::Uncached => {
                bench.repeat(server, &[Request::get(&facts::list())]).await
            }
            Work::Pages => {
                let pages = 1..=100.min(facts.ids.len() / 10);
                let pages: Vec<_> = pages
                    .map(|number| Request::get(&facts::page(number)))
                    .collect();
                under_writes(bench, server, &pages, facts, &self.token).await
            }
            Work::Events => {
                let ids = facts.ids.iter().cycle().skip(1 + round * COLD).take(COLD);
                let fresh: Vec<_> = ids.map(|id| Request::get(&facts::event(*id))).collect();
                each(server, &fresh).await
            }
            Work::Create(clients) => {
                let related = Related::gather(server).await?;
                let numbers = self.created..self.created + BATCH;
                self.created += BATCH;
                let requests: Vec<_> = numbers
                    .map(|number| {
                        let json = related.event(number, now).to_string();
                        Request::json("POST", &facts::list(), &self.token, &json)
                    })
                    .collect();
                write(bench, server, &requests, clients, 201).await
            }
            Work::CreateNamed(clients) => {
                let numbers = self.created..self.created + BATCH;
                self.created += BATCH;
                let requests: Vec<_> = numbers
                    .map(|number| {
                        Request::json("POST", &facts::list(), &self.token, &named(number))
                    })
                    .collect();
                write(bench, server, &requests, clients, 201).await
            }
            Work::Update => {
                let ids = facts.ids.iter().cycle().enumerate().take(BATCH);
                let requests: Vec<_> = ids
                    .map(|(number, id)| {
                        let json =
                            format!(r#"{{"website": "https://www.example.org/{round}/{number}"}}"#);
                        Request::json("PUT", &facts::event(*id), &self.token, &json)
                    })
                    .collect();
                write(bench, server, &requests, bench.clients, 200).await
            }
        }
    }
}

/// Sends requests that write. The CPU time includes the work that follows the responses.
async fn write(
    bench: &Bench,
    server: &Server,
    requests: &[Request],
    clients: usize,
    status: u16,
) -> anyhow::Result<Load> {
    load::quiet(server).await?;
    let before = server.cpu()?;
    let plan = Plan {
        requests,
        clients,
        until: Until::Time(bench.time),
        status,
    };
    let load = load::run(server, &plan).await?;
    load::quiet(server).await?;
    let cpu_seconds = server.cpu()?.saturating_sub(before).as_secs_f64();
    Ok(Load {
        cpu_seconds,
        ..load
    })
}

/// A line of the table: the medians of both sides, and the median and the spread of the ratios of
/// all rounds.
fn line(mechanism: &str, work: &str, sides: &[Side; 2]) -> String {
    let column = |side: usize, value: fn(&(f64, f64)) -> f64| {
        let values = sides[side].values.iter().map(value);
        values.collect::<Vec<_>>()
    };
    let cost: fn(&(f64, f64)) -> f64 = |value| value.0;
    let rate: fn(&(f64, f64)) -> f64 = |value| value.1;
    let ratios = |value| {
        let pairs = column(0, value).into_iter().zip(column(1, value));
        let percents = pairs.map(|(with, without)| 100.0 * (without / with - 1.0));
        let (low, middle, high) = spread(percents.collect());
        format!("{middle:+.0} % ({low:+.0} to {high:+.0})")
    };
    let [(_, with, _), (_, without, _)] = [0, 1].map(|side| spread(column(side, cost)));
    let (with, without) = (number(with), number(without));
    let (costs, rates) = (ratios(cost), ratios(rate));
    format!("| {mechanism} | {work} | {with} | {without} | {costs} | {rates} |\n")
}

/// The least, the median and the greatest of some values; 0 if there are none.
fn spread(mut values: Vec<f64>) -> (f64, f64, f64) {
    values.sort_by(f64::total_cmp);
    let at = |value: Option<&f64>| value.copied().unwrap_or(0.0);
    let middle = median(&values).unwrap_or(0.0);
    (at(values.first()), middle, at(values.last()))
}
