//! One record, many languages: what is written and read in each.

use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{event_fields, has_fields},
};

use super::records::{differences, read, record};

/// The collections, each with the field of its title.
pub(super) const KINDS: [(&str, &str); 5] = [
    ("/events", "title"),
    ("/venues", "venue"),
    ("/organizers", "organizer"),
    ("/categories", "name"),
    ("/tags", "name"),
];

/// A record without its addresses, which follow the language of the request.
pub(super) fn texts_of(mut record: Value) -> Value {
    match &mut record {
        Value::Object(fields) => {
            for address in ["url", "rest_url", "website", "urls"] {
                fields.remove(address);
            }
            for value in fields.values_mut() {
                *value = texts_of(value.take());
            }
        }
        Value::Array(values) => {
            for value in values {
                *value = texts_of(value.take());
            }
        }
        _ => {}
    }
    record
}

/// A description in an answer of a collection: terms as written, other records in paragraphs.
pub(super) fn described(collection: &str, text: &str) -> String {
    match collection {
        "/categories" | "/tags" => text.to_owned(),
        _ => format!("<p>{text}</p>"),
    }
}

/// Creates a record of this title in a language; returns it and its path.
pub(super) async fn make(
    app: &TestApp,
    (path, title): (&str, &str),
    language: &str,
    name: &str,
) -> (Value, String) {
    let fields = match path {
        "/events" => event_fields(json!({title: name})),
        _ => json!({title: name}),
    };
    let made = app.admin().make(&format!("{path}?ml_language={language}"), fields).await;
    let path = format!("{path}/{}", made["id"]);
    (texts_of(made), path)
}

/// Changes a record in a language; fails if the service refuses it.
pub(super) async fn write(app: &TestApp, path: &str, language: &str, fields: Value) -> Value {
    let path = format!("{path}?ml_language={language}");
    texts_of(record(&app.admin().put(&path, fields).await))
}

/// A record in a language, as an anonymous caller sees it.
pub(super) async fn read_in(app: &TestApp, path: &str, language: &str) -> Value {
    let path = format!("{path}?ml_language={language}");
    texts_of(read(&app.anonymous(), &path).await)
}

/// G-29: A record is created in the language of the request, its original language.
#[both_stores]
async fn records_are_made_in_each_language(app: &TestApp) {
    for kind in KINDS {
        for (language, name, slug) in [
            ("ar", "مهرجان الموسيقى", "مهرجان-الموسيقى"),
            ("en", "Music fair", "music-fair"),
            ("fr", "Fête d'été", "fete-dete"),
        ] {
            let (made, path) = make(app, kind, language, name).await;
            let shown = json!({
                "language": language, "translations": [language], kind.1: name, "slug": slug,
            });
            has_fields(&made, shown);
            // It has the same texts in every language.
            for other in ["ar", "en", "fr"] {
                assert_eq!(read_in(app, &path, other).await, made, "{other}");
            }
        }
    }
}

/// A translated text is shown in its language alone; untranslated texts are shown in the original.
#[both_stores]
async fn a_translation_is_shown_in_its_language(app: &TestApp) {
    for kind in KINDS {
        let title = kind.1;
        let (_, path) = make(app, kind, "en", "Music").await;
        write(app, &path, "en", json!({"description": "Loud."})).await;
        let english = read_in(app, &path, "en").await;
        let french = write(app, &path, "fr", json!({title: "La musique"})).await;
        let loud = described(kind.0, "Loud.");
        let shown = json!({
            title: "La musique", "description": loud, "slug": "la-musique", "language": "en",
            "translations": ["en", "fr"],
        });
        has_fields(&french, shown);
        assert_eq!(read_in(app, &path, "fr").await, french);

        let arabic = write(app, &path, "ar", json!({"description": "صاخبة"})).await;
        let loud_in_arabic = described(kind.0, "صاخبة");
        let shown = json!({
            title: "Music", "slug": "music", "description": loud_in_arabic,
            "translations": ["en", "ar", "fr"],
        });
        has_fields(&arabic, shown);

        // The other texts are unchanged.
        assert_eq!(read_in(app, &path, "fr").await["description"], loud);
        let after = read_in(app, &path, "en").await;
        assert_eq!(differences(&english, &after), ["translations"]);
        // A new original is shown where no translation exists.
        write(app, &path, "en", json!({title: "Musik", "description": "Soft."})).await;
        for (language, name, text) in
            [("fr", "La musique", described(kind.0, "Soft.")), ("ar", "Musik", loud_in_arabic)]
        {
            let found = read_in(app, &path, language).await;
            has_fields(&found, json!({title: name, "description": text}));
        }
    }
}

/// All languages share the fields that are no texts.
#[both_stores]
async fn other_fields_are_of_all_languages(app: &TestApp) {
    let (_, event) = make(app, KINDS[0], "en", "Music").await;
    let fields = json!({
        "title": "Musique", "excerpt": "Bref", "cost": "5 €", "start_date": "2027-03-10 10:00:00", "featured": true,
        "categories": ["Plein air"], "venue": {"venue": "Moulin"},
    });
    write(app, &event, "fr", fields).await;
    // Records given in full have the language of the request.
    let english = json!({
        "title": "Music", "excerpt": "", "cost": "5€", "featured": true,
        "start_date": "2027-03-10 10:00:00", "categories.0.language": "fr", "venue.language": "fr",
    });
    has_fields(&read_in(app, &event, "en").await, english);

    let (_, venue) = make(app, KINDS[1], "en", "Mill").await;
    write(app, &venue, "fr", json!({"phone": "1", "zip": "69002", "city": "Lyon-sur-Rhône"})).await;
    let english = json!({"phone": "1", "zip": "69002", "city": null});
    has_fields(&read_in(app, &venue, "en").await, english);
}

/// All texts of a venue are translated, including the region, which follows from other fields.
#[both_stores]
async fn venues_have_more_texts(app: &TestApp) {
    let (_, path) = make(app, KINDS[1], "en", "Mill").await;
    let english = json!({"address": "Quay 3", "city": "Lyons", "country": "France", "province": "Rhone", "state": "none"});
    write(app, &path, "en", english).await;
    assert_eq!(read_in(app, &path, "en").await["stateprovince"], "Rhone");
    let french =
        json!({"address": "3, quai", "city": "Lyon", "province": "Rhône", "state": "aucun"});
    let shown = json!({
        "address": "3, quai", "city": "Lyon", "country": "France", "province": "Rhône",
        "state": "aucun", "stateprovince": "Rhône",
    });
    has_fields(&write(app, &path, "fr", french).await, shown);
    write(app, &path, "fr", json!({"stateprovince": "Auvergne", "country": "La France"})).await;
    write(app, &path, "fr", json!({"city": ""})).await;
    let shown = json!({
        "stateprovince": "Auvergne", "country": "La France", "city": "Lyons", "address": "3, quai",
    });
    has_fields(&read_in(app, &path, "fr").await, shown);
    write(app, &path, "fr", json!({"province": ""})).await;
    assert_eq!(read_in(app, &path, "fr").await["stateprovince"], "Rhone");
    let english = json!({"stateprovince": "Rhone", "city": "Lyons"});
    has_fields(&read_in(app, &path, "en").await, english);
}

/// An empty text removes a translation, so that the original is shown again; the original title
/// cannot be removed.
#[both_stores]
async fn an_empty_text_removes_a_translation(app: &TestApp) {
    for kind in KINDS {
        let title = kind.1;
        let (made, path) = make(app, kind, "en", "Music").await;
        write(app, &path, "fr", json!({title: "Musique", "description": "Fort."})).await;
        let french = write(app, &path, "fr", json!({title: ""})).await;
        let loud = described(kind.0, "Fort.");
        has_fields(&french, json!({title: "Music", "slug": "music", "description": loud}));
        // The slug derived from the title is gone too.
        let (other, _) = make(app, kind, "ar", "Musique").await;
        assert_eq!(other["slug"], "musique");
        let french = write(app, &path, "fr", json!({"description": ""})).await;
        assert_eq!(french["translations"], json!(["en"]));
        assert_eq!(differences(&made, &french), Vec::<String>::new());

        let english = format!("{path}?ml_language=en");
        for (client, path) in
            [(app.admin(), &path), (app.admin(), &english), (app.anonymous(), &path)]
        {
            client.put(path, json!({title: ""})).await.assert_invalid(&[title]);
        }
    }
    let (_, path) = make(app, KINDS[0], "en", "Music").await;
    app.admin().put(&path, json!({"slug": ""})).await.assert_invalid(&["slug"]);
    // The fault is reported together with the others.
    let bad = json!({"title": "", "start_date": "zz"});
    app.admin().put(&path, bad).await.assert_invalid(&["title", "start_date"]);
    let bad = json!({"title": "", "slug": "", "author": 99});
    app.admin().put(&path, bad).await.assert_invalid(&["title", "slug", "author"]);
    assert_eq!(read_in(app, &path, "en").await["title"], "Music");
}

/// Without a language a change is in that of the site, also of a record in another language.
#[both_stores]
async fn without_a_language_a_change_is_in_that_of_the_site(app: &TestApp) {
    for kind in KINDS {
        let title = kind.1;
        let (_, path) = make(app, kind, "fr", "Musique").await;
        let after = record(&app.admin().put(&path, json!({title: "Music"})).await);
        let shown = json!({title: "Music", "language": "fr", "translations": ["fr", "en"]});
        has_fields(&after, shown);
        assert_eq!(read_in(app, &path, "fr").await[title], "Musique");
        let after = record(&app.admin().put(&path, json!({title: ""})).await);
        has_fields(&after, json!({title: "Musique", "translations": ["fr"]}));
    }
}

/// A change without a new value changes nothing, not even the time of the last change.
#[both_stores]
async fn the_same_translation_changes_nothing(app: &TestApp) {
    for kind in KINDS {
        let (_, path) = make(app, kind, "en", "Music").await;
        let before = write(app, &path, "fr", json!({kind.1: "Musique"})).await;
        app.clock.advance_seconds(60);
        assert_eq!(write(app, &path, "fr", json!({kind.1: "Musique"})).await, before);
        assert_eq!(write(app, &path, "ar", json!({"description": ""})).await[kind.1], "Music");
        let now = read_in(app, &path, "fr").await;
        assert_eq!(now, before);
    }
}

/// Related records are shown in the language of the request, terms in the order of their names in it.
#[both_stores]
async fn linked_records_are_shown_in_the_language(app: &TestApp) {
    let event = app.admin().event(json!({
        "venue": {"venue": "Mill"}, "organizer": [{"organizer": "Hands"}], "tags": ["Loud"], "categories": ["Apple", "Zebra"],
    })).await;
    let path = |kind: &str, record: &Value| format!("/{kind}/{}", record["id"]);
    for (path, field, text) in [
        (path("venues", &event["venue"]), "venue", "Moulin"),
        (path("organizers", &event["organizer"][0]), "organizer", "Mains"),
        (path("tags", &event["tags"][0]), "name", "Bruyant"),
        (path("categories", &event["categories"][0]), "name", "Pomme"),
        (path("categories", &event["categories"][1]), "name", "Âne"),
    ] {
        write(app, &path, "fr", json!({field: text})).await;
    }
    let path = path("events", &event);
    let names = |event: &Value| {
        [
            "/venue/venue",
            "/organizer/0/organizer",
            "/tags/0/name",
            "/categories/0/name",
            "/categories/1/name",
        ]
        .map(|name| event.pointer(name).cloned().unwrap_or_default())
    };
    let english = ["Mill", "Hands", "Loud", "Apple", "Zebra"];
    let french = ["Moulin", "Mains", "Bruyant", "Âne", "Pomme"];
    for (language, shown) in [("fr", french), ("en", english), ("ar", english)] {
        assert_eq!(names(&read_in(app, &path, language).await), shown, "{language}");
    }
    let list = app.anonymous().get("/events?ml_language=fr").await.json();
    assert_eq!(names(&list["events"][0]), french);
    let whole = app.anonymous().get(&format!("{path}?ml_language=fr")).await.json();
    assert_eq!(whole["json_ld"]["location"]["name"], "Moulin");
}

/// A page of translated records takes as many statements as a longer one.
#[both_stores]
async fn long_pages_of_translations_take_no_more_statements(app: &TestApp) {
    let reading = app.uncached().await;
    for kind in KINDS {
        for n in 0..12 {
            let (_, path) = make(app, kind, "en", &format!("Name {n}")).await;
            write(app, &path, "fr", json!({kind.1: format!("Nom {n}")})).await;
        }
        // A search of merged texts may take another number of statements.
        app.db.store.merge_search_index().await.unwrap();
        let mut counts = Vec::new();
        for per_page in [2, 12] {
            let before = app.db.statements();
            let path =
                format!("{}?ml_language=fr&hide_empty=0&search=nom&per_page={per_page}", kind.0);
            assert_eq!(reading.anonymous().get(&path).await.ids().len(), per_page);
            counts.push(app.db.statements() - before);
        }
        assert_eq!(counts[0], counts[1], "{}", kind.0);
    }
}
