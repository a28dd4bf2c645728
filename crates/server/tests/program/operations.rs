//! Tests of commands and logs for operators: backup, health, access log, addresses.

use std::{
    collections::BTreeSet,
    path::Path,
    process::Stdio,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use sea_orm::{ConnectionTrait, Database, DbBackend, Statement};
use serde_json::Value;

use crate::{
    server::{Installation, Server, block_on, mode, send_form},
    together::{Tried, created, try_create},
    wait_for,
};

/// The result of `PRAGMA integrity_check` for a file.
fn integrity(file: &Path) -> String {
    let url = format!("sqlite://{}?mode=ro", file.display());
    block_on(async {
        let database = Database::connect(url).await.unwrap();
        let check = Statement::from_string(DbBackend::Sqlite, "PRAGMA integrity_check");
        let row = database.query_one_raw(check).await.unwrap().unwrap();
        let said = row.try_get("", "integrity_check").unwrap();
        database.close().await.unwrap();
        said
    })
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
fn a_backup_during_writes_restores_a_committed_state() {
    const BACKUPS: usize = 10;
    const WRITERS: usize = 4;

    let installation = Installation::sqlite();
    let server = installation.serve(&[]);
    let token = installation.token();
    let pair = [(); 2].map(|()| {
        let form = "title=Version+0&start_date=2040-01-01&end_date=2040-01-01";
        let made = send_form(&server.address, "POST /cal/events/v1/events", &token, form);
        let event: Value = serde_json::from_str(&made.unwrap().1).unwrap();
        event["id"].as_u64().unwrap()
    });

    let acknowledged = Mutex::new(BTreeSet::new());
    let done = AtomicBool::new(false);
    // Each backup: its file, and the events that were acknowledged before it began.
    let mut backups: Vec<(String, BTreeSet<u64>)> = Vec::new();
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
                    let request = format!("PUT /cal/events/v1/events/{id}");
                    let form = format!("title=Version+{version}");
                    // Repeated until it succeeds: the server may be overloaded.
                    while send_form(address, &request, token, &form).unwrap().0 != 200 {}
                }
            }
        });
        for number in 0..BACKUPS {
            let before = acknowledged.lock().unwrap().clone();
            let name = format!("copy-{number}.db");
            installation.said(&["backup", &name]);
            backups.push((name, before));
        }
        done.store(true, Ordering::Relaxed);
    });
    let all = created(&server);
    server.stop();
    let acknowledged = acknowledged.into_inner().unwrap();
    assert!(acknowledged.is_subset(&all));

    let mut sizes = Vec::new();
    for (name, before) in &backups {
        let file = installation.path(name);
        assert_eq!(mode(&file), 0o600, "only its owner may read {name}");
        assert_eq!(integrity(&file), "ok", "{name}");
        let restored = installation.serve(&["--database-url", &format!("sqlite://{name}")]);
        let copied = created(&restored);
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
        restored.stop();
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
fn a_killed_migration_completes_at_the_next_start() {
    const STEP: u64 = 24 * 1024;
    const KILLS: u64 = 10;

    let mut killed = 0;
    for round in 0..KILLS {
        let installation = Installation::sqlite();
        let log = installation.path("calendar.db-wal");
        let mut migration = installation
            .command(&["migrate"])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let written = || std::fs::metadata(&log).map_or(0, |log| log.len());
        while written() < round * STEP && migration.try_wait().unwrap().is_none() {}
        killed += u64::from(migration.try_wait().unwrap().is_none());
        migration.kill().unwrap();
        migration.wait().unwrap();
        installation.said(&["migrate"]);
        let third = installation.said(&["migrate"]);
        assert_eq!(third, "the schema is up to date\n", "{round}");
        let server = installation.serve(&[]);
        assert_eq!(server.total("events"), 0);
        server.stop();
        let file = installation.path("calendar.db");
        assert_eq!(integrity(&file), "ok", "{round}");
    }
    assert!(killed > 2, "only {killed} were killed before their end");
}

/// An empty calendar in the place of the right one would hide the mistake, and `clean-media` would
/// remove the files of all images.
#[test]
fn a_misspelt_name_creates_no_database() {
    let installation = Installation::sqlite();
    for arguments in [
        &["user", "list"][..],
        &["user", "disable", "admin"],
        &["token", "list"],
        &["token", "create", "--user", "admin", "--name", "test"],
        &["zones"],
        &["clean-media"],
        &["maintain"],
        &["backup", "copy.db"],
    ] {
        let line = installation.run(arguments).failed(1);
        assert!(line.contains("there is no database"), "{line}");
    }
    assert_eq!(std::fs::read_dir(installation.path("")).unwrap().count(), 0);
}

#[test]
fn a_backup_is_made_whole_or_not_at_all() {
    let installation = Installation::sqlite();
    let files = || std::fs::read_dir(installation.path("")).unwrap().count();
    installation.said(&["migrate"]);
    let before = files();
    let said = installation.said(&["backup", "copy.db"]);
    assert!(said.ends_with(" bytes copied\n"), "{said}");
    assert_eq!(files(), before + 1, "no other file is left");
    let copied = std::fs::read(installation.path("copy.db")).unwrap();

    for (arguments, reason) in [
        (&["copy.db"][..], "--force replaces it"),
        (&["calendar.db", "--force"], "is the database itself"),
        (&["none/copy.db"], "No such file or directory"),
        (&["/", "--force"], "is a folder"),
        (
            &["other.db", "--database-url", "postgres://db.invalid/name"],
            "cannot open the database",
        ),
    ] {
        let backup = [&["backup"], arguments].concat();
        let line = installation.run(&backup).failed(1);
        assert!(line.contains(reason), "{line}");
        assert_eq!(files(), before + 1);
    }
    assert_eq!(std::fs::read(installation.path("copy.db")).unwrap(), copied);
    installation.said(&["backup", "copy.db", "--force"]);
}

#[test]
fn health_succeeds_while_the_server_runs() {
    let installation = Installation::sqlite();
    let server = installation.serve(&[]);
    let port = server.port().to_owned();
    for host in ["127.0.0.1", "localhost", "0.0.0.0"] {
        let listen = format!("{host}:{port}");
        let said = installation.said(&["--listen", &listen, "health"]);
        assert_eq!(said, format!("{listen} is healthy\n"));
    }
    server.stop();
    for listen in [&*format!("127.0.0.1:{port}"), "127.0.0.1:0"] {
        installation.run(&["--listen", listen, "health"]).failed(1);
    }
}

#[test]
fn a_start_shows_urls_and_files() {
    let installation = Installation::sqlite();
    let start = || installation.serve(&["--listen", "localhost:0"]);
    let token_file = installation.path("events-calendar.token");
    let server = start();
    let port = server.port();
    for expected in [
        format!("  Pages          http://localhost:{port}/\n"),
        format!("  Interface      http://localhost:{port}/cal/events/v1/events\n"),
        format!("  Documentation  http://localhost:{port}/cal/events/v1/doc\n"),
        format!("  First token    in the file {}\n", token_file.display()),
    ] {
        assert!(server.said.contains(&expected), "{expected}{}", server.said);
    }
    assert_eq!(server.get("/").0, 200);
    server.stop();
    std::fs::remove_file(token_file).unwrap();
    let server = start();
    assert!(!server.said.contains("First token"), "{}", server.said);
}

#[test]
fn a_database_error_is_shown_without_prefixes() {
    let installation = Installation::sqlite();
    std::fs::write(
        installation.path("text.db"),
        "this is no database".repeat(100),
    )
    .unwrap();
    for (file, expected) in [
        (
            "none/calendar.db",
            "none/calendar.db: No such file or directory",
        ),
        ("text.db", "file is not a database"),
    ] {
        let url = format!("sqlite://{}", installation.path(file).display());
        let said = installation
            .run(&["--database-url", &url, "migrate"])
            .stderr;
        assert!(said.contains(expected), "{said}");
        assert!(
            !said.contains("Error") && !said.contains("error returned"),
            "{said}"
        );
    }
}

#[test]
fn each_request_is_a_line_of_the_access_log() {
    let installation = Installation::sqlite();
    let mut command = installation.server(&["--access-log", "on", "--trusted-proxy", "127.0.0.1"]);
    command
        // The filter does not apply to the access log.
        .env("EVENTS_CALENDAR_LOG", "warn")
        .stderr(installation.log("log"));
    let server = Server::run(&mut command);
    for _ in 0..2 {
        // The second response comes from the cache.
        let (status, body) = server.get_with(
            "/cal/events/v1/events?password=hunter2",
            "X-Request-Id: abc.1\r\nX-Forwarded-For: 192.0.2.7\r\n",
        );
        assert_eq!(status, 200, "{body}");
    }
    let (_, body) = server.get_with("/cal/events/v1/events", "X-Request-Id: abc.2\r\n");
    let token = installation.token();
    for (credentials, id) in [(token.as_str(), 4), ("wrong", 5)] {
        let headers = format!("Authorization: Bearer {credentials}\r\nX-Request-Id: abc.{id}\r\n");
        server.get_with("/cal/events/v1/events", &headers);
    }
    server.get_with("/fr/event/x/", "X-Request-Id: abc.3\r\n");
    let log = wait_for("abc.3", &installation.path("log"));
    assert!(!log.contains("hunter2") && !log.contains(token.trim()));
    let lines: Result<Vec<Value>, _> = log.lines().map(serde_json::from_str).collect();
    let lines = lines.unwrap_or_else(|error| panic!("{error}: {log}"));
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
        (&200.into(), &body.len().into())
    );
    assert_eq!(plain["client"], "127.0.0.1");
    assert!(plain["duration_ms"].as_f64().unwrap() > 0.0);
    assert_eq!(of("abc.3")[0]["status"], 404);
    assert_eq!(of("abc.4")[0]["user"], "admin");
    for anonymous in ["abc.1", "abc.2", "abc.3", "abc.5"] {
        assert!(of(anonymous)[0].get("user").is_none(), "{anonymous}");
    }
    let tokens = installation.said(&["token", "list"]);
    let words: Vec<_> = tokens.split_whitespace().rev().take(2).collect();
    assert!(
        words[0] == "active" && words[1].starts_with("20"),
        "{tokens}"
    );
    server.stop();
}

/// F-53: no log has the key of a secret feed. An operator sees feeds and revokes them.
#[test]
fn keys_of_secret_feeds_are_in_no_log() {
    let installation = Installation::sqlite();
    let mut command = installation.server(&["--access-log", "on"]);
    command
        .env("EVENTS_CALENDAR_LOG", "debug")
        .stderr(installation.log("log"));
    let server = Server::run(&mut command);
    let (address, token) = (&server.address, installation.token());
    let form = "name=My+drafts&query=status%3Ddraft";
    let made = send_form(address, "POST /cal/events/v1/feeds", &token, form);
    let (status, created) = made.unwrap();
    assert_eq!(status, 201, "{created}");
    let created: Value = serde_json::from_str(&created).unwrap();
    let url = created["url"].as_str().unwrap();
    let key = url.rsplit_once('/').unwrap().1;
    for base in ["/cal/events/v1", "/fr/CAL/events/v1"] {
        let (status, calendar) = server.get(&format!("{base}/feeds/{key}"));
        assert_eq!(status, 200, "{calendar}");
        assert!(calendar.contains("BEGIN:VCALENDAR") && !calendar.contains(key));
    }
    let list = installation.said(&["feed", "list"]);
    assert!(list.contains("My drafts") && list.contains("status=draft"));
    let only = installation.said(&["feed", "list", "--user", "admin"]);
    assert_eq!(only, list);
    let revoked = installation.said(&["feed", "revoke", "1"]);
    assert_eq!(revoked, "feed 1 is revoked\n");
    assert_eq!(server.get(&format!("/cal/events/v1/feeds/{key}")).0, 404);
    installation.run(&["feed", "revoke", "1"]).failed(1);
    server.get_with("/cal/events/v1/events", "X-Request-Id: abc.9\r\n");
    let log = wait_for("abc.9", &installation.path("log"));
    assert!(log.contains("/cal/events/v1/feeds/…"), "{log}");
    let key = key.trim_end_matches(".ics");
    for secret in [key, &key.to_ascii_lowercase()] {
        assert!(!log.contains(secret) && !list.contains(secret));
    }
    server.stop();
}

#[test]
fn refused_credentials_are_logged_with_request_and_client() {
    let installation = Installation::sqlite();
    let mut command = installation.server(&["--log-format", "text"]);
    let server = Server::run(command.stderr(installation.log("log")));
    let statuses = (0..12).map(|number| {
        // `admin:hunter2`
        let headers =
            format!("X-Request-Id: try.{number}\r\nAuthorization: Basic YWRtaW46aHVudGVyMg==\r\n");
        server.get_with("/cal/events/v1/events", &headers).0
    });
    let statuses: Vec<_> = statuses.collect();
    assert_eq!(statuses[9..], [401, 429, 429]);
    let log = wait_for("refused with 429", &installation.path("log"));
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
    server.stop();
}

/// The value of the option of the allocator in the environment of a server.
#[cfg(target_os = "linux")]
fn purge_delay(server: &Server) -> Option<String> {
    let environment = std::fs::read(format!("/proc/{}/environ", server.child.id())).unwrap();
    let environment = String::from_utf8(environment).unwrap();
    let mut variables = environment.split('\0');
    let value = variables.find_map(|variable| variable.strip_prefix("MIMALLOC_PURGE_DELAY="));
    value.map(str::to_owned)
}

/// The allocator has read its options before `main`, so that the process is the same and its program
/// has begun again.
#[cfg(target_os = "linux")]
#[test]
fn a_server_returns_memory_early_unless_its_operator_decided_otherwise() {
    let installation = Installation::sqlite();
    let mut plain = installation.server(&["--access-log", "on"]);
    let server = Server::run(plain.env_remove("MIMALLOC_PURGE_DELAY"));
    assert_eq!(purge_delay(&server).as_deref(), Some("10"));
    let line = std::fs::read(format!("/proc/{}/cmdline", server.child.id())).unwrap();
    let line = String::from_utf8(line).unwrap();
    assert!(line.ends_with("\0serve\0--access-log\0on\0"), "{line:?}");
    server.stop();
    let mut chosen = installation.server(&[]);
    let server = Server::run(chosen.env("MIMALLOC_PURGE_DELAY", "500"));
    assert_eq!(purge_delay(&server).as_deref(), Some("500"));
    server.stop();
}

/// Runs a statement on a new SQLite file, or one that exists.
fn execute(file: &Path, statement: &str) {
    let url = format!("sqlite://{}?mode=rwc", file.display());
    block_on(async {
        let database = Database::connect(url).await.unwrap();
        database.execute_unprepared(statement).await.unwrap();
        database.close().await.unwrap();
    });
}

/// The names of the tables of an SQLite file.
fn tables(file: &Path) -> String {
    let url = format!("sqlite://{}?mode=ro", file.display());
    block_on(async {
        let database = Database::connect(url).await.unwrap();
        let select = "SELECT group_concat(name) AS names FROM sqlite_schema WHERE type = 'table'";
        let select = Statement::from_string(DbBackend::Sqlite, select);
        let row = database.query_one_raw(select).await.unwrap().unwrap();
        let names = row.try_get("", "names").unwrap();
        database.close().await.unwrap();
        names
    })
}

/// A database that belongs to another program is refused, and keeps its tables as they are.
#[test]
fn a_database_of_another_program_is_refused() {
    for (statement, table) in [
        ("CREATE TABLE event (id integer, what text)", "event"),
        ("CREATE TABLE note (id integer)", "note"),
        (
            "CREATE TABLE seaql_migrations (version varchar PRIMARY KEY, applied_at bigint NOT NULL); \
             INSERT INTO seaql_migrations VALUES ('m20200101_000001_shop', 1)",
            "seaql_migrations",
        ),
    ] {
        let installation = Installation::sqlite();
        let file = installation.path("calendar.db");
        execute(&file, statement);
        for command in ["serve", "migrate"] {
            let ended = installation.run(&[command]);
            let expected = format!("belongs to another program: it has a table `{table}`");
            assert!(ended.stderr.contains(&expected), "{}", ended.stderr);
            assert_eq!(ended.code, Some(1));
        }
        assert_eq!(tables(&file), table);
    }
    let Some(installation) = Installation::postgres() else {
        return;
    };
    block_on(async {
        let database = Database::connect(installation.database()).await.unwrap();
        let foreign =
            "DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE TABLE venue (id integer)";
        database.execute_unprepared(foreign).await.unwrap();
        database.close().await.unwrap();
    });
    let line = installation.run(&["migrate"]).failed(1);
    assert!(line.contains("it has a table `venue`"), "{line}");
}

/// A folder instead of a file is named as such.
#[test]
fn a_folder_is_no_database() {
    let installation = Installation::sqlite();
    std::fs::create_dir(installation.path("calendar.db")).unwrap();
    for command in ["serve", "migrate"] {
        let ended = installation.run(&[command]);
        let said = ended.stderr;
        assert!(said.contains("it is a folder: name a file in it"), "{said}");
        assert_eq!(ended.code, Some(1));
    }
}

/// A misspelt variable is told with the setting that it resembles; variables of orchestrators are not.
#[test]
fn misspelt_variables_are_told() {
    let installation = Installation::sqlite();
    let said = |variable: &str| {
        let mut command = installation.command(&["migrate"]);
        let ended: crate::server::Ended = command.env(variable, "x").output().unwrap().into();
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        ended.stderr
    };
    let text = said("EVENTS_CALENDAR_TIMEZON");
    assert!(
        text.contains("EVENTS_CALENDAR_TIMEZON: is EVENTS_CALENDAR_TIMEZONE meant?"),
        "{text}"
    );
    let text = said("EVENTS_CALENDAR_COLOUR_OF_BUTTONS");
    assert!(
        text.contains("no setting has the variable EVENTS_CALENDAR_COLOUR_OF_BUTTONS"),
        "{text}"
    );
    for foreign in [
        "EVENTS_CALENDAR_SERVICE_HOST",
        "EVENTS_CALENDAR_PORT_8080_TCP",
        "EVENTS_CALENDAR_PORT",
    ] {
        assert!(!said(foreign).contains("no setting"), "{foreign}");
    }
}
