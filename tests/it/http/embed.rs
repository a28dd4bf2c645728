//! Views in frames of other sites.

use serde_json::json;
use tests::{
    app::{PUBLIC_URL, TestApp},
    both_stores,
};

use super::html::{contains, lacks, page};

/// The service with two sites that may embed it, and events of two months with a tag.
async fn embeds(app: &TestApp) -> TestApp {
    let admin = app.admin();
    admin.make("/tags", json!({"name": "Loud"})).await;
    for (title, day) in [("Fair", "2027-01-05"), ("Ball", "2027-02-10")] {
        admin.event(json!({"title": title, "start_date": day, "end_date": day, "tags": [1]})).await;
    }
    let ancestors =
        ["https://town.example", "https://*.town.example"].map(|one| one.parse().unwrap());
    app.variant().build_with(|state| state.embedded_by(&ancestors)).await
}

/// Views in frames have their content and the links between them, and leave the frame for all others.
#[both_stores]
async fn views_stay_in_the_frame(app: &TestApp) {
    let app = embeds(app).await;
    let month = page(&app.anonymous(), "//embed/month/2027-01/?tags=1").await;
    contains(
        &month,
        &[
            "<meta name=\"robots\" content=\"noindex\">",
            "href=\"https://cal.example/event/fair/\" target=\"_top\"",
            "href=\"https://cal.example/events/day/2027-01-05/?tags=1\" target=\"_top\"",
            "href=\"https://cal.example/embed/month/2027-02/?tags=1\"",
            "<form action=\"https://cal.example/embed/month/?tags=1\"",
            "href=\"https://cal.example/embed/list/?tags=1\"",
            "href=\"https://cal.example/events/month/2027-01/?tags=1\" target=\"_top\">All events</a>",
        ],
    );
    lacks(
        &month,
        &[
            "<header class=\"site\"",
            "<footer",
            "role=\"search\"",
            "canonical",
            "<iframe",
            "hreflang",
        ],
    );
    let list = page(&app.anonymous(), "//fr/embed/list/").await;
    contains(
        &list,
        &[
            "href=\"https://cal.example/fr/event/fair/\" target=\"_top\"",
            "href=\"https://cal.example/fr/embed/month/",
            "href=\"https://cal.example/fr/events/list/\" target=\"_top\">Tous les événements</a>",
        ],
    );
    lacks(&list, &["role=\"search\"", "webcal:"]);
    for html in [month, list] {
        // Every link stays below `/embed/`, or leaves the frame.
        let body = html.split("<body>").nth(1).unwrap();
        for link in body.split("<a ").skip(1) {
            let link = link.split('>').next().unwrap();
            let stays = link.contains("/embed/") || link.contains("href=\"#");
            assert_ne!(stays, link.contains("target=\"_top\""), "{link}");
        }
    }
}

/// The sites of the setting alone may show a view in a frame, and no site any other page.
#[both_stores]
async fn frames_are_for_the_sites_of_the_setting(app: &TestApp) {
    let app = embeds(app).await;
    for (path, status, ancestors) in [
        ("//embed/month/", 200, "https://town.example https://*.town.example"),
        ("//ar/embed/list/", 200, "https://town.example https://*.town.example"),
        ("//embed/month/2031-01/", 404, "https://town.example https://*.town.example"),
        ("//embed/list/?start_date=x", 400, "https://town.example https://*.town.example"),
        ("//events/month/", 200, "'none'"),
        ("//", 200, "'none'"),
        ("//event/fair/", 200, "'none'"),
    ] {
        for _ in 0..2 {
            let answer = app.anonymous().get(path).await;
            assert_eq!(answer.status, status, "{path}");
            let policy = answer.header("content-security-policy");
            let named = policy.split("frame-ancestors ").nth(1);
            assert_eq!(named, Some(ancestors), "{path}");
            assert_eq!(answer.header("x-frame-options"), "", "{path}");
        }
    }
}

/// Each other spelling of an address leads to the one that has a page; others are no pages.
#[both_stores]
async fn frames_have_bounded_addresses(app: &TestApp) {
    let app = embeds(app).await;
    for (sent, path) in [
        ("//embed/month", "/embed/month/"),
        ("//fr/embed/month/2027-1", "/fr/embed/month/2027-01/"),
        ("//embed/list?tags=1", "/embed/list/?tags=1"),
    ] {
        let answer = app.anonymous().get(sent).await;
        assert_eq!(answer.status, 301, "{sent}");
        assert_eq!(answer.header("location"), format!("{PUBLIC_URL}{path}"), "{sent}");
    }
    for path in [
        "//embed/",
        "//embed/week/",
        "//embed/day/2027-01-05/",
        "//embed/past/",
        "//embed/month/2027-13/",
    ] {
        assert_eq!(app.anonymous().get(path).await.status, 404, "{path}");
    }
    let beyond = app.anonymous().get("//embed/month/2031-01/").await.text();
    contains(&beyond, &["href=\"https://cal.example/embed/month/2027-02/\""]);
    let map = app.anonymous().get("//sitemap/home.xml").await.text();
    lacks(&map, &["embed"]);
}

/// Month and list offer the element by which other sites show them, with the filters of the page.
#[both_stores]
async fn pages_offer_the_element(app: &TestApp) {
    let with = embeds(app).await;
    for (path, src) in [
        ("//events/month/2027-01/?tags=1&free=false", "/embed/month/?tags=1&#38;amp;free=false"),
        ("//fr/events/list/", "/fr/embed/list/"),
    ] {
        let element = format!("&#60;iframe src=&#34;{PUBLIC_URL}{src}&#34; title=&#34;");
        contains(&page(&with.anonymous(), path).await, &[&element]);
    }
    for path in ["//events/week/", "//events/day/", "//events/past/", "//event/fair/"] {
        lacks(&page(&with.anonymous(), path).await, &["iframe"]);
    }
    // Without the setting there are no frames.
    for path in ["//events/month/", "//events/list/"] {
        lacks(&page(&app.anonymous(), path).await, &["iframe"]);
    }
    for path in ["//embed/month/", "//embed/list/", "//fr/embed/month/2027-01/"] {
        assert_eq!(app.anonymous().get(path).await.status, 404, "{path}");
    }
}
