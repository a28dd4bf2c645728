//! The URL of the database.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use domain::Secret;
use percent_encoding::percent_decode_str;
use url::{Position, Url};

use super::public_url::invalid_url;

/// The URL of a database. It may hold a password, which `Display` and `Debug` omit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DatabaseUrl {
    url: Secret,
    /// The SQLite file, if it is one.
    file: Option<PathBuf>,
    /// The text for users.
    shown: String,
}

impl DatabaseUrl {
    /// Parses a URL.
    ///
    /// # Errors
    ///
    /// The reason why it is invalid, without secrets.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (file, shown) = match text.split_once(':').map(|(scheme, _)| scheme) {
            Some("sqlite") => {
                let file = file(text)?;
                let absolute = std::path::absolute(&file).unwrap_or_else(|_| file.clone());
                let shown = format!("the SQLite file {}", absolute.display());
                (Some(file), shown)
            }
            Some("postgres" | "postgresql") => {
                (None, format!("PostgreSQL, {}", without_secrets(text)?))
            }
            _ => return Err(advice(text)),
        };
        Ok(Self {
            url: text.to_owned().into(),
            file,
            shown,
        })
    }

    /// The whole URL with its secrets, for the database alone.
    pub(crate) fn expose(&self) -> &str {
        self.url.expose()
    }

    /// Whether it is an SQLite file.
    pub(crate) fn is_file(&self) -> bool {
        self.file.is_some()
    }

    /// The SQLite file, if it is one.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// The folder of an SQLite file; for PostgreSQL, the working folder.
    pub(crate) fn folder(&self) -> &Path {
        let folder = self.file().and_then(Path::parent);
        folder.unwrap_or(Path::new(""))
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

/// Advice for a text that is no URL of a database. A text that may hold a password is not repeated.
fn advice(text: &str) -> String {
    let is_file = [".db", ".sqlite", ".sqlite3"]
        .iter()
        .any(|end| text.to_ascii_lowercase().ends_with(end));
    if is_file && !text.contains([':', '@', '?']) {
        return format!("is the name of a file: write `sqlite://{text}`");
    }
    "must be sqlite://FILE or postgres://USER:PASSWORD@HOST/NAME".to_owned()
}

/// The file of an SQLite URL, parsed like the driver does: the text after `sqlite:` and `//`, up to
/// `?`.
fn file(url: &str) -> Result<PathBuf, String> {
    let rest = url.trim_start_matches("sqlite:").trim_start_matches("//");
    let (path, options) = rest.split_once('?').unwrap_or((rest, ""));
    let in_memory = options.split('&').any(|option| option == "mode=memory");
    let is_read_only = |option| matches!(option, "mode=ro" | "immutable=true" | "immutable=1");
    if options.split('&').any(is_read_only) {
        return Err(
            "must be a file that can be written: leave out mode=ro and immutable".to_owned(),
        );
    }
    if path.is_empty() || path == ":memory:" || in_memory {
        return Err("must name a file, as sqlite://events-calendar.db".to_owned());
    }
    let path = percent_decode_str(path).decode_utf8();
    Ok(PathBuf::from(&*path.map_err(|_| "is not UTF-8")?))
}

/// Scheme, user, host and name of a database, without password and options.
fn without_secrets(url: &str) -> Result<String, String> {
    let mut url = Url::parse(url).map_err(invalid_url)?;
    if url[Position::BeforePath..Position::AfterPath].contains('@')
        || url.fragment().is_some_and(|text| text.contains('@'))
    {
        let advice = "has an `@` behind the host: encode `/`, `?`, `#` and `@` in a password";
        return Err(advice.to_owned());
    }
    url.set_query(None);
    url.set_fragment(None);
    // Only a URL without a host refuses this, and it has no password.
    let _ = url.set_password(None);
    Ok(url.to_string())
}

/// The options of a URL of PostgreSQL that hold no secret.
const SHOWN_OPTIONS: [&str; 11] = [
    "application_name",
    "dbname",
    "host",
    "hostaddr",
    "port",
    "sslcert",
    "sslkey",
    "sslmode",
    "sslrootcert",
    "statement-cache-capacity",
    "user",
];

/// The URL of a database or a bucket, with `***` in place of its password, and of options that may hold one. A text
/// that is no URL is returned as it is.
pub(crate) fn without_password(text: &str) -> String {
    let Ok(mut url) = Url::parse(text) else {
        return text.to_owned();
    };
    if url.scheme() == "sqlite" {
        return text.to_owned();
    }
    if url.password().is_some() {
        // Only a URL without a host refuses this, and it has no password.
        let _ = url.set_password(Some(HIDDEN));
    }
    url.set_fragment(None);
    let options = url.query_pairs().into_owned().map(|(name, value)| {
        let is_shown = SHOWN_OPTIONS.contains(&&*name);
        (name, if is_shown { value } else { HIDDEN.to_owned() })
    });
    let options: Vec<_> = options.collect();
    if !options.is_empty() {
        url.query_pairs_mut().clear().extend_pairs(options);
    }
    url.to_string()
}

/// The text in place of a secret.
const HIDDEN: &str = "***";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_hidden_in_its_url() {
        for (url, shown) in [
            (
                "postgres://ann:hunter2@db.example:5433/calendar",
                "postgres://ann:***@db.example:5433/calendar",
            ),
            (
                "postgres://db.example/calendar?user=ann&password=hunter2&sslmode=require",
                "postgres://db.example/calendar?user=ann&password=***&sslmode=require",
            ),
            (
                "postgres://ann@db.example/x#hunter2",
                "postgres://ann@db.example/x",
            ),
            ("s3://key:hunter2@bucket/cal", "s3://key:***@bucket/cal"),
            (
                "sqlite://My data.db?mode=rwc",
                "sqlite://My data.db?mode=rwc",
            ),
            ("/srv/media", "/srv/media"),
        ] {
            assert_eq!(without_password(url), shown);
        }
    }

    #[test]
    fn the_folder_is_that_of_the_file() {
        for (url, folder) in [
            ("sqlite://events-calendar.db", ""),
            ("sqlite:events-calendar.db", ""),
            ("sqlite://data/calendar.db?mode=rwc", "data"),
            ("sqlite:///var/lib/calendar.db", "/var/lib"),
            ("sqlite:///my%20data/calendar.db", "/my data"),
            ("postgres://db.example/calendar", ""),
        ] {
            let parsed = DatabaseUrl::parse(url).unwrap();
            assert_eq!(parsed.folder(), Path::new(folder), "{url}");
            assert_eq!(parsed.is_file(), url.starts_with("sqlite"));
            assert_eq!(parsed.expose(), url);
        }
    }

    #[test]
    fn a_url_is_shown_without_password_and_options() {
        let url = "postgres://ann:hunter2@db.example:5433/calendar?password=hunter2";
        let shown = "PostgreSQL, postgres://ann@db.example:5433/calendar";
        let parsed = DatabaseUrl::parse(url).unwrap();
        assert_eq!(parsed.to_string(), shown);
        assert!(!format!("{parsed:#?}").contains("hunter2"));
        let file = DatabaseUrl::parse("sqlite:///var/lib/calendar.db").unwrap();
        assert_eq!(file.to_string(), "the SQLite file /var/lib/calendar.db");
    }

    #[test]
    fn the_refusal_of_a_file_name_shows_its_url() {
        for name in ["calendar.db", "/var/lib/Calendar.SQLite3", "./x.sqlite"] {
            let refused = DatabaseUrl::parse(name).unwrap_err();
            let advice = format!("is the name of a file: write `sqlite://{name}`");
            assert_eq!(refused, advice);
            assert!(DatabaseUrl::parse(&format!("sqlite://{name}")).is_ok());
        }
        for secret in ["hunter2@host.db", "hunter2", "ann:hunter2.db"] {
            let refused = DatabaseUrl::parse(secret).unwrap_err();
            assert!(!refused.contains("hunter2"), "{refused}");
        }
    }

    #[test]
    fn a_sign_in_a_password_is_explained() {
        for url in [
            "postgres://ann:hunter#2@db.example/x",
            "postgres://ann:hunter/2@db.example/x",
        ] {
            let refused = DatabaseUrl::parse(url).unwrap_err();
            assert!(
                refused.contains("%23") && !refused.contains("hunter"),
                "{refused}"
            );
        }
    }

    #[test]
    fn invalid_urls_are_refused() {
        for url in [
            "",
            "events-calendar.db",
            "mysql://db.example/calendar",
            "sqlite:",
            "sqlite://",
            "sqlite::memory:",
            "sqlite://%ff.db",
            "sqlite://x?mode=memory",
            "sqlite://x?mode=ro",
            "sqlite://x?cache=private&immutable=1",
            "postgres://db.example:99999/calendar",
            "postgres://[::1/calendar",
        ] {
            assert!(DatabaseUrl::parse(url).is_err(), "{url}");
        }
    }
}
