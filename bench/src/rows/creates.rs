//! Creations, which are on disk before the response.

use anyhow::{Context, ensure};
use domain::time::Timestamp;
use serde_json::{Value, json};

use super::Bench;
use crate::{
    client::{Client, Request},
    data::{Caches, Store},
    facts::{self, API, get_json},
    load::{self, Plan, Until},
    process::Server,
    report::Row,
};

/// Number of concurrent clients.
const CLIENTS: usize = 64;

/// Number of different events of a measurement, more than are created in it.
const BATCH: usize = 10_000;

/// Length of the description of an event, in bytes.
const TEXT_BYTES: usize = 500;

/// Rate of creations by many clients, relative to one client, on SQLite.
pub(crate) async fn run(bench: &Bench) -> anyhow::Result<Row> {
    let calendar = bench
        .program
        .copy(Store::Sqlite, bench.size(10_000), "creates")?;
    let token = calendar.token(&bench.program)?;
    let server = bench.program.serve(&calendar, Caches::Default)?;
    let requests: Vec<_> = (0..10_000)
        .map(|number| Request::json("POST", &facts::list(), &token, &named(number)))
        .collect();
    let mut row = Row::least(
        "creations, durable: 64 clients against 1, SQLite",
        2.5,
        4.0,
        " ×",
    );
    let plan = |clients| Plan {
        requests: &requests,
        clients,
        until: Until::Time(bench.time),
        status: 201,
    };
    for _ in 0..bench.rounds {
        let one = load::run(&server, &plan(1)).await?;
        let many = load::run(&server, &plan(CLIENTS)).await?;
        let (many_rate, one_rate) = (many.per_second(), one.per_second());
        let remark = format!(
            "{many_rate:.0}/s against {one_rate:.0}/s; CPU {:.2} ms each until the answer",
            many.cpu_ms()
        );
        row.push(many_rate / one_rate, remark);
    }
    Ok(row)
}

/// The event of a number, with a category and a tag by their names.
pub(super) fn named(number: usize) -> String {
    format!(
        r#"{{"title": "Made by the benchmark {number}", "start_date": "tomorrow 10:00",
            "end_date": "tomorrow 12:00", "categories": ["Music"], "tags": ["free entry"]}}"#
    )
}

/// CPU time of creations with venue, organizer, category, tag and text by many clients, including
/// the work that follows the responses; on PostgreSQL the rate too.
pub(crate) async fn full(bench: &Bench, store: Store, now: Timestamp) -> anyhow::Result<Vec<Row>> {
    let events = bench.size(10_000);
    let calendar = bench.program.copy(store, events, "creates_full")?;
    let token = calendar.token(&bench.program)?;
    let server = bench.program.serve(&calendar, Caches::Default)?;
    let related = Related::gather(&server).await?;
    let what = format!(
        "creations with 4 related records and {TEXT_BYTES} bytes of text, {}",
        store.name()
    );
    let (must, goal) = match store {
        Store::Sqlite => (1.5, 0.5),
        Store::Postgres => (3.5, 1.6),
    };
    let mut cost = Row::most(format!("{what}: CPU, {CLIENTS} clients"), must, goal, " ms");
    let name = format!("{what}: {CLIENTS} clients against 1");
    let mut rate = Row::least(name, 1.5, 2.5, " ×");
    let mut next = 0;
    for _ in 0..bench.rounds {
        let mut measure = async |clients| {
            let requests: Vec<_> = (next..next + BATCH)
                .map(|number| {
                    let json = related.event(number, now).to_string();
                    Request::json("POST", &facts::list(), &token, &json)
                })
                .collect();
            next += BATCH;
            let plan = Plan {
                requests: &requests,
                clients,
                until: Until::Time(bench.time),
                status: 201,
            };
            load::quiet(&server).await?;
            let before = server.cpu()?;
            let load = load::run(&server, &plan).await?;
            load::quiet(&server).await?;
            let cpu = server.cpu()?.saturating_sub(before).as_secs_f64();
            anyhow::Ok((load, 1000.0 * cpu / load::count(load.requests)))
        };
        let (one, one_cpu) = measure(1).await?;
        let (many, many_cpu) = measure(CLIENTS).await?;
        let at_once = many.cpu_ms();
        let remark = format!("{at_once:.2} ms until the answer; with 1 client {one_cpu:.2} ms");
        cost.push(many_cpu, remark);
        let (many, one) = (many.per_second(), one.per_second());
        rate.push(many / one, format!("{many:.0}/s against {one:.0}/s"));
    }
    Ok(match store {
        Store::Sqlite => vec![cost],
        Store::Postgres => vec![cost, rate],
    })
}

/// Records and words that new events are made of.
pub(super) struct Related {
    venues: Vec<i64>,
    organizers: Vec<i64>,
    categories: Vec<i64>,
    tags: Vec<i64>,
    words: Vec<String>,
}

impl Related {
    pub(super) async fn gather(server: &Server) -> anyhow::Result<Self> {
        let mut client = Client::connect(server.address).await?;
        let mut ids = async |kind: &str| {
            let (answer, _) = get_json(&mut client, &format!("{API}/{kind}?per_page=50")).await?;
            let records = answer[kind].as_array().context("no records")?;
            let ids: Vec<_> = records
                .iter()
                .filter_map(|one| one["id"].as_i64())
                .collect();
            ensure!(!ids.is_empty(), "there are no {kind}");
            anyhow::Ok(ids)
        };
        let (venues, organizers) = (ids("venues").await?, ids("organizers").await?);
        let (categories, tags) = (ids("categories").await?, ids("tags").await?);
        let (list, _) = get_json(&mut client, &format!("{}?per_page=50", facts::list())).await?;
        let records = list["events"].as_array().context("no events")?;
        let texts = records.iter().filter_map(|one| one["description"].as_str());
        let words = texts.flat_map(|text| text.split([' ', '\n', '<', '>']));
        let words: Vec<_> = words
            .filter(|word| !matches!(*word, "" | "p" | "/p"))
            .map(str::to_owned)
            .collect();
        ensure!(words.len() > 1000, "{} words", words.len());
        Ok(Self {
            venues,
            organizers,
            categories,
            tags,
            words,
        })
    }

    /// The event of a number, within a year, with words of other events.
    pub(super) fn event(&self, number: usize, now: Timestamp) -> Value {
        let pick = |ids: &[i64], step: usize| ids[number * step % ids.len()];
        let mut words = (1..).map(|index| &self.words[(number * 31 + index) % self.words.len()]);
        let title: Vec<_> = words.by_ref().take(4).map(String::as_str).collect();
        let mut text = String::new();
        for word in words {
            if text.len() + word.len() >= TEXT_BYTES {
                break;
            }
            text.push_str(word);
            text.push(' ');
        }
        let day = facts::day(1 + number * 37 % 365, now);
        let hour = 8 + number % 12;
        json!({
            "title": format!("{} {number}", title.join(" ")),
            "start_date": format!("{day} {hour:02}:00:00"),
            "end_date": format!("{day} {:02}:30:00", hour + 2),
            "venue": pick(&self.venues, 7),
            "organizer": pick(&self.organizers, 11),
            "categories": [pick(&self.categories, 3)],
            "tags": [pick(&self.tags, 13)],
            "description": text,
        })
    }
}
