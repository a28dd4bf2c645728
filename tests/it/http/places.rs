//! Helpers for tests of venues and organizers.

use serde_json::{Value, json};
use tests::client::{Answer, Client};

/// Venues or organizers.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    /// The field with the name of one of them.
    pub(super) name: &'static str,
    /// A one-line text field that only this kind has.
    pub(super) detail: &'static str,
}

/// Both kinds.
pub(super) const KINDS: [Kind; 2] =
    [Kind { name: "venue", detail: "city" }, Kind { name: "organizer", detail: "email" }];

impl Kind {
    /// The path of the collection below the namespace.
    pub(super) fn all(self) -> String {
        format!("/{}s", self.name)
    }

    /// The path of a record.
    pub(super) fn path(self, place: &Value) -> String {
        format!("/{}s/{}", self.name, place["id"])
    }

    /// The path of a record by its slug.
    pub(super) fn by_slug(self, slug: &str) -> String {
        format!("/{}s/by-slug/{slug}", self.name)
    }

    /// The code of an error that contains the kind.
    pub(super) fn code(self, what: &str) -> String {
        format!("{}-{what}", self.name)
    }

    /// Sends a creation with these fields; the name is `Old Mill` unless they have one.
    pub(super) async fn try_make(self, client: &Client, more: Value) -> Answer {
        let mut fields = json!({self.name: "Old Mill"});
        if let (Some(fields), Value::Object(more)) = (fields.as_object_mut(), more) {
            fields.extend(more);
        }
        client.post(&self.all(), fields).await
    }

    /// Creates a record; fails if the service refuses it.
    pub(super) async fn make(self, client: &Client, more: Value) -> Value {
        let answer = self.try_make(client, more).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
        answer.json()
    }

    /// Creates a record with a value in every field that both kinds have.
    pub(super) async fn make_full(self, client: &Client) -> Value {
        let fields = json!({
            "description": "Old.",
            "phone": "+33 4 00",
            "website": "https://mill.example/",
            "date": "2026-12-01 10:00:00",
            self.detail: "Lyon",
        });
        self.make(client, fields).await
    }

    /// The records of this kind that an event shows.
    pub(super) fn of_event(self, event: &Value) -> Vec<Value> {
        match &event[self.name] {
            Value::Array(places) => places.clone(),
            place => vec![place.clone()],
        }
    }
}
