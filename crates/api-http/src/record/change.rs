//! Changes of records as JSON.

use app::{
    calendar::{SyncItem, SyncRecord, Synced},
    event::EventView,
    resource::Resource,
};
use domain::{FieldName, Id, Kind, Language, Translation, text::escape_markup};
use http_service::site::Site;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{EventRecord, Extent, OrganizerRecord, TermRecord, VenueRecord};

/// A record that was added, changed or removed.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Change")]
pub(crate) struct ChangeRecord {
    /// The kind of the record.
    #[schemars(extend("enum" = Kind::NAMES))]
    kind: &'static str,
    /// The ID, unique among records of its kind.
    id: i64,
    /// `upsert`: the record is new or different. `remove`: the caller's lists have it no more.
    #[schemars(extend("enum" = ["upsert", "remove"]))]
    action: &'static str,
    /// The record as lists show it. An event names its links by `venue_id` (0 for none), `organizer_ids`,
    /// `category_ids` and `tag_ids`.
    #[schemars(with = "Option<Map<String, Value>>")]
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<Value>,
}

impl ChangeRecord {
    pub(crate) fn new(item: &SyncItem, site: &Site) -> serde_json::Result<Self> {
        let record = item.content.as_ref().map(|content| shown(content, site));
        Ok(Self {
            kind: item.record.kind.name(),
            id: item.record.id,
            action: item.action.name(),
            record: record.transpose()?,
        })
    }
}

fn shown(record: &SyncRecord, site: &Site) -> serde_json::Result<Value> {
    fn of<R: Resource>(synced: &Synced<R>, record: impl Serialize) -> serde_json::Result<Value> {
        let record = serde_json::to_value(record)?;
        Ok(with_texts(record, &synced.texts, R::KIND, true))
    }
    let extent = Extent::Record;
    match record {
        SyncRecord::Event(event) => {
            let Synced { view, texts } = &**event;
            let record = serde_json::to_value(EventRecord::new(view, site, extent))?;
            Ok(with_texts(
                with_link_ids(record, view),
                texts,
                Kind::Event,
                view.open,
            ))
        }
        SyncRecord::Venue(one) => of(one, VenueRecord::new(&one.view, site, extent)),
        SyncRecord::Organizer(one) => of(one, OrganizerRecord::new(&one.view, site, extent)),
        SyncRecord::Category(one) => of(one, TermRecord::new(&one.view, site)),
        SyncRecord::Tag(one) => of(one, TermRecord::new(&one.view, site)),
    }
}

/// The JSON of an event with the IDs of its links in place of the linked records.
fn with_link_ids(record: Value, view: &EventView) -> Value {
    let Value::Object(fields) = record else {
        return record;
    };
    let view = view.open.then_some(view);
    let fields = fields.into_iter().map(|(name, value)| match name.as_str() {
        "categories" => {
            let all = view.into_iter().flat_map(|view| &view.categories);
            let ids: Vec<_> = all.map(|one| one.term.id.get()).collect();
            ("category_ids".to_owned(), json!(ids))
        }
        "tags" => {
            let all = view.into_iter().flat_map(|view| &view.tags);
            let ids: Vec<_> = all.map(|one| one.term.id.get()).collect();
            ("tag_ids".to_owned(), json!(ids))
        }
        "venue" => {
            let venue = view.and_then(|view| view.venue.as_ref());
            let id = venue.map(|venue| venue.entry.id);
            ("venue_id".to_owned(), json!(id.map_or(0, Id::get)))
        }
        "organizer" => {
            let all = view.into_iter().flat_map(|view| &view.organizers);
            let ids: Vec<_> = all.map(|one| one.entry.id.get()).collect();
            ("organizer_ids".to_owned(), json!(ids))
        }
        _ => (name, value),
    });
    Value::Object(fields.collect())
}

/// The JSON of a record with its texts in each of its languages, if there are some. A password locks all
/// of them but title and slug.
fn with_texts(
    mut record: Value,
    texts: &[(Language, Translation)],
    kind: Kind,
    open: bool,
) -> Value {
    if !texts.is_empty() {
        let texts = texts.iter().map(|(language, own)| {
            (
                language.code().to_owned(),
                Value::Object(texts_of(own, kind, open)),
            )
        });
        record["texts"] = Value::Object(texts.collect());
    }
    record
}

fn texts_of(own: &Translation, kind: Kind, open: bool) -> Map<String, Value> {
    let Translation {
        title,
        slug,
        former_slug: _,
        description,
        excerpt,
        text_fields,
    } = own;
    let mut texts = Map::new();
    let mut add = |name: FieldName, text: Value| texts.insert(name.to_string(), text);
    if let Some(title) = title {
        add(
            FieldName::title_of(kind),
            json!(escape_markup(title.as_str())),
        );
    }
    if let Some(slug) = slug {
        add(FieldName::Slug, json!(slug.as_str()));
    }
    if open {
        for (name, text) in [
            (FieldName::Description, description),
            (FieldName::Excerpt, excerpt),
        ] {
            if let Some(text) = text {
                add(name, json!(text.as_str()));
            }
        }
        for (field, text) in text_fields {
            add((*field).into(), json!(escape_markup(text)));
        }
    }
    texts
}
