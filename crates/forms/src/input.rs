//! Reading fields, and collecting their faults.

use std::{borrow::Cow, str::FromStr};

use app::{
    Calendar,
    fault::{BadFields, Fault, FaultCollector, SentHtml},
    request::Purpose,
    site::Site,
    write::Change,
};
use domain::{
    FieldName, Id, Kind, Language,
    geo::Position,
    policy::{Caller, Capability},
    time::{Timestamp, Zone},
};
use serde_json::Value;

use super::{
    field::{
        Field, Param, Schema,
        values::{self, any_text},
    },
    fields::{Commas, Digits, Fields, text_bytes},
    unknown::unknown,
};

declare! {
    /// The language of texts and messages. The default is that of the path, then that of the site.
    pub LANGUAGE: Language, Schema::Language => values::language as domain::Language;
}

/// The circumstances on which the meaning of fields depends.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'a> {
    /// The caller.
    pub caller: Caller,
    /// The settings of the site.
    pub site: &'a Site,
    /// The time of the request.
    pub now: Timestamp,
}

impl<'a> Reading<'a> {
    /// A request of the caller, made now.
    pub fn of(calendar: &'a Calendar, caller: Caller) -> Self {
        Self {
            caller,
            site: calendar.site(),
            now: calendar.now(),
        }
    }

    /// The zone of the site.
    pub const fn zone(&self) -> &'a Zone {
        &self.site.zone
    }

    /// Whether a write may change a translation, as far as is known without the record.
    pub(crate) fn may_translate(&self, kind: Kind, purpose: Purpose) -> bool {
        purpose == Purpose::Update && self.caller.can(Capability::Write(kind))
    }
}

/// Reads fields and collects their faults.
#[derive(Debug)]
pub struct Input<'a> {
    fields: &'a Fields,
    /// The names that were read; filled only for strict requests.
    read: Vec<&'static str>,
    faults: FaultCollector,
    /// Whether the write takes the file of the request.
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
    pub(crate) fn require(&mut self, field: &Param) {
        if self.fields.get(field.name.as_str()).is_none() {
            self.faults.missing(field.name);
        }
    }

    /// Takes the file that a form sends as `image`. Returns whether there is one.
    pub(crate) fn take_image_file(&mut self) -> bool {
        self.takes_file = true;
        self.fields.image_file.is_some()
    }

    /// Reports a fault of a field.
    pub(crate) fn fault(&mut self, field: &Param, fault: impl Into<Fault>) {
        self.faults.fault(field.name, fault);
    }

    /// Records a name as known.
    fn know(&mut self, name: FieldName) {
        self.ignore(name.as_str());
    }

    /// Accepts a name without reading its value.
    pub(crate) fn ignore(&mut self, name: &'static str) {
        if self.fields.strict {
            self.read.push(name);
        }
    }

    /// The names that were read; empty unless the request is strict.
    #[cfg(test)]
    pub(crate) fn names(&self) -> &[&'static str] {
        &self.read
    }

    /// Reads a field by its own parser, if it was sent.
    pub fn take<T, W>(&mut self, field: &Field<T, W>) -> Option<T> {
        self.read(field, field.parse)
    }

    /// Reads a field that takes one of the words of its schema, the names of the values of an enum.
    pub fn word<T: FromStr>(&mut self, field: &Param) -> Option<T> {
        let words = match field.schema {
            Schema::OneOf(words) => words,
            _ => &[],
        };
        self.read(field, |value| {
            let word = values::text(value)?;
            let is_known = words.contains(&word);
            let known = is_known.then(|| word.parse().ok()).flatten();
            known.ok_or_else(|| Fault::NotOneOf(words.to_vec()))
        })
    }

    /// Reads a field, if it was sent.
    pub fn read<T>(
        &mut self,
        field: &Param,
        read: impl FnOnce(&Value) -> Result<T, Fault>,
    ) -> Option<T> {
        self.know(field.name);
        let value = self.fields.get(field.name.as_str())?;
        self.read_value(field.name, value, read)
    }

    /// Reads the value of a field, unless it makes the texts of the request too long.
    fn read_value<T>(
        &mut self,
        name: FieldName,
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
    pub(crate) fn read_html(&mut self, field: &Param) -> Option<SentHtml> {
        self.know(field.name);
        let value = self.fields.get(field.name.as_str())?;
        let text = self.accept(field.name, any_text(value))?;
        self.faults.read_html(field.name, text)
    }

    /// The value of a field, if it is valid; otherwise its fault is reported.
    pub(crate) fn accept<T>(
        &mut self,
        name: FieldName,
        made: Result<T, impl Into<Fault>>,
    ) -> Option<T> {
        self.faults.accept(name, made)
    }

    /// Reads a field that takes a list by its own parser; commas separate values.
    pub(crate) fn take_list<T, W>(&mut self, field: &Field<T, W>) -> Option<T> {
        self.read_list(field, Commas::Separate, field.parse)
    }

    /// Reads a field that takes a list; the values of a repeated field are joined.
    pub(crate) fn read_list<T>(
        &mut self,
        field: &Param,
        commas: Commas,
        read: impl FnOnce(&Value) -> Result<T, Fault>,
    ) -> Option<T> {
        self.know(field.name);
        let value = self.fields.get_list(field.name.as_str(), commas)?;
        self.read_value(field.name, &value, read)
    }

    /// Reads a field that an empty text clears by its own parser.
    pub(crate) fn take_clearable<T, W>(&mut self, field: &Field<T, W>) -> Change<T> {
        self.read_clearable(field, field.parse)
    }

    /// Reads a field that an empty text clears.
    pub(crate) fn read_clearable<T>(
        &mut self,
        field: &Param,
        read: impl FnOnce(&Value) -> Result<T, Fault>,
    ) -> Change<T> {
        self.know(field.name);
        match self.fields.get(field.name.as_str()) {
            None => Change::Keep,
            Some(Value::String(text)) if text.is_empty() => Change::Clear,
            Some(_) => self.read(field, read).map_or(Change::Keep, Change::Set),
        }
    }

    /// Reads a text that an original requires, but not a translation. With `in_doubt`, the record
    /// decides later whether an empty text is a fault. Until then the empty text clears the field,
    /// and is a doubt if the request names no language; doubts are reported only together with
    /// faults. Without `in_doubt`, an empty text is a fault at once.
    pub(crate) fn take_translatable<T, W>(
        &mut self,
        field: &Field<T, W>,
        in_doubt: bool,
    ) -> Change<T> {
        let change = if in_doubt {
            self.take_clearable(field)
        } else {
            self.take(field).map_or(Change::Keep, Change::Set)
        };
        if matches!(change, Change::Clear) && self.fields.language().is_none() {
            self.faults.doubt(field.name, Fault::Empty);
        }
        change
    }

    /// Reads the ID of the parent; 0 and an empty text remove it.
    pub(crate) fn take_parent<R, W>(&mut self, field: &Field<i64, W>) -> Change<Id<R>> {
        match self.take_clearable(field) {
            Change::Keep => Change::Keep,
            Change::Clear | Change::Set(0) => Change::Clear,
            Change::Set(number) => Change::Set(Id::from_raw(number)),
        }
    }

    /// Reads a latitude and a longitude; one requires the other.
    pub(crate) fn take_position<W>(
        &mut self,
        [latitude, longitude]: [&Field<f64, W>; 2],
    ) -> Option<Position> {
        let degrees = [self.take(latitude), self.take(longitude)];
        if let [Some(latitude), Some(longitude)] = degrees {
            return Position::new(latitude, longitude).ok();
        }
        for (one, other, degrees) in [
            (latitude, longitude, degrees[0]),
            (longitude, latitude, degrees[1]),
        ] {
            if degrees.is_some() && self.raw(other).is_none() {
                self.fault(other, Fault::RequiresField(one.name));
            }
        }
        None
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
    pub(crate) fn is_in_body(&self, field: &Param) -> bool {
        let value = self.fields.body.get(field.name.as_str());
        value.is_some_and(|value| !value.is_null())
    }

    /// The meaning of digits in a field.
    pub(crate) fn digits(&self, field: &Param) -> Digits {
        self.fields.digits(field.name.as_str())
    }

    /// The value of a field as it was sent.
    pub(crate) fn raw(&mut self, field: &Param) -> Option<&'a Value> {
        self.know(field.name);
        self.fields.get(field.name.as_str())
    }

    /// Reads the language of the request, if it names one, and reports an unknown one.
    pub fn language(&mut self) -> Option<Language> {
        self.take(&LANGUAGE)
    }

    /// Finishes reading, and refuses a file that was not taken, and unknown fields if the request is
    /// strict.
    ///
    /// The read-only fields of the kind `read_only` are known too: a client may send back a record
    /// as it received it.
    ///
    /// # Errors
    ///
    /// [`BadFields::Missing`] if a required field was not sent; else [`BadFields::Invalid`] if a
    /// field has a fault.
    pub fn finish_strict(self, read_only: Option<Kind>) -> Result<(), BadFields> {
        self.into_faults(read_only).finish()
    }

    /// Ends reading as [`finish_strict`](Self::finish_strict), and returns the faults so far.
    pub(crate) fn into_faults(mut self, read_only: Option<Kind>) -> FaultCollector {
        if self.fields.image_file.is_some() && !self.takes_file {
            self.faults
                .fault_last(Cow::Borrowed(FieldName::Image.as_str()), Fault::File);
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
    pub(crate) fn finish(self) -> Result<(), BadFields> {
        self.faults.finish()
    }
}
