//! Bodies of the type `application/merge-patch+json` (RFC 7396), in which `null` clears a field.

use std::{collections::HashMap, sync::LazyLock};

use app::request::Purpose;
use domain::{Event, Organizer, Tag, Venue};
use forms::{Form as _, Schema};
use serde_json::{Map, Value};

/// The media type.
pub(super) const MEDIA_TYPE: &str = "application/merge-patch+json";

/// Replaces each `null` by the value that clears the field. Elsewhere `null` means that the field was not sent.
pub(super) fn with_cleared(mut sent: Map<String, Value>) -> Map<String, Value> {
    for (name, value) in &mut sent {
        if value.is_null() {
            *value = cleared(name);
        }
    }
    sent
}

/// The value that clears a field. Fields that cannot be cleared, such as titles, refuse it.
fn cleared(name: &str) -> Value {
    static SCHEMAS: LazyLock<HashMap<&'static str, Schema>> = LazyLock::new(|| {
        let purpose = Purpose::Create;
        let kinds = [
            Tag::fields(purpose),
            Organizer::fields(purpose),
            Venue::fields(purpose),
            Event::fields(purpose),
        ];
        let fields = kinds.into_iter().flatten();
        fields
            .map(|field| (field.name.as_str(), field.schema))
            .collect()
    });
    match SCHEMAS.get(name) {
        Some(Schema::Boolean | Schema::LooseBoolean) => false.into(),
        Some(Schema::Tickets) => Value::Array(Vec::new()),
        _ => "".into(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn null_becomes_the_value_that_clears() {
        let sent =
            json!({"title": "A", "cost": null, "featured": null, "tickets": null, "tags": ["x"]});
        let Value::Object(sent) = sent else {
            unreachable!()
        };
        let expected =
            json!({"title": "A", "cost": "", "featured": false, "tickets": [], "tags": ["x"]});
        assert_eq!(Value::Object(with_cleared(sent)), expected);
    }
}
