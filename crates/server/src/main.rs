//! The program `events-calendar`: its command line, and the wiring of ports to adapters.

mod allocator;
#[cfg(any(feature = "tls", test))]
mod certificates;
mod cli;
mod commands;
mod endpoints;
mod http;
mod jobs;
mod monitoring;
mod output;
mod partial_file;
mod service_manager;
mod settings;
mod signals;
mod source_reader;
mod telemetry;
mod wiring;
mod zone_data;

use std::{net::TcpListener, process::ExitCode};

use anyhow::Context;
use app::audit::Actor;
use clap::error::ErrorKind;

use crate::{
    cli::{Cli, Command, ConfigCommand, ImportArgs, ImportSource},
    settings::{InvalidSetting, Settings, SettingsArgs, unknown_variables},
};

/// Exit code of clap for wrong usage.
const WRONG_USAGE: u8 = 2;

/// Exit code of `doctor` if it cannot tell whether something differs.
const UNABLE_TO_LOOK: u8 = 2;

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
    let serves = matches!(cli.command, Command::Serve { .. });
    if serves {
        allocator::return_memory_early();
    }
    if matches!(cli.command, Command::Config(ConfigCommand::Check)) {
        return check(&cli.settings);
    }
    if let Command::Manual { folder } = &cli.command {
        commands::manual::run(folder)?;
        return Ok(ExitCode::SUCCESS);
    }
    // Taken before there are threads.
    let socket = if serves {
        service_manager::socket()?
    } else {
        None
    };
    // Installed before the first lookup of a time zone.
    let zone_data = zone_data::install(cli.settings.zone_data.as_deref())
        .map_err(|error| cli.settings.located(error))?;
    let settings = Settings::read(&cli.settings)?;
    let _log = telemetry::start(&settings)?;
    warn_of_unknown_variables();
    zone_data.log(serves);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("cannot start threads")?;
    let done = runtime.block_on(dispatch(&cli.settings, &settings, cli.command, socket));
    // Tasks that still run exceeded the shutdown timeout, or a second signal ended the server.
    runtime.shutdown_background();
    done
}

/// Warns of each environment variable that looks like a setting and is none: it has no effect.
fn warn_of_unknown_variables() {
    let set = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    for unknown in unknown_variables(set, &Cli::variables()) {
        tracing::warn!("{unknown}");
    }
}

/// Prints each fault of the settings.
fn check(args: &SettingsArgs) -> anyhow::Result<ExitCode> {
    let faults = commands::config::check::run(args);
    for fault in &faults {
        output::notice(&format!("events-calendar: {fault}"));
    }
    if !faults.is_empty() {
        return Ok(ExitCode::FAILURE);
    }
    let text = commands::config::check::in_order(args);
    output::print_list(&text).context("standard output")?;
    Ok(ExitCode::SUCCESS)
}

/// Runs a command, and prints the text that it returns. `socket` is of the service manager.
async fn dispatch(
    args: &SettingsArgs,
    settings: &Settings,
    command: Command,
    socket: Option<TcpListener>,
) -> anyhow::Result<ExitCode> {
    if let Command::Serve { no_migrate } = command {
        let serve = commands::serve::run(settings, no_migrate, socket);
        Actor::command("serve").act(serve).await?;
        return Ok(ExitCode::SUCCESS);
    }
    let actor = Actor::command(command.name());
    actor.act(perform(args, settings, command)).await
}

/// Runs a command other than `serve`.
async fn perform(
    args: &SettingsArgs,
    settings: &Settings,
    command: Command,
) -> anyhow::Result<ExitCode> {
    let mut code = ExitCode::SUCCESS;
    let text = match command {
        // It is run before.
        Command::Serve { .. } => return Ok(code),
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
            years,
            seed,
        } => {
            let sizes = commands::seed::Sizes {
                events,
                series,
                years: years.into(),
            };
            commands::seed::run(settings, sizes, seed).await?
        }
        Command::CleanMedia => commands::clean_media::run(settings).await?,
        Command::Maintain => commands::maintain::run(settings).await?,
        Command::Doctor(args) => match commands::doctor::run(settings, &args).await {
            Ok((text, is_sound)) => {
                if !is_sound {
                    code = ExitCode::FAILURE;
                }
                text
            }
            Err(error) => {
                output::notice(&format!("events-calendar: {}", one_line(&error)));
                return Ok(ExitCode::from(UNABLE_TO_LOOK));
            }
        },
        Command::Mirror(args) => commands::mirror::run(settings, &args).await?,
        Command::Migrate => commands::migrate::run(settings).await?,
        Command::Backup(args) => {
            let (text, is_sound) = commands::backup::run(settings, &args).await?;
            if !is_sound {
                code = ExitCode::FAILURE;
            }
            text
        }
        Command::Restore(args) => commands::backup::restore::run(settings, &args).await?,
        Command::Health => commands::health::run(settings)?,
        Command::Zones => commands::zones::run(settings).await?,
        Command::User(command) => commands::user::run(settings, command).await?,
        Command::Token(command) => commands::token::run(settings, command).await?,
        Command::Feed(command) => commands::feed::run(settings, command).await?,
        Command::Audit(args) => commands::audit::run(settings, &args).await?,
        Command::Source(command) => commands::source::run(settings, command).await?,
        Command::Config(ConfigCommand::Show { format }) => {
            commands::config::show::run(args, settings, format).await?
        }
        // It is checked before anything is opened.
        Command::Config(ConfigCommand::Check) => return check(args),
        Command::Settings => cli::settings_help(),
        // It needs no settings.
        Command::Manual { folder } => {
            commands::manual::run(&folder)?;
            return Ok(code);
        }
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
