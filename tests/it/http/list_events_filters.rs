//! Filters of lists of events by content.

use serde_json::{Value, json};
use tests::{app::TestApp, both_stores, client::id};

/// EL-39: A search finds parts of title, excerpt and description, in any letter case.
/// EL-40: Every word must occur, in any order; quoted ones together; one after a dash must not.
/// EL-41: Characters that are patterns in databases stand for themselves.
/// EL-42: An empty search is refused, and so is a list of searches.
#[both_stores]
async fn searching(app: &TestApp) {
    let admin = app.admin();
    for fields in [
        json!({"title": "River cleanup"}),
        json!({"title": "Meeting", "excerpt": "By the river side"}),
        json!({
            "title": "Lecture", "description": "<p>All about <b>RIVERS</b> and their sides</p>",
        }),
        json!({"title": "Dinner", "description": "<p>side dish</p>"}),
        json!({"title": "100%_x"}),
        json!({"title": "100 x"}),
        json!({"title": "100%ax"}),
        json!({"title": "Été à Zürich"}),
    ] {
        admin.event(fields).await;
    }
    let rows = [
        ("river", vec![1, 2, 3]),
        ("RiVeR", vec![1, 2, 3]),
        ("ive", vec![1, 2, 3]),
        ("river%20side", vec![2, 3]),
        ("side+river", vec![2, 3]),
        ("%22river%20side%22", vec![2]),
        ("river%20-side", vec![1]),
        ("river%20-%22river%20side%22", vec![1, 3]),
        ("-river%20-100%20-zurich", vec![4]),
        ("100%25_x", vec![5]),
        ("%25", vec![5, 7]),
        ("_", vec![5]),
        ("100", vec![5, 6, 7]),
        ("0", vec![5, 6, 7]),
        ("ETE%20zurich", vec![8]),
        ("strong", vec![]),
        ("%3Cb%3E", vec![]),
        ("%20%20", vec![1, 2, 3, 4, 5, 6, 7, 8]),
    ];
    app.lists(rows.map(|(search, held)| (format!("search={search}"), held))).await;
    app.refuses("search", &["=", "[]=a", "[a]=b"]).await;
}

/// EL-43: A filter by a category includes its descendants.
/// EL-44: A category is named by slug, name or ID; an unknown or empty one is refused.
/// EL-45: One of several categories is enough; with categories and tags, both must fit.
#[both_stores]
async fn categories_and_tags(app: &TestApp) {
    let admin = app.admin();
    let category = async |name: &str, parent: i64| {
        id(&admin.make("/categories", json!({"name": name, "parent": parent})).await)
    };
    let music = category("Live Music", 0).await;
    let jazz = category("Jazz", music).await;
    let bebop = category("Bebop & more", jazz).await;
    let sport = category("Sport", 0).await;
    category("Unused", 0).await;
    let tag = id(&admin.make("/tags", json!({"name": "Free Entry", "slug": "free"})).await);
    let event = async |category: i64, tags: Value| {
        id(&admin.event(json!({"categories": [category], "tags": tags})).await)
    };
    let of_music = event(music, json!([])).await;
    let of_jazz = event(jazz, json!([])).await;
    let of_bebop = event(bebop, json!([tag])).await;
    let of_sport = event(sport, json!([tag])).await;
    admin.event(json!({})).await;
    let rows = [
        (format!("categories={music}"), vec![of_music, of_jazz, of_bebop]),
        (format!("categories={jazz}"), vec![of_jazz, of_bebop]),
        ("categories=live-music".to_owned(), vec![of_music, of_jazz, of_bebop]),
        ("categories=LIVE%20music".to_owned(), vec![of_music, of_jazz, of_bebop]),
        ("categories=Bebop%20%26%20more".to_owned(), vec![of_bebop]),
        ("categories=unused".to_owned(), vec![]),
        (format!("categories={jazz},sport"), vec![of_jazz, of_bebop, of_sport]),
        (format!("categories[]={jazz}&categories[]=sport"), vec![of_jazz, of_bebop, of_sport]),
        ("tags=free".to_owned(), vec![of_bebop, of_sport]),
        ("tags=free%20entry".to_owned(), vec![of_bebop, of_sport]),
        (format!("tags={tag}"), vec![of_bebop, of_sport]),
        (format!("categories={music}&tags={tag}"), vec![of_bebop]),
        (format!("categories={music},{sport}&tags={tag}"), vec![of_bebop, of_sport]),
    ];
    app.lists(rows).await;
    let bad =
        ["=999", "=nothing", "=", "=,", "[]=", "=1,999", "=1,nothing", "=0", "=-1", "[a][b]=1"];
    for name in ["categories", "tags"] {
        app.refuses(name, &bad).await;
    }
}

/// EL-46: Digits are the tag of that ID, also where they are the slug of another.
#[both_stores]
async fn digits_are_an_id_first(app: &TestApp) {
    let admin = app.admin();
    let first = id(&admin.make("/tags", json!({"name": "First"})).await);
    let named = id(&admin.make("/tags", json!({"name": "Named", "slug": first.to_string()})).await);
    let year = id(&admin.make("/tags", json!({"name": "2027"})).await);
    assert_eq!(named, first + 1);
    for tag in [first, named, year] {
        admin.event(json!({"tags": [tag]})).await;
    }
    assert_eq!(app.list(&format!("tags={first}")).await, [1]);
    assert_eq!(app.list(&format!("tags={named}")).await, [2]);
    assert_eq!(app.list("tags=2027").await, [3]);
}

/// EL-47: One of several venues is enough; unknown ones, texts and empty values are refused.
/// EL-48: With organizers and venues, both must fit; unknown organizers are refused too.
#[both_stores]
async fn venues_and_organizers(app: &TestApp) {
    let admin = app.admin();
    for n in 1..=3 {
        admin.make("/venues", json!({"venue": format!("Venue {n}")})).await;
        admin.make("/organizers", json!({"organizer": format!("Organizer {n}")})).await;
    }
    admin.make("/venues", json!({"venue": "Secret", "status": "private"})).await;
    for (venue, organizers) in
        [(1, json!([1])), (1, json!([2, 3])), (2, json!([2])), (3, json!([]))]
    {
        admin.event(json!({"venue": venue, "organizer": organizers})).await;
    }
    admin.event(json!({})).await;
    let rows = [
        ("venue=1", vec![1, 2]),
        ("venue=1,2", vec![1, 2, 3]),
        ("venue[]=2&venue[]=3", vec![3, 4]),
        ("organizer=2", vec![2, 3]),
        ("organizer=1,3", vec![1, 2]),
        ("organizer=2&venue=1", vec![2]),
        ("organizer=3&venue=2", vec![]),
    ];
    app.lists(rows).await;
    for name in ["venue", "organizer"] {
        app.refuses(name, &["=999", "=1,999", "=hall", "=1,hall", "=", "=,", "=0", "=-1", "=1.5"])
            .await;
    }
    // An unreadable record counts as absent.
    app.refuses("venue", &["=4"]).await;
    assert_eq!(admin.get("/events?venue=4").await.ids(), [0; 0]);
}

/// EL-49: Featured events alone, or all others; other words are refused.
#[both_stores]
async fn featured(app: &TestApp) {
    let admin = app.admin();
    let yes = id(&admin.event(json!({"featured": true})).await);
    let no = id(&admin.event(json!({})).await);
    app.lists(["true", "1", "TRUE"].map(|word| (format!("featured={word}"), vec![yes]))).await;
    app.lists(["false", "0", "False"].map(|word| (format!("featured={word}"), vec![no]))).await;
    app.refuses("featured", &["=", "=maybe", "=yes", "=2", "[]=1"]).await;
}
