//! Copies that the client library keeps, of five callers, while others write.

use std::{
    collections::{BTreeMap, BTreeSet},
    convert::Infallible,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::http::Method;
use client::{
    Client,
    sync::{Finished, Mirror, RecordRef, SyncRecord},
};
use port_tests::Dice;
use serde_json::{Value, json};
use tests::{app::TestApp, both_stores};

use super::connect;

/// A word that only private texts have.
const CANARY: &str = "canary";

/// The callers: nobody, a subscriber, a contributor, an author, an administrator.
const CALLERS: [usize; 5] = [0, 5, 4, 3, 1];

/// The content of a copy.
#[derive(Debug, Default)]
struct Content {
    records: BTreeMap<RecordRef, SyncRecord>,
    token: String,
    walks: usize,
}

/// A copy in memory, and each text that it ever held.
#[derive(Clone, Debug, Default)]
struct Copy {
    content: Arc<Mutex<Content>>,
    sightings: Arc<Mutex<BTreeSet<String>>>,
}

impl Mirror for Copy {
    type Error = Infallible;

    async fn upsert(&mut self, record: SyncRecord) -> Result<(), Infallible> {
        let text = format!("{record:?}");
        if text.contains(CANARY) {
            self.sightings.lock().unwrap().insert(text);
        }
        self.content.lock().unwrap().records.insert(record.key(), record);
        Ok(())
    }

    async fn remove(&mut self, record: RecordRef) -> Result<(), Infallible> {
        self.content.lock().unwrap().records.remove(&record);
        Ok(())
    }

    async fn finish(&mut self, finished: Finished<'_>) -> Result<(), Infallible> {
        let mut content = self.content.lock().unwrap();
        content.records.retain(|record, _| finished.keeps(record));
        finished.token.clone_into(&mut content.token);
        content.walks += usize::from(finished.is_walk());
        Ok(())
    }
}

impl Copy {
    fn token(&self) -> String {
        self.content.lock().unwrap().token.clone()
    }

    /// The records, without the counts of terms, which change without a change of the record.
    fn records(&self) -> BTreeMap<RecordRef, SyncRecord> {
        let mut records = self.content.lock().unwrap().records.clone();
        for record in records.values_mut() {
            match record {
                SyncRecord::Category(category) => category.record.count = 0,
                SyncRecord::Tag(tag) => tag.record.count = 0,
                _ => {}
            }
        }
        records
    }

    /// Fails unless a fresh copy is the same.
    async fn assert_fresh(&self, client: &Client) {
        let fresh = Self::default();
        client.feed().with_texts().catch_up(&mut fresh.clone(), None).await.unwrap();
        assert_eq!(self.records(), fresh.records());
    }
}

const STATUSES: [&str; 4] = ["publish", "draft", "pending", "private"];

/// Sends random writes, of which the service may refuse some. Private texts have a canary.
async fn write(app: &TestApp, seed: u64, rounds: u32) {
    let mut dice = Dice(seed);
    for _ in 0..rounds {
        let client = app.user(dice.pick(&[1, 2, 6]));
        let status = dice.pick(&STATUSES);
        let secret = if status == "publish" { "" } else { CANARY };
        let name = format!("Fair {}", dice.roll(100));
        let id = dice.roll(15) + 1;
        let (list, mut fields) = match dice.roll(7) {
            0 => ("venues", json!({"venue": name, "status": status, "description": secret})),
            1 => {
                ("organizers", json!({"organizer": name, "status": status, "description": secret}))
            }
            2 => (
                "categories",
                json!({"name": format!("C {}", dice.roll(9)), "parent": dice.roll(4)}),
            ),
            3 => ("tags", json!({"name": format!("T {}", dice.roll(9))})),
            _ => (
                "events",
                json!({"title": name, "status": status, "description": secret,
                    "start_date": "2027-03-10 10:00", "end_date": "2027-03-10 12:00"}),
            ),
        };
        for (link, most) in [("venue", 6), ("organizer", 6), ("categories", 4), ("tags", 4)] {
            if list == "events" && dice.once_in(3) {
                fields[link] = json!(dice.roll(most) + 1);
            }
        }
        if list == "tags" && dice.once_in(3) {
            fields["ml_language"] = json!("fr");
        }
        match dice.roll(5) {
            0 | 1 => client.post(&format!("/{list}"), fields).await,
            2 => client.delete(&format!("/{list}/{id}?force={}", dice.once_in(2))).await,
            _ => client.send_json(Method::PUT, &format!("/{list}/{id}"), &fields).await,
        };
    }
}

const CALENDAR: &str = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//x//EN\r\nBEGIN:VEVENT\r\nUID:NAME@fair.example\r\n\
    DTSTAMP:20270101T000000Z\r\nDTSTART:20270401T090000Z\r\nDTEND:20270401T100000Z\r\nSUMMARY:Imported NAME\r\nEND:VEVENT\r\n\
    END:VCALENDAR\r\n";

/// The copies of five callers are what fresh walks hold, after others wrote, imported and deleted meanwhile; no copy of a
/// caller without rights ever held a private text.
#[both_stores(threads = 2)]
async fn copies_are_equal_after_concurrent_writes(app: &TestApp) {
    write(app, 1, 25).await;
    let mut kept = Vec::new();
    for user in CALLERS {
        let (client, copy) = (connect(app, user).await, Copy::default());
        let (feed, mut mirror) = (client.feed().with_texts(), copy.clone());
        let task = tokio::spawn(async move { feed.keep(&mut mirror, None).await });
        kept.push((client, copy, task));
    }
    let imported = async {
        for name in ["1", "2", "3"] {
            let body = ("text/calendar", CALENDAR.replace("NAME", name).into_bytes());
            let answer = app.admin().send(Method::POST, "/imports", Some(body)).await;
            assert_eq!(answer.status, 200, "{}", answer.text());
        }
    };
    tokio::join!(write(app, 2, 60), write(app, 3, 60), write(app, 4, 60), imported);
    for (client, copy, task) in kept {
        // All that was acknowledged before this request is in its answer.
        task.abort();
        let _ = task.await;
        let token = Some(copy.token()).filter(|token| !token.is_empty());
        client.feed().with_texts().catch_up(&mut copy.clone(), token.as_deref()).await.unwrap();
        copy.assert_fresh(&client).await;
        assert!(!copy.records().is_empty());
        assert_eq!(copy.content.lock().unwrap().walks, 1);
    }
}

/// No copy of a caller without rights holds a private text, not even for a moment.
#[both_stores(threads = 2)]
async fn private_texts_are_in_no_copy_of_others(app: &TestApp) {
    let mut kept = Vec::new();
    for user in [0, 5, 4, 3] {
        let (client, copy) = (connect(app, user).await, Copy::default());
        let (feed, mut mirror) = (client.feed().with_texts(), copy.clone());
        let task = tokio::spawn(async move { feed.keep(&mut mirror, None).await });
        kept.push((client, copy, task));
    }
    tokio::join!(write(app, 5, 60), write(app, 6, 60));
    for (client, copy, task) in kept {
        task.abort();
        client.feed().with_texts().catch_up(&mut copy.clone(), None).await.unwrap();
        assert_eq!(*copy.sightings.lock().unwrap(), BTreeSet::new());
    }
    let all = Copy::default();
    connect(app, 1).await.feed().catch_up(&mut all.clone(), None).await.unwrap();
    assert!(!all.sightings.lock().unwrap().is_empty(), "there was something to see");
}

/// A copy that is kept sees a change at once; a token of another caller leads to a new walk, which drops what it does not
/// name.
#[both_stores(threads = 2)]
async fn a_copy_goes_on_from_its_token(app: &TestApp) {
    let draft = app.admin().event(json!({"status": "draft"})).await;
    let fair = app.admin().event(json!({})).await;
    let (admin, copy) = (connect(app, 1).await, Copy::default());
    let token = admin.feed().catch_up(&mut copy.clone(), None).await.unwrap();
    assert_eq!((copy.token(), copy.records().len()), (token.clone(), 2));
    assert_eq!(admin.feed().catch_up(&mut copy.clone(), Some(&token)).await.unwrap(), token);

    let (feed, mut mirror, since) = (admin.feed(), copy.clone(), Some(token.clone()));
    let task = tokio::spawn(async move { feed.keep(&mut mirror, since).await });
    app.admin().delete(&format!("/events/{}", tests::client::id(&fair))).await;
    while copy.token() == token {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    task.abort();
    assert_eq!(copy.records().len(), 1);

    let nobody = connect(app, 0).await;
    let expired = copy.token();
    nobody.feed().catch_up(&mut copy.clone(), Some(&expired)).await.unwrap();
    assert_eq!(copy.records().len(), 0, "{draft}");
    assert_eq!(copy.content.lock().unwrap().walks, 2);
    let venues = nobody.feed().of_kinds([domain::Kind::Venue]);
    app.admin().make("/venues", json!({"venue": "Mill"})).await;
    app.admin().event(json!({})).await;
    venues.catch_up(&mut copy.clone(), None).await.unwrap();
    assert!(matches!(copy.records().values().next(), Some(SyncRecord::Venue(_))));
    let record: Value = serde_json::to_value(&match copy.records().pop_first() {
        Some((_, SyncRecord::Venue(venue))) => venue,
        other => panic!("{other:?}"),
    })
    .unwrap();
    assert_eq!(record["venue"], "Mill");
}
