//! Flags and environment variables of the settings.

use std::path::PathBuf;

use app::site::{DEFAULT_FEED_MAX, DEFAULT_RECURRENCE_MONTHS};
use clap::{Args, ValueEnum};
use domain::{
    Language,
    duplicate::MergeDuplicates,
    event::{ProposalLimits, Proposers},
};
use http_service::{face::Origin, notifier::DEFAULT_MAX_WAITING};

use super::{invalid::InvalidSetting, names::variable, set_value::SetValue};

/// The directory of Let's Encrypt.
const LETS_ENCRYPT: &str = "https://acme-v02.api.letsencrypt.org/directory";

/// Settings as text, before they are checked. Without `Debug`: a value may hold a password.
#[derive(Args)]
#[command(next_help_heading = "Settings")]
pub(crate) struct SettingsArgs {
    /// File of settings in TOML, whose keys are the names of the other flags: `timezone = "UTC"`
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Address to listen on: an IP address or a host name such as localhost; port 0 takes any free port
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080")]
    pub(crate) listen: String,
    /// Name of this server.
    #[arg(
        help = "Serve https at port 443 under this name, with certificates that the program fetches, in place of \
                --listen; port 80 leads there; may be given several times",
        long,
        value_name = "NAME",
        value_delimiter = ','
    )]
    pub(crate) domain: Vec<String>,
    /// Directory of the authority that issues the certificates of --domain, by ACME
    #[arg(long, value_name = "URL", default_value = LETS_ENCRYPT)]
    pub(crate) acme_directory: String,
    /// E-mail address that the authority learns
    #[arg(long, value_name = "MAIL")]
    pub(crate) acme_contact: Option<String>,
    /// URL of the database.
    #[arg(
        help = "The database: sqlite://FILE or postgres://USER:PASSWORD@HOST/NAME",
        long,
        value_name = "URL",
        default_value = "sqlite://events-calendar.db"
    )]
    pub(crate) database_url: String,
    /// PostgreSQL replica of the database; `serve` reads from it while it has replayed all writes of this server
    #[arg(long, value_name = "URL")]
    pub(crate) read_database_url: Option<String>,
    /// Longest time until writes of other servers are visible, 0 to 60000; with 0, they are at once
    #[arg(
        long,
        value_name = "MILLISECONDS",
        default_value_t = 0,
        value_parser = clap::value_parser!(u32).range(..=60_000)
    )]
    pub(crate) max_staleness: u32,
    /// URL under which clients reach the service.
    #[arg(
        help = "URL under which clients reach the service [default: http://ADDRESS:PORT; with --domain https://NAME]",
        long,
        value_name = "URL"
    )]
    pub(crate) public_url: Option<String>,
    /// URL of the site that shows the pages of records [default: this service]
    #[arg(long, value_name = "URL")]
    pub(crate) site_url: Option<String>,
    /// Name of the site, on pages and in the interface [default: Events calendar; in the interface the public host]
    #[arg(long, value_name = "NAME")]
    pub(crate) site_name: Option<String>,
    /// Name of the site in Arabic [default: the name of the site]
    #[arg(long, value_name = "NAME")]
    pub(crate) site_name_ar: Option<String>,
    /// Name of the site in English [default: the name of the site]
    #[arg(long, value_name = "NAME")]
    pub(crate) site_name_en: Option<String>,
    /// Name of the site in French [default: the name of the site]
    #[arg(long, value_name = "NAME")]
    pub(crate) site_name_fr: Option<String>,
    /// Picture beside the name on pages: PNG, JPEG or WebP, at most 1 MiB
    #[arg(long, value_name = "FILE")]
    pub(crate) site_logo: Option<PathBuf>,
    /// Colour of links and buttons on pages, such as #0b5d57, dark enough to be read on white
    #[arg(long, value_name = "#RRGGBB")]
    pub(crate) site_colour: Option<String>,
    /// Text at the end of each page
    #[arg(long, value_name = "TEXT")]
    pub(crate) site_footer: Option<String>,
    /// Stylesheet of pages, after the ones of the program, at most 64 KiB
    #[arg(long, value_name = "FILE")]
    pub(crate) site_stylesheet: Option<PathBuf>,
    /// Link to the imprint on each page
    #[arg(long, value_name = "URL")]
    pub(crate) imprint_url: Option<String>,
    /// Link to the privacy policy on each page
    #[arg(long, value_name = "URL")]
    pub(crate) privacy_url: Option<String>,
    /// Site that may show the pages below /embed/ in a frame.
    #[arg(
        help = "Serve /embed/month/ and /embed/list/ for frames of this site: https://town.example, \
                https://*.town.example, or * for all; may be given several times",
        long,
        value_name = "ORIGIN",
        value_delimiter = ','
    )]
    pub(crate) embed_ancestors: Vec<String>,
    /// Visitors who may propose events at /propose: `off`, `signed-in` or `anybody`
    #[arg(long, value_name = "WHO", default_value = Proposers::default().name())]
    pub(crate) proposals: String,
    /// Most proposals that wait for an editor
    #[arg(long, value_name = "NUMBER", default_value_t = ProposalLimits::OPEN)]
    pub(crate) proposals_open: u32,
    /// Refuse all writes, as for a copy that `mirror` keeps
    #[arg(long)]
    pub(crate) read_only: bool,
    /// Duplicates of records here that imports and sources look for, and those that they merge: `off`, `report` or `sure`
    #[arg(long, value_name = "WHICH", default_value = MergeDuplicates::default().name())]
    pub(crate) merge_duplicates: String,
    /// Most requests and streams that wait for changes at a server
    #[arg(long, value_name = "NUMBER", default_value_t = DEFAULT_MAX_WAITING)]
    pub(crate) max_streams: u32,
    /// First day of the week on pages [default: saturday in Arabic, monday in English and French]
    #[arg(long, value_name = "DAY", value_enum)]
    pub(crate) week_start: Option<WeekStart>,
    /// Time zone of dates without one, such as Europe/Berlin
    #[arg(long, value_name = "IANA", default_value = "UTC")]
    pub(crate) timezone: String,
    /// Folder with newer time zone data than the program holds, such as /usr/share/zoneinfo
    #[arg(long, value_name = "FOLDER")]
    pub(crate) zone_data: Option<PathBuf>,
    /// Language of requests without one, and of imported records: ar, en or fr
    #[arg(long, value_name = "CODE", default_value = Language::default().code())]
    pub(crate) language: String,
    /// Currency of prices without one: three letters (ISO 4217), or `none` [default: prices have a `$`]
    #[arg(long, value_name = "CODE")]
    pub(crate) currency: Option<String>,
    /// Months ahead for which the occurrences of events that repeat without end are stored, 12 to 240
    #[arg(
        long,
        value_name = "MONTHS",
        default_value_t = DEFAULT_RECURRENCE_MONTHS,
        value_parser = clap::value_parser!(u32).range(12..=240)
    )]
    pub(crate) recurrence_months: u32,
    /// Name of calendar feeds [default: the host of the public URL]
    #[arg(long, value_name = "NAME")]
    pub(crate) calendar_name: Option<String>,
    /// Minutes after which subscribers should read a feed again
    #[arg(
        long,
        value_name = "MINUTES",
        default_value_t = 60,
        value_parser = clap::value_parser!(u32).range(1..=10_080)
    )]
    pub(crate) feed_refresh: u32,
    /// Most events in a feed; a request for more is refused
    #[arg(
        long,
        value_name = "EVENTS",
        default_value_t = DEFAULT_FEED_MAX,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub(crate) feed_max: u32,
    /// Days for which the journal of changes is kept, 1 to 365
    #[arg(
        long,
        value_name = "DAYS",
        default_value_t = 30,
        value_parser = clap::value_parser!(u32).range(1..=365)
    )]
    pub(crate) journal_days: u32,
    /// Days for which the audit trail is kept, 1 to 3650
    #[arg(
        long,
        value_name = "DAYS",
        default_value_t = 365,
        value_parser = clap::value_parser!(u32).range(1..=3650)
    )]
    pub(crate) audit_days: u32,
    /// Reject requests, and rows of `import`, with unknown fields
    #[arg(long)]
    pub(crate) strict: bool,
    /// Further base path of the interface.
    #[arg(
        help = "Serve the interface under this path too, such as /wp-json/tribe/events/v1; may be given \
                several times",
        long,
        value_name = "PATH",
        value_delimiter = ','
    )]
    pub(crate) mount: Vec<String>,
    /// Path of events on the former site, where it is not /events, such as /agenda; addresses below it lead here
    #[arg(long, value_name = "PATH")]
    pub(crate) base_path_events: Option<String>,
    /// Storage of image files: a folder, or `s3://BUCKET/PREFIX` [default: `media` beside the database]
    #[arg(long, value_name = "PLACE")]
    pub(crate) media: Option<String>,
    /// Fetch images and imports from private addresses too, such as 127.0.0.1
    #[arg(long)]
    pub(crate) allow_private_hosts: bool,
    /// Former name of --allow-private-hosts
    #[arg(long, hide = true)]
    pub(crate) allow_private_image_hosts: bool,
    /// Proxy, or network of proxies, whose X-Forwarded-For header names the client
    #[arg(long, value_name = "ADDRESS", value_delimiter = ',')]
    pub(crate) trusted_proxy: Vec<String>,
    /// Origin, as scheme and host, whose pages may send the credentials that a browser stores
    #[arg(long, value_name = "ORIGIN", value_delimiter = ',')]
    pub(crate) cors_credentials_origin: Vec<String>,
    /// Time for which HTTP caches may reuse public answers without revalidation
    #[arg(long, value_name = "SECONDS", default_value_t = 0)]
    pub(crate) cache_max_age: u32,
    /// Further time for which HTTP caches may reuse public answers while they revalidate
    #[arg(long, value_name = "SECONDS", default_value_t = 0)]
    pub(crate) cache_stale: u32,
    /// Memory for cached records and answers; 0 turns the caches off
    #[arg(long, value_name = "MIB", default_value_t = 32)]
    pub(crate) cache_mib: u32,
    /// Log each request that `serve` answers, in one line
    #[arg(long, value_name = "SWITCH", value_enum, default_value_t = Switch::Off)]
    pub(crate) access_log: Switch,
    /// Serve metrics for Prometheus at /metrics of this address, such as 127.0.0.1:9464 [default: off]
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub(crate) metrics_listen: Option<String>,
    /// Format of the log on standard error
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = LogFormat::Auto)]
    pub(crate) log_format: LogFormat,
    /// The values that are set, by a flag, a variable or the file.
    #[arg(skip)]
    pub(crate) set: Vec<SetValue>,
    /// The faults of the file. Values with a fault are not among those above.
    #[arg(skip)]
    pub(crate) faults: Vec<InvalidSetting>,
}

impl SettingsArgs {
    /// The place at which the value of a flag is set.
    pub(crate) fn origin(&self, flag: &str) -> Origin {
        match self.set_value(flag) {
            Some(value) => value.origin.clone(),
            None => Origin::Flag(format!("--{flag}")),
        }
    }

    /// The error, with the place at which its setting is set.
    pub(crate) fn located(&self, error: InvalidSetting) -> InvalidSetting {
        let value = error.flag().and_then(|flag| self.set_value(flag));
        match value.map(SetValue::location) {
            Some(location) => error.at(location),
            None => error,
        }
    }

    fn set_value(&self, flag: &str) -> Option<&SetValue> {
        self.set.iter().find(|value| value.flag == flag)
    }
}

/// Whether a feature is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Switch {
    /// No line
    Off,
    /// One line a request
    On,
}

/// Format of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// Text on a terminal, JSON elsewhere
    Auto,
    /// Lines for people
    Text,
    /// One JSON object a line
    Json,
}

/// First day of a week.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WeekStart {
    /// As in most Arab countries
    Saturday,
    /// As in the United States
    Sunday,
    /// As in Europe
    Monday,
}

/// Gives every setting its environment variable, and allows its flag after the name of the command,
/// too.
pub(crate) fn with_variables(command: clap::Command) -> clap::Command {
    command.mut_args(|setting| match setting.get_long().map(variable) {
        Some(variable) => setting.global(true).env(variable).hide_env_values(true),
        None => setting,
    })
}
