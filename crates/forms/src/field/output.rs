//! Writing fields: what [`Input`](crate::Input) reads as the same write.

use app::write::Change;
use domain::{FieldName, Id};
use serde_json::{Map, Value};

use super::{Param, WrittenField};

/// The fields of a write by name.
#[derive(Debug, Default)]
pub(crate) struct Output(Map<String, Value>);

impl Output {
    /// The fields that were written.
    pub(crate) fn into_fields(self) -> Map<String, Value> {
        self.0
    }

    /// Writes the value of a field.
    pub(crate) fn put(&mut self, field: &Param, value: impl Into<Value>) {
        self.named(field.name, value.into());
    }

    fn named(&mut self, name: FieldName, value: Value) {
        self.0.insert(name.as_str().to_owned(), value);
    }

    /// Writes the value of a field by its own writer, if there is one.
    pub(crate) fn set<T>(&mut self, field: &WrittenField<T>, value: Option<&T>) {
        if let Some(value) = value {
            self.named(field.name, (field.write)(value));
        }
    }

    /// Writes the change of a field that an empty text clears.
    pub(crate) fn change<T>(&mut self, field: &WrittenField<T>, change: &Change<T>) {
        match change {
            Change::Keep => {}
            Change::Clear => self.put(field, ""),
            Change::Set(value) => self.set(field, Some(value)),
        }
    }

    /// Writes the ID of the parent; 0 removes it.
    pub(crate) fn parent<R>(&mut self, field: &WrittenField<i64>, change: &Change<Id<R>>) {
        match change {
            Change::Keep => {}
            Change::Clear => self.set(field, Some(&0)),
            Change::Set(id) => self.set(field, Some(&id.get())),
        }
    }

    /// Writes a formatted text: as sent, or else as it was parsed.
    pub(crate) fn html(
        &mut self,
        field: &Param,
        sent: Option<&app::fault::SentHtml>,
        parsed: Option<&domain::html::RichText>,
    ) {
        let sent = sent.map(app::fault::SentHtml::as_str);
        if let Some(text) = sent.or(parsed.map(domain::html::RichText::as_str)) {
            self.put(field, text);
        }
    }
}
