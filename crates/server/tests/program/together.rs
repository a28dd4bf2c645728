//! Tests with many writers, and with many servers.

use std::{
    collections::HashSet,
    io::{Read, Write},
    net::TcpStream,
    path::Path,
};

use serde_json::Value;
use tempfile::TempDir;

use crate::server::{Server, postgres, program, sqlite, text};

/// The result of a creation.
pub(crate) enum Tried {
    /// Created with this ID.
    Added(u64),
    /// The server was overloaded.
    Refused,
}

/// Creates an event with a venue and a tag of its own. Returns nothing without a server.
pub(crate) fn try_create(address: &str, token: &str, title: &str) -> Option<Tried> {
    let mut stream = TcpStream::connect(address).ok()?;
    let body = format!(
        "title={title}&start_date=2030-01-01+10:00&end_date=2030-01-01+12:00\
         &venue[venue]=Hall+of+{title}&tags[]=Tag+of+{title}"
    );
    write!(
        stream,
        "POST /cal/events/v1/events HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\
         Authorization: Bearer {token}\r\nContent-Type: application/x-www-form-urlencoded\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .ok()?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).ok()?;
    let answer = text(&answer);
    let (head, body) = answer.split_once("\r\n\r\n")?;
    if head.starts_with("HTTP/1.1 503 ") {
        return Some(Tried::Refused);
    }
    assert!(head.starts_with("HTTP/1.1 201 "), "{answer}");
    let event: Value = serde_json::from_str(body).ok()?;
    event["id"].as_u64().map(Tried::Added)
}

/// Kills a server repeatedly under many writers: acknowledged records exist, and every record is
/// complete.
fn kill_a_server_under_writers(folder: &Path, database: &str) {
    const WRITERS: usize = 16;

    let mut acknowledged = HashSet::new();
    for round in 0..4_usize {
        let mut server = Server::start(folder, database);
        let token = std::fs::read_to_string(folder.join("events-calendar.token")).unwrap();
        let token = token.trim();
        let address = server.address.clone();
        let mut ids = Vec::new();
        let mut page = 1;
        loop {
            let list = server.list(&format!(
                "events?start_date=2029-01-01&end_date=2031-01-01&per_page=100&page={page}"
            ));
            for event in list["events"].as_array().unwrap() {
                ids.push(event["id"].as_u64().unwrap());
                let title = event["title"].as_str().unwrap();
                assert_eq!(event["venue"]["venue"], format!("Hall of {title}"));
                assert_eq!(event["tags"][0]["name"], format!("Tag of {title}"));
                assert_eq!(event["tags"][0]["count"], 1);
            }
            if list["next_rest_url"].is_null() {
                break;
            }
            page += 1;
        }
        for kind in ["venues", "tags"] {
            let total = server.list(&format!("{kind}?per_page=1"))["total"].clone();
            assert_eq!(total, ids.len(), "each {kind} is that of an event");
        }
        let lost: Vec<_> = acknowledged.iter().filter(|id| !ids.contains(id)).collect();
        assert!(lost.is_empty(), "round {round}: lost {lost:?}");

        let (sender, received) = std::sync::mpsc::channel();
        std::thread::scope(|scope| {
            for writer in 0..WRITERS {
                let (sender, address) = (sender.clone(), &address);
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
}

#[test]
fn what_was_acknowledged_survives_a_kill_on_sqlite() {
    let (folder, database) = sqlite();
    kill_a_server_under_writers(folder.path(), &database);
}

#[test]
fn what_was_acknowledged_survives_a_kill_on_postgres() {
    let Some(db) = postgres() else { return };
    kill_a_server_under_writers(TempDir::new().unwrap().path(), &db.url);
}

/// Servers that start at once on a new file all serve, and one of them creates the administrator.
/// 24 starts.
#[test]
fn first_starts_at_once_on_one_sqlite_file_all_serve() {
    for round in 0..6 {
        let (folder, database) = sqlite();
        let servers: Vec<_> = std::thread::scope(|scope| {
            let starting: Vec<_> = (0..4)
                .map(|_| scope.spawn(|| Server::start(folder.path(), &database)))
                .collect();
            starting
                .into_iter()
                .map(|one| one.join().unwrap())
                .collect()
        });
        let users = program(folder.path(), &database)
            .args(["user", "list"])
            .output()
            .unwrap();
        let users = text(&users.stdout);
        assert_eq!(users.matches("admin ").count(), 1, "round {round}: {users}");
        for server in servers {
            assert_eq!(server.list("events")["total"], 0);
            assert!(server.stop().success());
        }
    }
}

#[test]
fn servers_that_start_together_bring_the_schema_up_to_date_once() {
    let Some(server) = tests::db::postgres_server() else {
        return;
    };
    let (base, _) = server.rsplit_once('/').unwrap();
    let name = format!("calendar_starts_{}", std::process::id());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(tests::db::administer(
        &server,
        &format!("CREATE DATABASE {name}"),
    ));
    let database = format!("{base}/{name}");
    let folders: Vec<_> = (0..3).map(|_| TempDir::new().unwrap()).collect();
    let servers: Vec<_> = std::thread::scope(|scope| {
        let starting: Vec<_> = folders
            .iter()
            .map(|folder| scope.spawn(|| Server::start(folder.path(), &database)))
            .collect();
        starting
            .into_iter()
            .map(|one| one.join().unwrap())
            .collect()
    });
    let tokens = folders
        .iter()
        .filter(|folder| folder.path().join("events-calendar.token").exists());
    assert_eq!(tokens.count(), 1, "one of them makes the administrator");
    for server in servers {
        assert_eq!(server.list("events")["total"], 0);
        assert!(server.stop().success());
    }
    runtime.block_on(tests::db::administer(
        &server,
        &format!("DROP DATABASE {name} WITH (FORCE)"),
    ));
}
