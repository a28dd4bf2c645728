//! The page of the OpenAPI document.

use axum::http::Method;
use tests::{app::TestApp, both_stores, client::Answer};

use super::document::Document;

const BROWSER: (&str, &str) =
    ("accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8");

async fn page(app: &TestApp) -> Answer {
    app.anonymous().get_with("/doc", &[BROWSER]).await
}

/// The values of all attributes with this name.
fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    let start = format!(" {attribute}=\"");
    html.split(&*start).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

/// Browsers get a page, other clients JSON.
#[both_stores]
async fn browsers_get_a_page(app: &TestApp) {
    let (page, json) = (page(app).await, app.anonymous().get("/doc").await);
    assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=UTF-8"));
    assert_eq!(page.header("content-language"), "en");
    for answer in [&page, &json] {
        let vary: Vec<_> = answer.headers.get_all("vary").iter().collect();
        let vary = vary.iter().map(|value| value.to_str().unwrap()).collect::<Vec<_>>().join(",");
        assert!(vary.to_ascii_lowercase().contains("accept"), "{vary}");
    }
    for accept in ["application/json", "*/*", "text/html;q=0, */*"] {
        let answer = app.anonymous().get_with("/doc", &[("accept", accept)]).await;
        assert_eq!(answer.bytes, json.bytes, "{accept}");
    }
}

/// The page has each operation, schema, parameter and status, and its links lead to anchors.
#[both_stores]
async fn the_page_has_the_whole_document(app: &TestApp) {
    let html = page(app).await.text();
    let document = Document::of(app).await;
    for (method, path, operation) in document.operations() {
        assert!(html.contains(&format!("<code>{path}</code>")), "{path}");
        assert!(html.contains(&format!("class=\"method {method}\"")), "{method}");
        let summary = operation["summary"].as_str().unwrap();
        assert!(html.contains(&format!("<span class=\"summary\">{summary}</span>")), "{summary}");
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        for parameter in parameters.map(|parameter| document.resolve(parameter)) {
            let (name, location) = (&parameter["name"], &parameter["in"]);
            let (name, location) = (name.as_str().unwrap(), location.as_str().unwrap());
            let named = format!("<dt><code>{name}</code> <small>{location}</small>");
            assert!(html.contains(&named), "{name}");
        }
        for status in operation["responses"].as_object().unwrap().keys() {
            assert!(html.contains(&format!("<dt>{status}</dt>")), "{status}");
        }
    }
    let ids = values(&html, "id");
    for name in document.json["components"]["schemas"].as_object().unwrap().keys() {
        assert!(ids.contains(&name.as_str()), "{name}");
    }
    for link in values(&html, "href") {
        let is_anchor = link.strip_prefix('#').is_some_and(|name| ids.contains(&name));
        assert!(is_anchor || link.starts_with("/assets/doc/"), "{link}");
    }
    let mut distinct = ids.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), ids.len());
}

/// A field is shown with its type, limits, allowed values, default and example.
#[both_stores]
async fn fields_in_words(app: &TestApp) {
    let html = page(app).await.text();
    for part in [
        "<dd>Records per page; values above 100 mean 100.</dd>\n<dd class=\"facts\"><span><b>Type</b> integer, \
         at least 1</span> <span><b>Default</b> <code>10</code></span></dd>",
        "<span class=\"allowed\"><b>Allowed</b> <code>asc</code> <code>desc</code></span> \
         <span><b>Default</b> <code>asc</code></span>",
        "<dt><code>title</code> <strong>required</strong></dt>",
        "<span class=\"example\"><b>Example</b> <code>Bring gloves.</code></span>",
        "<dt><code>data.status</code> <strong>required</strong></dt>",
        "<p>Bodies of errors: <a href=\"#Error\">Error</a> as <code>application/json</code>, \
         <a href=\"#Problem\">Problem</a> as <code>application/problem+json</code>.</p>",
        "\"message\": \"Missing parameter(s): start_date, end_date\"",
    ] {
        assert!(html.contains(part), "{part}");
    }
}

/// Commands have the URL of the site, and examples of parameters and body.
#[both_stores]
async fn commands_of_curl(app: &TestApp) {
    let html = page(app).await.text();
    for command in [
        "curl 'https://cal.example/cal/events/v1/events'<",
        "curl --request DELETE 'https://cal.example/cal/events/v1/events/1' \\\n  \
         --header \"Authorization: Bearer $TOKEN\"<",
        "curl --request POST 'https://cal.example/cal/events/v1/tags' \\\n  \
         --header \"Authorization: Bearer $TOKEN\" \\\n  \
         --header 'Content-Type: application/json' \\\n  --data '{\n",
        "--form 'file=@FILE'<",
        "curl 'https://cal.example/healthz'<",
    ] {
        assert!(html.contains(command), "{command}");
    }
}

/// The page loads a stylesheet, an icon and a script of this service, and its policy allows no more.
#[both_stores]
async fn the_page_runs_its_own_script_alone(app: &TestApp) {
    let page = page(app).await;
    let html = page.text();
    assert_eq!(
        page.header("content-security-policy"),
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
         form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    );
    assert_eq!(html.matches("<script").count(), 1);
    for inline in ["<style", " style=", " onclick=", " onload=", "<img", "<iframe", "javascript:"] {
        assert!(!html.contains(inline), "{inline}");
    }
    let loaded = values(&html, "href").into_iter().chain(values(&html, "src"));
    let loaded: Vec<_> = loaded.filter(|url| !url.starts_with('#')).collect();
    let types = ["text/css; charset=UTF-8", "image/svg+xml", "text/javascript; charset=UTF-8"];
    assert_eq!(loaded.len(), types.len(), "{loaded:?}");
    for (path, media_type) in loaded.iter().zip(types) {
        let file = app.anonymous().get(&format!("/{path}")).await;
        assert_eq!((file.status, file.header("content-type")), (200, media_type), "{path}");
        assert!(file.header("cache-control").contains("immutable"), "{path}");
    }
    let script = app.anonymous().get(&format!("/{}", loaded[2])).await.text();
    assert!(script.len() <= 10_000, "{}", script.len());
    for stored in ["localStorage", "sessionStorage", "indexedDB", "cookie", "innerHTML"] {
        assert!(!script.contains(stored), "{stored}");
    }
    app.anonymous().get("//assets/doc/reference.js").await.assert_error(404, "rest_no_route");
}

/// The page has a limited size, and its texts are those of the document in each language.
#[both_stores]
async fn one_page_for_all_languages(app: &TestApp) {
    let plain = page(app).await;
    assert!(plain.bytes.len() < 730_000, "{}", plain.bytes.len());
    let chosen = app.anonymous().get_with("/doc?ml_language=fr", &[BROWSER]).await;
    assert_eq!(chosen.bytes, plain.bytes);
    let french = app.anonymous().get_with("//fr/cal/events/v1/doc", &[BROWSER]).await;
    let texts = "<h1>Events calendar: the interface</h1>";
    let command = "curl 'https://cal.example/fr/cal/events/v1/events'<";
    assert!(french.text().contains(texts) && french.text().contains(command));
    let head = app.anonymous().send_with(Method::HEAD, "/doc", &[BROWSER], None).await;
    assert_eq!((head.status, head.bytes.len()), (200, 0));
    assert_eq!(head.header("etag"), plain.header("etag"));
}
