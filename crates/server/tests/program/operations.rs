//! Tests of commands and logs for operators: backup, health, access log, addresses.

use std::{
    collections::BTreeSet,
    fs::File,
    io::{Read, Write},
    net::TcpStream,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Output, Stdio},
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use sea_orm::{ConnectionTrait, Database, DbBackend, Statement};
use serde_json::Value;

use crate::{
    server::{Server, program, sqlite, text},
    together::{Tried, try_create},
    wait_for,
};

/// The output of a program, and its exit code.
fn run(folder: &Path, database: &str, arguments: &[&str]) -> Output {
    let output = program(folder, database).args(arguments).output();
    output.unwrap()
}

/// The token of the first administrator.
fn token(folder: &Path) -> String {
    let token = std::fs::read_to_string(folder.join("events-calendar.token")).unwrap();
    token.trim().to_owned()
}

/// The response to a request with a form; empty without a server.
fn send(address: &str, method: &str, path: &str, token: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    text(&answer)
}

/// The result of `PRAGMA integrity_check` for a file.
fn integrity(file: &Path) -> String {
    let url = format!("sqlite://{}?mode=ro", file.display());
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let database = Database::connect(url).await.unwrap();
        let check = Statement::from_string(DbBackend::Sqlite, "PRAGMA integrity_check");
        let row = database.query_one_raw(check).await.unwrap().unwrap();
        let said = row.try_get("", "integrity_check").unwrap();
        database.close().await.unwrap();
        said
    })
}

/// IDs of the events of the writers, after a check that each is complete.
fn added(server: &Server) -> BTreeSet<u64> {
    let mut ids = BTreeSet::new();
    for page in 1.. {
        let list = server.list(&format!(
            "events?start_date=2029-01-01&end_date=2031-01-01&per_page=100&page={page}"
        ));
        for event in list["events"].as_array().unwrap() {
            let title = event["title"].as_str().unwrap();
            assert_eq!(event["venue"]["venue"], format!("Hall of {title}"));
            assert_eq!(event["tags"][0]["name"], format!("Tag of {title}"));
            assert_eq!(event["tags"][0]["count"], 1);
            ids.insert(event["id"].as_u64().unwrap());
        }
        if list["next_rest_url"].is_null() {
            break;
        }
    }
    for kind in ["venues", "tags"] {
        let total = server.list(&format!("{kind}?per_page=1"))["total"].clone();
        assert_eq!(total, ids.len(), "each {kind} is that of an event");
    }
    ids
}

/// The numbers in the titles of two events that a writer changes in turn.
fn versions(server: &Server, pair: [u64; 2]) -> [u64; 2] {
    pair.map(|id| {
        let event = server.list(&format!("events/{id}"));
        let title = event["title"].as_str().unwrap();
        title.rsplit(' ').next().unwrap().parse().unwrap()
    })
}

/// A backup during writes restores a consistent state. Ten backups beside four writers that create
/// events and one that changes two events in turn: 0 differences to acknowledged writes.
#[test]
fn backups_made_while_writing_restore_to_a_state_that_was() {
    const BACKUPS: usize = 10;
    const WRITERS: usize = 4;

    let (folder, database) = sqlite();
    let server = Server::start(folder.path(), &database);
    let token = token(folder.path());
    let pair = [0, 1].map(|_| {
        let body = "title=Version+0&start_date=2040-01-01&end_date=2040-01-01";
        let answer = send(
            &server.address,
            "POST",
            "/cal/events/v1/events",
            &token,
            body,
        );
        let event: Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
        event["id"].as_u64().unwrap()
    });

    let acknowledged = Mutex::new(BTreeSet::new());
    let done = AtomicBool::new(false);
    // Each backup: its file, and the events that were acknowledged before it began.
    let mut backups: Vec<(PathBuf, BTreeSet<u64>)> = Vec::new();
    std::thread::scope(|scope| {
        let (address, token, acknowledged, done) = (&server.address, &token, &acknowledged, &done);
        for writer in 0..WRITERS {
            scope.spawn(move || {
                for number in 0.. {
                    if done.load(Ordering::Relaxed) {
                        break;
                    }
                    let title = format!("Event-{writer}-{number}");
                    if let Some(Tried::Added(id)) = try_create(address, token, &title) {
                        acknowledged.lock().unwrap().insert(id);
                    }
                }
            });
        }
        scope.spawn(move || {
            for version in 1.. {
                for id in pair {
                    if done.load(Ordering::Relaxed) {
                        return;
                    }
                    let (path, body) = (
                        format!("/cal/events/v1/events/{id}"),
                        format!("title=Version+{version}"),
                    );
                    // Repeated until it succeeds: the server may be overloaded.
                    while !send(address, "PUT", &path, token, &body).starts_with("HTTP/1.1 200 ") {}
                }
            }
        });
        for number in 0..BACKUPS {
            let before = acknowledged.lock().unwrap().clone();
            let file = folder.path().join(format!("copy-{number}.db"));
            let made = run(
                folder.path(),
                &database,
                &["backup", file.to_str().unwrap()],
            );
            assert!(made.status.success(), "{}", text(&made.stderr));
            backups.push((file, before));
        }
        done.store(true, Ordering::Relaxed);
    });
    let all = added(&server);
    assert!(server.stop().success());
    let acknowledged = acknowledged.into_inner().unwrap();
    assert!(acknowledged.is_subset(&all));

    let mut sizes = Vec::new();
    for (file, before) in &backups {
        let mode = std::fs::metadata(file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "only its owner may read {file:?}");
        assert_eq!(integrity(file), "ok", "{file:?}");
        let restored = Server::start(folder.path(), &format!("sqlite://{}", file.display()));
        let copied = added(&restored);
        let lost: Vec<_> = before.difference(&copied).collect();
        assert!(
            lost.is_empty(),
            "acknowledged before the backup began: {lost:?}"
        );
        // IDs follow the order of commits: a copy holds all events up to one ID.
        let newest = copied.last().copied().unwrap_or_default();
        let until: BTreeSet<_> = all.range(..=newest).copied().collect();
        assert_eq!(copied, until, "a state in between");
        let [first, second] = versions(&restored, pair);
        assert!(first == second || first == second + 1, "{first} {second}");
        assert!(restored.stop().success());
        sizes.push(copied.len());
    }
    assert!(sizes.is_sorted());
    assert!(
        sizes.first() < sizes.last() && sizes.last().is_some_and(|most| *most > 20),
        "events were added meanwhile: {sizes:?}"
    );
}

/// A migration that was killed anywhere completes at the next start. Ten kills, each at a longer
/// write-ahead log than the one before.
#[test]
fn a_killed_migration_runs_through_at_the_next_start() {
    const STEP: u64 = 24 * 1024;
    const KILLS: u64 = 10;

    let mut killed = 0;
    for round in 0..KILLS {
        let (folder, database) = sqlite();
        let log = folder.path().join("calendar.db-wal");
        let mut migration = program(folder.path(), &database)
            .arg("migrate")
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let written = || std::fs::metadata(&log).map_or(0, |log| log.len());
        while written() < round * STEP && migration.try_wait().unwrap().is_none() {}
        killed += u64::from(migration.try_wait().unwrap().is_none());
        migration.kill().unwrap();
        migration.wait().unwrap();
        let again = run(folder.path(), &database, &["migrate"]);
        assert!(again.status.success(), "{round}: {}", text(&again.stderr));
        let third = run(folder.path(), &database, &["migrate"]);
        assert_eq!(text(&third.stdout), "the schema is up to date\n", "{round}");
        let server = Server::start(folder.path(), &database);
        assert_eq!(server.list("events")["total"], 0);
        assert!(server.stop().success());
        assert_eq!(
            integrity(&folder.path().join("calendar.db")),
            "ok",
            "{round}"
        );
    }
    assert!(killed > 2, "only {killed} were killed before their end");
}

#[test]
fn a_backup_is_made_whole_or_not_at_all() {
    let (folder, database) = sqlite();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let backup = |database: &str, arguments: &[&str]| {
        let arguments = [&["backup"], arguments].concat();
        let made = run(folder.path(), database, &arguments);
        (
            made.status.code().unwrap(),
            text(&made.stdout) + &text(&made.stderr),
        )
    };
    let files = || std::fs::read_dir(folder.path()).unwrap().count();
    let (code, said) = backup(&database, &[&path("copy.db")]);
    assert_eq!(code, 1);
    assert!(said.contains("there is no database to copy"), "{said}");
    assert_eq!(files(), 0, "nothing was made");

    assert!(run(folder.path(), &database, &["migrate"]).status.success());
    let before = files();
    let (code, said) = backup(&database, &[&path("copy.db")]);
    assert_eq!(code, 0, "{said}");
    assert!(said.ends_with(" bytes copied\n"), "{said}");
    assert_eq!(files(), before + 1, "no other file is left");
    let copied = std::fs::read(path("copy.db")).unwrap();

    for (arguments, reason) in [
        (&[&*path("copy.db")][..], "--force replaces it"),
        (&[&path("calendar.db"), "--force"], "is the database itself"),
        (&[&path("none/copy.db")], "No such file or directory"),
        (&["/", "--force"], "is a folder"),
    ] {
        let (code, said) = backup(&database, arguments);
        assert_eq!(code, 1, "{said}");
        assert!(said.contains(reason) && said.lines().count() == 1, "{said}");
        assert_eq!(files(), before + 1);
    }
    assert_eq!(std::fs::read(path("copy.db")).unwrap(), copied);
    let (code, said) = backup(&database, &[&path("copy.db"), "--force"]);
    assert_eq!(code, 0, "{said}");
    let (code, said) = backup("postgres://db.invalid/name", &[&path("other.db")]);
    assert_eq!(code, 1);
    assert!(said.contains("pg_dump"), "{said}");
}

#[test]
fn health_is_told_by_the_exit_code() {
    let (folder, database) = sqlite();
    let server = Server::start(folder.path(), &database);
    let port = server.address.rsplit(':').next().unwrap().to_owned();
    let health = |listen: &str| run(folder.path(), &database, &["--listen", listen, "health"]);
    for host in ["127.0.0.1", "localhost", "0.0.0.0"] {
        let healthy = health(&format!("{host}:{port}"));
        assert!(healthy.status.success(), "{}", text(&healthy.stderr));
        assert_eq!(text(&healthy.stdout), format!("{host}:{port} is healthy\n"));
    }
    assert!(server.stop().success());
    for listen in [format!("127.0.0.1:{port}"), "127.0.0.1:0".to_owned()] {
        let gone = health(&listen);
        assert_eq!(gone.status.code(), Some(1));
        assert_eq!(text(&gone.stderr).lines().count(), 1);
    }
}

#[test]
fn the_start_says_where_everything_is() {
    let (folder, database) = sqlite();
    let start = || {
        let mut command = program(folder.path(), &database);
        Server::run(command.args(["serve", "--listen", "localhost:0"]))
    };
    let server = start();
    let port = server.address.rsplit(':').next().unwrap().to_owned();
    let rest = server
        .rest
        .lock()
        .unwrap()
        .recv_timeout(crate::TIMEOUT)
        .unwrap();
    for expected in [
        format!("  Pages          http://localhost:{port}/\n"),
        format!("  Interface      http://localhost:{port}/cal/events/v1/events\n"),
        format!("  Documentation  http://localhost:{port}/cal/events/v1/doc\n"),
        format!(
            "  First token    in the file {}/events-calendar.token\n",
            folder.path().display()
        ),
    ] {
        assert!(rest.contains(&expected), "{expected}{rest}");
    }
    assert_eq!(server.get("/").0, 200);
    assert!(server.stop().success());
    std::fs::remove_file(folder.path().join("events-calendar.token")).unwrap();
    let server = start();
    let rest = server
        .rest
        .lock()
        .unwrap()
        .recv_timeout(crate::TIMEOUT)
        .unwrap();
    assert!(
        rest.contains("Images") && !rest.contains("First token"),
        "{rest}"
    );
}

#[test]
fn an_error_of_the_database_is_told_without_prefixes() {
    let (folder, _) = sqlite();
    let database = format!("sqlite://{}/none/calendar.db", folder.path().display());
    let said = text(&run(folder.path(), &database, &["migrate"]).stderr);
    assert!(
        said.contains("none/calendar.db: No such file or directory"),
        "{said}"
    );
    let file = folder.path().join("text.db");
    std::fs::write(&file, "this is no database".repeat(100)).unwrap();
    let database = format!("sqlite://{}", file.display());
    let other = text(&run(folder.path(), &database, &["migrate"]).stderr);
    assert!(other.contains("file is not a database"), "{other}");
    for said in [said, other] {
        assert!(
            !said.contains("Error") && !said.contains("error returned"),
            "{said}"
        );
    }
}

/// Lines of a JSON log.
fn lines(log: &Path) -> Vec<Value> {
    let log = std::fs::read_to_string(log).unwrap();
    let lines = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")));
    lines.collect()
}

#[test]
fn each_request_is_a_line_of_the_access_log() {
    let (folder, database) = sqlite();
    let log = folder.path().join("log");
    let mut command = program(folder.path(), &database);
    command
        .args([
            "serve",
            "--access-log",
            "on",
            "--trusted-proxy",
            "127.0.0.1",
        ])
        // The filter does not apply to the access log.
        .env("EVENTS_CALENDAR_LOG", "warn")
        .stderr(File::create(&log).unwrap());
    let server = Server::run(&mut command);
    let ask = |path: &str, headers: &str| {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: t\r\nConnection: close\r\n{headers}\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        text(&answer)
    };
    for _ in 0..2 {
        // The second response comes from the cache.
        let answer = ask(
            "/cal/events/v1/events?password=hunter2",
            "X-Request-Id: abc.1\r\nX-Forwarded-For: 192.0.2.7\r\n",
        );
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    }
    let answer = ask("/cal/events/v1/events", "X-Request-Id: abc.2\r\n");
    let length = answer.split_once("\r\n\r\n").unwrap().1.len();
    ask("/fr/event/x/", "X-Request-Id: abc.3\r\n");
    wait_for("abc.3", &log);
    assert!(!std::fs::read_to_string(&log).unwrap().contains("hunter2"));
    let lines = lines(&log);
    let of = |id: &str| {
        let lines = lines.iter().filter(|line| line["request.id"] == id);
        lines.collect::<Vec<_>>()
    };
    assert_eq!((of("abc.1").len(), of("abc.2").len()), (2, 1));
    for line in of("abc.1") {
        assert_eq!(line["client"], "192.0.2.7");
        assert_eq!(
            (&line["method"], &line["target"]),
            (&"GET".into(), &"access".into())
        );
        assert_eq!(line["path"], "/cal/events/v1/events");
    }
    let plain = of("abc.2")[0];
    assert_eq!(
        (&plain["status"], &plain["bytes"]),
        (&200.into(), &length.into())
    );
    assert_eq!(plain["client"], "127.0.0.1");
    assert!(plain["duration_ms"].as_f64().unwrap() > 0.0);
    assert_eq!(of("abc.3")[0]["status"], 404);
    assert!(server.stop().success());
}

#[test]
fn refused_credentials_are_logged_with_request_and_client() {
    let (folder, database) = sqlite();
    let log = folder.path().join("log");
    let mut command = program(folder.path(), &database);
    command
        .args(["serve", "--log-format", "text"])
        .stderr(File::create(&log).unwrap());
    let server = Server::run(&mut command);
    let mut statuses = Vec::new();
    for number in 0..12 {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        // `admin:hunter2`
        let request = format!(
            "GET /cal/events/v1/events HTTP/1.1\r\nHost: t\r\nConnection: close\r\nX-Request-Id: try.{number}\r\n\
             Authorization: Basic YWRtaW46aHVudGVyMg==\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        statuses.push(answer.split(' ').nth(1).unwrap().to_owned());
    }
    assert_eq!(statuses[9..], ["401", "429", "429"]);
    wait_for("refused with 429", &log);
    let log = std::fs::read_to_string(&log).unwrap();
    for (status, request) in [("401", "try.0"), ("429", "try.10")] {
        let lines: Vec<_> = log
            .lines()
            .filter(|line| line.contains(&format!("refused with {status}")))
            .collect();
        assert!(
            (1..=2).contains(&lines.len()),
            "at most one a second: {log}"
        );
        let line = lines[0];
        assert!(
            line.contains(" WARN ") && line.contains("client=127.0.0.1"),
            "{line}"
        );
        assert!(
            line.contains(&format!("request.id=\"{request}\"")),
            "{line}"
        );
    }
    assert!(
        !log.contains("hunter2") && !log.contains("YWRtaW46"),
        "{log}"
    );
    assert!(
        !log.contains(" access: "),
        "there is no access log unless it is set"
    );
    assert!(server.stop().success());
}
