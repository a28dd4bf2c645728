//! Values for example.

use app::resource::Purpose;
use domain::Kind;
use serde_json::{Map, Value, json};

use crate::describe::{fields_of, shape::Shape};

/// The value of a field that is written as a form would send it.
pub(super) fn value(text: &str, shape: Shape) -> Value {
    match shape {
        Shape::Id | Shape::Positive | Shape::Number { .. } | Shape::Coordinate { .. } => {
            serde_json::from_str(text).unwrap_or_else(|_| json!(text))
        }
        shape if shape.is_list() || shape == Shape::Terms => json!([text]),
        _ => json!(text),
    }
}

/// The fields of a write: of a new record all that have an example, of a change the first of them.
pub(super) fn fields(kind: Kind, purpose: Purpose) -> Value {
    let examples = fields_of(kind, purpose)
        .into_iter()
        .filter_map(|field| Some((field.name.to_owned(), value(field.example?, field.shape))));
    let most = match purpose {
        Purpose::Create => usize::MAX,
        Purpose::Update => 1,
    };
    Value::Object(examples.take(most).collect::<Map<_, _>>())
}
