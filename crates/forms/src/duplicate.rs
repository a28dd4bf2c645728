//! The fields of lists and merges of duplicates.

use std::collections::BTreeMap;

use app::{
    calendar::MergeWrite,
    fault::{BadFields, ExpectedType, Fault},
    ports::DuplicateFilter,
    site::Site,
};
use domain::{FieldName, duplicate::DuplicateState, page::PageRequest};
use serde_json::Value;

use crate::{
    field::{Param, Schema, values},
    fields::Fields,
    input::Input,
    list::page,
};

/// The kinds whose records are merged.
const KINDS: [&str; 3] = ["event", "venue", "organizer"];

declare! {
    /// Only pairs in this state.
    STATE: State, Schema::OneOf(&DuplicateState::NAMES);
    /// Only pairs of records of this kind.
    KIND: Kind, Schema::OneOf(&KINDS);
    /// The ID of the record that stays. A public record can only be merged into a public one.
    KEEP: Keep, Schema::Positive, required(), example("7") => values::positive as i64;
    /// For the names of fields, the ID of the record from which each comes. Other fields are those of the record that stays; if both are public, its blank ones are those of the other one.
    FIELDS: Fields, Schema::FieldSources => sources as BTreeMap<FieldName, i64>;
}

/// The filters of a list of duplicates.
pub const DUPLICATE_FILTERS: [Param; 2] = [STATE, KIND];

/// The fields of a merge of duplicates.
pub const MERGE_FIELDS: [Param; 2] = [KEEP.param, FIELDS.param];

/// Reads a page of a list of duplicates.
///
/// ```
/// use app::site::Site;
/// use domain::duplicate::DuplicateState;
/// use events_calendar_forms::{Fields, duplicates};
///
/// let (filter, page) = duplicates(&Fields::from_query("state=open&per_page=5"), &Site::default())?;
/// assert_eq!((filter.state, page.per_page()), (Some(DuplicateState::Open), 5));
/// assert!(duplicates(&Fields::from_query("state=closed"), &Site::default()).is_err());
/// # Ok::<(), app::fault::BadFields>(())
/// ```
///
/// # Errors
///
/// [`BadFields::Invalid`] for bad filters; in a strict request, also for unknown fields.
pub fn duplicates(
    fields: &Fields,
    site: &Site,
) -> Result<(DuplicateFilter, PageRequest), BadFields> {
    let mut input = Input::new(fields);
    input.language();
    let filter = DuplicateFilter {
        state: input.word(&STATE),
        kind: input.word(&KIND),
    };
    let page = page(&mut input, site);
    input.finish_strict(None)?;
    Ok((filter, page))
}

/// Reads a merge of duplicates.
///
/// ```
/// use domain::FieldName;
/// use events_calendar_forms::{Fields, merge};
/// use serde_json::json;
///
/// let body = json!({ "keep": 7, "fields": { "website": 8 } }).as_object().unwrap().clone();
/// let write = merge(&Fields::from_body(body))?;
/// assert_eq!((write.keep, write.fields[&FieldName::Website]), (7, 8));
/// assert!(merge(&Fields::default()).is_err());
/// # Ok::<(), app::fault::BadFields>(())
/// ```
///
/// # Errors
///
/// [`BadFields`] without `keep`, and for bad values.
pub fn merge(fields: &Fields) -> Result<MergeWrite, BadFields> {
    let mut input = Input::new(fields);
    input.language();
    input.require(&KEEP);
    let keep = input.take(&KEEP);
    let fields = input.take(&FIELDS);
    input.finish_strict(None)?;
    Ok(MergeWrite {
        keep: keep.unwrap_or_default(),
        fields: fields.unwrap_or_default(),
    })
}

fn sources(value: &Value) -> Result<BTreeMap<FieldName, i64>, Fault> {
    let members = value
        .as_object()
        .ok_or(Fault::Type(ExpectedType::FieldSources))?;
    let source = |(name, value): (&String, &Value)| {
        let field: FieldName = name.parse().map_err(|_| Fault::NotTakeable)?;
        let id = values::positive(value).map_err(|fault| Fault::Member {
            name: field.as_str(),
            fault: Box::new(fault),
        });
        Ok((field, id?))
    };
    members.iter().map(source).collect()
}
