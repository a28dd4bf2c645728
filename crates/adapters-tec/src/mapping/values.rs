//! Values of many forms.

use domain::{
    html::{Foreign, RichText},
    text::has_elements,
};
use interchange::SourceRecord;
use serde_json::{Map, Value};

/// The begin of the classes of elements that show dates, venue, organizers, price and links to calendars.
const RENDERED: [&str; 7] = [
    "tribe-block",
    "tribe-events-c-subscribe-dropdown",
    "tribe-events-cal-links",
    "tribe-events-event-meta",
    "tribe-events-meta-group",
    "tribe-events-schedule",
    "tribe-events-single",
];

/// Sets a field; an empty text is left out.
pub(super) fn put(record: &mut SourceRecord, name: &str, value: impl Into<Value>) {
    let value = value.into();
    if value != "" {
        record.fields.insert(name.to_owned(), value);
    }
}

/// Sets fields to the values that the site has under their names.
pub(super) fn copy<V: Into<Value>>(
    object: &Map<String, Value>,
    record: &mut SourceRecord,
    names: &[&str],
    read: fn(&Value) -> Option<V>,
) {
    for name in names {
        if let Some(value) = object.get(*name).and_then(read) {
            put(record, name, value);
        }
    }
}

/// A number, also as text.
pub(crate) fn integer(value: &Value) -> Option<u64> {
    match value {
        Value::Number(number) => number.as_u64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// An ID; 0 is none.
pub(super) fn id(value: &Value) -> Option<i64> {
    let id = i64::try_from(integer(value)?).ok()?;
    (id > 0).then_some(id)
}

/// A plain text, in which the site wrote character references; none if it is empty.
pub(super) fn text(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    let text = if text.contains(['&', '<']) {
        RichText::parse(&text).map_or(text, |html| without_elements(html.plain()))
    } else {
        text.trim().to_owned()
    };
    Some(text).filter(|text| !text.is_empty())
}

/// A text that names elements of HTML, with other brackets around them: plain texts have none.
fn without_elements(text: String) -> String {
    let decoded = text.replace("&lt;", "<").replace("&gt;", ">");
    if has_elements(&decoded) {
        decoded.replace('<', "‹").replace('>', "›")
    } else {
        text
    }
}

/// Sets a field to HTML of the site, without what its program rendered into it.
pub(super) fn put_html(record: &mut SourceRecord, name: &str, raw: &str) {
    let Foreign {
        html,
        embedded,
        data_pictures,
    } = Foreign::read(raw, is_rendered);
    if embedded > 0 {
        let what = match embedded {
            1 => "1 frame or video is a link".to_owned(),
            more => format!("{more} frames or videos are links"),
        };
        let note = format!("{name}: {what} now");
        record.notes.push(note);
    }
    if data_pictures > 0 {
        let what = match data_pictures {
            1 => "1 picture that is".to_owned(),
            more => format!("{more} pictures that are"),
        };
        let note = format!("{name}: left out {what} part of the text");
        record.notes.push(note);
    }
    put(record, name, html);
}

/// Whether the plug-in renders elements of a class from the fields of an event.
fn is_rendered(class: &str) -> bool {
    let is_text = class.ends_with("-description") || class.ends_with("-content");
    !is_text && RENDERED.iter().any(|start| class.starts_with(start))
}

/// A URL. The ampersands of its query may be escaped.
pub(super) fn url(value: &Value) -> Option<String> {
    let url = value.as_str()?.trim();
    let url = url.replace("&#038;", "&").replace("&amp;", "&");
    Some(url).filter(|url| !url.is_empty())
}

/// The URL of a website. One that begins with the name of a host gets the scheme `http`.
pub(super) fn website(value: &Value) -> Option<String> {
    let website = url(value)?;
    let host = website.split(['/', '?', '#']).next().unwrap_or_default();
    let has_no_scheme = host.contains('.') && !host.contains([':', '@', ' ']);
    Some(if has_no_scheme {
        format!("http://{website}")
    } else {
        website
    })
}

/// The URL of an image: text, or an object with it.
pub(super) fn image(value: &Value) -> Option<String> {
    let found = match value {
        Value::Object(object) => url(object.get("url")?),
        value => url(value),
    };
    found.filter(|url| url.contains("://"))
}

/// A truth value, also as text or number.
pub(super) fn flag(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::Number(number) => Some(number.as_f64() != Some(0.0)),
        Value::String(text) => match text.to_ascii_lowercase().as_str() {
            "1" | "true" | "yes" | "on" => Some(true),
            "" | "0" | "false" | "no" | "off" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// The date in a field; a date of zeros is none.
pub(super) fn date<'a>(object: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    let date = object.get(name)?.as_str()?.trim();
    (!date.is_empty() && !date.starts_with("0000")).then_some(date)
}

/// Sets the title or name. An empty one is replaced by the slug or the ID.
pub(super) fn title(object: &Map<String, Value>, name: &str, record: &mut SourceRecord) {
    let title = object.get(name).and_then(text).unwrap_or_else(|| {
        let title = record
            .slug
            .clone()
            .unwrap_or_else(|| format!("#{}", record.id));
        record.notes.push(format!("no {name}: called {title}"));
        title
    });
    put(record, name, title);
}

/// The items of a list, or of an object whose values are the items; one object with an ID is one
/// item.
pub(super) fn items(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(items) => items.iter().collect(),
        Value::Object(object) if object.contains_key("id") => vec![value],
        Value::Object(object) => object.values().collect(),
        _ => Vec::new(),
    }
}
