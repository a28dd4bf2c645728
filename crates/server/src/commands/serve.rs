//! `serve`: answer requests until told to stop.

use std::{
    fmt::Write,
    io::{self, IsTerminal},
    net::SocketAddr,
    path::PathBuf,
    process::ExitCode,
};

use anyhow::{Context, bail};
use api_http::{AppState, NAMESPACE, Proxies};
use app::auth::Accounts;

use super::first_token;
use crate::{
    http::{self, Ending, Patience, Room},
    output,
    settings::{Listen, PublicUrl, Settings},
    signals, wiring,
};

/// Serves until SIGTERM or Ctrl-C.
///
/// # Errors
///
/// If the address is taken, if the database does not answer or its schema does not fit, or if the
/// first token cannot be shown.
pub(crate) async fn run(settings: &Settings, no_migrate: bool) -> anyhow::Result<ExitCode> {
    // First what fails most often and leaves nothing behind.
    let wanted = settings
        .listen
        .resolve()
        .map_err(|error| unknown(&settings.listen, &error))?;
    let listener = http::listen(wanted).map_err(|error| refusal(wanted, &error))?;
    let address = listener.local_addr().context("cannot listen")?;
    let public_url = settings.public_url(address.port());

    let room = Room::new(http::raise_limit(), Proxies::new(&settings.trusted_proxies));
    let store = wiring::connect_to_serve(settings).await?;
    if no_migrate {
        let pending = store.pending().await.context("cannot read the schema")?;
        if pending > 0 {
            bail!(
                "the schema of the database is not up to date (migrations pending: {pending}): \
                 run `events-calendar migrate`, or leave out --no-migrate"
            );
        }
        wiring::require_zone_data(&store).await?;
    } else {
        wiring::migrate(&store).await?;
    }
    let accounts = wiring::accounts(&store);
    let calendar = wiring::calendar(&store, settings, &public_url).await?;
    let mut shared = AppState::new(calendar, accounts.clone(), public_url.as_str())
        .mounted_at(&settings.mounts)
        .behind(&settings.trusted_proxies)
        .with_trusted_origins(settings.trusted_origins.clone())
        .with_public_caching(settings.cache_max_age, settings.cache_stale)
        .with_cache_bytes(settings.answer_cache_bytes())
        .with_access_log(settings.access_log);
    if let Some(site_url) = &settings.site_url {
        shared = shared.with_site_url(site_url.as_str());
    }
    if let Some(name) = &settings.site_name {
        shared = shared.named(name);
    }
    let router = api_http::router(shared);

    let mut stop = signals::listen()?;
    show_first_token(settings, &accounts, &public_url).await?;
    // Without a reader there is nobody to tell; that is no reason not to serve.
    let _ = output::print(&announcement(settings, address, &public_url));

    let ending = http::serve(listener, router, room, Patience::default(), &mut stop).await;
    if ending != Ending::AtOnce {
        wiring::close(store).await;
    }
    match ending {
        Ending::Orderly => tracing::info!("stopped"),
        Ending::TimeOver { open } => {
            tracing::warn!(
                connections = open,
                "stopped before every request was answered"
            );
        }
        Ending::AtOnce => bail!("stopped at once, as told by a second signal"),
    }
    Ok(ExitCode::SUCCESS)
}

fn unknown(listen: &Listen, error: &io::Error) -> anyhow::Error {
    anyhow::anyhow!("cannot find the address of {listen}: {error}; set --listen")
}

fn refusal(address: SocketAddr, error: &io::Error) -> anyhow::Error {
    match error.kind() {
        io::ErrorKind::AddrInUse => anyhow::anyhow!(
            "address already in use: {address}; stop the other program or set --listen, \
             as --listen 127.0.0.1:0 for any free port"
        ),
        io::ErrorKind::AddrNotAvailable => {
            anyhow::anyhow!("not an address of this machine: {address}; set --listen")
        }
        _ => anyhow::anyhow!("cannot listen at {address}: {error}"),
    }
}

fn events_url(public_url: &PublicUrl) -> String {
    format!("{public_url}/{NAMESPACE}/events")
}

/// Where everything is: pages, interface, documentation, records, images, and the first token if it still lies in its
/// file.
fn announcement(settings: &Settings, address: SocketAddr, public_url: &PublicUrl) -> String {
    let pages = settings.site_url.as_ref().unwrap_or(public_url);
    let mut places = vec![
        ("Pages", format!("{pages}/")),
        ("Interface", events_url(public_url)),
        ("Documentation", format!("{public_url}/{NAMESPACE}/doc")),
        ("Database", settings.database.to_string()),
    ];
    if let Some(replica) = &settings.replica {
        places.push(("Replica", replica.to_string()));
    }
    let token = token_file(settings);
    if token.exists() {
        places.push(("First token", format!("in the file {}", token.display())));
    }
    places.push(("Images", settings.media.to_string()));
    let mut text = format!("Events calendar, listening on {address}\n");
    for (name, place) in places {
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "  {name:<14} {place}");
    }
    if address.ip().is_unspecified() && !settings.has_public_url() {
        text.push_str("  Set --public-url to the address that others use: links name it.\n");
    }
    text
}

/// On the very first start, shows the administrator's token: on the terminal, or else in a file. On
/// others, warns if nobody can log in, sooner or later.
async fn show_first_token(
    settings: &Settings,
    accounts: &Accounts,
    public_url: &PublicUrl,
) -> anyhow::Result<()> {
    let made = if io::stdout().is_terminal() {
        first_token::make(accounts, |token| output::print(&welcome(token, public_url))).await?
    } else {
        let path = token_file(settings);
        let made = first_token::make_in_file(accounts, &path).await?;
        if made {
            let _ = output::print(&format!(
                "There is an administrator now, `admin`. The token to log in with is in\n  {}\n",
                path.display()
            ));
        }
        made
    };
    if !made {
        tokio::spawn(warn_without_tokens(accounts.clone()));
    }
    Ok(())
}

/// Where the first token is written if there is no terminal to show it on.
fn token_file(settings: &Settings) -> PathBuf {
    let path = settings.database.folder().join(first_token::FILE_NAME);
    std::path::absolute(&path).unwrap_or(path)
}

async fn warn_without_tokens(accounts: Accounts) {
    match first_token::nobody_has_one(&accounts).await {
        Ok(true) => tracing::warn!(
            "nobody has a token to log in with: \
             `events-calendar token create --user NAME --name LABEL` makes one"
        ),
        Ok(false) => {}
        Err(error) => tracing::debug!(%error, "whether there are tokens cannot be told"),
    }
}

fn welcome(token: &str, public_url: &PublicUrl) -> String {
    let mut text = format!(
        "\nThere is an administrator now, `admin`. This is the token to log in with. \
         It is shown only now:\n\n    {token}\n\nTry it:\n\n"
    );
    // Writing to a `String` cannot fail.
    let _ = writeln!(
        text,
        "    curl -u admin:{token} -d title='Spring fair' -d start_date='tomorrow 10:00' \
         -d end_date='tomorrow 18:00' {}\n",
        events_url(public_url)
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_address_is_one_line() {
        let address = "127.0.0.1:8080".parse().unwrap();
        let text = refusal(address, &io::ErrorKind::AddrInUse.into()).to_string();
        assert!(
            text.starts_with("address already in use: 127.0.0.1:8080"),
            "{text}"
        );
        assert!(!text.contains('\n'));
    }

    #[test]
    fn the_welcome_shows_token_and_command() {
        let url = PublicUrl::parse("https://cal.example/sub").unwrap();
        let text = welcome("5f2a", &url);
        assert!(text.contains("\n    5f2a\n"), "{text}");
        assert!(text.contains("curl -u admin:5f2a "), "{text}");
        assert!(
            text.contains(" https://cal.example/sub/cal/events/v1/events\n"),
            "{text}"
        );
    }
}
