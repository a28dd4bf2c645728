//! Events as calendar files.

mod atom;
mod changes;
mod contents;
mod file;
mod pages;
mod requests;
mod secret;
mod series;
mod tables;
mod tombstones;
mod two_servers;

use tests::client::Client;

use self::file::Component;

/// A feed, or the file of one event.
async fn file(client: &Client, path: &str) -> Component {
    let answer = client.get(path).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    assert_eq!(answer.header("content-type"), "text/calendar; charset=utf-8");
    Component::read(&answer.text())
}

/// The titles in the feed of all events.
async fn titles(client: &Client, query: &str) -> Vec<String> {
    let feed = file(client, &format!("/events.ics{query}")).await;
    feed.titles().into_iter().map(str::to_owned).collect()
}
