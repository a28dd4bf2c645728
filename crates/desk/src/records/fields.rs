//! From the form of a record to the fields of the interface, which `forms` reads.

use std::collections::HashMap;

use domain::Language;
use forms::{Digits, Fields};
use serde_json::{Map, Value};

use super::kind::{Input, Kept, Shape};
use crate::{body::Form, images::picture};

/// The coordinates, which mean something together alone.
const POSITION: [&str; 2] = ["geo_lat", "geo_lng"];

/// The value of a check box that is on.
const ON: &str = "1";

/// Values by the name of their input.
#[derive(Clone, Debug, Default)]
pub(super) struct Values(HashMap<String, String>);

impl Values {
    /// The values of an empty form.
    pub(super) fn blank<R: Kept>() -> Self {
        let flags = R::INPUTS.iter().filter(|input| input.shape == Shape::Flag);
        let on = flags.map(|input| (input.name.to_string(), ON.to_owned()));
        Self(on.collect())
    }

    /// The values of a stored record; a check box that is off has none.
    pub(super) fn of<R: Kept>(view: &R::View) -> Self {
        let record = R::shown(view).content;
        let values = R::INPUTS.iter().filter_map(|input| {
            let stored = record.trailed(input.name).unwrap_or_default();
            let value = match input.shape {
                Shape::Status => R::status(view)?.name().to_owned(),
                Shape::Flag if stored == "true" => ON.to_owned(),
                Shape::Flag => return None,
                _ => stored,
            };
            Some((input.name.to_string(), value))
        });
        Self(values.collect())
    }

    /// The values that were typed.
    pub(super) fn sent(form: &Form) -> Self {
        Self(form.fields.iter().cloned().collect())
    }

    /// The value of an input.
    pub(super) fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    /// Whether a check box is on.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }
}

/// The fields that a form sends: those that differ from the stored values, or those that are filled.
pub(super) fn of_form<R: Kept>(form: &mut Form, stored: Option<(&Values, Language)>) -> Fields {
    let values = stored.map(|(values, _)| values);
    let mut body = of_texts(R::INPUTS, form, values);
    if R::is_entry() {
        picture::take(form, &mut body);
    }
    Fields {
        body,
        language: stored.map(|(_, language)| language),
        digits: Digits::Name,
        faults: std::mem::take(&mut form.faults),
        ..Fields::default()
    }
}

fn of_texts(inputs: &[Input], form: &Form, stored: Option<&Values>) -> Map<String, Value> {
    let plain = |text: &str| text.replace('\r', "").trim().to_owned();
    let sent = |name: &str| plain(form.get(name).unwrap_or_default());
    let is_changed = |name: &str| match stored {
        Some(stored) => sent(name) != plain(stored.get(name)),
        None => !sent(name).is_empty(),
    };
    let is_moved = POSITION.into_iter().any(is_changed);
    let mut body = Map::new();
    for input in inputs {
        let name = input.name.as_str();
        let value = match input.shape {
            Shape::Flag => {
                let is_on = form.get(name).is_some();
                let stays = stored.is_some_and(|stored| stored.has(name) == is_on);
                (!stays).then(|| Value::from(is_on))
            }
            _ if form.get(name).is_none() => None,
            _ if POSITION.contains(&name) => is_moved.then(|| sent(name).into()),
            // A slug is made of the name, and the status has a default.
            Shape::Status => {
                (is_changed(name) && !sent(name).is_empty()).then(|| sent(name).into())
            }
            _ if name == "slug" && sent(name).is_empty() => None,
            // A new record without it is refused, with its other faults.
            _ if input.is_needed && stored.is_none() => Some(sent(name).into()),
            _ => is_changed(name).then(|| sent(name).into()),
        };
        if let Some(value) = value {
            body.insert(name.to_owned(), value);
        }
    }
    body
}

#[cfg(test)]
mod tests {
    use domain::{Category, Venue};
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

    fn values(pairs: &[(&str, &str)]) -> Values {
        Values::sent(&form(pairs))
    }

    #[test]
    fn a_new_record_has_what_was_filled() {
        let sent = form(&[
            ("venue", " Mill "),
            ("city", ""),
            ("geo_lat", "45.5"),
            ("geo_lng", ""),
            ("status", ""),
            ("show_map", "1"),
        ]);
        let body = of_texts(Venue::INPUTS, &sent, None);
        let expected = json!({"venue": "Mill", "geo_lat": "45.5", "geo_lng": "", "show_map": true,
            "show_map_link": false});
        assert_eq!(Value::Object(body), expected);
    }

    #[test]
    fn a_change_has_what_differs() {
        let stored = [
            ("venue", "Mill"),
            ("city", "Lyon"),
            ("phone", "1"),
            ("geo_lat", "45.5"),
            ("geo_lng", "4.5"),
            ("show_map", "1"),
            ("description", "a\nb"),
        ];
        let mut sent = stored;
        assert!(of_texts(Venue::INPUTS, &form(&sent), Some(&values(&stored))).is_empty());
        sent[1].1 = "";
        sent[4].1 = "4.6";
        sent[6].1 = "a\r\nb\r\n";
        let body = of_texts(Venue::INPUTS, &form(&sent[..5]), Some(&values(&stored)));
        let expected = json!({"city": "", "geo_lat": "45.5", "geo_lng": "4.6", "show_map": false});
        assert_eq!(Value::Object(body), expected);

        let stored = [("name", "Jazz"), ("slug", "jazz"), ("parent", "3")];
        let sent = form(&[("name", "Jazz"), ("slug", ""), ("parent", "")]);
        let body = of_texts(Category::INPUTS, &sent, Some(&values(&stored)));
        assert_eq!(Value::Object(body), json!({"parent": ""}));
    }
}
