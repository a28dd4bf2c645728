//! The settings of the service, checked before anything is opened.

mod args;
mod database;
mod face;
mod faults;
mod file;
mod invalid;
mod listen;
mod media;
mod names;
mod public_url;
mod set_value;
mod tls;
mod unknown_variables;
mod values;

use std::{fmt, time::Duration};

use domain::{
    Language, cost::SiteCurrency, duplicate::MergeDuplicates, event::Proposers, time::Zone,
};
use http_service::{BasePathPattern, embedding::EmbedAncestor, face::FixedFace};
use ipnet::IpNet;

use self::{
    args::Switch,
    values::{base_path, currency, network, old_events, origin, replica, url},
};
pub(crate) use self::{
    args::{LogFormat, SettingsArgs, with_variables},
    database::{DatabaseUrl, without_password},
    faults::faults,
    file::SettingsFile,
    invalid::InvalidSetting,
    listen::Listen,
    media::MediaLocation,
    names::{CONFIG, setting_name},
    public_url::PublicUrl,
    set_value::SetValue,
    tls::TlsSettings,
    unknown_variables::unknown_variables,
};

/// The settings of the service.
#[derive(Debug)]
pub(crate) struct Settings {
    /// Address to listen on, without TLS.
    pub(crate) listen: Listen,
    /// TLS with certificates that the program fetches.
    pub(crate) tls: Option<TlsSettings>,
    /// URL of the database.
    pub(crate) database: DatabaseUrl,
    /// URL of a replica of the database.
    pub(crate) replica: Option<DatabaseUrl>,
    /// Longest time until writes of other servers are visible.
    pub(crate) max_staleness: Duration,
    /// Origins whose pages may send the credentials that a browser stores.
    pub(crate) trusted_origins: Vec<String>,
    /// Proxies whose `X-Forwarded-For` header names the client.
    pub(crate) trusted_proxies: Vec<IpNet>,
    /// Time for which HTTP caches may reuse public responses, in seconds.
    pub(crate) cache_max_age: u32,
    /// Further time for which HTTP caches may reuse public responses while they revalidate, in
    /// seconds.
    pub(crate) cache_stale: u32,
    /// Memory of all caches, in bytes.
    cache_bytes: u64,
    /// Time zone of dates without one.
    pub(crate) zone: Zone,
    /// Language of requests without one.
    pub(crate) language: Language,
    /// Currency of prices without one.
    pub(crate) currency: SiteCurrency,
    /// Months ahead for which the occurrences of endless series are stored.
    pub(crate) recurrence_months: u32,
    /// Name of calendar feeds.
    pub(crate) calendar_name: Option<String>,
    /// Time after which subscribers should read a feed again.
    pub(crate) feed_refresh: Duration,
    /// Most events in a feed.
    pub(crate) feed_max: u32,
    /// Days for which the journal is kept.
    pub(crate) journal_days: u32,
    /// Days for which the audit trail is kept.
    pub(crate) audit_days: u32,
    pub(crate) max_streams: u32,
    /// Whether the server takes no writes.
    pub(crate) read_only: bool,
    /// Whether unknown fields are rejected.
    pub(crate) strict: bool,
    /// Further base paths of the interface.
    pub(crate) mounts: Vec<BasePathPattern>,
    /// Path that old addresses of events have instead of `/events`.
    pub(crate) old_events: Option<BasePathPattern>,
    /// URL of another site that shows the pages of records.
    pub(crate) site_url: Option<PublicUrl>,
    /// Names, logo, colour, footer and links of the pages, and the first day of the week.
    pub(crate) face: FixedFace,
    /// Sites that may show the calendar in a frame.
    pub(crate) embed_ancestors: Vec<EmbedAncestor>,
    /// People who may propose events.
    pub(crate) proposals: Proposers,
    /// Most proposals that wait for an editor.
    pub(crate) proposals_open: u32,
    /// The duplicates that imports and sources merge.
    pub(crate) merge_duplicates: MergeDuplicates,
    /// Storage of image files.
    pub(crate) media: MediaLocation,
    /// Whether images may be fetched from private addresses.
    pub(crate) allow_private_hosts: bool,
    /// Whether each request is logged.
    pub(crate) access_log: bool,
    /// Address at which metrics are served.
    pub(crate) metrics_listen: Option<Listen>,
    /// Format of the log.
    pub(crate) log_format: LogFormat,
    public_url: Option<PublicUrl>,
}

impl Settings {
    /// Checks the settings of a command line and its file.
    ///
    /// # Errors
    ///
    /// [`InvalidSetting`] for the first invalid one.
    pub(crate) fn read(args: &SettingsArgs) -> Result<Self, InvalidSetting> {
        match args.faults.first() {
            Some(fault) => Err(fault.clone()),
            None => Self::of(args).map_err(|error| args.located(error)),
        }
    }

    /// Checks values that were read without faults.
    fn of(args: &SettingsArgs) -> Result<Self, InvalidSetting> {
        // The value is not repeated: it may hold a password.
        let database = checked("database-url", DatabaseUrl::parse(&args.database_url))?;
        let tls = tls::read(args, &database)?;
        Ok(Self {
            media: checked(
                "media",
                MediaLocation::parse(args.media.as_deref(), database.folder()),
            )?,
            allow_private_hosts: args.allow_private_hosts || args.allow_private_image_hosts,
            listen: checked("listen", Listen::parse(&args.listen))?,
            access_log: args.access_log == Switch::On,
            metrics_listen: args
                .metrics_listen
                .as_deref()
                .map(|text| checked("metrics-listen", Listen::parse(text)))
                .transpose()?,
            log_format: args.log_format,
            replica: replica(args.read_database_url.as_deref(), &database)?,
            max_staleness: Duration::from_millis(u64::from(args.max_staleness)),
            database,
            public_url: url("public-url", args.public_url.as_deref())?.or_else(|| {
                tls.as_ref()
                    .and_then(|tls| PublicUrl::of_tls(tls.domains.first()?))
            }),
            tls,
            site_url: url("site-url", args.site_url.as_deref())?,
            face: face::read(args)?,
            embed_ancestors: all("embed-ancestors", &args.embed_ancestors, str::parse)?,
            proposals: checked_text("proposals", &args.proposals, |text| {
                let known = Proposers::NAMES.join(", ");
                text.parse().map_err(|_| format!("is not one of {known}"))
            })?,
            proposals_open: args.proposals_open,
            merge_duplicates: checked_text("merge-duplicates", &args.merge_duplicates, |text| {
                let wanted = text.parse::<MergeDuplicates>();
                wanted.map_err(|_| "must be off, report or sure")
            })?,
            zone: checked_text("timezone", &args.timezone, str::parse::<Zone>)?,
            language: checked_text("language", &args.language, |code| {
                let known = Language::ALL.map(Language::code).join(", ");
                code.parse().map_err(|_| format!("is not one of {known}"))
            })?,
            recurrence_months: args.recurrence_months,
            calendar_name: args.calendar_name.clone(),
            feed_refresh: Duration::from_mins(args.feed_refresh.into()),
            feed_max: args.feed_max,
            journal_days: args.journal_days,
            audit_days: args.audit_days,
            max_streams: args.max_streams,
            read_only: args.read_only,
            strict: args.strict,
            currency: args
                .currency
                .as_deref()
                .map(currency)
                .transpose()?
                .unwrap_or_default(),
            trusted_proxies: all("trusted-proxy", &args.trusted_proxy, network)?,
            trusted_origins: args
                .cors_credentials_origin
                .iter()
                .map(|text| checked("cors-credentials-origin", origin(text)))
                .collect::<Result<_, _>>()?,
            cache_max_age: args.cache_max_age,
            cache_stale: args.cache_stale,
            cache_bytes: u64::from(args.cache_mib) << 20,
            mounts: all("mount", &args.mount, base_path)?,
            old_events: args
                .base_path_events
                .as_deref()
                .map(|path| checked_text("base-path-events", path, old_events))
                .transpose()?,
        })
    }

    /// The URL under which clients reach a server that listens on this port.
    pub(crate) fn public_url(&self, port: u16) -> PublicUrl {
        let set = self.public_url.clone();
        set.unwrap_or_else(|| PublicUrl::of_host(self.listen.host(), port))
    }

    /// Whether `--public-url` is set.
    pub(crate) fn has_public_url(&self) -> bool {
        self.public_url.is_some()
    }

    /// Memory of the record cache, in bytes: a quarter. A cached response takes more memory than
    /// its records, and saves more work.
    pub(crate) fn record_cache_bytes(&self) -> u64 {
        self.cache_bytes / 4
    }

    /// Memory of the response cache, in bytes: the rest.
    pub(crate) fn answer_cache_bytes(&self) -> u64 {
        self.cache_bytes - self.record_cache_bytes()
    }
}

/// Adds the name of the setting to the reason why it is invalid.
fn checked<T>(flag: &str, read: Result<T, String>) -> Result<T, InvalidSetting> {
    read.map_err(|reason| InvalidSetting::of(flag, reason))
}

/// Checks a setting, and adds its name and value to the reason why it is invalid.
fn checked_text<T, E: fmt::Display>(
    flag: &str,
    text: &str,
    read: impl FnOnce(&str) -> Result<T, E>,
) -> Result<T, InvalidSetting> {
    checked(
        flag,
        read(text).map_err(|reason| format!("`{text}` {reason}")),
    )
}

/// Checks each value of a repeated setting.
fn all<T, E: fmt::Display>(
    flag: &str,
    texts: &[String],
    read: impl Fn(&str) -> Result<T, E>,
) -> Result<Vec<T>, InvalidSetting> {
    let values = texts.iter().map(|text| checked_text(flag, text, &read));
    values.collect()
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use domain::site::SiteSetting;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        settings: SettingsArgs,
    }

    /// Reads one flag per text: `--language=ar`.
    fn read(flags: &[&str]) -> Result<Settings, InvalidSetting> {
        let line = Line::parse_from([&["events-calendar"], flags].concat());
        Settings::read(&line.settings)
    }

    #[test]
    fn the_public_url_is_the_address_unless_it_is_set() {
        let real = 41234;
        let url = |flags: &[&str]| read(flags).unwrap().public_url(real).as_str().to_owned();
        assert_eq!(url(&[]), "http://127.0.0.1:41234");
        let set = "--public-url=https://cal.example/";
        assert_eq!(url(&[set]), "https://cal.example");
    }

    #[test]
    fn only_postgresql_has_replicas() {
        let of = |database: &str, replica: &str| {
            read(&[
                &format!("--database-url={database}"),
                &format!("--read-database-url={replica}"),
            ])
        };
        let postgres = "postgres://ann:hunter2@db.example/calendar";
        assert!(of(postgres, postgres).unwrap().replica.is_some());
        let file = "sqlite://events-calendar.db";
        for (database, replica) in [(file, postgres), (postgres, file), (file, file)] {
            let text = of(database, replica).unwrap_err().to_string();
            assert!(
                text.starts_with("--read-database-url (EVENTS_CALENDAR_READ_DATABASE_URL): only"),
                "{text}"
            );
        }
        let text = of(postgres, "mysql://ann:hunter2@db.example").unwrap_err();
        assert!(!text.to_string().contains("hunter2"), "{text}");
    }

    #[test]
    fn valid_values_are_accepted() {
        for (flag, values) in [
            ("listen", &["0.0.0.0:0", "[::1]:8080", "localhost:8080"][..]),
            (
                "trusted-proxy",
                &["127.0.0.1", "10.0.0.0/8", "::1", "fd00::/8"],
            ),
        ] {
            for value in values {
                assert!(read(&[&format!("--{flag}={value}")]).is_ok(), "{value}");
            }
        }
        let currency = |flags: &[&str]| read(flags).unwrap().currency;
        assert_eq!(currency(&[]), SiteCurrency::Unsaid);
        assert_eq!(currency(&["--currency=none"]), SiteCurrency::None);
        assert_eq!(currency(&["--currency=eur"]).symbol(), "€");
        let settings = read(&[
            "--cors-credentials-origin=https://App.example/",
            "--mount=/wp-json/tribe/events/v1,/api/",
            "--base-path-events=/agenda/",
            "--site-name= Spring & co ",
            "--site-name-fr=Printemps",
            "--site-colour=#0b5d57",
            "--site-footer=Town of Springfield",
            "--imprint-url=https://town.example/?page=imprint",
            "--privacy-url=https://town.example/privacy/",
            "--embed-ancestors=https://Town.example,https://*.b.example:8443",
            "--week-start=sunday",
        ])
        .unwrap();
        assert_eq!(settings.trusted_origins, ["https://app.example"]);
        assert_eq!(settings.mounts.len(), 2);
        assert!(settings.old_events.is_some());
        let ancestors: Vec<_> = settings
            .embed_ancestors
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            ancestors,
            ["https://town.example", "https://*.b.example:8443"]
        );
        for (setting, value) in [
            (SiteSetting::Name, Some("Spring & co")),
            (SiteSetting::FrenchName, Some("Printemps")),
            (SiteSetting::ArabicName, None),
            (SiteSetting::Footer, Some("Town of Springfield")),
            (SiteSetting::WeekStart, Some("sunday")),
        ] {
            let fixed = settings.face.get(setting);
            let text = fixed.and_then(|(value, _)| value.text());
            assert_eq!(text.as_deref(), value, "{setting}");
        }
    }

    fn named(flag: &str) -> String {
        let variable = flag.to_uppercase().replace('-', "_");
        format!("--{flag} (EVENTS_CALENDAR_{variable})")
    }

    #[test]
    fn invalid_values_are_refused() {
        for (flag, values, reason) in [
            (
                "listen",
                &["", "8080", "127.0.0.1:65536"][..],
                "is not an address with a port, such as 127.0.0.1:8080 or localhost:8080",
            ),
            (
                "timezone",
                &["Mars/Olympus_Mons"],
                "is not a known time zone",
            ),
            ("language", &["de"], "is not one of ar, en, fr"),
            (
                "currency",
                &["euro"],
                "is neither the three letters of a currency, such as EUR, nor `none`",
            ),
            (
                "trusted-proxy",
                &["", "nginx", "10.0.0.0/33", "10.0.0.1:80"],
                "is neither an IP address nor a network such as 10.0.0.0/8",
            ),
            (
                "site-colour",
                &["teal", "#0b5d5"],
                "is not a colour such as #0b5d57",
            ),
            (
                "site-colour",
                &["#ffd700"],
                "has a contrast of 1.3 to the background of pages; 4.5 is the minimum",
            ),
            (
                "embed-ancestors",
                &["", "town.example", "'self'", "https://town.example/path"],
                "is not an origin such as https://town.example or https://*.town.example, nor *",
            ),
            (
                "base-path-events",
                &["", "agenda", "/x/{lang}/agenda"],
                "must be a path such as /agenda, of letters, digits and `-._~`",
            ),
            (
                "base-path-events",
                &["/desk"],
                "is a path that the service needs for /desk",
            ),
            (
                "imprint-url",
                &["imprint"],
                "must start with http:// or https://",
            ),
            (
                "mount",
                &["/media"],
                "is a path that the service needs for /media/{*path}",
            ),
        ] {
            for value in values {
                let error = read(&[&format!("--{flag}={value}")]).unwrap_err();
                let expected = format!("{}: `{value}` {reason}", named(flag));
                assert_eq!(error.to_string(), expected);
            }
        }
    }

    #[test]
    fn invalid_texts_and_files_are_refused() {
        for flag in ["site-name", "site-name-ar", "site-footer"] {
            for value in ["", " ", "a\nb"] {
                let error = read(&[&format!("--{flag}={value}")]).unwrap_err();
                let expected = format!("{}: must be a text of one line", named(flag));
                assert_eq!(error.to_string(), expected);
            }
        }
        for flag in ["site-logo", "site-stylesheet"] {
            let error = read(&[&format!("--{flag}=/nowhere")])
                .unwrap_err()
                .to_string();
            assert!(
                error.starts_with(&format!("{}: /nowhere: ", named(flag))),
                "{error}"
            );
        }
        let error = read(&["--site-logo=Cargo.toml"]).unwrap_err().to_string();
        assert!(
            error.ends_with("Cargo.toml: is neither PNG, JPEG nor WebP"),
            "{error}"
        );
        for (flag, values, reason) in [
            ("mount", &["api"][..], "`api` must be a path"),
            (
                "cors-credentials-origin",
                &["https://app.example/sub"],
                "must not have a path",
            ),
            (
                "cors-credentials-origin",
                &["*", "null", "app.example"],
                "is not a URL: it must begin with a scheme, as https://cal.example does",
            ),
        ] {
            for value in values {
                let error = read(&[&format!("--{flag}={value}")]).unwrap_err();
                let expected = format!("{}: {reason}", named(flag));
                assert!(error.to_string().starts_with(&expected), "{error}");
            }
        }
    }

    #[test]
    fn a_password_is_shown_nowhere() {
        for url in [
            "postgres://ann:hunter2@db.example/calendar",
            "postgres://db.example/calendar?user=ann&password=hunter2",
            "postgres://ann:hunter2@db.example:99999/calendar",
            "mysql://ann:hunter2@db.example/calendar",
            "ann:hunter2@db.example",
            "hunter2",
        ] {
            let shown = match read(&[&format!("--database-url={url}")]) {
                Ok(settings) => format!("{settings:?} {}", settings.database),
                Err(error) => format!("{error} {error:?}"),
            };
            assert!(!shown.contains("hunter2"), "{shown}");
        }
    }
}
