//! `export`, and `import` of an archive.

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    path::{Path, PathBuf},
    process::Stdio,
};

use tests::pictures::png;

use crate::{
    ALWAYS,
    server::{Installation, Server, mode, send_form},
};

/// Uploads an image; returns its ID.
pub(crate) fn upload(server: &Server, token: &str) -> String {
    let image = png(400, 200);
    let mut stream = TcpStream::connect(&server.address).unwrap();
    let head = format!(
        "POST /cal/events/v1/images HTTP/1.1\r\nHost: test\r\nConnection: close\r\nContent-Type: image/png\r\n\
         Authorization: Bearer {token}\r\nContent-Length: {}\r\n\r\n",
        image.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(&image).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    let image: serde_json::Value = serde_json::from_str(body).unwrap();
    image["id"].to_string()
}

fn create(server: &Server, token: &str, form: &str) {
    let made = send_form(&server.address, "POST /cal/events/v1/events", token, form).unwrap();
    assert_eq!(made.0, 201, "{}", made.1);
}

/// An installation with an image, events, a locked one, and a series.
pub(crate) fn filled() -> Installation {
    let installation = Installation::sqlite();
    let server = installation.serve(&[]);
    let token = installation.token();
    let image = upload(&server, &token);
    let times = "start_date=2040-01-01+10:00&end_date=2040-01-01+11:00";
    create(
        &server,
        &token,
        &format!("title=Fair&image={image}&venue%5Bvenue%5D=Old+Mill&{times}"),
    );
    create(
        &server,
        &token,
        &format!("title=Locked&password=river&{times}"),
    );
    create(
        &server,
        &token,
        &format!("title=Jazz&recurrence=FREQ%3DWEEKLY%3BCOUNT%3D5&{times}"),
    );
    server.stop();
    installation
}

/// The answers of a server, without its address.
pub(crate) fn answers(installation: &Installation) -> Vec<String> {
    let server = installation.serve(&[]);
    let paths = [
        "events?per_page=50&",
        "events/1?",
        "venues/1?",
        "images/1?",
        "events.ics?",
        "events.csv?",
    ];
    let answers = paths.map(|path| {
        let (status, body) = server.get(&format!("/cal/events/v1/{path}{ALWAYS}"));
        assert_eq!(status, 200, "{body}");
        body.replace(&server.address, "HOST").replace("\\/", "/")
    });
    server.stop();
    answers.into()
}

pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(files_below(&path));
        } else {
            files.push(path);
        }
    }
    files
}

/// Exports from SQLite, and restores into `target`.
fn moves_to(target: &Installation) {
    let source = filled();
    let said = source.said(&["export", "calendar.jsonl", "--secrets"]);
    assert!(said.ends_with("lines, 3 files of images\n"), "{said}");
    let archive = source.path("calendar.jsonl");
    assert_eq!(mode(&archive), 0o600, "only its owner may read the archive");
    let exists = source.run(&["export", "calendar.jsonl"]).failed(1);
    assert!(exists.contains("exists: --force replaces it"), "{exists}");
    source.said(&["export", "calendar.jsonl", "--secrets", "--force"]);

    let file = archive.to_str().unwrap();
    let said = target.said(&["import", file]);
    assert_eq!(
        said,
        "restored: 8 events, 1 image, 1 user, 1 venue, 3 files of images\n"
    );
    let again = target.run(&["import", file]).failed(1);
    assert!(
        again.contains("nothing was imported: the calendar is not empty"),
        "{again}"
    );
    target.said(&["export", "again.jsonl", "--secrets"]);
    let lines = |text: String| -> Vec<String> { text.lines().skip(1).map(str::to_owned).collect() };
    assert_eq!(
        lines(target.read("again.jsonl")),
        lines(source.read("calendar.jsonl"))
    );
    let images = [
        source.path("calendar.jsonl.images"),
        target.path("again.jsonl.images"),
    ];
    let [before, after] = images.map(|folder| files_below(&folder).len());
    assert_eq!([before, after], [3, 3]);
    assert_eq!(answers(target), answers(&source));
}

#[test]
fn a_calendar_moves_to_sqlite() {
    moves_to(&Installation::sqlite());
}

#[test]
fn a_calendar_moves_to_postgres() {
    if let Some(target) = Installation::postgres() {
        moves_to(&target);
    }
}

#[test]
fn an_archive_goes_through_a_pipe() {
    let source = filled();
    let exported = source.run(&["export", "-"]);
    assert_eq!(exported.code, Some(0));
    assert!(
        exported
            .stderr
            .contains("event 2 has a password: it is a draft"),
        "{}",
        exported.stderr
    );
    assert!(
        exported
            .stderr
            .contains("3 files of images are not exported"),
        "{}",
        exported.stderr
    );
    let target = Installation::sqlite();
    std::fs::write(target.path("archive"), &exported.stdout).unwrap();
    let import = |arguments: &[&str]| {
        let mut command = target.command(&[&["import", "-"], arguments].concat());
        let input = std::fs::File::open(target.path("archive")).unwrap();
        let ended = command.stdin(Stdio::from(input)).output().unwrap();
        (
            ended.status.code(),
            String::from_utf8(ended.stderr).unwrap(),
        )
    };
    let (code, missing) = import(&[]);
    assert_eq!(code, Some(1));
    assert!(
        missing.contains("of an image is missing: name the folder"),
        "{missing}"
    );
    source.said(&["export", "files.jsonl", "--images", "files"]);
    let files = source.path("files");
    assert_eq!(
        import(&["--images", files.to_str().unwrap()]),
        (Some(0), String::new())
    );
    let server = target.serve(&[]);
    assert_eq!(server.total(&format!("events?{ALWAYS}")), 6);
    server.stop();
}

#[test]
fn a_bad_archive_changes_nothing() {
    let source = filled();
    source.said(&["export", "calendar.jsonl"]);
    let archive = source.read("calendar.jsonl");
    let cut = archive.len() - 30;
    let target = Installation::sqlite();
    std::fs::write(target.path("cut.jsonl"), &archive[..cut]).unwrap();
    let images = source.path("calendar.jsonl.images");
    let import = |file: &str| target.run(&["import", file, "--images", images.to_str().unwrap()]);
    let refused = import("cut.jsonl");
    assert_eq!(refused.code, Some(1));
    let refused = refused.stderr;
    let number = archive[..cut].lines().count();
    assert!(
        refused.contains(&format!("nothing was imported: line {number}: EOF")),
        "{refused}"
    );
    std::fs::write(target.path("whole.jsonl"), &archive).unwrap();
    assert_eq!(import("whole.jsonl").code, Some(0));
}

#[test]
fn public_records_are_exported_by_filter() {
    let source = filled();
    let file = |arguments: &[&str]| source.said(&[&["export"], arguments].concat());
    let query = format!("{ALWAYS}&search=jazz");
    assert!(file(&["jazz.ics", "--query", &query]).ends_with(" public records\n"));
    let calendar = source.read("jazz.ics");
    assert!(calendar.ends_with("END:VCALENDAR\r\n"), "{calendar}");
    assert!(
        calendar.contains("SUMMARY;LANGUAGE=en:Jazz") && !calendar.contains("Fair"),
        "{calendar}"
    );
    file(&["venues.csv", "--kind", "venues"]);
    // Without dates, a table has a window: it does not claim to hold everything.
    assert!(file(&["soon.csv"]).ends_with(" bytes: public records\n"));
    assert!(source.read("venues.csv").contains("Old Mill"));
    let shown = source.said(&["export", "-", "--format", "csv", "--query", ALWAYS]);
    assert!(
        shown.contains("Fair") && shown.contains("Locked"),
        "{shown}"
    );
    let refused = source
        .run(&["export", "bad.ics", "--query", "categories=none"])
        .failed(1);
    assert!(refused.contains("categories"), "{refused}");
    assert!(
        !source.path("bad.ics").exists(),
        "a refused export makes no file"
    );
    let refused = source
        .run(&["export", "all.jsonl", "--query", "search=x"])
        .failed(1);
    assert!(refused.contains("--query is for ics and csv"), "{refused}");
    for file in ["events.pdf", "events"] {
        let refused = source.run(&["export", file]).failed(1);
        assert!(refused.contains("use --format"), "{refused}");
        assert!(
            !source.path(file).exists(),
            "{file} could hold private records"
        );
    }
    file(&["JAZZ.ICS", "--query", &query]);
    assert_eq!(source.read("JAZZ.ICS"), source.read("jazz.ics"));
    let nowhere = Installation::sqlite();
    let refused = nowhere.run(&["export", "all.jsonl"]).failed(1);
    assert!(refused.contains("there is no database"), "{refused}");
}
