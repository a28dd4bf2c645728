//! Filters of the template.

#![expect(unreachable_pub, reason = "the macro `filter_fn` makes public items")]

use std::fmt::Display;

use askama::{Result, Values, filters::Safe};

/// A text between tags. Quotes remain: they end attributes alone, and JSON is full of them.
#[askama::filter_fn]
pub(super) fn between_tags(text: impl Display, _: &dyn Values) -> Result<Safe<String>> {
    let text = text.to_string().replace('&', "&amp;");
    Ok(Safe(text.replace('<', "&lt;").replace('>', "&gt;")))
}
