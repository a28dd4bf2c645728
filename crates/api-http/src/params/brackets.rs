//! Names with brackets, as forms send them: `a[]=1`, `venue[city]=Oslo`, `organizer[0][id]=8`.

use serde_json::{Map, Value};

/// How many brackets a name may have; a name with more is taken as it is.
const MAX_BRACKETS: usize = 8;

/// Fields by name; lists and objects where names have brackets. Of equal names the last counts.
pub(super) fn nest(pairs: Vec<(String, String)>) -> Map<String, Value> {
    let mut root = Map::new();
    for (name, value) in pairs {
        match steps(&name) {
            Some((first, rest)) => put(root.entry(first).or_insert(Value::Null), &rest, value),
            None => {
                root.insert(name, Value::String(value));
            }
        }
    }
    root.into_iter()
        .map(|(name, value)| (name, lists(value)))
        .collect()
}

/// `a[b][]` as `a` and `[b, ]`; none if the name has no brackets, or odd ones.
fn steps(name: &str) -> Option<(&str, Vec<&str>)> {
    let open = name.find('[').filter(|open| *open > 0)?;
    let (first, mut rest) = name.split_at(open);
    let mut steps = Vec::new();
    while !rest.is_empty() {
        let (step, after) = rest.strip_prefix('[')?.split_once(']')?;
        steps.push(step);
        rest = after;
    }
    (steps.len() <= MAX_BRACKETS).then_some((first, steps))
}

fn put(place: &mut Value, steps: &[&str], value: String) {
    let Some((step, rest)) = steps.split_first() else {
        *place = Value::String(value);
        return;
    };
    if !place.is_object() {
        *place = Value::Object(Map::new());
    }
    let Value::Object(object) = place else { return };
    let key = if step.is_empty() {
        next_index(object)
    } else {
        (*step).to_owned()
    };
    put(object.entry(key).or_insert(Value::Null), rest, value);
}

fn next_index(object: &Map<String, Value>) -> String {
    object.len().to_string()
}

/// Objects whose names are all numbers are lists, in the order in which they were sent.
fn lists(value: Value) -> Value {
    let Value::Object(object) = value else {
        return value;
    };
    let is_list = !object.is_empty()
        && object
            .keys()
            .all(|key| key.bytes().all(|byte| byte.is_ascii_digit()));
    if is_list {
        Value::Array(object.into_iter().map(|(_, value)| lists(value)).collect())
    } else {
        Value::Object(
            object
                .into_iter()
                .map(|(name, value)| (name, lists(value)))
                .collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn nested(query: &str) -> Value {
        Value::Object(nest(
            form_urlencoded::parse(query.as_bytes())
                .into_owned()
                .collect(),
        ))
    }

    #[test]
    fn brackets_make_lists_and_objects() {
        assert_eq!(nested("a[]=1&a[]=2"), json!({"a": ["1", "2"]}));
        assert_eq!(
            nested("venue[venue]=X&venue[city]=Oslo"),
            json!({"venue": {"venue": "X", "city": "Oslo"}})
        );
        assert_eq!(
            nested("o[0][organizer]=A&o[1]=9"),
            json!({"o": [{"organizer": "A"}, "9"]})
        );
        assert_eq!(nested("a=1&a=2"), json!({"a": "2"}));
    }

    #[test]
    fn odd_names_are_taken_as_they_are() {
        assert_eq!(
            nested("a[=1&[b]=2&c]=3"),
            json!({"a[": "1", "[b]": "2", "c]": "3"})
        );
        let deep = format!("a{}=1", "[x]".repeat(9));
        assert_eq!(nested(&deep).as_object().unwrap().len(), 1);
    }
}
