//! Helpers that compare records before and after a request.

use std::collections::BTreeSet;

use serde_json::Value;
use tests::client::{Answer, Client};

/// The address of an event below the namespace.
pub(super) fn event_path(event: &Value) -> String {
    format!("/events/{}", event["id"])
}

/// The record in an answer; fails if the request was refused.
#[track_caller]
pub(super) fn record(answer: &Answer) -> Value {
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

/// Reads a record, without `json_ld`, which only single reads show.
pub(super) async fn read(client: &Client, path: &str) -> Value {
    let mut found = record(&client.get(path).await);
    remove_json_ld(&mut found);
    found
}

/// Removes `json_ld` from a record and its nested records.
pub(super) fn remove_json_ld(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.remove("json_ld");
            fields.values_mut().for_each(remove_json_ld);
        }
        Value::Array(values) => values.iter_mut().for_each(remove_json_ld),
        _ => {}
    }
}

/// The names of the fields in which two records differ, in alphabetical order.
pub(super) fn differences(before: &Value, after: &Value) -> Vec<String> {
    let names = |record: &Value| -> BTreeSet<String> {
        record.as_object().into_iter().flat_map(|fields| fields.keys().cloned()).collect()
    };
    let all = names(before).into_iter().chain(names(after)).collect::<BTreeSet<_>>();
    all.into_iter().filter(|name| before.get(name) != after.get(name)).collect()
}
