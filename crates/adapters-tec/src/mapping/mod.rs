//! The JSON of a site as fields of a creation.

mod entry;
mod values;

use domain::Kind;
use interchange::SourceRecord;
use serde_json::{Map, Value};

use self::values::{id, text};
pub(crate) use entry::STATUS;
pub(crate) use values::integer;

/// A record of the site; none if the value has no ID.
pub(crate) fn record(kind: Kind, value: &Value) -> Option<SourceRecord> {
    let object = value.as_object()?;
    let url = object
        .get("url")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let mut record = SourceRecord::new(kind, id(object.get("id")?)?, url);
    let global_id = object.get("global_id").and_then(Value::as_str);
    record.global_id = global_id.filter(|text| !text.is_empty()).map(str::to_owned);
    record.slug = slug(object);
    match kind {
        Kind::Event => entry::event(object, &mut record),
        Kind::Venue => entry::venue(object, &mut record),
        Kind::Organizer => entry::organizer(object, &mut record),
        Kind::Category | Kind::Tag => term(object, &mut record),
    }
    Some(record)
}

/// The names of a user of the site.
pub(crate) fn author_names(user: &Value) -> Vec<String> {
    let names = ["username", "slug", "email", "name"];
    names
        .iter()
        .filter_map(|name| text(user.get(name)?))
        .collect()
}

/// The slug. Sites write letters beyond ASCII in percent-encoding.
fn slug(object: &Map<String, Value>) -> Option<String> {
    let slug = object.get("slug")?.as_str()?;
    let slug = percent_encoding::percent_decode_str(slug);
    let slug = slug.decode_utf8_lossy().into_owned();
    Some(slug).filter(|slug| !slug.is_empty())
}

fn term(object: &Map<String, Value>, record: &mut SourceRecord) {
    values::title(object, "name", record);
    if let Some(description) = object.get("description").and_then(Value::as_str) {
        values::put_html(record, "description", description);
    }
    values::put(record, "slug", record.slug.clone().unwrap_or_default());
    record.parent = object.get("parent").and_then(id);
}

#[cfg(test)]
mod tests;
