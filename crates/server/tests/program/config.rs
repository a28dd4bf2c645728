//! The file of settings, `config show` and `config check`.

use std::{
    fs,
    process::{Command, Stdio},
};

use serde_json::Value;

use crate::server::{Ended, Installation, Server};

/// Writes the file of settings.
fn write(installation: &Installation, text: &str) {
    fs::write(installation.path("config.toml"), text).unwrap();
}

/// A command in the folder with a file of settings, and with no variables of settings but these.
fn command(installation: &Installation, variables: &[(&str, &str)], arguments: &[&str]) -> Command {
    let mut command = installation.command(&[&["--config", "config.toml"], arguments].concat());
    command
        .env_remove("EVENTS_CALENDAR_DATABASE_URL")
        .env_remove("EVENTS_CALENDAR_LISTEN")
        .envs(variables.iter().copied());
    command
}

fn run(installation: &Installation, variables: &[(&str, &str)], arguments: &[&str]) -> Ended {
    let output = command(installation, variables, arguments).output();
    output.unwrap().into()
}

/// The rows of `config show`, each as setting, value and origin.
fn shown(
    installation: &Installation,
    variables: &[(&str, &str)],
    arguments: &[&str],
) -> Vec<Value> {
    let arguments = [&["config", "show", "--format", "json"], arguments].concat();
    let ended = run(installation, variables, &arguments);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    serde_json::from_str(&ended.stdout).unwrap()
}

/// Value and origin of a setting.
fn of<'a>(shown: &'a [Value], setting: &str) -> [&'a Value; 3] {
    let row = shown.iter().find(|row| row["setting"] == setting).unwrap();
    [&row["value"], &row["origin"], &row["name"]]
}

/// `.ci/tls` tries a program with the feature.
#[cfg(not(feature = "tls"))]
#[test]
fn a_program_without_tls_names_the_feature() {
    let installation = Installation::sqlite();
    let mut serve = installation.command(&["serve", "--domain", "cal.example.org"]);
    let said = Ended::from(serve.output().unwrap()).failed(2);
    assert_eq!(
        said,
        "events-calendar: --domain (EVENTS_CALENDAR_DOMAIN): this program was built without the Cargo feature `tls`\n"
    );
    assert!(!installation.path("calendar.db").exists());
}

#[test]
fn a_server_starts_with_a_file_of_settings() {
    let installation = Installation::sqlite();
    write(
        &installation,
        "# A path is relative to the working folder.\n\
         database-url = \"sqlite://town.db\"\n\
         listen = \"127.0.0.1:0\"\n\
         site-name = \"Springfield\"\n\
         mount = [\"/one\", \"/two\"]\n\
         read-only = false\n",
    );
    let mut serve = command(&installation, &[], &["serve"]);
    let server = Server::run(serve.stderr(Stdio::null()));
    assert!(installation.path("town.db").exists());
    assert!(server.get("/").1.contains("Springfield"));
    for mount in ["/one", "/two"] {
        assert_eq!(server.get(&format!("{mount}/events")).0, 200, "{mount}");
    }
    server.stop();

    // The variable names the file, too.
    let mut named = installation.command(&["config", "show"]);
    let ended: Ended = named
        .env("EVENTS_CALENDAR_CONFIG", "config.toml")
        .output()
        .unwrap()
        .into();
    assert!(
        ended.stdout.contains("file config.toml, line 4"),
        "{}",
        ended.stdout
    );
}

#[test]
fn a_flag_comes_before_a_variable_and_a_variable_before_the_file() {
    let installation = Installation::sqlite();
    write(&installation, "timezone = \"Asia/Tokyo\"\nstrict = true\n");
    let variable = [("EVENTS_CALENDAR_TIMEZONE", "Europe/Paris")];
    let flag = ["--timezone", "Europe/Rome"];
    for (variables, arguments, expected) in [
        (&[][..], &[][..], ["Asia/Tokyo", "file", "config.toml"]),
        (
            &variable,
            &[],
            ["Europe/Paris", "variable", "EVENTS_CALENDAR_TIMEZONE"],
        ),
        (&variable, &flag, ["Europe/Rome", "flag", "--timezone"]),
    ] {
        let shown = shown(&installation, variables, arguments);
        assert_eq!(of(&shown, "timezone"), expected);
        assert_eq!(of(&shown, "strict"), ["on", "file", "config.toml"]);
        assert_eq!(*of(&shown, "language")[1], "default");
    }
    assert!(
        !installation.path("events-calendar.db").exists(),
        "no database is created"
    );
}

#[test]
fn a_fault_of_the_file_is_one_line() {
    let installation = Installation::sqlite();
    for (text, line) in [
        (
            "\ntimezon = \"UTC\"",
            "config.toml:2: timezon: no setting has this name; did you mean timezone?",
        ),
        (
            "cache-mib = \"much\"",
            "config.toml:1: cache-mib: `much`: invalid digit found in string",
        ),
        (
            "language = \"en\"\ntimezone = \"Mars/Olympus\"",
            "config.toml:2: timezone: `Mars/Olympus` is not a known time zone",
        ),
        (
            "zone-data = \"nowhere\"",
            "config.toml:1: zone-data: cannot read nowhere/tzdata.zi: No such file or directory (os error 2)",
        ),
        (
            "database-url = \"mysql://ann:hunter2@db.example\"",
            "config.toml:1: database-url: must be",
        ),
    ] {
        write(&installation, text);
        let said = run(&installation, &[], &["serve"]).failed(2);
        assert!(
            said.starts_with(&format!("events-calendar: {line}")),
            "{said}"
        );
        assert!(!said.contains("hunter2"), "{said}");
    }
    write(
        &installation,
        "database-url = postgres://ann:hunter2@db.example",
    );
    let said = run(&installation, &[], &["migrate"]).failed(2);
    assert!(
        said.starts_with("events-calendar: config.toml:1: "),
        "{said}"
    );
    assert!(!said.contains("hunter2"), "{said}");
    fs::remove_file(installation.path("config.toml")).unwrap();
    let said = run(&installation, &[], &["serve"]).failed(2);
    let expected = "events-calendar: --config (EVENTS_CALENDAR_CONFIG): cannot read config.toml: ";
    assert!(said.starts_with(expected), "{said}");
}

#[test]
fn a_password_is_in_no_output_of_the_settings() {
    let installation = Installation::sqlite();
    write(
        &installation,
        "database-url = \"postgres://ann:hunter2@127.0.0.1:1/calendar\"\n\
         read-database-url = \"postgres://127.0.0.1:1/calendar?user=ann&password=hunter2\"\n",
    );
    for format in ["text", "json"] {
        let ended = run(&installation, &[], &["config", "show", "--format", format]);
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        for url in [
            "postgres://ann:***@127.0.0.1:1/calendar",
            "postgres://127.0.0.1:1/calendar?user=ann&password=***",
        ] {
            assert!(ended.stdout.contains(url), "{}", ended.stdout);
        }
        assert!(!ended.stdout.contains("hunter2"), "{}", ended.stdout);
        assert!(!ended.stderr.contains("hunter2"), "{}", ended.stderr);
        // The database cannot be asked for the settings of the desk.
        assert!(
            ended
                .stderr
                .contains("cannot read the settings of the desk"),
            "{}",
            ended.stderr
        );
    }
    let checked = run(&installation, &[], &["config", "check"]);
    assert_eq!(checked.code, Some(0), "{}", checked.stderr);
}

#[test]
fn each_fault_is_told_by_a_check() {
    let installation = Installation::sqlite();
    write(&installation, "timezone = \"Asia/Tokyo\"\n");
    let ended = run(&installation, &[], &["config", "check"]);
    assert_eq!((ended.code, &*ended.stderr), (Some(0), ""));
    assert!(
        ended.stdout.starts_with("config.toml is in order"),
        "{}",
        ended.stdout
    );

    write(
        &installation,
        "timezone = \"Mars/Olympus\"\nsite-nam = \"Town\"\nsite-colour = \"#ffd700\"\n",
    );
    let wrong = [
        ("EVENTS_CALENDAR_LANGUAGE", "de"),
        ("EVENTS_CALENDAR_TIMEZON", "UTC"),
        ("EVENTS_CALENDAR_LOG", "a=loud"),
    ];
    let ended = run(&installation, &wrong, &["config", "check"]);
    assert_eq!((ended.code, &*ended.stdout), (Some(1), ""));
    let lines: Vec<_> = ended.stderr.lines().collect();
    for expected in [
        "config.toml:2: site-nam: no setting has this name; did you mean site-name?",
        "config.toml:3: site-colour: `#ffd700` has a contrast",
        "config.toml:1: timezone: `Mars/Olympus` is not a known time zone",
        "--language (EVENTS_CALENDAR_LANGUAGE): `de` is not one of ar, en, fr",
        "EVENTS_CALENDAR_LOG: `a=loud`: ",
        "no setting has the variable EVENTS_CALENDAR_TIMEZON: is EVENTS_CALENDAR_TIMEZONE meant?",
    ] {
        let expected = format!("events-calendar: {expected}");
        assert!(
            lines.iter().any(|line| line.starts_with(&expected)),
            "{expected}: {lines:?}"
        );
    }
    assert_eq!(lines.len(), 6, "{lines:?}");

    write(&installation, "");
    let of_others = [
        ("EVENTS_CALENDAR_SERVICE_HOST", "10.0.0.1"),
        ("EVENTS_CALENDAR_PORT", "tcp://10.0.0.1:8080"),
        ("EVENTS_CALENDAR_PORT_8080_TCP", "tcp://10.0.0.1:8080"),
        ("EVENTS_CALENDAR_TEST_ROUNDS", "1"),
    ];
    let ended = run(&installation, &of_others, &["config", "check"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
}
