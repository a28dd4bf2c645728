//! Tests with many writers, and with many servers.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use adapters_db::DbOptions;
use app::{
    ports::SiteChange,
    test_support::{at, in_unit},
};
use domain::{UserId, site::SiteValue};
use sea_orm::{ConnectionTrait, Database};
use serde_json::Value;
use tests::db::TestDb;

use crate::{
    backups::SOUND,
    server::{Installation, Server, block_on, exchange, send_form},
};

/// The result of a creation.
pub(crate) enum Tried {
    /// Created with this ID.
    Added(u64),
    /// The server was overloaded.
    Refused,
}

/// Creates an event with a venue and a tag of its own. Returns nothing without a server.
pub(crate) fn try_create(address: &str, token: &str, title: &str) -> Option<Tried> {
    let form = format!(
        "title={title}&start_date=2030-01-01+10:00&end_date=2030-01-01+12:00\
         &venue[venue]=Hall+of+{title}&tags[]=Tag+of+{title}"
    );
    let (status, body) = send_form(address, "POST /cal/events/v1/events", token, &form)?;
    if status == 503 {
        return Some(Tried::Refused);
    }
    assert_eq!(status, 201, "{body}");
    let event: Value = serde_json::from_str(&body).ok()?;
    event["id"].as_u64().map(Tried::Added)
}

/// IDs of the events of [`try_create`], after a check that each is complete.
pub(crate) fn created(server: &Server) -> BTreeSet<u64> {
    let events = server.events("start_date=2029-01-01&end_date=2031-01-01");
    for event in &events {
        let title = event["title"].as_str().unwrap();
        assert_eq!(event["venue"]["venue"], format!("Hall of {title}"));
        assert_eq!(event["tags"][0]["name"], format!("Tag of {title}"));
        assert_eq!(event["tags"][0]["count"], 1);
    }
    for kind in ["venues", "tags"] {
        let total = server.list(&format!("{kind}?per_page=1"))["total"].clone();
        assert_eq!(total, events.len(), "each {kind} is that of an event");
    }
    events
        .iter()
        .map(|one| one["id"].as_u64().unwrap())
        .collect()
}

/// Kills a server repeatedly under many writers: acknowledged records exist, and every record is
/// complete.
fn kill_a_server_under_writers(installation: &Installation) {
    const WRITERS: usize = 16;

    let mut acknowledged = BTreeSet::new();
    for round in 0..4_usize {
        let mut server = installation.serve(&[]);
        let (address, token) = (server.address.clone(), installation.token());
        let ids = created(&server);
        let lost: Vec<_> = acknowledged.difference(&ids).collect();
        assert!(lost.is_empty(), "round {round}: lost {lost:?}");

        let (sender, received) = std::sync::mpsc::channel();
        std::thread::scope(|scope| {
            for writer in 0..WRITERS {
                let (sender, address, token) = (sender.clone(), &address, &token);
                scope.spawn(move || {
                    for number in 0.. {
                        let title = format!("Event-{round}-{writer}-{number}");
                        match try_create(address, token, &title) {
                            Some(Tried::Added(id)) => sender.send(id).unwrap(),
                            Some(Tried::Refused) => {}
                            None => break,
                        }
                    }
                });
            }
            drop(sender);
            acknowledged.extend(received.iter().take(60 + 40 * round));
            server.child.kill().unwrap();
            acknowledged.extend(received.iter());
        });
        server.child.wait().unwrap();
    }
    assert!(acknowledged.len() > 100);
    assert_eq!(installation.said(&["doctor"]), SOUND);
}

#[test]
fn acknowledged_writes_survive_a_kill_on_sqlite() {
    kill_a_server_under_writers(&Installation::sqlite());
}

#[test]
fn acknowledged_writes_survive_a_kill_on_postgres() {
    if let Some(installation) = Installation::postgres() {
        kill_a_server_under_writers(&installation);
    }
}

/// Servers that start at once on a new file all serve, and one of them creates the administrator.
/// 24 starts.
#[test]
fn first_starts_at_once_on_one_sqlite_file_all_serve() {
    for round in 0..6 {
        let installation = Installation::sqlite();
        let servers = Server::run_all([(); 4].map(|()| installation.server(&[])));
        let users = installation.said(&["user", "list"]);
        assert_eq!(users.matches("admin ").count(), 1, "round {round}: {users}");
        for server in servers {
            assert_eq!(server.total("events"), 0);
            server.stop();
        }
    }
}

#[test]
fn servers_that_start_together_bring_the_schema_up_to_date_once() {
    let Some(db) = block_on(TestDb::postgres()) else {
        return;
    };
    let empty = block_on(db.empty());
    let installations = [(); 3].map(|()| Installation::over(empty.url.clone()));
    let servers = Server::run_all(installations.each_ref().map(|one| one.server(&[])));
    let tokens = installations
        .iter()
        .filter(|one| one.path("events-calendar.token").exists());
    assert_eq!(tokens.count(), 1, "one of them makes the administrator");
    for server in servers {
        assert_eq!(server.total("events"), 0);
        server.stop();
    }
}

/// The value of a header in a response.
fn header<'a>(head: &'a str, name: &str) -> &'a str {
    let line = head
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    line.unwrap_or_else(|| panic!("no {name} in {head}"))
}

/// F-46: a poll of a feed of one program finds at once what another one wrote into the same database.
fn poll_beside_another_program(installation: &Installation) {
    let [writer, reader] = Server::run_all([(); 2].map(|()| installation.server(&[])));
    let token = installation.token();
    let mut tag = "\"none\"".to_owned();
    for round in 0..40 {
        let title = format!("Event-{round}.");
        assert!(matches!(
            try_create(&writer.address, &token, &title),
            Some(Tried::Added(_))
        ));
        let conditions = format!("If-None-Match: {tag}\r\n");
        let path = "GET /cal/events/v1/events.ics?start_date=2030-01-01&end_date=2030-01-01";
        let answer = exchange(&reader.address, path, &conditions, "").unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(
            head.starts_with("HTTP/1.1 200"),
            "stale after {title}: {head}"
        );
        assert!(body.contains(&format!(":{title}\r\n")), "{body}");
        header(head, "etag").clone_into(&mut tag);
    }
    let conditions = format!("If-None-Match: {tag}\r\n");
    let path = "/cal/events/v1/events.ics?start_date=2030-01-01&end_date=2030-01-01";
    assert_eq!(reader.get_with(path, &conditions).0, 304);
}

#[test]
fn feeds_beside_another_program_are_current_on_sqlite() {
    poll_beside_another_program(&Installation::sqlite());
}

#[test]
fn feeds_beside_another_program_are_current_on_postgres() {
    if let Some(installation) = Installation::postgres() {
        poll_beside_another_program(&installation);
    }
}

/// Pages show a setting of the site that another process stored, within 5 seconds. A flag takes precedence.
fn another_process_changes_the_site(installation: &Installation) {
    let follower = installation.serve(&[]);
    let fixed = installation.serve(&["--site-name", "Shelbyville"]);
    assert!(!follower.get("/").1.contains("Springfield"));
    block_on(async {
        let store = adapters_db::connect(&DbOptions::new(installation.database()))
            .await
            .unwrap();
        let named = ["Springfield", "Town of Springfield"].map(|text| text.parse().unwrap());
        let [name, footer] = named;
        let set = [
            SiteChange::Set(SiteValue::Name(name)),
            SiteChange::Set(SiteValue::Footer(footer)),
        ];
        let (admin, now) = (UserId::from_raw(1), at("2030-01-01 12:00:00"));
        let changed = in_unit(&store, async |to| {
            to.settings().change_site(0, &set, admin, now).await
        });
        assert!(changed.await.unwrap());
        store.close().await.unwrap();
    });
    let shown = installation.said(&["config", "show", "--site-name", "Shelbyville"]);
    for [setting, value, origin] in [
        ["site-name", "Shelbyville", "flag"],
        ["site-footer", "Town of Springfield", "desk"],
    ] {
        let row = shown
            .lines()
            .find(|row| row.starts_with(&format!("{setting} ")));
        let row = row.unwrap();
        assert!(
            row.contains(value) && row.ends_with(&format!(" {origin}")),
            "{row}"
        );
    }
    let deadline = Instant::now() + Duration::from_secs(5);
    for (server, name) in [(&follower, "Springfield"), (&fixed, "Shelbyville")] {
        loop {
            let (_, page) = server.get("/");
            if page.contains("Town of Springfield") {
                assert!(page.contains(&format!("· {name}</title>")), "{page}");
                break;
            }
            assert!(Instant::now() < deadline, "{page}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

#[test]
fn another_process_changes_the_site_on_sqlite() {
    another_process_changes_the_site(&Installation::sqlite());
}

#[test]
fn another_process_changes_the_site_on_postgres() {
    if let Some(installation) = Installation::postgres() {
        another_process_changes_the_site(&installation);
    }
}

/// A long write of another process, such as a large import, does not keep a server from starting again: it has nothing
/// to write.
#[test]
fn a_server_starts_while_another_process_writes() {
    let installation = Installation::sqlite();
    installation.serve(&[]).stop();
    block_on(async {
        let other = Database::connect(installation.database()).await.unwrap();
        other.execute_unprepared("BEGIN IMMEDIATE").await.unwrap();
        for arguments in [&[][..], &["--no-migrate"]] {
            let server = installation.serve(arguments);
            assert_eq!(server.get("/cal/events/v1/events").0, 200);
            server.stop();
        }
        other.execute_unprepared("COMMIT").await.unwrap();
    });
}
