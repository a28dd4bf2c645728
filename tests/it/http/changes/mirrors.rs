//! Copies of several callers after random writes.

use axum::http::Method;
use port_tests::{Dice, rounds};
use serde_json::{Value, json};
use tests::{app::TestApp, both_stores, client::Client};

use super::Copy;

const STATUSES: [&str; 5] = ["publish", "draft", "pending", "private", "future"];

/// The writers: an administrator, two editors of their own records, and a contributor.
const WRITERS: [usize; 4] = [1, 3, 6, 4];

fn fields(dice: &mut Dice, name: &str) -> Value {
    let status = dice.pick(&STATUSES);
    let date = if status == "future" {
        format!("2027-01-01 12:{:02}:00", dice.roll(59))
    } else {
        "2026-01-01 00:00:00".to_owned()
    };
    json!({name: format!("Fair {}", dice.roll(1_000)), "status": status, "date": date})
}

/// Sends a random write; the service may refuse it.
async fn write(client: &Client, dice: &mut Dice) {
    let kind = dice.roll(10);
    let id = dice.roll(12) + 1;
    let (path, fields) = match kind {
        0 => ("/venues".to_owned(), fields(dice, "venue")),
        1 => ("/organizers".to_owned(), fields(dice, "organizer")),
        2 => (
            "/categories".to_owned(),
            json!({"name": format!("C {}", dice.roll(9)), "parent": dice.roll(4)}),
        ),
        3 => ("/tags".to_owned(), json!({"name": format!("T {}", dice.roll(9))})),
        _ => {
            let mut event = fields(dice, "title");
            event["start_date"] = json!("2027-03-10 10:00");
            event["end_date"] = json!("2027-03-10 12:00");
            for (name, most) in [("venue", 6), ("organizer", 6), ("categories", 4), ("tags", 4)] {
                if dice.once_in(3) {
                    event[name] = json!(dice.roll(most) + 1);
                }
            }
            event["hide_from_listings"] = json!(dice.once_in(6));
            if dice.once_in(8) {
                event["password"] = json!("sesame");
            }
            ("/events".to_owned(), event)
        }
    };
    let one = format!("{path}/{id}");
    match dice.roll(4) {
        0 => client.post(&path, fields).await,
        1 if dice.once_in(2) => client.delete(&format!("{one}?force={}", dice.once_in(2))).await,
        2 if kind < 2 => {
            let status = dice.pick(&STATUSES);
            client.put(&one, json!({ "status": status, "date": fields["date"] })).await
        }
        _ => client.send_json(Method::PUT, &one, &fields).await,
    };
}

/// The fields of records that follow other records without a change of their own.
fn shown(copy: &Copy) -> Vec<(&(String, i64), Value)> {
    let records = copy.records.iter().map(|(key, record)| {
        let mut record = record.clone();
        record["count"] = Value::Null;
        (key, record)
    });
    records.collect()
}

/// After random writes through two servers, the copy of each caller is what a fresh walk holds.
#[both_stores]
async fn copies_are_what_a_walk_holds(app: &TestApp) {
    let mut dice = Dice(41);
    let store = app.db.another(|_| ()).await;
    let other = app.variant().store(store).build().await;
    let clients = [app.anonymous(), other.subscriber(), app.editor(), other.admin()];
    let mut copies = Vec::new();
    for client in clients {
        let query = format!("per_page={}", dice.roll(4) + 1);
        copies.push(Copy::with(client, &query).await);
    }
    for round in 0..rounds(40) {
        for _ in 0..dice.roll(6) {
            let server = if dice.once_in(2) { app } else { &other };
            write(&server.user(dice.pick(&WRITERS)), &mut dice).await;
        }
        if dice.once_in(3) {
            app.clock.advance_seconds(60);
        }
        for copy in &mut copies {
            if dice.once_in(2) {
                continue;
            }
            copy.poll().await;
            let fresh = Copy::new(copy.client.clone()).await;
            assert_eq!(shown(copy), shown(&fresh), "round {round}");
        }
        let public = copies[0].records.values();
        assert!(
            public.clone().all(|one| one.get("status").is_none_or(|status| status == "publish"))
        );
    }
}
