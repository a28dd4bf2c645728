//! Messages to clients, in each language.
//!
//! Each language is a module with the same functions. Their matches name every case: an error
//! without a message does not compile. Texts of pages are in `pages::words`.

mod ar;
mod body;
mod en;
mod fr;

use app::fault::Fault;
use domain::Language;

use crate::error::{ApiError, InvalidJson};

/// The message of an error.
pub fn error(error: &ApiError, language: Language) -> String {
    match language {
        Language::Arabic => ar::error(error),
        Language::English => en::error(error),
        Language::French => fr::error(error),
    }
}

/// The message of a fault in a field. Names that the client sent are in it; their control characters
/// are blanks.
pub fn fault(field: &str, fault: &Fault, language: Language) -> String {
    let text = match language {
        Language::Arabic => ar::field(field, fault),
        Language::English => en::field(field, fault),
        Language::French => fr::field(field, fault),
    };
    text.replace(char::is_control, " ")
}

/// The message of a JSON syntax error.
pub(crate) fn json(reason: InvalidJson, language: Language) -> String {
    match language {
        Language::Arabic => ar::json(reason),
        Language::English => en::json(reason),
        Language::French => fr::json(reason),
    }
}

#[cfg(test)]
mod tests;
