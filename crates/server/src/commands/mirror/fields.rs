//! The fields of writes, made of the records of another calendar.

use std::collections::BTreeMap;

use client::{
    record::{CostDetails, EventRecord, LinkIds},
    sync::Synced,
};
use domain::{
    FieldName, Language, Status, TextField, Translation,
    cost::{Cost, SiteCurrency},
    event::OverrideField,
};
use forms::Fields;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The texts of a record in one language, by the names of their fields.
pub(super) type Texts = BTreeMap<String, String>;

/// Members of records that this calendar makes itself. Images are not copied.
const OWN: [&str; 6] = [
    "author",
    "date",
    "image",
    "excerpt",
    "json_ld",
    "global_id_lineage",
];

/// The fields of a venue, an organizer, a category or a tag, with its original texts. A field that the record does not
/// have is cleared.
pub(super) fn of_record<T: Serialize>(
    synced: &Synced<T>,
    language: Language,
) -> serde_json::Result<Map<String, Value>> {
    let mut fields = object(&synced.record)?;
    for name in OWN {
        fields.remove(name);
    }
    for value in fields.values_mut().filter(|value| value.is_null()) {
        *value = "".into();
    }
    // A tag has no parent.
    if fields
        .get("taxonomy")
        .is_some_and(|name| name == "post_tag")
    {
        fields.remove(FieldName::Parent.as_str());
    }
    put_original(&mut fields, synced.texts.get(&language), language);
    Ok(fields)
}

/// The fields of an event, with its original texts.
pub(super) fn of_event(
    event: &Synced<EventRecord<LinkIds>>,
    site: SiteCurrency,
) -> serde_json::Result<Map<String, Value>> {
    let Synced { record, texts } = event;
    let mut fields = object(record)?;
    for name in OWN.into_iter().filter(|name| *name != "excerpt") {
        fields.remove(name);
    }
    // Instants have one meaning, also while clocks are put back.
    let mut put = |name: FieldName, value: Value| fields.insert(name.as_str().to_owned(), value);
    put(
        FieldName::StartDate,
        format!("{}Z", record.utc_start_date).into(),
    );
    put(
        FieldName::EndDate,
        format!("{}Z", record.utc_end_date).into(),
    );
    put(
        FieldName::Venue,
        record.links.venue_id.map_or(0, domain::Id::get).into(),
    );
    put(FieldName::Organizer, json!(record.links.organizer_ids));
    put(FieldName::Categories, json!(record.links.category_ids));
    put(FieldName::Tags, json!(record.links.tag_ids));
    put(
        FieldName::Currency,
        record.cost_details.currency_code.as_str().into(),
    );
    put(FieldName::Cost, cost(record, site));
    if record.website == record.url {
        put(FieldName::Website, "".into());
    }
    let recurrence = match &record.recurrence {
        None => json!(""),
        Some(parts) => {
            json!({ "rrule": parts.rrule, "rdate": parts.rdate, "exdate": parts.exdate })
        }
    };
    put(FieldName::Recurrence, recurrence);
    put_original(&mut fields, texts.get(&record.language), record.language);
    Ok(fields)
}

/// The cost as it was typed: amounts without a symbol, where the text shows that of the site, else the text.
fn cost(record: &EventRecord<LinkIds>, site: SiteCurrency) -> Value {
    let CostDetails {
        currency_symbol,
        currency_code,
        values,
        ..
    } = &record.cost_details;
    let shown = |cost: Cost| cost.shown(currency_code.parse().ok(), site);
    let is_plain = currency_symbol.is_empty()
        && Cost::parse(values).is_ok_and(|cost| shown(cost) == record.cost);
    if is_plain {
        json!(values)
    } else {
        record.cost.as_str().into()
    }
}

/// The fields of an occurrence that are its own; the others follow the series.
pub(super) fn of_occurrence(
    event: &Synced<EventRecord<LinkIds>>,
    own: &[OverrideField],
    site: SiteCurrency,
) -> serde_json::Result<Map<String, Value>> {
    let mut fields = of_event(event, site)?;
    let names: Vec<_> = own.iter().map(|field| field.name()).collect();
    let language = FieldName::Language.as_str();
    fields.retain(|name, _| names.contains(&name.as_str()) || name == language);
    // The former own fields go, before these fields are set.
    fields.insert(FieldName::Reset.as_str().to_owned(), true.into());
    Ok(fields)
}

/// The fields of a translation; the texts that it has here, and not in the other calendar, are cleared.
pub(super) fn of_translation(
    texts: Option<&Texts>,
    here: Option<&Translation>,
    language: Language,
    title: FieldName,
) -> Map<String, Value> {
    let mut fields = Map::new();
    if let Some(here) = here {
        let Translation {
            title: here_title,
            slug,
            former_slug: _,
            description,
            excerpt,
            text_fields,
        } = here;
        let present = [
            (title, here_title.is_some()),
            (FieldName::Slug, slug.is_some()),
            (FieldName::Description, description.is_some()),
            (FieldName::Excerpt, excerpt.is_some()),
        ];
        let present = present
            .into_iter()
            .filter(|(_, is_here)| *is_here)
            .map(|(name, _)| name);
        let lines = text_fields.keys().copied().map(TextField::into);
        for name in present.chain(lines) {
            fields.insert(name.as_str().to_owned(), "".into());
        }
    }
    put_texts(&mut fields, texts, language);
    fields
}

/// Puts the original texts. A text that a translation alone has is none of them.
fn put_original(fields: &mut Map<String, Value>, texts: Option<&Texts>, language: Language) {
    let lines = TextField::ALL.into_iter().map(FieldName::from);
    let translated = [FieldName::Description, FieldName::Excerpt];
    for name in translated.into_iter().chain(lines) {
        if let Some(text) = fields.get_mut(name.as_str()).filter(|_| texts.is_some()) {
            *text = "".into();
        }
    }
    put_texts(fields, texts, language);
}

fn put_texts(fields: &mut Map<String, Value>, texts: Option<&Texts>, language: Language) {
    for (name, text) in texts.into_iter().flatten() {
        fields.insert(name.clone(), text.as_str().into());
    }
    fields.insert(
        FieldName::Language.as_str().to_owned(),
        language.code().into(),
    );
}

fn object(record: &impl Serialize) -> serde_json::Result<Map<String, Value>> {
    let Value::Object(mut fields) = serde_json::to_value(record)? else {
        return Ok(Map::new());
    };
    // A draft has no slug yet.
    let slug = FieldName::Slug.as_str();
    if fields.get(slug).is_some_and(|slug| *slug == "") {
        fields.remove(slug);
    }
    Ok(fields)
}

/// The fields of a request with this body.
pub(super) fn request(body: Map<String, Value>) -> Fields {
    Fields::from_body(body)
}

/// The fields of an event that nobody sees.
pub(super) fn placeholder() -> Fields {
    let mut fields = Map::new();
    for (name, value) in [
        (FieldName::Title, "-"),
        (FieldName::Status, Status::Draft.name()),
        (FieldName::StartDate, "2000-01-01"),
        (FieldName::EndDate, "2000-01-01"),
    ] {
        fields.insert(name.as_str().to_owned(), value.into());
    }
    request(fields)
}
