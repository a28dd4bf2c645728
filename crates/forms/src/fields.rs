//! The fields of a request.

use std::{borrow::Cow, fmt};

use app::{fault::Faults, write::Upload};
use domain::{FieldName, Language};
use serde_json::{Map, Value};

use super::{
    brackets::{Nested, nest},
    field::values::split_commas,
};

/// The meaning of a comma in a text that is one of several values of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Commas {
    /// It separates values.
    Separate,
    /// It is a part of the text: `15,50`.
    Belong,
}

/// The fields of a request by name, from its body and its query.
///
/// A field with the value `null` counts as not sent. `Debug` shows names without values: one of them
/// may be a password.
#[derive(Clone, Default)]
pub struct Fields {
    /// The fields of the body, which take precedence.
    pub body: Map<String, Value>,
    /// The fields of the query.
    pub query: Map<String, Value>,
    /// The language that the path names.
    pub language: Option<Language>,
    /// The values of names that occur more than once.
    pub repeated: Repeated,
    /// Length of body and query as sent, in bytes.
    pub size: usize,
    /// Whether unknown fields are refused.
    pub strict: bool,
    /// Whether the parameter `slug` of a list may be a list of slugs, of records of any kind.
    pub by_slugs: bool,
    /// The meaning of digits in the body.
    pub digits: Digits,
    /// The file that a form sends as `image`.
    pub image_file: Option<Upload>,
    /// Faults that are found before the values are read: texts that cannot be decoded, files that no
    /// field takes.
    pub faults: Faults,
}

/// The meaning of a text of digits in a list of terms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Digits {
    /// The ID of a term if there is one, else a slug or a name, maybe of a new term; in JSON.
    #[default]
    IdOrName,
    /// As before, but no new term is made of them; in forms and queries, which cannot tell a number
    /// from a text.
    IdOrKnownName,
    /// They are always a slug or a name, as in files.
    Name,
}

/// The values of names that a form or a query repeats: for each name, a list of all its values in
/// their order. [`Fields`] holds only the last value.
///
/// Each value has the same form as a single one: a text, or the list or object that bracketed names
/// send together. `Debug` shows names alone, as that of [`Fields`] does.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Repeated {
    /// The repeated names of the body.
    pub body: Map<String, Value>,
    /// The repeated names of the query.
    pub query: Map<String, Value>,
}

impl fmt::Debug for Fields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            body,
            query,
            language,
            repeated,
            size,
            strict,
            by_slugs,
            digits,
            image_file,
            faults,
        } = self;
        f.debug_struct("Fields")
            .field("body", &Names(body))
            .field("query", &Names(query))
            .field("language", language)
            .field("repeated", repeated)
            .field("size", size)
            .field("strict", strict)
            .field("by_slugs", by_slugs)
            .field("digits", digits)
            .field("image_file", &image_file.is_some())
            .field("faults", faults)
            .finish()
    }
}

impl fmt::Debug for Repeated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { body, query } = self;
        f.debug_struct("Repeated")
            .field("body", &Names(body))
            .field("query", &Names(query))
            .finish()
    }
}

/// The names of fields, for `Debug`.
struct Names<'a>(&'a Map<String, Value>);

impl fmt::Debug for Names<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

impl Fields {
    /// The fields of a query string: `categories=jazz&start_date=2030-03-01`.
    ///
    /// ```
    /// use events_calendar_forms::Fields;
    ///
    /// let fields = Fields::from_query("venue[]=7&venue[]=8");
    /// assert_eq!(fields.get("venue").unwrap().as_array().unwrap().len(), 2);
    /// ```
    pub fn from_query(query: &str) -> Self {
        let pairs = form_urlencoded::parse(query.as_bytes()).into_owned();
        let Nested { fields, repeated } = nest(pairs.collect());
        Self {
            query: fields,
            repeated: Repeated {
                query: repeated,
                ..Repeated::default()
            },
            size: query.len(),
            ..Self::default()
        }
    }

    /// Fields that come from a body alone.
    pub fn from_body(body: Map<String, Value>) -> Self {
        Self {
            body,
            ..Self::default()
        }
    }

    /// The value of a field, if it was sent; the last one of several.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.find(name).map(|(value, _)| value)
    }

    /// The value of a field that takes a list, if it was sent. Several values are joined; `join`
    /// says whether their commas separate values.
    pub(crate) fn get_list(&self, name: &str, join: Commas) -> Option<Cow<'_, Value>> {
        let (value, repeated) = self.find(name)?;
        let all = repeated.get(name).and_then(Value::as_array);
        Some(match all {
            Some(all) => Cow::Owned(joined(all, join)),
            None => Cow::Borrowed(value),
        })
    }

    /// The value of a field, and the repeated names of the part that it came from.
    fn find(&self, name: &str) -> Option<(&Value, &Map<String, Value>)> {
        [
            (&self.body, &self.repeated.body),
            (&self.query, &self.repeated.query),
        ]
        .into_iter()
        .find_map(|(fields, repeated)| {
            let value = fields.get(name).filter(|value| !value.is_null())?;
            Some((value, repeated))
        })
    }

    /// The meaning of digits in a field, by the part of the request that it came from.
    pub(crate) fn digits(&self, name: &str) -> Digits {
        let in_body = self.body.get(name).filter(|value| !value.is_null());
        in_body.map_or(Digits::IdOrKnownName, |_| self.digits)
    }

    /// The password in the query, which opens locked events.
    pub(crate) fn password(&self) -> Option<&str> {
        self.query
            .get(FieldName::Password.as_str())
            .and_then(Value::as_str)
    }

    /// The requested language: the field `ml_language`, or else the language of the path.
    pub fn language(&self) -> Option<Language> {
        let sent = self
            .get(FieldName::Language.as_str())
            .and_then(Value::as_str);
        sent.and_then(|code| code.parse().ok()).or(self.language)
    }
}

/// Joins all values of a repeated field in one list.
fn joined(all: &[Value], commas: Commas) -> Value {
    let mut values = Vec::with_capacity(all.len());
    for value in all {
        match value {
            Value::String(text) if commas == Commas::Separate => values.extend(split_commas(text)),
            Value::Array(several) => values.extend_from_slice(several),
            value => values.push(value.clone()),
        }
    }
    Value::Array(values)
}

/// Length of the texts in a value, in bytes.
pub(crate) fn text_bytes(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(values) => values.iter().map(text_bytes).sum(),
        Value::Object(fields) => fields.values().map(text_bytes).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}
