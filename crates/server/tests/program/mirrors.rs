//! Copies of a calendar that is killed, restored and written to meanwhile, and `mirror`.

use std::{
    collections::BTreeMap,
    convert::Infallible,
    process::Stdio,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use client::{
    Client,
    sync::{Finished, Mirror, RecordRef, SyncRecord},
};
use domain::Secret;
use serde_json::Value;

use crate::{
    ALWAYS, SOME_IMPORTED, TIMEOUT,
    server::{Installation, Server, block_on, lasting_address, send_form},
    some_conferences,
    writers::{CANARY, Done, look_alike, merge, write},
};

/// A copy in memory. It forgets the token at the first change of a batch, of which half may be applied.
#[derive(Clone, Debug, Default)]
struct Copy(Arc<Mutex<(BTreeMap<RecordRef, SyncRecord>, String)>>);

impl Mirror for Copy {
    type Error = Infallible;

    async fn upsert(&mut self, record: SyncRecord) -> Result<(), Infallible> {
        let (records, token) = &mut *self.0.lock().unwrap();
        token.clear();
        records.insert(record.key(), record);
        Ok(())
    }

    async fn remove(&mut self, record: RecordRef) -> Result<(), Infallible> {
        let (records, token) = &mut *self.0.lock().unwrap();
        token.clear();
        records.remove(&record);
        Ok(())
    }

    async fn finish(&mut self, finished: Finished<'_>) -> Result<(), Infallible> {
        let (records, token) = &mut *self.0.lock().unwrap();
        records.retain(|record, _| finished.keeps(record));
        finished.token.clone_into(token);
        Ok(())
    }
}

impl Copy {
    /// The records, without what changes without a change of the record.
    fn records(&self) -> BTreeMap<RecordRef, SyncRecord> {
        let mut records = self.0.lock().unwrap().0.clone();
        for record in records.values_mut() {
            match record {
                SyncRecord::Category(category) => category.record.count = 0,
                SyncRecord::Tag(tag) => tag.record.count = 0,
                _ => {}
            }
        }
        records
    }
}

/// Clients of nobody, a subscriber, a contributor, an author and an administrator.
fn clients(installation: &Installation, address: &str) -> Vec<Client> {
    let client = |token: Option<String>| {
        let client = Client::new(&format!("http://{address}")).unwrap();
        match token {
            None => client,
            Some(token) => client.with_token(&Secret::new(token)).unwrap(),
        }
    };
    let mut clients = vec![client(None)];
    for role in ["subscriber", "contributor", "author", "administrator"] {
        installation.said(&["user", "add", role, "--role", role]);
        let said = installation.said(&["token", "create", "--user", role, "--name", "sync"]);
        clients.push(client(Some(said.trim().to_owned())));
    }
    clients
}

/// Copies of five callers are what fresh walks hold, after writers of several kinds, an import, deletions, merges of
/// duplicates, and changes of series and of their dates, while the server was killed twice.
fn keep_copies(installation: &Installation) {
    let address = lasting_address();
    let serve = || installation.serve(&["--listen", &address]);
    let server = serve();
    let token = installation.token();
    let clients = clients(installation, &address);
    look_alike(&address, &token);
    installation.said(&["maintain"]);
    let conferences = some_conferences(installation);
    block_on(async {
        let kept = clients.iter().map(|client| {
            let (feed, copy) = (client.feed(), Copy::default());
            let mut mirror = copy.clone();
            let task = tokio::spawn(async move { feed.keep(&mut mirror, None).await });
            (client, copy, task)
        });
        let kept: Vec<_> = kept.collect();
        let is_over = Arc::new(AtomicBool::new(false));
        let writers: Vec<_> = (1..=3)
            .map(|seed| {
                let (address, token) = (address.clone(), token.clone());
                let is_over = Arc::clone(&is_over);
                std::thread::spawn(move || write(&address, &token, seed, &is_over))
            })
            .collect();
        let merger = {
            let (address, token) = (address.clone(), token.clone());
            let is_over = Arc::clone(&is_over);
            std::thread::spawn(move || merge(&address, &token, &is_over))
        };
        let mut server = server;
        for round in 0..2 {
            let mut import = installation
                .command(&["import", &conferences])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            tokio::time::sleep(Duration::from_secs(2)).await;
            // `kill -9`
            server.child.kill().unwrap();
            server.child.wait().unwrap();
            if round == 0 {
                import.kill().unwrap();
            }
            server = serve();
            let started = std::time::Instant::now();
            while import.try_wait().unwrap().is_none() {
                assert!(started.elapsed() < TIMEOUT, "the import takes too long");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
        is_over.store(true, Ordering::SeqCst);
        let mut done = Done::default();
        for writer in writers {
            done.add(&writer.join().unwrap());
        }
        done.add(&merger.join().unwrap());
        done.check();
        for (caller, (client, copy, task)) in kept.into_iter().enumerate() {
            assert!(!task.is_finished(), "the copy of caller {caller} is kept");
            task.abort();
            let _ = task.await;
            let token = copy.0.lock().unwrap().1.clone();
            let token = Some(token).filter(|token| !token.is_empty());
            client
                .feed()
                .catch_up(&mut copy.clone(), token.as_deref())
                .await
                .unwrap();
            let fresh = Copy::default();
            client
                .feed()
                .catch_up(&mut fresh.clone(), None)
                .await
                .unwrap();
            let (records, fresh) = (copy.records(), fresh.records());
            let mut keys: Vec<_> = records.keys().chain(fresh.keys()).collect();
            keys.sort();
            keys.dedup();
            keys.retain(|key| records.get(key) != fresh.get(key));
            let differing: Vec<_> = keys
                .into_iter()
                .map(|key| (records.get(key), fresh.get(key)))
                .collect();
            assert!(
                differing.is_empty(),
                "the copy of caller {caller} differs in {}: {:#?}",
                differing.len(),
                &differing[..1]
            );
            assert!(records.len() as u64 > SOME_IMPORTED, "{}", records.len());
            let is_seen = format!("{records:?}").contains(CANARY);
            assert_eq!(is_seen, caller == 4, "caller {caller}");
        }
        server.stop();
    });
}

#[test]
fn copies_are_equal_after_kills_on_sqlite() {
    keep_copies(&Installation::sqlite());
}

/// PostgreSQL goes on while the server is away.
#[test]
fn copies_are_equal_after_kills_on_postgres() {
    if let Some(installation) = Installation::postgres() {
        keep_copies(&installation);
    }
}

/// After an older backup was restored, a kept copy walks again, and holds what the backup has.
#[test]
fn a_copy_follows_a_restored_backup() {
    let installation = Installation::sqlite();
    let address = lasting_address();
    let serve = || installation.serve(&["--listen", &address]);
    let server = serve();
    let token = installation.token();
    let add = |name: &str| {
        let form = format!("name={name}");
        let made = send_form(&address, "POST /cal/events/v1/tags", &token, &form).unwrap();
        assert_eq!(made.0, 201, "{}", made.1);
    };
    add("One");
    installation.said(&["backup", "older.db"]);
    add("Two");
    block_on(async {
        let client = Client::new(&format!("http://{address}")).unwrap();
        let copy = Copy::default();
        let newer = client
            .feed()
            .catch_up(&mut copy.clone(), None)
            .await
            .unwrap();
        assert_eq!(copy.records().len(), 2);
        server.stop();
        for end in ["-wal", "-shm"] {
            let _ = std::fs::remove_file(installation.path(&format!("calendar.db{end}")));
        }
        std::fs::copy(
            installation.path("older.db"),
            installation.path("calendar.db"),
        )
        .unwrap();
        let server = serve();
        add("Three");
        client
            .feed()
            .catch_up(&mut copy.clone(), Some(&newer))
            .await
            .unwrap();
        let records = copy.records();
        let names: Vec<_> = records.values().map(SyncRecord::name).collect();
        assert_eq!(names, ["One", "Three"]);
        server.stop();
    });
}

/// The events of a calendar, without what a copy has of its own.
fn shown(server: &Server) -> Vec<Value> {
    let mut events = server.events(ALWAYS);
    for event in &mut events {
        let fields = event.as_object_mut().unwrap();
        for name in [
            "id",
            "author",
            "modified",
            "modified_utc",
            "date",
            "image",
            "url",
            "rest_url",
            "global_id",
            "global_id_lineage",
            "website",
            "venue",
            "organizer",
            "categories",
            "tags",
            "series",
        ] {
            let value = fields.remove(name);
            let named = value.as_ref().map(|value| match value {
                Value::Array(all) => all.iter().map(|one| one["id"].clone()).collect(),
                one => one["id"].clone(),
            });
            fields.insert(format!("{name}_id"), named.unwrap_or_default());
        }
    }
    // Dates of series have other IDs in a copy, by which lists order events that start together.
    events.sort_by_key(Value::to_string);
    events
}

/// `mirror` copies records with their IDs, follows changes and deletions, refuses a database with records of its own, and
/// goes on after a kill; `serve --read-only` refuses writes.
#[test]
fn a_calendar_is_copied_into_another_database() {
    let original = Installation::sqlite();
    let server = original.serve(&[]);
    let (token, address) = (original.token(), server.address.clone());
    let send = |request: &str, form: &str| {
        let answer = send_form(&address, request, &token, form).unwrap();
        assert!(answer.0 < 300, "{request}: {}", answer.1);
    };
    let times = "start_date=2040-01-01+10:00&end_date=2040-01-01+11:00&timezone=Europe/Paris";
    let events = "POST /cal/events/v1/events";
    send(events, &format!("title=Gone&{times}"));
    send("DELETE /cal/events/v1/events/1?force=true", "");
    send(
        events,
        &format!("title=Fair&cost=5&venue%5Bvenue%5D=Old+Mill&tags=Loud&categories=Music&{times}"),
    );
    send("PUT /cal/events/v1/events/2", "ml_language=fr&title=Foire");
    send(
        events,
        &format!("title=Jazz&recurrence=FREQ%3DWEEKLY%3BCOUNT%3D4&{times}"),
    );
    send(events, &format!("title=Draft&status=draft&{times}"));
    send(
        "PUT /cal/events/v1/events/3/occurrences/2040-01-08T10:00:00",
        "title=Special&cancelled=true",
    );

    let copy = Installation::sqlite();
    std::fs::write(copy.path("token.txt"), &token).unwrap();
    let url = format!("http://{address}");
    let once = [
        "mirror",
        url.as_str(),
        "--token-file",
        "token.txt",
        "--once",
    ];
    let said = copy.said(&once);
    assert!(said.ends_with(" 0 records refused\n"), "{said}");
    let reader = copy.serve(&["--read-only"]);
    assert_eq!(shown(&reader), shown(&server));
    let event = reader.list("events/2?ml_language=fr");
    assert_eq!(
        (&event["title"], &event["venue"]["venue"]),
        (&"Foire".into(), &"Old Mill".into())
    );
    let token_here = copy.said(&["token", "create", "--user", "mirror", "--name", "test"]);
    let refused = send_form(
        &reader.address,
        "POST /cal/events/v1/tags",
        token_here.trim(),
        "name=x",
    )
    .unwrap();
    assert_eq!(refused.0, 403, "{}", refused.1);
    assert!(refused.1.contains("read-only"), "{}", refused.1);

    // It follows, is killed, and goes on.
    let mut follower = copy
        .command(&once[..4])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let await_equal = || {
        let started = std::time::Instant::now();
        while shown(&reader) != shown(&server) {
            assert!(
                started.elapsed() < TIMEOUT,
                "{:#?}\n{:#?}",
                shown(&reader),
                shown(&server)
            );
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    send(events, &format!("title=Late&{times}"));
    send("DELETE /cal/events/v1/events/2", "");
    await_equal();
    follower.kill().unwrap();
    follower.wait().unwrap();
    send("DELETE /cal/events/v1/events/3?force=true", "");
    let said = copy.said(&once);
    assert!(said.ends_with(" 0 records refused\n"), "{said}");
    await_equal();
    reader.stop();

    let other = original.run(&["mirror", url.as_str(), "--once"]).failed(1);
    assert!(other.contains("records of its own"), "{other}");
    server.stop();
}
