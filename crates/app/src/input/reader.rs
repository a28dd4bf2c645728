//! Reading fields, and collecting their faults.

use std::borrow::Cow;

use domain::{Id, Kind, Language};
use serde_json::Value;

use super::{
    BadFields, Digits, Fault, FaultCollector, FieldChange, Fields, SentHtml, any_text, integer,
    text_bytes, unknown::unknown,
};

/// The meaning of a comma in a text that is one of several values of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commas {
    /// It separates values.
    Separate,
    /// It is a part of the text: `15,50`.
    Belong,
}

/// Reads fields and collects their faults.
#[derive(Debug)]
pub struct Input<'a> {
    fields: &'a Fields,
    /// The names that were read; filled only for strict requests.
    read: Vec<&'static str>,
    faults: FaultCollector,
    /// Whether the use case takes the file of the request.
    takes_file: bool,
}

impl<'a> Input<'a> {
    /// Starts reading the fields.
    pub fn new(fields: &'a Fields) -> Self {
        Self {
            fields,
            read: Vec::new(),
            faults: FaultCollector::of(fields.faults.clone()),
            takes_file: false,
        }
    }

    /// Reports a required field that was not sent.
    pub fn require(&mut self, name: &'static str) {
        if self.fields.get(name).is_none() {
            self.faults.missing(name);
        }
    }

    /// Takes the file that a form sends as `image`. Returns whether there is one.
    pub(crate) fn take_image_file(&mut self) -> bool {
        self.takes_file = true;
        self.fields.image_file.is_some()
    }

    /// Reports a fault of a field.
    pub fn fault(&mut self, name: &'static str, fault: impl Into<Fault>) {
        self.faults.fault(name, fault);
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
        self.faults
            .count(name, text_bytes(value))
            .then(|| self.accept(name, read(value)))
            .flatten()
    }

    /// Reads a formatted text that may be empty, as sent. Parsing follows only for a caller who has
    /// the right to write it.
    pub fn read_html(&mut self, name: &'static str) -> Option<SentHtml> {
        self.know(name);
        let value = self.fields.get(name)?;
        let text = self.accept(name, any_text(value))?;
        self.faults.read_html(name, text)
    }

    /// The value of a field, if it is valid; otherwise its fault is reported.
    pub fn accept<T>(
        &mut self,
        name: &'static str,
        made: Result<T, impl Into<Fault>>,
    ) -> Option<T> {
        self.faults.accept(name, made)
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
            self.faults.doubt(name, Fault::Empty);
        }
        patch
    }

    /// Reads the ID of the parent; 0 and an empty text remove it.
    pub fn read_parent<R>(&mut self) -> FieldChange<Id<R>> {
        match self.read_clearable("parent", integer) {
            FieldChange::Unchanged => FieldChange::Unchanged,
            FieldChange::Clear | FieldChange::Set(0) => FieldChange::Clear,
            FieldChange::Set(number) => FieldChange::Set(Id::from_raw(number)),
        }
    }

    /// The faults that were found so far.
    pub(crate) fn faults(&mut self) -> &mut FaultCollector {
        &mut self.faults
    }

    /// Whether unknown fields are refused.
    pub(crate) fn is_strict(&self) -> bool {
        self.fields.strict
    }

    /// Whether the parameter `slug` may be a list of slugs.
    pub(crate) fn takes_slugs(&self) -> bool {
        self.fields.by_slugs
    }

    /// Whether the body has a field.
    pub(crate) fn is_in_body(&self, name: &str) -> bool {
        let value = self.fields.body.get(name);
        value.is_some_and(|value| !value.is_null())
    }

    /// The meaning of digits in a field.
    pub(crate) fn digits(&self, name: &str) -> Digits {
        self.fields.digits(name)
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

    /// Finishes reading, and refuses a file that was not taken, and unknown fields if the request is
    /// strict.
    ///
    /// The read-only fields of the kind `read_only` are known too: a client may send back a record
    /// as it received it.
    ///
    /// # Errors
    ///
    /// As for [`finish`](Self::finish).
    pub fn finish_strict(self, read_only: Option<Kind>) -> Result<(), BadFields> {
        self.into_faults(read_only).finish()
    }

    /// Ends reading as [`finish_strict`](Self::finish_strict), and returns the faults so far.
    pub(crate) fn into_faults(mut self, read_only: Option<Kind>) -> FaultCollector {
        if self.fields.image_file.is_some() && !self.takes_file {
            self.faults.fault_last(Cow::Borrowed("image"), Fault::File);
        }
        if self.fields.strict {
            let Fields { body, query, .. } = self.fields;
            let sent = body.keys().chain(query.keys()).map(String::as_str);
            for (name, nearest) in unknown(sent, &self.read, read_only) {
                let fault = Fault::UnknownField { nearest };
                self.faults.fault_last(Cow::Owned(name.to_owned()), fault);
            }
        }
        self.faults
    }

    /// Finishes reading.
    ///
    /// # Errors
    ///
    /// [`BadFields::Missing`] if a required field was not sent; else [`BadFields::Invalid`] if a
    /// field has a fault.
    pub fn finish(self) -> Result<(), BadFields> {
        self.faults.finish()
    }
}
