//! The parts of a write that had no effect.

use serde::{Deserialize, Serialize};

/// A value of a write that had no effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// The name of the field.
    pub field: String,
    /// The value, as text.
    pub value: String,
    /// The reason, in the language of the answer.
    pub message: String,
}
