//! From the form of an event to the fields of the interface, which `forms` reads.

use app::fault::Faults;
use domain::recurrence::InvalidRule;
use forms::{Digits, Fields};
use serde_json::{Map, Value};

use super::{
    repetition::Repetition,
    tickets::{self, TICKETS},
    values::Values,
};
use crate::{body::Form, images::picture, words::Word};

/// Fields whose text is sent as it is; an empty one clears the field.
const TEXTS: [(&str, Word); 12] = [
    ("title", Word::TITLE),
    ("description", Word::DESCRIPTION),
    ("excerpt", Word::EXCERPT),
    ("start_date", Word::STARTS),
    ("end_date", Word::ENDS),
    ("timezone", Word::TIME_ZONE),
    ("status", Word::STATUS),
    ("cost", Word::COST),
    ("currency", Word::CURRENCY),
    ("website", Word::WEBSITE),
    ("slug", Word::SLUG),
    ("date", Word::PUBLISHED_ON),
];

/// Check boxes: a form does not send those that are off.
const FLAGS: [(&str, Word); 7] = [
    ("all_day", Word::ALL_DAY),
    ("featured", Word::FEATURED),
    ("sticky", Word::STICKY),
    ("hide_from_listings", Word::HIDDEN),
    ("cancelled", Word::CANCELLED),
    ("show_map", Word::SHOW_MAP),
    ("show_map_link", Word::SHOW_MAP_LINK),
];

/// The fields of the time.
const TIME: [&str; 4] = ["start_date", "end_date", "timezone", "all_day"];

/// Fields with a form of their own.
const OTHERS: [(&str, Word); 11] = [
    ("venue", Word::VENUE),
    ("organizer", Word::ORGANIZERS),
    ("categories", Word::CATEGORIES),
    ("tags", Word::TAGS),
    ("recurrence", Word::REPETITION),
    ("image", Word::PICTURE),
    ("password", Word::EVENT_PASSWORD),
    ("scope", Word::SCOPE),
    (TICKETS, Word::TICKETS),
    ("parent", Word::PART_OF),
    ("author", Word::AUTHOR),
];

/// The words of a field of the interface.
pub(crate) fn title_of(name: &str) -> Option<Word> {
    let mut all = TEXTS.iter().chain(&FLAGS).chain(&OTHERS);
    all.find(|(one, _)| *one == name).map(|(_, word)| *word)
}

/// The ID of the input of a field; empty if the form has none.
pub(super) fn input_of(name: &str) -> &'static str {
    let first = name.split(['[', '.']).next().unwrap_or_default();
    let mut all = TEXTS.iter().chain(&FLAGS).chain(&OTHERS);
    all.find(|(one, _)| *one == first)
        .map_or("", |(one, _)| *one)
}

/// The fields of the interface that a form sends: those that differ from the values of the stored event. A form is
/// coarser than a record: it has no seconds, and not the venue that the person may not see.
pub(super) fn of_form(form: &mut Form, stored: Option<&Values>) -> Fields {
    let mut picture = Map::new();
    picture::take(form, &mut picture);
    let mut faults: Faults = std::mem::take(&mut form.faults);
    let mut body = of_texts(form);
    let sent = Repetition::sent(form);
    let mut is_moved = false;
    if let Some(stored) = stored {
        let is_changed = |name: &str, value: &Value| is_changed(name, value, form, stored);
        // The parts of a time mean something together alone.
        is_moved = TIME
            .iter()
            .any(|name| body.get(*name).is_some_and(|one| is_changed(name, one)));
        body.retain(|name, value| {
            if TIME.contains(&name.as_str()) {
                is_moved
            } else {
                is_changed(name, value)
            }
        });
    }
    body.extend(picture);
    match sent {
        None => {}
        Some(Err(fault)) => {
            faults.insert("recurrence".into(), fault.into());
        }
        Some(Ok(sent)) => {
            let rule = repetition(form, sent, stored, is_moved);
            match rule {
                Ok(Some(rule)) => {
                    body.insert("recurrence".to_owned(), rule);
                }
                Ok(None) => {}
                Err(fault) => {
                    faults.insert("recurrence".into(), fault.into());
                }
            }
        }
    }
    // The form of a stored event has the texts in their original language.
    let language = match stored {
        Some(stored) => stored.language,
        None => form.get("language").and_then(|code| code.parse().ok()),
    };
    Fields {
        body,
        language,
        digits: Digits::Name,
        faults,
        ..Fields::default()
    }
}

/// Whether a field differs from its stored value.
fn is_changed(name: &str, value: &Value, form: &Form, stored: &Values) -> bool {
    match value {
        Value::Bool(is_on) => *is_on != stored.has(name),
        _ if name == "categories" => !stored.has_categories(form.all("category")),
        _ if name == TICKETS => *value != stored.tickets(),
        _ if name == "parent" => *value != parent(stored.get("parent")),
        _ if matches!(name, "password" | "image" | "scope") => true,
        _ => form.get(name).is_none_or(|text| {
            let plain = |text: &str| text.replace('\r', "").trim().to_owned();
            plain(text) != plain(stored.get(name))
        }),
    }
}

/// The field with the repetition; `None` if it stays as it is, or has no start.
fn repetition(
    form: &Form,
    sent: Repetition,
    stored: Option<&Values>,
    is_moved: bool,
) -> Result<Option<Value>, InvalidRule> {
    let start = form.get("start_date").unwrap_or_default().trim();
    let Some(start) = start.get(..10).and_then(|day| day.parse().ok()) else {
        return Ok(None);
    };
    let sent = sent.with_start(start);
    let before = stored.map(|stored| stored.get("recurrence"));
    let is_changed = match (&sent, stored) {
        (_, None) => sent != Repetition::Never,
        (Repetition::Other(lines), Some(stored)) => lines != stored.get("recurrence"),
        (sent, Some(stored)) => sent.changes(&stored.repetition, is_moved),
    };
    if !is_changed {
        return Ok(None);
    }
    let text = sent.rule(start)?;
    // Lines are the whole; of a rule alone, the dates beside it stay.
    let had_lines = before.is_some_and(|before| before.contains('\n'));
    let is_of_lines = text.contains('\n') || had_lines && text.contains(':');
    Ok(Some(if is_of_lines {
        text.lines().map(Value::from).collect()
    } else {
        text.into()
    }))
}

fn of_texts(form: &Form) -> Map<String, Value> {
    let mut body = Map::new();
    for (name, _) in TEXTS {
        // A slug is made of the title, and status and date have a default, where none is sent.
        let is_optional = matches!(name, "slug" | "status" | "date");
        if let Some(text) = form.get(name)
            && !(is_optional && text.trim().is_empty())
        {
            body.insert(name.to_owned(), text.trim().into());
        }
    }
    for (name, _) in FLAGS {
        body.insert(name.to_owned(), form.get(name).is_some().into());
    }
    if let Some(name) = form.get("venue").map(str::trim) {
        let venue = match name {
            "" => Value::from(""),
            name => serde_json::json!({ "venue": name }),
        };
        body.insert("venue".to_owned(), venue);
    }
    if let Some(text) = form.get("organizer") {
        let known: Vec<_> = form
            .all("organizer_known")
            .filter_map(|one| one.split_once(' '))
            .collect();
        let organizer = |name: &str| match known.iter().find(|(_, one)| *one == name) {
            Some((id, _)) => serde_json::json!({ "id": id.parse::<i64>().unwrap_or_default() }),
            None => serde_json::json!({ "organizer": name }),
        };
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        body.insert("organizer".to_owned(), lines.map(organizer).collect());
    }
    if form.get("has_categories").is_some() {
        let ids = form.all("category").filter_map(|id| id.parse::<i64>().ok());
        body.insert("categories".to_owned(), ids.map(Value::from).collect());
    }
    if let Some(text) = form.get("tags") {
        let names = text
            .split([',', '،'])
            .map(str::trim)
            .filter(|name| !name.is_empty());
        body.insert("tags".to_owned(), names.map(Value::from).collect());
    }
    match form.get("password") {
        Some(password) if !password.is_empty() => {
            body.insert("password".to_owned(), password.into());
        }
        _ if form.get("remove_password").is_some() => {
            body.insert("password".to_owned(), "".into());
        }
        _ => {}
    }
    if form.fields.iter().any(|(name, _)| tickets::is_input(name)) {
        let tickets = tickets::of_inputs(|name| form.get(name));
        body.insert(TICKETS.to_owned(), tickets);
    }
    if let Some(text) = form.get("parent") {
        body.insert("parent".to_owned(), parent(text));
    }
    if let Some(author) = form.get("author") {
        let id = author.parse::<i64>();
        body.insert("author".to_owned(), id.map_or(author.into(), Value::from));
    }
    if let Some(scope) = form.get("scope") {
        body.insert("scope".to_owned(), scope.into());
    }
    body
}

/// The ID of the parent event, whose number is at the end of the text; 0 for none.
fn parent(text: &str) -> Value {
    let text = text.trim();
    let number = text.rsplit_once('#').map_or(text, |(_, number)| number);
    match number.parse::<i64>() {
        Ok(id) => id.into(),
        Err(_) if text.is_empty() => 0.into(),
        Err(_) => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use app::request::Purpose;
    use domain::Event;
    use forms::Form as _;
    use serde_json::json;

    use super::*;

    fn form(pairs: &[(&str, &str)]) -> Form {
        let fields = pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Form {
            fields: fields.collect(),
            ..Form::default()
        }
    }

    #[test]
    fn a_form_is_the_fields_of_the_interface() {
        let body = of_texts(&form(&[
            ("title", " Jazz "),
            ("all_day", "1"),
            ("slug", ""),
            ("venue", "Mill"),
            ("organizer", "Club\n\n Town "),
            ("organizer_known", "7 Town"),
            ("has_categories", "1"),
            ("category", "3"),
            ("tags", "loud، free, "),
            ("password", ""),
        ]));
        let expected = json!({
            "title": "Jazz", "all_day": true, "featured": false, "sticky": false,
            "hide_from_listings": false, "cancelled": false, "show_map": false, "show_map_link": false,
            "venue": { "venue": "Mill" },
            "organizer": [{ "organizer": "Club" }, { "id": 7 }], "categories": [3],
            "tags": ["loud", "free"],
        });
        assert_eq!(Value::Object(body), expected);
    }

    #[test]
    fn a_parent_is_a_number_at_the_end() {
        for (text, id) in [
            ("", json!(0)),
            ("7", json!(7)),
            ("Fair #3 #12 ", json!(12)),
            ("Fair", json!("Fair")),
        ] {
            assert_eq!(parent(text), id, "{text}");
        }
    }

    #[test]
    fn every_field_of_a_write_is_in_the_form() {
        // The form has them as `date` and `cost`.
        let others = ["date_utc", "cost_details"];
        for field in Event::fields(Purpose::Create) {
            let is_elsewhere = others.contains(&field.name.as_str());
            let is_here = title_of(field.name.as_str()).is_some();
            assert_ne!(is_here, is_elsewhere, "{}", field.name);
        }
    }
}
