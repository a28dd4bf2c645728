//! The language of the home page, by `Accept-Language`.

use std::time::Duration;

use app::site::Site;
use axum::{body::Body, http::Method};
use domain::Language;
use serde_json::json;
use tests::{app::TestApp, both_stores, client::Answer};

use super::html::{contains, lacks};

async fn home(app: &TestApp, path: &str, accepted: &str) -> Answer {
    let answer = app.anonymous().get_with(path, &[("accept-language", accepted)]).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    answer
}

/// The address without a language alone depends on the header, also out of the cache.
#[both_stores]
async fn the_browser_chooses_at_the_root_alone(app: &TestApp) {
    app.admin().event(json!({"title": "Fair"})).await;
    // The second round is answered out of the cache.
    for _ in 0..2 {
        for (path, accepted, language) in [
            ("//", "fr-CA, en;q=0.5", "fr"),
            ("//", "ar", "ar"),
            ("//", "de, *;q=0.1", "en"),
            ("//", "", "en"),
            ("//?utm_source=x", "fr", "fr"),
            ("//index.php", "fr", "fr"),
            ("//en/", "fr", "en"),
            ("//ar", "fr", "ar"),
            ("//event/fair/", "fr", "en"),
            ("//events/list/", "fr", "en"),
        ] {
            let answer = home(app, path, accepted).await;
            assert_eq!(answer.header("content-language"), language, "{path} {accepted}");
            contains(&answer.text(), &[&format!("<html lang=\"{language}\"")]);
            let depends = answer.header("vary").contains("Accept-Language");
            let is_chosen_by_browser = ["//", "//?utm_source=x", "//index.php"].contains(&path);
            assert_eq!(depends, is_chosen_by_browser, "{path}");
        }
    }
    let plain = app.anonymous().get("//").await;
    assert_eq!(plain.header("content-language"), "en");
}

/// Any number of headers fills three entries of the cache: one for each language.
#[both_stores]
async fn the_cache_has_an_entry_for_each_language(app: &TestApp) {
    if !tests::db::caches() {
        return;
    }
    // The data version of PostgreSQL changes with each transaction in any database of the server.
    let store = app.db.another(|options| options.max_staleness = Duration::from_hours(1)).await;
    let app = &app.variant().store(store).build().await;
    for (round, accepted) in [
        (1, "fr"),
        (1, "ar"),
        (1, "en"),
        (2, "fr-CA"),
        (2, "FR;q=0.9, de"),
        (2, "ar-EG, fr;q=0.1"),
        (2, "tlh, x-y"),
        (2, "en-GB, *;q=0.5"),
    ] {
        let before = app.db.statements();
        let headers = [("accept-language", accepted)];
        app.anonymous().send_body(Method::GET, "//", &headers, None, Body::empty()).await;
        let cost = app.db.statements() - before;
        assert_eq!(cost > 1, round == 1, "{accepted}: {cost} statements");
    }
}

/// Links of the home page keep its language, and those to others name theirs.
#[both_stores]
async fn links_keep_the_language(app: &TestApp) {
    app.admin().event(json!({"title": "Fair"})).await;
    let french = home(app, "//", "fr").await.text();
    contains(
        &french,
        &[
            "<link rel=\"canonical\" href=\"https://cal.example/\">",
            "hreflang=\"x-default\" href=\"https://cal.example/\"",
            "hreflang=\"en\" href=\"https://cal.example/en/\"",
            "hreflang=\"fr\" href=\"https://cal.example/fr/\"",
            "<a class=\"name\" href=\"https://cal.example/fr/\"",
            "<a class=\"title p-name u-url\" href=\"https://cal.example/fr/event/fair/\"",
            "<a href=\"https://cal.example/en/\" lang=\"en\"",
        ],
    );
    // The home page in the language of the site leads to addresses without a language.
    let english = home(app, "//en/", "fr").await.text();
    contains(
        &english,
        &[
            "<link rel=\"canonical\" href=\"https://cal.example/en/\">",
            "<a class=\"name\" href=\"https://cal.example/en/\"",
            "<a class=\"title p-name u-url\" href=\"https://cal.example/event/fair/\"",
        ],
    );
    lacks(&english, &["https://cal.example/en/event", "https://cal.example/en/events"]);
    let event = app.anonymous().get("//event/fair/").await.text();
    contains(&event, &["<a class=\"name\" href=\"https://cal.example/en/\""]);
}

/// Addresses of the home page that name a record do not depend on the header.
#[both_stores]
async fn redirects_of_the_root_do_not_depend_on_the_header(app: &TestApp) {
    app.admin().event(json!({"title": "Fair"})).await;
    for (query, page) in [("p=1", "/event/fair/"), ("tribe_events=fair", "/event/fair/")] {
        let answer =
            app.anonymous().get_with(&format!("//?{query}"), &[("accept-language", "fr")]).await;
        assert_eq!(answer.status, 301, "{query}");
        assert_eq!(answer.header("location"), format!("https://cal.example{page}"), "{query}");
        assert!(!answer.header("vary").contains("Accept-Language"), "{query}");
    }
}

/// Without a preference, the home page is in the language of the site.
#[both_stores]
async fn the_site_has_the_last_word(app: &TestApp) {
    let site = Site { language: Language::Arabic, ..app.calendar.site().clone() };
    let app = app.variant().site(site).build().await;
    for (accepted, language) in
        [("", "ar"), ("de", "ar"), ("*", "ar"), ("en", "en"), ("ar;q=0, *", "en")]
    {
        let answer = home(&app, "//", accepted).await;
        assert_eq!(answer.header("content-language"), language, "{accepted}");
    }
}
