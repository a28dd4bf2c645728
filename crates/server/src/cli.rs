//! The command line.

use std::{ffi::OsString, path::PathBuf};

use app::ports::TokenScope;
use clap::{
    Arg, ArgAction, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
    error::{ContextKind, ContextValue, ErrorKind},
};
use domain::{Language, Role};

use crate::settings::name_of;

const ABOUT: &str = "\
A calendar of events with venues, organizers, categories and tags, served over HTTP.

Everything is kept in one database: an SQLite file, which is made when it is not there, or PostgreSQL. \
The first start makes an administrator and shows a token to log in with.";

const EXAMPLES: &str = "\
Examples:
  Start on http://127.0.0.1:8080 with the file events-calendar.db:
      events-calendar serve
  Fill the calendar from a file that holds one event as JSON in each line:
      events-calendar import events.jsonl

Each setting has an environment variable, which the flag goes before. With _FILE at the end of its name, the \
variable names a file that holds the value, such as a password: EVENTS_CALENDAR_DATABASE_URL_FILE. \
EVENTS_CALENDAR_LOG says what is logged, for example `debug` or `info,api_http=debug`.";

/// The whole command line.
#[derive(Parser)]
#[command(name = "events-calendar", version, about = ABOUT, after_help = EXAMPLES)]
pub(crate) struct Cli {
    /// What holds for every command.
    #[command(flatten)]
    pub(crate) settings: SettingsArgs,
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// Reads a command line, and the environment.
    ///
    /// # Errors
    ///
    /// What clap finds wrong. A setting is named by its flag and its variable, as everywhere: its value may
    /// come from either.
    pub(crate) fn read(
        line: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    ) -> Result<Self, clap::Error> {
        let mut command = with_files(Self::command(), |variable| std::env::var_os(variable))?;
        let read = command.try_get_matches_from_mut(line).and_then(|matches| {
            Self::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
        });
        read.map_err(|mut error| {
            let name = match error.get(ContextKind::InvalidArg) {
                Some(ContextValue::String(usage)) => both_names(usage),
                _ => None,
            };
            if let Some(name) = name {
                error.insert(ContextKind::InvalidArg, ContextValue::String(name));
            }
            error
        })
    }
}

impl Cli {
    /// The folder of `--zone-data` in a command line that may lack everything else, such as one that asks for
    /// the version.
    pub(crate) fn zone_data_folder(
        line: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    ) -> Option<PathBuf> {
        // A flag like any other, so that what follows it is read.
        let version = Arg::new("version").short('V').long("version");
        let command = Self::command()
            .disable_version_flag(true)
            .arg(version.action(ArgAction::SetTrue))
            .subcommand_required(false)
            .ignore_errors(true);
        let matches = command.try_get_matches_from(line).ok()?;
        matches.get_one::<PathBuf>("zone_data").cloned()
    }
}

/// The command, with the contents of files in place of the defaults of settings: those whose variable, with `_FILE` at
/// the end of its name, names a file.
fn with_files(
    mut command: clap::Command,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Result<clap::Command, clap::Error> {
    let settings = command.get_arguments();
    let settings = settings.filter(|setting| setting.get_action().takes_values());
    let named = settings.filter_map(|setting| {
        let name = format!("{}_FILE", setting.get_env()?.to_str()?);
        let file = PathBuf::from(variable(&name)?);
        Some((setting.get_id().clone(), name, file))
    });
    let mut contents = Vec::new();
    for (id, name, file) in named.collect::<Vec<_>>() {
        match std::fs::read_to_string(&file) {
            Ok(content) => contents.push((id, content.trim_end().to_owned())),
            Err(error) => {
                let text = format!("{name}: cannot read {}: {error}", file.display());
                return Err(command.error(ErrorKind::Io, text));
            }
        }
    }
    for (id, content) in contents {
        command = command.mut_arg(id, |setting| {
            // The help must not show it.
            setting.default_value(content).hide_default_value(true)
        });
    }
    Ok(command)
}

/// The flag and the variable of the setting that has this usage, such as `--cache-mib <MIB>`.
fn both_names(usage: &str) -> Option<String> {
    let mut command = Cli::command();
    // Usages are known only then.
    command.build();
    let setting = command
        .get_arguments()
        .find(|one| one.to_string() == usage)?;
    setting.get_env()?;
    Some(name_of(setting.get_long()?))
}

/// Settings as they were written. No `Debug`: one may hold a password.
#[derive(Args)]
#[command(next_help_heading = "Settings")]
pub(crate) struct SettingsArgs {
    /// Where to listen: an IP address or a name such as localhost; port 0 takes any free one
    #[arg(
        long,
        global = true,
        env = "EVENTS_CALENDAR_LISTEN",
        hide_env_values = true,
        value_name = "ADDRESS:PORT",
        default_value = "127.0.0.1:8080"
    )]
    pub(crate) listen: String,
    /// Where records are kept.
    #[arg(
        help = "The database: sqlite://FILE or postgres://USER:PASSWORD@HOST/NAME",
        long,
        global = true,
        env = "EVENTS_CALENDAR_DATABASE_URL",
        hide_env_values = true,
        value_name = "URL",
        default_value = "sqlite://events-calendar.db"
    )]
    pub(crate) database_url: String,
    /// PostgreSQL replica of it; `serve` reads there while it has replayed all that this server wrote
    #[arg(
        long,
        global = true,
        env = "EVENTS_CALENDAR_READ_DATABASE_URL",
        hide_env_values = true,
        value_name = "URL"
    )]
    pub(crate) read_database_url: Option<String>,
    /// How far answers may lag behind writes of other servers: 0, not at all, to 60000
    #[arg(
        long,
        global = true,
        env = "EVENTS_CALENDAR_MAX_STALENESS",
        hide_env_values = true,
        value_name = "MILLISECONDS",
        default_value_t = 0,
        value_parser = clap::value_parser!(u32).range(..=60_000)
    )]
    pub(crate) max_staleness: u32,
    /// Under which address others reach the service [default: http://ADDRESS:PORT]
    #[arg(
        long,
        global = true,
        env = "EVENTS_CALENDAR_PUBLIC_URL",
        hide_env_values = true,
        value_name = "URL"
    )]
    pub(crate) public_url: Option<String>,
    /// The site that shows the pages of records [default: this service does]
    #[arg(
        long,
        global = true,
        env = "EVENTS_CALENDAR_SITE_URL",
        hide_env_values = true,
        value_name = "URL"
    )]
    pub(crate) site_url: Option<String>,
    /// Name of the site, on its pages and to programs [default: Events calendar; to programs the public host]
    #[arg(
        long,
        global = true,
        env = "EVENTS_CALENDAR_SITE_NAME",
        hide_env_values = true,
        value_name = "NAME"
    )]
    pub(crate) site_name: Option<String>,
    /// Zone of dates without one, as Europe/Berlin
    #[arg(
        long,
        global = true,
        env = "EVENTS_CALENDAR_TIMEZONE",
        hide_env_values = true,
        value_name = "IANA",
        default_value = "UTC"
    )]
    pub(crate) timezone: String,
    /// Folder with newer time zone data than those of the program, such as /usr/share/zoneinfo
    #[arg(
        long,
        global = true,
        env = "EVENTS_CALENDAR_ZONE_DATA",
        hide_env_values = true,
        value_name = "FOLDER"
    )]
    pub(crate) zone_data: Option<PathBuf>,
    /// Language of requests that name none, and of what is imported: ar, en or fr
    #[arg(
        long,
        global = true,
        env = "EVENTS_CALENDAR_LANGUAGE",
        hide_env_values = true,
        value_name = "CODE",
        default_value = Language::default().code()
    )]
    pub(crate) language: String,
    /// Currency of prices without one: three letters (ISO 4217), or `none` [default: prices have a `$`]
    #[arg(
        long,
        global = true,
        env = "EVENTS_CALENDAR_CURRENCY",
        hide_env_values = true,
        value_name = "CODE"
    )]
    pub(crate) currency: Option<String>,
    /// Refuse requests, and rows of `import`, with fields that are not known
    #[arg(
        long,
        global = true,
        env = "EVENTS_CALENDAR_STRICT",
        hide_env_values = true
    )]
    pub(crate) strict: bool,
    /// Serve the interface under this path too; may be given several times
    #[arg(
        help = "Serve the interface under this path too, as /wp-json/tribe/events/v1; may be given \
                several times",
        long,
        global = true,
        env = "EVENTS_CALENDAR_MOUNT",
        hide_env_values = true,
        value_name = "PATH",
        value_delimiter = ','
    )]
    pub(crate) mount: Vec<String>,
    /// Where files of images are kept: a folder, or `s3://BUCKET/PREFIX` [default: `media` beside the database]
    #[arg(
        long,
        global = true,
        env = "EVENTS_CALENDAR_MEDIA",
        hide_env_values = true,
        value_name = "PLACE"
    )]
    pub(crate) media: Option<String>,
    /// Let images be fetched from addresses that are not public, such as 127.0.0.1
    #[arg(
        long,
        global = true,
        env = "EVENTS_CALENDAR_ALLOW_PRIVATE_IMAGE_HOSTS",
        hide_env_values = true
    )]
    pub(crate) allow_private_image_hosts: bool,
    /// Proxy, or network of proxies, that is trusted to say by X-Forwarded-For who asks
    #[arg(
        long,
        global = true,
        env = "EVENTS_CALENDAR_TRUSTED_PROXY",
        hide_env_values = true,
        value_name = "ADDRESS",
        value_delimiter = ','
    )]
    pub(crate) trusted_proxy: Vec<String>,
    /// Site whose pages may use the credentials that a browser keeps, by scheme and host
    #[arg(
        long,
        global = true,
        env = "EVENTS_CALENDAR_CORS_CREDENTIALS_ORIGIN",
        hide_env_values = true,
        value_name = "ORIGIN",
        value_delimiter = ','
    )]
    pub(crate) cors_credentials_origin: Vec<String>,
    /// For how long caches may keep what everybody may read without asking again
    #[arg(
        long,
        global = true,
        env = "EVENTS_CALENDAR_CACHE_MAX_AGE",
        hide_env_values = true,
        value_name = "SECONDS",
        default_value_t = 0
    )]
    pub(crate) cache_max_age: u32,
    /// For how long they may use it after that, while they ask
    #[arg(
        long,
        global = true,
        env = "EVENTS_CALENDAR_CACHE_STALE",
        hide_env_values = true,
        value_name = "SECONDS",
        default_value_t = 0
    )]
    pub(crate) cache_stale: u32,

    /// How much of what was read and answered is kept in memory; with 0, nothing is
    #[arg(
        long,
        global = true,
        env = "EVENTS_CALENDAR_CACHE_MIB",
        hide_env_values = true,
        value_name = "MIB",
        default_value_t = 32
    )]
    pub(crate) cache_mib: u32,
    /// Log each request that `serve` answers, in one line
    #[arg(
        long,
        global = true,
        env = "EVENTS_CALENDAR_ACCESS_LOG",
        hide_env_values = true,
        value_name = "SWITCH",
        value_enum,
        default_value_t = Switch::Off
    )]
    pub(crate) access_log: Switch,
    /// The form of the log, which is written to standard error
    #[arg(
        long,
        global = true,
        env = "EVENTS_CALENDAR_LOG_FORMAT",
        hide_env_values = true,
        value_name = "FORMAT",
        value_enum,
        default_value_t = LogFormat::Auto
    )]
    pub(crate) log_format: LogFormat,
}

/// Whether something is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Switch {
    /// It is not.
    Off,
    /// It is.
    On,
}

/// The form of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// Text on a terminal, JSON elsewhere
    Auto,
    /// Lines for people
    Text,
    /// An object of JSON in each line
    Json,
}

/// What to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Serve the calendar until Ctrl-C or SIGTERM
    Serve {
        /// Leave the schema of the database as it is, and refuse to start if it is not up to date
        #[arg(long)]
        no_migrate: bool,
    },
    /// Take in events, one as JSON in each line; the same line again is not taken in twice
    Import {
        /// The file, or `-` for standard input
        #[arg(value_name = "FILE.jsonl")]
        file: PathBuf,
        /// Whose events they are: name or e-mail address [default: the first administrator]
        #[arg(long, value_name = "NAME")]
        user: Option<String>,
    },
    /// Fill an empty calendar with made-up records, to see how it behaves when it is large
    Seed {
        /// How many events; a hundredth as many venues, a fiftieth as many organizers
        #[arg(long, value_name = "COUNT")]
        events: usize,
        /// The same number makes the same records on the same day
        #[arg(long, value_name = "NUMBER", default_value_t = 1)]
        seed: u64,
    },
    /// Remove files that no image has, such as those of uploads that broke off
    CleanMedia,
    /// Bring the schema of the database, and the times of events after new time zone data, up to date
    Migrate,
    /// Copy an SQLite database into a file while it is in use; for PostgreSQL use `pg_dump`
    Backup {
        /// The copy, which only its owner may read
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Replace the file if it exists
        #[arg(long)]
        force: bool,
    },
    /// Ask the server at the address of --listen whether it is healthy; the exit code tells
    Health,
    /// Show the version of the time zone data, and which events newer data moved
    Zones,
    /// Add and change users
    #[command(subcommand)]
    User(UserCommand),
    /// Make and revoke tokens, with which users log in
    #[command(subcommand)]
    Token(TokenCommand),
}

/// What to do about users.
#[derive(Subcommand)]
pub(crate) enum UserCommand {
    /// Add a user
    Add {
        /// Name to log in with, without blanks and colons
        name: String,
        /// What the user may do
        #[arg(long, value_parser = role())]
        role: Role,
        /// Another name to log in with
        #[arg(long)]
        email: Option<String>,
    },
    /// Show all users
    List,
    /// Give a user another role
    SetRole {
        /// Name or e-mail address
        name: String,
        /// What the user may do from now on
        #[arg(value_parser = role())]
        role: Role,
    },
    /// Keep a user from logging in
    Disable {
        /// Name or e-mail address
        name: String,
    },
    /// Let a disabled user log in again
    Enable {
        /// Name or e-mail address
        name: String,
    },
}

/// What to do about tokens.
#[derive(Subcommand)]
pub(crate) enum TokenCommand {
    /// Make a token and print it; nobody can read it later
    Create {
        /// Whose: name or e-mail address
        #[arg(long, value_name = "NAME")]
        user: String,
        /// What it is for, to know it again
        #[arg(long, value_name = "LABEL")]
        name: String,
        /// What it may be used for
        #[arg(long, value_parser = scope(), default_value = TokenScope::Write.name())]
        scope: TokenScope,
        /// When it becomes worthless, as 2030-12-31 or "+90 days", in the time zone that is set
        #[arg(long, value_name = "DATE")]
        expires: Option<String>,
    },
    /// Show tokens, though not their text
    List {
        /// Only those of one user: name or e-mail address
        #[arg(long, value_name = "NAME")]
        user: Option<String>,
    },
    /// Make a token worthless
    Revoke {
        /// Its number, as `token list` shows it
        id: i64,
    },
}

fn role() -> impl TypedValueParser<Value = Role> {
    PossibleValuesParser::new(Role::ALL.map(Role::name))
        .try_map(|name| Role::from_name(&name).ok_or("no such role"))
}

fn scope() -> impl TypedValueParser<Value = TokenScope> {
    let scopes = [TokenScope::Read, TokenScope::Write];
    PossibleValuesParser::new(scopes.map(TokenScope::name)).try_map(move |name| {
        let found = scopes.into_iter().find(|scope| scope.name() == name);
        found.ok_or("no such scope")
    })
}

#[cfg(test)]
mod tests;
