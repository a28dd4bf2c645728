//! Invalid settings.

use std::fmt;

use super::names::setting_name;

/// An invalid setting, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct InvalidSetting {
    name: String,
    reason: String,
    flag: Option<String>,
}

impl InvalidSetting {
    /// The error of the setting with this name. The reason holds no secret.
    pub(crate) fn new(name: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            reason: reason.into(),
            flag: None,
        }
    }

    /// The error of the setting with this flag.
    pub(crate) fn of(flag: &str, reason: impl Into<String>) -> Self {
        Self {
            flag: Some(flag.to_owned()),
            ..Self::new(setting_name(flag), reason)
        }
    }

    /// The flag of the setting, if the error is of a setting with a flag.
    pub(super) fn flag(&self) -> Option<&str> {
        self.flag.as_deref()
    }

    /// The error, with the name of the place at which the setting is set.
    pub(super) fn at(self, location: String) -> Self {
        Self {
            name: location,
            ..self
        }
    }
}

impl fmt::Display for InvalidSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, reason, .. } = self;
        write!(f, "{name}: {reason}")
    }
}

impl std::error::Error for InvalidSetting {}
