//! `OPTIONS` and `Allow`: the methods of a path for each caller.

use axum::http::Method;
use http_service::Route;
use serde_json::{Value, json};
use tests::{
    app::{TestApp, routes},
    both_stores,
    client::Client,
};

use super::{images::upload, records::record};

async fn options(client: &Client, path: &str) -> (u16, Value) {
    let answer = client.send(Method::OPTIONS, path, None).await;
    (answer.status, answer.json())
}

async fn allowed(client: &Client, method: Method, path: &str) -> String {
    client.send(method, path, None).await.header("allow").to_owned()
}

const ALL: &str = "GET, DELETE, POST, PUT, PATCH";

/// A draft of user 4, a contributor, and an event of user 1.
async fn two_events(app: &TestApp) {
    app.contributor().event(json!({"title": "Draft", "slug": "draft"})).await;
    app.admin().event(json!({"title": "Public", "slug": "public"})).await;
}

/// G-14: The head of a list is that of the list, without its body.
/// G-15: The head of an absent record is the error without its body.
#[both_stores]
async fn heads(app: &TestApp) {
    app.admin().event(json!({})).await;
    for path in ["/events", "/events/1", "/events/999999", "/tags", "/nothing", "//healthz"] {
        let get = app.anonymous().get(path).await;
        let head = app.anonymous().send(Method::HEAD, path, None).await;
        assert_eq!((head.status, head.bytes.len()), (get.status, 0), "{path}");
        for (name, value) in &get.headers {
            if name != "x-request-id" {
                assert_eq!(head.headers.get(name), Some(value), "{path} {name}");
            }
        }
        assert_eq!(head.header("content-length"), get.bytes.len().to_string(), "{path}");
    }
    let head = app.anonymous().send(Method::HEAD, "/events", None).await;
    assert_eq!(head.header("x-tec-total"), "1");
    let wrong = app.authorized("Bearer x").send(Method::HEAD, "/events", None).await;
    assert_eq!((wrong.status, wrong.bytes.len()), (401, 0));
}

/// G-16: `OPTIONS` describes the methods of a path, and the defaults of lists.
#[both_stores]
async fn a_path_describes_itself(app: &TestApp) {
    let (status, list) = options(&app.anonymous(), "/events").await;
    assert_eq!((status, &list["namespace"]), (200, &json!("cal/events/v1")));
    assert_eq!(list["methods"], json!(["GET", "POST"]));
    let endpoints = list["endpoints"].as_array().unwrap();
    let get = endpoints.iter().find(|one| one["methods"] == json!(["GET"])).unwrap();
    assert_eq!(get["args"]["per_page"]["default"], 10);
    let own = "https://cal.example/cal/events/v1/events";
    assert_eq!(list["_links"]["self"][0]["href"], own);
    for path in ["/events/1", "/events/by-slug/x", "/venues/7", "/tags/7"] {
        let (status, record) = options(&app.anonymous(), path).await;
        assert_eq!(status, 200, "{path}");
        assert_eq!(record.get("_links"), None, "{path}");
        let methods = record["endpoints"].as_array().unwrap().iter();
        let methods: Vec<_> = methods.map(|one| one["methods"].clone()).collect();
        for group in [json!(["GET"]), json!(["DELETE"]), json!(["POST", "PUT", "PATCH"])] {
            assert!(methods.contains(&group), "{path} {group}");
        }
    }
    let wrong = app.authorized("Bearer x").send(Method::OPTIONS, "/events", None).await;
    wrong.assert_error(401, "invalid_token");
}

/// G-17: A client without credentials may read a record.
/// G-18: An administrator may use every method.
#[both_stores]
async fn allow_lists_the_methods_of_the_caller(app: &TestApp) {
    two_events(app).await;
    for (method, path) in [
        (Method::OPTIONS, "/events/2"),
        (Method::GET, "/events/2"),
        (Method::HEAD, "/events/by-slug/public"),
        (Method::PUT, "/events/2"),
    ] {
        let anonymous = allowed(&app.anonymous(), method.clone(), path).await;
        assert_eq!(anonymous, "GET", "{method} {path}");
        assert_eq!(allowed(&app.admin(), method.clone(), path).await, ALL, "{method} {path}");
        assert_eq!(allowed(&app.subscriber(), method, path).await, "GET", "{path}");
    }
    app.admin().make("/categories", json!({"name": "Outdoor"})).await;
    for (client, collection, record) in [
        (app.anonymous(), "GET", "GET"),
        (app.subscriber(), "GET", "GET"),
        (app.contributor(), "GET", "GET"),
        (app.author(), "GET, POST", ALL),
    ] {
        assert_eq!(allowed(&client, Method::GET, "/categories").await, collection);
        assert_eq!(allowed(&client, Method::GET, "/categories/1").await, record);
    }
    // A contributor may change an own draft, but no published event of another user.
    assert_eq!(allowed(&app.contributor(), Method::GET, "/events/1").await, ALL);
    assert_eq!(allowed(&app.contributor(), Method::GET, "/events/2").await, "GET");
    assert_eq!(allowed(&app.contributor(), Method::GET, "/events").await, "GET, POST");
}

/// `Allow` offers the change and the deletion of an image to users who may change it, and reveals no
/// unreadable image.
#[both_stores]
async fn allow_on_images_follows_rights(app: &TestApp) {
    upload(&app.author()).await;
    let other = app.user(6);
    for method in [Method::GET, Method::OPTIONS] {
        for path in ["/images/1", "/images/9"] {
            assert_eq!(allowed(&other, method.clone(), path).await, ALL, "{path}");
        }
    }
    app.admin().make("/venues", json!({"venue": "Mill", "image": 1})).await;
    for (client, methods) in [
        (app.anonymous(), "GET"),
        (app.contributor(), "GET"),
        (other, "GET"),
        (app.author(), ALL),
        (app.editor(), ALL),
    ] {
        for method in [Method::GET, Method::OPTIONS] {
            assert_eq!(allowed(&client, method, "/images/1").await, methods);
        }
    }
}

/// The methods on an unreadable record are those on an absent one.
#[both_stores]
async fn allow_reveals_no_hidden_record(app: &TestApp) {
    two_events(app).await;
    let clients = [app.anonymous(), app.subscriber(), app.user(7), app.author()];
    for client in clients {
        for method in [Method::OPTIONS, Method::GET, Method::DELETE] {
            let absent = allowed(&client, method.clone(), "/events/99").await;
            for path in ["/events/1", "/events/by-slug/draft", "/events/by-slug/none"] {
                assert_eq!(allowed(&client, method.clone(), path).await, absent, "{path}");
            }
        }
    }
}

/// G-19: An unknown path offers no methods.
#[both_stores]
async fn unknown_paths_offer_nothing(app: &TestApp) {
    for path in ["/nope", "//nope", "/events/abc", "/events/1/more", "/images/abc"] {
        assert_eq!(options(&app.anonymous(), path).await, (200, json!([])), "{path}");
        assert_eq!(app.admin().get(path).await.header("allow"), "", "{path}");
    }
}

/// The answer to an unsupported method lists the supported ones.
#[both_stores]
async fn unsupported_methods_list_the_supported(app: &TestApp) {
    for (client, methods) in [(app.anonymous(), "GET"), (app.admin(), "GET, POST")] {
        for method in [Method::DELETE, Method::PATCH, Method::TRACE] {
            let answer = client.send(method, "/events", None).await;
            answer.assert_error(404, "rest_no_route");
            assert_eq!(answer.header("allow"), methods);
        }
    }
    let wrong = app.authorized("Bearer x").delete("/events").await;
    assert_eq!((wrong.code().as_str(), wrong.header("allow")), ("rest_no_route", "GET"));
}

/// Without credentials, `Allow` lists only the methods that need none, on every route.
#[both_stores]
async fn anonymous_callers_read(app: &TestApp) {
    let routes = routes();
    for route in &routes {
        let is_read = |other: &&Route| other.path == route.path && other.method == Method::GET;
        // Secret feeds belong to users; sources and duplicates are for editors, the trail for administrators,
        // revisions for those who may change the record.
        let closed = ["feeds", "sources", "duplicates", "audit"]
            .map(|name| format!("/cal/events/v1/{name}"));
        let is_open = !closed.iter().any(|path| route.path.starts_with(path))
            && !route.path.ends_with("/revisions");
        let is_read = is_open && routes.iter().any(|other| is_read(&other));
        // Forms of pages; the desk asks for a session where it needs one.
        let may_have_form =
            ["/event/{slug}", "/desk", "/propose"].iter().any(|form| route.path.starts_with(form));
        let is_form = |other: &&Route| other.path == route.path && other.method == Method::POST;
        let has_form = may_have_form && routes.iter().any(|other| is_form(&other));
        let expected = match (is_read, has_form) {
            (true, true) => "GET, POST",
            (false, true) => "POST",
            (true, false) => "GET",
            (false, false) => "",
        };
        let path = route.path.replace("{*", "").replace("{id}", "1").replace(['{', '}'], "");
        let answer = app.anonymous().send(Method::OPTIONS, &format!("/{path}"), None).await;
        assert_eq!(answer.header("allow"), expected, "{path}");
    }
}

/// G-24: A `POST` that overrides its method needs the rights of that method.
/// G-25: The query or a header may override the method.
#[both_stores]
async fn tunnelled_methods(app: &TestApp) {
    two_events(app).await;
    let none = json!({});
    for (client, method, status) in
        [(app.anonymous(), "DELETE", 401), (app.contributor(), "delete", 403)]
    {
        let answer = client.post(&format!("/events/2?_method={method}"), none.clone()).await;
        answer.assert_error(status, "rest_forbidden");
    }
    let send = async |method: Method, path: &str, header: &str, body: &Value| {
        let header = [("x-http-method-override", header)];
        let answer = app.admin().send_json_with(method, path, &header, body).await;
        record(&answer)
    };
    let changed = send(Method::POST, "/events/2", "PATCH", &json!({"cost": "5"})).await;
    assert_eq!(changed["cost"], "$5");
    // Only a `POST` may override its method.
    for method in [Method::GET, Method::PUT] {
        let kept = send(method, "/events/2?_method=DELETE", "DELETE", &none).await;
        assert_eq!(kept["status"], "publish");
    }
    for path in ["/events/2?_method=NONE", "/events/2?_method="] {
        app.admin().post(path, none.clone()).await.assert_error(404, "rest_no_route");
    }
    let deleted = send(Method::POST, "/events/2", "DELETE", &none).await;
    assert_eq!(deleted["status"], "trash");
    let deleted = record(&app.admin().post("/events/1?_method=DELETE", none).await);
    assert_eq!(deleted["status"], "trash");
}
