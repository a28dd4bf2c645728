//! The fields of a request. Reading collects the faults, so that one answer reports all of them.

mod fault;
mod field_change;
#[cfg(any(test, feature = "test-support"))]
pub mod field_log;
mod orders;
mod read;
mod unknown;

use std::{borrow::Cow, fmt};

use domain::{Id, Kind, Language};
use serde_json::{Map, Value};

pub use fault::{BadFields, ExpectedType, Fault, Faults, Range, ReferenceKind};
pub use field_change::FieldChange;
pub use orders::Orders;
pub(crate) use read::*;

/// Most values in a list of a request.
pub const MAX_LIST: usize = 100;

/// Most characters in a one-line text other than a title.
pub const MAX_LINE_CHARS: usize = 1000;

/// Longest total of the texts in all fields of a request, in bytes.
pub const MAX_TEXT_BYTES: usize = 250_000;

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
        } = self;
        f.debug_struct("Fields")
            .field("body", &Names(body))
            .field("query", &Names(query))
            .field("language", language)
            .field("repeated", repeated)
            .field("size", size)
            .field("strict", strict)
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

impl AsRef<Self> for Fields {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl Fields {
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
        #[cfg(any(test, feature = "test-support"))]
        field_log::record(name);
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

    /// The requested language: the field `ml_language`, or else the language of the path.
    pub fn language(&self) -> Option<Language> {
        let sent = self.get("ml_language").and_then(Value::as_str);
        sent.and_then(|code| code.parse().ok()).or(self.language)
    }
}

/// The meaning of a comma in a text that is one of several values of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commas {
    /// It separates values.
    Separate,
    /// It is a part of the text: `15,50`.
    Belong,
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

/// Reads fields and collects their faults.
#[derive(Debug)]
pub struct Input<'a> {
    fields: &'a Fields,
    /// The names that were read; filled only for strict requests.
    read: Vec<&'static str>,
    missing: Vec<&'static str>,
    /// Length of the texts in the fields that were read, in bytes; at most [`MAX_TEXT_BYTES`].
    text_bytes: usize,
    faults: Faults,
    /// Faults that are reported only together with others.
    doubts: Faults,
}

impl<'a> Input<'a> {
    /// Starts reading the fields.
    pub fn new(fields: &'a Fields) -> Self {
        Self {
            fields,
            read: Vec::new(),
            missing: Vec::new(),
            text_bytes: 0,
            faults: Faults::new(),
            doubts: Faults::new(),
        }
    }

    /// Reports a required field that was not sent.
    pub fn require(&mut self, name: &'static str) {
        if self.fields.get(name).is_none() {
            self.missing.push(name);
        }
    }

    /// Reports a fault of a field.
    pub fn fault(&mut self, name: &'static str, fault: impl Into<Fault>) {
        let name = Cow::Borrowed(name);
        self.faults.entry(name).or_insert_with(|| fault.into());
    }

    /// Records a name as known.
    fn know(&mut self, name: &'static str) {
        if self.fields.strict {
            self.read.push(name);
        }
    }

    /// Reads a field, if it was sent.
    pub fn read<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&Value) -> Result<T, Fault>,
    ) -> Option<T> {
        self.know(name);
        let value = self.fields.get(name)?;
        self.read_value(name, value, read)
    }

    /// Reads the value of a field, unless it makes the texts of the request too long.
    fn read_value<T>(
        &mut self,
        name: &'static str,
        value: &Value,
        read: impl FnOnce(&Value) -> Result<T, Fault>,
    ) -> Option<T> {
        let bytes = text_bytes(value);
        if bytes > MAX_TEXT_BYTES - self.text_bytes {
            self.fault(name, Fault::TextsTooLong);
            return None;
        }
        self.text_bytes += bytes;
        self.accept(name, read(value))
    }

    /// The value of a field, if it is valid; otherwise its fault is reported.
    pub fn accept<T>(
        &mut self,
        name: &'static str,
        made: Result<T, impl Into<Fault>>,
    ) -> Option<T> {
        made.map_err(|fault| self.fault(name, fault)).ok()
    }

    /// Whether all required fields were sent.
    pub(crate) fn is_complete(&self) -> bool {
        self.missing.is_empty()
    }

    /// Reads a field that takes a list; the values of a repeated field are joined.
    pub fn read_list<T>(
        &mut self,
        name: &'static str,
        commas: Commas,
        read: impl FnOnce(&Value) -> Result<T, Fault>,
    ) -> Option<T> {
        self.know(name);
        let value = self.fields.get_list(name, commas)?;
        self.read_value(name, &value, read)
    }

    /// Reads a field that an empty text clears.
    pub fn read_clearable<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&Value) -> Result<T, Fault>,
    ) -> FieldChange<T> {
        self.know(name);
        match self.fields.get(name) {
            None => FieldChange::Unchanged,
            Some(Value::String(text)) if text.is_empty() => FieldChange::Clear,
            Some(_) => self
                .read(name, read)
                .map_or(FieldChange::Unchanged, FieldChange::Set),
        }
    }

    /// Reads a text that an original requires, but not a translation. With `in_doubt`, the record
    /// decides later whether an empty text is a fault. Until then the empty text clears the field,
    /// and is a doubt if the request names no language; doubts are reported only together with
    /// faults. Without `in_doubt`, an empty text is a fault at once.
    pub fn read_translatable<T>(
        &mut self,
        name: &'static str,
        in_doubt: bool,
        read: impl FnOnce(&Value) -> Result<T, Fault>,
    ) -> FieldChange<T> {
        let patch = if in_doubt {
            self.read_clearable(name, read)
        } else {
            self.read(name, read)
                .map_or(FieldChange::Unchanged, FieldChange::Set)
        };
        if matches!(patch, FieldChange::Clear) && self.fields.language().is_none() {
            self.doubts.insert(Cow::Borrowed(name), Fault::Empty);
        }
        patch
    }

    /// Reports a text that was cleared although the record requires it.
    pub fn refuse_cleared<T>(&mut self, name: &'static str, change: &FieldChange<T>) {
        if matches!(change, FieldChange::Clear) {
            self.fault(name, Fault::Empty);
        }
    }

    /// Reads the ID of the parent; 0 removes it.
    pub fn read_parent<R>(&mut self) -> FieldChange<Id<R>> {
        match self.read("parent", integer) {
            None => FieldChange::Unchanged,
            Some(0) => FieldChange::Clear,
            Some(number) => FieldChange::Set(Id::from_raw(number)),
        }
    }

    /// The value of a field as it was sent.
    pub fn raw(&mut self, name: &'static str) -> Option<&'a Value> {
        self.know(name);
        self.fields.get(name)
    }

    /// Reads the language of the request, if it names one, and reports an unknown one.
    pub fn language(&mut self) -> Option<Language> {
        self.read("ml_language", |value| {
            any_text(value)?
                .parse()
                .map_err(|_| Fault::NotOneOf(Language::ALL.iter().map(|one| one.code()).collect()))
        })
    }

    /// Finishes reading, and refuses unknown fields if the request is strict.
    ///
    /// The read-only fields of the kind `read_only` are known too: a client may send back a record
    /// as it received it.
    ///
    /// # Errors
    ///
    /// As for [`finish`](Self::finish).
    pub fn finish_strict(mut self, read_only: Option<Kind>) -> Result<(), BadFields> {
        if self.fields.strict {
            let Fields { body, query, .. } = self.fields;
            let sent = body.keys().chain(query.keys()).map(String::as_str);
            for (name, nearest) in unknown::unknown(sent, &self.read, read_only) {
                let fault = Fault::UnknownField { nearest };
                self.faults.insert(Cow::Owned(name.to_owned()), fault);
            }
        }
        self.finish()
    }

    /// Finishes reading.
    ///
    /// # Errors
    ///
    /// [`BadFields::Missing`] if a required field was not sent; else [`BadFields::Invalid`] if a
    /// field has a fault.
    pub fn finish(self) -> Result<(), BadFields> {
        if !self.missing.is_empty() {
            return Err(BadFields::Missing(self.missing));
        }
        if !self.faults.is_empty() {
            let mut faults = self.faults;
            faults.extend(self.doubts);
            return Err(BadFields::Invalid(faults));
        }
        Ok(())
    }
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
