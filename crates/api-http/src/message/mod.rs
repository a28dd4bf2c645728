//! What clients are told in words, in each language.
//!
//! A language is a module with the same functions as the others. Their matches name every case: an
//! error without its words does not compile. Pages for people have their own words.

mod ar;
mod body;
mod en;
mod fr;

use app::input::Fault;
use domain::Language;

use crate::error::{ApiError, InvalidJson};

/// What happened.
pub(crate) fn error(error: &ApiError, language: Language) -> String {
    match language {
        Language::Arabic => ar::error(error),
        Language::English => en::error(error),
        Language::French => fr::error(error),
    }
}

/// What is wrong with a field.
pub(crate) fn fault(field: &str, fault: &Fault, language: Language) -> String {
    match language {
        Language::Arabic => ar::field(field, fault),
        Language::English => en::field(field, fault),
        Language::French => fr::field(field, fault),
    }
}

/// Why a body is no JSON.
pub(crate) fn json(reason: InvalidJson, language: Language) -> String {
    match language {
        Language::Arabic => ar::json(reason),
        Language::English => en::json(reason),
        Language::French => fr::json(reason),
    }
}

#[cfg(test)]
mod tests;
