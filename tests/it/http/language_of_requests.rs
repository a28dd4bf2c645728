//! The language of a request, and of the addresses in its answer.

use app::site::Site;
use axum::http::Method;
use domain::Language;
use serde_json::{Value, json};
use tests::{
    app::{PUBLIC_URL, TestApp, routes},
    both_stores,
    client::{Answer, Client, event_fields, has_fields},
    for_each_row,
};

use super::mounts::mounted;

const NAMESPACE: &str = "/cal/events/v1";

/// The routes of the interface, below its namespace.
pub(super) fn routes_of_the_interface() -> Vec<(Method, String)> {
    let routes = routes().into_iter();
    routes
        .filter_map(|route| {
            let path = route.path.strip_prefix(NAMESPACE)?.to_owned();
            Some((route.method, path))
        })
        .collect()
}

/// The fields that a record of the kind of a path needs.
fn required(path: &str) -> Value {
    if path.starts_with("/events") {
        event_fields(json!({}))
    } else {
        json!({"venue": "A", "organizer": "A", "name": "A", "keep": 1})
    }
}

/// The parts of an answer that do not depend on its language.
fn outcome(answer: &Answer) -> (u16, Option<Value>) {
    let code = (answer.status >= 400).then(|| answer.json()["code"].clone());
    (answer.status, code)
}

/// Follows an address in an answer.
async fn follow(client: &Client, url: &Value) -> Answer {
    let path = url.as_str().and_then(|url| url.strip_prefix(PUBLIC_URL));
    client.get(&format!("/{}", path.unwrap())).await
}

/// Every text in a value with the prefix of an address of the interface or of a page.
fn addresses(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) if text.starts_with(PUBLIC_URL) => vec![text.clone()],
        Value::Array(values) => values.iter().flat_map(addresses).collect(),
        Value::Object(members) => members.values().flat_map(addresses).collect(),
        _ => Vec::new(),
    }
}

/// Creates an event with a record of each kind.
async fn make_event(client: &Client, title: &str) -> Value {
    let fields = json!({
        "title": title, "venue": {"venue": "Old Mill"}, "organizer": {"organizer": "Green Hands"},
        "tags": ["Water"], "categories": ["Nature"],
    });
    client.event(fields).await
}

/// Every route is served under each language, with the same effect.
#[both_stores]
async fn languages_in_paths(app: &TestApp) {
    make_event(&app.admin(), "Fair").await;
    let routes = routes_of_the_interface();
    assert!(routes.len() > 40);
    for (method, path) in routes {
        for (id, slug) in [("1", "fair"), ("99", "nothing")] {
            let path = path.replace("{id}", id).replace("{slug}", slug).replace("{n}", id);
            for client in [app.anonymous(), app.subscriber()] {
                let plain = client.send(method.clone(), &path, None).await;
                assert_ne!(plain.code(), "rest_no_route", "{method} {path}");
                assert_eq!(plain.header("content-language"), "en", "{method} {path}");
                for segment in ["ar", "en", "fr", "FR"] {
                    let client = client.clone().under(&format!("/{segment}{NAMESPACE}"));
                    let answer = client.send(method.clone(), &path, None).await;
                    let what = format!("{method} {segment} {path}");
                    assert_eq!(outcome(&answer), outcome(&plain), "{what}");
                    // The description of the interface is English in every language.
                    let spoken = if path == "/doc" { "en" } else { segment };
                    let language = spoken.to_lowercase();
                    assert_eq!(answer.header("content-language"), language, "{what}");
                }
                for segment in ["de", "xx", "english", "ar/fr", "f", "fr-fr", "*"] {
                    let client = client.clone().under(&format!("/{segment}{NAMESPACE}"));
                    let answer = client.send(method.clone(), &path, None).await;
                    answer.assert_error(404, "rest_no_route");
                }
            }
        }
    }
    for path in ["//fr/healthz", "//fr/cal/events", "//cal/events/v1/fr/events"] {
        app.anonymous().get(path).await.assert_error(404, "rest_no_route");
    }
}

/// G-28: An unsupported language is refused on every route and with every method, for every role,
/// whether the record exists or not.
#[both_stores]
async fn another_language_is_refused(app: &TestApp) {
    make_event(&app.admin(), "Fair").await;
    for (method, path) in routes_of_the_interface() {
        for (id, slug) in [("1", "fair"), ("99", "nothing")] {
            let path = path.replace("{id}", id).replace("{slug}", slug).replace("{n}", id);
            let fields = required(&path);
            let is_upload = method == Method::POST && (path == "/images" || path == "/imports");
            for client in [app.anonymous(), app.subscriber(), app.admin()] {
                for language in ["xx", "", "EN", "fr-FR", "en,fr"] {
                    let path = format!("{path}?ml_language={language}");
                    let body = if is_upload {
                        ("image/png", Vec::new())
                    } else {
                        ("application/json", fields.to_string().into_bytes())
                    };
                    let answer = client.send(method.clone(), &path, Some(body)).await;
                    answer.assert_invalid(&["ml_language"]);
                    let detail = &answer.json()["data"]["details"]["ml_language"];
                    assert_eq!(detail["code"], "rest_not_in_enum", "{method} {path}");
                }
                if is_upload || method == Method::GET {
                    // The body is a file, or has no effect.
                    continue;
                }
                let mut body = fields.clone();
                body["ml_language"] = "de".into();
                let path = format!("{path}?ml_language=fr");
                let answer = client.send_json(method.clone(), &path, &body).await;
                answer.assert_invalid(&["ml_language"]);
            }
        }
    }
    assert_eq!(app.admin().get("/events?status=any").await.ids(), [1]);
}

/// Addresses in answers have the language segment of the path, and can be followed.
#[both_stores]
async fn addresses_keep_the_segment(app: &TestApp) {
    let plain = app.admin();
    let french = app.admin().under("/fr/cal/events/v1");
    let mut made = Vec::new();
    for n in 1..=3 {
        made.push(make_event(&french, &format!("Fair {n}")).await);
    }
    let answer = french.post("/events", event_fields(json!({"title": "Fair 4"}))).await;
    let url = "https://cal.example/fr/cal/events/v1/events/4";
    assert_eq!((answer.status, answer.header("location")), (201, url));
    let page = "https://cal.example/fr/event/fair-4/";
    has_fields(&answer.json(), json!({"rest_url": url, "url": page}));

    let read = french.get("/events/1").await.json();
    let known = addresses(&read);
    assert!(known.len() > 10, "{known:?}");
    let shown = json!({
        "categories.0.urls.self": "https://cal.example/fr/cal/events/v1/categories/1",
        "categories.0.url": "https://cal.example/fr/events/category/nature/",
        "venue.url": "https://cal.example/fr/venue/old-mill/",
    });
    has_fields(&read, shown);
    assert_eq!(follow(&plain, &read["rest_url"]).await.json(), read);

    let first = french.get("/events?per_page=3").await;
    let second = follow(&plain, &first.json()["next_rest_url"]).await;
    assert_eq!((first.ids(), second.ids()), (vec![1, 2, 3], vec![4]));
    assert_eq!(
        first.header("link"),
        "<https://cal.example/fr/cal/events/v1/events?per_page=3&page=2>; rel=\"next\""
    );
    assert_eq!(second.header("content-language"), "fr");
    let back = follow(&plain, &second.json()["previous_rest_url"]).await;
    assert_eq!(back.json(), first.json());
    for url in known.into_iter().chain(addresses(&first.json())) {
        assert!(url.starts_with("https://cal.example/fr/"), "{url}");
    }
    for url in addresses(&plain.get("/events/1").await.json()) {
        assert!(!url.contains("/fr/") && !url.contains("ml_language"), "{url}");
    }
}

/// G-27: Addresses in answers have the language parameter of the request.
/// G-29: So does the address of a record that a write creates.
#[both_stores]
async fn addresses_keep_the_parameter(app: &TestApp) {
    make_event(&app.admin(), "Fair").await;
    let read = app.anonymous().get("/events/1?ml_language=ar").await;
    assert_eq!(read.header("content-language"), "ar");
    let read = read.json();
    let shown = json!({
        "rest_url": "https://cal.example/cal/events/v1/events/1?ml_language=ar",
        "url": "https://cal.example/ar/event/fair/",
        "tags.0.url": "https://cal.example/ar/tag/water/",
    });
    has_fields(&read, shown);
    for url in ["self", "collection"] {
        let answer = follow(&app.anonymous(), &read["tags"][0]["urls"][url]).await;
        assert_eq!((answer.status, answer.header("content-language")), (200, "ar"));
    }
    let list = app.anonymous().get("/events?ml_language=ar&per_page=1").await.json();
    let url = "https://cal.example/cal/events/v1/events?ml_language=ar&per_page=1";
    assert_eq!(list["rest_url"], url);

    // The parameter takes precedence over the segment; addresses have both.
    let arabic = app.admin().under("/ar/cal/events/v1");
    let answer = arabic.get("/events/1?ml_language=fr").await;
    assert_eq!(answer.header("content-language"), "fr");
    let shown = json!({
        "rest_url": "https://cal.example/ar/cal/events/v1/events/1?ml_language=fr",
        "url": "https://cal.example/fr/event/fair/",
    });
    has_fields(&answer.json(), shown);

    // In a body the parameter has the same effect as in the query.
    let fields = event_fields(json!({"title": "Fête", "ml_language": "fr"}));
    for path in ["/events", "/events?ml_language=ar"] {
        let answer = app.admin().post(path, fields.clone()).await;
        assert_eq!((answer.status, answer.header("content-language")), (201, "fr"));
        let url = answer.header("location").to_owned();
        assert!(url.ends_with("?ml_language=fr"), "{url}");
        has_fields(&answer.json(), json!({"rest_url": url, "language": "fr"}));
    }
}

/// A request without a language has the language of the site.
#[both_stores]
async fn the_language_of_the_site(app: &TestApp) {
    for language in [Language::French, Language::Arabic] {
        let site = Site { language, ..Site::default() };
        let client = app.variant().site(site).build().await.admin();
        let made = client.event(json!({})).await;
        assert_eq!(made["language"], language.code());
        let path = format!("/events/{}", made["id"]);
        let answer = client.get(&path).await;
        assert_eq!(answer.header("content-language"), language.code());
        for url in addresses(&answer.json()) {
            let choice = url.contains("ml_language") || url.contains(&format!("/{language}/"));
            assert!(!choice, "{url}");
        }
        let message = client.get("/events/99").await.json()["message"].clone();
        let english = client.get("/events/99?ml_language=en").await;
        assert_eq!(english.header("content-language"), "en");
        assert_ne!(message, english.json()["message"]);
        let same = client.get(&format!("/events/99?ml_language={language}")).await;
        assert_eq!(message, same.json()["message"]);
        let in_path = client.clone().under("/en/cal/events/v1").get("/events/99").await;
        assert_eq!(in_path.json(), english.json());
        // A path without a route has it too.
        let lost = client.get("//nothing").await;
        assert_eq!(lost.header("content-language"), language.code());
    }
}

/// The error for an unsupported language is in the language of the path.
#[both_stores]
async fn the_error_is_in_the_language_of_the_path(app: &TestApp) {
    let french = app.anonymous().under("/fr/cal/events/v1");
    let answer = french.get("/events?ml_language=xx").await;
    answer.assert_invalid(&["ml_language"]);
    assert_eq!(answer.header("content-language"), "fr");
    let message = &answer.json()["data"]["params"]["ml_language"];
    assert_eq!(message, "ml_language doit être l’une de ces valeurs\u{a0}: ar, en, fr");
    let answer = app.anonymous().get("/events?ml_language=xx").await;
    assert_eq!(answer.header("content-language"), "en");
    // The last of several values counts.
    let answer = app.anonymous().get("/events/99?ml_language=ar&ml_language=fr").await;
    assert_eq!(answer.header("content-language"), "fr");
}

/// The interface can be served under further paths, with a language before or in them; addresses
/// in answers follow.
#[both_stores]
async fn further_paths(app: &TestApp) {
    let client = mounted(app, &["/wp-json/tribe/events/v1", "/api/{lang}/calendar/"])
        .await
        .with_token(app.token(1));
    make_event(&client, "Fair").await;
    let rows = [
        ("/cal/events/v1", "en", ""),
        ("/wp-json/tribe/events/v1", "en", ""),
        ("/WP-JSON/tribe/events/v1", "en", ""),
        ("/fr/wp-json/tribe/events/v1", "fr", "/fr"),
        ("/api/calendar", "en", ""),
        ("/api/ar/calendar", "ar", "/ar"),
    ];
    for_each_row(rows, async |(prefix, language, pages)| {
        let client = client.clone().under(prefix);
        let answer = client.get("/Events/1/").await;
        assert_eq!(answer.status, 200, "{prefix}: {}", answer.text());
        assert_eq!(answer.header("content-language"), language, "{prefix}");
        let read = answer.json();
        let api = format!("https://cal.example{}", prefix.to_lowercase());
        let page = format!("https://cal.example{pages}/event/fair/");
        has_fields(&read, json!({"rest_url": format!("{api}/events/1"), "url": page}));
        assert_eq!(follow(&client, &read["tags"][0]["urls"]["collection"]).await.ids(), [1]);
        let made = client.post("/tags", json!({"name": prefix})).await;
        let location = made.header("location").to_owned();
        assert!(location.starts_with(&format!("{api}/tags/")), "{location}");
        client.delete(&format!("/tags/{}", made.json()["id"])).await;
    })
    .await;
    for path in [
        "//wp-json/events",
        "//wp-json/tribe/events/v10/events",
        "//wp-json/fr/tribe/events/v1/events",
        "//fr/api/calendar/events",
        "//de/wp-json/tribe/events/v1/events",
    ] {
        client.get(path).await.assert_error(404, "rest_no_route");
    }
    let elsewhere = app.admin().get("//wp-json/tribe/events/v1/events").await;
    elsewhere.assert_error(404, "rest_no_route");
}
