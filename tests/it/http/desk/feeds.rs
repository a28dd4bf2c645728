//! Secret feeds on the desk.

use app::ports::TokenScope;
use domain::Role;
use serde_json::json;
use tests::{app::TestApp, both_stores};

use super::Browser;

/// A person sees and revokes the own feeds; an administrator those of all, as by the interface.
#[both_stores]
async fn feeds_are_listed_and_revoked(app: &TestApp) {
    let mut grace = Browser::of(app, "grace", Role::Author).await;
    let mut admin = Browser::of(app, "ada", Role::Administrator).await;
    let user = app.accounts.user("grace").await.unwrap();
    let token = app.accounts.create_token(user.id, "test", TokenScope::Admin, None).await;
    let api = app.anonymous().with_token(token.unwrap().text.expose());
    let own = api.make("/feeds", json!({"name": "My drafts", "query": "status=draft"})).await;
    let other = app.editor().make("/feeds", json!({"name": "Canary"})).await;
    let key = own["url"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();

    let page = grace.get("//desk/feeds").await;
    assert_eq!((page.status, page.header("cache-control")), (200, "private, no-store"));
    let html = page.text();
    assert!(html.contains("My drafts") && html.contains("status=draft"), "{html}");
    assert!(!html.contains("Canary") && !html.contains(&key), "{html}");
    let html = admin.get("//desk/feeds").await.text();
    assert!(html.contains("My drafts") && html.contains("Canary") && html.contains("grace"));

    let id = other["id"].to_string();
    assert_eq!(grace.post("//desk/feeds", &[("feed", &id)]).await.status, 404);
    assert_eq!(grace.post("//desk/feeds", &[("feed", "0")]).await.status, 404);
    assert_eq!(app.editor().get(&format!("/feeds/{id}")).await.status, 200);
    let id = own["id"].to_string();
    assert_eq!(grace.post("//desk/feeds", &[("feed", &id)]).await.status, 303);
    assert_eq!(api.get(&format!("/feeds/{id}")).await.status, 404);
    assert!(!grace.get("//desk/feeds").await.text().contains("My drafts"));
    let id = other["id"].to_string();
    assert_eq!(admin.post("//desk/feeds", &[("feed", &id)]).await.status, 303);
    assert_eq!(app.editor().get(&format!("/feeds/{id}")).await.status, 404);
}
