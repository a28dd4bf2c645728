//! The OpenAPI document: `docs/openapi.json` is the document served, and real answers fit its schemas.

use std::{collections::BTreeSet, env, fs, path::Path};

use axum::http::Method;
use serde_json::{Map, Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{Answer, Client, event_fields, has_fields},
    pictures::png,
};

use super::language_of_requests::routes_of_the_interface;

/// Environment variable: the test writes `docs/openapi.json` instead of comparing it.
const UPDATE: &str = "UPDATE_OPENAPI";

/// The document, and the answers that tests have seen.
pub(super) struct Document {
    pub(super) json: Value,
    seen: BTreeSet<(String, String, u16)>,
}

impl Document {
    pub(super) async fn of(app: &TestApp) -> Self {
        Self { json: app.anonymous().get("/doc").await.json(), seen: BTreeSet::new() }
    }

    /// Every operation: its method, its path and its description.
    pub(super) fn operations(&self) -> impl Iterator<Item = (Method, &String, &Value)> {
        let items = self.json["paths"].as_object().unwrap().iter();
        items.flat_map(|(path, item)| {
            let members = item.as_object().unwrap().iter();
            let operations = members.filter(|(_, member)| member.get("operationId").is_some());
            operations.map(move |(method, operation)| {
                (method.to_ascii_uppercase().parse().unwrap(), path, operation)
            })
        })
    }

    /// The parameters of an operation.
    pub(super) fn parameters<'a>(
        &'a self,
        operation: &'a Value,
    ) -> impl Iterator<Item = &'a Value> {
        operation["parameters"].as_array().unwrap().iter().map(move |named| self.resolve(named))
    }

    /// The names of the parameters in the query of a list.
    pub(super) fn parameter_names(&self, collection: &str) -> Vec<&str> {
        let parameters = self.parameters(&self.json["paths"][collection]["get"]);
        let in_query = parameters.filter(|parameter| parameter["in"] == "query");
        in_query.map(|parameter| parameter["name"].as_str().unwrap()).collect()
    }

    /// The fields that create a record of a collection, each with its schema.
    pub(super) fn fields(&self, collection: &str) -> &Map<String, Value> {
        let body = &self.json["paths"][collection]["post"]["requestBody"];
        let schema = self.resolve(&body["content"]["application/json"]["schema"]);
        schema["properties"].as_object().unwrap()
    }

    /// The target of a reference, or the value itself.
    pub(super) fn resolve<'a>(&'a self, value: &'a Value) -> &'a Value {
        match value["$ref"].as_str() {
            Some(reference) => self
                .json
                .pointer(reference.strip_prefix('#').unwrap())
                .unwrap_or_else(|| panic!("{reference} leads nowhere")),
            None => value,
        }
    }

    /// Fails unless a value fits a schema of the document.
    #[track_caller]
    pub(super) fn fits(&self, schema: &Value, value: &Value, what: &str) {
        let mut schema = schema.clone();
        schema["components"] = self.json["components"].clone();
        let validator = jsonschema::draft202012::new(&schema).unwrap();
        let errors: Vec<_> = validator
            .iter_errors(value)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{what}: {errors:#?}\n{value:#}");
    }

    /// Sends a request of an operation, and validates the answer by the document.
    async fn ask(
        &mut self,
        client: &Client,
        method: &str,
        route: &str,
        path: &str,
        body: Value,
    ) -> Answer {
        let sent = (!body.is_null()).then(|| ("application/json", body.to_string().into_bytes()));
        self.ask_with(client, method, route, path, sent).await
    }

    /// The same with a body of any type.
    async fn ask_with(
        &mut self,
        client: &Client,
        method: &str,
        route: &str,
        path: &str,
        sent: Option<(&str, Vec<u8>)>,
    ) -> Answer {
        let verb = Method::from_bytes(method.as_bytes()).unwrap();
        let answer = client.send(verb, path, sent).await;
        let what = format!("{method} {path}: {}", answer.status);
        let operation = &self.json["paths"][route][method.to_ascii_lowercase()];
        assert!(operation.is_object(), "{what} is not described");
        let responses = &operation["responses"];
        let response = self.resolve(&responses[answer.status.to_string()]);
        assert!(response.is_object(), "{what} is not described: {}", answer.text());
        self.fits(&response["content"]["application/json"]["schema"], &answer.json(), &what);
        for (name, header) in response["headers"].as_object().into_iter().flatten() {
            if self.resolve(header)["required"] == true {
                assert_ne!(answer.header(&name.to_ascii_lowercase()), "", "{what}: {name}");
            }
        }
        self.seen.insert((method.to_owned(), route.to_owned(), answer.status));
        answer
    }

    /// The successful answers that no test has seen.
    fn unseen(&self) -> Vec<String> {
        let mut unseen = Vec::new();
        for (method, route, operation) in self.operations() {
            for status in operation["responses"].as_object().unwrap().keys() {
                let seen = (method.to_string(), route.clone(), status.parse().unwrap());
                if status.starts_with('2') && !self.seen.contains(&seen) {
                    unseen.push(format!("{method} {route} {status}"));
                }
            }
        }
        unseen
    }
}

/// A kind of record: its collection, its title field, and whether it has paths by slug.
struct Kind {
    plural: &'static str,
    title: &'static str,
    by_slug: bool,
}

const KINDS: [Kind; 5] = [
    Kind { plural: "venues", title: "venue", by_slug: true },
    Kind { plural: "organizers", title: "organizer", by_slug: true },
    Kind { plural: "categories", title: "name", by_slug: false },
    Kind { plural: "tags", title: "name", by_slug: false },
    Kind { plural: "events", title: "title", by_slug: true },
];

/// All operations on a record, found by its ID or by its slug.
async fn go_through(document: &mut Document, app: &TestApp, kind: &Kind, way: &str) {
    let admin = &app.admin();
    let Kind { plural, title, .. } = kind;
    let collection = format!("/{plural}");
    let route = match way {
        "id" => format!("/{plural}/{{id}}"),
        _ => format!("/{plural}/by-slug/{{slug}}"),
    };
    let fields = event_fields(json!({*title: format!("By {way}"), "slug": format!("by-{way}")}));
    let record = document.ask(admin, "POST", &collection, &collection, fields).await.json();
    let path = |record: &Value| match way {
        "id" => format!("/{plural}/{}", record["id"]),
        _ => format!("/{plural}/by-slug/{}", record["slug"].as_str().unwrap()),
    };
    let own = &path(&record);
    for method in ["POST", "PUT", "PATCH"] {
        document.ask(admin, method, &route, own, json!({"description": method})).await;
        document
            .ask(admin, method, &route, own, json!({*title: ""}))
            .await
            .assert_invalid(&[title]);
    }
    document.ask(&app.anonymous(), "GET", &route, own, Value::Null).await;
    for refused in [app.anonymous(), app.subscriber()] {
        document.ask(&refused, "DELETE", &route, own, Value::Null).await;
        document.ask(&refused, "PUT", &route, own, json!({})).await;
    }
    let gone = document.ask(admin, "DELETE", &route, own, Value::Null).await;
    assert_eq!(gone.status, 200, "{}", gone.text());
    let trashed = &path(&gone.json());
    for client in [admin, &app.anonymous()] {
        document.ask(client, "GET", &route, trashed, Value::Null).await;
        document.ask(client, "DELETE", &route, trashed, Value::Null).await;
    }
    document.ask(admin, "DELETE", &route, &format!("{trashed}?force=true"), Value::Null).await;
    let absent = document.ask(admin, "GET", &route, trashed, Value::Null).await;
    assert_eq!(absent.status, 404);
    document.ask(admin, "PUT", &route, trashed, json!({})).await;
}

/// All operations on an occurrence, found by its slot, and the list of occurrences.
async fn go_through_occurrences(document: &mut Document, app: &TestApp) {
    let (admin, anonymous) = (&app.admin(), &app.anonymous());
    let fields = event_fields(json!({"title": "Weekly", "recurrence": "FREQ=WEEKLY;COUNT=4"}));
    let series =
        document.ask(admin, "POST", "/events", "/events", fields).await.json()["id"].clone();
    let (list, route) = ("/events/{id}/occurrences", "/events/{id}/occurrences/{recurrence_id}");
    let path = format!("/events/{series}/occurrences");
    let own = &format!("{path}/2027-03-17");
    for query in ["", "?per_page=2&page=2", "?page=9", "?own=x", "?cancelled=true"] {
        document.ask(anonymous, "GET", list, &format!("{path}{query}"), Value::Null).await;
    }
    document.ask(anonymous, "GET", list, "/events/999/occurrences", Value::Null).await;
    for method in ["POST", "PUT", "PATCH"] {
        document.ask(admin, method, route, own, json!({"description": method})).await;
        let refused = document.ask(admin, method, route, own, json!({"slug": "x"})).await;
        refused.assert_invalid(&["slug"]);
    }
    document.ask(anonymous, "GET", route, own, Value::Null).await;
    for refused in [anonymous, &app.subscriber()] {
        document.ask(refused, "DELETE", route, own, Value::Null).await;
        document.ask(refused, "PATCH", route, own, json!({})).await;
    }
    let gone = document.ask(admin, "DELETE", route, own, Value::Null).await;
    assert_eq!(gone.status, 200, "{}", gone.text());
    for client in [admin, anonymous] {
        document.ask(client, "GET", route, own, Value::Null).await;
        document.ask(client, "DELETE", route, own, Value::Null).await;
    }
    document.ask(admin, "DELETE", route, &format!("{own}?force=true"), Value::Null).await;
    let verify = "/events/{id}/verify";
    let clients = [admin, &app.anonymous(), &app.contributor()];
    for client in clients {
        let path = format!("/events/{series}/verify");
        document.ask(client, "POST", verify, &path, Value::Null).await;
    }
    document.ask(admin, "POST", verify, "/events/99/verify", Value::Null).await;
    document.ask(admin, "POST", verify, "/events/99/verify?_strict=1&x=1", Value::Null).await;
    let absent =
        document.ask(admin, "GET", route, &format!("{path}/2027-03-18"), Value::Null).await;
    assert_eq!(absent.status, 404);
}

/// G-06: The document names its version of OpenAPI, and has every path and schema.
#[both_stores]
async fn the_document_is_complete(app: &TestApp) {
    let answer = app.anonymous().get("/doc").await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), "application/json; charset=UTF-8");
    let document = Document::of(app).await;
    has_fields(
        &document.json,
        json!({"openapi": "3.1.0", "servers.0.url": "https://cal.example/cal/events/v1"}),
    );
    let described: BTreeSet<(String, String)> = document
        .operations()
        .filter(|(_, path, _)| !["/healthz", "/livez", "/readyz"].contains(&path.as_str()))
        .map(|(method, path, _)| (method.to_string(), path.trim_end_matches('/').to_owned()))
        .collect();
    let served = routes_of_the_interface().into_iter();
    assert_eq!(described, served.map(|(method, path)| (method.to_string(), path)).collect());
    let schemas = document.json["components"]["schemas"].as_object().unwrap();
    for name in [
        "ImageSize",
        "CostDetails",
        "Term",
        "Image",
        "DateDetails",
        "Event",
        "Venue",
        "Organizer",
        "Error",
    ] {
        assert!(schemas.contains_key(name), "{name}");
    }
}

/// `docs/openapi.json` is the document served, pretty-printed.
#[both_stores]
async fn the_document_is_the_recorded_one(app: &TestApp) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/openapi.json");
    let served = format!("{:#}\n", app.anonymous().get("/doc").await.json());
    if env::var_os(UPDATE).is_some() {
        fs::write(&path, &served).unwrap();
        return;
    }
    let recorded = fs::read_to_string(&path).unwrap_or_default();
    let differs = recorded.lines().zip(served.lines()).position(|(one, other)| one != other);
    assert!(
        recorded == served,
        "docs/openapi.json differs from the document served, first in line {}: run \
         `{UPDATE}=1 cargo test -p tests --test it recorded`, and review the difference",
        differs.unwrap_or_else(|| recorded.lines().count().min(served.lines().count())) + 1
    );
}

/// The answers of every operation fit the document, successful and refused ones.
#[both_stores]
async fn answers_fit_the_document(app: &TestApp) {
    let document = &mut Document::of(app).await;
    let (admin, anonymous) = (&app.admin(), &app.anonymous());
    for route in ["/", "/doc"] {
        document.ask(anonymous, "GET", route, route, Value::Null).await;
        document
            .ask(anonymous, "GET", route, &format!("{route}?ml_language=xx"), Value::Null)
            .await;
    }
    document.ask(anonymous, "GET", "/", "/?namespace=x", Value::Null).await;
    for probe in ["/healthz", "/livez", "/readyz"] {
        document.ask(anonymous, "GET", probe, &format!("/{probe}"), Value::Null).await;
    }
    for kind in &KINDS {
        let collection = &format!("/{}", kind.plural);
        for way in ["id", "slug"].iter().take(if kind.by_slug { 2 } else { 1 }) {
            go_through(document, app, kind, way).await;
        }
        for fields in [json!({}), event_fields(json!({kind.title: "x", "slug": 5}))] {
            document.ask(anonymous, "POST", collection, collection, fields).await;
        }
        for query in [
            "",
            "?page=2",
            "?per_page=0",
            "?search=x",
            "?status=any",
            "?hide_empty=0",
            "?event=99",
            "?orderby=x",
            "?ml_language=xx",
        ] {
            document
                .ask(anonymous, "GET", collection, &format!("{collection}{query}"), Value::Null)
                .await;
        }
        document.ask(&app.authorized("Bearer x"), "GET", collection, collection, Value::Null).await;
        let long = format!("{collection}?search={}", "x".repeat(9000));
        document.ask(admin, "GET", collection, &long, Value::Null).await;
    }
    go_through_occurrences(document, app).await;
    for (client, kind, content) in [
        (admin, "image/png", png(400, 200)),
        (admin, "image/png", b"no picture".to_vec()),
        (admin, "text/plain", Vec::new()),
        (anonymous, "image/png", png(1, 1)),
        (&app.contributor(), "image/png", png(1, 1)),
    ] {
        document.ask_with(client, "POST", "/images", "/images", Some((kind, content))).await;
    }
    let fair = b"BEGIN:VEVENT\nDTSTART:20300310\nSUMMARY:x\nEND:VEVENT\nBEGIN:VEVENT\nEND:VEVENT";
    for (client, kind, content) in [
        (admin, "application/octet-stream", fair.to_vec()),
        (admin, "text/plain", Vec::new()),
        (anonymous, "text/calendar", Vec::new()),
        (&app.contributor(), "text/calendar", Vec::new()),
    ] {
        document.ask_with(client, "POST", "/imports", "/imports", Some((kind, content))).await;
    }
    go_through_image(document, app).await;
    for (client, body) in [
        (admin, json!({"name": "All", "query": "status=any"})),
        (admin, json!({"query": "status=any"})),
        (admin, json!({"name": "x", "query": "status=x"})),
        (anonymous, json!({"name": "x"})),
    ] {
        document.ask(client, "POST", "/feeds", "/feeds", body).await;
    }
    for (client, method) in [
        (anonymous, "GET"),
        (admin, "GET"),
        (anonymous, "DELETE"),
        (admin, "DELETE"),
        (admin, "GET"),
    ] {
        document.ask(client, "GET", "/feeds", "/feeds", Value::Null).await;
        document.ask(client, method, "/feeds/{id}", "/feeds/1", Value::Null).await;
    }
    document.ask(admin, "POST", "/tags", "/tags", json!({"name": " "})).await;
    document.ask(admin, "POST", "/tags", "/tags", json!({"name": "x", "parent": 1})).await;
    for _ in 0..2 {
        document.ask(admin, "POST", "/tags", "/tags", json!({"name": "x"})).await;
    }
    for query in ["", "?texts=all", "?wait=1", "?sync_token=x"] {
        document.ask(admin, "GET", "/changes", &format!("/changes{query}"), Value::Null).await;
    }
    let token = admin.get("/changes").await.json()["sync_token"].as_str().unwrap().to_owned();
    let path = format!("/changes?sync_token={token}");
    let expired = document.ask(anonymous, "GET", "/changes", &path, Value::Null).await;
    expired.assert_error(410, "sync-token-expired");
    go_through_sources(document, app).await;
    go_through_duplicates(document, app).await;
    for client in [&app.anonymous(), &app.author(), &app.admin()] {
        document.ask(client, "GET", "/audit", "/audit", Value::Null).await;
    }
    document.ask(&app.admin(), "GET", "/audit", "/audit?kind=x", Value::Null).await;
    go_through_revisions(document, app).await;
    assert_eq!(document.unseen(), Vec::<String>::new());
}

/// The revisions of a record of each kind.
async fn go_through_revisions(document: &mut Document, app: &TestApp) {
    let (admin, anonymous, subscriber) = (&app.admin(), &app.anonymous(), &app.subscriber());
    for list in ["events", "venues", "organizers", "categories", "tags"] {
        let mut fields = event_fields(json!({"title": "Former"}));
        for title in ["venue", "organizer", "name"] {
            if list != "events" {
                fields[title] = json!("Former");
            }
        }
        if list == "categories" {
            let above = admin.make("/categories", json!({"name": "Above"})).await;
            fields["parent"] = above["id"].clone();
        }
        let record = admin.make(&format!("/{list}"), fields.clone()).await;
        if list == "categories" {
            admin.delete(&format!("/categories/{}", fields["parent"])).await;
        }
        let one = format!("/{list}/{}", record["id"]);
        let route = format!("/{list}/{{id}}/revisions");
        let restore = format!("{route}/{{n}}/restore");
        for client in [admin, anonymous, subscriber] {
            let all = format!("{one}/revisions");
            document.ask(client, "GET", &route, &all, Value::Null).await;
            let first = format!("{one}/revisions/1/restore");
            document.ask(client, "POST", &restore, &first, Value::Null).await;
            let (by_id, as_of) = (format!("/{list}/{{id}}"), "?as_of=2027-01-01T12:00:00Z");
            document.ask(client, "GET", &by_id, &format!("{one}{as_of}"), Value::Null).await;
            if !["categories", "tags"].contains(&list) {
                let by_slug = format!("/{list}/by-slug/{{slug}}");
                let path = format!("/{list}/by-slug/{}{as_of}", record["slug"].as_str().unwrap());
                document.ask(client, "GET", &by_slug, &path, Value::Null).await;
            }
        }
        for path in [format!("{one}/revisions?page=x"), format!("/{list}/999/revisions")] {
            document.ask(admin, "GET", &route, &path, Value::Null).await;
        }
        for path in [
            format!("{one}/revisions/99/restore"),
            format!("{one}/revisions/x/restore"),
            format!("/{list}/999/revisions/1/restore"),
            format!("{one}/revisions/1/restore?_strict=1&x=1"),
        ] {
            document.ask(admin, "POST", &restore, &path, Value::Null).await;
        }
    }
    let series = event_fields(json!({"title": "Weekly", "recurrence": "FREQ=WEEKLY;COUNT=4"}));
    let series = admin.make("/events", series).await;
    let route = "/events/{id}/occurrences/{recurrence_id}";
    let path = format!("/events/{}/occurrences/2027-03-17", series["id"]);
    admin.change(&path, json!({"title": "Own"})).await;
    for client in [admin, anonymous, subscriber] {
        let path = format!("{path}?as_of=2027-01-01T12:00:00Z");
        document.ask(client, "GET", route, &path, Value::Null).await;
    }
}

/// The operations on sources, none of which is run: the service has no job that runs them.
async fn go_through_sources(document: &mut Document, app: &TestApp) {
    let (admin, editor, anonymous) = (&app.admin(), &app.editor(), &app.anonymous());
    let club = json!({"name": "Club", "url": "https://club.example/5f2a.ics"});
    for (client, body) in [
        (admin, club.clone()),
        (admin, club.clone()),
        (admin, json!({"name": "Club"})),
        (admin, json!({"name": "Town", "url": "x", "header_file": "y"})),
        (editor, club.clone()),
        (anonymous, club),
    ] {
        document.ask(client, "POST", "/sources", "/sources", body).await;
    }
    let (one, route) = ("/sources/1", "/sources/{id}");
    for client in [admin, editor, anonymous, &app.author()] {
        document.ask(client, "GET", "/sources", "/sources", Value::Null).await;
        document.ask(client, "GET", route, one, Value::Null).await;
        document.ask(client, "GET", route, "/sources/9", Value::Null).await;
        for method in ["POST", "PUT", "PATCH"] {
            document.ask(client, method, route, one, json!({"policy": "overwrite"})).await;
            document.ask(client, method, route, one, json!({"policy": "x"})).await;
        }
        for action in ["pause", "resume", "run"] {
            let route = format!("{route}/{action}");
            document.ask(client, "POST", &route, &format!("{one}/{action}"), Value::Null).await;
            document
                .ask(client, "POST", &route, &format!("/sources/9/{action}"), Value::Null)
                .await;
        }
    }
    for (client, query) in
        [(editor, "?events=keep"), (admin, ""), (admin, "?events=keep"), (admin, "?events=keep")]
    {
        document.ask(client, "DELETE", route, &format!("{one}{query}"), Value::Null).await;
    }
}

/// The operations on a pair of venues that look alike.
async fn go_through_duplicates(document: &mut Document, app: &TestApp) {
    let (editor, anonymous) = (&app.editor(), &app.anonymous());
    let hall = json!({"venue": "Twin hall", "city": "Lyon", "phone": "12"});
    let hall = [editor.make("/venues", hall.clone()).await, editor.make("/venues", hall).await];
    app.calendar.find_duplicates().await.unwrap();
    let list = "/duplicates";
    let found = document.ask(editor, "GET", list, "/duplicates?kind=venue", Value::Null).await;
    let id = found.json()["duplicates"][0]["id"].to_string();
    for client in [anonymous, &app.author()] {
        document.ask(client, "GET", list, list, Value::Null).await;
    }
    document.ask(editor, "GET", list, "/duplicates?state=x", Value::Null).await;
    for (client, action, body) in [
        (anonymous, "merge", json!({"keep": hall[0]["id"]})),
        (&app.author(), "dismiss", Value::Null),
        (editor, "merge", json!({})),
        (editor, "undo", Value::Null),
        (editor, "merge", json!({"keep": hall[0]["id"]})),
        (editor, "merge", json!({"keep": hall[0]["id"]})),
        (editor, "undo", Value::Null),
        (editor, "dismiss", Value::Null),
        (editor, "dismiss", Value::Null),
    ] {
        let route = format!("/duplicates/{{id}}/{action}");
        let path = format!("/duplicates/{id}/{action}");
        document.ask(client, "POST", &route, &path, body).await;
        document
            .ask(editor, "POST", &route, &format!("/duplicates/99/{action}"), Value::Null)
            .await;
    }
}

/// The operations on an image that records show.
async fn go_through_image(document: &mut Document, app: &TestApp) {
    let (admin, anonymous) = (&app.admin(), &app.anonymous());
    let shown = json!({"venue": "Shown", "image": 1});
    document.ask(admin, "POST", "/venues", "/venues", shown).await;
    let shown = event_fields(json!({"image": "1", "venue": 1}));
    document.ask(admin, "POST", "/events", "/events", shown).await;
    for (client, method, alt) in [
        (admin, "PUT", json!("A bench")),
        (admin, "PATCH", json!("A red bench")),
        (admin, "PATCH", json!(5)),
        (admin, "POST", json!("")),
        (anonymous, "PUT", json!("A bench")),
        (&app.contributor(), "PUT", json!("A bench")),
    ] {
        let body = json!({"alt": alt});
        document.ask(client, method, "/images/{id}", "/images/1", body).await;
    }
    for (client, method) in
        [(anonymous, "GET"), (anonymous, "DELETE"), (admin, "DELETE"), (admin, "GET")]
    {
        document.ask(client, method, "/images/{id}", "/images/1", Value::Null).await;
    }
}

/// A locked event, a draft and one over all years fit their schema, and so do lists of several
/// pages.
#[both_stores]
async fn odd_records_fit_the_document(app: &TestApp) {
    let document = &mut Document::of(app).await;
    let (admin, anonymous) = (&app.admin(), &app.anonymous());
    for fields in [
        json!({"password": "secret", "cost": "5"}),
        json!({"status": "draft"}),
        json!({"cost": ["$5", "€7.50"], "all_day": true, "featured": true}),
        json!({"start_date": "0001-01-01", "end_date": "9999-12-31"}),
    ] {
        document.ask(admin, "POST", "/events", "/events", event_fields(fields)).await;
    }
    for path in ["/events/1", "/events/1?password=secret", "/events/2", "/events/3", "/events/4"] {
        document.ask(anonymous, "GET", "/events/{id}", path, Value::Null).await;
    }
    for query in ["per_page=1", "per_page=1&page=2", "per_page=1&page=9", "include=1,4"] {
        document.ask(anonymous, "GET", "/events", &format!("/events?{query}"), Value::Null).await;
    }
    for path in ["/venues?event=2", "/tags?event=1", "/categories?event=2", "/organizers?event=x"] {
        let (route, _) = path.split_once('?').unwrap();
        document.ask(anonymous, "GET", route, path, Value::Null).await;
    }
}

/// The service accepts the example of each body.
#[both_stores]
async fn examples_are_accepted(app: &TestApp) {
    let document = &mut Document::of(app).await;
    let admin = &app.admin();
    for kind in &KINDS {
        let collection = &format!("/{}", kind.plural);
        for method in ["POST", "PUT"] {
            let (route, path) = match method {
                "POST" => (collection.clone(), collection.clone()),
                _ => (format!("{collection}/{{id}}"), format!("{collection}/1")),
            };
            let operation = document.json["paths"][&route][method.to_ascii_lowercase()].clone();
            let body = &operation["requestBody"]["content"]["application/json"];
            document.fits(&body["schema"], &body["example"], &route);
            let answer = document.ask(admin, method, &route, &path, body["example"].clone()).await;
            assert!(answer.status < 300, "{method} {path}: {}", answer.text());
        }
    }
}
