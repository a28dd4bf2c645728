//! `serve`: answer requests until told to stop.

use std::{
    fmt::Write,
    io::{self, IsTerminal},
    net::SocketAddr,
    process::ExitCode,
};

use anyhow::{Context, bail};
use api_http::AppState;
use app::auth::Accounts;

use super::first_token;
use crate::{
    http::{self, Ending, Patience},
    output,
    settings::{PublicUrl, Settings},
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
    let listener =
        http::listen(settings.listen).map_err(|error| refusal(settings.listen, &error))?;
    let address = listener.local_addr().context("cannot listen")?;
    let public_url = settings.public_url(address);

    let store = wiring::connect_to_serve(settings).await?;
    if no_migrate {
        let pending = store.pending().await.context("cannot read the schema")?;
        if pending > 0 {
            bail!(
                "the schema of the database is not up to date (migrations pending: {pending}): \
                 run `events-calendar migrate`, or leave out --no-migrate"
            );
        }
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
        .with_cache_bytes(settings.answer_cache_bytes());
    if let Some(site_url) = &settings.site_url {
        shared = shared.with_site_url(site_url.as_str());
    }
    let router = api_http::router(shared);

    let mut stop = signals::listen()?;
    show_first_token(settings, &accounts, &public_url).await?;
    // Without a reader there is nobody to tell; that is no reason not to serve.
    let _ = output::print(&announcement(settings, address, &public_url));

    let ending = http::serve(listener, router, Patience::default(), &mut stop).await;
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
    format!("{public_url}/cal/events/v1/events")
}

fn announcement(settings: &Settings, address: SocketAddr, public_url: &PublicUrl) -> String {
    let replica = settings.replica.as_ref();
    let replica = replica.map_or(String::new(), |url| format!("Reads     {url}\n  "));
    let mut text = format!(
        "Events calendar, listening on {address}\n  \
         Look at   {}\n  \
         Database  {}\n  \
         {}Images    {}\n",
        events_url(public_url),
        settings.database,
        replica,
        settings.media
    );
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
        let path = settings.database.folder().join(first_token::FILE_NAME);
        let path = std::path::absolute(&path).unwrap_or(path);
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
