//! Imports of calendar files.

mod compressed;
mod contents;
mod parents;
mod policies;
mod requests;
mod rescheduled;
mod round_trip;
mod series;
mod tables;

use axum::http::Method;
use serde_json::Value;
use tests::client::{Answer, Client};

/// Sends a file.
async fn send(client: &Client, query: &str, file: impl Into<Vec<u8>>) -> Answer {
    let body = Some(("text/calendar; charset=utf-8", file.into()));
    client.send(Method::POST, &format!("/imports{query}"), body).await
}

/// Imports a file, and returns the report.
async fn import_with(client: &Client, query: &str, file: impl Into<Vec<u8>>) -> Value {
    let answer = send(client, query, file).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

/// Imports a file, and returns the report.
async fn import(client: &Client, file: impl Into<Vec<u8>>) -> Value {
    import_with(client, "", file).await
}

/// A file of events.
fn calendar(events: &[String]) -> String {
    format!("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{}END:VCALENDAR\r\n", events.concat())
}

/// An event on 2030-03-10 from 9 to 12 in Paris; with these lines, of which one with the name of a default
/// replaces it.
fn event(uid: &str, lines: &[&str]) -> String {
    let defaults = [
        format!("UID:{uid}"),
        "DTSTART;TZID=Europe/Paris:20300310T090000".to_owned(),
        "DTEND;TZID=Europe/Paris:20300310T120000".to_owned(),
        format!("SUMMARY:Event {uid}"),
    ];
    let name = |line: &str| line.split([':', ';']).next().unwrap_or_default().to_owned();
    let is_replaced = |default: &String| lines.iter().any(|line| name(line) == name(default));
    let mut all: Vec<String> = defaults.into_iter().filter(|one| !is_replaced(one)).collect();
    all.extend(lines.iter().map(|line| (*line).to_owned()));
    format!("BEGIN:VEVENT\r\n{}\r\nEND:VEVENT\r\n", all.join("\r\n"))
}

/// The numbers of a report: created, updated, unchanged, cancelled, refused.
fn numbers(report: &Value) -> [u64; 5] {
    let number = |name: &str| report[name].as_u64().unwrap();
    let refused = report["refused"].as_array().unwrap().len() as u64;
    let [created, updated, unchanged, cancelled] =
        ["created", "updated", "unchanged", "cancelled"].map(number);
    [created, updated, unchanged, cancelled, refused]
}

/// The findings of a list of a report: line, property and code.
fn findings(list: &Value) -> Vec<(u64, &str, &str)> {
    let list = list.as_array().unwrap().iter();
    list.map(|one| {
        let text = |name: &str| one[name].as_str().unwrap();
        (one["line"].as_u64().unwrap(), text("property"), text("code"))
    })
    .collect()
}

/// All events with any status, by title.
async fn events(client: &Client) -> Vec<Value> {
    let path = "/events?status=any&per_page=50&start_date=1990-01-01&end_date=2100-01-01";
    let list = client.get(path).await.json();
    let mut events = list["events"].as_array().unwrap().clone();
    events.sort_by_key(|event| event["title"].as_str().unwrap().to_owned());
    events
}

/// The only event.
async fn only(client: &Client) -> Value {
    let events = events(client).await;
    let [event] = &events[..] else { panic!("{events:#?}") };
    event.clone()
}
