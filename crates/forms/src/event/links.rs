//! The venues, organizers, categories and tags of an event.

use app::{
    event::{OrganizerRef, PlaceRef, TermRef, VenueRef},
    fault::{ExpectedType, Fault},
    place::Place,
    place::PlaceWrite,
    request::Purpose,
    resource::Resource,
    write::Change,
};
use domain::{
    Entry, OrganizerDetails, VenueDetails,
    text::{InvalidTitle, Title},
};
use serde_json::Value;

use crate::{
    field::{Param, values},
    fields::{Commas, Digits, Fields},
    input::{Input, Reading},
    kind::Form,
};

/// Reads a list of terms.
pub(super) fn terms_of(input: &mut Input<'_>, field: &Param) -> Option<Vec<TermRef>> {
    let digits = input.digits(field);
    input.read_list(field, Commas::Separate, |value| terms(value, digits))
}

fn terms(value: &Value, digits: Digits) -> Result<Vec<TermRef>, Fault> {
    let named = |name: Title| {
        if digits == Digits::Name || !is_number(name.as_str()) {
            return Ok(TermRef::Name(name));
        }
        Ok(TermRef::Digits {
            id: values::integer(&name.as_str().into())?,
            name,
            creates: digits == Digits::IdOrName,
        })
    };
    let read = |value: &Value| match values::reference(value) {
        Value::String(text) if value.is_string() || !is_number(text.trim()) => match text.parse() {
            Ok(name) => named(name).map(Some),
            Err(InvalidTitle::Empty) => {
                let shown = text.replace(char::is_control, " ").trim().to_owned();
                Ok((!shown.is_empty()).then_some(TermRef::Nameless(shown)))
            }
            Err(error) => Err(Fault::Title(error)),
        },
        Value::String(_) | Value::Number(_) => {
            let id = values::integer(values::reference(value))?;
            Ok(Some(TermRef::Id(id)))
        }
        _ => Err(Fault::Type(ExpectedType::IdsAndNames)),
    };
    let values = if digits == Digits::Name {
        values::list(value)?
    } else {
        values::links(value)?
    };
    values
        .iter()
        .filter_map(|value| read(value).transpose())
        .collect()
}

/// Writes a list of terms.
pub(super) fn write_terms(terms: &[TermRef]) -> Vec<Value> {
    let write = |term: &TermRef| match term {
        TermRef::Id(id) => (*id).into(),
        TermRef::Digits { name, .. } | TermRef::Name(name) => name.as_str().into(),
        TermRef::Nameless(text) => text.as_str().into(),
    };
    terms.iter().map(write).collect()
}

/// Writes a venue or an organizer: its ID, or its fields.
pub(super) fn write_place<D: Place>(place: &PlaceRef<D>) -> Value
where
    Entry<D>: Form + Resource<Write = PlaceWrite<D>>,
{
    match place {
        PlaceRef::Id(id) => (*id).into(),
        PlaceRef::New(write) => Value::Object(Entry::<D>::write(write)),
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Reads the venue of an event: an ID, the fields of a venue, or a list whose first element counts.
pub(super) fn read_venue(
    input: &mut Input<'_>,
    field: &Param,
    reading: Reading<'_>,
) -> Change<VenueRef> {
    let strict = input.is_strict();
    let read = input.read_list(field, Commas::Separate, |value| {
        let first = linked(value)?.into_iter().next();
        first
            .map(|first| place_ref::<VenueDetails>(&first, strict, reading))
            .transpose()
    });
    match read {
        None => Change::Keep,
        Some(None) => Change::Clear,
        Some(Some(venue)) => Change::Set(venue),
    }
}

/// The links of a field, in their order: IDs, and objects with fields.
fn linked(value: &Value) -> Result<Vec<Value>, Fault> {
    let mut values = match value {
        Value::Object(_) => vec![value.clone()],
        value => values::links(value)?,
    };
    values.retain(|value| !values::is_nothing(value));
    Ok(values)
}

/// Reads the organizers of an event: IDs, the fields of an organizer, or a list of both.
pub(super) fn read_organizers(
    input: &mut Input<'_>,
    field: &Param,
    reading: Reading<'_>,
) -> Option<Vec<OrganizerRef>> {
    let strict = input.is_strict();
    input.read_list(field, Commas::Separate, |value| {
        linked(value)?
            .iter()
            .map(|value| place_ref::<OrganizerDetails>(value, strict, reading))
            .collect()
    })
}

fn place_ref<D: Place>(
    value: &Value,
    strict: bool,
    reading: Reading<'_>,
) -> Result<PlaceRef<D>, Fault>
where
    Entry<D>: Form + Resource<Write = PlaceWrite<D>>,
{
    let Value::Object(object) = values::reference(value) else {
        return values::positive(values::reference(value)).map(PlaceRef::Id);
    };
    let fields = Fields {
        strict,
        ..Fields::from_body(object.clone())
    };
    let mut input = Input::new(&fields);
    let write = Entry::<D>::read(&mut input, reading, Purpose::Create);
    match input.finish_strict(Some(D::KIND)) {
        Ok(()) => Ok(PlaceRef::New(Box::new(write))),
        Err(cause) => Err(Fault::Inline {
            kind: D::KIND,
            cause,
        }),
    }
}
