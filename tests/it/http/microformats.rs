//! Microformats: the classes by which programs find events in pages.

use serde_json::json;
use tests::{app::TestApp, both_stores};

use super::{
    html::{lacks, page},
    images::upload,
};

/// The elements of a page with a class: the tag, and what follows it.
fn elements<'a>(html: &'a str, class: &str) -> Vec<(&'a str, &'a str)> {
    let has_class = |tag: &str| {
        let classes = tag.split_once(" class=\"").and_then(|(_, rest)| rest.split_once('"'));
        classes.is_some_and(|(classes, _)| classes.split(' ').any(|one| one == class))
    };
    let tags = html.split('<').skip(1).filter_map(|text| text.split_once('>'));
    let found = tags.filter(|(tag, _)| !tag.starts_with('/') && has_class(tag));
    let after = |text: &'a str| {
        let start = text.as_ptr() as usize - html.as_ptr() as usize;
        &html[start..]
    };
    found.map(|(tag, text)| (tag, after(text))).collect()
}

/// The values of a property, as parsers of microformats read them: from an attribute, else the text.
fn values(html: &str, class: &str) -> Vec<String> {
    let value = |(tag, after): (&str, &str)| {
        let attribute = |name: &str| {
            let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
            Some(rest.split_once('"').unwrap().0.to_owned())
        };
        let names: &[&str] = match &class[..2] {
            "u-" => &["href", "src", "value"],
            _ => &["datetime", "value"],
        };
        names.iter().find_map(|name| attribute(name)).unwrap_or_else(|| {
            let name = tag.split_once(' ').unwrap().0;
            let content = after.split_once(&format!("</{name}>")).unwrap().0;
            let parts = content.split('<');
            let texts = parts.map(|part| part.split_once('>').map_or(part, |(_, text)| text));
            texts.collect::<String>().trim().to_owned()
        })
    };
    elements(html, class).into_iter().map(value).collect()
}

/// A fair with all that has a class.
async fn fair(app: &TestApp) {
    let image = upload(&app.author()).await;
    app.admin()
        .event(json!({
            "title": "Fair", "description": "Bring <b>gloves</b>.", "excerpt": "At the river.",
            "image": image["id"].to_string(),
            "start_date": "2027-03-10 09:00", "end_date": "2027-03-10 12:00", "timezone": "Europe/Paris",
            "venue": {"venue": "Old Mill", "address": "3 Quai Vert", "zip": "69002", "city": "Lyon",
                "province": "ARA", "country": "France"},
            "organizer": [{"organizer": "Green Hands"}, {"organizer": "Club"}],
            "categories": ["Rivers"], "tags": ["Outdoor"],
        }))
        .await;
}

/// The page of an event is an `h-event`, whose venue and organizers are `h-card`s.
#[both_stores]
async fn an_event(app: &TestApp) {
    fair(app).await;
    let html = page(&app.anonymous(), "//event/fair/").await;
    let (article, rest) = elements(&html, "h-event")[0];
    assert!(article.starts_with("article"), "{article}");
    let event = rest.split_once("</article>").unwrap().0;
    for (class, expected) in [
        ("dt-start", &["2027-03-10T09:00:00+01:00"][..]),
        ("dt-end", &["2027-03-10T12:00:00+01:00"]),
        ("p-summary", &["At the river."]),
        ("e-content", &["Bring gloves."]),
        ("p-category", &["Rivers", "Outdoor"]),
        ("p-organizer", &["Green Hands", "Club"]),
        ("p-street-address", &["3 Quai Vert"]),
        ("p-postal-code", &["69002"]),
        ("p-locality", &["Lyon"]),
        ("p-region", &["ARA"]),
        ("p-country-name", &["France"]),
        ("p-name", &["Fair", "Old Mill"]),
        ("u-url", &["https://cal.example/event/fair/", "https://cal.example/venue/old-mill/"]),
    ] {
        assert_eq!(values(event, class), expected, "{class}");
    }
    assert_eq!(values(event, "u-photo").len(), 1);
    for class in ["p-location", "p-organizer"] {
        let cards = elements(event, class);
        assert!(cards.iter().all(|(tag, _)| tag.contains("h-card")), "{cards:?}");
    }
    // Locked content has no class, either.
    app.admin().change("/events/1", json!({"password": "open sesame"})).await;
    let html = page(&app.anonymous(), "//event/fair/").await;
    assert_eq!(values(&html, "dt-start"), ["2027-03-10T09:00:00+01:00"]);
    lacks(&html, &["p-location", "p-organizer", "e-content", "u-photo", "p-category", "river"]);
}

/// Lists and views are an `h-feed`. A week has an event on each of its days, and a month once.
#[both_stores]
async fn lists(app: &TestApp) {
    fair(app).await;
    let days = json!({"title": "Festival", "start_date": "2027-03-11", "end_date": "2027-03-13", "all_day": true});
    app.admin().event(days).await;
    let client = app.anonymous();
    for (path, name) in [
        ("", "Upcoming events"),
        ("events/list/", "Upcoming events"),
        ("events/month/2027-03/", "March 2027"),
        ("events/week/2027-03-08/", "Week of 8 March 2027"),
        ("venue/old-mill/", "Old Mill"),
        ("events/category/rivers/", "Rivers"),
    ] {
        let html = page(&client, &format!("//{path}")).await;
        let feeds = elements(&html, "h-feed");
        assert_eq!(feeds.len(), 1, "{path}");
        assert_eq!(values(feeds[0].1, "p-name")[0], name, "{path}");
        let events = elements(&html, "h-event");
        let titles: Vec<_> =
            events.iter().map(|(_, event)| values(event, "p-name").remove(0)).collect();
        let has_festival = !path.starts_with("venue") && !path.contains("category");
        let is_week = path.contains("week");
        let expected: &[&str] = match (has_festival, is_week) {
            (false, _) => &["Fair"],
            (true, false) => &["Fair", "Festival"],
            (true, true) => &["Fair", "Festival", "Festival", "Festival"],
        };
        assert_eq!(titles, expected, "{path}");
        assert_eq!(values(events[0].1, "u-url")[0], "https://cal.example/event/fair/");
        assert_eq!(values(events[0].1, "dt-end")[0], "2027-03-10T12:00:00+01:00");
        if has_festival {
            let times = ["dt-start", "dt-end"].map(|class| values(events[1].1, class).remove(0));
            assert_eq!(times, ["2027-03-11", "2027-03-13"], "{path}");
        }
    }
    let html = page(&client, "//events/list/").await;
    assert_eq!(values(&html, "p-location"), ["Old Mill, Lyon"]);
    assert_eq!(values(&html, "p-category"), ["Rivers"]);
    assert_eq!(values(&html, "u-photo").len(), 1);
}
