//! `config check`: checks the settings without opening anything.

use crate::{
    cli::Cli,
    settings::{self, SettingsArgs, unknown_variables},
    telemetry, zone_data,
};

/// Each fault of the settings, as `serve` would tell the first one, and each variable that no setting has.
pub(crate) fn run(args: &SettingsArgs) -> Vec<String> {
    // Installed before the zone of the settings is looked up.
    let zone_data = zone_data::install(args.zone_data.as_deref());
    let zone_data = zone_data.err().map(|error| args.located(error));
    let faults = zone_data.into_iter().chain(settings::faults(args));
    let faults = faults.chain(telemetry::check().err());
    let faults = faults.map(|fault| fault.to_string());
    let variables = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let unknown = unknown_variables(variables, &Cli::variables());
    faults
        .chain(unknown.iter().map(ToString::to_string))
        .collect()
}

/// The text about settings without a fault.
pub(crate) fn in_order(args: &SettingsArgs) -> String {
    match &args.config {
        Some(file) => format!("{} is in order, with all other settings\n", file.display()),
        None => "everything is in order; --config names no file\n".to_owned(),
    }
}
