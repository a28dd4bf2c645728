//! The client library, on a socket of the service.

mod copies;
mod document;
mod operations;
mod repetition;

use client::Client;
use domain::Secret;
use tests::app::TestApp;

/// A client of the user with an ID, or of no user for 0.
async fn connect(app: &TestApp, user: usize) -> Client {
    let client = Client::new(&app.serve().await).unwrap();
    if user == 0 {
        return client;
    }
    client.with_token(&Secret::new(app.token(user).to_owned())).unwrap()
}
