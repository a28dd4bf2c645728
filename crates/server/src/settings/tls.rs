//! The settings of TLS by one flag.

use std::path::PathBuf;
#[cfg(feature = "tls")]
use std::{env, net::SocketAddr};

use domain::EmailAddress;
use url::{Host, Url};

use super::{
    all, args::SettingsArgs, checked, database::DatabaseUrl, invalid::InvalidSetting,
    listen::is_labels,
};

/// The flag that switches TLS on.
const DOMAIN: &str = "domain";

/// The most names of a certificate, as Let's Encrypt has it.
const MAX_NAMES: usize = 100;

/// The folder of the account and the certificates, beside the database.
const FOLDER: &str = "acme";

/// The variable with the two addresses to listen on in place of the ports 443 and 80, for tests.
#[cfg(feature = "tls")]
const TEST_ADDRESSES: &str = "EVENTS_CALENDAR_TEST_TLS_LISTEN";

/// TLS with certificates that the program fetches.
#[derive(Debug)]
#[cfg_attr(
    not(any(feature = "tls", test)),
    expect(dead_code, reason = "they are checked, and then refused")
)]
pub(crate) struct TlsSettings {
    /// The names of the server; the public URL has the first one.
    pub(crate) domains: Vec<String>,
    /// URL of the directory of the authority.
    pub(crate) directory: String,
    /// E-mail address for the authority.
    pub(crate) contact: Option<String>,
    /// The folder of the account and the certificates.
    pub(crate) folder: PathBuf,
}

/// Reads the settings of TLS; none without a domain.
pub(super) fn read(
    args: &SettingsArgs,
    database: &DatabaseUrl,
) -> Result<Option<TlsSettings>, InvalidSetting> {
    read_for(args, database, cfg!(feature = "tls"))
}

/// Reads the settings for a program that has TLS or not.
fn read_for(
    args: &SettingsArgs,
    database: &DatabaseUrl,
    has_tls: bool,
) -> Result<Option<TlsSettings>, InvalidSetting> {
    // They are checked without a domain, too: a mistake shows before it matters.
    let directory = checked("acme-directory", directory(&args.acme_directory))?;
    let contact = args.acme_contact.as_deref().map(contact).transpose();
    let contact = checked("acme-contact", contact)?;
    let mut domains = all(DOMAIN, &args.domain, name)?;
    let mut seen = Vec::new();
    domains.retain(|name| {
        let is_new = !seen.contains(name);
        seen.push(name.clone());
        is_new
    });
    if domains.is_empty() {
        return Ok(None);
    }
    let refused = |reason: &str| Err(InvalidSetting::of(DOMAIN, reason));
    if !has_tls {
        return refused("this program was built without the Cargo feature `tls`");
    }
    if domains.len() > MAX_NAMES {
        return refused("may be given 100 times at most");
    }
    if args.set.iter().any(|value| value.flag == "listen") {
        return refused(
            "listens at the ports 443 and 80: leave out --listen (EVENTS_CALENDAR_LISTEN)",
        );
    }
    let Some(file) = database.file() else {
        return refused(
            "is for a single server with an SQLite file: with PostgreSQL, put a proxy in front, which has the certificate",
        );
    };
    Ok(Some(TlsSettings {
        domains,
        directory,
        contact,
        folder: file.with_file_name(FOLDER),
    }))
}

#[cfg(feature = "tls")]
impl TlsSettings {
    /// The addresses for TLS and for the redirect that a test sets.
    pub(crate) fn test_addresses() -> Option<[SocketAddr; 2]> {
        let text = env::var(TEST_ADDRESSES).ok()?;
        let (one, other) = text.split_once(',')?;
        Some([one.parse().ok()?, other.parse().ok()?])
    }
}

/// Reads the name of a server in the internet.
fn name(text: &str) -> Result<String, &'static str> {
    const ADVICE: &str = "is not the name of a server, such as cal.example.org";
    let Ok(Host::Domain(name)) = Host::parse(text) else {
        return Err(ADVICE);
    };
    if name.contains('.') && is_labels(&name) {
        Ok(name)
    } else {
        Err(ADVICE)
    }
}

/// Reads the URL of a directory. A wrong text is not repeated: it may hold a password.
fn directory(text: &str) -> Result<String, String> {
    let url = Url::parse(text).map_err(super::public_url::invalid_url)?;
    if url.scheme() != "https" || url.host_str().is_none() {
        return Err("must begin with https://, and name a host".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("must not have a user or password".to_owned());
    }
    Ok(url.into())
}

/// Reads an e-mail address.
fn contact(text: &str) -> Result<String, String> {
    match text.parse::<EmailAddress>() {
        // Other characters would need an encoding in `mailto:`.
        Ok(_)
            if text
                .bytes()
                .all(|byte| byte.is_ascii_graphic() && !b"?&%#/\"".contains(&byte)) =>
        {
            Ok(text.to_owned())
        }
        _ => Err("is not an e-mail address".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use http_service::face::Origin;

    use super::*;
    use crate::settings::SetValue;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        settings: SettingsArgs,
    }

    fn args(flags: &[&str]) -> SettingsArgs {
        Line::parse_from([&["events-calendar"], flags].concat()).settings
    }

    fn read_flags(flags: &[&str], has_tls: bool) -> Result<Option<TlsSettings>, String> {
        let args = args(flags);
        let database = DatabaseUrl::parse(&args.database_url).unwrap();
        read_for(&args, &database, has_tls).map_err(|error| error.to_string())
    }

    #[test]
    fn names_of_a_certificate_are_each_told_once() {
        assert!(read_flags(&[], true).unwrap().is_none());
        let flags = [
            "--domain=Cal.example.org,www.example.org",
            "--domain=cal.example.org",
            "--acme-contact=ann@example.org",
            "--database-url=sqlite:///srv/town.db",
        ];
        let tls = read_flags(&flags, true).unwrap().unwrap();
        assert_eq!(tls.domains, ["cal.example.org", "www.example.org"]);
        assert_eq!(tls.contact.as_deref(), Some("ann@example.org"));
        assert!(tls.directory.starts_with("https://acme-v02."));
        assert_eq!(tls.folder, PathBuf::from("/srv/acme"));
    }

    #[test]
    fn what_does_not_go_with_tls_is_refused() {
        let domain = "--domain=cal.example.org";
        let refused = |flags: &[&str], has_tls| read_flags(flags, has_tls).unwrap_err();
        assert!(refused(&[domain], false).ends_with("without the Cargo feature `tls`"));
        let postgres = "--database-url=postgres://ann:hunter2@db.example/calendar";
        let text = refused(&[domain, postgres], true);
        assert!(
            text.contains("for a single server with an SQLite file"),
            "{text}"
        );
        assert!(!text.contains("hunter2"), "{text}");
        let many: Vec<_> = (0..=MAX_NAMES)
            .map(|n| format!("--domain=n{n}.example"))
            .collect();
        let many: Vec<_> = many.iter().map(String::as_str).collect();
        assert!(refused(&many, true).ends_with("100 times at most"));
        assert!(read_flags(&many[1..], true).is_ok());
        for bad in [
            "--domain=localhost",
            "--acme-directory=http://x.example",
            "--acme-contact=x",
        ] {
            assert!(read_flags(&[bad], false).is_err(), "{bad}");
        }

        let mut args = args(&[domain]);
        args.set.push(SetValue {
            flag: "listen".to_owned(),
            texts: vec!["127.0.0.1:8080".to_owned()],
            origin: Origin::File("c.toml".to_owned()),
            line: Some(3),
        });
        let database = DatabaseUrl::parse("sqlite://a.db").unwrap();
        let text = read_for(&args, &database, true).unwrap_err().to_string();
        assert!(text.contains("leave out --listen"), "{text}");
    }

    #[test]
    fn names_of_servers_are_understood() {
        for (text, expected) in [
            ("cal.example.org", "cal.example.org"),
            ("Cal-1.Example.Org", "cal-1.example.org"),
            ("bücher.example", "xn--bcher-kva.example"),
        ] {
            assert_eq!(name(text), Ok(expected.to_owned()));
        }
        for text in [
            "",
            "localhost",
            "*.example.org",
            "cal.example.org:443",
            "https://cal.example.org",
            "192.0.2.1",
            "[2001:db8::1]",
            "cal..example",
            "cal.example.org.",
            "-cal.example.org",
            "a_b.example.org",
            "cal.example.org/",
        ] {
            assert!(name(text).is_err(), "{text}");
        }
    }

    #[test]
    fn directories_are_https() {
        let url = "https://acme.example:14000/dir?x=1";
        assert_eq!(directory(url), Ok(url.to_owned()));
        for text in [
            "",
            "acme.example",
            "http://acme.example/",
            "https://",
            "file:///x",
        ] {
            assert!(directory(text).is_err(), "{text}");
        }
        let secret = directory("https://ann:hunter2@acme.example/").unwrap_err();
        assert!(!secret.contains("hunter2"), "{secret}");
    }

    #[test]
    fn contacts_are_addresses() {
        assert_eq!(contact("ann@example.org"), Ok("ann@example.org".to_owned()));
        for text in [
            "",
            "ann",
            "mailto:ann@example.org",
            "ann@example.org?x=1",
            "ann@bücher.example",
        ] {
            assert!(contact(text).is_err(), "{text}");
        }
    }
}
