//! Categories and tags of new events.

use axum::http::Method;
use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{Client, event_fields, has_fields},
};

const API: &str = "https://cal.example/cal/events/v1";

/// One field of each term that an event carries.
fn each(terms: &Value, field: &str) -> Vec<Value> {
    terms.as_array().into_iter().flatten().map(|term| term[field].clone()).collect()
}

/// The names of all terms of a kind.
async fn names(client: &Client, path: &str) -> Vec<Value> {
    let list = client.get(&format!("{path}?hide_empty=0")).await.json();
    each(&list[&path[1..]], "name")
}

/// EC-124: A category that does not exist yet is created and linked.
/// EC-125: Categories may be one text with commas.
/// EC-135: Tags may be one text with commas.
#[both_stores]
async fn unknown_names_make_terms(app: &TestApp) {
    let admin = app.admin();
    let event = admin.event(json!({"categories": ["New cat"]})).await;
    let made = json!({"name": "New cat", "slug": "new-cat", "parent": 0, "count": 1});
    has_fields(&event["categories"][0], made);
    assert_eq!(each(&event["categories"], "name"), ["New cat"]);

    let event = admin.event(json!({"categories": "cat1, cat2", "tags": "a1,b2"})).await;
    assert_eq!(each(&event["categories"], "name"), ["cat1", "cat2"]);
    assert_eq!(each(&event["tags"], "name"), ["a1", "b2"]);
    assert_eq!(names(&admin, "/categories").await, ["cat1", "cat2", "New cat"]);
    assert_eq!(names(&admin, "/tags").await, ["a1", "b2"]);
}

/// EC-126: A category is linked by its number, and shown with its addresses.
/// EC-127: A category below another is shown with the address of that one.
#[both_stores]
async fn categories_are_linked_by_their_number(app: &TestApp) {
    let admin = app.admin();
    admin.make("/categories", json!({"name": "Other"})).await;
    let top = admin.make("/categories", json!({"name": "Nature"})).await;
    let child = json!({"name": "Outdoor", "parent": top["id"]});
    let child = admin.make("/categories", child).await;

    let event = admin.event(json!({"categories": [2]})).await;
    let urls = json!({
        "self": format!("{API}/categories/2"), "collection": format!("{API}/categories"),
    });
    assert_eq!(each(&event["categories"], "id"), [2]);
    assert_eq!(each(&event["categories"], "urls"), [urls]);

    for named in [json!([3]), json!(["3"]), json!("3"), json!(3)] {
        let event = admin.event(json!({"categories": named})).await;
        assert_eq!(each(&event["categories"], "id"), [child["id"].clone()], "{named}");
        let shown = json!({"urls.up": format!("{API}/categories/2"), "parent": 2});
        has_fields(&event["categories"][0], shown);
    }
    assert_eq!(names(&admin, "/categories").await.len(), 3);
}

/// EC-128: A number of no category is ignored.
/// EC-131: Blank names are ignored.
/// EC-132: A category that is an object is refused.
#[both_stores]
async fn values_without_a_term_are_ignored_or_refused(app: &TestApp) {
    for field in ["categories", "tags"] {
        for value in [json!([99999]), json!(["", " "]), json!([]), json!("")] {
            let event = app.admin().event(json!({field: value})).await;
            assert_eq!(event[field], json!([]), "{field} {value}");
        }
        let objects = [json!([{"name": "x"}]), json!({"name": "x"}), json!([["x"]])];
        app.admin().refuses_event(field, objects).await;
        assert!(names(&app.admin(), &format!("/{field}")).await.is_empty());
    }
}

/// EC-129: A category is linked by its slug.
/// EC-130: A category is linked by its name in any letter case, and none is created.
/// EC-134: A tag is linked by its name, and none is created, also for a number.
#[both_stores]
async fn existing_terms_are_linked_by_name_and_slug(app: &TestApp) {
    for path in ["/categories", "/tags"] {
        let (field, admin) = (&path[1..], app.admin());
        admin.make(path, json!({"name": "Other"})).await;
        let term = admin.make(path, json!({"name": "Live Music", "slug": "gigs"})).await;
        for named in ["gigs", "GIGS", "Live Music", "live music", " Live Music "] {
            let event = admin.event(json!({field: [named]})).await;
            assert_eq!(each(&event[field], "id"), [term["id"].clone()], "{named}");
            assert_eq!(each(&event[field], "name"), ["Live Music"], "{named}");
        }
        assert_eq!(names(&admin, path).await, ["Live Music", "Other"]);
    }
}

/// EC-133: An event shows its categories by name, in any order of the request.
#[both_stores]
async fn categories_come_by_name(app: &TestApp) {
    let fields = json!({"categories": ["zeta", "alpha"], "tags": ["zoo", "Ark", "bee"]});
    let event = app.admin().event(fields).await;
    assert_eq!(each(&event["categories"], "name"), ["alpha", "zeta"]);
    assert_eq!(each(&event["categories"], "id"), [2, 1]);
    assert_eq!(each(&event["tags"], "name"), ["Ark", "bee", "zoo"]);
}

/// EC-136: Unknown names are ignored if the caller may not create such terms.
#[both_stores]
async fn unknown_names_are_ignored_without_the_right_to_create(app: &TestApp) {
    let admin = app.admin();
    admin.make("/categories", json!({"name": "Known"})).await;
    let fields = json!({"categories": ["unknown", "known"], "tags": ["unknown"]});
    let event = app.contributor().event(fields.clone()).await;
    assert_eq!(each(&event["categories"], "name"), ["Known"]);
    assert_eq!(event["tags"], json!([]));
    assert_eq!(names(&admin, "/categories").await, ["Known"]);

    // Authors may create categories, and no tags.
    let event = app.author().event(fields).await;
    assert_eq!(each(&event["categories"], "name"), ["Known", "unknown"]);
    assert_eq!(event["tags"], json!([]));
    assert!(names(&admin, "/tags").await.is_empty());
}

/// The fields, values and messages of the warnings of an answer.
fn warned(event: &Value) -> Vec<[&str; 3]> {
    let warnings = event["warnings"].as_array().into_iter().flatten();
    warnings
        .map(|one| ["field", "value", "message"].map(|name| one[name].as_str().unwrap()))
        .collect()
}

/// D-36: Texts of digits are IDs, then slugs and names, and in JSON names of new terms.
#[both_stores]
async fn names_may_be_made_of_digits(app: &TestApp) {
    let admin = app.admin();
    let event = admin.event(json!({"tags": ["2027", "river"]})).await;
    assert_eq!(each(&event["tags"], "name"), ["2027", "river"]);
    let again = admin.event(json!({"tags": "2027, 2028", "categories": ["2027"]})).await;
    assert_eq!(each(&again["tags"], "name"), ["2027", "2028"]);
    assert_eq!(again["tags"][0]["id"], event["tags"][0]["id"]);
    assert_eq!(each(&again["categories"], "name"), ["2027"]);
    assert_eq!(again.get("warnings"), None);
    // A term with the ID comes first.
    let first = admin.event(json!({"tags": ["1"]})).await;
    assert_eq!(each(&first["tags"], "id"), [1]);

    let path = format!("/events/{}", event["id"]);
    let changed = admin.put(&path, json!({"tags": ["2029", 2030]})).await.json();
    assert_eq!(each(&changed["tags"], "name"), ["2029"]);
    let unknown = "tags names no tag that exists";
    assert_eq!(warned(&changed), [["tags", "2030", unknown]]);
    // Answers to reads have none, and what was answered can be sent back.
    assert_eq!(admin.get(&path).await.json().get("warnings"), None);
    let strict = [("prefer", "handling=strict")];
    let back = admin.send_json_with(Method::PUT, &path, &strict, &changed).await;
    assert_eq!(back.status, 200, "{}", back.text());

    // A form cannot tell an ID from a name.
    let form = "title=A&start_date=2027-03-10&end_date=2027-03-10&tags=9999,2027,lake";
    let formed = admin.post_form("/events", form).await.json();
    assert_eq!(each(&formed["tags"], "name"), ["2027", "lake"]);
    assert_eq!(warned(&formed), [["tags", "9999", unknown]]);
    assert!(!names(&admin, "/tags").await.contains(&json!("9999")));
    let queried = admin.put(&format!("{path}?categories[]=7777"), json!({})).await.json();
    let unknown = "categories names no category that exists";
    assert_eq!(warned(&queried), [["categories", "7777", unknown]]);
}

/// D-36: Terms that are not linked are told, in the language of the answer.
#[both_stores]
async fn terms_that_are_not_linked_are_told(app: &TestApp) {
    let fields = json!({"categories": ["unknown", 99], "tags": ["2027", "<i></i>", ""]});
    let event = app.contributor().event(fields.clone()).await;
    let [new, id, tag, markup] = warned(&event)[..] else { panic!("{event}") };
    assert_eq!([new[0], new[1]], ["categories", "unknown"]);
    assert!(new[2].starts_with("categories may have this value only if you log in as"), "{event}");
    assert_eq!(id, ["categories", "99", "categories names no category that exists"]);
    assert_eq!([tag[0], tag[1]], ["tags", "2027"]);
    assert_eq!(markup, ["tags", "<i></i>", "tags must not be empty"]);

    let french = event_fields(json!({"tags": [99], "ml_language": "fr"}));
    let event = app.admin().make("/events", french).await;
    assert_eq!(warned(&event), [["tags", "99", "tags ne désigne aucune étiquette"]]);
}
