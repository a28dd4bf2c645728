//! Tests of the program as a process: start, requests, shutdown, kill.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot be set up shall fail at once"
)]

mod operations;
mod server;
mod together;
mod zones;

use std::{
    fs::File,
    io::{Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};

use tempfile::TempDir;

use self::server::{Server, postgres, program, sqlite, text};

/// 6,008 real conferences; two have an invalid web address.
const CONFERENCES: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../docs/data/conferences.jsonl"
);

/// Timeout of each step.
const TIMEOUT: Duration = Duration::from_mins(3);

fn import(folder: &Path, database: &str) -> Output {
    program(folder, database)
        .args(["import", CONFERENCES])
        .output()
        .unwrap()
}

#[test]
fn the_first_start_makes_an_administrator() {
    let (folder, database) = sqlite();
    let server = Server::start(folder.path(), &database);
    let token_file: PathBuf = folder.path().join("events-calendar.token");
    assert!(
        server.said.contains("events-calendar.token"),
        "{}",
        server.said
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        for file in [&token_file, &folder.path().join("calendar.db")] {
            let mode = std::fs::metadata(file).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "only its owner may read {file:?}");
        }
    }
    let token = std::fs::read_to_string(&token_file).unwrap();
    assert!(token.trim().len() >= 32 && !server.said.contains(token.trim()));
    assert_eq!(server.get("/healthz").0, 200);
    assert_eq!(server.list("events")["total"], 0);
    assert!(server.stop().success(), "SIGTERM stops it in order");

    std::fs::remove_file(&token_file).unwrap();
    let again = Server::start(folder.path(), &database);
    assert!(!token_file.exists(), "only the first start makes a token");
    assert!(again.stop().success());
}

/// The imported records, as the lists of a server show them.
fn assert_conferences(server: &Server) {
    let total = |query: &str| server.list(query)["total"].as_u64().unwrap();
    assert_eq!(
        total("events?start_date=1900-01-01&end_date=9999-01-01&per_page=1"),
        6006
    );
    assert_eq!(total("venues?per_page=1"), 585);
    assert_eq!(total("categories?per_page=1"), 39);
    assert_eq!(total("tags?per_page=1"), 30);
    for (query, expected) in [
        (
            "start_date=2014-01-01&end_date=2014-12-31&categories=ruby",
            43,
        ),
        (
            "start_date=2018-01-01&end_date=2018-12-31&categories=python,ruby",
            42,
        ),
        (
            "start_date=1900-01-01&end_date=9999-01-01&search=devopsdays",
            212,
        ),
        ("start_date=2020-01-01&end_date=2020-12-31", 634),
    ] {
        assert_eq!(
            total(&format!("events?{query}&per_page=1")),
            expected,
            "{query}"
        );
    }
    let mut page =
        "events?start_date=2026-01-01&end_date=2026-12-31&categories=rust&per_page=2".to_owned();
    let (mut seen, mut starts, mut pages) = (Vec::new(), Vec::new(), 0);
    loop {
        let list = server.list(&page);
        pages += 1;
        for event in list["events"].as_array().unwrap() {
            seen.push(event["id"].as_u64().unwrap());
            starts.push(event["utc_start_date"].as_str().unwrap().to_owned());
        }
        let Some(next) = list["next_rest_url"].as_str() else {
            break;
        };
        next.split_once("/cal/events/v1/")
            .unwrap()
            .1
            .clone_into(&mut page);
    }
    assert_eq!((pages, seen.len()), (3, 5));
    assert!(starts.is_sorted());
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), 5, "each stands on one page");
}

/// Imports the conferences while a server on the same database answers requests.
fn import_beside_a_server(folder: &Path, database: &str) {
    let server = Server::start(folder, database);
    let mut process = program(folder, database)
        .args(["import", CONFERENCES])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let started = Instant::now();
    let (mut requests, mut grew, mut last) = (0, 0, 0);
    while process.try_wait().unwrap().is_none() {
        assert!(started.elapsed() < TIMEOUT, "the import takes too long");
        let all = server.list("events?start_date=1900-01-01&end_date=9999-01-01&per_page=1");
        let total = all["total"].as_u64().unwrap();
        assert!(total >= last, "what was seen stays");
        grew += u32::from(total > last);
        last = total;
        requests += 1;
    }
    let output = process.wait_with_output().unwrap();
    assert!(
        requests > 3 && grew > 1,
        "the list shows new rows at once: {requests} requests, grew {grew} times"
    );
    assert_eq!(output.status.code(), Some(1), "two rows are refused");
    assert_eq!(
        text(&output.stdout).trim(),
        "6,006 imported, 0 already present, 2 rejected"
    );
    let refused = text(&output.stderr);
    let lines: Vec<_> = refused
        .lines()
        .filter(|line| line.starts_with("line "))
        .collect();
    assert_eq!(lines.len(), 2, "{refused}");
    assert!(lines[0].starts_with("line 1039: website: "), "{refused}");
    assert!(lines[1].starts_with("line 1947: website: "), "{refused}");
    assert_conferences(&server);

    let again = import(folder, database);
    assert_eq!(
        text(&again.stdout).trim(),
        "0 imported, 6,006 already present, 2 rejected"
    );
    assert_conferences(&server);
    assert!(server.stop().success());
}

#[test]
fn the_conferences_are_taken_in_on_sqlite() {
    let (folder, database) = sqlite();
    import_beside_a_server(folder.path(), &database);
}

#[test]
fn the_conferences_are_taken_in_on_postgres() {
    let Some(db) = postgres() else { return };
    import_beside_a_server(TempDir::new().unwrap().path(), &db.url);
}

/// Kills an import repeatedly. Acknowledged events are complete, and a last run imports the rest.
fn kill_an_import(folder: &Path, database: &str) {
    assert!(
        program(folder, database)
            .arg("migrate")
            .status()
            .unwrap()
            .success()
    );
    let admin = ["user", "add", "admin", "--role", "administrator"];
    assert!(
        program(folder, database)
            .args(admin)
            .status()
            .unwrap()
            .success()
    );
    let server = Server::start(folder, database);
    let total = || {
        server.list("events?start_date=1900-01-01&end_date=9999-01-01&per_page=1")["total"]
            .as_u64()
            .unwrap()
    };
    for goal in [50, 700, 1500] {
        let mut process = program(folder, database)
            .args(["import", CONFERENCES])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let started = Instant::now();
        while total() < goal {
            assert!(started.elapsed() < TIMEOUT, "the import takes too long");
            assert!(
                process.try_wait().unwrap().is_none(),
                "it was killed in the middle"
            );
        }
        process.kill().unwrap();
        process.wait().unwrap();
        // An incomplete event would lack its venue or category.
        for page in 1..=total().div_ceil(100) {
            let list = server.list(&format!(
                "events?start_date=1900-01-01&end_date=9999-01-01&per_page=100&page={page}"
            ));
            for event in list["events"].as_array().unwrap() {
                let is_whole =
                    event["slug"] != "" && !event["categories"].as_array().unwrap().is_empty();
                assert!(is_whole, "{event}");
            }
        }
    }
    let there = total();
    assert!((1500..6006).contains(&there));
    let rest = import(folder, database);
    let summary = format!(
        "{} imported, {there} already present, 2 rejected",
        6006 - there
    );
    assert_eq!(
        text(&rest.stdout).trim().replace(',', ""),
        summary.replace(',', "")
    );
    assert_conferences(&server);
}

#[test]
fn a_killed_import_leaves_whole_events_on_sqlite() {
    let (folder, database) = sqlite();
    kill_an_import(folder.path(), &database);
}

#[test]
fn a_killed_import_leaves_whole_events_on_postgres() {
    let Some(db) = postgres() else { return };
    kill_an_import(TempDir::new().unwrap().path(), &db.url);
}

#[test]
fn wrong_settings_are_refused_in_one_line() {
    let (folder, database) = sqlite();
    for (flag, value) in [
        ("--listen", "nowhere"),
        ("--listen", "none.invalid"),
        ("--database-url", "mysql://host/name"),
        ("--database-url", "calendar.db"),
        ("--database-url", "sqlite://calendar.db?mode=ro"),
        ("--public-url", "ftp://host"),
        ("--timezone", "Mars/Olympus"),
        ("--language", "de"),
        ("--mount", "api"),
        ("--mount", "/media"),
        ("--read-database-url", "postgres://host/name"),
    ] {
        let output = program(folder.path(), &database)
            .args([flag, value, "serve"])
            .output()
            .unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{flag}: {said}");
        assert!(
            said.contains(flag) && said.trim().lines().count() == 1,
            "{flag}: {said}"
        );
        assert!(
            !folder.path().join("calendar.db").exists(),
            "nothing was opened"
        );
    }
}

#[test]
fn accounts_are_managed_beside_a_running_server() {
    let (folder, database) = sqlite();
    let server = Server::start(folder.path(), &database);
    let run = |arguments: &[&str]| {
        let output = program(folder.path(), &database)
            .args(arguments)
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{arguments:?}: {}",
            text(&output.stderr)
        );
        text(&output.stdout)
    };
    run(&["user", "add", "nora", "--role", "author"]);
    let token = run(&["token", "create", "--user", "nora", "--name", "test"]);
    assert_eq!(token.lines().count(), 1, "the token stands alone");
    let status = |token: &str| {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        let request = format!(
            "GET /cal/events/v1/events HTTP/1.1\r\nHost: t\r\nConnection: close\r\nAuthorization: Bearer {}\r\n\r\n",
            token.trim()
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.split(' ').nth(1).unwrap().to_owned()
    };
    assert_eq!(status(&token), "200");
    run(&["user", "disable", "nora"]);
    assert_eq!(
        status(&token),
        "401",
        "what is done beside the server holds at once"
    );
    run(&["user", "enable", "nora"]);
    assert_eq!(status(&token), "200");
    assert!(!run(&["token", "list"]).contains(token.trim()));
    let id = run(&["token", "list", "--user", "nora"]);
    let id = id
        .lines()
        .nth(1)
        .unwrap()
        .split_whitespace()
        .next()
        .unwrap()
        .to_owned();
    run(&["token", "revoke", &id]);
    assert_eq!(status(&token), "401");
}

/// Waits until a file contains a text.
pub(crate) fn wait_for(text: &str, file: &Path) {
    let started = Instant::now();
    loop {
        let written = std::fs::read_to_string(file).unwrap();
        if written.contains(text) {
            return;
        }
        assert!(started.elapsed() < TIMEOUT, "no `{text}` in {written}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn that_there_is_no_room_for_more_connections_is_logged() {
    let (folder, database) = sqlite();
    let log = folder.path().join("log");
    let executable = program(folder.path(), &database);
    let mut limited = Command::new("sh");
    limited
        .args(["-c", "ulimit -n 70 && exec \"$0\" serve"])
        .arg(executable.get_program())
        .current_dir(folder.path())
        .envs(
            executable
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        )
        .stdin(Stdio::null())
        .stderr(File::create(&log).unwrap());
    let server = Server::run(&mut limited);
    // All but 64 descriptors are for connections.
    let open: Vec<_> = (0..6)
        .map(|_| TcpStream::connect(&server.address).unwrap())
        .collect();
    wait_for("connection limit reached", &log);
    drop(open);
    assert_eq!(server.get("/healthz").0, 200);
    assert!(server.stop().success());
}
