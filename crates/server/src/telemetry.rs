//! The log, on standard error.

use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;

use crate::settings::InvalidSetting;

const VARIABLE: &str = "EVENTS_CALENDAR_LOG";

/// The libraries of the database tell every statement otherwise.
const USUAL: &str = "info,sqlx=warn,sea_orm=warn";

/// Starts the log as the environment says.
///
/// # Errors
///
/// If what it says cannot be understood.
pub(crate) fn start() -> Result<(), InvalidSetting> {
    let directives = std::env::var_os(VARIABLE).unwrap_or_default();
    let filter = filter(&directives.to_string_lossy())?;
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .log_internal_errors(false)
        .init();
    Ok(())
}

fn filter(directives: &str) -> Result<EnvFilter, InvalidSetting> {
    let directives = match directives.trim() {
        "" => USUAL,
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
    fn nothing_means_the_usual() {
        assert_eq!(
            filter(" ").unwrap().to_string(),
            filter(USUAL).unwrap().to_string()
        );
    }

    #[test]
    fn what_is_no_filter_is_refused() {
        assert!(filter("api_http=debug,warn").is_ok());
        let error = filter("api_http=loud").unwrap_err().to_string();
        assert!(
            error.starts_with("EVENTS_CALENDAR_LOG: `api_http=loud`: "),
            "{error}"
        );
    }
}
