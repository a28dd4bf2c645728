//! Slugs in many languages.

use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{has_fields, id},
};

use super::{
    languages::{KINDS, described, make, read_in, texts_of, write},
    records::{read, record},
};

/// `مهرجان-الموسيقى`, percent-encoded.
const FESTIVAL: &str =
    "%d9%85%d9%87%d8%b1%d8%ac%d8%a7%d9%86-%d8%a7%d9%84%d9%85%d9%88%d8%b3%d9%8a%d9%82%d9%89";

/// A record is found by the slug of each of its languages; without a language the answer is in
/// that of the slug.
#[both_stores]
async fn the_slug_tells_the_language(app: &TestApp) {
    for kind in &KINDS[..3] {
        let (collection, title) = *kind;
        let (_, path) = make(app, *kind, "en", "Music").await;
        write(app, &path, "fr", json!({title: "Musique"})).await;
        write(app, &path, "ar", json!({title: "موسيقى"})).await;
        let by_slug = format!("{collection}/by-slug");
        for (slug, language, name) in [
            ("music", "en", "Music"),
            ("musique", "fr", "Musique"),
            ("%D9%85%D9%88%D8%B3%D9%8A%D9%82%D9%89", "ar", "موسيقى"),
        ] {
            let path_of_slug = format!("{by_slug}/{slug}");
            let answer = app.anonymous().get(&path_of_slug).await;
            assert_eq!((answer.status, answer.header("content-language")), (200, language));
            let found = texts_of(read(&app.anonymous(), &path_of_slug).await);
            assert_eq!(found, read_in(app, &path, language).await, "{slug}");
            assert_eq!(found[title], name);
            // The requested language takes precedence.
            for chosen in [
                format!("{path_of_slug}?ml_language=fr"),
                format!("//fr/cal/events/v1{path_of_slug}"),
            ] {
                let answer = app.anonymous().get(&chosen).await;
                assert_eq!(answer.header("content-language"), "fr");
                assert_eq!(answer.json()[title], "Musique");
            }
        }
        // The same holds for changes.
        let fields = json!({"description": "Fort."});
        let answer = app.admin().put(&format!("{by_slug}/musique"), fields).await;
        assert_eq!(answer.header("content-language"), "fr");
        let [french, english] = ["Fort.", "Loud."].map(|text| described(collection, text));
        has_fields(&record(&answer), json!({title: "Musique", "description": french}));
        assert_eq!(read_in(app, &path, "en").await.get("description").unwrap_or(&json!("")), "");
        let in_english = format!("{by_slug}/musique?ml_language=en");
        let after = app.admin().put(&in_english, json!({"description": "Loud."})).await;
        has_fields(&record(&after), json!({title: "Music", "description": english}));
        assert_eq!(read_in(app, &path, "fr").await["description"], french);
        // A removed slug does not return after other changes, until there is a new title.
        // Venues and organizers have no such field.
        let french = format!("{path}?ml_language=fr");
        let taken_back = if collection == "/events" { "music" } else { "musique" };
        for (fields, slug) in [
            (json!({"slug": ""}), taken_back),
            (json!({"description": "Autre"}), taken_back),
            (json!({title: "Musique"}), "musique"),
        ] {
            let after = record(&app.admin().put(&french, fields).await);
            assert_eq!(after["slug"], slug);
            let by_old = app.admin().get(&format!("{by_slug}/musique")).await.status;
            assert_eq!(by_old == 200, slug == "musique");
        }
        // A removed title takes the slug derived from it with it.
        let after = app.admin().put(&format!("{by_slug}/musique"), json!({title: ""})).await;
        has_fields(&record(&after), json!({title: "Music", "slug": "music"}));
        assert_eq!(app.admin().get(&format!("{by_slug}/musique")).await.status, 404);
        write(app, &path, "fr", json!({title: "Musique"})).await;
        let deleted = record(&app.admin().delete(&format!("{by_slug}/musique")).await);
        assert_eq!(deleted[title], "Musique");
    }
}

/// EC-101: An Arabic title gives an Arabic slug, found as it is and percent-encoded.
#[both_stores]
async fn arabic_slugs_are_found_in_both_spellings(app: &TestApp) {
    let (event, path) = make(app, KINDS[0], "ar", "مهرجان الموسيقى").await;
    assert_eq!(event["slug"], "مهرجان-الموسيقى");
    let url = format!("https://cal.example/event/{}/", FESTIVAL.to_ascii_uppercase());
    assert_eq!(read(&app.anonymous(), &path).await["url"], json!(url));
    for spelling in
        [FESTIVAL.to_owned(), FESTIVAL.to_ascii_uppercase(), FESTIVAL.replace('-', "%2d")]
    {
        let found = read(&app.anonymous(), &format!("/events/by-slug/{spelling}")).await;
        assert_eq!(texts_of(found), event, "{spelling}");
    }
    write(app, &path, "en", json!({"title": "Music festival"})).await;
    let found = read(&app.anonymous(), &format!("/events/by-slug/{FESTIVAL}")).await;
    assert_eq!(found["title"], "مهرجان الموسيقى");
    let search = "search=%D9%85%D9%87%D8%B1%D8%AC%D8%A7%D9%86&ml_language=ar";
    assert_eq!(app.list(search).await, [id(&event)]);
}

/// A percent-encoded slug in a body or a filter is the text that it encodes.
#[both_stores]
async fn percent_encoded_slugs_are_decoded(app: &TestApp) {
    let made = app.admin().event(json!({"slug": FESTIVAL})).await;
    assert_eq!(made["slug"], "مهرجان-الموسيقى");
    for collection in ["/categories", "/tags"] {
        let made = app.admin().make(collection, json!({"name": "Music", "slug": FESTIVAL})).await;
        assert_eq!(made["slug"], "مهرجان-الموسيقى", "{collection}");
    }
    for (list, found) in [
        (format!("/tags?hide_empty=false&slug={}", FESTIVAL.replace('%', "%25")), 1),
        (format!("/tags?hide_empty=false&slug={FESTIVAL}"), 1),
        ("/tags?hide_empty=false&slug=%2525".to_owned(), 0),
    ] {
        assert_eq!(read(&app.anonymous(), &list).await["total"], found, "{list}");
    }
}

/// No two records of a kind share a slug in any languages; records of two kinds may, and so may the
/// languages of one record.
#[both_stores]
async fn slugs_are_unique_in_all_languages(app: &TestApp) {
    for kind in KINDS {
        let title = kind.1;
        let (_, first) = make(app, kind, "en", "Jazz").await;
        assert_eq!(write(app, &first, "fr", json!({title: "Jazz"})).await["slug"], "jazz");
        let (_, second) = make(app, kind, "en", "Swing").await;
        assert_eq!(write(app, &second, "fr", json!({title: "Jazz"})).await["slug"], "jazz-2");
        assert_eq!(write(app, &second, "ar", json!({title: "Jazz"})).await["slug"], "jazz-2");
        write(app, &first, "ar", json!({title: "Blues"})).await;
        let (third, _) = make(app, kind, "fr", "Blues!").await;
        assert_eq!(third["slug"], "blues-2");
    }
}

/// A chosen slug belongs to its language alone, and can be removed.
#[both_stores]
async fn a_slug_is_chosen_for_a_language(app: &TestApp) {
    for kind in [KINDS[0], KINDS[3], KINDS[4]] {
        let (made, path) = make(app, kind, "en", "Music").await;
        let french = write(app, &path, "fr", json!({"slug": "La Musique!"})).await;
        let languages = json!(["en", "fr"]);
        let shown = json!({"slug": "la-musique", kind.1: "Music", "translations": languages});
        has_fields(&french, shown);
        assert_eq!(read_in(app, &path, "en").await["slug"], "music");
        // It stays when the title is written.
        let french = write(app, &path, "fr", json!({kind.1: "Son"})).await;
        assert_eq!(french["slug"], "la-musique");
        let french = write(app, &path, "fr", json!({kind.1: "", "slug": "son"})).await;
        has_fields(&french, json!({"slug": "son", kind.1: "Music"}));
        let french = write(app, &path, "fr", json!({"slug": ""})).await;
        has_fields(&french, json!({"slug": made["slug"], "translations": ["en"]}));
        let (other, _) = make(app, kind, "en", "La Musique").await;
        assert_eq!(other["slug"], "la-musique");
    }
    for kind in [KINDS[3], KINDS[4]] {
        let (_, path) = make(app, kind, "en", "Swing").await;
        let taken =
            app.admin().put(&format!("{path}?ml_language=fr"), json!({"slug": "music"})).await;
        taken.assert_error(400, "duplicate_term_slug");
    }
}

/// D-20: A cleared translation of a title also clears the slug derived from it, with or without a
/// number at its end.
#[both_stores]
async fn a_slug_made_from_the_title_goes_with_it(app: &TestApp) {
    for kind in KINDS {
        let title = kind.1;
        let (_, other) = make(app, kind, "en", "Fair").await;
        let (_, path) = make(app, kind, "en", "Market").await;
        for (name, slug) in [("Le marché", "le-marche"), ("Fair", "fair-2")] {
            assert_eq!(write(app, &path, "fr", json!({title: name})).await["slug"], slug);
            let french = write(app, &path, "fr", json!({title: ""})).await;
            let shown = json!({title: "Market", "slug": "market", "translations": ["en"]});
            has_fields(&french, shown);
        }
        // The slug is free for other records.
        let french = write(app, &other, "fr", json!({title: "Le marché"})).await;
        assert_eq!(french["slug"], "le-marche");
    }
}

/// D-20: A translated slug that was not derived from the title survives the title; it is removed
/// when it is cleared itself.
#[both_stores]
async fn a_chosen_slug_survives_the_title(app: &TestApp) {
    for kind in [KINDS[0], KINDS[3], KINDS[4]] {
        let title = kind.1;
        let (_, path) = make(app, kind, "en", "Market").await;
        write(app, &path, "fr", json!({title: "Le marché", "slug": "halles"})).await;
        let french = write(app, &path, "fr", json!({title: ""})).await;
        let shown = json!({title: "Market", "slug": "halles", "translations": ["en", "fr"]});
        has_fields(&french, shown);
        // A slug derived from another title survives too.
        write(app, &path, "fr", json!({title: "Foire"})).await;
        write(app, &path, "fr", json!({"slug": "foire-9"})).await;
        write(app, &path, "fr", json!({title: "Bazar"})).await;
        assert_eq!(write(app, &path, "fr", json!({title: ""})).await["slug"], "foire-9");
        let french = write(app, &path, "fr", json!({title: "", "slug": ""})).await;
        has_fields(&french, json!({"slug": "market", "translations": ["en"]}));
    }
}

/// D-20: The same holds in the trash: a restored record gets its chosen slug back.
#[both_stores]
async fn a_chosen_slug_survives_in_the_trash(app: &TestApp) {
    for (slug, restored) in [("halles", "halles"), ("le-marche", "market")] {
        let (_, path) = make(app, KINDS[0], "en", "Market").await;
        write(app, &path, "fr", json!({"title": "Le marché", "slug": slug})).await;
        app.admin().delete(&path).await;
        write(app, &path, "fr", json!({"title": ""})).await;
        write(app, &path, "en", json!({"status": "publish"})).await;
        assert_eq!(read_in(app, &path, "fr").await["slug"], restored);
        assert_eq!(app.admin().delete(&format!("{path}?force=true")).await.status, 200);
    }
}

/// A category whose translated name gives a taken slug gets the parent's slug appended, in that
/// language.
#[both_stores]
async fn a_child_gets_the_slug_of_its_parent_appended(app: &TestApp) {
    let (parent, path) = make(app, KINDS[3], "en", "Music").await;
    write(app, &path, "fr", json!({"name": "Musique"})).await;
    make(app, KINDS[3], "fr", "Été").await;
    let child =
        app.admin().make("/categories", json!({"name": "Summer", "parent": parent["id"]})).await;
    let path = format!("/categories/{}?ml_language=fr", child["id"]);
    let child = record(&app.admin().put(&path, json!({"name": "Été"})).await);
    let page = "https://cal.example/fr/events/category/musique/ete-musique/";
    has_fields(&child, json!({"slug": "ete-musique", "url": page}));
}

/// A draft's translations get their slugs when it is published.
#[both_stores]
async fn publication_gives_slugs_in_all_languages(app: &TestApp) {
    let draft = app.admin().event(json!({"title": "Music", "status": "draft"})).await;
    let path = format!("/events/{}", draft["id"]);
    assert_eq!(write(app, &path, "fr", json!({"title": "Musique"})).await["slug"], "");
    write(app, &path, "ar", json!({"status": "publish"})).await;
    for (language, slug) in [("en", "music"), ("fr", "musique"), ("ar", "music")] {
        assert_eq!(read_in(app, &path, language).await["slug"], slug);
    }
}

/// In the trash all slugs of a record are marked, and free for others; a restored record gets them
/// back. A record deleted for good leaves none.
#[both_stores]
async fn the_trash_marks_all_slugs(app: &TestApp) {
    for kind in &KINDS[..3] {
        let (collection, title) = *kind;
        let (_, path) = make(app, *kind, "en", "Music").await;
        write(app, &path, "fr", json!({title: "Musique"})).await;
        app.admin().delete(&path).await;
        for slug in ["music", "musique"] {
            let found = app.admin().get(&format!("{collection}/by-slug/{slug}")).await;
            assert_eq!(found.status, 404);
        }
        let trashed =
            app.admin().put(&format!("{path}?ml_language=fr"), json!({"status": "trash"})).await;
        assert_eq!(trashed.json()["slug"], "musique__trashed");
        let marked = format!("{collection}/by-slug/musique__trashed");
        let revived = app.admin().put(&marked, json!({"status": "publish"})).await;
        has_fields(&revived.json(), json!({title: "Musique", "slug": "musique"}));
        assert_eq!(read_in(app, &path, "en").await["slug"], "music");

        app.admin().delete(&path).await;
        let (other, _) = make(app, *kind, "fr", "Musique").await;
        assert_eq!(other["slug"], "musique");
        write(app, &path, "fr", json!({"status": "publish"})).await;
        assert_eq!(read_in(app, &path, "fr").await["slug"], "musique-2");
        assert_eq!(app.admin().delete(&format!("{path}?force=true")).await.status, 200);
        for slug in ["music", "musique-2"] {
            let (new, _) = make(app, *kind, "ar", slug).await;
            has_fields(&new, json!({"slug": slug, "translations": ["ar"]}));
        }
    }
    for kind in &KINDS[3..] {
        let (_, path) = make(app, *kind, "en", "Music").await;
        write(app, &path, "fr", json!({"name": "Musique"})).await;
        let gone: Value = record(&app.admin().delete(&format!("{path}?ml_language=fr")).await);
        assert_eq!(gone["name"], "Musique");
        let (new, _) = make(app, *kind, "en", "Musique").await;
        assert_eq!(new["slug"], "musique");
    }
}
