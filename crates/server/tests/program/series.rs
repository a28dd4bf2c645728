//! Writes of many occurrences, interrupted and seen from beside.

use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

use super::{
    TIMEOUT,
    server::{Installation, Server, send},
};

/// The most occurrences of a series.
const OCCURRENCES: usize = 5000;

/// Writes a series, and returns its ID and whether it was acknowledged.
fn write(address: &str, token: &str, request: &str, body: &str) -> Option<(u16, u64)> {
    let headers = format!("Authorization: Bearer {token}\r\nContent-Type: application/json\r\n");
    let (status, body) = send(address, request, &headers, body)?;
    let record: serde_json::Value = serde_json::from_str(&body).ok()?;
    Some((status, record["id"].as_u64()?))
}

fn create(address: &str, token: &str, title: &str) -> Option<(u16, u64)> {
    let body = format!(
        r#"{{"title": "{title}", "start_date": "2027-01-01 09:00", "end_date": "2027-01-01 10:00",
            "recurrence": "FREQ=DAILY;COUNT={OCCURRENCES}"}}"#
    );
    write(address, token, "POST /cal/events/v1/events", &body)
}

/// The days of the occurrences of a list, which has no slot twice.
fn hours(server: &Server, series: u64) -> BTreeSet<String> {
    let mut slots = BTreeSet::new();
    let mut hours = BTreeSet::new();
    for page in 1..=OCCURRENCES / 50 {
        let list = server.list(&format!(
            "events/{series}/occurrences?per_page=50&page={page}"
        ));
        assert_eq!(list["total"], OCCURRENCES);
        for event in list["events"].as_array().unwrap() {
            let start = event["start_date"].as_str().unwrap();
            hours.insert(start.split_once(' ').unwrap().1.to_owned());
            let slot = event["series"]["recurrence_id"].as_str().unwrap();
            assert!(slots.insert(slot.to_owned()), "{slot} is there twice");
        }
    }
    hours
}

/// Kills a server while it writes occurrences. The state after it is the old or the new one.
fn kill_a_server_under_a_write(installation: &Installation) {
    let server = installation.serve(&[]);
    let token = installation.token();
    let (_, series) = create(&server.address, &token, "There").unwrap();
    drop(server);
    for delay in [2, 20, 60, 150, 400] {
        let mut server = installation.serve(&[]);
        let before = hours(&server, series);
        let hour = if before.contains("09:00:00") { 11 } else { 9 };
        let address = server.address.clone();
        let acknowledged = thread::scope(|scope| {
            let (address, token) = (&address, &token);
            let move_all = scope.spawn(move || {
                let body = format!(
                    r#"{{"start_date": "2027-01-01 {hour:02}:00", "end_date": "2027-01-01 {}:00"}}"#,
                    hour + 1
                );
                write(address, token, &format!("PATCH /cal/events/v1/events/{series}"), &body)
            });
            let create = scope.spawn(move || create(address, token, "New"));
            thread::sleep(Duration::from_millis(delay));
            server.child.kill().unwrap();
            server.child.wait().unwrap();
            create.join().unwrap();
            move_all.join().unwrap().is_some()
        });
        drop(server);
        let server = installation.serve(&[]);
        let after = hours(&server, series);
        assert_eq!(after.len(), 1, "all have moved, or none: {after:?}");
        let has_moved = after != before;
        assert!(has_moved || !acknowledged, "what was acknowledged is there");
        // All occurrences of a new series are there, or none.
        let all = server.total("events?start_date=2027-01-01&end_date=9999-01-01&per_page=1");
        assert_eq!(usize::try_from(all).unwrap() % OCCURRENCES, 0, "{all}");
        server.stop();
    }
}

/// R-131: a server that is killed while it writes 5,000 occurrences has written none or all.
#[test]
fn a_killed_write_of_occurrences_leaves_none_or_all_on_sqlite() {
    kill_a_server_under_a_write(&Installation::sqlite());
}

/// R-131 on PostgreSQL.
#[test]
fn a_killed_write_of_occurrences_leaves_none_or_all_on_postgres() {
    if let Some(installation) = Installation::postgres() {
        kill_a_server_under_a_write(&installation);
    }
}

/// Splits a series repeatedly while lists are read. No list shows half of a split.
fn split_under_readers(installation: &Installation) {
    const DAYS: u64 = 400;
    let server = installation.serve(&[]);
    let token = installation.token();
    let body = format!(
        r#"{{"title": "Daily", "start_date": "2027-01-01 09:00", "end_date": "2027-01-01 10:00",
            "recurrence": "FREQ=DAILY;COUNT={DAYS}"}}"#
    );
    let (_, series) = write(&server.address, &token, "POST /cal/events/v1/events", &body).unwrap();
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        let readers: Vec<_> = (0..3)
            .map(|_| {
                scope.spawn(|| {
                    let mut reads = 0;
                    while !is_done.load(Ordering::SeqCst) {
                        let query = "events?start_date=2027-01-01&end_date=2029-01-01&per_page=1";
                        assert_eq!(server.total(query), DAYS, "a list shows half of a split");
                        reads += 1;
                    }
                    reads
                })
            })
            .collect();
        let started = std::time::Instant::now();
        for day in ["2027-11-01", "2027-09-01", "2027-06-01", "2027-03-01"] {
            assert!(started.elapsed() < TIMEOUT);
            let path =
                format!("PATCH /cal/events/v1/events/{series}/occurrences/{day}?scope=following");
            let (status, _) =
                write(&server.address, &token, &path, r#"{"title": "Later"}"#).unwrap();
            assert_eq!(status, 200);
        }
        is_done.store(true, Ordering::SeqCst);
        let reads: Vec<u32> = readers
            .into_iter()
            .map(|reader| reader.join().unwrap())
            .collect();
        assert!(reads.iter().sum::<u32>() > 0);
    });
    server.stop();
}

#[test]
fn no_list_shows_half_of_a_split_on_sqlite() {
    split_under_readers(&Installation::sqlite());
}

#[test]
fn no_list_shows_half_of_a_split_on_postgres() {
    if let Some(installation) = Installation::postgres() {
        split_under_readers(&installation);
    }
}
