//! The limits in the document are those of the service, and generators can read it.

use std::collections::BTreeSet;

use axum::http::Method;
use serde_json::{Map, Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{Client, event_fields, id},
    for_each_row,
    pictures::png,
};

use super::{document::Document, languages::KINDS};

/// Calls `look` with every schema and all subschemas.
fn walk(value: &Value, path: &str, look: &mut impl FnMut(&str, &Map<String, Value>)) {
    match value {
        Value::Object(object) => {
            look(path, object);
            for (name, value) in object {
                walk(value, &format!("{path}/{name}"), look);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| walk(value, path, look)),
        _ => {}
    }
}

/// A value beyond each limit of a schema, with the name of the limit.
fn excesses(schema: &Value) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    if let Some(most) = schema["maxLength"].as_u64() {
        let text = "a".repeat(usize::try_from(most).unwrap() + 1);
        found.push((format!("maxLength {most}"), json!(text)));
    }
    if schema["minLength"] == 1 {
        found.push(("minLength".to_owned(), json!("")));
    }
    if let Some(most) = schema["maxItems"].as_u64() {
        let items: Vec<u64> = (1..=most + 1).collect();
        found.push((format!("maxItems {most}"), json!(items)));
    }
    if let Some(most) = schema["maximum"].as_i64() {
        found.push((format!("maximum {most}"), json!(most.unsigned_abs() + 1)));
    }
    if let Some(least) = schema["minimum"].as_i64() {
        found.push((format!("minimum {least}"), json!(least - 1)));
    }
    for one in schema["anyOf"].as_array().into_iter().flatten() {
        found.extend(excesses(one));
    }
    found
}

/// A value as it stands in a query or a header.
fn text(value: &Value) -> String {
    match value {
        Value::Array(values) => values.iter().map(text).collect::<Vec<_>>().join(","),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Creates one record of each kind, and an image.
async fn fill(app: &TestApp) -> Client {
    let admin = app.admin();
    admin.make("/categories", json!({"name": "Outdoor"})).await;
    admin.make("/tags", json!({"name": "river"})).await;
    admin.make("/venues", json!({"venue": "Old Mill", "slug": "x"})).await;
    admin.make("/organizers", json!({"organizer": "Green Hands"})).await;
    admin.event(json!({"title": "River cleanup", "categories": [1], "tags": [1], "venue": 1, "organizer": 1})).await;
    let walk = json!({"title": "River walk", "start_date": "2027-04-17 09:00", "end_date": "2027-04-17 12:00", "recurrence": "FREQ=WEEKLY;COUNT=4"});
    admin.event(walk).await;
    let image = Some(("image/png", png(1200, 800)));
    admin.send(Method::POST, "/images", image).await;
    admin
}

/// D-30: A value beyond a limit of the document is refused, in every field.
#[both_stores]
async fn stated_limits_are_those_of_the_service(app: &TestApp) {
    let admin = fill(app).await;
    let document = Document::of(app).await;
    let mut tried = 0;
    for (collection, title) in KINDS {
        for (field, schema) in document.fields(collection) {
            for (limit, value) in excesses(schema) {
                let mut fields = event_fields(json!({title: "Name"}));
                fields[field] = value;
                let answer = admin.post(collection, fields).await;
                let what = format!("{collection} {field} {limit}: {}", answer.text());
                assert_eq!(answer.status, 400, "{what}");
                assert!(answer.json()["data"]["params"].get(field).is_some(), "{what}");
                tried += 1;
            }
        }
        for parameter in document.parameters(&document.json["paths"][collection]["get"]) {
            let name = parameter["name"].as_str().unwrap();
            for (limit, value) in excesses(&parameter["schema"]) {
                // Numbers in a query are text: no record has an ID beyond the maximum.
                if parameter["in"] != "query" || limit.starts_with("maximum 9") {
                    continue;
                }
                let answer = admin.get(&format!("{collection}?{name}={}", text(&value))).await;
                assert_eq!(answer.status, 400, "{collection} {name} {limit}: {}", answer.text());
                tried += 1;
            }
        }
    }
    assert!(tried > 100, "{tried} limits are stated");
}

/// D-30: A value within the limits is accepted: the longest texts, the longest lists, the greatest ID.
#[both_stores]
async fn values_within_the_limits_are_accepted(app: &TestApp) {
    let admin = fill(app).await;
    let most = admin.event(json!({
        "title": "t".repeat(1000),
        "description": "d".repeat(140_000),
        "website": format!("http://x/{}", "a".repeat(2039)),
        "cost": vec![5; 20],
        "categories": (1..=100).collect::<Vec<_>>(),
        "tickets": vec![json!({"name": "n".repeat(1000), "price": 1.5, "currency": "eur"}); 100],
    })).await;
    assert_eq!(most["tickets"].as_array().unwrap().len(), 100);
    let greatest = format!("/events?include={}", i64::MAX);
    assert_eq!(admin.get(&greatest).await.status, 200);
    assert_eq!(admin.get(&format!("/events/{}", i64::MAX)).await.status, 404);
    let many: Vec<_> = (1..=100).map(|id: i32| id.to_string()).collect();
    assert_eq!(admin.get(&format!("/events?include={}", many.join(","))).await.status, 200);
    assert_eq!(
        admin.get("/events?per_page=101").await.json()["rest_url"],
        "https://cal.example/cal/events/v1/events?per_page=100"
    );
}

/// D-30: Every list has its items, and no optional input has a default in the schema of a body.
#[both_stores]
async fn generated_types_can_be_made(app: &TestApp) {
    let document = Document::of(app).await;
    walk(&document.json["paths"], "", &mut |path, schema| {
        if schema.get("type") == Some(&json!("array")) {
            assert!(schema["items"].is_object(), "{path}");
        }
    });
    for (name, schema) in document.json["components"]["schemas"].as_object().unwrap() {
        walk(schema, name, &mut |path, schema| {
            let is_list = match schema.get("type") {
                Some(Value::String(name)) => name == "array",
                Some(Value::Array(names)) => names.contains(&json!("array")),
                _ => false,
            };
            if is_list {
                assert!(schema.get("items").is_some_and(Value::is_object), "{path}");
            }
            if !path.ends_with("/properties") {
                assert!(!schema.contains_key("default"), "{path}");
            }
        });
    }
    // Clients distinguish bodies by their types.
    for (method, path, operation) in document.operations() {
        let bodies = operation["requestBody"]["content"].as_object().into_iter().flatten();
        let names: Vec<_> = bodies.map(|(_, body)| body["schema"].to_string()).collect();
        let different: BTreeSet<_> = names.iter().collect();
        assert_eq!(different.len(), names.len(), "{method} {path}");
    }
}

/// D-30: Every operation has an example of its answer, which fits its schema and has the fields of
/// the service's answer.
#[both_stores]
async fn every_operation_has_an_example_of_its_answer(app: &TestApp) {
    let admin = fill(app).await;
    let document = Document::of(app).await;
    let mut seen = 0;
    for (method, path, operation) in document.operations() {
        let responses = operation["responses"].as_object().unwrap();
        let (_, success) = responses.iter().find(|(status, _)| status.starts_with('2')).unwrap();
        let content = &success["content"]["application/json"];
        let named = content["examples"].as_object().into_iter().flat_map(Map::values);
        let named = named.map(|example| &document.resolve(example)["value"]);
        let examples: Vec<_> = named.chain(content.get("example")).collect();
        assert!(!examples.is_empty(), "{method} {path}");
        for example in examples {
            document.fits(&content["schema"], example, &format!("{method} {path}"));
            seen += 1;
        }
    }
    assert!(seen > 40, "{seen}");
    let of = |name: &str| document.json["components"]["examples"][name]["value"].clone();
    let names =
        |value: &Value| -> Vec<String> { value.as_object().unwrap().keys().cloned().collect() };
    // The JSON of venues and organizers leaves empty fields out: the records have the fields of the examples.
    for collection in ["venues", "organizers"] {
        let operation = &document.json["paths"][format!("/{collection}")]["post"];
        let name = if collection == "venues" { "Venue" } else { "Organizer" };
        let mut fields = operation["requestBody"]["content"]["application/json"]["example"].clone();
        fields.as_object_mut().unwrap().retain(|field, _| of(name).get(field).is_some());
        admin.change(&format!("/{collection}/1"), fields).await;
    }
    let rows = [
        ("/events/1", "Event"),
        ("/venues/1", "Venue"),
        ("/organizers/1", "Organizer"),
        ("/categories/1", "Category"),
        ("/tags/1", "Tag"),
        ("/events/2", "Series"),
        ("/events/3", "Occurrence"),
        ("/events/2/occurrences", "OccurrenceList"),
        ("/events", "EventList"),
        ("/images/1", "Image"),
        ("", "Index"),
    ];
    for_each_row(rows, async |(path, name)| {
        let answered = admin.get(path).await.json();
        assert_eq!(names(&of(name)), names(&answered), "{name}");
    })
    .await;
    assert_eq!(of("Event")["rest_url"], "https://cal.example/cal/events/v1/events/1");
}

/// D-30: Examples of parameters fit their schema and work when they are pasted into an address.
#[both_stores]
async fn examples_work_when_pasted(app: &TestApp) {
    let admin = fill(app).await;
    admin.make("/feeds", json!({"name": "My drafts"})).await;
    let source = json!({"name": "Club", "url": "https://club.example/5f2a.ics"});
    admin.make("/sources", source).await;
    for _ in 0..2 {
        admin.make("/venues", json!({"venue": "Twin hall", "city": "Lyon", "phone": "12"})).await;
    }
    app.calendar.find_duplicates().await.unwrap();
    // A date without fields of its own has no revisions.
    let date = "/events/2/occurrences/2027-04-17T09:00:00";
    admin.change(date, json!({"description": "Bring gloves."})).await;
    let document = Document::of(app).await;
    let mut pasted = 0;
    for (method, path, operation) in document.operations() {
        if method != Method::GET || matches!(path.as_str(), "/healthz" | "/livez" | "/readyz") {
            continue;
        }
        let kind = path.split('/').nth(1).unwrap_or_default();
        let slug = match kind {
            "venues" => "old-mill",
            "organizers" => "green-hands",
            _ => "river-cleanup",
        };
        let series = if path.contains("{recurrence_id}") { "2" } else { "1" };
        let address = path
            .replace("{id}", series)
            .replace("{slug}", slug)
            .replace("{recurrence_id}", "2027-04-17T09:00:00");
        for parameter in document.parameters(operation) {
            let Some(example) = parameter.get("example") else { continue };
            let name = parameter["name"].as_str().unwrap();
            document.fits(&parameter["schema"], example, &format!("{method} {path}: {name}"));
            let text = text(example);
            let answer = match parameter["in"].as_str().unwrap() {
                "query" => admin.get(&format!("{address}?{name}={}", text.replace(' ', "+"))).await,
                "header" => admin.get_with(&address, &[(name, &text)]).await,
                _ => continue,
            };
            assert_eq!(answer.status, 200, "{address} {name}={text}: {}", answer.text());
            if name == "_fields" {
                for field in text.split(',') {
                    let answer = answer.json();
                    let value = field.split('.').fold(&answer, |value, step| match value {
                        Value::Array(values) => &values[0][step],
                        _ => &value[step],
                    });
                    assert!(!value.is_null(), "{address} {field}: {answer}");
                }
            }
            pasted += 1;
        }
    }
    assert!(pasted > 40, "{pasted}");
    assert_eq!(id(&admin.get("/events/1?_fields=id,title").await.json()), 1);
}
