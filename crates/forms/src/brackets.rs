//! Names with brackets, as forms send them: `a[]=1`, `venue[city]=Oslo`, `organizer[0][id]=8`.

use indexmap::IndexMap;
use serde_json::{Map, Value};

/// The largest number of brackets in a name; a name with more is used literally.
const MAX_BRACKETS: usize = 8;

/// The fields of a form or query.
#[derive(Clone, Debug, Default)]
pub struct Nested {
    /// Fields by name; brackets make lists and objects. The last of equal names counts.
    pub fields: Map<String, Value>,
    /// All values of the names that were sent more than once, in their order.
    pub repeated: Map<String, Value>,
}

/// The values of one name.
#[derive(Default)]
struct Values {
    all: Vec<Value>,
    /// The index of the value that the names with brackets form together.
    bracketed: Option<usize>,
    /// The index of the value that was sent last.
    last: usize,
}

/// Nests names with brackets.
///
/// ```
/// use serde_json::json;
///
/// let pairs = vec![("venue[city]".to_owned(), "Oslo".to_owned())];
/// assert_eq!(events_calendar_forms::nest(pairs).fields["venue"], json!({ "city": "Oslo" }));
/// ```
pub fn nest(pairs: Vec<(String, String)>) -> Nested {
    let mut named: IndexMap<String, Values> = IndexMap::new();
    for (name, value) in pairs {
        let (first, rest) = match steps(&name) {
            Some((first, rest)) => (first, Some(rest)),
            None => (name.as_str(), None),
        };
        let values = named.entry(first.to_owned()).or_default();
        values.last = match (rest, values.bracketed) {
            (Some(rest), Some(index)) => {
                put(&mut values.all[index], &rest, value);
                index
            }
            (rest, _) => {
                let index = values.all.len();
                let mut made = Value::Null;
                put(&mut made, rest.as_deref().unwrap_or_default(), value);
                values.all.push(made);
                values.bracketed = rest.map(|_| index).or(values.bracketed);
                index
            }
        };
    }
    let mut sent = Nested::default();
    for (name, values) in named {
        let mut all: Vec<_> = values.all.into_iter().map(lists).collect();
        if all.len() == 1 {
            sent.fields.insert(name, all.remove(0));
        } else if let Some(last) = all.get(values.last) {
            sent.fields.insert(name.clone(), last.clone());
            sent.repeated.insert(name, Value::Array(all));
        }
    }
    sent
}

/// Splits `a[b][]` into `a` and `[b, ]`; none if the brackets do not match.
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

fn put(target: &mut Value, steps: &[&str], value: String) {
    let Some((step, rest)) = steps.split_first() else {
        *target = Value::String(value);
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    let Value::Object(object) = target else {
        return;
    };
    let key = if step.is_empty() {
        next_index(object)
    } else {
        (*step).to_owned()
    };
    put(object.entry(key).or_insert(Value::Null), rest, value);
}

/// The key of a value that was sent without an index. No sent index can equal it.
fn next_index(object: &Map<String, Value>) -> String {
    format!("]{}", object.len())
}

/// The index of a list element, if the key is one.
fn index(key: &str) -> Option<&str> {
    let digits = key.strip_prefix(']').unwrap_or(key);
    digits
        .bytes()
        .all(|byte| byte.is_ascii_digit())
        .then_some(digits)
}

/// Turns objects whose keys are all numbers into lists, in the order sent.
fn lists(value: Value) -> Value {
    let Value::Object(object) = value else {
        return value;
    };
    let is_list = !object.is_empty() && object.keys().all(|key| index(key).is_some());
    if is_list {
        Value::Array(object.into_iter().map(|(_, value)| lists(value)).collect())
    } else {
        Value::Object(
            object
                .into_iter()
                .map(|(name, value)| match index(&name) {
                    Some(index) => (index.to_owned(), lists(value)),
                    None => (name, lists(value)),
                })
                .collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn sent(query: &str) -> Nested {
        nest(
            form_urlencoded::parse(query.as_bytes())
                .into_owned()
                .collect(),
        )
    }

    #[test]
    fn brackets_make_lists_and_objects() {
        for (query, fields) in [
            ("a[]=1&a[]=2", json!({"a": ["1", "2"]})),
            (
                "venue[venue]=X&venue[city]=Oslo",
                json!({"venue": {"venue": "X", "city": "Oslo"}}),
            ),
            (
                "o[0][organizer]=A&o[1]=9",
                json!({"o": [{"organizer": "A"}, "9"]}),
            ),
            ("a=1&a=2", json!({"a": "2"})),
            // Values with and without an index all count.
            ("a[1]=x&a[]=y&a[]=z", json!({"a": ["x", "y", "z"]})),
            ("a[b]=x&a[]=y", json!({"a": {"b": "x", "1": "y"}})),
            // Odd names are taken as they are.
            ("a[=1&[b]=2&c]=3", json!({"a[": "1", "[b]": "2", "c]": "3"})),
        ] {
            assert_eq!(Value::Object(sent(query).fields), fields, "{query}");
        }
        let deep = format!("a{}=1", "[x]".repeat(9));
        assert_eq!(sent(&deep).fields.len(), 1);
    }

    #[test]
    fn repeated_names_report_all_their_values() {
        for (query, last, all) in [
            ("a=1", json!("1"), Value::Null),
            ("a[]=1&a[]=2", json!(["1", "2"]), Value::Null),
            ("a=1&b=&a=2,3", json!("2,3"), json!(["1", "2,3"])),
            (
                "a[]=1&a=2&a[]=3",
                json!(["1", "3"]),
                json!([["1", "3"], "2"]),
            ),
            ("a=1&a[]=2", json!(["2"]), json!(["1", ["2"]])),
            ("a[]=1&a=2", json!("2"), json!([["1"], "2"])),
            ("a[x]=1&a[x]=2", json!({"x": "2"}), Value::Null),
        ] {
            let sent = sent(query);
            assert_eq!(sent.fields["a"], last, "{query}");
            let repeated = sent.repeated.get("a").cloned();
            assert_eq!(repeated.unwrap_or_default(), all, "{query}");
            assert!(!sent.repeated.contains_key("b"), "{query}");
        }
    }
}
