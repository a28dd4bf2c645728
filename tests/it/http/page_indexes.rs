//! The indexes of venues, organizers, categories and tags, and the past events on the pages of records.

use serde_json::{Value, json};
use tests::{
    app::{PUBLIC_URL, TestApp},
    both_stores,
};

use super::html::page;

use super::languages::write;

/// The kinds that have an index, each with the field of its title.
const KINDS: [(&str, &str); 4] =
    [("venues", "venue"), ("organizers", "organizer"), ("categories", "name"), ("tags", "name")];

/// The title and the number of events of each entry of an index.
fn entries(html: &str) -> Vec<(&str, &str)> {
    let entries = html.split("<li><p>").skip(1);
    entries
        .map(|entry| {
            let (_, title) = entry.split_once("<bdi>").unwrap();
            let (_, number) = entry.split_once("<span class=\"number").unwrap();
            let (_, number) = number.split_once('>').unwrap();
            (title.split_once('<').unwrap().0, number.split_once('<').unwrap().0)
        })
        .collect()
}

fn titles(html: &str) -> Vec<&str> {
    entries(html).into_iter().map(|(title, _)| title).collect()
}

/// An index holds the public records of its kind: first those with upcoming events, each part in the order of
/// the titles.
#[both_stores]
async fn records_with_events_come_first(app: &TestApp) {
    let admin = app.admin();
    for (path, field) in [("/venues", "venue"), ("/organizers", "organizer"), ("/tags", "name")] {
        for title in ["Zoo", "École", "bar", "Attic"] {
            admin.make(path, json!({field: title})).await;
        }
    }
    for path in ["/venues", "/organizers"] {
        let field = &path[1..path.len() - 1];
        admin.make(path, json!({field: "Secret", "status": "draft"})).await;
    }
    for title in ["A", "B"] {
        admin.event(json!({"title": title, "venue": 1, "organizer": [1], "tags": [1]})).await;
    }
    admin.event(json!({"title": "C", "venue": 3, "organizer": [3], "tags": [3]})).await;
    for path in ["//venues/", "//organizers/", "//tags/"] {
        let html = page(&app.anonymous(), path).await;
        let expected = [
            ("bar", "1 upcoming event"),
            ("Zoo", "2 upcoming events"),
            ("Attic", "no upcoming events"),
            ("École", "no upcoming events"),
        ];
        assert_eq!(entries(&html), expected, "{path}");
    }
}

/// Titles and their order are those of the language of the page.
#[both_stores]
async fn titles_are_in_the_language_of_the_page(app: &TestApp) {
    let admin = app.admin();
    for (title, french) in [("Attic", "Zinc"), ("Barn", "Aire")] {
        let tag = admin.make("/tags", json!({"name": title})).await;
        write(app, &format!("/tags/{}", tag["id"]), "fr", json!({"name": french})).await;
    }
    assert_eq!(titles(&page(&app.anonymous(), "//tags/").await), ["Attic", "Barn"]);
    let html = page(&app.anonymous(), "//fr/tags/").await;
    assert_eq!(titles(&html), ["Aire", "Zinc"]);
    for part in [
        "<html lang=\"fr\" dir=\"ltr\">",
        "<h1>Étiquettes</h1>",
        "aucun événement à venir",
        &format!("<link rel=\"canonical\" href=\"{PUBLIC_URL}/fr/tags/\">"),
        &format!("<link rel=\"alternate\" hreflang=\"ar\" href=\"{PUBLIC_URL}/ar/tags/\">"),
        &format!("<link rel=\"alternate\" hreflang=\"x-default\" href=\"{PUBLIC_URL}/tags/\">"),
        "<meta name=\"description\" content=\"Toutes les étiquettes, chacune",
        &format!("<a href=\"{PUBLIC_URL}/fr/tags/\" aria-current=\"page\">Étiquettes</a>"),
    ] {
        assert!(html.contains(part), "{part} in {html}");
    }
}

/// Only events that everybody can list count, and those whose links a password locks do not.
#[both_stores]
async fn only_public_events_count(app: &TestApp) {
    let admin = app.admin();
    for (kind, field) in KINDS {
        admin.make(&format!("/{kind}"), json!({field: "One"})).await;
    }
    let linked = |fields: Value| {
        let mut event =
            json!({"title": "E", "venue": 1, "organizer": [1], "categories": [1], "tags": [1]});
        event.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        event
    };
    for fields in [
        json!({"status": "draft"}),
        json!({"status": "pending"}),
        json!({"status": "private"}),
        json!({"status": "future", "date": "2027-02-01 10:00:00"}),
        json!({"status": "trash"}),
        json!({"hide_from_listings": true}),
        json!({"password": "open sesame"}),
        json!({"start_date": "2020-03-10 09:00", "end_date": "2020-03-10 10:00"}),
    ] {
        admin.event(linked(fields)).await;
    }
    let paths = ["//venues/", "//organizers/", "//categories/", "//tags/"];
    for path in paths {
        let html = page(&app.admin(), path).await;
        assert_eq!(entries(&html), [("One", "no upcoming events")], "{path}");
    }
    // Events that are under way count, also long ones, and each occurrence of a series.
    admin
        .event(linked(json!({"start_date": "2019-03-10 09:00", "end_date": "2040-03-10 10:00"})))
        .await;
    admin.event(linked(json!({"recurrence": "FREQ=DAILY;COUNT=3"}))).await;
    for path in paths {
        let html = page(&app.anonymous(), path).await;
        assert_eq!(entries(&html), [("One", "4 upcoming events")], "{path}");
    }
}

/// Categories are a tree. A category counts the events of those below it, each once.
#[both_stores]
async fn categories_are_a_tree(app: &TestApp) {
    let admin = app.admin();
    for (name, parent) in [("Music", 0), ("Art", 0), ("Rock", 1), ("Jazz", 1), ("Bebop", 4)] {
        admin.make("/categories", json!({"name": name, "parent": parent})).await;
    }
    admin.event(json!({"title": "A", "categories": [1, 3]})).await;
    admin.event(json!({"title": "B", "categories": [3]})).await;
    let html = page(&app.anonymous(), "//categories/").await;
    let expected = [
        ("Music", "2 upcoming events"),
        ("Rock", "2 upcoming events"),
        ("Jazz", "no upcoming events"),
        ("Bebop", "no upcoming events"),
        ("Art", "no upcoming events"),
    ];
    assert_eq!(entries(&html), expected);
    let list =
        html.split_once("<ul class=\"index\">").unwrap().1.split_once("</article>").unwrap().0;
    let tags = list.split('<').filter_map(|tag| tag.split_once('>')).map(|(tag, _)| tag);
    let tags: Vec<_> = tags.filter(|tag| ["ul", "/ul", "li", "/li"].contains(tag)).collect();
    let expected = "li ul li /li li ul li /li /ul /li /ul /li li /li /ul";
    assert_eq!(tags, expected.split(' ').collect::<Vec<_>>());
    assert!(html.contains(&format!("{PUBLIC_URL}/events/category/music/jazz/bebop/")), "{html}");
}

/// A page has 50 records. There is none beyond the last.
#[both_stores]
async fn indexes_have_pages(app: &TestApp) {
    for (kind, field) in KINDS {
        for number in 0..51 {
            let name = format!("N{number:02}");
            app.admin().make(&format!("/{kind}"), json!({field: name})).await;
        }
        assert_eq!(titles(&page(&app.anonymous(), &format!("//{kind}/")).await).len(), 50);
        let html = page(&app.anonymous(), &format!("//{kind}/?page=2")).await;
        assert_eq!(titles(&html), ["N50"]);
        assert!(html.contains("<span>Page 2 of 2</span>"), "{html}");
        assert!(
            html.contains(&format!("<a rel=\"prev\" href=\"{PUBLIC_URL}/{kind}/\">")),
            "{html}"
        );
        for page in ["3", "0", "-1", "x", "99999999999999999999"] {
            let answer = app.anonymous().get(&format!("//{kind}/?page={page}")).await;
            assert_eq!(answer.status, 404, "{kind} {page}");
        }
    }
}

/// The number of statements does not grow with the number of records and of their events.
#[both_stores]
async fn long_indexes_take_no_more_statements(app: &TestApp) {
    let (admin, reading) = (app.admin(), app.uncached().await);
    let mut counts = Vec::new();
    for names in [0..2, 2..30] {
        for (kind, field) in KINDS {
            for name in names.clone() {
                admin.make(&format!("/{kind}"), json!({field: format!("N{name:02}")})).await;
            }
        }
        for id in names.clone().map(|name| name + 1) {
            let links = json!({"title": "E", "venue": id, "organizer": [id], "categories": [id], "tags": [id]});
            admin.event(links).await;
        }
        // The first request prepares what others share.
        page(&reading.anonymous(), "//").await;
        for (kind, _) in KINDS {
            let before = app.db.statements();
            let html = page(&reading.anonymous(), &format!("//{kind}/")).await;
            counts.push(app.db.statements() - before);
            assert_eq!(titles(&html).len(), names.end, "{kind}");
        }
    }
    assert_eq!(counts[..4], counts[4..]);
}

/// An index has one address in each language. An empty one says so.
#[both_stores]
async fn indexes_have_one_address(app: &TestApp) {
    for kind in ["venues", "organizers", "categories", "tags"] {
        for (sent, address) in [
            (format!("//{kind}"), format!("/{kind}/")),
            (format!("//{}/", kind.to_uppercase()), format!("/{kind}/")),
            (format!("//fr/{kind}?page=2&x=y"), format!("/fr/{kind}/?page=2")),
        ] {
            let answer = app.anonymous().get(&sent).await;
            assert_eq!(answer.status, 301, "{sent}");
            assert_eq!(answer.header("location"), format!("{PUBLIC_URL}{address}"), "{sent}");
        }
        let html = page(&app.anonymous(), &format!("//ar/{kind}/")).await;
        assert!(html.contains("لا يوجد شيء هنا بعد.") && html.contains("dir=\"rtl\""), "{html}");
        assert_eq!(app.anonymous().get(&format!("//{kind}/x/")).await.status, 404);
    }
}

/// Every page leads to the indexes in its language.
#[both_stores]
async fn pages_lead_to_the_indexes(app: &TestApp) {
    for (path, prefix, text) in [("//", "", "Venues"), ("//fr/events/month/", "/fr", "Lieux")] {
        let html = page(&app.anonymous(), path).await;
        let link = format!("<a href=\"{PUBLIC_URL}{prefix}/venues/\">{text}</a>");
        assert!(html.contains(&link), "{link} in {html}");
    }
}

/// The pages of records show their past events, the last one first, in pages of 25.
#[both_stores]
async fn records_show_past_events(app: &TestApp) {
    let admin = app.admin();
    let links = json!({"venue": {"venue": "Mill"}, "organizer": {"organizer": "Club"},
        "categories": ["Music"], "tags": ["Free"]});
    let make = async |title: String, day: usize, more: Value| {
        let mut event = json!({"title": title, "start_date": format!("2020-01-{day:02} 09:00"),
            "end_date": format!("2020-01-{day:02} 10:00")});
        let fields = event.as_object_mut().unwrap();
        fields.extend(links.as_object().unwrap().clone());
        fields.extend(more.as_object().unwrap().clone());
        admin.event(event).await;
    };
    let paths = ["//venue/mill/", "//organizer/club/", "//events/category/music/", "//tag/free/"];
    make(
        "Coming".to_owned(),
        1,
        json!({"start_date": "2027-03-10 09:00", "end_date": "2027-03-10 10:00"}),
    )
    .await;
    for path in paths {
        let html = page(&app.anonymous(), path).await;
        assert!(!html.contains("Past events</h2>"), "{html}");
    }
    for day in 1..=26 {
        make(format!("D{day:02}"), day, json!({})).await;
    }
    for (title, more) in [
        ("Draft", json!({"status": "draft"})),
        ("Hidden", json!({"hide_from_listings": true})),
        ("Locked", json!({"password": "open sesame"})),
    ] {
        make(title.to_owned(), 28, more).await;
    }
    for path in paths {
        let html = page(&app.anonymous(), path).await;
        let past = html.split_once("Past events</h2>").unwrap().1;
        let shown: Vec<_> = past.split("<a class=\"title p-name u-url\"").skip(1).collect();
        assert_eq!(shown.len(), 25, "{path}");
        assert!(shown[0].contains("D26") && shown[24].contains("D02"), "{past}");
        let next = format!("<a rel=\"next\" href=\"{PUBLIC_URL}{}?past=2\">", &path[1..]);
        assert!(past.contains(&next), "{next} in {past}");
        let html = page(&app.anonymous(), &format!("{path}?past=2")).await;
        assert!(html.contains("D01") && html.contains("Coming") && !html.contains("D02"), "{html}");
        for number in ["3", "0", "x"] {
            let answer = app.anonymous().get(&format!("{path}?past={number}")).await;
            assert_eq!(answer.status, 404, "{path} {number}");
        }
    }
}
