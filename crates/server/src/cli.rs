//! The command line.

mod audit;
mod backup;
mod config;
mod export;
mod manual;
mod mirror;
mod reading;
mod source;
mod tec;

use std::{
    error::Error,
    ffi::OsStr,
    path::{Path, PathBuf},
    str::FromStr,
};

use anyhow::{anyhow, bail};
use app::ports::TokenScope;
use clap::{
    Args, Parser, Subcommand, ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
};
use domain::{Kind, Role, policy::Collection, source::UpdatePolicy, time::DateOrder};

pub(crate) use self::{
    audit::AuditArgs,
    backup::{BackupArgs, DoctorArgs, RestoreArgs},
    config::{ConfigCommand, ConfigFormat, DescribedSetting},
    export::{ExportArgs, ExportFormat, ExportKind, Purpose},
    manual::manual,
    mirror::MirrorArgs,
    reading::settings_help,
    source::{SourceAddArgs, SourceCommand},
    tec::TecArgs,
};
use crate::settings::SettingsArgs;

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

Settings, such as --database-url, are flags of every command, environment variables, and keys of a file:
      events-calendar help settings
      events-calendar config show";

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
        /// Number of years over which the events are spread, half of them before now; at most 200
        #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=200))]
        years: u16,
        /// Seed of the generator: the same seed makes the same records on the same day
        #[arg(long, value_name = "NUMBER", default_value_t = 1)]
        seed: u64,
    },
    /// Remove files that belong to no image, such as those of interrupted uploads
    CleanMedia,
    /// Store the occurrences of events that repeat without end up to --recurrence-months ahead, as `serve` does each day
    Maintain,
    /// Compare counters, links, slugs, search index, journal, images and everything else that is derived with what it
    /// is computed from; the exit code is 1 if something differs, and 2 if that cannot be told
    Doctor(DoctorArgs),
    /// Keep a read-only copy of another calendar in the database until SIGTERM or Ctrl-C; serve it with --read-only
    Mirror(MirrorArgs),
    /// Bring the schema of the database, and the times of events after new time zone data, up to date
    Migrate,
    /// Copy the calendar into a file while it is in use: an SQLite file, or an archive of a PostgreSQL database; or
    /// check such a copy
    Backup(BackupArgs),
    /// Put a backup in the place of a database that does not exist, or of one that no program has open
    Restore(RestoreArgs),
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
    /// Show who changed what
    Audit(AuditArgs),
    /// Read calendars elsewhere on a schedule
    #[command(subcommand)]
    Source(SourceCommand),
    /// Show the settings with their origins, or check them
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Show the settings
    #[command(hide = true)]
    Settings,
    /// Write the man pages, and the completions for bash, zsh and fish, into the folder `share` of a folder such as /usr/local
    #[command(hide = true)]
    Manual {
        /// The folder above `share`, which is created
        #[arg(value_name = "FOLDER")]
        folder: PathBuf,
    },
}

impl Command {
    /// The name of the command, as the audit trail has it.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::Serve { .. } => "serve",
            Self::Import(_) => "import",
            Self::Export(_) => "export",
            Self::Seed { .. } => "seed",
            Self::CleanMedia => "clean-media",
            Self::Maintain => "maintain",
            Self::Mirror(_) => "mirror",
            Self::Migrate => "migrate",
            Self::Backup(_) => "backup",
            Self::Restore(_) => "restore",
            Self::Doctor(_) => "doctor",
            Self::Health => "health",
            Self::Zones => "zones",
            Self::User(_) => "user",
            Self::Token(_) => "token",
            Self::Feed(_) => "feed",
            Self::Audit(_) => "audit",
            Self::Source(_) => "source",
            Self::Config(_) => "config",
            Self::Settings => "settings",
            Self::Manual { .. } => "manual",
        }
    }
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
    /// Folder with the files of images of an archive, or their archive with the ending .tar [default: FILE.images]
    #[arg(long, value_name = "FOLDER|FILE.tar")]
    pub(crate) images: Option<PathBuf>,
    /// Calendar files and tables: name of the source, whose events alone are updated [default: the URL, or `import` for files]
    #[arg(long, value_name = "NAME")]
    pub(crate) source: Option<String>,
    /// Calendar files and tables: fields of known events that change: all, those that nobody changed here, none, or those that are empty [default: overwrite]
    #[arg(long, value_parser = named::<UpdatePolicy>(UpdatePolicy::NAMES))]
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
    #[arg(long, value_name = "ORDER", value_parser = named::<DateOrder>(DateOrder::ALL.map(DateOrder::name)))]
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
        #[arg(long, value_parser = named::<Role>(Role::NAMES))]
        role: Role,
        /// E-mail address, with which the user may log in too
        #[arg(long)]
        email: Option<String>,
    },
    /// Print the address at which a user chooses a password for the desk, valid for 7 days; a former one ends
    Invite {
        /// Name or e-mail address
        name: String,
    },
    /// Let a user who lost the authenticator sign in with the password alone
    EndSecondFactor {
        /// Name or e-mail address
        name: String,
    },
    /// Show all users
    List,
    /// Give a user another role
    SetRole {
        /// Name or e-mail address
        name: String,
        /// New role of the user
        #[arg(value_parser = named::<Role>(Role::NAMES))]
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
    /// Give a user another name, with which the user logs in from then on
    Rename {
        /// Name or e-mail address
        name: String,
        /// The new name
        new_name: String,
    },
    /// Remove a user with all tokens and secret feeds of the user; records need another owner before
    Remove {
        /// Name or e-mail address
        name: String,
        /// The user, an author or above, who gets the events, venues, organizers, images and sources
        #[arg(long, value_name = "NAME")]
        give_to: Option<String>,
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
        /// Rights of the owner that the token has: to read; to write, too, as an editor at most; or all
        #[arg(long, value_parser = named::<TokenScope>(TokenScope::ALL.map(TokenScope::name)), default_value = TokenScope::Admin.name())]
        scope: TokenScope,
        /// Collections to which the token is limited; in others it reads what everybody may read
        #[arg(long, value_parser = named::<Collection>(Collection::NAMES), value_delimiter = ',', value_name = "NAMES")]
        collections: Vec<Collection>,
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

/// A parser of the names of some values.
fn named<T>(names: impl Into<PossibleValuesParser>) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err: Error + Send + Sync + 'static> + Clone + Send + Sync + 'static,
{
    names.into().try_map(|name| name.parse::<T>())
}

#[cfg(test)]
mod tests;
