//! `Debug` shows no secret: what is logged or panics with a value reveals nothing.

use forms::{Fields, Repeated};
use std::{fmt::Debug, sync::Arc};

use adapters_db::{DbOptions, connect};
use app::{
    auth::{Accounts, Credentials},
    calendar::{IdempotencyKey, PasswordAttempt},
    ports::TokenScope,
    test_support::{FixedClock, InMemoryStore},
};
use domain::{
    Role, Secret,
    entry::PasswordHash,
    policy::{Caller, Visibility},
    time::Timestamp,
};
use serde_json::json;

const SECRET: &str = "hunter2";

/// Fails if a value shows the secret, on one line or on several.
fn hides(secret: &str, value: &dyn Debug) {
    for shown in [format!("{value:?}"), format!("{value:#?}")] {
        assert!(!shown.contains(secret), "{shown}");
    }
}

#[test]
fn credentials_and_passwords_are_hidden() {
    let secret = || Secret::new(SECRET.to_owned());
    let fields = || json!({"title": "A", "password": SECRET, "venue": {"password": [SECRET]}});
    let fields = || fields().as_object().unwrap().clone();
    let sent = Fields {
        body: fields(),
        query: fields(),
        repeated: Repeated { body: fields(), query: fields() },
        ..Fields::default()
    };
    let hash = PasswordHash::from_stored(SECRET.to_owned());
    let seen = Visibility {
        password: Some(hash.clone()),
        ..Visibility::new(Caller::Anonymous, Timestamp::MIN)
    };
    let tried = PasswordAttempt { password: hash, locked: Vec::new(), opened: Vec::new() };
    let basic = Credentials::Basic { login: "ann".to_owned(), password: secret() };
    let values: [&dyn Debug; 7] = [
        &secret(),
        &basic,
        &Credentials::Bearer { token: secret() },
        &IdempotencyKey::new("POST /events", "k", SECRET.into()),
        &sent,
        &seen,
        &tried,
    ];
    for value in values {
        hides(SECRET, value);
    }
    assert!(format!("{basic:?}").contains("ann"));
    assert!(format!("{sent:?}").contains("password"), "names of fields are shown");
}

#[tokio::test]
async fn urls_of_databases_are_hidden() {
    let url = format!("postgres://ann:{SECRET}@db.example/calendar?password={SECRET}");
    let mut options = DbOptions::new(url.clone());
    options.read_url = Some(url.into());
    hides(SECRET, &options);
    // The error of a misspelt URL shows none either.
    for url in [
        "postgres://ann:hunter2@db:99999/x",
        "ann:hunter2@db.example",
        "//ann:hunter2@db/x",
        "postgres://127.0.0.1:1/hunter2@db/x",
        "postgres://127.0.0.1:1#hunter2@db/x",
    ] {
        let error = connect(&DbOptions::new(url)).await.unwrap_err();
        assert!(!error.to_string().contains(SECRET), "{error}");
    }
}

#[tokio::test]
async fn tokens_and_their_hashes_are_hidden() {
    let store = Arc::new(InMemoryStore::new());
    let accounts = Accounts::new(store, Arc::new(FixedClock::default()));
    let ann = accounts.add_user("ann", Role::Author, None).await.unwrap();
    let token = accounts.create_token(ann.id, "laptop", TokenScope::Read, None).await.unwrap();
    hides(token.text.expose(), &token);
    hides(token.token.details.hash.expose(), &token);
    hides(token.token.details.hash.expose(), &accounts.tokens(None).await.unwrap());
}
