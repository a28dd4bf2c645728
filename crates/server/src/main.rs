//! The program `events-calendar`: its command line, and the wiring of ports to adapters.

mod allocator;
mod cli;
mod commands;
mod endpoints;
mod http;
mod jobs;
mod output;
mod partial_file;
mod settings;
mod signals;
mod telemetry;
mod wiring;
mod zone_data;

use std::process::ExitCode;

use anyhow::Context;
use clap::error::ErrorKind;

use crate::{
    cli::{Cli, Command, ImportArgs, ImportSource},
    settings::{InvalidSetting, Settings, UnknownVariable, unknown_variables},
};

/// Exit code of clap for wrong usage.
const WRONG_USAGE: u8 = 2;

fn main() -> ExitCode {
    let done = match Cli::read(std::env::args_os()) {
        Ok(cli) => run(cli),
        Err(error) if error.kind() == ErrorKind::DisplayVersion => show_version(),
        Err(error) => error.exit(),
    };
    match done {
        Ok(code) => code,
        Err(error) => {
            output::notice(&format!("events-calendar: {}", one_line(&error)));
            if error.is::<InvalidSetting>() {
                ExitCode::from(WRONG_USAGE)
            } else {
                ExitCode::FAILURE
            }
        }
    }
}

/// Prints the versions of the program and of the time zone data in use.
fn show_version() -> anyhow::Result<ExitCode> {
    let folder = Cli::zone_data_folder(std::env::args_os());
    let zone_data = zone_data::install(folder.as_deref())?;
    let program = env!("CARGO_PKG_VERSION");
    output::print_list(&format!("events-calendar {program}\n{zone_data}\n"))?;
    Ok(ExitCode::SUCCESS)
}

fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    if matches!(cli.command, Command::Serve { .. }) {
        allocator::return_memory_early();
    }
    // Installed before the first lookup of a time zone.
    let zone_data = zone_data::install(cli.settings.zone_data.as_deref())?;
    let settings = Settings::read(&cli.settings)?;
    let _log = telemetry::start(&settings)?;
    warn_of_unknown_variables();
    zone_data.log(matches!(cli.command, Command::Serve { .. }));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("cannot start threads")?;
    let done = runtime.block_on(dispatch(&settings, cli.command));
    // Tasks that still run exceeded the shutdown timeout, or a second signal ended the server.
    runtime.shutdown_background();
    done
}

/// Warns of each environment variable that looks like a setting and is none: it has no effect.
fn warn_of_unknown_variables() {
    let set = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    for UnknownVariable { name, nearest } in unknown_variables(set, &Cli::variables()) {
        if let Some(nearest) = nearest {
            tracing::warn!("no setting has the variable {name}: is {nearest} meant?");
        } else {
            tracing::warn!("no setting has the variable {name}");
        }
    }
}

/// Runs a command, and prints the text that it returns.
async fn dispatch(settings: &Settings, command: Command) -> anyhow::Result<ExitCode> {
    let mut code = ExitCode::SUCCESS;
    let text = match command {
        Command::Serve { no_migrate } => {
            commands::serve::run(settings, no_migrate).await?;
            return Ok(code);
        }
        Command::Import(ImportArgs {
            site: Some(ImportSource::Tec(args)),
            ..
        }) => {
            let (text, report) = commands::import::tec::run(settings, args).await?;
            if report.refused() > 0 || report.is_prune_refused {
                code = ExitCode::FAILURE;
            }
            text
        }
        Command::Import(import) => {
            let done = commands::import::run(settings, &import).await?;
            if done.rejected {
                code = ExitCode::FAILURE;
            }
            done.text + "\n"
        }
        Command::Export(args) => commands::export::run(settings, &args).await?,
        Command::Seed {
            events,
            series,
            seed,
        } => {
            let sizes = commands::seed::Sizes { events, series };
            commands::seed::run(settings, sizes, seed).await?
        }
        Command::CleanMedia => commands::clean_media::run(settings).await?,
        Command::Maintain => commands::maintain::run(settings).await?,
        Command::Migrate => commands::migrate::run(settings).await?,
        Command::Backup { file, force } => commands::backup::run(settings, &file, force).await?,
        Command::Health => commands::health::run(settings)?,
        Command::Zones => commands::zones::run(settings).await?,
        Command::User(command) => commands::user::run(settings, command).await?,
        Command::Token(command) => commands::token::run(settings, command).await?,
        Command::Feed(command) => commands::feed::run(settings, command).await?,
        Command::Settings => cli::settings_help(),
    };
    output::print_list(&text).context("standard output")?;
    Ok(code)
}

/// An error with its causes in one line.
fn one_line(error: &anyhow::Error) -> String {
    let text = format!("{error:#}");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_one_line_with_its_causes() {
        let error = anyhow::anyhow!("the disk\n  is full").context("cannot write");
        assert_eq!(one_line(&error), "cannot write: the disk is full");
    }

    #[test]
    fn an_invalid_setting_is_recognized_behind_a_context() {
        let error = anyhow::Error::new(InvalidSetting::new("--listen", "is bad")).context("before");
        assert!(error.is::<InvalidSetting>());
    }
}
