//! Assertions about the pages for people.

use tests::client::Client;

/// Reads an existing page.
pub(super) async fn page(client: &Client, path: &str) -> String {
    let answer = client.get(path).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    assert_eq!(answer.header("content-type"), "text/html; charset=UTF-8");
    answer.text()
}

/// Fails unless a page contains each of these parts.
#[track_caller]
pub(super) fn contains(html: &str, parts: &[&str]) {
    for part in parts {
        assert!(html.contains(part), "{part} in {html}");
    }
}

/// Fails if a page contains one of these parts.
#[track_caller]
pub(super) fn lacks(html: &str, parts: &[&str]) {
    for part in parts {
        assert!(!html.contains(part), "{part} in {html}");
    }
}
