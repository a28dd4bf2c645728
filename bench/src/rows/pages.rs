//! Months as pages for people, beside the JSON list.

use std::{
    cell::{Cell, RefCell},
    net::Ipv4Addr,
    time::Instant,
};

use anyhow::{Context, ensure};
use domain::time::Timestamp;
use futures_util::future::try_join_all;
use tokio::try_join;

use super::{Bench, each, short};
use crate::{
    client::{Client, Request},
    data::{Caches, Store},
    facts,
    load::{self, Plan, Until},
    process::Server,
    report::{self, Row},
};

/// Events of a calendar that has somewhat fewer than 500 of them in a month.
const EVENTS: usize = 50_000;

/// Months that are requested once in a round.
const MONTHS: usize = 40;

/// Number of clients that look at months, each from an address of its own.
const READERS: u8 = 8;

/// Number of different pages of the list.
const PAGES: usize = 100;

/// Duration of a flood, in measurements.
const LENGTH: u32 = 4;

/// The rows about months, on SQLite.
pub(crate) async fn run(bench: &Bench, now: Timestamp) -> anyhow::Result<Vec<Row>> {
    let mut rows = months(bench, now).await?;
    rows.push(large(bench, now).await?);
    rows.push(growth(bench, now).await?);
    rows.extend(flood(bench, now).await?);
    Ok(rows)
}

/// The month some months after the present one.
fn month(number: usize, now: Timestamp) -> String {
    let day = facts::day(0, now);
    let mut parts = day.split('-').map(|part| part.parse().unwrap_or(1));
    let (year, month): (usize, usize) = (parts.next().unwrap_or(1), parts.next().unwrap_or(1));
    let months = month - 1 + number;
    format!(
        "/events/month/{:04}-{:02}/",
        year + months / 12,
        months % 12 + 1
    )
}

/// Reads a month, and returns the number of its events.
async fn check(server: &Server, path: &str) -> anyhow::Result<usize> {
    let mut client = Client::connect(server.address).await?;
    let answer = client.send(&Request::get(path)).await?;
    ensure!(
        answer.status == 200,
        "{path} was answered {}",
        answer.status
    );
    let html = String::from_utf8_lossy(answer.body);
    let count = html
        .split_once("<p class=\"count\" role=\"status\">")
        .and_then(|(_, rest)| rest.split_once(' '))
        .context("no number of events")?;
    Ok(count.0.replace(',', "").parse()?)
}

/// The same month again and again beside the list, and months that were not requested before.
async fn months(bench: &Bench, now: Timestamp) -> anyhow::Result<Vec<Row>> {
    let events = bench.size(usize::MAX).min(EVENTS);
    let calendar = bench.program.seeded(Store::Sqlite, events)?;
    calendar.warm()?;
    let server = bench.program.serve(&calendar, Caches::Default)?;
    let at = format!("SQLite, {}", short(events));
    let name = format!("month, repeated, against the list of ten, {at}");
    let mut hot = Row::most(name, 2.0, 1.5, " ×");
    let mut cold = Row::most(
        format!("month, each requested once: CPU, {at}"),
        5.0,
        4.0,
        " ms",
    );
    let path = month(6, now);
    let found = check(&server, &path).await?;
    ensure!(found <= 500 && found > 0, "{found} events in a month");
    for _ in 0..bench.rounds {
        let list = [Request::get(&facts::list())];
        let list = bench.repeat(&server, &list).await?.cpu_ms();
        let repeated = bench.repeat(&server, &[Request::get(&path)]).await?;
        let repeated = repeated.cpu_ms();
        hot.push(
            repeated / list,
            format!("{repeated:.3} ms, list {list:.3} ms"),
        );
        let [once, later] = [0..MONTHS, MONTHS + 1..MONTHS + 10].map(|numbers| {
            let requests = numbers.map(|number| Request::get(&month(number, now)));
            requests.collect::<Vec<_>>()
        });
        let fresh = bench.program.serve(&calendar, Caches::Default)?;
        // The first requests of a server also prepare its statements, and read venues and terms.
        each(&fresh, &later).await?;
        load::quiet(&fresh).await?;
        let first = each(&fresh, &once).await?.cpu_ms();
        cold.push(first, format!("{found} events in a month"));
    }
    Ok(vec![hot, cold])
}

/// A month of the largest calendar without caches.
async fn large(bench: &Bench, now: Timestamp) -> anyhow::Result<Row> {
    let events = bench.size(usize::MAX);
    let calendar = bench.program.seeded(Store::Sqlite, events)?;
    calendar.warm()?;
    let server = bench.program.serve(&calendar, Caches::Off)?;
    let name = format!("month, caches off: CPU, SQLite, {}", short(events));
    let mut row = Row::most(name, 25.0, 15.0, " ms");
    let found = check(&server, &month(6, now)).await?;
    for _ in 0..bench.rounds {
        let load = bench
            .repeat(&server, &[Request::get(&month(6, now))])
            .await?;
        row.push(load.cpu_ms(), format!("{found} events in the month"));
    }
    Ok(row)
}

/// A month without caches, in calendars with as many events a month, of which one is ten times as long.
async fn growth(bench: &Bench, now: Timestamp) -> anyhow::Result<Row> {
    const YEARS: [usize; 2] = [10, 100];

    let least = bench.size(0);
    let sizes = [least, least * 10];
    let mut servers = Vec::new();
    for (events, years) in sizes.into_iter().zip(YEARS) {
        let calendar = bench.program.seeded_over(events, years)?;
        calendar.warm()?;
        servers.push(bench.program.serve(&calendar, Caches::Off)?);
    }
    let [few, many] = sizes.map(short);
    let name = format!("growth {few} → {many} at equal density: month, cold, SQLite");
    let mut row = Row::most(name, 1.3, 1.1, " ×");
    let months: Vec<_> = (0..MONTHS)
        .map(|number| Request::get(&month(number, now)))
        .collect();
    for _ in 0..bench.rounds {
        let few = bench.repeat(&servers[0], &months).await?.cpu_ms();
        let many = bench.repeat(&servers[1], &months).await?.cpu_ms();
        row.push(many / few, format!("{few:.3} ms → {many:.3} ms"));
    }
    Ok(row)
}

/// The rows about a flood of different months and filters, and of health checks and lists meanwhile.
async fn flood(bench: &Bench, now: Timestamp) -> anyhow::Result<Vec<Row>> {
    let events = bench.size(100_000);
    let at = format!("SQLite, {}", short(events));
    let name = format!("health while {READERS} clients read months: 99th percentile, {at}");
    let mut health = Row::most(name, 250.0, 100.0, " ms");
    let name = format!("lists while {READERS} clients read months, relative to lists alone, {at}");
    let mut lists = Row::least(name, 50.0, 80.0, " %");
    let calendar = bench.program.seeded(Store::Sqlite, events)?;
    let facts = super::hot::gather(bench, &calendar).await?;
    calendar.warm()?;
    let server = bench.program.serve(&calendar, Caches::Off)?;
    load::quiet(&server).await?;
    let pages: Vec<_> = (1..=PAGES.min(facts.ids.len() / 10))
        .map(|number| Request::get(&facts::page(number)))
        .collect();
    for _ in 0..bench.rounds {
        let alone = bench.repeat(&server, &pages).await?.per_second();
        let (read, is_over) = (Cell::new(0_usize), Cell::new(false));
        let times = RefCell::new(Vec::new());
        let readers = (0..READERS).map(|number| read_months(&server, number, now, &read, &is_over));
        let listing = async {
            let plan = Plan {
                requests: &pages,
                clients: bench.clients,
                until: Until::Time(bench.time * LENGTH),
                status: 200,
            };
            let load = load::run(&server, &plan).await;
            is_over.set(true);
            load
        };
        let checking = check_health(&server, &times, &is_over);
        let (meanwhile, _, ()) = try_join!(listing, try_join_all(readers), checking)?;
        let mut times = times.into_inner();
        times.sort_by(f64::total_cmp);
        let slowest = times[(times.len() * 99).div_ceil(100) - 1];
        let median = report::median(&times).unwrap_or_default();
        health.push(
            slowest,
            format!("median {median:.1} ms, {} checks", times.len()),
        );
        let meanwhile = meanwhile.per_second();
        lists.push(
            100.0 * meanwhile / alone,
            format!("{meanwhile:.0}/s, alone {alone:.0}/s, {} pages", read.get()),
        );
    }
    Ok(vec![health, lists])
}

/// Reads different months, without and with filters, until it is over.
async fn read_months(
    server: &Server,
    number: u8,
    now: Timestamp,
    read: &Cell<usize>,
    is_over: &Cell<bool>,
) -> anyhow::Result<()> {
    let address = Ipv4Addr::new(127, 0, 2, 1 + number);
    let mut client = Client::connect_from(address, server.address).await?;
    for turn in 0.. {
        if is_over.get() {
            break;
        }
        let path = month((turn * 7 + usize::from(number)) % 48, now);
        let path = match turn % 4 {
            0 => path,
            1 => format!("{path}?tags={}", turn % 50 + 1),
            2 => format!("{path}?categories={}&free=true", turn % 30 + 1),
            _ => format!("/events/list/?venue={}&ticketed=false", turn % 50 + 1),
        };
        let status = client.send(&Request::get(&path)).await?.status;
        ensure!(status == 200, "{path} was answered {status}");
        read.set(read.get() + 1);
    }
    Ok(())
}

/// Asks for the health of the server until it is over, and adds the durations in milliseconds.
async fn check_health(
    server: &Server,
    times: &RefCell<Vec<f64>>,
    is_over: &Cell<bool>,
) -> anyhow::Result<()> {
    let mut client = Client::connect(server.address).await?;
    while !is_over.get() {
        let begun = Instant::now();
        let status = client.send(&Request::get("/healthz")).await?.status;
        ensure!(status == 200, "a health check was answered {status}");
        let time = begun.elapsed().as_secs_f64() * 1000.0;
        times.borrow_mut().push(time);
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    Ok(())
}
