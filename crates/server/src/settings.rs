//! What the service is set to, checked before anything is opened.

mod database;
mod listen;
mod media;
mod public_url;

use std::{fmt, net::IpAddr, time::Duration};

use api_http::{BasePathPattern, parse_base_path};
use domain::{Language, cost::SiteCurrency, time::Zone};
use ipnet::IpNet;

pub(crate) use self::{
    database::DatabaseUrl, listen::Listen, media::MediaPlace, public_url::PublicUrl,
};
use crate::cli::{LogFormat, SettingsArgs, Switch};

/// What the service is set to.
#[derive(Debug)]
pub(crate) struct Settings {
    /// Where to listen.
    pub(crate) listen: Listen,
    /// Where records are kept.
    pub(crate) database: DatabaseUrl,
    /// A replica of it.
    pub(crate) replica: Option<DatabaseUrl>,
    /// How long what other processes wrote may be unseen.
    pub(crate) max_staleness: Duration,
    /// Origins whose pages may use the credentials that a browser keeps.
    pub(crate) trusted_origins: Vec<String>,
    /// Proxies that are trusted to say who asks.
    pub(crate) trusted_proxies: Vec<IpNet>,
    /// For how many seconds others may keep what everybody may read.
    pub(crate) cache_max_age: u32,
    /// For how many more they may use it while they ask.
    pub(crate) cache_stale: u32,
    /// How many bytes of what was read and answered are kept.
    cache_bytes: u64,
    /// The zone of dates without one.
    pub(crate) zone: Zone,
    /// The language of requests that name none.
    pub(crate) language: Language,
    /// The currency of prices without one.
    pub(crate) currency: SiteCurrency,
    /// Whether fields that are not known are refused.
    pub(crate) strict: bool,
    /// Paths under which the interface is served beside its own.
    pub(crate) mounts: Vec<BasePathPattern>,
    /// The site that shows the pages of records, if the service shall not.
    pub(crate) site_url: Option<PublicUrl>,
    /// The name of the site.
    pub(crate) site_name: Option<String>,
    /// Where files of images are kept.
    pub(crate) media: MediaPlace,
    /// Whether images may be fetched from addresses that are not public.
    pub(crate) allow_private_image_hosts: bool,
    /// Whether each request is logged.
    pub(crate) access_log: bool,
    /// The form of the log.
    pub(crate) log_format: LogFormat,
    public_url: Option<PublicUrl>,
}

impl Settings {
    /// Reads the settings of a command line.
    ///
    /// # Errors
    ///
    /// [`InvalidSetting`] for the first one that cannot be.
    pub(crate) fn read(args: &SettingsArgs) -> Result<Self, InvalidSetting> {
        let SettingsArgs {
            listen,
            database_url,
            read_database_url,
            max_staleness,
            public_url,
            site_url,
            site_name,
            timezone,
            // Read before anything else: zones are looked up in it.
            zone_data: _,
            language,
            currency,
            strict,
            mount,
            media,
            allow_private_image_hosts,
            trusted_proxy,
            cors_credentials_origin,
            cache_max_age,
            cache_stale,
            cache_mib,
            access_log,
            log_format,
        } = args;
        // The value is not repeated: it may hold a password.
        let database = DatabaseUrl::parse(database_url)
            .map_err(|reason| InvalidSetting::of("database-url", reason))?;
        Ok(Self {
            media: MediaPlace::read(media.as_deref(), database.folder())
                .map_err(|reason| InvalidSetting::of("media", reason))?,
            allow_private_image_hosts: *allow_private_image_hosts,
            listen: Listen::parse(listen).map_err(|reason| InvalidSetting::of("listen", reason))?,
            access_log: *access_log == Switch::On,
            log_format: *log_format,
            replica: read_replica(read_database_url.as_deref(), &database)?,
            max_staleness: Duration::from_millis(u64::from(*max_staleness)),
            database,
            public_url: read_url("public-url", public_url.as_ref())?,
            site_url: read_url("site-url", site_url.as_ref())?,
            site_name: read_name(site_name.as_deref())?,
            zone: Zone::parse(timezone).map_err(|reason| {
                InvalidSetting::of("timezone", format!("`{timezone}` {reason}"))
            })?,
            language: Language::from_code(language).ok_or_else(|| {
                let known = Language::ALL.map(Language::code).join(", ");
                InvalidSetting::of("language", format!("`{language}` is not one of {known}"))
            })?,
            strict: *strict,
            currency: read_currency(currency.as_deref())?,
            trusted_proxies: trusted_proxy
                .iter()
                .map(|network| read_network(network))
                .collect::<Result<_, _>>()?,
            trusted_origins: cors_credentials_origin
                .iter()
                .map(|origin| read_origin(origin))
                .collect::<Result<_, _>>()?,
            cache_max_age: *cache_max_age,
            cache_stale: *cache_stale,
            cache_bytes: u64::from(*cache_mib) << 20,
            mounts: mount
                .iter()
                .map(|path| read_mount(path))
                .collect::<Result<_, _>>()?,
        })
    }

    /// Under which address others reach a server that listens on this port.
    pub(crate) fn public_url(&self, port: u16) -> PublicUrl {
        let set = self.public_url.clone();
        set.unwrap_or_else(|| PublicUrl::of_host(self.listen.host(), port))
    }

    /// Whether it was said under which address others reach the service.
    pub(crate) fn has_public_url(&self) -> bool {
        self.public_url.is_some()
    }

    /// How many bytes of records that were read are kept. A quarter will do: an answer takes more room
    /// than the records in it, and spares more work.
    pub(crate) fn record_cache_bytes(&self) -> u64 {
        self.cache_bytes / 4
    }

    /// How many bytes of answers are kept: all that records leave.
    pub(crate) fn answer_cache_bytes(&self) -> u64 {
        self.cache_bytes - self.record_cache_bytes()
    }
}

/// An address without a path, as browsers name the site of a page.
fn read_origin(text: &str) -> Result<String, InvalidSetting> {
    let invalid = |reason: String| InvalidSetting::of("cors-credentials-origin", reason);
    let url = PublicUrl::parse(text).map_err(invalid)?;
    if url.host().contains('/') {
        return Err(invalid(format!("`{text}` must not have a path")));
    }
    Ok(url.as_str().to_owned())
}

/// The address of a proxy, or a network of them, as `10.0.0.0/8`.
fn read_network(text: &str) -> Result<IpNet, InvalidSetting> {
    let network = text.parse::<IpNet>().ok();
    let address = || text.parse::<IpAddr>().ok().map(IpNet::from);
    network.or_else(address).ok_or_else(|| {
        let reason = "is neither an IP address nor a network such as 10.0.0.0/8";
        InvalidSetting::of("trusted-proxy", format!("`{text}` {reason}"))
    })
}

/// The replica of a database.
fn read_replica(
    url: Option<&str>,
    database: &DatabaseUrl,
) -> Result<Option<DatabaseUrl>, InvalidSetting> {
    let invalid = |reason: String| InvalidSetting::of("read-database-url", reason);
    let Some(url) = url else { return Ok(None) };
    let replica = DatabaseUrl::parse(url).map_err(invalid)?;
    if replica.is_file() || database.is_file() {
        let reason = "only PostgreSQL has replicas: both databases must be postgres://…";
        return Err(invalid(reason.to_owned()));
    }
    Ok(Some(replica))
}

/// A currency by its code, or `none`.
fn read_currency(text: Option<&str>) -> Result<SiteCurrency, InvalidSetting> {
    let Some(text) = text else {
        return Ok(SiteCurrency::default());
    };
    text.parse().map_err(|_| {
        let reason = "is neither the three letters of a currency, such as EUR, nor `none`";
        InvalidSetting::of("currency", format!("`{text}` {reason}"))
    })
}

fn read_mount(path: &str) -> Result<BasePathPattern, InvalidSetting> {
    parse_base_path(path)
        .map_err(|reason| InvalidSetting::of("mount", format!("`{path}` {reason}")))
}

/// Reads the name of the site, if it is set.
fn read_name(text: Option<&str>) -> Result<Option<String>, InvalidSetting> {
    let Some(name) = text.map(str::trim) else {
        return Ok(None);
    };
    if name.is_empty() || name.chars().any(char::is_control) {
        let reason = "must be a text of one line";
        return Err(InvalidSetting::of("site-name", reason));
    }
    Ok(Some(name.to_owned()))
}

/// Reads the address of a site, if it is set.
fn read_url(flag: &str, text: Option<&String>) -> Result<Option<PublicUrl>, InvalidSetting> {
    let url = text.map(|text| PublicUrl::parse(text)).transpose();
    url.map_err(|reason| InvalidSetting::of(flag, reason))
}

/// What users know a setting by: its flag, and its variable of the environment.
pub(crate) fn name_of(flag: &str) -> String {
    let variable = flag.replace('-', "_").to_ascii_uppercase();
    format!("--{flag} (EVENTS_CALENDAR_{variable})")
}

/// A setting that cannot be, and why.
#[derive(Debug)]
pub(crate) struct InvalidSetting {
    name: String,
    reason: String,
}

impl InvalidSetting {
    /// Why the setting of this name cannot be; without secrets.
    pub(crate) fn new(name: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            reason: reason.into(),
        }
    }

    /// The same of a setting that has a flag and a variable.
    pub(crate) fn of(flag: &str, reason: impl Into<String>) -> Self {
        Self::new(name_of(flag), reason)
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
    use super::*;

    fn args() -> SettingsArgs {
        SettingsArgs {
            listen: "127.0.0.1:8080".to_owned(),
            database_url: "sqlite://events-calendar.db".to_owned(),
            read_database_url: None,
            max_staleness: 0,
            public_url: None,
            site_url: None,
            site_name: None,
            timezone: "UTC".to_owned(),
            zone_data: None,
            language: "en".to_owned(),
            currency: None,
            strict: false,
            mount: Vec::new(),
            media: None,
            allow_private_image_hosts: false,
            trusted_proxy: Vec::new(),
            cors_credentials_origin: Vec::new(),
            cache_max_age: 0,
            cache_stale: 0,
            cache_mib: 32,
            access_log: Switch::Off,
            log_format: LogFormat::Auto,
        }
    }

    fn refusal(args: &SettingsArgs) -> String {
        Settings::read(args).unwrap_err().to_string()
    }

    #[test]
    fn the_public_url_is_the_address_unless_it_is_set() {
        let settings = Settings::read(&args()).unwrap();
        let real = 41234;
        assert_eq!(settings.public_url(real).as_str(), "http://127.0.0.1:41234");

        let set = SettingsArgs {
            public_url: Some("https://cal.example/".to_owned()),
            ..args()
        };
        let settings = Settings::read(&set).unwrap();
        assert_eq!(settings.public_url(real).as_str(), "https://cal.example");
    }

    #[test]
    fn addresses() {
        for listen in ["0.0.0.0:0", "[::1]:8080", "localhost:8080"] {
            let listen = listen.to_owned();
            assert!(Settings::read(&SettingsArgs { listen, ..args() }).is_ok());
        }
        for listen in ["", "8080", "127.0.0.1:65536"] {
            let listen = listen.to_owned();
            let text = refusal(&SettingsArgs { listen, ..args() });
            assert!(
                text.starts_with("--listen (EVENTS_CALENDAR_LISTEN): `"),
                "{text}"
            );
        }
    }

    #[test]
    fn replicas() {
        let postgres = "postgres://ann:hunter2@db.example/calendar".to_owned();
        let of = |database_url: &str, replica: &str| {
            Settings::read(&SettingsArgs {
                database_url: database_url.to_owned(),
                read_database_url: Some(replica.to_owned()),
                ..args()
            })
        };
        assert!(of(&postgres, &postgres).unwrap().replica.is_some());
        let file = "sqlite://events-calendar.db";
        for (database, replica) in [(file, &*postgres), (&*postgres, file), (file, file)] {
            let text = of(database, replica).unwrap_err().to_string();
            assert!(
                text.starts_with("--read-database-url (EVENTS_CALENDAR_READ_DATABASE_URL): only"),
                "{text}"
            );
        }
        let text = of(&postgres, "mysql://ann:hunter2@db.example").unwrap_err();
        assert!(!text.to_string().contains("hunter2"), "{text}");
    }

    #[test]
    fn zones() {
        let timezone = "Mars/Olympus_Mons".to_owned();
        assert_eq!(
            refusal(&SettingsArgs { timezone, ..args() }),
            "--timezone (EVENTS_CALENDAR_TIMEZONE): `Mars/Olympus_Mons` is not a known time zone"
        );
    }

    #[test]
    fn languages() {
        let language = "de".to_owned();
        assert_eq!(
            refusal(&SettingsArgs { language, ..args() }),
            "--language (EVENTS_CALENDAR_LANGUAGE): `de` is not one of ar, en, fr"
        );
    }

    #[test]
    fn currencies() {
        let of = |text: &str| {
            let currency = Some(text.to_owned());
            Settings::read(&SettingsArgs { currency, ..args() })
        };
        let unsaid = Settings::read(&args()).unwrap().currency;
        assert_eq!(unsaid, SiteCurrency::Unsaid);
        assert_eq!(of("none").unwrap().currency, SiteCurrency::None);
        assert_eq!(of("eur").unwrap().currency.symbol(), "€");
        assert_eq!(
            of("euro").unwrap_err().to_string(),
            "--currency (EVENTS_CALENDAR_CURRENCY): `euro` is neither the three letters of a \
             currency, such as EUR, nor `none`"
        );
    }

    #[test]
    fn origins() {
        let cors_credentials_origin = vec!["https://App.example/".to_owned()];
        let args_of = |cors_credentials_origin| SettingsArgs {
            cors_credentials_origin,
            ..args()
        };
        let settings = Settings::read(&args_of(cors_credentials_origin)).unwrap();
        assert_eq!(settings.trusted_origins, ["https://app.example"]);
        for origin in ["*", "null", "app.example", "https://app.example/sub"] {
            let text = refusal(&args_of(vec![origin.to_owned()]));
            assert!(
                text.starts_with("--cors-credentials-origin (EVENTS"),
                "{text}"
            );
        }
    }

    #[test]
    fn proxies() {
        let args_of = |network: &str| SettingsArgs {
            trusted_proxy: vec![network.to_owned()],
            ..args()
        };
        for network in ["127.0.0.1", "10.0.0.0/8", "::1", "fd00::/8"] {
            assert!(Settings::read(&args_of(network)).is_ok(), "{network}");
        }
        for network in ["", "nginx", "10.0.0.0/33", "10.0.0.1:80"] {
            let text = refusal(&args_of(network));
            assert!(text.starts_with("--trusted-proxy (EVENTS"), "{text}");
        }
    }

    #[test]
    fn mounts() {
        let mount = vec!["/wp-json/tribe/events/v1".to_owned(), "/api/".to_owned()];
        let settings = Settings::read(&SettingsArgs { mount, ..args() }).unwrap();
        assert_eq!(settings.mounts.len(), 2);
        let mount = vec!["api".to_owned()];
        let text = refusal(&SettingsArgs { mount, ..args() });
        assert!(
            text.starts_with("--mount (EVENTS_CALENDAR_MOUNT): `api` must be a path"),
            "{text}"
        );
        let mount = vec!["/media".to_owned()];
        assert_eq!(
            refusal(&SettingsArgs { mount, ..args() }),
            "--mount (EVENTS_CALENDAR_MOUNT): `/media` is a path that the service needs for \
             /media/{*path}"
        );
    }

    #[test]
    fn the_name_of_the_site_is_one_line() {
        let args_of = |name: &str| SettingsArgs {
            site_name: Some(name.to_owned()),
            ..args()
        };
        let settings = Settings::read(&args_of(" Spring & co ")).unwrap();
        assert_eq!(settings.site_name.as_deref(), Some("Spring & co"));
        for name in ["", " ", "a\nb"] {
            assert_eq!(
                refusal(&args_of(name)),
                "--site-name (EVENTS_CALENDAR_SITE_NAME): must be a text of one line"
            );
        }
    }

    #[test]
    fn a_password_is_shown_nowhere() {
        for database_url in [
            "postgres://ann:hunter2@db.example/calendar",
            "postgres://db.example/calendar?user=ann&password=hunter2",
            "postgres://ann:hunter2@db.example:99999/calendar",
            "mysql://ann:hunter2@db.example/calendar",
            "ann:hunter2@db.example",
            "hunter2",
        ] {
            let database_url = database_url.to_owned();
            let shown = match Settings::read(&SettingsArgs {
                database_url,
                ..args()
            }) {
                Ok(settings) => format!("{settings:?} {}", settings.database),
                Err(error) => format!("{error} {error:?}"),
            };
            assert!(!shown.contains("hunter2"), "{shown}");
        }
    }
}
