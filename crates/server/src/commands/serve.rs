//! `serve`: answers requests until a signal.

use std::{
    fmt::Write as _,
    io::{self, IsTerminal, Write as _},
    net::{SocketAddr, TcpListener},
    path::PathBuf,
};

use anyhow::{Context, bail};
use app::{
    Calendar,
    auth::Accounts,
    sign_in::{FIRST_INVITATION_SECONDS, FreshInvitation},
};
use http_service::{AppState, NAMESPACE, Proxies};
use tokio::pin;

use super::{first_token, listening::Sockets};
use crate::{
    endpoints,
    http::{self, ConnectionLimit, ConnectionTimeouts, Termination},
    jobs::{Background, JobContext},
    monitoring::{self, Gauges, Metrics, MetricsServer},
    output,
    service_manager::{self, ServiceState},
    settings::{PublicUrl, Settings},
    signals, wiring,
};

/// Serves until SIGTERM or Ctrl-C, at the address in the settings, by TLS with --domain, or at the socket of a service
/// manager. With TLS and without a certificate, the start waits for one.
///
/// # Errors
///
/// If the address is in use, if the database does not answer or has another schema, or if the first
/// token cannot be shown.
pub(crate) async fn run(
    settings: &Settings,
    no_migrate: bool,
    socket: Option<TcpListener>,
) -> anyhow::Result<()> {
    // The address comes first: it fails most often, and has no side effects.
    let sockets = Sockets::open(settings, socket)?;
    let address = sockets.address()?;
    let public_url = settings.public_url(address.port());

    // The recorder comes before all that counts.
    let metrics = settings.metrics_listen.as_ref();
    let metrics = metrics
        .map(|listen| anyhow::Ok((Metrics::install()?, listen)))
        .transpose()?;
    let limit = ConnectionLimit::new(
        http::raise_open_file_limit(),
        Proxies::new(&settings.trusted_proxies),
    );
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
    let calendar = wiring::calendar(&store, settings, address.port()).await?;
    let jobs = JobContext::new(calendar.clone(), &accounts, settings);
    let readiness = monitoring::checks(store.clone(), settings);
    let state = state(settings, calendar, accounts.clone(), &public_url).with_readiness(readiness);
    let face = &state.site.face;
    face.refresh(&state.calendar)
        .await
        .context("cannot read the settings of the site")?;
    let jobs = Background::start(&jobs, face);
    let news = state.news.clone();
    let measured = match metrics {
        Some((metrics, listen)) => {
            let gauges = Gauges {
                calendar: state.calendar.clone(),
                store: store.clone(),
                news: news.clone(),
            };
            let address = listen.resolve().with_context(|| {
                format!("cannot find the address of {listen}; set --metrics-listen")
            })?;
            Some(MetricsServer::start(address, metrics, gauges).await?)
        }
        None => None,
    };
    let router = http_service::router(state, endpoints::all());

    let mut signals = signals::listen()?;
    let (entrances, certificate) = sockets.with(router, settings)?;
    let serving = http::serve(
        entrances,
        limit,
        ConnectionTimeouts::default(),
        &mut signals,
        || {
            service_manager::notify(ServiceState::Stopping);
            news.stop();
        },
    );
    pin!(serving);
    let stopped = tokio::select! {
        biased;
        () = certificate.ready() => None,
        termination = &mut serving => Some(termination),
    };
    let termination = if let Some(termination) = stopped {
        termination
    } else {
        show_first_token(settings, &accounts, &public_url).await?;
        // A closed standard output is no reason not to serve.
        let _ = output::print(&banner(settings, address, &public_url, measured.as_ref()));
        service_manager::notify(ServiceState::Ready);
        serving.await
    };
    drop(measured);
    if termination != Termination::Forced {
        jobs.stop().await;
        wiring::close(store).await;
    }
    match termination {
        Termination::Graceful => tracing::info!("stopped"),
        Termination::TimedOut { open } => {
            tracing::warn!(
                connections = open,
                "stopped before every request was answered"
            );
        }
        Termination::Forced => bail!("stopped at once by a second signal"),
    }
    Ok(())
}

/// The service with its settings.
pub(super) fn state(
    settings: &Settings,
    calendar: Calendar,
    accounts: Accounts,
    public_url: &PublicUrl,
) -> AppState {
    let mut state = AppState::new(calendar, accounts, public_url.as_str())
        .mounted_at(&settings.mounts)
        .with_old_events_at(settings.old_events.as_ref())
        .behind(&settings.trusted_proxies)
        .with_trusted_origins(settings.trusted_origins.clone())
        .with_public_caching(settings.cache_max_age, settings.cache_stale)
        .with_cache_bytes(settings.answer_cache_bytes())
        .with_access_log(settings.access_log)
        .with_metrics(settings.metrics_listen.is_some())
        .with_calendar_files(adapters_ical::ICalendar)
        .with_imports(adapters_ical::ICalendar)
        .with_face(settings.face.clone())
        .embedded_by(&settings.embed_ancestors)
        .with_max_waiting(settings.max_streams)
        .read_only(settings.read_only)
        .with_feeds(settings.calendar_name.as_deref(), settings.feed_refresh);
    if let Some(site_url) = &settings.site_url {
        state = state.with_site_url(site_url.as_str());
    }
    state
}

fn events_url(public_url: &PublicUrl) -> String {
    format!("{public_url}/{NAMESPACE}/events")
}

/// The text on standard output after the start: URLs, storage, and the file of the first token
/// while it exists.
fn banner(
    settings: &Settings,
    address: SocketAddr,
    public_url: &PublicUrl,
    measured: Option<&MetricsServer>,
) -> String {
    let pages = settings.site_url.as_ref().unwrap_or(public_url);
    let mut lines = vec![
        ("Pages", format!("{pages}/")),
        ("Interface", events_url(public_url)),
        ("Desk", format!("{public_url}/desk")),
        ("Documentation", format!("{public_url}/{NAMESPACE}/doc")),
        ("Database", settings.database.to_string()),
    ];
    if let Some(replica) = &settings.replica {
        lines.push(("Replica", replica.to_string()));
    }
    let token = token_file(settings);
    if token.exists() {
        lines.push(("First token", format!("in the file {}", token.display())));
    }
    if let Some(server) = measured {
        lines.push(("Metrics", format!("http://{}/metrics", server.address)));
    }
    if let Some(tls) = &settings.tls {
        let folder = std::path::absolute(&tls.folder);
        let folder = folder.unwrap_or_else(|_| tls.folder.clone());
        lines.push((
            "Certificates",
            format!("in the folder {}", folder.display()),
        ));
    }
    lines.push(("Images", settings.media.to_string()));
    let version = env!("CARGO_PKG_VERSION");
    let mut text = format!("Events calendar {version}, listening on {address}\n");
    for (name, value) in lines {
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "  {name:<14} {value}");
    }
    if address.ip().is_unspecified() && !settings.has_public_url() {
        text.push_str("  Set --public-url to the address that others use: links name it.\n");
    }
    text
}

/// On the first start, creates the administrator and shows the token on the terminal, or else
/// writes it into a file. On other starts, warns if there is no token.
async fn show_first_token(
    settings: &Settings,
    accounts: &Accounts,
    public_url: &PublicUrl,
) -> anyhow::Result<()> {
    let created = if io::stdout().is_terminal() {
        let created =
            first_token::create(accounts, |token| output::print(&welcome(token, public_url)))
                .await?;
        if created {
            let link = first_invitation(accounts, public_url).await?;
            let _ = output::print(&format!(
                "To keep the calendar in a browser, choose a password within an hour:\n\n    {link}\n\n"
            ));
        }
        created
    } else {
        let path = token_file(settings);
        let created = first_token::create_in_file(accounts, &path).await?;
        if created {
            let link = first_invitation(accounts, public_url).await?;
            let page = path.with_file_name(INVITATION_FILE);
            // That of a former database leads nowhere.
            let _ = std::fs::remove_file(&page);
            writeln!(output::create_private(&page)?, "{link}")?;
            let _ = output::print(&format!(
                "There is an administrator now, `admin`. The token to log in with is in\n  {}\n\
                 The address at which to choose a password, within an hour, is in\n  {}\n",
                path.display(),
                page.display()
            ));
        }
        created
    };
    if !created {
        tokio::spawn(warn_without_tokens(accounts.clone()));
    }
    Ok(())
}

/// The name of the file with the address at which the first administrator chooses a password, if standard output
/// is no terminal. It stands beside the file of the token, which programs read as a whole.
const INVITATION_FILE: &str = "events-calendar.invitation";

/// Invites the first administrator to choose a password. Returns the address.
async fn first_invitation(accounts: &Accounts, public_url: &PublicUrl) -> anyhow::Result<String> {
    let admin = accounts.user("admin").await?;
    let sign_in = accounts.sign_in();
    let invitation = sign_in.invite(&admin, FIRST_INVITATION_SECONDS).await?;
    Ok(invitation_url(public_url, &invitation))
}

/// The address of an invitation.
pub(super) fn invitation_url(public_url: &PublicUrl, invitation: &FreshInvitation) -> String {
    format!("{public_url}/desk/invitation/{}", invitation.text.expose())
}

/// The file for the first token if standard output is no terminal.
fn token_file(settings: &Settings) -> PathBuf {
    let path = settings.database.folder().join(first_token::FILE_NAME);
    std::path::absolute(&path).unwrap_or(path)
}

async fn warn_without_tokens(accounts: Accounts) {
    match first_token::none_exists(&accounts).await {
        Ok(true) => tracing::warn!(
            "no user has a token to log in with: \
             `events-calendar token create --user NAME --name LABEL` creates one"
        ),
        Ok(false) => {}
        Err(error) => tracing::debug!(%error, "cannot check whether there are tokens"),
    }
}

fn welcome(token: &str, public_url: &PublicUrl) -> String {
    let events = events_url(public_url);
    format!(
        "\nThere is an administrator now, `admin`. This is the token to log in with. \
         It is shown only now:\n\n    {token}\n\nTry it:\n\n    \
         curl -u admin:{token} -d title='Spring fair' -d start_date='tomorrow 10:00' \
         -d end_date='tomorrow 18:00' {events}\n\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

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
