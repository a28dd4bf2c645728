//! The rights of tokens: scopes, and limits to collections.

use app::ports::{TokenRights, TokenScope};
use axum::http::Method;
use domain::{
    UserId,
    policy::{Collection, Collections},
};
use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{Answer, Client, event_fields, id},
};

use super::mounts::{TRIBE, mounted};

/// Each kind: its collection, its name in the interface, and whether its records have a status.
const KINDS: [(Collection, &str, bool); 5] = [
    (Collection::Events, "title", true),
    (Collection::Venues, "venue", true),
    (Collection::Organizers, "organizer", true),
    (Collection::Categories, "name", false),
    (Collection::Tags, "name", false),
];

/// A new token of a user.
async fn token(app: &TestApp, user: i64, rights: impl Into<TokenRights>) -> String {
    let token = app.accounts.create_token(UserId::from_raw(user), "limited", rights, None);
    token.await.unwrap().text.expose().clone()
}

/// A client of the administrator, limited to some collections.
async fn limited_to(app: &TestApp, collections: &str) -> Client {
    let collections = collections.parse().unwrap();
    let rights = TokenRights { scope: TokenScope::Admin, collections };
    app.anonymous().with_token(&token(app, 1, rights).await)
}

/// A client of the interface of the host.
async fn host(app: &TestApp, token: &str) -> Client {
    mounted(app, &[TRIBE]).await.under("/wp-json/wp/v2").with_token(token)
}

/// The content of an answer from which a caller learns, apart from the request for credentials.
fn seen(answer: &Answer) -> (u16, String, Value) {
    let mut json = answer.json();
    if let Some(fields) = json.as_object_mut() {
        fields.remove("data");
    }
    (answer.status, answer.code(), json)
}

/// The number of records of each collection, the trash included, for an administrator.
async fn totals(app: &TestApp) -> Vec<Value> {
    let mut totals = Vec::new();
    for (collection, _, has_status) in KINDS {
        let every = "publish,future,draft,pending,private,trash";
        let status = if has_status { format!("?status={every}") } else { String::new() };
        let list = app.admin().get(&format!("/{collection}{status}")).await;
        totals.push(list.json()["total"].clone());
    }
    totals
}

/// A token that is limited to one collection has all rights of its user in it, and outside of it reads what an
/// anonymous caller reads, and writes nothing.
#[both_stores]
async fn a_limit_to_each_collection(app: TestApp) {
    let image = super::images::upload(&app.admin()).await;
    for limit in Collection::ALL {
        let client = limited_to(&app, limit.name()).await;
        for (collection, title, has_status) in KINDS {
            let case = format!("limited to {limit}: {collection}");
            let is_held = limit == collection;
            let path = format!("/{collection}");
            let name = format!("{collection} of {limit}");
            let draft = event_fields(json!({title: name, "slug": name, "status": "draft"}));
            let draft = app.admin().make(&path, draft).await;
            let record = format!("{path}/{}", draft["id"]);
            let before = totals(&app).await;

            for read in [record.clone(), path.clone(), format!("{path}?search=of")] {
                let (answer, public) = (client.get(&read).await, app.anonymous().get(&read).await);
                let like = if is_held { app.admin().get(&read).await } else { public };
                assert_eq!(seen(&answer), seen(&like), "{case}: {read}");
            }
            if has_status {
                let drafts = client.get(&format!("{path}?status=draft")).await;
                assert_eq!(drafts.status, if is_held { 200 } else { 400 }, "{case}");
            }
            let change = json!({"description": "Changed."});
            let new = event_fields(json!({title: format!("new {name}")}));
            let writes = [
                (Method::POST, path.clone(), new, 201),
                (Method::PUT, record.clone(), change.clone(), 200),
                (Method::PATCH, record.clone(), change, 200),
                (Method::POST, format!("{record}/revisions/1/restore"), json!({}), 200),
                (Method::DELETE, record.clone(), json!({}), 200),
            ];
            for (method, path, body, success) in writes {
                let what = format!("{case}: {method} {path}");
                let answer = client.send_json(method, &path, &body).await;
                if is_held {
                    assert_eq!(answer.status, success, "{what}: {}", answer.text());
                } else {
                    answer.assert_error(403, "rest_forbidden");
                }
            }
            for read in [format!("{record}/revisions"), format!("{record}?as_of=now")] {
                let answer = client.get(&read).await;
                assert_eq!(answer.status == 403, !is_held, "{case}: {read}: {}", answer.text());
            }
            if !is_held {
                assert_eq!(totals(&app).await, before, "{case}");
                let options = client.send(Method::OPTIONS, &record, None).await;
                assert_eq!(options.header("allow"), "GET", "{case}");
            }
        }
        let path = format!("/images/{}", image["id"]);
        let (read, change) =
            (client.get(&path).await, client.put(&path, json!({"alt": "A mill"})).await);
        if limit == Collection::Images {
            assert_eq!((read.status, change.status), (200, 200), "{}", change.text());
        } else {
            assert_eq!(seen(&read), seen(&app.anonymous().get(&path).await), "{limit}");
            change.assert_error(403, "rest_forbidden");
        }
    }
}

/// A token that is limited to all collections has no right beyond them: on users, sources, feeds, imports, pairs of
/// records and the trail.
#[both_stores]
async fn no_rights_beyond_the_collections(app: TestApp) {
    let collections: Collections = Collection::ALL.into_iter().collect();
    let rights = TokenRights { scope: TokenScope::Admin, collections };
    let text = token(&app, 1, rights).await;
    let client = app.anonymous().with_token(&text);
    assert_eq!(client.post("/venues", json!({"venue": "Mill"})).await.status, 201);
    for path in ["/sources", "/duplicates", "/feeds", "/audit"] {
        assert_eq!(app.admin().get(path).await.status, 200, "{path}");
        client.get(path).await.assert_error(403, "rest_forbidden");
    }
    for path in ["/sources", "/feeds", "/imports", "/duplicates/1/merge"] {
        client
            .post(path, json!({"name": "x", "keep": 1}))
            .await
            .assert_error(403, "rest_forbidden");
    }
    let host = host(&app, &text).await;
    host.get("/settings").await.assert_error(403, "rest_forbidden");
    let me = host.get("/users/me").await.json();
    assert_eq!(me["capabilities"]["publish_tribe_venues"], true, "{me}");
    assert_eq!(me["capabilities"]["manage_options"], Value::Null, "{me}");
}

/// The interface of the host has the drafts of the collections alone.
#[both_stores]
async fn the_host_shows_the_collections(app: TestApp) {
    for (collection, title, has_status) in KINDS {
        if has_status {
            let draft = event_fields(json!({title: "Mill", "status": "draft"}));
            app.admin().make(&format!("/{collection}"), draft).await;
        }
    }
    let rights = "venues".parse().unwrap();
    let rights = TokenRights { scope: TokenScope::Admin, collections: rights };
    let host = host(&app, &token(&app, 1, rights).await).await;
    for (path, total) in [("tribe_events", 0), ("tribe_venue", 1), ("tribe_organizer", 0)] {
        let list = host.get(&format!("/{path}?status=publish,draft")).await;
        if total > 0 {
            assert_eq!(
                list.json().as_array().map(Vec::len),
                Some(total),
                "{path}: {}",
                list.text()
            );
        } else {
            assert_eq!(list.status, 400, "{path}: {}", list.text());
            let list = host.get(&format!("/{path}")).await;
            assert_eq!(list.json(), json!([]), "{path}");
        }
    }
    host.post("/tags", json!({"name": "Loud"})).await.assert_error(403, "rest_forbidden");
}

/// An event links published records of other collections, sees no others, and makes none by the way.
#[both_stores]
async fn events_with_links_to_other_collections(app: TestApp) {
    let venue = |name: &str, status: &str| json!({"venue": name, "status": status});
    let hidden = app.admin().make("/venues", venue("Hidden Mill", "draft")).await;
    let open = app.admin().make("/venues", venue("Open Mill", "publish")).await;
    let with = |fields: Value| {
        let mut event = event_fields(json!({"title": "Fair"}));
        event.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        event
    };
    let fair = app.admin().event(with(json!({"venue": id(&hidden), "status": "draft"}))).await;
    let fair = format!("/events/{}", fair["id"]);
    assert_eq!(app.admin().get(&fair).await.json()["venue"]["venue"], "Hidden Mill");

    let events = limited_to(&app, "events").await;
    let read = events.get(&fair).await;
    assert_eq!(read.status, 200, "{}", read.text());
    assert!(!read.text().contains("Hidden Mill"), "{}", read.text());
    let at_hidden = format!("/events?status=draft&venue={}", id(&hidden));
    events.get(&at_hidden).await.assert_error(400, "rest_invalid_param");
    let both = limited_to(&app, "events,venues").await;
    assert_eq!(both.get(&fair).await.json()["venue"]["venue"], "Hidden Mill");
    // The links that the answer left out stay.
    assert_eq!(events.put(&fair, json!({"description": "Rides"})).await.status, 200);
    assert_eq!(app.admin().get(&fair).await.json()["venue"]["venue"], "Hidden Mill");

    let linked = events.post("/events", with(json!({"venue": id(&open)}))).await;
    assert_eq!(linked.json()["venue"]["venue"], "Open Mill", "{}", linked.text());
    let unknown = events.post("/events", with(json!({"venue": id(&hidden)}))).await;
    unknown.assert_error(400, "rest_invalid_param");
    let before = totals(&app).await;
    for (collection, by_the_way) in [
        ("venues", json!({"venue": {"venue": "New Mill"}})),
        ("venues", json!({"venue": {"venue": "Hidden Mill"}})),
        ("organizers", json!({"organizer": [{"organizer": "New Club"}]})),
        ("categories", json!({"categories": ["New"]})),
        ("tags", json!({"tags": ["New"]})),
    ] {
        let refused = events.post("/events", with(by_the_way.clone())).await;
        refused.assert_error(403, "rest_forbidden");
        events.put(&fair, by_the_way.clone()).await.assert_error(403, "rest_forbidden");
        assert_eq!(totals(&app).await, before, "{by_the_way}");
        let wider = limited_to(&app, &format!("events,{collection}")).await;
        let made = wider.post("/events", with(by_the_way.clone())).await;
        assert_eq!(made.status, 201, "{by_the_way}: {}", made.text());
        app.admin().delete(&format!("/events/{}?force=true", made.json()["id"])).await;
        for (path, _, _) in KINDS {
            if path.name() == collection {
                let every = app.admin().get(&format!("/{path}?search=New&status=publish")).await;
                let found = every.json()[path.name()].clone();
                for one in found.as_array().unwrap() {
                    app.admin().delete(&format!("/{path}/{}?force=true", one["id"])).await;
                }
            }
        }
        if by_the_way["venue"]["venue"] == "Hidden Mill" {
            assert_eq!(made.json()["venue"]["id"], hidden["id"]);
        }
    }
}

/// A copy that is kept with a limited token has the unpublished records of its collections alone.
#[both_stores]
async fn changes_of_the_collections(app: TestApp) {
    let hidden = |name: &str| json!({"venue": name, "status": "draft"});
    app.admin().make("/venues", hidden("Mill")).await;
    let fair = event_fields(json!({"title": "Fair", "status": "draft"}));
    app.admin().event(fair).await;
    let names = |answer: &Answer| -> Vec<String> {
        let items = answer.json()["changes"].as_array().unwrap().clone();
        items.iter().map(|item| item["kind"].as_str().unwrap().to_owned()).collect()
    };
    let client = limited_to(&app, "venues,tags").await;
    let walk = client.get("/changes").await;
    assert_eq!(names(&walk), ["venue"], "{}", walk.text());
    let token = walk.json()["sync_token"].as_str().unwrap().to_owned();
    let since = format!("/changes?sync_token={token}");

    let other = limited_to(&app, "venues").await;
    assert_eq!(other.get(&since).await.status, 410);
    app.admin().make("/venues", hidden("Barn")).await;
    let late = event_fields(json!({"title": "Late", "status": "draft"}));
    app.admin().event(late).await;
    assert_eq!(names(&client.get(&since).await), ["venue"]);
}

/// A token with the scope `write` acts as an editor, whatever its user may do; each scope reads what its user reads.
#[both_stores]
async fn scopes_cap_the_role(app: TestApp) {
    let draft = app.author().make("/venues", json!({"venue": "Mill", "status": "draft"})).await;
    let mill = format!("/venues/{}", draft["id"]);
    for (user, client) in [(1, app.admin()), (2, app.editor()), (4, app.contributor())] {
        let [read, write, admin] = [TokenScope::Read, TokenScope::Write, TokenScope::Admin];
        let read = app.anonymous().with_token(&token(&app, user, read).await);
        let write = app.anonymous().with_token(&token(&app, user, write).await);
        let admin = app.anonymous().with_token(&token(&app, user, admin).await);
        for path in [mill.as_str(), "/venues", "/audit", "/sources"] {
            let own = seen(&client.get(path).await);
            assert_eq!(seen(&read.get(path).await), own, "{user} {path}");
            assert_eq!(seen(&admin.get(path).await), own, "{user} {path}");
            let capped = if user == 1 { seen(&app.editor().get(path).await) } else { own };
            assert_eq!(seen(&write.get(path).await), capped, "{user} {path}");
        }
        let barn = json!({"venue": "Barn"});
        read.post("/venues", barn.clone()).await.assert_error(403, "rest_forbidden");
        assert_eq!(write.post("/venues", barn.clone()).await.status, 201);
        assert_eq!(admin.post("/venues", barn).await.status, 201);
        let source = json!({"name": "Fair", "url": "https://fair.example/a.ics"});
        write.post("/sources", source.clone()).await.assert_error(403, "rest_forbidden");
        let added = admin.post("/sources", source).await;
        assert_eq!(added.status, if user == 1 { 201 } else { 403 }, "{}", added.text());
    }
}
