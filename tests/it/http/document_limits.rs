//! The limits in the document are those of the service, and generators can read it.

use axum::http::Method;
use serde_json::{Map, Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{Client, event_fields, id},
    for_each_row,
    pictures::png,
};

const COLLECTIONS: [&str; 5] = ["events", "venues", "organizers", "categories", "tags"];

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
        let above = i128::from(most) + 1;
        let above: Value = serde_json::from_str(&above.to_string()).unwrap();
        found.push((format!("maximum {most}"), above));
    }
    if let Some(least) = schema["minimum"].as_i64() {
        found.push((format!("minimum {least}"), json!(least - 1)));
    }
    for one in schema["anyOf"].as_array().into_iter().flatten() {
        found.extend(excesses(one));
    }
    found
}

/// The requests and answers of the document with an example, as `method path`.
fn operations(document: &Value) -> Vec<(Method, String, Value)> {
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            if operation.get("operationId").is_some() {
                let method = method.to_ascii_uppercase().parse().unwrap();
                operations.push((method, path.clone(), operation.clone()));
            }
        }
    }
    operations
}

fn resolve<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    match value["$ref"].as_str() {
        Some(reference) => document.pointer(&reference[1..]).unwrap(),
        None => value,
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
    let image = Some(("image/png", png(1200, 800)));
    admin.send(Method::POST, "/images", image).await;
    admin
}

/// D-30: A value beyond a limit of the document is refused, in every field.
#[both_stores]
async fn stated_limits_are_those_of_the_service(app: &TestApp) {
    let admin = fill(app).await;
    let document = app.anonymous().get("/doc").await.json();
    let mut tried = 0;
    for collection in COLLECTIONS {
        let operation = &document["paths"][format!("/{collection}")]["post"];
        let name = &operation["requestBody"]["content"]["application/json"]["schema"];
        let schema = resolve(&document, name);
        let needed = match collection {
            "venues" => json!({"venue": "V"}),
            "organizers" => json!({"organizer": "O"}),
            "events" => event_fields(json!({})),
            _ => json!({"name": "N"}),
        };
        for (field, schema) in schema["properties"].as_object().unwrap() {
            for (limit, value) in excesses(schema) {
                let mut fields = needed.clone();
                fields[field] = value;
                let answer = admin.post(&format!("/{collection}"), fields).await;
                assert_eq!(answer.status, 400, "{collection} {field} {limit}: {}", answer.text());
                assert!(
                    answer.json()["data"]["params"].get(field).is_some(),
                    "{collection} {field} {limit}"
                );
                tried += 1;
            }
        }
        for parameter in
            document["paths"][format!("/{collection}")]["get"]["parameters"].as_array().unwrap()
        {
            let parameter = resolve(&document, parameter);
            let (name, schema) = (parameter["name"].as_str().unwrap(), &parameter["schema"]);
            for (limit, value) in excesses(schema) {
                // Numbers in a query are text: no record has an ID beyond the maximum.
                if parameter["in"] != "query" || limit.starts_with("maximum 9") {
                    continue;
                }
                let value = match &value {
                    Value::Array(items) => {
                        items.iter().map(Value::to_string).collect::<Vec<_>>().join(",")
                    }
                    Value::String(text) => text.clone(),
                    other => other.to_string(),
                };
                let answer = admin.get(&format!("/{collection}?{name}={value}")).await;
                assert_eq!(answer.status, 400, "{collection} {name} {limit}: {}", answer.text());
                tried += 1;
            }
        }
    }
    assert!(tried > 100, "{tried} limits are stated");
}

/// D-30: A value within the limits is accepted: the longest texts, the longest lists, the greatest ID.
#[both_stores]
async fn what_is_within_the_limits_is_accepted(app: &TestApp) {
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
    let document = app.anonymous().get("/doc").await.json();
    walk(&document["paths"], "", &mut |path, schema| {
        if schema.get("type") == Some(&json!("array")) {
            assert!(schema["items"].is_object(), "{path}");
        }
    });
    let schemas = document["components"]["schemas"].as_object().unwrap();
    for (name, schema) in schemas {
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
    for (method, path, operation) in operations(&document) {
        let bodies = operation["requestBody"]["content"].as_object();
        let mut names: Vec<_> =
            bodies.into_iter().flatten().map(|(_, body)| body["schema"].to_string()).collect();
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all, "{method} {path}");
    }
}

/// D-30: Every operation has an example of its answer, which fits its schema and has the fields of
/// the service's answer.
#[both_stores]
async fn every_operation_has_an_example_of_its_answer(app: &TestApp) {
    let admin = fill(app).await;
    let document = app.anonymous().get("/doc").await.json();
    let mut seen = 0;
    for (method, path, operation) in operations(&document) {
        let responses = operation["responses"].as_object().unwrap();
        let (_, success) = responses.iter().find(|(status, _)| status.starts_with('2')).unwrap();
        let content = &success["content"]["application/json"];
        let mut schema = content["schema"].clone();
        schema["components"] = document["components"].clone();
        let validator = jsonschema::draft202012::new(&schema).unwrap();
        let named = content["examples"].as_object().into_iter().flat_map(Map::values);
        let mut examples: Vec<_> =
            named.map(|example| resolve(&document, example)["value"].clone()).collect();
        examples.extend(content.get("example").cloned());
        assert!(!examples.is_empty(), "{method} {path}");
        for example in examples {
            let errors: Vec<_> =
                validator.iter_errors(&example).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{method} {path}: {errors:?}");
            seen += 1;
        }
    }
    assert!(seen > 40, "{seen}");
    let of = |name: &str| document["components"]["examples"][name]["value"].clone();
    let names =
        |value: &Value| -> Vec<String> { value.as_object().unwrap().keys().cloned().collect() };
    let rows = [
        ("/events/1", "Event"),
        ("/categories/1", "Category"),
        ("/tags/1", "Tag"),
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

/// D-30: Examples of parameters work when they are pasted into an address.
#[both_stores]
async fn examples_work_when_pasted(app: &TestApp) {
    let admin = fill(app).await;
    let document = app.anonymous().get("/doc").await.json();
    let mut pasted = 0;
    for (method, path, operation) in operations(&document) {
        if method != Method::GET || matches!(path.as_str(), "/healthz" | "/livez") {
            continue;
        }
        let kind = path.split('/').nth(1).unwrap_or_default();
        let slug = match kind {
            "venues" => "old-mill",
            "organizers" => "green-hands",
            _ => "river-cleanup",
        };
        let address = path.replace("{id}", "1").replace("{slug}", slug);
        for parameter in operation["parameters"].as_array().unwrap() {
            let parameter = resolve(&document, parameter);
            let Some(example) = parameter.get("example") else { continue };
            let name = parameter["name"].as_str().unwrap();
            let text = match example {
                Value::Array(values) => {
                    values.iter().map(|value| value.as_str().unwrap()).collect::<Vec<_>>().join(",")
                }
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            let answer = match parameter["in"].as_str().unwrap() {
                "query" => admin.get(&format!("{address}?{name}={}", text.replace(' ', "+"))).await,
                "header" => admin.get_with(&address, &[(name, &text)]).await,
                _ => continue,
            };
            assert_eq!(answer.status, 200, "{address} {name}={text}: {}", answer.text());
            if name == "_fields" {
                for field in text.split(',') {
                    let steps: Vec<_> = field.split('.').collect();
                    let answer = answer.json();
                    let mut value = &answer[steps[0]];
                    if let Some(step) = steps.get(1) {
                        value = if value.is_array() { &value[0][step] } else { &value[step] };
                    }
                    assert!(!value.is_null(), "{address} {field}: {answer}");
                }
            }
            pasted += 1;
        }
    }
    assert!(pasted > 40, "{pasted}");
    assert_eq!(id(&admin.get("/events/1?_fields=id,title").await.json()), 1);
}
