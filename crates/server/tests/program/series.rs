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

/// The number of occurrences that `maintain` says it added.
fn added(said: &str) -> usize {
    let first = said.lines().next().unwrap();
    let number = first.rsplit_once(' ').unwrap().1;
    number.parse().unwrap()
}

/// R-131: `maintain` in two processes at once gives no slot twice. `serve` does the same work at its
/// start.
fn maintain_twice_at_once(installation: &Installation) {
    const SERIES: usize = 120;
    let year = "--recurrence-months=12";
    let server = installation.serve(&[year]);
    let token = installation.token();
    let mut all = Vec::new();
    for number in 0..SERIES {
        let body = format!(
            r#"{{"title": "Weekly {number}", "start_date": "tomorrow 19:00",
                "end_date": "tomorrow 20:00", "recurrence": "FREQ=WEEKLY"}}"#
        );
        let made = write(&server.address, &token, "POST /cal/events/v1/events", &body);
        all.push(made.unwrap().1);
    }
    let kept = |server: &Server| -> Vec<(usize, String)> {
        let lists = all.iter().map(|series| {
            let shown = server.list(&format!("events/{series}"));
            let until = shown["recurrence"]["kept_until"]
                .as_str()
                .unwrap()
                .to_owned();
            let list = format!("events/{series}/occurrences?per_page=100");
            let list = server.list(&list);
            let events = list["events"].as_array().unwrap();
            let slots = events
                .iter()
                .map(|event| event["series"]["recurrence_id"].to_string());
            assert_eq!(slots.collect::<BTreeSet<_>>().len(), events.len());
            assert_eq!(list["total"], events.len());
            (events.len(), until)
        });
        lists.collect()
    };
    let before = kept(&server);
    server.stop();

    let arguments = ["maintain", "--recurrence-months=15"];
    let said = thread::scope(|scope| {
        let run = || scope.spawn(|| installation.said(&arguments));
        [run(), run()].map(|process| process.join().unwrap())
    });
    let nothing = "series extended: 0, occurrences added: 0\njournal entries deleted: 0\nentries of the trail deleted: 0\n\
                   tombstones deleted: 0\nexpired sessions deleted: 0\n\
                   closed proposals deleted: 0\npairs of duplicates found: 0\nsources read: 0, of which failed: 0\n";
    assert_eq!(installation.said(&arguments), nothing);
    let server = installation.serve(&[year]);
    let after = kept(&server);
    let total = |kept: &[(usize, String)]| kept.iter().map(|(number, _)| number).sum::<usize>();
    let added: usize = said.iter().map(|said| added(said)).sum();
    assert_eq!(total(&after), total(&before) + added, "{said:?}");
    assert!(added >= 12 * SERIES, "{said:?}");
    assert!(
        after
            .iter()
            .all(|(_, until)| *until == after[0].1 && *until > before[0].1)
    );
    server.stop();

    let server = installation.serve(&["--recurrence-months=16"]);
    let started = std::time::Instant::now();
    while kept(&server).iter().any(|(_, until)| *until == after[0].1) {
        assert!(started.elapsed() < TIMEOUT);
        thread::sleep(Duration::from_millis(50));
    }
    server.stop();
}

#[test]
fn two_processes_maintain_series_on_sqlite() {
    maintain_twice_at_once(&Installation::sqlite());
}

#[test]
fn two_processes_maintain_series_on_postgres() {
    if let Some(installation) = Installation::postgres() {
        maintain_twice_at_once(&installation);
    }
}
