//! The interface and the pages, each served without the other.

use app::test_support::InMemoryStore;
use axum::{
    body::Body,
    http::{Method, Request},
};
use http_service::{
    Endpoints, InvalidBasePath, parse_base_path,
    test_support::{Answer, Service},
};
use tests::app::{endpoints, routes};

const BROWSER: &str = "text/html,application/xhtml+xml,*/*;q=0.8";

/// The response of a service of these endpoints to a browser.
async fn browse(served: Endpoints, path: &str) -> Answer {
    let service = Service::over(InMemoryStore::new(), [served]).await;
    let request = Request::get(path).header("accept", BROWSER);
    service.ask(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn without_pages_a_browser_gets_the_errors_of_the_interface() {
    for (path, language) in [
        ("/", "en"),
        ("/fr", "fr"),
        ("/event/fair", "en"),
        ("/fr/event/fair", "fr"),
        ("/fr/nowhere", "en"),
    ] {
        let answer = browse(api_http::endpoints(), path).await;
        answer.assert_error(404, "rest_no_route");
        assert_eq!(answer.header("content-language"), language, "{path}");
    }
    let index = browse(api_http::endpoints(), "/cal/events/v1").await;
    assert_eq!(index.status, 200);
}

#[tokio::test]
async fn pages_need_no_interface() {
    let home = browse(pages::endpoints(), "/ar").await;
    assert_eq!((home.status, home.header("content-language")), (200, "ar"));
    assert_eq!(home.header("allow"), "GET");
    for (path, language) in [("/nowhere", "en"), ("/fr/nowhere", "fr"), ("/event/fair", "en")] {
        let answer = browse(pages::endpoints(), path).await;
        assert_eq!((answer.status, answer.header("content-language")), (404, language), "{path}");
        assert_eq!(answer.header("content-type"), "text/html; charset=UTF-8", "{path}");
    }
    let index = browse(pages::endpoints(), "/cal/events/v1").await;
    index.assert_error(404, "rest_no_route");
}

#[tokio::test]
async fn options_are_described_by_the_adapter_of_the_path() {
    let service = Service::over(InMemoryStore::new(), endpoints()).await;
    for (path, is_described) in [("/cal/events/v1/tags", true), ("/", false), ("/nowhere", false)] {
        let request = Request::builder().method(Method::OPTIONS).uri(path);
        let answer = service.ask(request.body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!(answer.json()["methods"].is_array(), is_described, "{path}");
    }
}

/// A base path must hide no route of the adapters that are served; those of others are free.
#[test]
fn base_paths_hide_no_route() {
    let (rest, both) = ([api_http::endpoints()], endpoints());
    let fixed = routes().into_iter().map(|route| {
        let first = route.path.split('/').nth(1).unwrap_or_default();
        format!("/{first}")
    });
    for path in fixed.filter(|path| path != "/" && path != "/cal") {
        let taken = parse_base_path(&path, &both);
        assert!(matches!(taken, Err(InvalidBasePath::Taken { .. })), "{path}");
    }
    for (path, is_free) in [("/event", true), ("/venue", true), ("/media", false)] {
        assert_eq!(parse_base_path(path, &rest).is_ok(), is_free, "{path}");
        assert!(parse_base_path(path, &both).is_err(), "{path}");
    }
}
