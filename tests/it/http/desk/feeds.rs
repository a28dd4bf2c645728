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

/// A person makes an address for a calendar program, which is shown once.
#[both_stores]
async fn a_feed_is_made(app: &TestApp) {
    let mut grace = Browser::of(app, "grace", Role::Author).await;
    let id = app.accounts.user("grace").await.unwrap().id.get();
    for (title, author) in [("Own draft", Some(id)), ("Canary", None)] {
        let mut event = json!({"title": title, "status": "draft",
            "start_date": "2027-03-10 09:00:00", "end_date": "2027-03-10 18:00:00"});
        if let Some(author) = author {
            event["author"] = author.into();
        }
        app.editor().event(event).await;
    }
    let form = [("create", "1"), ("name", "For me"), ("own", "1"), ("unpublished", "1")];
    let made = grace.post("//desk/feeds", &form).await;
    assert_eq!(made.status, 200, "{}", made.text());
    let html = made.text();
    let link = html.split("id=\"link\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let key = link.rsplit('/').next().unwrap().to_owned();
    let file = app.anonymous().get(&format!("/feeds/{key}")).await;
    assert_eq!(file.status, 200);
    assert!(
        file.text().contains("Own draft") && !file.text().contains("Canary"),
        "{}",
        file.text()
    );
    let html = grace.get("//desk/feeds").await.text();
    assert!(html.contains("For me") && !html.contains(&key), "{html}");

    let bad = [("create", "1"), ("name", ""), ("start_date", "soon")];
    let refused = grace.post("//desk/feeds", &bad).await;
    assert_eq!((refused.status, refused.text().contains("role=\"alert\"")), (400, true));
    assert_eq!(
        grace.get("//desk/feeds").await.text().matches("aria-describedby=\"feed-").count(),
        1
    );
}
