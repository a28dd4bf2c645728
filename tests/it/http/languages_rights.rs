//! The right to write and see translations.

use serde_json::{Value, json};
use tests::{app::TestApp, both_stores, client::event_fields};

use super::{
    languages::{KINDS, described, make, read_in, write},
    records::read,
};

/// A draft of the author with a French title and description.
async fn draft(app: &TestApp, (collection, title): (&str, &str)) -> (Value, String) {
    let fields = event_fields(json!({title: "Secret", "slug": "secret", "status": "draft"}));
    let made = app.author().make(collection, fields).await;
    let path = format!("{collection}/{}", made["id"]);
    let french = json!({title: "Caché", "description": "Mystère", "slug": "cache"});
    let answer = app.author().put(&format!("{path}?ml_language=fr"), french).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    (made, path)
}

/// A user without the right to change a record may not translate it either.
#[both_stores]
async fn translating_is_changing(app: &TestApp) {
    for kind in KINDS {
        let (_, path) = make(app, kind, "en", "Music").await;
        let french = || json!({kind.1: "Musique"});
        for by in [path.clone(), format!("{}/by-slug/music", kind.0)] {
            if kind.1 == "name" && by != path {
                continue;
            }
            let by = format!("{by}?ml_language=fr");
            app.anonymous().put(&by, french()).await.is_error(401, "rest_forbidden");
            for client in [app.subscriber(), app.contributor()] {
                client.put(&by, french()).await.is_error(403, "rest_forbidden");
                client.put(&by, json!({kind.1: ""})).await;
            }
        }
        assert_eq!(read_in(app, &path, "fr").await["translations"], json!(["en"]));
    }
    // The author of a draft may translate it, in any role that writes.
    let own = app.contributor().event(json!({})).await;
    let path = format!("/events/{}?ml_language=fr", own["id"]);
    assert_eq!(
        app.contributor().put(&path, json!({"title": "Fête"})).await.json()["title"],
        "Fête"
    );
    app.user(7).put(&path, json!({"title": "Foire"})).await.is_error(403, "rest_forbidden");
}

/// A record that is not public is not found by its translations.
#[both_stores]
async fn drafts_are_not_found_by_their_translations(app: &TestApp) {
    for kind in &KINDS[..3] {
        let (made, path) = draft(app, *kind).await;
        let (collection, name) = (kind.0, &collection_name(kind.0));
        for client in [app.anonymous(), app.contributor(), app.user(6)] {
            for search in ["cache", "mystere", "secret"] {
                let list =
                    client.get(&format!("{collection}?search={search}&ml_language=fr")).await;
                assert_eq!((list.ids(), &list.json()["total"]), (vec![], &json!(0)));
            }
            client
                .get(&format!("{path}?ml_language=fr"))
                .await
                .is_error(403, &format!("{name}-not-accessible"));
            let answer = client.get(&format!("{collection}/by-slug/cache")).await;
            assert!(matches!(answer.status, 403 | 404), "{}", answer.text());
            assert!(!answer.text().contains("Caché") && !answer.text().contains("Secret"));
        }
        let found = app.author().get(&format!("{collection}?search=mystere&ml_language=fr")).await;
        assert_eq!(found.ids(), [made["id"].as_i64().unwrap()]);
    }
}

/// An event with a password shows its translated title, and no other translated text until the
/// password is sent; a search finds it by the title alone.
#[both_stores]
async fn a_password_locks_translations_too(app: &TestApp) {
    let event = app
        .admin()
        .event(json!({"title": "Wedding", "description": "At ours.", "password": "rose"}))
        .await;
    let path = format!("/events/{}", event["id"]);
    write(
        app,
        &path,
        "fr",
        json!({"title": "Mariage", "description": "Chez nous.", "excerpt": "Vite."}),
    )
    .await;
    let list = app.anonymous().get("/events?ml_language=fr&search=mariage").await.json();
    let shown = &list["events"][0];
    assert_eq!(
        (&shown["title"], &shown["description"], &shown["excerpt"]),
        (&json!("Mariage"), &json!(""), &json!(""))
    );
    for hidden in ["nous", "vite", "ours", "wedding"] {
        assert!(
            app.anonymous()
                .get(&format!("/events?ml_language=fr&search={hidden}"))
                .await
                .ids()
                .is_empty()
        );
    }
    app.anonymous()
        .get(&format!("{path}?ml_language=fr"))
        .await
        .is_error(403, "event-password-protected");
    let open = read(&app.anonymous(), &format!("{path}?ml_language=fr&password=rose")).await;
    assert_eq!(
        (&open["title"], &open["description"]),
        (&json!("Mariage"), &json!("<p>Chez nous.</p>"))
    );
    let found = app.anonymous().get("/events?ml_language=fr&search=nous&password=rose").await;
    assert_eq!(found.ids(), [event["id"].as_i64().unwrap()]);
}

/// The name of one record of a collection.
fn collection_name(path: &str) -> String {
    path.trim_matches(['/', 's']).to_owned()
}

/// The rounds of concurrent translations.
const ROUNDS: usize = 6;

/// Concurrent translations of one record, into two languages or into one, all take effect.
#[both_stores(threads = 4)]
async fn no_translation_is_lost(app: &TestApp) {
    for kind in KINDS {
        let (_, path) = make(app, kind, "en", "Music").await;
        for round in 0..ROUNDS {
            let changes = [
                ("fr", json!({kind.1: format!("Musique {round}")})),
                ("fr", json!({"description": format!("Fort {round}")})),
                ("ar", json!({kind.1: format!("موسيقى {round}")})),
                ("en", json!({"description": format!("Loud {round}")})),
            ];
            translate_at_once(app, &path, changes).await;
            let french = read_in(app, &path, "fr").await;
            assert_eq!(french[kind.1], format!("Musique {round}"));
            assert_eq!(french["description"], described(kind.0, &format!("Fort {round}")));
            let arabic = read_in(app, &path, "ar").await;
            assert_eq!(arabic[kind.1], format!("موسيقى {round}"));
            assert_eq!(arabic["description"], described(kind.0, &format!("Loud {round}")));
        }
    }
}

async fn translate_at_once<const N: usize>(
    app: &TestApp,
    path: &str,
    changes: [(&'static str, serde_json::Value); N],
) {
    let requests = changes.map(|(language, fields)| {
        let (client, path) = (app.editor(), format!("{path}?ml_language={language}"));
        tokio::spawn(async move { client.put(&path, fields).await })
    });
    for request in requests {
        let answer = request.await.unwrap();
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
}
