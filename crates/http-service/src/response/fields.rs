//! `_fields`: selects fields of a JSON response.

use axum::body::Bytes;
use indexmap::IndexMap;
use serde_json::{Map, Value};

/// The longest path; no response is nested deeper.
const MAX_STEPS: usize = 16;

/// The selected fields, as a tree of path segments.
#[derive(Debug, Default)]
pub(crate) struct FieldMask(IndexMap<String, FieldMask>);

impl FieldMask {
    /// The selection of a query; none if it selects nothing. Several lists are joined.
    pub(crate) fn read(query: &str) -> Option<Self> {
        let mut picked = Self::default();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            if matches!(&*name, "_fields" | "_fields[]") {
                value.split(',').for_each(|path| picked.add(path.trim()));
            }
        }
        (!picked.0.is_empty()).then_some(picked)
    }

    fn add(&mut self, path: &str) {
        if path.is_empty() || path.split('.').count() > MAX_STEPS {
            return;
        }
        let mut node = self;
        let mut is_new = true;
        for step in path.split('.') {
            // A field that is selected whole stays whole.
            if !is_new && node.0.is_empty() {
                return;
            }
            is_new = !node.0.contains_key(step);
            node = node.0.entry(step.to_owned()).or_default();
        }
        node.0.clear();
    }

    /// Reduces a JSON text to the selected fields.
    pub(crate) fn pick_from(&self, bytes: &mut Bytes) {
        // A body that is no JSON stays unchanged.
        if let Ok(value) = serde_json::from_slice(bytes)
            && let Ok(picked) = serde_json::to_vec(&self.pick(value))
        {
            *bytes = Bytes::from(picked);
        }
    }

    /// The selected part of a value, or of each element of an array.
    fn pick(&self, value: Value) -> Value {
        match value {
            Value::Object(object) => {
                let picked = object.into_iter().filter_map(|(name, value)| {
                    let within = self.0.get(&name)?;
                    if within.0.is_empty() {
                        return Some((name, value));
                    }
                    // A path into a scalar selects nothing.
                    matches!(value, Value::Object(_) | Value::Array(_))
                        .then(|| (name, within.pick(value)))
                });
                Value::Object(picked.collect::<Map<_, _>>())
            }
            Value::Array(values) => {
                let nested = values
                    .into_iter()
                    .filter(|value| matches!(value, Value::Object(_) | Value::Array(_)));
                Value::Array(nested.map(|value| self.pick(value)).collect())
            }
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn picked(query: &str) -> Value {
        let value = json!({
            "id": 1, "title": "A", "venue": {"id": 2, "city": "Oslo"},
            "organizer": [{"id": 3, "email": "x"}, {"id": 4}], "none": [], "total": 7,
        });
        match FieldMask::read(query) {
            Some(picked) => picked.pick(value),
            None => value,
        }
    }

    #[test]
    fn paths_reach_into_objects_and_lists() {
        for (query, expected) in [
            ("_fields=title,id", json!({"id": 1, "title": "A"})),
            ("_fields=%20id%20,,", json!({"id": 1})),
            (
                "_fields=venue.id,total",
                json!({"venue": {"id": 2}, "total": 7}),
            ),
            (
                "_fields=organizer.id",
                json!({"organizer": [{"id": 3}, {"id": 4}]}),
            ),
            (
                "_fields=organizer.email",
                json!({"organizer": [{"email": "x"}, {}]}),
            ),
            (
                "_fields[]=id&_fields[]=title",
                json!({"id": 1, "title": "A"}),
            ),
            ("_fields=id&_fields=title", json!({"id": 1, "title": "A"})),
            (
                "_fields=venue.id,venue",
                json!({"venue": {"id": 2, "city": "Oslo"}}),
            ),
            (
                "_fields=venue,venue.id",
                json!({"venue": {"id": 2, "city": "Oslo"}}),
            ),
            ("_fields=none.id", json!({"none": []})),
            (
                "_fields=title.x,nothing,venue.nothing",
                json!({"venue": {}}),
            ),
        ] {
            assert_eq!(picked(query), expected, "{query}");
        }
    }

    #[test]
    fn without_names_all_stays() {
        for query in ["", "_fields=", "_fields=,%20", "fields=id"] {
            assert!(FieldMask::read(query).is_none(), "{query}");
        }
        let deep = format!("_fields={}", "a.".repeat(4000));
        assert!(FieldMask::read(&deep).is_none());
    }
}
