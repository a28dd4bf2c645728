//! Reads the command line, the environment and the file of settings.

use std::{ffi::OsString, path::PathBuf};

use clap::{
    Arg, ArgAction, ArgMatches, Args as _, CommandFactory, FromArgMatches,
    error::{ContextKind, ContextValue, ErrorKind},
    parser::ValueSource,
};
use http_service::face::Origin;

use super::{Cli, config::DescribedSetting};
use crate::settings::{CONFIG, SetValue, SettingsArgs, SettingsFile, setting_name, with_variables};

const ABOUT_SETTINGS: &str = "\
Each setting is a flag of every command, an environment variable, and a key of the file that --config names; the flag \
takes precedence over the variable, and the variable over the file. The same variable with the suffix _FILE names a file \
that holds the value, such as a password: EVENTS_CALENDAR_DATABASE_URL_FILE. EVENTS_CALENDAR_LOG filters the log, for \
example `debug` or `info,events_calendar_http_service=debug`.";

impl Cli {
    /// The definition of the command line, with the environment variables of the settings.
    pub(super) fn definition() -> clap::Command {
        with_variables(Self::command())
    }

    /// Reads a command line, the environment, and the file that either of them names. Faults of the file are told by
    /// [`Settings::read`](crate::settings::Settings::read).
    ///
    /// # Errors
    ///
    /// The error of clap. It names a setting by flag and variable, as its value may come from
    /// either.
    pub(crate) fn read(
        line: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    ) -> Result<Self, clap::Error> {
        let line: Vec<OsString> = line.into_iter().map(Into::into).collect();
        let definition = Self::definition();
        let cli = Self::parse_line(definition.clone(), &line, None)?;
        let Some(path) = &cli.settings.config else {
            return Ok(cli);
        };
        let file = SettingsFile::read(path, &definition);
        let mut cli = Self::parse_line(file.as_defaults(definition), &line, Some(&file))?;
        cli.settings.faults = file.into_faults();
        Ok(cli)
    }

    /// Parses a command line with the defaults of a definition.
    fn parse_line(
        definition: clap::Command,
        line: &[OsString],
        file: Option<&SettingsFile>,
    ) -> Result<Self, clap::Error> {
        let command = with_files(definition, |variable| std::env::var_os(variable))?;
        let mut command = with_own_flags_alone(command);
        let read = command.try_get_matches_from_mut(line).and_then(|matches| {
            let read = Self::from_arg_matches(&matches);
            let mut cli = read.map_err(|error| error.format(&mut command))?;
            let is_set = |name: &str| std::env::var_os(name).is_some();
            cli.settings.set = set_values(&command, &matches, file, is_set);
            Ok(cli)
        });
        read.map_err(|mut error| {
            let name = match error.get(ContextKind::InvalidArg) {
                Some(ContextValue::String(usage)) => name_of_usage(usage),
                _ => None,
            };
            if let Some(name) = name {
                error.insert(ContextKind::InvalidArg, ContextValue::String(name));
            }
            error
        })
    }

    /// The environment variables of all settings.
    pub(crate) fn variables() -> Vec<String> {
        let command = Self::definition();
        let variables = command.get_arguments().filter_map(Arg::get_env);
        variables
            .map(|name| name.to_string_lossy().into_owned())
            .collect()
    }

    /// The settings as the help describes them.
    pub(crate) fn described_settings() -> Vec<DescribedSetting> {
        let command = Self::definition();
        let settings = command.get_arguments().filter_map(DescribedSetting::of);
        settings.collect()
    }

    /// The folder of `--zone-data` in a command line that may be incomplete, such as one with
    /// `--version`.
    pub(crate) fn zone_data_folder(
        line: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    ) -> Option<PathBuf> {
        // As a plain flag, `--version` does not end the parsing.
        let version = Arg::new("version").short('V').long("version");
        let command = Self::definition()
            .disable_version_flag(true)
            .arg(version.action(ArgAction::SetTrue))
            .subcommand_required(false)
            .ignore_errors(true);
        let line: Vec<OsString> = line.into_iter().map(Into::into).collect();
        let path = |command: clap::Command, name: &str| {
            let matches = command.try_get_matches_from(&line).ok()?;
            matches.get_one::<PathBuf>(name).cloned()
        };
        let command = match path(command.clone(), CONFIG) {
            Some(file) => SettingsFile::read(&file, &command).as_defaults(command),
            None => command,
        };
        path(command, "zone_data")
    }
}

/// Leaves the settings to `help settings`, so that the help of a command shows its own flags.
pub(super) fn with_own_flags_alone(command: clap::Command) -> clap::Command {
    command
        .mut_args(|setting| setting.hide(true))
        .mut_subcommand("settings", |command| command.override_help(settings_help()))
}

/// The text about the settings.
pub(crate) fn settings_help() -> String {
    let settings = SettingsArgs::augment_args(clap::Command::new("settings"));
    let mut settings = with_variables(settings)
        .disable_help_flag(true)
        .help_template("{about}\n\n{all-args}\n")
        .about(ABOUT_SETTINGS);
    settings.render_help().to_string()
}

/// Replaces defaults by the contents of files: a variable with the suffix `_FILE` names the file of
/// a setting. The file of settings is named without it.
pub(super) fn with_files(
    mut command: clap::Command,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Result<clap::Command, clap::Error> {
    let settings = command.get_arguments();
    let settings = settings
        .filter(|setting| setting.get_action().takes_values() && setting.get_id() != CONFIG);
    let named = settings.filter_map(|setting| {
        let name = format!("{}_FILE", setting.get_env()?.to_str()?);
        let file = PathBuf::from(variable(&name)?);
        Some((setting.get_id().clone(), name, file))
    });
    for (id, name, file) in named.collect::<Vec<_>>() {
        let content = std::fs::read_to_string(&file).map_err(|error| {
            let text = format!("{name}: cannot read {}: {error}", file.display());
            command.error(ErrorKind::Io, text)
        })?;
        command = command.mut_arg(id, |setting| {
            // The content may be secret: the help must not show it.
            let content = content.trim_end().to_owned();
            setting.default_value(content).hide_default_value(true)
        });
    }
    Ok(command)
}

/// The values of settings that are set. The content of a file of a variable, and a value in the file of settings, are
/// the defaults of their settings.
pub(super) fn set_values(
    command: &clap::Command,
    matches: &ArgMatches,
    file: Option<&SettingsFile>,
    is_set: impl Fn(&str) -> bool,
) -> Vec<SetValue> {
    let settings = command.get_arguments().filter_map(|setting| {
        let (flag, variable) = (setting.get_long()?, setting.get_env()?.to_str()?);
        let id = setting.get_id().as_str();
        let own_file = format!("{variable}_FILE");
        let line = || file.and_then(|file| Some((file.path(), file.line(flag)?)));
        let (origin, line) = match matches.value_source(id)? {
            ValueSource::CommandLine => (Origin::Flag(format!("--{flag}")), None),
            ValueSource::EnvVariable => (Origin::Variable(variable.to_owned()), None),
            _ if setting.get_action().takes_values() && is_set(&own_file) => {
                (Origin::Variable(own_file), None)
            }
            _ => {
                let (path, line) = line()?;
                (Origin::File(path.to_owned()), Some(line))
            }
        };
        let texts = matches.get_raw(id).into_iter().flatten();
        Some(SetValue {
            flag: flag.to_owned(),
            texts: texts
                .map(|text| text.to_string_lossy().into_owned())
                .collect(),
            origin,
            line,
        })
    });
    settings.collect()
}

/// Flag and variable of the setting with this usage, such as `--cache-mib <MIB>`.
fn name_of_usage(usage: &str) -> Option<String> {
    let mut command = Cli::definition();
    // Only a built command knows its usages.
    command.build();
    let setting = command
        .get_arguments()
        .find(|one| one.to_string() == usage)?;
    setting.get_env()?;
    Some(setting_name(setting.get_long()?))
}
