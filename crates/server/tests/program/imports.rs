//! Imports of calendar files by the program.

use std::{
    fmt::Write as _,
    fs,
    io::{Read as _, Write as _},
    net::TcpListener,
    process::Stdio,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Instant,
};

use super::{ALWAYS, PAUSE, TIMEOUT, all, server::Installation};

/// A file of events, with their numbers in UID and title.
fn calendar(numbers: impl Iterator<Item = usize>) -> String {
    let mut file = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n".to_owned();
    for number in numbers {
        write!(
            file,
            "BEGIN:VEVENT\r\nUID:{number}@fair.example\r\nDTSTART:20990310T090000\r\nSUMMARY:Event \
             {number}\r\nLOCATION:Hall {number}\\, Lyon\r\nCATEGORIES:Fair\r\nEND:VEVENT\r\n"
        )
        .unwrap();
    }
    file + "END:VCALENDAR\r\n"
}

/// Adds an administrator to an installation, and returns it.
fn with_administrator(installation: Installation) -> Installation {
    installation.said(&["migrate"]);
    installation.said(&["user", "add", "admin", "--role", "administrator"]);
    installation
}

/// The form of a file follows from its name, a word before it or `--format`. A refused event is shown with
/// its line, and the exit code says so.
#[test]
fn calendar_files_are_imported() {
    let installation = with_administrator(Installation::sqlite());
    let path = |name: &str| installation.path(name).display().to_string();
    fs::write(path("fair.ics"), calendar(1..4)).unwrap();
    let summary = |created: u32, unchanged: u32| {
        format!(
            "{created} created, 0 updated, {unchanged} unchanged, 0 cancelled, 0 no longer there, 0 refused\n"
        )
    };
    let fair = path("fair.ics");
    let run = |arguments: &[&str]| installation.run(&[&["import"], arguments].concat());
    let tried = run(&[&fair, "--dry-run"]);
    assert_eq!((tried.code, tried.stdout), (Some(0), summary(3, 0)));
    assert_eq!(run(&[&fair]).stdout, summary(3, 0));
    fs::copy(&fair, path("export")).unwrap();
    assert_eq!(run(&["ics", &path("export")]).stdout, summary(0, 3));
    assert_eq!(
        run(&[&path("export"), "--format", "ics"]).stdout,
        summary(0, 3)
    );
    let mut command = installation.command(&["import", "ics", "-"]);
    command.stdin(fs::File::open(&fair).unwrap());
    assert_eq!(
        String::from_utf8(command.output().unwrap().stdout).unwrap(),
        summary(0, 3)
    );

    fs::write(
        path("bad.ics"),
        calendar(4..6).replace("SUMMARY:Event 5", "DTEND:20990309T090000"),
    )
    .unwrap();
    let refused = run(&[&path("bad.ics")]);
    assert_eq!(refused.code, Some(1));
    assert!(
        refused.stdout.starts_with("1 created, "),
        "{}",
        refused.stdout
    );
    let line = "line 13 (5@fair.example): DTEND: must not be before the start\n";
    assert!(refused.stderr.ends_with(line), "{}", refused.stderr);

    installation.said(&["user", "add", "ada", "--role", "author"]);
    for (arguments, reason) in [
        (
            &[&*fair, "--user", "ada"][..],
            "only editors and administrators",
        ),
        (&["/no/such.ics"], "cannot read /no/such.ics"),
        (&["csv2", &fair], "give one file"),
        (
            &["ics", &fair, "--format", "jsonl"],
            "the form is given twice",
        ),
        (
            &["jsonl", &fair, "--prune"],
            "are for calendar files and tables",
        ),
        (
            &["csv", &fair, "--prune", "--kind", "venues"],
            "is for events alone",
        ),
        (&[&*fair, "--kind", "venues"], "are for tables alone"),
        (
            &["ics", &path("bad.ics"), "--prune"],
            "nothing was imported",
        ),
        (
            &["ics", "ftp://x.example/y.ics"],
            "cannot read ftp://x.example/y.ics",
        ),
    ] {
        let refused = run(arguments).failed(1);
        assert!(refused.contains(reason), "{arguments:?}: {refused}");
    }
    let table = "Venue Name,Venue City,Colour\nOld Mill,Lyon,red\n,Vienne,\n";
    fs::write(path("venues.csv"), table).unwrap();
    let read = run(&[&path("venues.csv"), "--kind", "venues"]);
    assert_eq!(read.code, Some(1));
    let refused = read.stderr;
    assert!(
        refused.contains("line 1: Colour: is no column"),
        "{refused}"
    );
    assert!(refused.contains("line 3: is missing or empty"), "{refused}");
    let again = run(&[&path("venues.csv"), "--kind", "venues"]);
    assert!(again.stdout.contains("1 unchanged"), "{}", again.stdout);
    fs::write(path("four.ics"), calendar(1..4)).unwrap();
    let pruned = run(&[&path("four.ics"), "--prune"]);
    assert!(
        pruned.stdout.contains("1 no longer there"),
        "{}",
        pruned.stdout
    );
}

/// The order of day and month of a table is told on the command line.
#[test]
fn dates_of_tables_have_the_order_that_is_told() {
    let installation = with_administrator(Installation::sqlite());
    let file = installation.path("days.csv").display().to_string();
    fs::write(&file, "title,start_date\nDance,05/12/2097\n").unwrap();
    for (order, day) in [("dmy", "2097-12-05"), ("mdy", "2097-05-12")] {
        let read = installation.said(&["import", &file, "--date-order", order, "--source", order]);
        assert!(read.starts_with("1 created, "), "{read}");
        let query = format!("start_date={day}&end_date={day}");
        let table = installation.said(&["export", "-", "--format", "csv", "--query", &query]);
        assert!(table.contains("Dance"), "{order}: {table}");
    }
    let unknown = installation.run(&["import", &file, "--date-order", "ymd"]);
    assert!(
        unknown.stderr.contains("possible values: mdy, dmy"),
        "{}",
        unknown.stderr
    );
}

/// F-70: a file at a private address is not asked for, unless such addresses are allowed.
fn ask_a_private_address(installation: Installation) {
    let installation = with_administrator(installation);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let hits = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&hits);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            counted.fetch_add(1, Ordering::SeqCst);
            let _ = stream.read(&mut [0; 4096]).unwrap();
            let body = calendar(1..3);
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close",
                body.len()
            );
            write!(stream, "{head}\r\n\r\n{body}").unwrap();
        }
    });
    let url = format!("http://{address}/fair.ics");
    let refused = installation.run(&["import", &url]).failed(1);
    assert!(refused.contains(&format!("cannot read {url}")), "{refused}");
    assert!(refused.contains("allow-private-hosts"), "{refused}");
    assert_eq!(hits.load(Ordering::SeqCst), 0);
    // The second is the former name of the setting.
    for (setting, created) in [
        ("--allow-private-hosts", "2 created"),
        ("--allow-private-image-hosts", "0 created"),
    ] {
        let done = installation.run(&["import", &url, setting]);
        assert!(
            done.stdout.starts_with(created),
            "{} {}",
            done.stdout,
            done.stderr
        );
    }
    assert_eq!(hits.load(Ordering::SeqCst), 2);
}

#[test]
fn private_addresses_are_not_asked_on_sqlite() {
    ask_a_private_address(Installation::sqlite());
}

#[test]
fn private_addresses_are_not_asked_on_postgres() {
    if let Some(installation) = Installation::postgres() {
        ask_a_private_address(installation);
    }
}

/// F-72: an import that is killed in the middle and run again has each event once.
fn kill_an_import_of_a_calendar_file(installation: Installation) {
    let installation = with_administrator(installation);
    let file = installation.path("fair.ics").display().to_string();
    fs::write(&file, calendar(0..600)).unwrap();
    let server = installation.serve(&[]);
    let mut process = installation
        .command(&["import", &file])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let started = Instant::now();
    while all(&server) < 100 {
        assert!(started.elapsed() < TIMEOUT, "the import takes too long");
        assert!(
            process.try_wait().unwrap().is_none(),
            "it was killed in the middle"
        );
        std::thread::sleep(PAUSE);
    }
    process.kill().unwrap();
    process.wait().unwrap();
    let there = all(&server);
    assert!((100..600).contains(&there));
    let rest = installation.said(&["import", &file]).replace(',', "");
    let expected = format!("{} created 0 updated {there} unchanged ", 600 - there);
    assert!(rest.starts_with(&expected), "{rest}");
    let events = server.events(ALWAYS);
    let mut titles: Vec<_> = events
        .iter()
        .map(|event| event["title"].to_string())
        .collect();
    titles.sort();
    titles.dedup();
    assert_eq!((events.len(), titles.len()), (600, 600));
    server.stop();
}

#[test]
fn a_killed_import_of_a_calendar_file_goes_on_on_sqlite() {
    kill_an_import_of_a_calendar_file(Installation::sqlite());
}

#[test]
fn a_killed_import_of_a_calendar_file_goes_on_on_postgres() {
    if let Some(installation) = Installation::postgres() {
        kill_an_import_of_a_calendar_file(installation);
    }
}
