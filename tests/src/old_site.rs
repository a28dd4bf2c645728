//! A stand-in for a site of The Events Calendar: the shapes of its answers, with their oddities.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{Path, State},
    http::{HeaderMap, StatusCode, Uri, header},
    response::{IntoResponse, Response},
    routing::get,
};
use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use crate::pictures::png;

/// The user of the site, and the application password.
pub const LOGIN: [&str; 2] = ["ada", "abcd efgh"];

/// The most records in a page, whatever a request asks for.
const MOST: usize = 50;

/// A failure of a request.
#[derive(Clone, Copy, Debug)]
pub enum Failure {
    /// The connection ends within the response.
    Break,
    /// A status, with seconds to wait.
    Status(u16, Option<u64>),
    /// A warning of the site's program precedes the response.
    Warning,
}

/// The records and the behaviour of the site.
#[derive(Debug, Default)]
struct Content {
    lists: BTreeMap<&'static str, Vec<Value>>,
    /// The failures of the next requests.
    failures: Vec<Failure>,
    /// The number of requests after which every connection breaks.
    breaks_after: Option<usize>,
    /// The pause before each response.
    pause: Duration,
    /// The requests so far, as path and query.
    requests: Vec<String>,
    running: usize,
    most_running: usize,
}

/// A site on this machine.
#[derive(Clone, Debug)]
pub struct OldSite {
    /// Its address.
    pub address: SocketAddr,
    content: Arc<Mutex<Content>>,
}

impl OldSite {
    /// Starts a site without records.
    pub async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let site = Self {
            address: listener.local_addr().unwrap(),
            content: Arc::default(),
        };
        let router = Router::new()
            .route("/wp-json/tribe/events/v1/{list}", get(list))
            .route("/wp-json/tribe/events/v1/events/{id}", get(event))
            .route("/wp-json/wp/v2/tribe_events", get(states))
            .route("/wp-json/wp/v2/users/{id}", get(user))
            .route("/pictures/{name}", get(picture))
            .route("/wp-content/uploads/2026/11/{name}", get(picture))
            .with_state(site.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        site
    }

    /// The URL of the site.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Adds a record to a list, such as `events`. The fields that every record of the kind has are
    /// filled in.
    pub fn add(&self, list: &'static str, fields: Value) {
        let id = fields["id"].clone();
        let mut record = match list {
            "categories" | "tags" => json!({"count": 0, "description": "", "meta": []}),
            _ => json!({
                "author": "1", "status": "publish", "image": false, "description": "",
                "date": "2026-11-20 15:39:06", "date_utc": "2026-11-20 15:39:06",
                "url": format!("{}/{list}/{id}/", self.url()),
                "global_id": format!("127.0.0.1?id={id}"),
                "global_id_lineage": [format!("127.0.0.1?id={id}")],
            }),
        };
        if list == "events" {
            let dates = json!({
                "slug": format!("event-{id}"), "all_day": false, "timezone": "Europe/Berlin",
                "start_date": "2027-03-01 19:00:00", "end_date": "2027-03-01 22:30:00",
                "utc_start_date": "2027-03-01 18:00:00", "utc_end_date": "2027-03-01 21:30:00",
                "cost": "", "website": "", "show_map": false, "show_map_link": false,
                "hide_from_listings": false, "sticky": false, "featured": false,
                "categories": [], "tags": [], "venue": [], "organizer": [], "custom_fields": [],
            });
            extend(&mut record, dates);
        }
        extend(&mut record, fields);
        let mut content = self.content.lock().unwrap();
        content.lists.entry(list).or_default().push(record);
    }

    /// Changes the record of a list with an ID.
    pub fn change(&self, list: &'static str, id: i64, fields: Value) {
        let mut content = self.content.lock().unwrap();
        let records = content.lists.get_mut(list).unwrap();
        let record = records.iter_mut().find(|one| one["id"] == id).unwrap();
        extend(record, fields);
    }

    /// Removes the record of a list with an ID.
    pub fn remove(&self, list: &'static str, id: impl Into<Value>) {
        let id = id.into();
        let mut content = self.content.lock().unwrap();
        content
            .lists
            .get_mut(list)
            .unwrap()
            .retain(|one| one["id"] != id);
    }

    /// Adds a calendar of `events` events, with two categories, a tag, two venues and an organizer.
    pub fn fill(&self, events: i64) {
        self.add(
            "categories",
            json!({"id": 4, "name": "Jazz &amp; Blues", "slug": "jazz-blues", "parent": 3}),
        );
        self.add(
            "categories",
            json!({"id": 3, "name": "Music", "slug": "music", "parent": 0}),
        );
        self.add("tags", json!({"id": 8, "name": "5", "slug": "5"}));
        let hall = json!({
            "id": 6, "venue": "Blue Hall", "slug": "the-blue-hall", "address": "1 Main St",
            "city": "Potsdam", "country": "Germany", "province": "Brandenburg", "zip": "10115",
            "stateprovince": "Brandenburg", "show_map": true, "show_map_link": false,
        });
        self.add("venues", hall.clone());
        self.add(
            "venues",
            json!({"id": 7, "venue": "Small Room", "slug": "small-room"}),
        );
        let club = json!({"id": 9, "organizer": "Jazz Club", "slug": "jazz-club", "email": "club@old.example"});
        self.add("organizers", club.clone());
        for number in 0..events {
            let (month, day) = (1 + number % 12, 1 + number % 28);
            self.add(
                "events",
                json!({
                    "id": 100 + number, "title": format!("Concert {number} &#038; more"),
                    "start_date": format!("2027-{month:02}-{day:02} 12:{:02}:00", number % 60),
                    "end_date": format!("2027-{month:02}-{day:02} 15:00:00"),
                    "utc_start_date": format!("2027-{month:02}-{day:02} 12:{:02}:00", number % 60),
                    "utc_end_date": format!("2027-{month:02}-{day:02} 15:00:00"),
                    "timezone": "UTC", "venue": hall, "organizer": [club],
                    "categories": [{"id": 4, "name": "Jazz &amp; Blues", "slug": "jazz-blues"}],
                }),
            );
        }
    }

    /// Lets the next requests fail.
    pub fn fail(&self, failures: impl IntoIterator<Item = Failure>) {
        self.content.lock().unwrap().failures.extend(failures);
    }

    /// Breaks all connections after so many further requests, or none.
    pub fn break_after(&self, requests: Option<usize>) {
        let mut content = self.content.lock().unwrap();
        content.breaks_after = requests.map(|more| content.requests.len() + more);
    }

    /// Answers after a pause.
    pub fn slow(&self, pause: Duration) {
        self.content.lock().unwrap().pause = pause;
    }

    /// The requests so far, as path and query.
    pub fn requests(&self) -> Vec<String> {
        self.content.lock().unwrap().requests.clone()
    }

    /// The most requests at the same time.
    pub fn most_at_once(&self) -> usize {
        self.content.lock().unwrap().most_running
    }

    /// Notes a request, and returns its failure.
    async fn begin(&self, request: String) -> Option<Failure> {
        let (failure, pause) = {
            let mut content = self.content.lock().unwrap();
            content.requests.push(request);
            content.running += 1;
            content.most_running = content.most_running.max(content.running);
            let breaks = content
                .breaks_after
                .is_some_and(|after| content.requests.len() > after);
            let failure = (!content.failures.is_empty()).then(|| content.failures.remove(0));
            (failure.or(breaks.then_some(Failure::Break)), content.pause)
        };
        tokio::time::sleep(pause).await;
        self.content.lock().unwrap().running -= 1;
        failure
    }
}

/// Sets the fields of a record.
fn extend(record: &mut Value, fields: Value) {
    let Value::Object(fields) = fields else {
        panic!("no fields: {fields}");
    };
    record.as_object_mut().unwrap().extend(fields);
}

fn is_logged_in(headers: &HeaderMap) -> bool {
    let expected = format!("Basic {}", BASE64_STANDARD.encode(LOGIN.join(":")));
    headers
        .get(header::AUTHORIZATION)
        .is_some_and(|sent| *sent == expected)
}

fn parameters(uri: &Uri) -> BTreeMap<String, String> {
    let query = uri.query().unwrap_or_default();
    form_urlencoded::parse(query.as_bytes())
        .into_owned()
        .collect()
}

fn error(status: u16, code: &str) -> Response {
    let body = json!({"code": code, "message": "refused", "data": {"status": status}});
    (StatusCode::from_u16(status).unwrap(), body.to_string()).into_response()
}

async fn list(
    State(site): State<OldSite>,
    Path(name): Path<String>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let query = parameters(&uri);
    let request = query.iter().map(|(name, value)| format!("{name}={value}"));
    let request = format!("{name}?{}", request.collect::<Vec<_>>().join("&"));
    let failure = site.begin(request).await;
    let number =
        |field: &str, usual: usize| query.get(field).map_or(usual, |text| text.parse().unwrap());
    let (page, per_page) = (number("page", 1), number("per_page", 10).min(MOST));
    let status = query.get("status").map_or("publish", String::as_str);
    if headers.contains_key(header::AUTHORIZATION) && !is_logged_in(&headers) {
        return error(401, "incorrect_password");
    }
    if status != "publish" && !is_logged_in(&headers) {
        return error(400, "rest_invalid_param");
    }
    let is_term = matches!(&*name, "categories" | "tags");
    let found: Vec<Value> = {
        let content = site.content.lock().unwrap();
        let all = content.lists.get(&*name).into_iter().flatten();
        all.filter(|one| one["unlisted"] != true)
            .filter(|one| is_term || one["status"] == status || one["always"] == true)
            .cloned()
            .collect()
    };
    let shown: Vec<_> = found
        .iter()
        .skip((page - 1) * per_page)
        .take(per_page)
        .collect();
    if shown.is_empty() && page > 1 && !is_term {
        return error(404, "event-archive-page-not-found");
    }
    let pages = found.len().div_ceil(per_page);
    let mut body = json!({"rest_url": "", "total": found.len(), "total_pages": pages});
    if page < pages {
        body["next_rest_url"] = format!("{}/next?page={}", site.url(), page + 1).into();
    }
    body[&*name] = json!(shown);
    let body = body.to_string();
    match failure {
        None => body.into_response(),
        Some(Failure::Warning) => format!("<br />\n<b>Notice</b>: {{odd}}\n{body}").into_response(),
        Some(Failure::Status(status, wait)) => {
            let mut response = error(status, "busy");
            if let Some(wait) = wait {
                response
                    .headers_mut()
                    .insert(header::RETRY_AFTER, wait.into());
            }
            response
        }
        Some(Failure::Break) => {
            let begin = Bytes::from(body[..body.len() / 2].to_owned());
            let pieces = [Ok(begin), Err(std::io::Error::other("broken"))];
            Body::from_stream(futures_util::stream::iter(pieces)).into_response()
        }
    }
}

/// One event, also one that the list leaves out.
async fn event(State(site): State<OldSite>, Path(id): Path<String>) -> Response {
    site.begin(format!("events/{id}")).await;
    let content = site.content.lock().unwrap();
    let mut events = content.lists.get("events").into_iter().flatten();
    match events.find(|one| one["id"].as_u64() == id.parse().ok()) {
        Some(event) if event["unreadable"] != true => event.to_string().into_response(),
        _ => error(404, "event-not-found"),
    }
}

/// A page of the IDs of all events with a status.
fn ids(events: &[Value], query: &BTreeMap<String, String>) -> Response {
    let status = query.get("status").map_or("publish", String::as_str);
    let page: usize = query["page"].parse().unwrap();
    let of_status = events.iter().filter(|one| one["status"] == status);
    let ids: Vec<_> = of_status.map(|one| json!({"id": one["id"]})).collect();
    match ids.chunks(100).nth(page - 1) {
        Some(ids) => json!(ids).to_string().into_response(),
        None if page == 1 => "[]".into_response(),
        None => error(400, "rest_post_invalid_page_number"),
    }
}

/// The states of events, which the interface of the plug-in does not tell. A site in which no event has
/// one does not show them.
async fn states(State(site): State<OldSite>, uri: Uri) -> Response {
    let query = parameters(&uri);
    let content = site.content.lock().unwrap();
    let Some(include) = query.get("include") else {
        let events = content.lists.get("events").map_or(&[][..], Vec::as_slice);
        return ids(events, &query);
    };
    let wanted: Vec<_> = include.split(',').collect();
    let events = content.lists.get("events").into_iter().flatten();
    let states = events.filter_map(|event| {
        let id = event["id"].to_string();
        let state = event.get("state").filter(|_| wanted.contains(&&*id))?;
        Some(json!({"id": event["id"], "meta": {"_tribe_events_status": state}}))
    });
    let states: Vec<_> = states.collect();
    if states.is_empty() {
        return error(404, "rest_no_route");
    }
    json!(states).to_string().into_response()
}

/// Users 1 and 2 are shown to everybody; e-mail addresses only to a user of the site.
async fn user(
    State(site): State<OldSite>,
    Path(id): Path<String>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    site.begin(format!("users/{id}")).await;
    let edit = parameters(&uri).contains_key("context");
    let mut body = match &*id {
        "1" => json!({"id": 1, "name": "Editor", "slug": "editor"}),
        "2" => json!({"id": 2, "name": "Grace H", "slug": "grace"}),
        _ => return error(404, "rest_user_invalid_id"),
    };
    if edit {
        if !is_logged_in(&headers) {
            return error(401, "rest_forbidden_context");
        }
        body["email"] = "grace@old.example".into();
    }
    body.to_string().into_response()
}

async fn picture(State(site): State<OldSite>, Path(name): Path<String>) -> Response {
    site.begin(format!("pictures/{name}")).await;
    if name == "gone.png" {
        return StatusCode::NOT_FOUND.into_response();
    }
    ([(header::CONTENT_TYPE, "image/png")], png(40, 20)).into_response()
}
