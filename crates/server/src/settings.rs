//! The settings of the service, checked before anything is opened.

mod args;
mod database;
mod face;
mod listen;
mod media;
mod public_url;
mod unknown_variables;

use std::{fmt, net::IpAddr, time::Duration};

use domain::{
    Language,
    cost::SiteCurrency,
    time::{Weekday, Zone},
};
use http_service::face::Face;
use http_service::{BasePathPattern, parse_base_path};
use ipnet::IpNet;

use self::args::Switch;
pub(crate) use self::{
    args::{LogFormat, SettingsArgs, setting_name, with_variables},
    database::DatabaseUrl,
    listen::Listen,
    media::MediaLocation,
    public_url::PublicUrl,
    unknown_variables::{UnknownVariable, unknown_variables},
};
use crate::endpoints;

/// The settings of the service.
#[derive(Debug)]
pub(crate) struct Settings {
    /// Address to listen on.
    pub(crate) listen: Listen,
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
    /// Whether unknown fields are rejected.
    pub(crate) strict: bool,
    /// Further base paths of the interface.
    pub(crate) mounts: Vec<BasePathPattern>,
    /// URL of another site that shows the pages of records.
    pub(crate) site_url: Option<PublicUrl>,
    /// Name of the site.
    pub(crate) site_name: Option<String>,
    /// Names of the site in languages.
    pub(crate) site_names: Vec<(Language, String)>,
    /// Logo, colour and footer of the pages.
    pub(crate) face: Face,
    /// First day of the week on pages.
    pub(crate) week_start: Option<Weekday>,
    /// Storage of image files.
    pub(crate) media: MediaLocation,
    /// Whether images may be fetched from private addresses.
    pub(crate) allow_private_hosts: bool,
    /// Whether each request is logged.
    pub(crate) access_log: bool,
    /// Format of the log.
    pub(crate) log_format: LogFormat,
    public_url: Option<PublicUrl>,
}

impl Settings {
    /// Checks the settings of a command line.
    ///
    /// # Errors
    ///
    /// [`InvalidSetting`] for the first invalid one.
    pub(crate) fn read(args: &SettingsArgs) -> Result<Self, InvalidSetting> {
        // The value is not repeated: it may hold a password.
        let database = checked("database-url", DatabaseUrl::parse(&args.database_url))?;
        Ok(Self {
            media: checked(
                "media",
                MediaLocation::parse(args.media.as_deref(), database.folder()),
            )?,
            allow_private_hosts: args.allow_private_hosts || args.allow_private_image_hosts,
            listen: checked("listen", Listen::parse(&args.listen))?,
            access_log: args.access_log == Switch::On,
            log_format: args.log_format,
            replica: replica(args.read_database_url.as_deref(), &database)?,
            max_staleness: Duration::from_millis(u64::from(args.max_staleness)),
            database,
            public_url: url("public-url", args.public_url.as_deref())?,
            site_url: url("site-url", args.site_url.as_deref())?,
            site_name: line("site-name", args.site_name.as_deref())?,
            site_names: face::names(args)?,
            face: face::read(args)?,
            week_start: args.week_start.map(Weekday::from),
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
            mounts: all("mount", &args.mount, |path| {
                parse_base_path(path, &endpoints::all())
            })?,
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

/// Reads an origin: a URL without a path.
fn origin(text: &str) -> Result<String, String> {
    let url = PublicUrl::parse(text)?;
    if url.has_path() {
        return Err("must not have a path".to_owned());
    }
    Ok(url.as_str().to_owned())
}

/// Reads the address of a proxy, or a network of proxies such as `10.0.0.0/8`.
fn network(text: &str) -> Result<IpNet, &'static str> {
    let network = text.parse().ok();
    let address = || text.parse::<IpAddr>().ok().map(IpNet::from);
    network
        .or_else(address)
        .ok_or("is neither an IP address nor a network such as 10.0.0.0/8")
}

/// Reads the replica of a database.
fn replica(
    text: Option<&str>,
    database: &DatabaseUrl,
) -> Result<Option<DatabaseUrl>, InvalidSetting> {
    let Some(text) = text else { return Ok(None) };
    let replica = DatabaseUrl::parse(text).and_then(|replica| {
        if replica.is_file() || database.is_file() {
            return Err(
                "only PostgreSQL has replicas: both databases must be postgres://…".to_owned(),
            );
        }
        Ok(replica)
    });
    checked("read-database-url", replica).map(Some)
}

/// Reads the currency of prices without one.
fn currency(text: &str) -> Result<SiteCurrency, InvalidSetting> {
    checked_text("currency", text, |text| {
        text.parse()
            .map_err(|_| "is neither the three letters of a currency, such as EUR, nor `none`")
    })
}

/// Reads a text of one line, if it is set.
fn line(flag: &str, text: Option<&str>) -> Result<Option<String>, InvalidSetting> {
    let Some(text) = text.map(str::trim) else {
        return Ok(None);
    };
    if text.is_empty() || text.chars().any(char::is_control) {
        return Err(InvalidSetting::of(flag, "must be a text of one line"));
    }
    Ok(Some(text.to_owned()))
}

/// Reads the URL of a site, if it is set.
fn url(flag: &str, text: Option<&str>) -> Result<Option<PublicUrl>, InvalidSetting> {
    checked(flag, text.map(PublicUrl::parse).transpose())
}

/// An invalid setting, and the reason.
#[derive(Debug)]
pub(crate) struct InvalidSetting {
    name: String,
    reason: String,
}

impl InvalidSetting {
    /// The error of the setting with this name. The reason holds no secret.
    pub(crate) fn new(name: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            reason: reason.into(),
        }
    }

    /// The error of the setting with this flag.
    pub(crate) fn of(flag: &str, reason: impl Into<String>) -> Self {
        Self::new(setting_name(flag), reason)
    }
}

impl fmt::Display for InvalidSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, reason } = self;
        write!(f, "{name}: {reason}")
    }
}

impl std::error::Error for InvalidSetting {}

#[cfg(test)]
mod tests {
    use clap::Parser;

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
            "--site-name= Spring & co ",
            "--site-name-fr=Printemps",
            "--site-colour=#0b5d57",
            "--site-footer=Town of Springfield",
            "--imprint-url=https://town.example/?page=imprint",
            "--privacy-url=https://town.example/privacy/",
            "--week-start=sunday",
        ])
        .unwrap();
        assert_eq!(settings.trusted_origins, ["https://app.example"]);
        assert_eq!(settings.mounts.len(), 2);
        assert_eq!(settings.site_name.as_deref(), Some("Spring & co"));
        assert_eq!(
            settings.site_names,
            [(Language::French, "Printemps".to_owned())]
        );
        assert_eq!(settings.face.footer.as_deref(), Some("Town of Springfield"));
        assert_eq!(settings.week_start, Some(Weekday::Sun));
    }

    #[test]
    fn invalid_values_are_refused() {
        let named = |flag: &str| {
            let variable = flag.to_uppercase().replace('-', "_");
            format!("--{flag} (EVENTS_CALENDAR_{variable})")
        };
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
