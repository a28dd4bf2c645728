//! The description of the interface: the index of routes and the OpenAPI document.

use std::collections::BTreeMap;

use axum::http::Method;
use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{Answer, Client, has_fields},
};

use super::{language_of_requests::routes_of_the_interface, records::record};

/// The methods of a route in the index, each with its parameters.
fn endpoints(index: &Value, route: &str) -> BTreeMap<String, Value> {
    let route = &index["routes"][format!("/cal/events/v1{route}")];
    let endpoints = route["endpoints"].as_array().unwrap();
    let described = endpoints.iter().map(|endpoint| {
        let methods = endpoint["methods"].as_array().unwrap().iter();
        let methods: Vec<_> = methods.map(|method| method.as_str().unwrap()).collect();
        (methods.join(","), endpoint["args"].clone())
    });
    described.collect()
}

/// Sends fields of no valid value, with strict handling.
async fn ask(client: &Client, method: &str, route: &str, names: &[&str]) -> Answer {
    const STRICT: [(&str, &str); 1] = [("prefer", "handling=strict")];
    let path = route.replace(r"(?P<id>\d+)", "1").replace("(?P<slug>[^/]+)", "nothing");
    let path = path.replace("(?P<recurrence_id>[^/]+)", "2027-03-16").replace(r"(?P<n>\d+)", "1");
    let method = Method::from_bytes(method.as_bytes()).unwrap();
    if matches!(method, Method::GET | Method::DELETE) || path == "/imports" {
        let query: Vec<_> = names.iter().map(|name| format!("{name}=zzz")).collect();
        return client
            .send_with(method, &format!("{path}?{}", query.join("&")), &STRICT, None)
            .await;
    }
    let fields: serde_json::Map<_, _> =
        names.iter().map(|name| ((*name).to_owned(), json!("zzz"))).collect();
    client.send_json_with(method, &path, &STRICT, &fields.into()).await
}

/// G-01: The index names the namespace, every route, and the way up.
/// G-02: A slash at the end changes nothing.
/// G-04: A context of any name changes nothing.
#[both_stores]
async fn the_index_names_every_route(app: &TestApp) {
    let index = record(&app.anonymous().get("").await);
    assert_eq!(index["namespace"], "cal/events/v1");
    assert_eq!(index["_links"]["up"], json!([{"href": "https://cal.example/"}]));
    let routes = index["routes"].as_object().unwrap();
    for (_, route) in routes_of_the_interface() {
        let route = route.replace("{id}", r"(?P<id>\d+)").replace("{slug}", "(?P<slug>[^/]+)");
        let route = route.replace("{recurrence_id}", "(?P<recurrence_id>[^/]+)");
        let route = route.replace("{n}", r"(?P<n>\d+)");
        assert!(routes.contains_key(&format!("/cal/events/v1{route}")), "{route}");
    }
    for (name, route) in routes {
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
async fn the_index_lists_methods_and_parameters(app: &TestApp) {
    let index = app.anonymous().get("").await.json();
    let list = &index["routes"]["/cal/events/v1/events"];
    assert_eq!(list["methods"], json!(["GET", "POST"]));
    let of_list = endpoints(&index, "/events");
    assert_eq!(of_list.keys().collect::<Vec<_>>(), ["GET", "POST"]);
    // The clock of the tests stands at noon of 2027-01-01.
    let filters = json!({
        "page.default": 1, "per_page.default": 10, "per_page.type": "integer",
        "categories.type": "array", "categories.items": {"type": "integer"},
        "start_date.default": "2026-12-31 23:59:00", "end_date.default": "2029-01-01 12:00:00",
    });
    has_fields(&of_list["GET"], filters);
    let fields = &of_list["POST"];
    let required = json!({
        "title.required": true, "start_date.required": true, "end_date.required": true,
        "cost.required": false,
    });
    has_fields(fields, required);
    assert_eq!(fields["website"].get("default"), Some(&Value::Null));
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
            let wanted = json!({"type": "string", "enum": ["ar", "en", "fr"], "required": false});
            has_fields(&endpoint["args"]["ml_language"], wanted);
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
async fn the_index_refuses_other_namespaces_and_writes(app: &TestApp) {
    let refused = app.anonymous().get("?namespace=zzz").await;
    refused.assert_error(404, "rest_invalid_namespace");
    for path in ["", "/doc"] {
        app.admin().post(path, json!({})).await.assert_error(404, "rest_no_route");
        app.anonymous()
            .get(&format!("{path}?ml_language=xx"))
            .await
            .assert_invalid(&["ml_language"]);
        app.authorized("Bearer x").get(path).await.assert_error(401, "invalid_token");
    }
}

/// A route knows every parameter that it documents. Tests of the forms compare the fields read with
/// those declared.
#[both_stores]
async fn the_parameters_documented_are_known(app: &TestApp) {
    let index = app.anonymous().get("").await.json();
    for name in index["routes"].as_object().unwrap().keys() {
        let route = name.strip_prefix("/cal/events/v1").unwrap();
        // The type of an upload is refused before its fields are read.
        for (methods, args) in endpoints(&index, route) {
            for method in
                methods.split(',').filter(|method| (*method, route) != ("POST", "/images"))
            {
                let in_path = |arg: &&str| name.contains(&format!("<{arg}>"));
                let described = args.as_object().unwrap().keys().map(String::as_str);
                let mut sent: Vec<_> = described.filter(|arg| !in_path(arg)).collect();
                sent.push("xyzzy");
                let answer = ask(&app.admin(), method, route, &sent).await;
                assert_eq!(answer.status, 400, "{method} {name}");
                let params = answer.json()["data"]["params"].clone();
                let params = params.as_object().unwrap();
                let is_unknown =
                    |fault: &Value| fault.as_str().is_some_and(|text| text.contains("not known"));
                let unknown: Vec<_> =
                    params.iter().filter(|(_, fault)| is_unknown(fault)).collect();
                let names: Vec<_> = unknown.iter().map(|(name, _)| name.as_str()).collect();
                assert_eq!(names, ["xyzzy"], "{method} {name}");
            }
        }
    }
}
