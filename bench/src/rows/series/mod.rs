//! Series: their creation and moves, and occurrences far ahead.

pub(crate) mod changes;
pub(crate) mod lists;

use anyhow::ensure;
use serde_json::{Value, json};

use super::{Bench, each};
use crate::{
    client::{Client, Request},
    data::{Caches, Store},
    facts::{self, API, get_json},
    load,
    process::Server,
    report::Row,
};

/// The occurrences of a weekly series of ten years.
pub(super) const TEN_YEARS: usize = 522;

/// Number of series that are written in a round.
const WRITES: usize = 5;

/// The rows of writes: creation of a series, a move of all its occurrences, a new title.
pub(crate) async fn writes(bench: &Bench, store: Store) -> anyhow::Result<Vec<Row>> {
    let events = bench.size(10_000);
    let calendar = bench.program.copy(store, events, "series")?;
    let token = calendar.token(&bench.program)?;
    let server = bench.program.serve(&calendar, Caches::Default)?;
    let row = |what: &str, must, goal| {
        let name = format!(
            "weekly series of {TEN_YEARS}, {what}: CPU, {}",
            store.name()
        );
        Row::most(name, must, goal, " ms")
    };
    let (must, goal) = match store {
        Store::Sqlite => (40.0, 12.0),
        Store::Postgres => (60.0, 20.0),
    };
    let mut created = row("created", must, goal);
    let mut moved = row("moved by an hour", 60.0, 20.0);
    let mut ruled = row("new rule that keeps half", 60.0, 20.0);
    let mut client = Client::connect(server.address).await?;
    for round in 0..bench.rounds {
        let bodies = (0..WRITES).map(|number| series(round * WRITES + number).to_string());
        let posts = bodies.map(|body| Request::json("POST", &facts::list(), &token, &body));
        let (mut ids, mut cost) = (Vec::new(), 0.0);
        for post in posts {
            load::quiet(&server).await?;
            let before = server.cpu()?;
            let response = client.send(&post).await?;
            ensure!(
                response.status == 201,
                "a series was answered {}",
                response.status
            );
            let made: Value = serde_json::from_slice(response.body)?;
            ids.push(made["id"].as_i64().unwrap_or_default());
            load::quiet(&server).await?;
            cost += server.cpu()?.saturating_sub(before).as_secs_f64();
        }
        created.push(1000.0 * cost / load::count(WRITES), "");
        for (row, change) in [
            (
                &mut moved,
                json!({ "start_date": "2027-01-05 20:00", "end_date": "2027-01-05 22:00" }),
            ),
            (
                &mut ruled,
                json!({ "recurrence": "FREQ=WEEKLY;INTERVAL=2;COUNT=261" }),
            ),
        ] {
            let cost = patch(&server, &mut client, &ids, &token, &change.to_string()).await?;
            row.push(cost, "");
        }
    }
    Ok(vec![created, moved, ruled])
}

/// CPU time of a change of each series, in milliseconds.
async fn patch(
    server: &Server,
    client: &mut Client,
    ids: &[i64],
    token: &str,
    change: &str,
) -> anyhow::Result<f64> {
    let mut cost = 0.0;
    for id in ids {
        load::quiet(server).await?;
        let before = server.cpu()?;
        let path = format!("{API}/events/{id}");
        let response = client
            .send(&Request::json("PATCH", &path, token, change))
            .await?;
        ensure!(
            response.status == 200,
            "a change was answered {}",
            response.status
        );
        load::quiet(server).await?;
        cost += server.cpu()?.saturating_sub(before).as_secs_f64();
    }
    Ok(1000.0 * cost / load::count(ids.len()))
}

pub(super) fn series(number: usize) -> Value {
    json!({
        "title": format!("Weekly class {number}"),
        "start_date": "2027-01-05 19:00",
        "end_date": "2027-01-05 21:00",
        "timezone": "Europe/Paris",
        "recurrence": format!("FREQ=WEEKLY;COUNT={TEN_YEARS}"),
        "venue": { "venue": "House of Classes" },
        "organizer": { "organizer": "The Teachers" },
        "categories": ["Class", "Evening", "Weekly"],
        "tags": ["beginners", "indoors"],
    })
}

/// The row of occurrences of an endless rule that are far ahead.
pub(crate) async fn reads(bench: &Bench, store: Store) -> anyhow::Result<Row> {
    let mut far = Row::most(
        format!(
            "occurrences of an endless rule in the year 9000: CPU, {}",
            store.name()
        ),
        10.0,
        1.0,
        " ms",
    );
    let calendar = bench.program.copy(store, bench.size(10_000), "far")?;
    let token = calendar.token(&bench.program)?;
    let server = bench.program.serve(&calendar, Caches::Default)?;
    let mut client = Client::connect(server.address).await?;
    let mut endless = series(0);
    endless["recurrence"] = json!("FREQ=WEEKLY");
    let post = Request::json("POST", &facts::list(), &token, &endless.to_string());
    let made: Value = serde_json::from_slice(client.send(&post).await?.body)?;
    let id = made["id"].as_i64().unwrap_or_default();
    for round in 0..bench.rounds {
        let month = 1 + round % 12;
        let path = format!(
            "{API}/events/{id}/occurrences?start_date=9000-{month:02}-01&end_date=9000-{month:02}-28"
        );
        let load = each(&server, &[Request::get(&path)]).await?;
        let (list, _) = get_json(&mut client, &path).await?;
        ensure!(list["total"] == 4, "the year 9000 has {}", list["total"]);
        far.push(
            load.cpu_ms(),
            format!("{:.1} ms until the answer", load.wall_ms()),
        );
    }
    Ok(far)
}
