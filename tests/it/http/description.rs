//! The description of the interface: the index of routes and the OpenAPI document.

use std::collections::{BTreeMap, BTreeSet};

use app::input::field_log;
use axum::http::Method;
use serde_json::{Value, json};
use tests::{app::TestApp, both_stores, client::Answer};

/// The routes that the index must list, below the namespace.
const ROUTES: [&str; 15] = [
    "",
    "/doc",
    "/events",
    r"/events/(?P<id>\d+)",
    "/events/by-slug/(?P<slug>[^/]+)",
    "/venues",
    r"/venues/(?P<id>\d+)",
    "/venues/by-slug/(?P<slug>[^/]+)",
    "/organizers",
    r"/organizers/(?P<id>\d+)",
    "/organizers/by-slug/(?P<slug>[^/]+)",
    "/categories",
    r"/categories/(?P<id>\d+)",
    "/tags",
    r"/tags/(?P<id>\d+)",
];

/// The methods of a route in the index, each with its parameters.
fn endpoints(index: &Value, route: &str) -> BTreeMap<String, Value> {
    let route = &index["routes"][format!("/cal/events/v1{route}")];
    let endpoints = route["endpoints"].as_array().unwrap();
    let described = endpoints.iter().map(|endpoint| {
        let methods: Vec<_> = endpoint["methods"].as_array().unwrap().iter().collect();
        let methods: Vec<_> = methods.iter().map(|method| method.as_str().unwrap()).collect();
        (methods.join(","), endpoint["args"].clone())
    });
    described.collect()
}

/// Sends requests that reach the reading of fields, and no valid value.
async fn ask(client: &tests::client::Client, method: &str, route: &str) -> Answer {
    let path = route.replace(r"(?P<id>\d+)", "1").replace("(?P<slug>[^/]+)", "nothing");
    let method = Method::from_bytes(method.as_bytes()).unwrap();
    // The type of an upload is refused before its fields are read.
    if method == Method::POST && path == "/images" {
        return client.send(method, &path, Some(("image/png", Vec::new()))).await;
    }
    // The service looks for a password in the body before it reads the fields.
    client.send_json(method, &path, &json!({"password": "x"})).await
}

/// G-01: The index names the namespace, every route, and the way up.
/// G-02: A slash at the end changes nothing.
/// G-04: A context of any name changes nothing.
#[both_stores]
async fn the_index_names_every_route(app: &TestApp) {
    let answer = app.anonymous().get("").await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let index = answer.json();
    assert_eq!(index["namespace"], "cal/events/v1");
    assert_eq!(index["_links"]["up"], json!([{"href": "https://cal.example/"}]));
    let named: BTreeSet<_> = index["routes"].as_object().unwrap().keys().cloned().collect();
    for route in ROUTES {
        assert!(named.contains(&format!("/cal/events/v1{route}")), "{route}");
    }
    for (name, route) in index["routes"].as_object().unwrap() {
        let href = format!("https://cal.example{name}");
        let links = (!name.contains('(')).then(|| json!({"self": [{"href": href}]}));
        assert_eq!(route.get("_links"), links.as_ref(), "{name}");
        assert_eq!(route["namespace"], "cal/events/v1");
    }
    let french = app.anonymous().get("//fr/cal/events/v1").await.json();
    assert_eq!(
        french["routes"]["/cal/events/v1/events"]["_links"]["self"][0]["href"],
        "https://cal.example/fr/cal/events/v1/events"
    );
    for path in ["/", "?context=help", "?context=", "?namespace=cal/events/v1"] {
        let same = app.anonymous().get(path).await;
        assert_eq!((same.status, same.json()), (200, index.clone()), "{path}");
    }
}

/// G-01: Each route lists its methods and their parameters.
#[both_stores]
async fn the_index_tells_what_methods_take(app: &TestApp) {
    let index = app.anonymous().get("").await.json();
    let list = &index["routes"]["/cal/events/v1/events"];
    assert_eq!(list["methods"], json!(["GET", "POST"]));
    let of_list = endpoints(&index, "/events");
    assert_eq!(of_list.keys().collect::<Vec<_>>(), ["GET", "POST"]);
    let filters = &of_list["GET"];
    assert_eq!(filters["page"]["default"], 1);
    assert_eq!(filters["per_page"]["default"], 10);
    assert_eq!(filters["per_page"]["type"], "integer");
    assert_eq!(filters["categories"]["type"], "array");
    assert_eq!(filters["categories"]["items"], json!({"type": "integer"}));
    // The clock of the tests stands at noon of 2027-01-01.
    assert_eq!(filters["start_date"]["default"], "2026-12-31 23:59:00");
    assert_eq!(filters["end_date"]["default"], "2029-01-01 12:00:00");
    let fields = &of_list["POST"];
    for (name, required) in
        [("title", true), ("start_date", true), ("end_date", true), ("cost", false)]
    {
        assert_eq!(fields[name]["required"], required, "{name}");
    }
    assert_eq!(fields["website"]["default"], Value::Null);
    assert!(fields["website"].as_object().unwrap().contains_key("default"));
    let of_record = endpoints(&index, r"/events/(?P<id>\d+)");
    let methods: Vec<_> = of_record.keys().map(String::as_str).collect();
    assert_eq!(methods, ["DELETE", "GET", "POST,PUT,PATCH"]);
    for args in of_record.values() {
        assert_eq!(args["id"]["required"], true);
    }
    assert_eq!(of_record["POST,PUT,PATCH"]["title"]["required"], false);
    let routes = index["routes"].as_object().unwrap();
    for (name, route) in routes {
        for endpoint in route["endpoints"].as_array().unwrap() {
            let language = &endpoint["args"]["ml_language"];
            assert_eq!(language["type"], "string", "{name}");
            assert_eq!(language["enum"], json!(["ar", "en", "fr"]), "{name}");
            assert_eq!(language["required"], false, "{name}");
            for (arg, described) in endpoint["args"].as_object().unwrap() {
                assert!(described["type"].is_string(), "{name} {arg}");
                assert_ne!(described["description"], "", "{name} {arg}");
            }
        }
    }
}

/// G-03: Another namespace is not here.
/// G-05: Nothing can be added to the namespace itself.
#[both_stores]
async fn what_the_index_refuses(app: &TestApp) {
    let refused = app.anonymous().get("?namespace=zzz").await;
    refused.is_error(404, "rest_invalid_namespace");
    for path in ["", "/doc"] {
        app.admin().post(path, json!({})).await.is_error(404, "rest_no_route");
        app.anonymous().get(&format!("{path}?ml_language=xx")).await.is_invalid(&["ml_language"]);
        app.authorized("Bearer x").get(path).await.is_error(401, "invalid_token");
    }
}

/// A route reads exactly the parameters that it documents.
#[both_stores]
async fn what_is_described_is_what_is_read(app: &TestApp) {
    // The parameter is read as a credential, not as a field.
    let otherwise = BTreeSet::from(["password"].map(str::to_owned));
    let index = app.anonymous().get("").await.json();
    for name in index["routes"].as_object().unwrap().keys() {
        let route = name.strip_prefix("/cal/events/v1").unwrap();
        for (methods, args) in endpoints(&index, route) {
            let in_path = |arg: &str| name.contains(&format!("<{arg}>"));
            let described: BTreeSet<String> = args.as_object().unwrap().keys().cloned().collect();
            for method in methods.split(',') {
                field_log::take();
                ask(&app.admin(), method, route).await;
                let read = field_log::take();
                // Tags have no parent: the field is read to be refused.
                let refused = |arg: &str| arg == "parent" && route.starts_with("/tags");
                let undescribed: BTreeSet<_> =
                    read.difference(&described).filter(|arg| !refused(arg)).cloned().collect();
                assert_eq!(
                    undescribed,
                    BTreeSet::new(),
                    "read by {method} {name} and not described"
                );
                let unread: BTreeSet<_> = described
                    .difference(&read)
                    .filter(|arg| !in_path(arg) && !otherwise.contains(*arg))
                    .cloned()
                    .collect();
                assert_eq!(unread, BTreeSet::new(), "described of {method} {name} and not read");
            }
        }
    }
}
