//! A test that starts the service in-process.

use app::test_support::InMemoryStore;
use domain::Role;
use http_service::test_support::Service;
use serde_json::json;

#[tokio::test]
async fn a_draft_is_for_its_author() {
    let service = Service::over(InMemoryStore::new(), [api_http::endpoints()]).await;
    let author = service.as_user("ada", Role::Author).await;

    let draft = json!({
        "title": "River cleanup",
        "start_date": "2030-03-10 09:00",
        "end_date": "2030-03-10 11:00",
        "status": "draft",
    });
    let added = author.post("/cal/events/v1/events", draft).await;
    assert_eq!(added.status, 201, "{}", added.text());

    let path = format!("/cal/events/v1/events/{}", added.json()["id"]);
    assert_eq!(author.get(&path).await.status, 200);
    assert_ne!(service.get(&path).await.status, 200);
}

#[tokio::test]
async fn pages_are_served_where_they_are_mounted() {
    let store = InMemoryStore::new();
    let alone = Service::over(store.clone(), [api_http::endpoints()]).await;
    let both = [api_http::endpoints(), pages::endpoints()];
    let both = Service::over(store, both).await;

    assert_eq!(alone.get("/fr").await.status, 404);
    let home = both.get("/fr").await;
    assert_eq!(home.status, 200, "{}", home.text());
    assert_eq!(home.header("content-language"), "fr");
}
