//! Warnings of writes as JSON.

use app::fault::Warning;
use domain::Language;
use http_service::message;
use schemars::JsonSchema;
use serde::Serialize;

/// A value of a write that had no effect.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Warning")]
pub(crate) struct WarningRecord {
    /// The name of the field.
    field: &'static str,
    /// The value, as text.
    value: String,
    /// The reason, in the language of the response.
    message: String,
}

impl WarningRecord {
    /// The warnings of a write.
    pub(crate) fn all(warnings: &[Warning], language: Language) -> Vec<Self> {
        let warnings = warnings.iter();
        warnings.map(|one| Self::new(one, language)).collect()
    }

    fn new(warning: &Warning, language: Language) -> Self {
        let Warning {
            field,
            value,
            fault,
        } = warning;
        Self {
            field: field.as_str(),
            value: value.clone(),
            message: message::fault(field.as_str(), fault, language),
        }
    }
}
