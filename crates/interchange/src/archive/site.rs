//! Lines of the settings of the site that people see.

use app::ports::StoredSiteValue;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use domain::{
    UserId,
    site::{SiteSetting, SiteValue},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use super::text::Utc;

/// A setting with its value: a text, or a file in base 64.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SiteLine {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    set_by: UserId,
    set_utc: Utc,
}

impl SiteLine {
    /// The line of a stored value. `user` stands for a user who was deleted.
    pub(super) fn new(stored: &StoredSiteValue, user: UserId) -> Self {
        let value = stored.value.text();
        let file = match &value {
            Some(_) => None,
            None => Some(BASE64_STANDARD.encode(stored.value.to_bytes())),
        };
        Self {
            name: stored.value.setting().to_string(),
            value,
            file,
            set_by: stored.set_by.unwrap_or(user),
            set_utc: Utc(stored.set_at),
        }
    }

    /// The value, the user who set it, and when.
    ///
    /// # Errors
    ///
    /// The reason why the line has none.
    pub(super) fn into_value(self) -> Result<(SiteValue, UserId, Timestamp), String> {
        let setting: SiteSetting = self
            .name
            .parse()
            .map_err(|error| format!("name: {error}"))?;
        let value = match (self.value, self.file) {
            (Some(text), None) => text.into_bytes(),
            (None, Some(file)) => BASE64_STANDARD
                .decode(file)
                .map_err(|error| format!("file: {error}"))?,
            _ => return Err("a setting has a value or a file".to_owned()),
        };
        let value = SiteValue::read(setting, &value);
        let value = value.map_err(|error| format!("{setting}: {error}"))?;
        Ok((value, self.set_by, self.set_utc.0))
    }
}
