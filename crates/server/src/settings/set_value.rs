//! Values of settings, with the places at which they are set.

use http_service::face::Origin;

use super::names::setting_name;

/// The value of a setting that a flag, a variable or the file of settings sets. Without `Debug`: it may hold a password.
pub(crate) struct SetValue {
    /// The name of the setting.
    pub(crate) flag: String,
    /// The value; several of a setting that may be given several times.
    pub(crate) texts: Vec<String>,
    /// The place at which it is set.
    pub(crate) origin: Origin,
    /// The line in the file of settings.
    pub(crate) line: Option<usize>,
}

impl SetValue {
    /// The location for an error: `config.toml:3: listen`, or flag and variable.
    pub(super) fn location(&self) -> String {
        match self.line {
            Some(line) => format!("{}:{line}: {}", self.origin, self.flag),
            None => setting_name(&self.flag),
        }
    }
}
