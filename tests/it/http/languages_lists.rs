//! Lists of records in many languages, and lookups by name.

use serde_json::{Value, json};
use tests::{app::TestApp, both_stores, client::id};

use super::languages::{KINDS, make, write};

/// The IDs of a list for an anonymous caller.
async fn list(app: &TestApp, path: &str) -> Vec<i64> {
    app.anonymous().get(path).await.ids()
}

/// No list omits an untranslated record, and each shows the texts of the language.
#[both_stores]
async fn lists_hold_records_without_translations(app: &TestApp) {
    for kind in KINDS {
        let (collection, title) = kind;
        let (first, path) = make(app, kind, "en", "Music").await;
        let (second, _) = make(app, kind, "fr", "Fleurs").await;
        write(app, &path, "fr", json!({title: "Musique"})).await;
        for (language, names) in [
            ("en", ["Music", "Fleurs"]),
            ("fr", ["Musique", "Fleurs"]),
            ("ar", ["Music", "Fleurs"]),
        ] {
            let path = format!("{collection}?ml_language={language}&hide_empty=0");
            let list = app.anonymous().get(&path).await.json();
            let records = list[&collection[1..]].as_array().unwrap().iter();
            let mut found: Vec<_> =
                records.map(|record| (id(record), record[title].as_str().unwrap())).collect();
            found.sort_unstable();
            assert_eq!(found, [(id(&first), names[0]), (id(&second), names[1])], "{language}");
        }
    }
}

/// A search reads the shown texts: those of the translation, and those of the original only where
/// they are untranslated.
#[both_stores]
async fn a_search_reads_the_shown_texts(app: &TestApp) {
    for kind in KINDS {
        let (collection, title) = kind;
        let (music, path) = make(app, kind, "en", "Music").await;
        let (flowers, _) = make(app, kind, "fr", "Fleurs d'été").await;
        write(app, &path, "fr", json!({title: "Sons d'été"})).await;
        let search = async |words: &str, language: &str| {
            let query = format!("search={words}&ml_language={language}&hide_empty=0");
            let mut found = list(app, &format!("{collection}?{query}")).await;
            found.sort_unstable();
            found
        };
        assert_eq!(search("ete", "fr").await, [id(&music), id(&flowers)]);
        assert_eq!(search("ete", "en").await, [id(&flowers)]);
        assert_eq!(search("music", "en").await, [id(&music)]);
        assert_eq!(search("music", "ar").await, [id(&music)]);
        assert_eq!(search("music", "fr").await, Vec::<i64>::new());
        write(app, &path, "en", json!({title: "Noise"})).await;
        assert_eq!(search("noise", "ar").await, [id(&music)]);
        assert_eq!(search("sons", "fr").await, [id(&music)]);
    }
}

/// The same holds for other texts, and for shown texts of the original after a change.
#[both_stores]
async fn a_search_looks_in_all_texts(app: &TestApp) {
    for kind in &KINDS[..3] {
        let (collection, title) = *kind;
        let (made, path) = make(app, *kind, "en", "Music").await;
        write(app, &path, "fr", json!({title: "Musique"})).await;
        write(app, &path, "en", json!({"description": "Under the bridge"})).await;
        let search = async |query: &str| list(app, &format!("{collection}?search={query}")).await;
        assert_eq!(search("bridge&ml_language=fr").await, [id(&made)]);
        write(app, &path, "fr", json!({"description": "Sous le pont"})).await;
        assert_eq!(search("pont&ml_language=fr").await, [id(&made)]);
        for query in ["bridge&ml_language=fr", "pont&ml_language=en"] {
            assert_eq!(search(query).await, [0; 0], "{query}");
        }
    }
    let (venue, path) = make(app, KINDS[1], "en", "Mill").await;
    write(app, &path, "fr", json!({"city": "Genève"})).await;
    write(app, &path, "en", json!({"city": "Geneva", "zip": "1200"})).await;
    assert_eq!(list(app, "/venues?search=geneve&ml_language=fr").await, [id(&venue)]);
    assert_eq!(list(app, "/venues?search=1200&ml_language=fr").await, [id(&venue)]);
    assert!(list(app, "/venues?search=geneva&ml_language=fr").await.is_empty());
}

/// Terms, and events by title, are ordered by the shown names.
#[both_stores]
async fn lists_are_ordered_by_the_shown_names(app: &TestApp) {
    for kind in [KINDS[0], KINDS[3], KINDS[4]] {
        let (collection, title) = kind;
        let (a, apple) = make(app, kind, "en", "Apple").await;
        let (b, bee) = make(app, kind, "en", "Bee").await;
        let (c, _) = make(app, kind, "fr", "Citron").await;
        write(app, &apple, "fr", json!({title: "Pomme"})).await;
        write(app, &bee, "ar", json!({title: "Abeille"})).await;
        let (a, b, c) = (id(&a), id(&b), id(&c));
        let sort = if title == "title" { "orderby=title&" } else { "hide_empty=0&" };
        for (language, order) in [("en", [a, b, c]), ("fr", [b, c, a]), ("ar", [b, a, c])] {
            let path = format!("{collection}?{sort}ml_language={language}");
            assert_eq!(list(app, &path).await, order, "{path}");
            let reversed = list(app, &format!("{path}&order=desc")).await;
            assert!(reversed.iter().rev().eq(&order), "{path}");
        }
    }
}

/// A name or a slug of any language finds a term: in an event, in a filter, and in the creation of
/// another term of that name.
#[both_stores]
async fn terms_are_named_in_any_language(app: &TestApp) {
    for (kind, field) in [(KINDS[3], "categories"), (KINDS[4], "tags")] {
        let (term, path) = make(app, kind, "en", "Music").await;
        write(app, &path, "fr", json!({"name": "La musique"})).await;
        let event = app.admin().event(json!({field: ["LA MUSIQUE", "la-musique", "music"]})).await;
        assert_eq!(event[field].as_array().map(Vec::len), Some(1));
        assert_eq!(event[field][0]["id"], term["id"]);
        for value in ["la-musique", "La%20musique", "music"] {
            assert_eq!(app.list(&format!("{field}={value}")).await, [id(&event)], "{value}");
        }
        for slug in ["la-musique", "music"] {
            assert_eq!(list(app, &format!("{}?slug={slug}", kind.0)).await, [id(&term)], "{slug}");
        }
        let twin = app.admin().post(kind.0, json!({"name": "la Musique"})).await;
        twin.assert_error(400, "term_exists");
        assert_eq!(twin.json()["data"]["term_id"], term["id"]);
        let twin = json!({"name": "la Musique", "slug": "la-musique"});
        app.admin().post(kind.0, twin).await.assert_error(400, "term_exists");
        let other = app.admin().make(kind.0, json!({"name": "la Musique", "slug": "other"})).await;
        assert_eq!(other["slug"], "other");
    }
}

/// D-19: A venue given within an event is found by its name in any language, and compared by its
/// texts in the original, in the language of the request or in the language of the name.
#[both_stores]
async fn places_are_known_again_by_their_names(app: &TestApp) {
    let bring = async |language: &str, venue: Value| {
        let path = format!("/events?ml_language={language}");
        let event = tests::client::event_fields(json!({"venue": venue}));
        id(&app.admin().make(&path, event).await["venue"])
    };
    let mill = bring("en", json!({"venue": "Mill", "city": "Geneva"})).await;
    let french = json!({"venue": "Moulin", "city": "Genève"});
    write(app, &format!("/venues/{mill}"), "fr", french).await;
    assert_eq!(bring("en", json!({"venue": "mill", "city": "Geneva"})).await, mill);
    assert_eq!(bring("fr", json!({"venue": "Mill", "city": "Genève"})).await, mill);
    assert_eq!(bring("fr", json!({"venue": "Mill", "city": "Geneva"})).await, mill);
    assert_ne!(bring("en", json!({"venue": "Mill", "city": "Genève"})).await, mill);
    for language in ["en", "fr", "ar"] {
        for city in ["Geneva", "Genève"] {
            let again = json!({"venue": "Moulin", "city": city});
            assert_eq!(bring(language, again).await, mill, "{city} in {language}");
        }
    }
    assert_ne!(bring("fr", json!({"venue": "Moulin", "city": "Lyon"})).await, mill);
}
