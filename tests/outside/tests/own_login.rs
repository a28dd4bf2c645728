//! A program that signs its users in by itself.

use app::{auth::Identity, test_support::*};
use axum::{body::Body, http::Request};
use domain::Role;
use http_service::test_support::Service;

#[tokio::test]
async fn the_program_names_the_user() -> Result<(), Box<dyn std::error::Error>> {
    let store = InMemoryStore::new();
    let caller = add_user(&store, "ada", Role::Editor).await;
    let name = Some("ada".parse()?);
    let identity = Identity {
        caller,
        name,
        may_write: true,
    };
    let service = Service::over(store, [api_http::endpoints()]).await;

    let mut request = Request::get("/cal/events/v1/feeds").body(Body::empty())?;
    request.extensions_mut().insert(identity);
    let own = service.ask(request).await;
    assert_eq!(own.status, 200, "{}", own.text());
    assert!(own.header("cache-control").contains("private"));
    Ok(())
}
