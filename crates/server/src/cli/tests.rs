mod settings_page;

use clap::{Arg, FromArgMatches};
use http_service::face::Origin;

use super::{
    reading::{set_values, with_files},
    *,
};
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
    assert_eq!(variables.len(), 51);
    assert_eq!(variables[5], "EVENTS_CALENDAR_DATABASE_URL");
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
fn rights_of_tokens_are_parsed_by_name() {
    let parse = |flags: &[&str]| {
        let line = [
            "events-calendar",
            "token",
            "create",
            "--user=ann",
            "--name=x",
        ];
        let cli = Cli::read(line.iter().chain(flags));
        cli.map(|cli| match cli.command {
            Command::Token(TokenCommand::Create {
                scope, collections, ..
            }) => (scope, collections),
            _ => panic!("{flags:?}"),
        })
    };
    assert_eq!(parse(&[]).ok(), Some((TokenScope::Admin, vec![])));
    for scope in TokenScope::ALL {
        let flag = format!("--scope={scope}");
        assert_eq!(parse(&[&flag]).ok(), Some((scope, vec![])));
    }
    let some = vec![Collection::Events, Collection::Venues];
    let parsed = parse(&["--scope=write", "--collections", "events,venues"]);
    assert_eq!(parsed.ok(), Some((TokenScope::Write, some)));
    for (flags, choices) in [
        (["--scope", "root"], "[possible values: read, write, admin]"),
        (
            ["--collections", "events,users"],
            "[possible values: events, venues, organizers, categories, tags, images]",
        ),
        (["--collections", ""], "[possible values: events, venues,"),
    ] {
        let error = parse(&flags).err().unwrap().to_string();
        assert!(error.contains(choices), "{error}");
    }
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

/// A value names its flag, or the variable that sets it: itself, or a file.
#[test]
fn the_origin_of_a_value_is_known() {
    let cli = Cli::read(["events-calendar", "migrate", "--site-name", "Fair"]);
    let args = cli.unwrap_or_else(|error| panic!("{error}")).settings;
    let flag = Origin::Flag("--site-name".to_owned());
    assert_eq!(args.origin("site-name"), flag);

    // A variable that each process has.
    let setting = |name: &'static str| Arg::new(name).long(name).env("PATH");
    let command = clap::Command::new("x")
        .arg(setting("colour"))
        .arg(setting("name"));
    let origins = |mut command: clap::Command, line: &[&str], file: &str| {
        let matches = command.try_get_matches_from_mut(line).unwrap();
        let set = set_values(&command, &matches, None, |variable| variable == file);
        let origins = set.into_iter().map(|value| (value.flag, value.origin));
        origins.collect::<Vec<_>>()
    };
    let variable = |name: &str| Origin::Variable(name.to_owned());
    assert_eq!(
        origins(command, &["x", "--name", "Fair"], ""),
        [
            ("colour".to_owned(), variable("PATH")),
            ("name".to_owned(), Origin::Flag("--name".to_owned())),
        ]
    );

    let setting = Arg::new("name")
        .long("name")
        .env("NOWHERE")
        .default_value("Fair");
    let command = clap::Command::new("x").arg(setting);
    assert_eq!(
        origins(command.clone(), &["x"], "NOWHERE_FILE"),
        [("name".to_owned(), variable("NOWHERE_FILE"))]
    );
    assert_eq!(origins(command, &["x"], ""), []);
}

/// A flag comes before the file, and the file before the default; the place of each is known.
#[test]
fn a_file_sets_what_no_flag_sets() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.toml");
    let text = "# Town\nsite-name = \"Town\"\ntimezone = \"Asia/Tokyo\"\nstrict = true\nlisten = \"[::1]:1\"\n";
    std::fs::write(&file, text).unwrap();
    let path = file.to_str().unwrap();
    let read = |line: &[&str]| {
        let line = [&["events-calendar", "--config", path][..], line].concat();
        Cli::read(line).unwrap_or_else(|error| panic!("{error}"))
    };
    let cli = read(&["migrate", "--timezone", "Europe/Berlin"]);
    assert_eq!(cli.settings.timezone, "Europe/Berlin");
    assert_eq!(cli.settings.site_name.as_deref(), Some("Town"));
    assert!(cli.settings.strict);
    let set: Vec<_> = cli.settings.set.iter().collect();
    let origins: Vec<_> = set
        .iter()
        .map(|value| (&*value.flag, value.origin.to_string(), value.line))
        .collect();
    for origin in [
        ("config", "--config".to_owned(), None),
        ("timezone", "--timezone".to_owned(), None),
        ("site-name", path.to_owned(), Some(2)),
        ("strict", path.to_owned(), Some(4)),
        ("listen", path.to_owned(), Some(5)),
    ] {
        assert!(origins.contains(&origin), "{origin:?} in {origins:?}");
    }
    assert_eq!(
        cli.settings.origin("site-name"),
        Origin::File(path.to_owned())
    );

    // A variable of a file comes before the file of settings, too.
    let value = folder.path().join("name");
    std::fs::write(&value, "Fair\n").unwrap();
    let variable = |name: &str| {
        (name == "EVENTS_CALENDAR_SITE_NAME_FILE").then(|| value.clone().into_os_string())
    };
    let definition = crate::settings::SettingsFile::read(&file, &Cli::definition())
        .as_defaults(Cli::definition());
    let command = with_files(definition, variable).unwrap();
    let matches = command.try_get_matches_from(["events-calendar", "migrate"]);
    let cli = Cli::from_arg_matches(&matches.unwrap()).unwrap();
    assert_eq!(cli.settings.site_name.as_deref(), Some("Fair"));

    std::fs::write(&file, "zone-data = \"/a/b\"").unwrap();
    let line = ["events-calendar", "--version", "--config", path];
    assert_eq!(Cli::zone_data_folder(line), Some("/a/b".into()));
}

/// Faults of a file are told by the settings, and do not prevent the help.
#[test]
fn a_file_with_faults_is_refused_by_the_settings() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.toml");
    std::fs::write(&file, "timezone = \"UTC\"\ncache-mb = 1\nstrict = 1").unwrap();
    let path = file.to_str().unwrap();
    let cli = Cli::read(["events-calendar", "migrate", "--config", path]);
    let args = cli.unwrap_or_else(|error| panic!("{error}")).settings;
    assert_eq!(args.faults.len(), 2);
    let error = Settings::read(&args).unwrap_err().to_string();
    let expected = format!("{path}:2: cache-mb: no setting has this name; did you mean cache-mib?");
    assert_eq!(error, expected);
    let help = Cli::read(["events-calendar", "--config", path, "--help"]);
    let help = help.err().unwrap().to_string();
    assert!(help.contains("Commands:"), "{help}");
}
