//! Tests of the program as a process: start, requests, shutdown, kill.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot be set up shall fail at once"
)]

mod archive;
mod backups;
mod config;
mod imports;
mod metrics;
mod mirrors;
mod moving;
mod operations;
mod series;
mod server;
mod service_manager;
mod streams;
mod together;
mod users;
mod writers;
mod zones;

use std::{
    collections::HashSet,
    net::TcpStream,
    path::Path,
    process::Stdio,
    time::{Duration, Instant},
};

use self::server::{Ended, Installation, PROGRAM, Server, mode, send};

/// 6,008 real conferences; two have an invalid web address.
const CONFERENCES: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../docs/data/conferences.jsonl"
);

/// All events.
const ALWAYS: &str = "start_date=1900-01-01&end_date=9999-01-01";

/// The pause between two requests of a test that waits for something: the program needs the processors.
const PAUSE: Duration = Duration::from_millis(20);

/// Timeout of each step.
const TIMEOUT: Duration = Duration::from_mins(3);

#[test]
fn the_first_start_creates_an_administrator() {
    let installation = Installation::sqlite();
    let server = installation.serve(&[]);
    let token_file = installation.path("events-calendar.token");
    let notice = format!("is in\n  {}\n", token_file.display());
    assert!(server.said.contains(&notice), "{}", server.said);
    for file in [&token_file, &installation.path("calendar.db")] {
        assert_eq!(mode(file), 0o600, "only its owner may read {file:?}");
    }
    let token = installation.token();
    assert!(token.len() >= 32 && !server.said.contains(&token));
    assert_eq!(server.get("/healthz").0, 200);
    assert_eq!(server.total("events"), 0);
    server.stop();

    std::fs::remove_file(&token_file).unwrap();
    let again = installation.serve(&[]);
    assert!(!token_file.exists(), "only the first start makes a token");
    again.stop();
}

/// The number of all events.
fn all(server: &Server) -> u64 {
    server.total(&format!("events?{ALWAYS}&per_page=1"))
}

/// The imported records, as the lists of a server show them.
fn assert_conferences(server: &Server) {
    assert_eq!(all(server), 6006);
    for (query, expected) in [
        ("venues?per_page=1", 585),
        ("categories?per_page=1", 39),
        ("tags?per_page=1", 30),
        (
            "events?start_date=2014-01-01&end_date=2014-12-31&categories=ruby&per_page=1",
            43,
        ),
        (
            "events?start_date=2018-01-01&end_date=2018-12-31&categories=python,ruby&per_page=1",
            42,
        ),
        (
            "events?start_date=1900-01-01&end_date=9999-01-01&search=devopsdays&per_page=1",
            212,
        ),
        (
            "events?start_date=2020-01-01&end_date=2020-12-31&per_page=1",
            634,
        ),
    ] {
        assert_eq!(server.total(query), expected, "{query}");
    }
    let mut page =
        "events?start_date=2026-01-01&end_date=2026-12-31&categories=rust&per_page=2".to_owned();
    let (mut seen, mut starts, mut pages) = (HashSet::new(), Vec::new(), 0);
    loop {
        let list = server.list(&page);
        pages += 1;
        for event in list["events"].as_array().unwrap() {
            assert!(seen.insert(event["id"].as_u64()), "each is on one page");
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
}

/// The conferences of a file that a part of the tests imports: in debug builds, all of them take minutes.
const SOME: usize = 1_500;

/// The conferences among these that are imported; line 1039 is refused.
const SOME_IMPORTED: u64 = 1_499;

/// A file with the first of the real conferences.
fn some_conferences(installation: &Installation) -> String {
    let all = std::fs::read_to_string(CONFERENCES).unwrap();
    let some: String = all.split_inclusive('\n').take(SOME).collect();
    let file = installation.path("some.jsonl");
    std::fs::write(&file, some).unwrap();
    file.display().to_string()
}

/// Imports a file while a server on the same database answers requests. Returns the server.
fn import_beside_a_server(
    installation: &Installation,
    file: &str,
    imported: &str,
    refused_lines: &[&str],
) -> Server {
    let server = installation.serve(&[]);
    let import = ["import", file];
    let mut process = installation
        .command(&import)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let started = Instant::now();
    let (mut requests, mut grew, mut last) = (0, 0, 0);
    while process.try_wait().unwrap().is_none() {
        assert!(started.elapsed() < TIMEOUT, "the import takes too long");
        let total = all(&server);
        assert!(total >= last, "what was seen stays");
        grew += u32::from(total > last);
        last = total;
        requests += 1;
        std::thread::sleep(PAUSE);
    }
    let first = Ended::from(process.wait_with_output().unwrap());
    assert!(
        requests > 3 && grew > 1,
        "the list shows new rows at once: {requests} requests, grew {grew} times"
    );
    assert_eq!(first.code, Some(1), "rows are refused");
    let rejected = refused_lines.len();
    assert_eq!(
        first.stdout.trim(),
        format!("{imported} imported, 0 already present, {rejected} rejected")
    );
    let refused = first.stderr;
    let lines = refused.lines().filter(|line| line.starts_with("line "));
    let lines: Vec<_> = lines.collect();
    assert_eq!(lines.len(), rejected, "{refused}");
    for (line, start) in lines.iter().zip(refused_lines) {
        assert!(line.starts_with(start), "{refused}");
    }
    assert_eq!(
        installation.run(&import).stdout.trim(),
        format!("0 imported, {imported} already present, {rejected} rejected")
    );
    server
}

#[test]
fn conferences_are_imported_beside_a_server_on_sqlite() {
    let installation = Installation::sqlite();
    let refused = ["line 1039: website: ", "line 1947: website: "];
    let server = import_beside_a_server(&installation, CONFERENCES, "6,006", &refused);
    assert_conferences(&server);
    server.stop();
}

#[test]
fn conferences_are_imported_beside_a_server_on_postgres() {
    if let Some(installation) = Installation::postgres() {
        let some = some_conferences(&installation);
        let refused = ["line 1039: website: "];
        let server = import_beside_a_server(&installation, &some, "1,499", &refused);
        assert_eq!(all(&server), SOME_IMPORTED);
        server.stop();
    }
}

/// Kills an import repeatedly. Acknowledged events are complete, and a last run imports the rest.
fn kill_an_import(installation: &Installation) {
    installation.said(&["migrate"]);
    installation.said(&["user", "add", "admin", "--role", "administrator"]);
    let server = installation.serve(&[]);
    let some = some_conferences(installation);
    for goal in [50, 300, 700] {
        let mut process = installation
            .command(&["import", &some])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let started = Instant::now();
        while all(&server) < goal {
            assert!(started.elapsed() < TIMEOUT, "the import takes too long");
            assert!(
                process.try_wait().unwrap().is_none(),
                "it was killed in the middle"
            );
            std::thread::sleep(PAUSE);
        }
        process.kill().unwrap();
        process.wait().unwrap();
        // An incomplete event would lack its slug or category.
        for event in server.events(ALWAYS) {
            let is_whole =
                event["slug"] != "" && !event["categories"].as_array().unwrap().is_empty();
            assert!(is_whole, "{event}");
        }
    }
    let there = all(&server);
    assert!((700..SOME_IMPORTED).contains(&there));
    let rest = installation.run(&["import", &some]);
    assert_eq!(
        rest.stdout.trim().replace(',', ""),
        format!(
            "{} imported {there} already present 1 rejected",
            SOME_IMPORTED - there
        )
    );
    assert_eq!(all(&server), SOME_IMPORTED);
    assert_eq!(installation.said(&["doctor"]), backups::SOUND);
}

#[test]
fn a_killed_import_leaves_whole_events_on_sqlite() {
    kill_an_import(&Installation::sqlite());
}

#[test]
fn a_killed_import_leaves_whole_events_on_postgres() {
    if let Some(installation) = Installation::postgres() {
        kill_an_import(&installation);
    }
}

#[test]
fn wrong_settings_are_refused_in_one_line() {
    let installation = Installation::sqlite();
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
        let line = installation.run(&[flag, value, "serve"]).failed(2);
        assert!(line.contains(flag), "{flag}: {line}");
        assert!(
            !installation.path("calendar.db").exists(),
            "nothing was opened"
        );
    }
}

#[test]
fn accounts_are_managed_beside_a_running_server() {
    let installation = Installation::sqlite();
    let server = installation.serve(&[]);
    installation.said(&["user", "add", "nora", "--role", "author"]);
    let token = installation.said(&["token", "create", "--user", "nora", "--name", "test"]);
    assert_eq!(token.lines().count(), 1, "the token stands alone");
    let token = token.trim();
    let status = || {
        let header = format!("Authorization: Bearer {token}\r\n");
        server.get_with("/cal/events/v1/events", &header).0
    };
    assert_eq!(status(), 200);
    installation.said(&["user", "disable", "nora"]);
    assert_eq!(
        status(),
        401,
        "what is done beside the server holds at once"
    );
    installation.said(&["user", "enable", "nora"]);
    assert_eq!(status(), 200);
    assert!(!installation.said(&["token", "list"]).contains(token));
    let list = installation.said(&["token", "list", "--user", "nora"]);
    let row = list.lines().nth(1).unwrap();
    let id = row.split_whitespace().next().unwrap();
    installation.said(&["token", "revoke", id]);
    assert_eq!(status(), 401);
}

/// Waits until a file contains a text, and returns the text of the file.
fn wait_for(text: &str, file: &Path) -> String {
    let started = Instant::now();
    loop {
        let written = std::fs::read_to_string(file).unwrap();
        if written.contains(text) {
            return written;
        }
        assert!(started.elapsed() < TIMEOUT, "no `{text}` in {written}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_reached_connection_limit_is_logged() {
    let installation = Installation::sqlite();
    let mut limited = installation.configured("sh");
    limited
        .args(["-c", "ulimit -n 70 && exec \"$0\" serve", PROGRAM])
        .stderr(installation.log("log"));
    let server = Server::run(&mut limited);
    // All but 64 descriptors are for connections.
    let open = [(); 6].map(|()| TcpStream::connect(&server.address).unwrap());
    wait_for("connection limit reached", &installation.path("log"));
    drop(open);
    // The server notices the closed connections after a short time.
    let started = Instant::now();
    while send(&server.address, "GET /healthz", "", "").is_none_or(|(status, _)| status != 200) {
        assert!(
            started.elapsed() < Duration::from_secs(10),
            "no connection is accepted"
        );
    }
    server.stop();
}
