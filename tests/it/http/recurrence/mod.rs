//! Events that repeat.
//!
//! In the cases, S is the series "Jazz night": six Tuesdays from 2027-03-02, 19:00 to 21:00 in Paris.
//! Its ID is s, its occurrences are o1 to o6.

mod all;
mod at_once;
mod following;
mod horizon;
mod input;
mod lists;
mod one;
mod pages;
mod read_back;
mod records;
mod visibility;

use axum::http::Method;
use serde_json::{Value, json};
use tests::{
    app::TestApp,
    client::{Answer, Client, event_fields, id},
};

use super::records::{read, record};

/// The rule of S.
const WEEKLY: &str = "FREQ=WEEKLY;COUNT=6";

/// A series with its occurrences.
struct Series {
    id: i64,
    /// The IDs of the occurrences, in order of their slots.
    occurrences: Vec<i64>,
}

impl Series {
    /// The path of the series.
    fn path(&self) -> String {
        format!("/events/{}", self.id)
    }

    /// The path of the list of its occurrences.
    fn list(&self) -> String {
        format!("{}/occurrences", self.path())
    }

    /// The ID of the occurrence number `n`, from 1.
    fn id_of(&self, n: usize) -> i64 {
        self.occurrences[n - 1]
    }

    /// The path of the occurrence number `n`, from 1.
    fn of(&self, n: usize) -> String {
        format!("/events/{}", self.id_of(n))
    }

    /// The IDs of these occurrences, from 1.
    fn ids(&self, numbers: impl IntoIterator<Item = usize>) -> Vec<i64> {
        numbers.into_iter().map(|n| self.id_of(n)).collect()
    }
}

/// The fields of S with others.
fn jazz_fields(fields: Value) -> Value {
    let mut jazz = json!({
        "title": "Jazz night",
        "start_date": "2027-03-02 19:00:00",
        "end_date": "2027-03-02 21:00:00",
        "timezone": "Europe/Paris",
        "recurrence": WEEKLY,
    });
    let Value::Object(fields) = fields else { panic!("fields are an object") };
    jazz.as_object_mut().unwrap().extend(fields);
    jazz
}

/// Creates S with other fields.
async fn jazz_with(client: &Client, fields: Value) -> Series {
    let made = client.event(jazz_fields(fields)).await;
    let id = id(&made);
    let occurrences = client.get(&format!("/events/{id}/occurrences?per_page=100")).await.ids();
    Series { id, occurrences }
}

/// Creates S.
async fn jazz(app: &TestApp) -> Series {
    let series = jazz_with(&app.admin(), json!({})).await;
    assert_eq!(series.occurrences.len(), 6);
    series
}

/// The fields of an event of one hour in Paris with a rule.
fn hourly_fields(start: &str, rule: &str) -> Value {
    let (day, hour) = start.split_once(' ').unwrap();
    let hour: u32 = hour[..2].parse().unwrap();
    let end = format!("{day} {:02}:00:00", hour + 1);
    event_fields(json!({
        "start_date": start, "end_date": end, "timezone": "Europe/Paris", "recurrence": rule,
    }))
}

/// The records of a list.
async fn events(client: &Client, path: &str) -> Vec<Value> {
    let answer = record(&client.get(path).await);
    answer["events"].as_array().unwrap().clone()
}

/// A field of all occurrences of a series, in order of their start.
async fn all_of(client: &Client, series: i64, field: &str) -> Vec<Value> {
    let list = format!("/events/{series}/occurrences?per_page=100");
    let records = events(client, &list).await.into_iter();
    records.map(|record| record[field].clone()).collect()
}

/// The starts of all occurrences of a series, without the year and the seconds: `03-02 19:00`.
async fn starts(client: &Client, series: i64) -> Vec<String> {
    let dates = all_of(client, series, "start_date").await.into_iter();
    dates.map(|date| date.as_str().unwrap()[5..16].to_owned()).collect()
}

/// The Tuesdays of S at an hour, without those of these numbers.
fn tuesdays(hour: u32, without: &[usize]) -> Vec<String> {
    let days = ["03-02", "03-09", "03-16", "03-23", "03-30", "04-06"].iter().enumerate();
    days.filter(|(index, _)| !without.contains(&(index + 1)))
        .map(|(_, day)| format!("{day} {hour:02}:00"))
        .collect()
}

/// Sends a change.
async fn patch(client: &Client, path: &str, fields: Value) -> Answer {
    client.send_json(Method::PATCH, path, &fields).await
}

/// Sends a change that succeeds; returns the record.
async fn patched(client: &Client, path: &str, fields: Value) -> Value {
    record(&patch(client, path, fields).await)
}

/// Deletes a record.
async fn deleted(client: &Client, path: &str) -> Value {
    record(&client.delete(path).await)
}

/// The recurrence of a series.
async fn recurrence(client: &Client, series: i64) -> Value {
    read(client, &format!("/events/{series}")).await["recurrence"].clone()
}

/// The names of the fields of an occurrence that are its own.
fn own(record: &Value) -> Vec<&str> {
    let own = record["series"]["own"].as_array().unwrap_or_else(|| panic!("{record}"));
    own.iter().map(|name| name.as_str().unwrap()).collect()
}
