//! The log, on standard error.

use std::io::{self, IsTerminal};

use tracing_appender::non_blocking::{NonBlocking, WorkerGuard};
use tracing_subscriber::{EnvFilter, fmt::writer::BoxMakeWriter};

use crate::settings::{InvalidSetting, LogFormat, Settings};

const VARIABLE: &str = "EVENTS_CALENDAR_LOG";

/// The default filter. At `info`, the database libraries log every statement; at `warn`, the sessions log every cookie
/// of an unknown session, which any client can send.
const DEFAULT_FILTER: &str =
    "info,sqlx=warn,sea_orm=warn,tower_sessions=error,tower_sessions_core=error";

/// Flushes the log when it is dropped.
pub(crate) type Log = Option<WorkerGuard>;

/// Starts the log according to the settings and the environment.
///
/// # Errors
///
/// If the filter in the environment is invalid.
pub(crate) fn start(settings: &Settings) -> Result<Log, InvalidSetting> {
    let mut filter = filter_of_environment()?;
    if settings.access_log {
        // The access log has a setting of its own.
        let directive = format!("{}=info", http_service::ACCESS_LOG);
        if let Ok(directive) = directive.parse() {
            filter = filter.add_directive(directive);
        }
    }
    let is_terminal = io::stderr().is_terminal();
    let (writer, log) = writer(settings.access_log);
    let log_events = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(writer)
        .log_internal_errors(false);
    match settings.log_format {
        LogFormat::Text => log_events.with_ansi(is_terminal).init(),
        LogFormat::Auto if is_terminal => log_events.with_ansi(true).init(),
        LogFormat::Auto | LogFormat::Json => log_events
            .json()
            .flatten_event(true)
            .with_span_list(false)
            .init(),
    }
    Ok(log)
}

/// The writer of the log. With the access log, a thread writes the lines, so that requests do not
/// wait for the reader of standard error. If 128,000 lines are queued, further lines are dropped.
fn writer(is_busy: bool) -> (BoxMakeWriter, Log) {
    if is_busy {
        let (writer, log) = NonBlocking::new(io::stderr());
        (BoxMakeWriter::new(writer), Some(log))
    } else {
        (BoxMakeWriter::new(io::stderr), None)
    }
}

/// Checks the filter in the environment.
///
/// # Errors
///
/// If it is invalid.
pub(crate) fn check() -> Result<(), InvalidSetting> {
    filter_of_environment().map(drop)
}

fn filter_of_environment() -> Result<EnvFilter, InvalidSetting> {
    let directives = std::env::var_os(VARIABLE).unwrap_or_default();
    filter(&directives.to_string_lossy())
}

fn filter(directives: &str) -> Result<EnvFilter, InvalidSetting> {
    let directives = match directives.trim() {
        "" => DEFAULT_FILTER,
        directives => directives,
    };
    EnvFilter::builder()
        .parse(directives)
        .map_err(|error| InvalidSetting::new(VARIABLE, format!("`{directives}`: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_variable_means_the_default() {
        assert_eq!(
            filter(" ").unwrap().to_string(),
            filter(DEFAULT_FILTER).unwrap().to_string()
        );
    }

    #[test]
    fn an_invalid_filter_is_refused() {
        assert!(filter("api_http=debug,warn").is_ok());
        let error = filter("api_http=loud").unwrap_err().to_string();
        assert!(
            error.starts_with("EVENTS_CALENDAR_LOG: `api_http=loud`: "),
            "{error}"
        );
    }
}
