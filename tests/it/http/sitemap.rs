//! The files for the crawlers of search engines.

use app::{
    ports::{SlugRequest, SlugRequests, Store},
    test_support::venue,
};
use axum::http::Method;
use domain::{Stored, VenueId, slug::Slug};
use http_service::AppState;
use serde_json::json;
use tests::{app::TestApp, both_stores};

/// The addresses in a file.
async fn addresses(app: &TestApp, file: &str) -> Vec<String> {
    let answer = app.anonymous().get(&format!("//{file}")).await;
    assert_eq!(answer.status, 200, "{file}: {}", answer.text());
    assert_eq!(answer.header("content-type"), "text/xml; charset=utf-8");
    let text = answer.text();
    let found = text.split("<loc>https://cal.example/").skip(1);
    found.map(|rest| rest.split('<').next().unwrap().to_owned()).collect()
}

/// Each page that everybody may read stands in a file of the index, in its languages.
#[both_stores]
async fn the_sitemap_has_all_pages(app: &TestApp) {
    let admin = app.admin();
    let music = admin.make("/categories", json!({"name": "Music"})).await;
    admin.make("/categories", json!({"name": "Jazz", "parent": music["id"]})).await;
    let french = json!({"ml_language": "fr", "name": "Musique", "slug": "musique"});
    admin.change(&format!("/categories/{}", music["id"]), french).await;
    admin.make("/venues", json!({"venue": "Old Mill"})).await;
    admin.event(json!({"title": "Fair"})).await;
    admin
        .change("/events/1", json!({"ml_language": "fr", "title": "Foire", "slug": "foire"}))
        .await;
    // Over for a long time, but its page stays.
    let old = json!({"title": "Old fair", "start_date": "2001-01-01", "end_date": "2001-01-02"});
    admin.event(old).await;
    admin.event(json!({"title": "Daily", "recurrence": "FREQ=DAILY;COUNT=3"})).await;
    for (field, value) in [
        ("status", json!("draft")),
        ("status", json!("private")),
        ("date", json!("2027-06-01 09:00")),
        ("hide_from_listings", json!(true)),
        ("password", json!("open sesame")),
    ] {
        admin.event(json!({"title": "Secret", field: value})).await;
    }
    let files = ["home.xml", "event-0.xml", "venue-0.xml", "category-0.xml"];
    let files = files.map(|file| format!("sitemap/{file}"));
    assert_eq!(addresses(app, "sitemap.xml").await, files);
    assert_eq!(addresses(app, "sitemap/home.xml").await, ["", "ar/", "en/", "fr/"]);
    assert_eq!(
        addresses(app, "sitemap/event-0.xml").await,
        ["event/fair/", "fr/event/foire/", "event/old-fair/", "event/daily/"]
    );
    assert_eq!(addresses(app, "sitemap/venue-0.xml").await, ["venue/old-mill/"]);
    assert_eq!(
        addresses(app, "sitemap/category-0.xml").await,
        ["events/category/music/", "fr/events/category/musique/", "events/category/music/jazz/"]
    );
    // Each address leads to a page, without a redirect.
    for file in files {
        for address in addresses(app, &file).await {
            assert_eq!(app.anonymous().get(&format!("//{address}")).await.status, 200, "{address}");
        }
    }
    let text = app.anonymous().get("//sitemap/event-0.xml").await.text();
    let fair = concat!(
        "<url>\n<loc>https://cal.example/event/fair/</loc>\n<lastmod>2027-01-01T12:00:00Z</lastmod>\n",
        "<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://cal.example/event/fair/\"/>\n",
        "<xhtml:link rel=\"alternate\" hreflang=\"fr\" href=\"https://cal.example/fr/event/foire/\"/>\n",
        "<xhtml:link rel=\"alternate\" hreflang=\"x-default\" href=\"https://cal.example/event/fair/\"/>\n",
        "</url>\n",
    );
    assert!(text.contains(fair), "{text}");
}

/// A file has the records of 10,000 IDs; one without a page is none.
#[both_stores]
async fn files_have_a_bounded_length(app: &TestApp) {
    // The venues of the test support are public from 2029 on.
    app.clock.set("2031-01-01 00:00:00");
    let unit = app.db.store.begin().await.unwrap();
    for id in [10_000, 10_001, 35_000] {
        let venue =
            Stored { id: VenueId::from_raw(id), revision: 1, content: venue("Mill").build() };
        let slug = SlugRequest::new(Slug::normalize(&format!("mill-{id}")).unwrap());
        unit.venues().insert_at(venue, SlugRequests::from(slug)).await.unwrap().unwrap();
    }
    unit.commit().await.unwrap();
    let files = ["home.xml", "venue-0.xml", "venue-1.xml", "venue-3.xml"];
    let files = files.map(|file| format!("sitemap/{file}"));
    assert_eq!(addresses(app, "sitemap.xml").await, files);
    for (number, ids) in [(0, 10_000), (1, 10_001), (3, 35_000)] {
        let file = format!("sitemap/venue-{number}.xml");
        assert_eq!(addresses(app, &file).await, [format!("venue/mill-{ids}/")]);
    }
    for file in ["venue-2.xml", "venue-9.xml", "event-0.xml", "venue-00.xml", "user-0.xml", "x"] {
        assert_eq!(app.anonymous().get(&format!("//sitemap/{file}")).await.status, 404, "{file}");
    }
}

/// A change of a record changes its file, which is cached until then.
#[both_stores]
async fn files_follow_changes(app: &TestApp) {
    app.admin().event(json!({"title": "Fair"})).await;
    let read = async |file: &str| app.anonymous().get(&format!("//{file}")).await;
    let tags = async || {
        let [index, file] = [read("sitemap.xml").await, read("sitemap/event-0.xml").await];
        [index.header("etag").to_owned(), file.header("etag").to_owned()]
    };
    let before = tags().await;
    assert_eq!(tags().await, before);
    app.admin().change("/events/1", json!({"slug": "spring-fair"})).await;
    let after = tags().await;
    assert_eq!(after[0], before[0]);
    assert_ne!(after[1], before[1]);
    assert_eq!(addresses(app, "sitemap/event-0.xml").await, ["event/spring-fair/"]);
    app.admin().change("/events/1", json!({"status": "draft"})).await;
    assert_eq!(read("sitemap/event-0.xml").await.status, 404);
    assert_eq!(addresses(app, "sitemap.xml").await, ["sitemap/home.xml"]);
    let head = app.anonymous().send(Method::HEAD, "//sitemap.xml", None).await;
    assert_eq!((head.status, head.bytes.len()), (200, 0));
}

/// Crawlers read pages, but no combinations of filters, and no pages in frames.
#[both_stores]
async fn robots_are_told_what_to_read(app: &TestApp) {
    let rules = app.anonymous().get("//robots.txt").await;
    assert_eq!((rules.status, rules.header("content-type")), (200, "text/plain; charset=utf-8"));
    let expected = "User-agent: *\nDisallow: /*?*&\nDisallow: /*?*page=\n\
        Disallow: /embed/\nDisallow: /*/embed/\n\n\
        Sitemap: https://cal.example/sitemap.xml\n";
    assert_eq!(rules.text(), expected);
}

/// The files have the path of the public address; where another site shows the pages, there are none.
#[both_stores]
async fn the_files_follow_the_public_address(app: &TestApp) {
    app.admin().event(json!({"title": "Fair"})).await;
    let url = "https://www.example/town";
    let (calendar, accounts) = (app.calendar.clone(), app.accounts.clone());
    let town =
        app.variant().build_with(|_| AppState::new(calendar, accounts, url)).await.anonymous();
    let rules = town.get("//robots.txt").await.text();
    assert!(rules.contains("Disallow: /town/*?*&\n"), "{rules}");
    assert!(rules.ends_with("Sitemap: https://www.example/town/sitemap.xml\n"), "{rules}");
    let index = town.get("//sitemap.xml").await.text();
    assert!(index.contains("<loc>https://www.example/town/sitemap/event-0.xml</loc>"), "{index}");
    let file = town.get("//sitemap/event-0.xml").await.text();
    assert!(file.contains("<loc>https://www.example/town/event/fair/</loc>"), "{file}");

    let elsewhere =
        app.variant().build_with(|state| state.with_site_url("https://www.example")).await;
    for path in ["//robots.txt", "//sitemap.xml", "//sitemap/home.xml", "//sitemap/event-0.xml"] {
        assert_eq!(elsewhere.anonymous().get(path).await.status, 404, "{path}");
    }
}
