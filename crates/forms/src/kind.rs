//! The kinds of records as forms.

use app::{
    request::Purpose,
    resource::Resource,
    write::{New, ReadOptions, Update, WriteInput},
};

use serde_json::{Map, Value};

use crate::{
    field::Param,
    fields::Fields,
    input::{Input, LANGUAGE, Reading},
    list::Span,
};

/// A kind of record as a form: its fields, and the filters of its lists. This crate alone implements it.
pub trait Form: Resource {
    /// The fields of a write, in their order; some are required of a new record.
    fn fields(purpose: Purpose) -> Vec<Param>;

    /// Reads the fields of a write.
    fn read(input: &mut Input<'_>, reading: Reading<'_>, purpose: Purpose) -> Self::Write;

    /// Writes the fields of a write, as [`read`](Self::read) reads them.
    fn write(write: &Self::Write) -> Map<String, Value>;

    /// The parameters of a list, in their order, without its pages.
    fn filters() -> Vec<Param>;

    /// Reads the filters of a list.
    fn read_query(input: &mut Input<'_>, reading: Reading<'_>, span: Span) -> Self::Query;
}

/// Reads a new record.
pub fn create<R: Form>(fields: &Fields, reading: Reading<'_>) -> WriteInput<R, New> {
    write(fields, reading, Purpose::Create)
}

/// Reads the change of a record.
pub fn update<R: Form>(fields: &Fields, reading: Reading<'_>) -> WriteInput<R, Update> {
    write(fields, reading, Purpose::Update)
}

/// The body of a request, from which [`create`] or [`update`] reads this write.
///
/// ```
/// use app::write::NewVenue;
/// use serde_json::{Value, json};
///
/// let mill = NewVenue::builder("Old Mill".parse()?).city("Lyon").build();
/// let body = events_calendar_forms::written(&mill);
/// assert_eq!(Value::Object(body), json!({ "venue": "Old Mill", "city": "Lyon" }));
/// # Ok::<(), domain::text::InvalidTitle>(())
/// ```
///
/// A file is no part of it, nor the password that opens events. A name of digits alone, or of numbers with
/// commas, means a term with this ID, if there is one: a request has no other form for it.
pub fn written<R: Form, P>(write: &WriteInput<R, P>) -> Map<String, Value> {
    let mut fields = R::write(&write.write);
    if let Some(language) = write.language {
        fields.insert(LANGUAGE.name.as_str().to_owned(), language.code().into());
    }
    fields
}

fn write<R: Form, P>(fields: &Fields, reading: Reading<'_>, purpose: Purpose) -> WriteInput<R, P> {
    let mut input = Input::new(fields);
    input.language();
    let write = R::read(&mut input, reading, purpose);
    let mut sent = WriteInput::new(write, input.into_faults(Some(R::KIND)));
    let ReadOptions {
        language, password, ..
    } = fields.into();
    (sent.language, sent.password) = (language, password);
    sent.image_file.clone_from(&fields.image_file);
    sent
}

/// The parameter, required of a new record.
pub(crate) const fn needed(param: Param, purpose: Purpose) -> Param {
    match purpose {
        Purpose::Create => param.required(),
        Purpose::Update => param,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use app::{site::Site, test_support::at};
    use domain::{
        Category, Event, FieldName, Organizer, Tag, Venue, duplicate::takeable_fields,
        policy::Caller,
    };

    use super::*;

    /// The names that are read, of writes or queries, beside those that are not of the form.
    fn read(read: impl FnOnce(&mut Input<'_>, Reading<'_>)) -> BTreeSet<&'static str> {
        let (site, now) = (Site::default(), at("2030-01-01 09:00:00"));
        let mut fields = Fields {
            strict: true,
            ..Fields::default()
        };
        // It is read from the body alone.
        fields.body.insert("password".to_owned(), "x".into());
        let mut input = Input::new(&fields);
        let caller = Caller::Anonymous;
        read(
            &mut input,
            Reading {
                caller,
                site: &site,
                now,
            },
        );
        input.names().iter().copied().collect()
    }

    fn declared(params: Vec<Param>) -> BTreeSet<&'static str> {
        params
            .into_iter()
            .map(|param| param.name.as_str())
            .collect()
    }

    fn assert_declared<R: Form>(elsewhere: &[&'static str]) {
        for purpose in [Purpose::Create, Purpose::Update] {
            let names = read(|input, reading| drop(R::read(input, reading, purpose)));
            let mut fields = declared(R::fields(purpose));
            // Tags have no parent: it is read to be refused.
            fields.extend((R::KIND == domain::Kind::Tag).then_some("parent"));
            assert_eq!(names, fields, "{}", R::KIND);
        }
        let mut names = read(|input, reading| drop(R::read_query(input, reading, Span::Pages)));
        names.extend(elsewhere);
        assert_eq!(names, declared(R::filters()), "{}", R::KIND);
    }

    /// The fields that a merge leaves alone. Start, latitude and cost stand for the whole time, the position, and the parts of the cost.
    const KEPT: [FieldName; 14] = [
        FieldName::AllDay,
        FieldName::Author,
        FieldName::CostDetails,
        FieldName::Date,
        FieldName::DateUtc,
        FieldName::EndDate,
        FieldName::HideFromListings,
        FieldName::Longitude,
        FieldName::Parent,
        FieldName::Password,
        FieldName::Recurrence,
        FieldName::Slug,
        FieldName::Status,
        FieldName::TimeZone,
    ];

    fn assert_merged<R: Form>() {
        for field in R::fields(Purpose::Create) {
            let is_taken = takeable_fields(R::KIND).contains(&field.name);
            let is_kept = KEPT.contains(&field.name);
            assert_ne!(is_taken, is_kept, "{}: {}", R::KIND, field.name);
        }
    }

    #[test]
    fn a_merge_takes_every_field_of_a_write_or_keeps_it() {
        assert_merged::<Event>();
        assert_merged::<Venue>();
        assert_merged::<Organizer>();
    }

    #[test]
    fn the_fields_read_are_those_declared() {
        assert_declared::<Event>(&["password"]);
        assert_declared::<Venue>(&[]);
        assert_declared::<Organizer>(&[]);
        assert_declared::<Category>(&[]);
        assert_declared::<Tag>(&[]);
    }
}
