//! Texts that are hard for databases: control characters, and texts of great length.

use axum::http::Method;
use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{event_fields, has_fields},
    for_each_row,
};

use super::{document::Document, languages::KINDS, records::record};

/// Texts with characters that databases, documents or terminals mishandle.
const NASTY: [&str; 10] = [
    "a\0b",
    "\0",
    "\u{1}\u{7}\u{8}\u{b}\u{1b}[31m\u{7f}",
    "\u{80}\u{85}\u{9f}\u{2028}\u{2029}",
    "\u{feff}\u{fffe}\u{ffff}\u{fffd}\u{10ffff}",
    "\u{202e}\u{2066}x\u{200b}\u{ad}",
    "\u{fdfa}\u{1f468}\u{200d}\u{1f469}\u{301}\u{301}\u{301}",
    "<b\0>x</b\0><script\0>y",
    "'; DROP TABLE event; -- \" \\ % _ $1 ?1 :a {}",
    "&#0;&#x1b;&lt;\r\n\t",
];

fn with(fields: &Value, name: &str, value: Value) -> Value {
    let mut fields = fields.clone();
    fields[name] = value;
    fields
}

/// Whether no text in an answer holds a control character that documents must not hold.
fn is_printable(value: &Value) -> bool {
    match value {
        Value::String(text) => {
            !text.chars().any(|c| c.is_ascii_control() && c != '\n' && c != '\t')
        }
        Value::Array(values) => values.iter().all(is_printable),
        Value::Object(object) => object.values().all(is_printable),
        _ => true,
    }
}

/// Sends a write; it succeeds or is refused, and the answer holds nothing unprintable.
async fn write(app: &TestApp, method: Method, path: &str, fields: &Value) -> Value {
    let answer = app.admin().send_json(method, path, fields).await;
    assert!(
        matches!(answer.status, 200 | 201 | 400),
        "{path} {fields}: {} {}",
        answer.status,
        answer.text()
    );
    let json = answer.json();
    assert!(is_printable(&json), "{path} {fields}: {json}");
    json
}

/// A text with this number of letters, all different, of four bytes each.
fn long_text(letters: u32) -> String {
    (0..letters).map(|n| char::from_u32(0x20000 + n).expect("a letter")).collect()
}

/// A write of any text succeeds or is refused, and lists can be read afterwards.
#[both_stores]
async fn writes_of_nasty_texts(app: &TestApp) {
    let document = Document::of(app).await;
    for (path, title) in KINDS {
        let fields = event_fields(json!({title: "Music"}));
        let made = write(app, Method::POST, path, &fields).await;
        let record = format!("{path}/{}", made["id"]);
        let language = "ml_language".to_owned();
        for name in document.fields(path).keys().chain([&language]) {
            for text in NASTY {
                write(app, Method::POST, path, &with(&fields, name, json!(text))).await;
                write(app, Method::PUT, &record, &json!({name: text})).await;
            }
            let change = json!({name: [{"\0": "\0"}, "\0", ["\0"]]});
            write(app, Method::PATCH, &record, &change).await;
            let form = format!("{name}=%00&{name}%00=%00&%00[%00]=%00&{name}[%00]=%00");
            let answer = app.admin().post_form(&record, &form).await;
            assert!(matches!(answer.status, 200 | 400), "{path} {form}: {}", answer.text());
        }
        for text in NASTY {
            for fields in [
                json!({"venue": {"venue": text, "city": text, "website": text, "id": text}}),
                json!({"venue": {"venue": text, "address": text, "description": text}}),
                json!({"organizer": [{"organizer": text, "phone": text, "email": text}]}),
                json!({"tags": [text], "categories": [text]}),
            ] {
                write(app, Method::POST, "/events", &event_fields(fields)).await;
            }
        }
        let list = app.admin().get(&format!("{path}?per_page=100&hide_empty=0")).await;
        assert_eq!(list.status, 200, "{}", list.text());
        assert!(is_printable(&list.json()), "{}", list.text());
    }
}

/// Control characters in titles and names become blanks.
#[both_stores]
async fn control_characters_are_blanks(app: &TestApp) {
    let event =
        app.admin().event(json!({"title": "\0River\0\u{1b}clean\u{85}up\n", "cost": "5\0€"})).await;
    let wanted = json!({"title": "River clean up", "slug": "river-clean-up", "cost": "5€"});
    has_fields(&event, wanted);
    let venue = app.admin().make("/venues", json!({"venue": "Old\0Hall", "city": "\0"})).await;
    has_fields(&venue, json!({"venue": "Old Hall", "city": null}));
    let tag = app.admin().make("/tags", json!({"name": "a\0b", "description": "x\0y"})).await;
    has_fields(&tag, json!({"name": "a b", "slug": "a-b"}));
    app.admin()
        .post("/tags", json!({"name": "\0 \u{1}"}))
        .await
        .assert_error(400, "empty_term_name");
    app.admin().try_event(json!({"title": "\0"})).await.assert_invalid(&["title"]);
    app.admin().try_event(json!({"slug": "\0"})).await.assert_invalid(&["slug"]);
    app.admin()
        .post("/organizers", json!({"organizer": "\0"}))
        .await
        .assert_invalid(&["organizer"]);
}

/// A search treats control characters as blanks too.
#[both_stores]
async fn searches_of_nasty_texts(app: &TestApp) {
    let fields = json!({"title": "River cleanup", "tags": ["a b"], "venue": {"venue": "Old Hall"}});
    app.admin().event(fields).await;
    let rows = [
        ("/events?search=river%00cleanup", vec![1]),
        ("/events?search=%00", vec![1]),
        ("/events?search=-%00+%22%00%22", vec![1]),
        ("/events?search=river%00side", vec![]),
        ("/events?search=rive%1br", vec![]),
        ("/tags?search=a%00b", vec![1]),
        ("/tags?search=a%00c", vec![]),
        ("/tags?slug=%00", vec![]),
        ("/categories?search=%00x", vec![]),
        ("/venues?search=old%00hall", vec![1]),
        ("/venues?search=%00", vec![]),
        ("/organizers?search=a%00", vec![]),
    ];
    for_each_row(rows, async |(path, held)| {
        assert_eq!(app.anonymous().get(path).await.ids(), held, "{path}");
    })
    .await;
    // Each character is a word of its own.
    let many: String = ('\u{4e00}'..).take(500).collect();
    let mut query = form_urlencoded::Serializer::new(String::new());
    let path = format!("/events?{}", query.append_pair("search", &many).finish());
    assert!(app.anonymous().get(&path).await.ids().is_empty());
    record(&app.anonymous().get("/events/1?password=%00").await);
    app.anonymous().get("/events?tags=%00").await.assert_invalid(&["tags"]);
    app.anonymous().get("/events?include=%00").await.assert_invalid(&["include"]);
    app.anonymous().get("/events/by-slug/%00").await.assert_error(404, "rest-event-not-found");
    app.anonymous().delete("/venues/by-slug/%00").await.assert_error(401, "rest_forbidden");
}

/// The longest titles and names are stored completely, in every alphabet; longer ones are refused.
#[both_stores]
async fn the_longest_names(app: &TestApp) {
    let admin = app.admin();
    for (path, name) in KINDS {
        // Folding makes the last one many times longer.
        for text in [long_text(1000), "\u{fdfa}".repeat(1000), "<".repeat(1000)] {
            let fields = with(&event_fields(json!({})), name, json!(text));
            let shown = json!(text.replace('<', "&lt;"));
            let made = admin.make(path, fields.clone()).await;
            assert_eq!(made[name], shown);
            let found = admin.get(&format!("{path}/{}", made["id"])).await.json();
            assert_eq!(found[name], shown);
            if name == "name" {
                let again = admin.post(path, fields).await;
                again.assert_error(400, "term_exists");
                assert_eq!(again.json()["data"]["term_id"], made["id"]);
            }
        }
        // The texts differ in their last letter alone.
        let mut twin = long_text(999);
        twin.push('x');
        let fields = with(&event_fields(json!({})), name, json!(twin));
        assert_eq!(admin.make(path, fields).await[name], json!(twin));
        let fields = with(&event_fields(json!({})), name, json!(long_text(1001)));
        admin.post(path, fields).await.assert_invalid(&[name]);
        let list = admin.get(&format!("{path}?orderby=id&hide_empty=0")).await;
        assert_eq!(list.ids().len(), 4);
    }
    let venue = json!({"venue": long_text(1000)});
    let fields = json!({"title": "Linked", "venue": venue, "tags": [long_text(1000)]});
    let event = admin.event(fields).await;
    has_fields(&event, json!({"venue.id": 1, "tags.0.id": 1}));
    assert_eq!(admin.list("orderby=title&search=Linked").await, [5]);
}

/// Texts beyond the maximum length are refused; so is a search of more than a thousand letters or a
/// hundred words.
#[both_stores]
async fn texts_beyond_measure(app: &TestApp) {
    let admin = app.admin();
    let long = "x".repeat(200_001);
    let event = json!({"description": long, "excerpt": long, "password": long, "cost": long});
    let faults = ["description", "excerpt", "cost", "password"];
    admin.try_event(event).await.assert_invalid(&faults);
    let event = json!({"timezone": long, "start_date": long, "slug": "ok"});
    admin.try_event(event).await.assert_invalid(&["timezone", "start_date"]);
    let venue = json!({"venue": "A", "address": long, "website": format!("http://a/{long}")});
    admin.post("/venues", venue).await.assert_invalid(&["address", "website"]);
    let slug = admin.event(json!({"slug": long})).await["slug"].clone();
    assert_eq!(slug, "x".repeat(200));

    for (path, _) in KINDS {
        for (search, status) in [
            ("x ".repeat(100), 200),
            ("x".repeat(1000), 200),
            ("\u{2f9f4}".repeat(600), 200),
            ("%".repeat(1000), 200),
            ("x".repeat(1001), 400),
            ("x".repeat(8000), 400),
        ] {
            search_answers(app, path, &search, status).await;
        }
    }
    for path in ["/events", "/venues", "/organizers"] {
        search_answers(app, path, &"x ".repeat(101), 400).await;
        search_answers(app, path, &"\"x\"".repeat(101), 400).await;
    }
    search_answers(app, "/events", &"-! ".repeat(101), 400).await;
    search_answers(app, "/venues", &"x,".repeat(101), 400).await;
}

/// Fails unless a search is answered with this status; a 400 must name `search`.
async fn search_answers(app: &TestApp, path: &str, search: &str, status: u16) {
    let query: String =
        form_urlencoded::Serializer::new(String::new()).append_pair("search", search).finish();
    let answer = app.anonymous().get(&format!("{path}?{query}")).await;
    assert_eq!(answer.status, status, "{path}: {search:.20}: {}", answer.text());
    if status == 400 {
        answer.assert_invalid(&["search"]);
    }
}
