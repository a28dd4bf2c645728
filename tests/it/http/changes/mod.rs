//! The list of changes: readers that keep a copy of the records.

mod delta;
mod mirrors;
mod streams;
mod tokens;
mod visibility;
mod waiting;
mod walk;

use std::collections::BTreeMap;

use serde_json::Value;
use tests::client::{Client, id};

/// A copy of the records that a client may list.
struct Copy {
    client: Client,
    token: String,
    /// Parameters of each request, after `?`.
    query: String,
    /// The records, by kind and ID.
    records: BTreeMap<(String, i64), Value>,
}

/// A page of changes.
async fn page(client: &Client, query: &str) -> Value {
    let answer = client.get(&format!("/changes?{query}")).await;
    assert_eq!(answer.status, 200, "{query}: {}", answer.text());
    answer.json()
}

/// The path of a URL of the service, below its root.
fn path_of(url: &Value) -> String {
    let url = url.as_str().unwrap().strip_prefix("https://cal.example").unwrap();
    format!("/{url}")
}

/// The items of a page in words: `upsert event 3`.
fn items(page: &Value) -> Vec<String> {
    let changes = page["changes"].as_array().unwrap().iter();
    let words = changes.map(|one| {
        format!("{} {} {}", one["action"].as_str().unwrap(), one["kind"].as_str().unwrap(), id(one))
    });
    words.collect()
}

impl Copy {
    /// A copy of all records.
    async fn new(client: Client) -> Self {
        Self::with(client, "").await
    }

    /// The same with parameters of each request.
    async fn with(client: Client, query: &str) -> Self {
        let (token, query, records) = (String::new(), query.to_owned(), BTreeMap::new());
        let mut copy = Self { client, token, query, records };
        copy.apply(&copy.query.clone()).await;
        copy
    }

    /// Applies the changes since the last time. Returns them in words.
    async fn poll(&mut self) -> Vec<String> {
        self.apply(&format!("{}&sync_token={}", self.query, self.token)).await
    }

    /// The token after a poll, with whether it is another one.
    async fn poll_token(&mut self) -> (Vec<String>, bool) {
        let before = self.token.clone();
        (self.poll().await, self.token != before)
    }

    async fn apply(&mut self, query: &str) -> Vec<String> {
        let mut answer = page(&self.client, query).await;
        let mut all = Vec::new();
        loop {
            all.extend(items(&answer));
            for change in answer["changes"].as_array().unwrap() {
                let key = (change["kind"].as_str().unwrap().to_owned(), id(change));
                if change["action"] == "upsert" {
                    self.records.insert(key, change["record"].clone());
                } else {
                    self.records.remove(&key);
                }
            }
            if answer["next_rest_url"].is_null() {
                answer["sync_token"].as_str().unwrap().clone_into(&mut self.token);
                return all;
            }
            assert!(answer["sync_token"].is_null(), "{answer}");
            answer = self.client.get(&path_of(&answer["next_rest_url"])).await.json();
        }
    }

    /// A record of the copy.
    fn record(&self, kind: &str, id: i64) -> &Value {
        &self.records[&(kind.to_owned(), id)]
    }
}
