//! The command line of `config`, and the settings that it shows.

use clap::{Arg, ArgAction, Subcommand, ValueEnum};

/// A command about the settings.
#[derive(Subcommand)]
pub(crate) enum ConfigCommand {
    /// Show each setting with its value and its origin, without passwords
    Show {
        /// Form of the output
        #[arg(long, value_enum, default_value_t = ConfigFormat::Text)]
        format: ConfigFormat,
    },
    /// Check the settings as `serve` does, and the names of variables; the exit code is 0 if they are in order
    Check,
}

/// A form of settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ConfigFormat {
    /// A table
    Text,
    /// JSON
    Json,
}

/// A setting as the help describes it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct DescribedSetting {
    /// Its flag, without `--`.
    pub(crate) flag: String,
    /// Its default value; `off` of a switch.
    pub(crate) default: Option<String>,
    /// Its default in words.
    pub(crate) said: Option<String>,
    /// Whether it takes a value. A switch does not.
    pub(crate) takes_values: bool,
    /// Whether it may be given several times.
    pub(crate) is_list: bool,
}

impl DescribedSetting {
    /// Describes a setting of the command line; none for other flags, and for former names.
    pub(super) fn of(setting: &Arg) -> Option<Self> {
        setting.get_env()?;
        if setting.is_hide_set() {
            return None;
        }
        let takes_values = setting.get_action().takes_values();
        let values = setting.get_default_values().iter();
        let values: Vec<_> = values.map(|value| value.to_string_lossy()).collect();
        let help = setting.get_help().map(ToString::to_string);
        let said = help.as_deref().and_then(|help| help.split_once(SAID));
        Some(Self {
            flag: setting.get_long()?.to_owned(),
            default: if takes_values {
                (!values.is_empty()).then(|| values.join(", "))
            } else {
                Some("off".to_owned())
            },
            said: said.map(|(_, said)| said.trim_end_matches(']').to_owned()),
            takes_values,
            is_list: matches!(setting.get_action(), ArgAction::Append),
        })
    }
}

/// The beginning of a default in words at the end of a help text.
const SAID: &str = " [default: ";
