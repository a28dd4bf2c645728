mod settings_page;

use super::*;
use crate::settings::Settings;

#[test]
fn the_definition_is_sound() {
    Cli::definition().debug_assert();
}

#[test]
fn settings_are_understood_before_and_after_the_command() {
    for line in [
        ["events-calendar", "--timezone", "Asia/Tokyo", "migrate"],
        ["events-calendar", "migrate", "--timezone", "Asia/Tokyo"],
    ] {
        let cli = Cli::read(line).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(cli.settings.timezone, "Asia/Tokyo");
    }
}

#[test]
fn settings_have_variables() {
    let command = Cli::definition();
    let variables = command.get_arguments().map(|setting| setting.get_env());
    let variables: Option<Vec<_>> = variables.collect();
    let variables = variables.unwrap();
    assert_eq!(variables.len(), 38);
    assert_eq!(variables[1], "EVENTS_CALENDAR_DATABASE_URL");
}

#[test]
fn the_help_of_a_command_shows_its_own_flags() {
    let help = |line: &[&str]| Cli::read(line).err().unwrap().to_string();
    for line in [
        &["events-calendar", "--help"][..],
        &["events-calendar", "import", "--help"],
        &["events-calendar", "help", "serve"],
    ] {
        assert!(!help(line).contains("EVENTS_CALENDAR_"), "{}", help(line));
    }
    assert!(help(&["events-calendar", "import", "-h"]).contains("--dry-run"));
    assert!(help(&["events-calendar", "-h"]).contains("events-calendar help settings"));
    let settings = help(&["events-calendar", "help", "settings"]);
    for variable in Cli::variables() {
        let is_former = variable.ends_with("PRIVATE_IMAGE_HOSTS");
        assert_eq!(settings.contains(&variable), !is_former, "{variable}");
    }
}

#[test]
fn a_former_name_of_a_setting_is_read_and_not_shown() {
    for name in ["--allow-private-hosts", "--allow-private-image-hosts"] {
        let cli = Cli::read(["events-calendar", "migrate", name]);
        let args = cli.unwrap_or_else(|error| panic!("{error}")).settings;
        assert!(Settings::read(&args).unwrap().allow_private_hosts, "{name}");
    }
    let none = Cli::read(["events-calendar", "migrate"]);
    let args = none.unwrap_or_else(|error| panic!("{error}")).settings;
    assert!(!Settings::read(&args).unwrap().allow_private_hosts);
    let help = Cli::definition().render_long_help().to_string();
    assert!(help.contains("--allow-private-hosts") && !help.contains("image-hosts"));
    let former = Cli::definition();
    let mut variables = former.get_arguments().map(|setting| setting.get_env());
    assert!(
        variables.any(|name| name == Some("EVENTS_CALENDAR_ALLOW_PRIVATE_IMAGE_HOSTS".as_ref()))
    );
}

#[test]
fn a_wrong_value_is_named_by_flag_and_variable() {
    for (flag, value, variable) in [
        ("--cache-mib", "much", "EVENTS_CALENDAR_CACHE_MIB"),
        ("--cache-max-age", "-1", "EVENTS_CALENDAR_CACHE_MAX_AGE"),
        ("--max-staleness", "60001", "EVENTS_CALENDAR_MAX_STALENESS"),
        (
            "--recurrence-months",
            "11",
            "EVENTS_CALENDAR_RECURRENCE_MONTHS",
        ),
    ] {
        let line = ["events-calendar", "serve", &format!("{flag}={value}")];
        let error = Cli::read(line).err().unwrap().to_string();
        let expected = format!("invalid value '{value}' for '{flag} ({variable})': ");
        assert!(error.contains(&expected), "{error}");
    }
    let line = ["events-calendar", "token", "revoke", "first"];
    let error = Cli::read(line).err().unwrap().to_string();
    assert!(error.contains("'first' for '<ID>'"), "{error}");
}

#[test]
fn the_version_reads_the_folder_of_zone_data() {
    for line in [
        &["events-calendar", "--zone-data", "/a/b", "--version"][..],
        &["events-calendar", "--version", "--zone-data=/a/b"],
        &["events-calendar", "-V", "serve", "--zone-data=/a/b"],
    ] {
        let folder = Cli::zone_data_folder(line);
        assert_eq!(folder.as_deref(), Some("/a/b".as_ref()), "{line:?}");
    }
    let line = ["events-calendar", "--version"];
    assert_eq!(Cli::zone_data_folder(line), None);
}

#[test]
fn roles_are_parsed_by_name() {
    let parse = |role| {
        Cli::read(["events-calendar", "user", "add", "ann", "--role", role]).map(|cli| cli.command)
    };
    for role in Role::ALL {
        let Ok(Command::User(UserCommand::Add { role: read, .. })) = parse(role.name()) else {
            panic!("{role}");
        };
        assert_eq!(read, role);
    }
    assert!(parse("king").is_err());
}

#[test]
fn the_help_does_not_show_the_database_url_of_the_environment() {
    let command = Cli::definition();
    let argument = command
        .get_arguments()
        .find(|argument| argument.get_id() == "database_url")
        .unwrap();
    assert!(argument.is_hide_env_values_set());
}

#[test]
fn a_setting_may_be_read_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("url");
    std::fs::write(&file, "postgres://ann:hunter2@db.example/calendar\n").unwrap();
    let parse = |line: &[&str], path: &std::path::Path| {
        let path = path.as_os_str().to_owned();
        let variable =
            |name: &str| (name == "EVENTS_CALENDAR_DATABASE_URL_FILE").then(|| path.clone());
        let matches = with_files(Cli::definition(), variable)?.try_get_matches_from(line)?;
        Cli::from_arg_matches(&matches)
    };
    let url = |line: &[&str]| parse(line, &file).map(|cli| cli.settings.database_url);
    let read = url(&["events-calendar", "migrate"]).unwrap();
    assert_eq!(read, "postgres://ann:hunter2@db.example/calendar");
    let flag = url(&[
        "events-calendar",
        "migrate",
        "--database-url",
        "sqlite://x.db",
    ])
    .unwrap();
    assert_eq!(flag, "sqlite://x.db", "the flag goes before");
    let missing = parse(&["events-calendar", "migrate"], &folder.path().join("none"));
    let missing = missing.err().unwrap().to_string();
    assert!(
        missing.contains("EVENTS_CALENDAR_DATABASE_URL_FILE: cannot read"),
        "{missing}"
    );
    let help = with_files(Cli::definition(), |_| Some(file.clone().into_os_string()));
    let help = help.unwrap().render_long_help().to_string();
    assert!(!help.contains("hunter2"), "{help}");
}

#[test]
fn the_form_of_a_file_is_that_of_its_name() {
    use ImportFormat::{Csv, Ics, Jsonl};

    for (name, form) in [
        ("fair.ics", Ics),
        ("fair.ICS.gz", Ics),
        ("https://fair.example/a.csv.gz?key=1", Csv),
        ("https://fair.example/feed", Ics),
        ("webcal://fair.example/feed.gz", Ics),
        ("events.tsv.gz", Csv),
        ("events.gz", Jsonl),
        ("-", Jsonl),
    ] {
        assert_eq!(ImportFormat::of_name(name), form, "{name}");
    }
}
