//! The command line.

mod export;
mod tec;

use interchange::import::UpdatePolicy;
use std::{
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

use anyhow::{anyhow, bail};
use app::ports::TokenScope;
use clap::{
    Arg, ArgAction, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
    error::{ContextKind, ContextValue, ErrorKind},
};
use domain::{Kind, Role, time::DateOrder};

pub(crate) use self::{
    export::{ExportArgs, ExportFormat, ExportKind},
    tec::TecArgs,
};
use crate::settings::{SettingsArgs, setting_name, with_variables};

const ABOUT: &str = "\
A calendar of events with venues, organizers, categories and tags, served over HTTP.

All records are stored in one database: an SQLite file, which is created if it does not exist, or PostgreSQL. \
The first start creates an administrator and shows a token to log in with.";

const EXAMPLES: &str = "\
Examples:
  Start on http://127.0.0.1:8080 with the file events-calendar.db:
      events-calendar serve
  Import a file with one event as JSON in each line:
      events-calendar import events.jsonl
  Import a calendar file, and put events into the trash that it has no longer:
      events-calendar import ics https://fair.example/events.ics --prune

Settings, such as --database-url, are flags of every command, and environment variables:
      events-calendar help settings";

const ABOUT_SETTINGS: &str = "\
Each setting is a flag of every command and an environment variable; the flag takes precedence. The same variable with \
the suffix _FILE names a file that holds the value, such as a password: EVENTS_CALENDAR_DATABASE_URL_FILE. \
EVENTS_CALENDAR_LOG filters the log, for example `debug` or `info,events_calendar_http_service=debug`.";

/// The whole command line.
#[derive(Parser)]
#[command(name = "events-calendar", version, about = ABOUT, after_help = EXAMPLES)]
pub(crate) struct Cli {
    /// The settings of every command.
    #[command(flatten)]
    pub(crate) settings: SettingsArgs,
    /// The command to run.
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// The definition of the command line, with the environment variables of the settings.
    fn definition() -> clap::Command {
        with_variables(Self::command())
    }

    /// Reads a command line and the environment.
    ///
    /// # Errors
    ///
    /// The error of clap. It names a setting by flag and variable, as its value may come from
    /// either.
    pub(crate) fn read(
        line: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    ) -> Result<Self, clap::Error> {
        let command = with_files(Self::definition(), |variable| std::env::var_os(variable))?;
        let mut command = with_own_flags_alone(command);
        let read = command.try_get_matches_from_mut(line).and_then(|matches| {
            Self::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
        });
        read.map_err(|mut error| {
            let name = match error.get(ContextKind::InvalidArg) {
                Some(ContextValue::String(usage)) => name_of_usage(usage),
                _ => None,
            };
            if let Some(name) = name {
                error.insert(ContextKind::InvalidArg, ContextValue::String(name));
            }
            error
        })
    }

    /// The environment variables of all settings.
    pub(crate) fn variables() -> Vec<String> {
        let command = Self::definition();
        let variables = command.get_arguments().filter_map(|one| one.get_env());
        variables
            .map(|name| name.to_string_lossy().into_owned())
            .collect()
    }

    /// The folder of `--zone-data` in a command line that may be incomplete, such as one with
    /// `--version`.
    pub(crate) fn zone_data_folder(
        line: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    ) -> Option<PathBuf> {
        // As a plain flag, `--version` does not end the parsing.
        let version = Arg::new("version").short('V').long("version");
        let command = Self::definition()
            .disable_version_flag(true)
            .arg(version.action(ArgAction::SetTrue))
            .subcommand_required(false)
            .ignore_errors(true);
        let matches = command.try_get_matches_from(line).ok()?;
        matches.get_one::<PathBuf>("zone_data").cloned()
    }
}

/// Leaves the settings to `help settings`, so that the help of a command shows its own flags.
fn with_own_flags_alone(command: clap::Command) -> clap::Command {
    command
        .mut_args(|setting| setting.hide(true))
        .mut_subcommand("settings", |command| command.override_help(settings_help()))
}

/// The text about the settings.
pub(crate) fn settings_help() -> String {
    let settings = SettingsArgs::augment_args(clap::Command::new("settings"));
    let mut settings = with_variables(settings)
        .disable_help_flag(true)
        .help_template("{about}\n\n{all-args}\n")
        .about(ABOUT_SETTINGS);
    settings.render_help().to_string()
}

/// Replaces defaults by the contents of files: a variable with the suffix `_FILE` names the file of
/// a setting.
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
    for (id, name, file) in named.collect::<Vec<_>>() {
        let content = std::fs::read_to_string(&file).map_err(|error| {
            let text = format!("{name}: cannot read {}: {error}", file.display());
            command.error(ErrorKind::Io, text)
        })?;
        command = command.mut_arg(id, |setting| {
            // The content may be secret: the help must not show it.
            let content = content.trim_end().to_owned();
            setting.default_value(content).hide_default_value(true)
        });
    }
    Ok(command)
}

/// Flag and variable of the setting with this usage, such as `--cache-mib <MIB>`.
fn name_of_usage(usage: &str) -> Option<String> {
    let mut command = Cli::definition();
    // Only a built command knows its usages.
    command.build();
    let setting = command
        .get_arguments()
        .find(|one| one.to_string() == usage)?;
    setting.get_env()?;
    Some(setting_name(setting.get_long()?))
}

/// A command.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Serve the calendar until SIGTERM or Ctrl-C
    Serve {
        /// Refuse to start if the schema of the database is not up to date, instead of updating it
        #[arg(long)]
        no_migrate: bool,
    },
    /// Import events from a file; those that were imported before are skipped, or updated from calendar files. An
    /// archive of `export` is restored into an empty database
    #[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
    Import(ImportArgs),
    /// Write everything into an archive, or public records into a calendar file or a table
    Export(ExportArgs),
    /// Fill an empty calendar with made-up records, for tests and benchmarks
    Seed {
        /// Number of events; a hundredth as many venues, a fiftieth as many organizers
        #[arg(long, value_name = "COUNT")]
        events: usize,
        /// Number of weekly series, each with 100 occurrences
        #[arg(long, value_name = "COUNT", default_value_t = 0)]
        series: usize,
        /// Seed of the generator: the same seed makes the same records on the same day
        #[arg(long, value_name = "NUMBER", default_value_t = 1)]
        seed: u64,
    },
    /// Remove files that belong to no image, such as those of interrupted uploads
    CleanMedia,
    /// Store the occurrences of events that repeat without end up to --recurrence-months ahead, as `serve` does each day
    Maintain,
    /// Bring the schema of the database, and the times of events after new time zone data, up to date
    Migrate,
    /// Copy an SQLite database into a file while it is in use; for PostgreSQL use `pg_dump`
    Backup {
        /// The copy, readable by its owner only
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Replace the file if it exists
        #[arg(long)]
        force: bool,
    },
    /// Check the health of the server at --listen; the exit code is 0 if it is healthy
    Health,
    /// Show the version of the time zone data, and the events that newer data moved
    Zones,
    /// Add and change users
    #[command(subcommand)]
    User(UserCommand),
    /// Create and revoke tokens, with which users log in
    #[command(subcommand)]
    Token(TokenCommand),
    /// Show and revoke secret feeds
    #[command(subcommand)]
    Feed(FeedCommand),
    /// Show the settings
    #[command(hide = true)]
    Settings,
}

/// A source of an import.
#[derive(Subcommand)]
pub(crate) enum ImportSource {
    /// Move a running site of The Events Calendar here; another run continues, and takes changes
    Tec(TecArgs),
}

/// The options of an import.
#[derive(Args)]
pub(crate) struct ImportArgs {
    /// Another source than a file
    #[command(subcommand)]
    pub(crate) site: Option<ImportSource>,
    /// The file, or `-` for standard input; of calendar files also a URL. The form may stand before it: `import ics -`
    #[arg(value_name = "FILE", num_args = 1..=2, required = true)]
    file: Vec<String>,
    /// Form of the file [default: by the end of its name; jsonl for standard input, ics for a URL]
    #[arg(long, value_enum)]
    format: Option<ImportFormat>,
    /// Author of the events: name or e-mail address [default: the first administrator]
    #[arg(long, value_name = "NAME")]
    pub(crate) user: Option<String>,
    /// Folder with the files of images of an archive [default: FILE.images]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) images: Option<PathBuf>,
    /// Calendar files and tables: name of the source, whose events alone are updated [default: the URL, or `import` for files]
    #[arg(long, value_name = "NAME")]
    pub(crate) source: Option<String>,
    /// Calendar files and tables: fields of known events that change: all, none, or those that are empty [default: overwrite]
    #[arg(long, value_parser = policy())]
    pub(crate) policy: Option<UpdatePolicy>,
    /// Calendar files and tables: put events of the source into the trash that have not ended and that the file has no longer
    #[arg(long)]
    pub(crate) prune: bool,
    /// Calendar files and tables: store nothing, and report what would be done
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Tables: the kind of the rows
    #[arg(long, value_name = "KIND", value_parser = table_kind())]
    pub(crate) kind: Option<Kind>,
    /// Tables: the order of day and month in dates such as 5/12/2027 [default: the order that the dates tell, else the order of the language]
    #[arg(long, value_name = "ORDER", value_parser = date_order())]
    pub(crate) date_order: Option<DateOrder>,
}

/// The form of a file to import.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ImportFormat {
    /// One event as JSON in each line
    Jsonl,
    /// A calendar file (RFC 5545)
    Ics,
    /// A table with comma-separated values (RFC 4180)
    Csv,
}

impl ImportArgs {
    /// The form and the name of the file.
    ///
    /// # Errors
    ///
    /// If two names are given of which the first is no form, or another one than `--format`.
    pub(crate) fn file(&self) -> anyhow::Result<(ImportFormat, &str)> {
        let (named, file) = match &*self.file {
            [form, file] => {
                let form = ImportFormat::from_str(form, false);
                (
                    Some(form.map_err(|_| {
                        anyhow!("give one file, or `ics`, `csv` or `jsonl` and a file")
                    })?),
                    file,
                )
            }
            [file, ..] => (None, file),
            [] => bail!("give a file"),
        };
        if let (Some(named), Some(format)) = (named, self.format)
            && named != format
        {
            bail!("the form is given twice");
        }
        let form = named
            .or(self.format)
            .unwrap_or_else(|| ImportFormat::of_name(file));
        Ok((form, file))
    }
}

impl ImportFormat {
    /// The form of a file with this name, which may be compressed (`.ics.gz`).
    fn of_name(file: &str) -> Self {
        let path = file.split(['?', '#']).next().unwrap_or(file);
        let path = path.to_ascii_lowercase();
        let path = path.strip_suffix(".gz").unwrap_or(&path);
        match Path::new(path).extension().and_then(OsStr::to_str) {
            Some("ics" | "ical" | "ifb") => Self::Ics,
            Some("csv" | "tsv") => Self::Csv,
            Some("jsonl") => Self::Jsonl,
            _ if is_url(file) => Self::Ics,
            _ => Self::Jsonl,
        }
    }
}

fn table_kind() -> impl TypedValueParser<Value = Kind> {
    let kinds = [Kind::Event, Kind::Venue, Kind::Organizer];
    PossibleValuesParser::new(kinds.map(Kind::plural)).try_map(move |name| {
        let found = kinds.into_iter().find(|kind| kind.plural() == name);
        found.ok_or("no such kind")
    })
}

/// Whether the name of a file is a URL.
pub(crate) fn is_url(file: &str) -> bool {
    let schemes = ["http://", "https://", "webcal://", "webcals://"];
    let file = file.to_ascii_lowercase();
    schemes.iter().any(|scheme| file.starts_with(scheme))
}

/// A command about users.
#[derive(Subcommand)]
pub(crate) enum UserCommand {
    /// Add a user
    Add {
        /// Name to log in with, without spaces and colons
        name: String,
        /// Role of the user
        #[arg(long, value_parser = role())]
        role: Role,
        /// E-mail address, with which the user may log in too
        #[arg(long)]
        email: Option<String>,
    },
    /// Show all users
    List,
    /// Give a user another role
    SetRole {
        /// Name or e-mail address
        name: String,
        /// New role of the user
        #[arg(value_parser = role())]
        role: Role,
    },
    /// Give a user another e-mail address
    SetEmail {
        /// Name or e-mail address
        name: String,
        /// New address; `none` removes it
        #[arg(value_name = "ADDRESS|none")]
        email: String,
    },
    /// Remove a user who has no records, with all tokens and secret feeds of the user
    Remove {
        /// Name or e-mail address
        name: String,
    },
    /// Disable a user, who cannot log in any more
    Disable {
        /// Name or e-mail address
        name: String,
    },
    /// Enable a disabled user
    Enable {
        /// Name or e-mail address
        name: String,
    },
}

/// A command about tokens.
#[derive(Subcommand)]
pub(crate) enum TokenCommand {
    /// Create a token and print it; it cannot be shown again
    Create {
        /// Owner: name or e-mail address
        #[arg(long, value_name = "NAME")]
        user: String,
        /// Label, such as the name of a device
        #[arg(long, value_name = "LABEL")]
        name: String,
        /// Scope of the token
        #[arg(long, value_parser = scope(), default_value = TokenScope::Write.name())]
        scope: TokenScope,
        /// Expiry, such as 2030-12-31 or "+90 days", in the time zone of the settings
        #[arg(long, value_name = "DATE")]
        expires: Option<String>,
    },
    /// Show tokens, without their text
    List {
        /// Only tokens of this user: name or e-mail address
        #[arg(long, value_name = "NAME")]
        user: Option<String>,
    },
    /// Revoke a token
    Revoke {
        /// ID of the token, as `token list` shows it
        id: i64,
    },
}

/// A command about secret feeds.
#[derive(Subcommand)]
pub(crate) enum FeedCommand {
    /// Show secret feeds, without their keys
    List {
        /// Only feeds of this user: name or e-mail address
        #[arg(long, value_name = "NAME")]
        user: Option<String>,
    },
    /// Revoke a secret feed: its URL leads nowhere then
    Revoke {
        /// ID of the feed, as `feed list` shows it
        id: i64,
    },
}

fn role() -> impl TypedValueParser<Value = Role> {
    PossibleValuesParser::new(Role::ALL.map(Role::name)).try_map(|name| name.parse::<Role>())
}

fn policy() -> impl TypedValueParser<Value = UpdatePolicy> {
    PossibleValuesParser::new(UpdatePolicy::ALL.map(UpdatePolicy::name))
        .try_map(|name| name.parse::<UpdatePolicy>())
}

fn date_order() -> impl TypedValueParser<Value = DateOrder> {
    PossibleValuesParser::new(DateOrder::ALL.map(DateOrder::name))
        .try_map(|name| name.parse::<DateOrder>())
}

fn scope() -> impl TypedValueParser<Value = TokenScope> {
    PossibleValuesParser::new(TokenScope::ALL.map(TokenScope::name))
        .try_map(|name| name.parse::<TokenScope>())
}

#[cfg(test)]
mod tests;
