//! Events, venues and organizers.

use domain::{
    Kind, Status,
    time::{Timestamp, Zone, format_civil, parse_civil, parse_date},
};
use interchange::SourceRecord;
use serde_json::{Map, Value};

use super::{
    record,
    values::{copy, date, flag, id, image, items, put, put_html, text, title, website},
};

/// The field in which the plug-in keeps whether an event takes place.
pub(crate) const STATUS: &str = "_tribe_events_status";

/// The flags of an event.
const FLAGS: [&str; 6] = [
    "all_day",
    "show_map",
    "show_map_link",
    "hide_from_listings",
    "sticky",
    "featured",
];

/// The texts of a venue of one line each.
const VENUE_TEXTS: [&str; 8] = [
    "address",
    "city",
    "country",
    "province",
    "state",
    "stateprovince",
    "zip",
    "phone",
];

type Object = Map<String, Value>;

pub(super) fn event(object: &Object, event: &mut SourceRecord) {
    shared(object, "title", event);
    if let Some(excerpt) = object.get("excerpt").and_then(Value::as_str) {
        put_html(event, "excerpt", excerpt);
    }
    put(event, "slug", event.slug.clone().unwrap_or_default());
    let start = date(object, "start_date");
    let mut end = date(object, "end_date");
    if let (Some(from), Some(to)) = (start, end)
        && let (Some(from), Some(to)) = (parse_civil(from), parse_civil(to))
        && to < from
    {
        let note = "its end is before its start: it ends when it starts";
        event.notes.push(note.to_owned());
        end = start;
    }
    for (name, date) in [("start_date", start), ("end_date", end)] {
        put(event, name, date.unwrap_or_default());
    }
    repeated_hour(object, event);
    status(object, event);
    match object.get("timezone").and_then(text) {
        Some(zone) => put(event, "timezone", zone),
        None => event
            .notes
            .push("no timezone: taken as that of this site".to_owned()),
    }
    copy(object, event, &FLAGS, flag);
    copy(object, event, &["cost"], text);
    let currency = object
        .get("cost_details")
        .and_then(|cost| text(cost.get("currency_code")?));
    put(event, "currency", currency.unwrap_or_default());
    // An event without a website may show its own page.
    let website = object.get("website").and_then(website);
    let website = website.filter(|website| *website != event.url);
    put(event, "website", website.unwrap_or_default());
    for (name, kind) in [
        ("venue", Kind::Venue),
        ("organizer", Kind::Organizer),
        ("categories", Kind::Category),
        ("tags", Kind::Tag),
    ] {
        let found = object.get(name).map(items).unwrap_or_default();
        for item in &found {
            match (record(kind, item), id(item)) {
                (Some(one), _) => event.related.push(one),
                // An ID alone.
                (None, Some(id)) => event.related.push(SourceRecord::new(kind, id, "")),
                (None, None) if **item == false => {}
                (None, None) => event.notes.push(format!("an item of {name} has no ID")),
            }
        }
        if kind == Kind::Venue && found.len() > 1 {
            let more = format!("{} venues: the first is taken", found.len());
            event.notes.push(more);
        }
    }
    let utc = |name| date(object, name).map(str::to_owned);
    event.utc = utc("utc_start_date")
        .zip(utc("utc_end_date"))
        .map(|(start, end)| [start, end]);
    event.locked = object.get("all_day").is_some_and(Value::is_null);
}

/// Dates in the hour that the clocks show twice become those in UTC that the site has for them.
fn repeated_hour(object: &Object, event: &mut SourceRecord) {
    let zone = object.get("timezone").and_then(text);
    let Some(zone) = zone.and_then(|zone| zone.parse::<Zone>().ok()) else {
        return;
    };
    if object.get("all_day").and_then(flag) == Some(true) {
        return;
    }
    for (name, utc) in [
        ("start_date", "utc_start_date"),
        ("end_date", "utc_end_date"),
    ] {
        let sent = event.fields.get(name).and_then(Value::as_str);
        let local = sent.and_then(parse_civil);
        let utc = date(object, utc).and_then(parse_civil);
        if let (Some(local), Some(utc)) = (local, utc)
            && let Some(instant) = Timestamp::from_seconds(utc.and_utc().timestamp())
            && zone.at_local(local).is_ok_and(|usual| usual.utc != instant)
            && let theirs = format!("{}Z", format_civil(utc))
            && parse_date(&theirs, &zone, instant).is_ok_and(|theirs| theirs.local == local)
        {
            put(event, name, theirs);
        }
    }
}

/// Whether the event takes place: by the plug-in, or else by the data for search engines.
fn status(object: &Object, event: &mut SourceRecord) {
    let by_plugin = object.get(STATUS).and_then(Value::as_str);
    let by_data = || object.get("json_ld")?.get("eventStatus")?.as_str();
    let Some(status) = by_plugin.filter(|text| !text.is_empty()).or_else(by_data) else {
        return;
    };
    let status = status.rsplit('/').next().unwrap_or_default();
    let is_cancelled = matches!(status, "canceled" | "cancelled" | "EventCancelled");
    put(event, "cancelled", is_cancelled);
    if matches!(status, "postponed" | "EventPostponed") {
        let note = "postponed: the text says so at its head";
        event.notes.push(note.to_owned());
        let text = event.fields.get("description").and_then(Value::as_str);
        let text = format!(
            "<p><strong>Postponed</strong></p>\n\n{}",
            text.unwrap_or_default()
        );
        put(event, "description", text);
    }
}

pub(super) fn venue(object: &Object, venue: &mut SourceRecord) {
    shared(object, "venue", venue);
    copy(object, venue, &VENUE_TEXTS, text);
    copy(object, venue, &["website"], website);
    copy(object, venue, &["show_map", "show_map_link"], flag);
    let degrees = |name| {
        let value: &Value = object.get(name)?;
        value
            .as_f64()
            .or_else(|| value.as_str()?.trim().parse().ok())
    };
    if let (Some(latitude), Some(longitude)) = (degrees("geo_lat"), degrees("geo_lng"))
        && (latitude, longitude) != (0.0, 0.0)
    {
        put(venue, "geo_lat", latitude);
        put(venue, "geo_lng", longitude);
    }
}

pub(super) fn organizer(object: &Object, organizer: &mut SourceRecord) {
    shared(object, "organizer", organizer);
    copy(object, organizer, &["phone", "email"], text);
    copy(object, organizer, &["website"], website);
}

/// The fields that events, venues and organizers share.
fn shared(object: &Object, title_field: &str, entry: &mut SourceRecord) {
    title(object, title_field, entry);
    entry.author = object.get("author").and_then(author);
    if let Some(description) = object.get("description").and_then(Value::as_str) {
        put_html(entry, "description", description);
    }
    if let Some(date) = date(object, "date_utc") {
        put(entry, "date_utc", date);
    } else if let Some(date) = date(object, "date") {
        put(entry, "date", date);
    }
    let modified = date(object, "modified_utc").and_then(parse_civil);
    entry.modified =
        modified.and_then(|civil| Timestamp::from_seconds(civil.and_utc().timestamp()));
    if let Some(image) = object.get("image").and_then(image) {
        put(entry, "image", image);
        entry.image_id = object.get("image").and_then(|image| id(image.get("id")?));
    }
    let status = object.get("status").and_then(Value::as_str);
    match status.map(str::parse::<Status>) {
        // Its date schedules it.
        Some(Ok(Status::Future)) => put(entry, "status", Status::Publish.name()),
        Some(Ok(status)) => put(entry, "status", status.name()),
        Some(Err(_)) => {
            let unknown = status.unwrap_or_default();
            let note = format!("status {unknown}: taken as {}", Status::Draft);
            entry.notes.push(note);
            put(entry, "status", Status::Draft.name());
        }
        None => {}
    }
}

/// The author: an ID as number or text, a name, or an object with an ID.
fn author(value: &Value) -> Option<String> {
    match value {
        Value::Object(object) => author(object.get("id").or(object.get("name"))?),
        value => text(value).filter(|text| text != "0"),
    }
}
