//! Facts about a calendar, read and checked before a measurement.

use std::collections::HashSet;

use anyhow::{Context, bail, ensure};
use domain::time::Timestamp;
use serde_json::Value;

use crate::{
    client::{Client, Request},
    process::Server,
};

pub(crate) const API: &str = "/cal/events/v1";

/// All dates. Without dates, a list begins yesterday.
pub(crate) const ALWAYS: &str = "start_date=2000-01-01&end_date=2100-01-01";

/// A word that 20 events contain.
pub(crate) const RARE: &str = "glockenspiel";

/// The city with the most venues.
const PARIS: (f64, f64) = (48.85, 2.35);

/// Facts about a calendar.
#[derive(Debug)]
pub(crate) struct Facts {
    /// Number of upcoming events.
    pub(crate) total: u64,
    /// IDs of some of them, in order.
    pub(crate) ids: Vec<i64>,
    /// Category, tag and venue of some events.
    pub(crate) triples: Vec<(i64, i64, i64)>,
    /// Path of a list of events near a position.
    pub(crate) near: String,
    /// Bodies of the list, of an event, of the categories and of events near a position.
    pub(crate) bodies: [Vec<u8>; 4],
    pub(crate) rare: u64,
}

/// The default list.
pub(crate) fn list() -> String {
    format!("{API}/events")
}

pub(crate) fn page(number: usize) -> String {
    format!("{API}/events?page={number}")
}

pub(crate) fn event(id: i64) -> String {
    format!("{API}/events/{id}")
}

pub(crate) fn categories() -> String {
    format!("{API}/categories?per_page=50")
}

pub(crate) fn category(id: i64) -> String {
    format!("{API}/events?categories={id}")
}

fn near((latitude, longitude): (f64, f64)) -> String {
    format!("{API}/events?geoloc_lat={latitude}&geoloc_lng={longitude}&geoloc_distance=10")
}

pub(crate) fn rare() -> String {
    format!("{API}/events?search={RARE}&{ALWAYS}")
}

pub(crate) fn triple((category, tag, venue): (i64, i64, i64)) -> String {
    format!("{API}/events?categories={category}&tags={tag}&venue={venue}&{ALWAYS}")
}

/// A search within 30 days, different for each number.
pub(crate) fn search(number: usize, now: Timestamp) -> String {
    const WORDS: [&str; 8] = [
        "jazz",
        "robotics",
        "library",
        "marine",
        "harwelton",
        "photographs",
        "salsa",
        "research",
    ];
    let word = WORDS[number % WORDS.len()];
    let dates = days(number % 700, 30, now);
    format!("{API}/events?search={word}&{dates}")
}

/// Dates of `length` days that begin `first` days after now.
pub(crate) fn days(first: usize, length: usize, now: Timestamp) -> String {
    let (from, to) = (day(first, now), day(first + length, now));
    format!("start_date={from}&end_date={to}")
}

/// The date some days after now.
pub(crate) fn day(days: usize, now: Timestamp) -> String {
    let seconds = i64::try_from(days).unwrap_or_default() * 24 * 3600;
    let date = now.saturating_add(seconds).to_string();
    date.split(' ').next().unwrap_or_default().to_owned()
}

/// Requests JSON from a server.
pub(crate) async fn get_json(client: &mut Client, path: &str) -> anyhow::Result<(Value, Vec<u8>)> {
    let answer = client.send(&Request::get(path)).await?;
    ensure!(
        answer.status == 200,
        "{path} was answered {}",
        answer.status
    );
    Ok((serde_json::from_slice(answer.body)?, answer.body.to_vec()))
}

impl Facts {
    /// Reads the facts from a server.
    pub(crate) async fn gather(server: &Server, ids: usize) -> anyhow::Result<Self> {
        let mut client = Client::connect(server.address).await?;
        let (first, list_body) = get_json(&mut client, &list()).await?;
        let total = first["total"].as_u64().context("no total")?;
        let records = first["events"].as_array().context("no events")?;
        ensure!(records.len() == 10, "a list of {} events", records.len());

        let mut known = HashSet::new();
        let (mut all, mut triples) = (Vec::new(), Vec::new());
        for number in 1_u64.. {
            let path = format!("{API}/events?per_page=50&page={number}");
            let (answer, _) = get_json(&mut client, &path).await?;
            let records = answer["events"].as_array().context("no events")?;
            for record in records {
                let id = record["id"].as_i64().context("no ID")?;
                if !known.insert(id) {
                    bail!("event {id} is on two pages");
                }
                // A locked event is listed without texts, and cannot be read alone.
                if record["description"] == "" {
                    continue;
                }
                all.push(id);
                let first = |list: &str| record[list][0]["id"].as_i64();
                let venue = record["venue"]["id"].as_i64();
                let terms = first("categories").zip(first("tags"));
                triples.extend(
                    terms
                        .zip(venue)
                        .map(|((category, tag), venue)| (category, tag, venue)),
                );
            }
            let pages = answer["total_pages"].as_u64().context("no pages")?;
            if all.len() >= ids || number >= pages {
                break;
            }
        }
        let (_, event_body) = get_json(&mut client, &event(all[0])).await?;
        let (categories, categories_body) = get_json(&mut client, &categories()).await?;
        check_categories(&mut client, &categories).await?;
        let mut near_path = near(PARIS);
        let (mut found, mut near_body) = get_json(&mut client, &near_path).await?;
        if found["total"] == 0 {
            // A small calendar may have no venue in the city.
            let place = records.iter().find_map(place_of);
            near_path = near(place.context("no venue has a place")?);
            (found, near_body) = get_json(&mut client, &near_path).await?;
        }
        ensure!(found["total"].as_u64() > Some(0), "nothing is near a place");
        let (found, _) = get_json(&mut client, &rare()).await?;
        let rare = found["total"].as_u64().context("no total")?;
        ensure!(rare > 0, "no event holds the rare word");
        Ok(Self {
            total,
            ids: all,
            triples,
            near: near_path,
            bodies: [list_body, event_body, categories_body, near_body],
            rare,
        })
    }
}

/// The position of an event.
fn place_of(event: &Value) -> Option<(f64, f64)> {
    let venue = &event["venue"];
    venue["geo_lat"].as_f64().zip(venue["geo_lng"].as_f64())
}

/// Checks that a child category has events, and that its parent lists at least as many.
async fn check_categories(client: &mut Client, answer: &Value) -> anyhow::Result<()> {
    let categories = answer["categories"].as_array().context("no categories")?;
    let counted = |one: &&Value| one["count"].as_u64() > Some(0);
    let below = |one: &&Value| one["parent"].as_i64() > Some(0);
    let child = categories.iter().filter(counted).find(below);
    let child = child.context("no category below another has events")?;
    let (of_child, parent) = (child["id"].as_i64(), child["parent"].as_i64());
    let (of_child, parent) = of_child.zip(parent).context("no ID")?;
    let path = |id| format!("{}&{ALWAYS}", category(id));
    let (few, _) = get_json(client, &path(of_child)).await?;
    let (many, _) = get_json(client, &path(parent)).await?;
    let (few, many) = (few["total"].as_u64(), many["total"].as_u64());
    ensure!(
        few > Some(0) && many >= few,
        "category {of_child} holds {few:?} events, {parent} above it {many:?}"
    );
    Ok(())
}
