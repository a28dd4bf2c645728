//! Categories of one name, distinguished by their slugs.

use axum::http::Method;
use serde_json::json;
use tests::{
    app::TestApp,
    both_stores,
    client::{event_fields, id},
};

use super::{
    languages::{KINDS, make, write},
    repeated_names::linked,
};

/// A category with a chosen slug may have a taken name, even if the slug is the one derived from
/// the name.
#[both_stores]
async fn a_chosen_slug_lets_two_have_one_name(app: &TestApp) {
    let rock = app.admin().make("/categories", json!({"name": "Rock"})).await;
    let path = format!("/categories/{}", rock["id"]);
    app.admin().change(&path, json!({"slug": "rock2"})).await;
    let second = app.admin().make("/categories", json!({"name": "Rock", "slug": "rock"})).await;
    assert_eq!(second["slug"], "rock");
    app.admin().post("/categories", json!({"name": "rock"})).await.assert_error(400, "term_exists");
}

/// The same holds below a parent, whose slug is appended to a taken slug.
#[both_stores]
async fn a_child_may_have_the_name_of_another_by_its_slug(app: &TestApp) {
    let parent = app.admin().make("/categories", json!({"name": "Music"})).await;
    app.admin().make("/categories", json!({"name": "Jazz"})).await;
    let child =
        app.admin().make("/categories", json!({"name": "Jazz", "parent": parent["id"]})).await;
    assert_eq!(child["slug"], "jazz-music");
    let twin = json!({"name": "Jazz", "parent": parent["id"], "slug": "jazz"});
    assert_eq!(app.admin().make("/categories", twin).await["slug"], "jazz-music-2");
}

/// D-19: A term is found by its name in each of its languages, in requests of any language: in an
/// event, in a filter, and in the refusal of a second one of the name.
#[both_stores]
async fn terms_are_found_by_their_names_in_all_languages(app: &TestApp) {
    const NAMES: [(&str, &str); 3] = [("en", "Open air"), ("fr", "Plein Été"), ("ar", "هواء طلق")];
    for (kind, original) in [(KINDS[3], "en"), (KINDS[3], "fr"), (KINDS[4], "en"), (KINDS[4], "ar")]
    {
        let (collection, field) = kind;
        let name_in = |language| NAMES.iter().find(|(one, _)| *one == language).unwrap().1;
        let (term, path) = make(app, kind, original, name_in(original)).await;
        for (language, name) in NAMES.into_iter().filter(|(one, _)| *one != original) {
            write(app, &path, language, json!({field: name})).await;
        }
        let list = &collection[1..];
        for (_, name) in NAMES {
            for spelling in [name.to_owned(), name.to_uppercase()] {
                for language in ["en", "fr", "ar"] {
                    let query = format!("?ml_language={language}");
                    let path = format!("{collection}{query}");
                    let twin = app.admin().post(&path, json!({"name": spelling})).await;
                    twin.assert_error(400, "term_exists");
                    assert_eq!(twin.json()["data"]["term_id"], term["id"], "{spelling}");
                    let event = event_fields(json!({list: [spelling]}));
                    let event = app.admin().make(&format!("/events{query}"), event).await;
                    assert_eq!(linked(&event, list), [id(&term)], "{spelling} in {language}");
                    let path = format!("/events{query}&per_page=1");
                    let body = json!({list: [spelling]});
                    let named = app.anonymous().send_json(Method::GET, &path, &body).await;
                    assert_eq!(named.ids().len(), 1, "{spelling} in {language}");
                }
            }
        }
        assert_eq!(app.admin().delete(&path).await.status, 200);
    }
}
