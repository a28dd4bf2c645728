//! Values of records as JSON, each with its schema.

use domain::{
    Language, Record, Status,
    time::{NaiveDateTime, Timestamp, format_civil},
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// A date and time without zone: `2027-04-17 09:00:00`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(
    inline,
    extend("pattern" = r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$", "examples" = ["2027-04-17 09:00:00"])
)]
pub(super) struct DateTime(pub(super) String);

impl From<NaiveDateTime> for DateTime {
    fn from(civil: NaiveDateTime) -> Self {
        Self(format_civil(civil))
    }
}

/// Formats the time in UTC.
impl From<Timestamp> for DateTime {
    fn from(timestamp: Timestamp) -> Self {
        Self(timestamp.to_string())
    }
}

/// An absolute web address.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline, extend("format" = "uri"))]
pub(crate) struct Url<T = String>(pub(crate) T);

/// The code of a language.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(
    inline,
    description = "",
    extend("enum" = Language::ALL.map(Language::code))
)]
pub(super) struct LanguageCode(&'static str);

impl From<Language> for LanguageCode {
    fn from(language: Language) -> Self {
        Self(language.code())
    }
}

/// The languages in which a record has texts.
pub(super) fn languages(record: &impl Record) -> Vec<LanguageCode> {
    record.languages().into_iter().map(Into::into).collect()
}

/// The name of a status.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline, extend("enum" = Status::ALL.map(Status::name)))]
pub(super) struct StatusName(&'static str);

impl From<Status> for StatusName {
    fn from(status: Status) -> Self {
        Self(status.name())
    }
}

/// A list that is always empty.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[schemars(inline, extend("maxItems" = 0))]
pub(crate) struct EmptyList(#[schemars(with = "Vec<String>")] [(); 0]);

/// The record as JSON-LD of schema.org; only in the answer to the `GET` of one record.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(extend(
    "type" = "object",
    "properties" = { "@type": { "type": "string" } },
    "required" = ["@type"],
    "additionalProperties" = true
))]
pub(super) struct JsonLd(pub(super) Value);
