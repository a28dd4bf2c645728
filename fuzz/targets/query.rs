//! Query strings and forms: fields are as many and as deep as names allow, and no value is invented.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;

/// Deepest value: one level for each bracket of a name.
const MAX_DEPTH: usize = 8;

/// The texts in a value, and its depth.
fn texts(value: &Value, depth: usize, found: &mut Vec<String>) {
    assert!(depth <= MAX_DEPTH, "{value} is too deep");
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(values) => values
            .iter()
            .for_each(|value| texts(value, depth + 1, found)),
        Value::Object(fields) => fields
            .values()
            .for_each(|value| texts(value, depth + 1, found)),
        other => panic!("{other} is neither a text nor a list nor an object"),
    }
}

fuzz_target!(|query: &[u8]| {
    let pairs: Vec<(String, String)> = form_urlencoded::parse(query).into_owned().collect();
    let sent = forms::nest(pairs.clone());
    let mut found = Vec::new();
    for (name, value) in &sent.fields {
        texts(value, 0, &mut found);
        let plain = pairs.iter().any(|(sent, _)| sent == name);
        let bracketed = || {
            pairs
                .iter()
                .any(|(sent, _)| sent.starts_with(&format!("{name}[")))
        };
        assert!(plain || bracketed(), "no field was called {name:?}");
    }
    assert!(found.len() <= pairs.len(), "more values than sent");
    for text in &found {
        assert!(
            pairs.iter().any(|(_, sent)| sent == text),
            "{text:?} was not sent"
        );
    }
    for (name, values) in &sent.repeated {
        let values = values.as_array().expect("a list of values");
        assert!(values.len() > 1, "{name:?} was sent once");
        assert!(
            values.contains(&sent.fields[name]),
            "{name:?} has a value of its own"
        );
    }
    // A name is stored whole or not at all: each sent name has its field.
    for (name, _) in &pairs {
        let first = name
            .split_once('[')
            .map_or(name.as_str(), |(first, _)| first);
        let stored = sent.fields.contains_key(name) || sent.fields.contains_key(first);
        assert!(stored, "the field {name:?} is lost");
    }
});
