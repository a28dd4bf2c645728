//! The right to write and see translations.

use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{event_fields, has_fields, id},
};

use super::{
    languages::{KINDS, described, make, read_in, write},
    records::{event_path, read, record},
};

/// A draft of the author with a French title and description.
async fn draft(app: &TestApp, (collection, title): (&str, &str)) -> (Value, String) {
    let fields = event_fields(json!({title: "Secret", "slug": "secret", "status": "draft"}));
    let made = app.author().make(collection, fields).await;
    let path = format!("{collection}/{}", made["id"]);
    let french = json!({title: "Caché", "description": "Mystère", "slug": "cache"});
    record(&app.author().put(&format!("{path}?ml_language=fr"), french).await);
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
            app.anonymous().put(&by, french()).await.assert_error(401, "rest_forbidden");
            for client in [app.subscriber(), app.contributor()] {
                client.put(&by, french()).await.assert_error(403, "rest_forbidden");
                client.put(&by, json!({kind.1: ""})).await;
            }
        }
        assert_eq!(read_in(app, &path, "fr").await["translations"], json!(["en"]));
    }
    // The author of a draft may translate it, in any role that writes.
    let own = app.contributor().event(json!({})).await;
    let path = format!("/events/{}?ml_language=fr", own["id"]);
    let translated = app.contributor().put(&path, json!({"title": "Fête"})).await;
    assert_eq!(translated.json()["title"], "Fête");
    app.user(7).put(&path, json!({"title": "Foire"})).await.assert_error(403, "rest_forbidden");
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
            let refused = client.get(&format!("{path}?ml_language=fr")).await;
            refused.assert_error(403, &format!("{name}-not-accessible"));
            let answer = client.get(&format!("{collection}/by-slug/cache")).await;
            assert!(matches!(answer.status, 403 | 404), "{}", answer.text());
            assert!(!answer.text().contains("Caché") && !answer.text().contains("Secret"));
        }
        let found = app.author().get(&format!("{collection}?search=mystere&ml_language=fr")).await;
        assert_eq!(found.ids(), [id(&made)]);
    }
}

/// An event with a password shows its translated title, and no other translated text until the
/// password is sent; a search finds it by the title alone.
#[both_stores]
async fn a_password_locks_translations_too(app: &TestApp) {
    let event = json!({"title": "Wedding", "description": "At ours.", "password": "rose"});
    let event = app.admin().event(event).await;
    let path = event_path(&event);
    let french = json!({"title": "Mariage", "description": "Chez nous.", "excerpt": "Vite."});
    write(app, &path, "fr", french).await;
    let list = app.anonymous().get("/events?ml_language=fr&search=mariage").await.json();
    let shown = json!({"title": "Mariage", "description": "", "excerpt": ""});
    has_fields(&list["events"][0], shown);
    for hidden in ["nous", "vite", "ours", "wedding"] {
        let found = app.list(&format!("ml_language=fr&search={hidden}")).await;
        assert_eq!(found, [0; 0], "{hidden}");
    }
    let locked = app.anonymous().get(&format!("{path}?ml_language=fr")).await;
    locked.assert_error(403, "event-password-protected");
    let open = read(&app.anonymous(), &format!("{path}?ml_language=fr&password=rose")).await;
    has_fields(&open, json!({"title": "Mariage", "description": "<p>Chez nous.</p>"}));
    assert_eq!(app.list("ml_language=fr&search=nous&password=rose").await, [id(&event)]);
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
            let requests = changes.map(|(language, fields)| {
                let (client, path) = (app.editor(), format!("{path}?ml_language={language}"));
                tokio::spawn(async move { client.put(&path, fields).await })
            });
            for request in requests {
                record(&request.await.unwrap());
            }
            for (language, name, text) in [("fr", "Musique", "Fort"), ("ar", "موسيقى", "Loud")]
            {
                let text = described(kind.0, &format!("{text} {round}"));
                let shown = json!({kind.1: format!("{name} {round}"), "description": text});
                has_fields(&read_in(app, &path, language).await, shown);
            }
        }
    }
}
