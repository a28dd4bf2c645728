//! Writes of texts that are expensive on purpose.

use serde_json::{Value, json};

use super::{Bench, each};
use crate::{
    client::Request,
    data::{Caches, Store},
    facts::{self, API},
    load::{self, Plan, Until},
    report::Row,
};

/// Writes of each text in a round: the system reports CPU time in steps of 10 ms.
const TIMES: usize = 10;

/// Almost the maximum length of all texts, in bytes.
const TEXT_BYTES: usize = 240_000;

/// Almost the maximum length of a body, in bytes.
const BODY_BYTES: usize = 1_000_000;

/// An event whose description and excerpt repeat a piece.
fn event(piece: &str) -> Value {
    // A control character has six bytes in JSON.
    let in_body = json!(piece).to_string().len() - 2;
    let times = (TEXT_BYTES / piece.len()).min(BODY_BYTES / in_body);
    let description = piece.repeat(times / 4 * 3);
    let excerpt = piece.repeat(times / 4);
    json!({
        "title": "Dear", "start_date": "tomorrow 10:00", "end_date": "tomorrow 12:00",
        "description": description, "excerpt": excerpt,
    })
}

/// An event with the maximum of organizers, whose names repeat a piece.
fn names(piece: &str) -> Value {
    let mut event = event("x");
    let name = piece.repeat(2800 / piece.len());
    let organizer = |number| json!({"organizer": format!("{number} {name}")});
    event["description"] = json!("");
    event["excerpt"] = json!("");
    event["organizer"] = (0..80).map(organizer).collect();
    event
}

/// The requests, each with its expected status.
fn expensive() -> Vec<(&'static str, Value, u16)> {
    let mut all = vec![];
    for piece in ["&", "<", "<p>x", "&am", "\0"] {
        let status = if piece == "\0" { 201 } else { 400 };
        all.push((piece, event(piece), status));
    }
    for piece in [
        "<b><i></b></i>",
        "<b><hr>",
        "<table><br> ",
        "<a href=",
        "\u{a9}",
        "\u{a0}x",
        "\u{fdfa}",
        "<!--",
        "<script>",
    ] {
        all.push((piece, event(piece), 0));
    }
    all.push(("names", names("\u{fdfa}"), 201));
    all.push(("tags in names", names(&format!("{}b>", "<".repeat(40))), 0));
    all.push(("lists", json!({"lists": vec![json!([]); 300_000]}), 400));
    all
}

/// The cost of the most expensive write.
pub(crate) async fn run(bench: &Bench) -> anyhow::Result<Row> {
    let calendar = bench
        .program
        .copy(Store::Sqlite, bench.size(10_000), "texts")?;
    let token = calendar.token(&bench.program)?;
    let server = bench.program.serve(&calendar, Caches::Default)?;
    let mut row = Row::most("a write of texts, the dearest: CPU", 100.0, 30.0, " ms");
    for _ in 0..bench.rounds {
        let mut most = (0.0, "");
        for (name, event, status) in expensive() {
            let request = Request::json("POST", &facts::list(), &token, &event.to_string());
            let requests = vec![request; TIMES];
            let plan = Plan {
                requests: &requests,
                clients: 1,
                until: Until::Once,
                status,
            };
            let cost = load::run(&server, &plan).await?.cpu_ms();
            if cost > most.0 {
                most = (cost, name);
            }
        }
        row.push(most.0, format!("{:?}", most.1));
    }
    // The server still works.
    each(&server, &[Request::get(&format!("{API}/events"))]).await?;
    Ok(row)
}
