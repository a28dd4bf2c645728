//! Writers of values, one for each type: the parser of the field reads the same value.

use std::fmt::Display;

use domain::{Secret, cost::Currency};
use serde_json::Value;

/// Writes a value as its text.
pub(crate) fn text<T: Display>(value: &T) -> Value {
    value.to_string().into()
}

/// Writes a value that JSON has, such as a number.
pub(crate) fn json<T: Copy + Into<Value>>(value: &T) -> Value {
    (*value).into()
}

/// Writes the code of a currency.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form of all writers")]
pub(crate) fn currency(currency: &Currency) -> Value {
    currency.code().into()
}

/// Writes a secret, which the request carries.
pub(crate) fn secret(secret: &Secret) -> Value {
    secret.expose().as_str().into()
}
