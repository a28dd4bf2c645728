//! The pages for people, at the `url` of each record.

use axum::http::Method;
use serde_json::{Value, json};
use tests::{
    app::{PUBLIC_URL, TestApp},
    both_stores,
    client::Answer,
    for_each_row,
    pictures::png,
};

use super::html::{contains, lacks, page};

/// Every language, and its direction of writing.
const LANGUAGES: [(&str, &str); 3] = [("ar", "rtl"), ("en", "ltr"), ("fr", "ltr")];

/// The path of an address of the service, for a client.
fn path_of(url: &Value) -> String {
    let url = url.as_str().unwrap();
    let path = url.strip_prefix(PUBLIC_URL);
    format!("/{}", path.unwrap_or_else(|| panic!("not here: {url}")))
}

/// Fails unless an answer redirects to another address of the service.
#[track_caller]
fn is_redirect(answer: &Answer, target: &str) {
    let target = format!("{PUBLIC_URL}{target}");
    assert_eq!((answer.status, answer.header("location")), (301, target.as_str()));
    assert_eq!(answer.header("cache-control"), "max-age=0", "the record may get another slug");
}

/// The canonical address of a page.
#[track_caller]
fn canonical(html: &str) -> &str {
    between(html, "<link rel=\"canonical\" href=\"", "\"")
}

/// Fails unless an answer is a 404 that reveals nothing.
#[track_caller]
fn is_not_found(answer: &Answer) {
    assert_eq!(answer.status, 404, "{}", answer.text());
    assert_eq!(answer.header("content-type"), "text/html; charset=UTF-8");
    assert_eq!(answer.header("x-robots-tag"), "noindex");
}

/// The text between two others.
#[track_caller]
fn between<'a>(html: &'a str, before: &str, after: &str) -> &'a str {
    let rest = html.split_once(before);
    let (_, rest) = rest.unwrap_or_else(|| panic!("no {before} in {html}"));
    rest.split_once(after).unwrap().0
}

/// An event with a value in every field that a page shows.
async fn fair(app: &TestApp) -> Value {
    let top = app.admin().make("/categories", json!({"name": "Nature"})).await;
    let below = json!({"name": "Rivers", "parent": top["id"], "description": "Wet."});
    app.admin().make("/categories", below).await;
    let fields = json!({
        "title": "Fair & square",
        "start_date": "2027-04-17 09:00",
        "end_date": "2027-04-17 12:00",
        "timezone": "Europe/Paris",
        "description": "Bring <b>gloves</b>.",
        "cost": ["€4", "€9"],
        "website": "https://fair.example/2027/",
        "show_map_link": true,
        "venue": {
            "venue": "Old Mill", "address": "3 Quai Vert", "zip": "69002", "city": "Lyon",
            "geo_lat": 45.75, "geo_lng": 4.85,
        },
        "organizer": {"organizer": "Green Hands", "email": "hello@green.example"},
        "categories": ["Rivers"],
        "tags": ["عمل تطوعي"],
    });
    app.admin().event(fields).await
}

/// The address of every record leads to a page with its name, in three languages.
#[both_stores]
async fn every_address_leads_to_a_page(app: &TestApp) {
    let event = fair(app).await;
    let arabic = app.admin().event(json!({"title": "مهرجان الربيع"})).await;
    assert!(arabic["url"].as_str().unwrap().contains("/event/%D9%85"));
    let records = [
        (&event, "Fair &#38; square"),
        (&arabic, "مهرجان الربيع"),
        (&event["venue"], "Old Mill"),
        (&event["organizer"][0], "Green Hands"),
        (&event["categories"][0], "Rivers"),
        (&event["tags"][0], "عمل تطوعي"),
    ];
    for (record, name) in records {
        let path = path_of(&record["url"]);
        let html = page(&app.anonymous(), &path).await;
        assert_eq!(between(&html, "<h1 class=\"p-name\"><bdi>", "</bdi></h1>"), name);
        assert_eq!(canonical(&html), record["url"]);
        contains(&html, &["<html lang=\"en\" dir=\"ltr\">"]);
        for (language, direction) in LANGUAGES {
            let localized = format!("//{language}{}", &path[1..]);
            let html = page(&app.anonymous(), &localized).await;
            // The address in the language of the site is the one without a language.
            let url = if language == "en" { &path } else { &localized };
            let url = format!("{PUBLIC_URL}{}", &url[1..]);
            let parts = [
                format!("<html lang=\"{language}\" dir=\"{direction}\">"),
                format!("<bdi>{name}</bdi></h1>"),
                format!("<li><a href=\"{url}\" lang=\"{language}\""),
            ];
            contains(&html, &parts.each_ref().map(String::as_str));
        }
    }
}

/// The page of an event shows its time, place, organizers, cost and description.
#[both_stores]
async fn the_page_of_an_event(app: &TestApp) {
    let event = fair(app).await;
    let html = page(&app.anonymous(), &path_of(&event["url"])).await;
    let parts = [
        "<title>Fair &#38; square · Events calendar</title>",
        "<time datetime=\"2027-04-17\">Saturday 17 April 2027</time>",
        "<time datetime=\"2027-04-17T09:00:00+02:00\">09:00</time>–\
         <time datetime=\"2027-04-17T12:00:00+02:00\">12:00</time> (<bdi>CEST</bdi>)",
        "Europe/Paris",
        "<a class=\"p-name u-url\" href=\"https://cal.example/venue/old-mill/\"><bdi>Old Mill</bdi></a>",
        "<span class=\"p-postal-code\">69002</span> <span class=\"p-locality\">Lyon</span>",
        "https://www.openstreetmap.org/?mlat=45.75&#38;mlon=4.85",
        "<a class=\"p-organizer h-card\" href=\"https://cal.example/organizer/green-hands/\"><bdi>Green Hands</bdi></a>",
        "€4 – €9",
        "<a href=\"https://fair.example/2027/\"><bdi>fair.example/2027</bdi></a>",
        "<a class=\"p-category\" href=\"https://cal.example/events/category/nature/rivers/\"><bdi>Rivers</bdi></a>",
        "<p>Bring <b>gloves</b>.</p>",
        "<meta name=\"description\" content=\"Bring gloves.\">",
        "<link rel=\"alternate\" type=\"application/json\" href=\"https://cal.example/cal/events/v1/events/1\">",
    ];
    contains(&html, &parts);
    let linked_data = between(&html, "<script type=\"application/ld+json\">", "</script>");
    let linked_data: Value = serde_json::from_str(linked_data).unwrap();
    let json_ld = &app.anonymous().get("/events/1").await.json()["json_ld"];
    assert_eq!(linked_data, *json_ld);
}

/// Pages and the links in them are in the language of their path.
#[both_stores]
async fn pages_in_other_languages(app: &TestApp) {
    fair(app).await;
    let french = page(&app.anonymous(), "//fr/event/fair-square/").await;
    let parts = [
        "samedi 17 avril 2027",
        "de <time",
        "https://cal.example/fr/venue/old-mill/",
        "https://cal.example/fr/\">",
        "<p class=\"kind\">Événement</p>",
    ];
    contains(&french, &parts);
    let arabic = page(&app.anonymous(), "//ar/event/fair-square/").await;
    let venue = "https://cal.example/ar/venue/old-mill/";
    contains(&arabic, &["السبت 17 أبريل 2027", "من <time", venue]);
    assert_eq!(app.anonymous().get("//de/event/fair-square/").await.status, 404);
    let answer = app.anonymous().get("//fr/event/fair-square/").await;
    assert_eq!(answer.header("content-language"), "fr");
}

/// D-42: A price of zero is a word in the language of the page, and `Free` in JSON.
#[both_stores]
async fn free_in_other_languages(app: &TestApp) {
    for (slug, cost, french, arabic, english) in [
        ("a", json!("0"), "Gratuit", "مجانًا", "Free"),
        ("b", json!("free"), "Gratuit", "مجانًا", "Free"),
        ("c", json!(["0", "9 €"]), "Gratuit – 9\u{a0}€", "مجانًا – 9\u{a0}€", "Free – €9"),
    ] {
        let event = app.admin().event(json!({"slug": slug, "cost": cost})).await;
        for (language, cost) in [("fr/", french), ("ar/", arabic), ("", english)] {
            let html = page(&app.anonymous(), &format!("//{language}event/{slug}/")).await;
            contains(&html, &[cost]);
        }
        let path = format!("/events/{}?ml_language=fr", event["id"]);
        assert_eq!(app.anonymous().get(&path).await.json()["cost"], event["cost"]);
    }
}

/// A page shows the translation; untranslated texts are shown, and marked, in the original. Without
/// a language in its path, the page is in that of the slug.
#[both_stores]
async fn pages_of_translated_records(app: &TestApp) {
    fair(app).await;
    let french =
        json!({"title": "Foire", "slug": "foire", "description": "Apportez des <b>gants</b>."});
    app.admin().send_json(Method::PUT, "//fr/cal/events/v1/events/1", &french).await;
    for path in ["//fr/event/foire/", "//event/foire/"] {
        let html = page(&app.anonymous(), path).await;
        let heading = "<h1 class=\"p-name\"><bdi>Foire</bdi></h1>";
        contains(&html, &["<html lang=\"fr\"", heading, "Apportez des <b>gants</b>.", "Tarif"]);
        assert_eq!(canonical(&html), "https://cal.example/fr/event/foire/", "{path}");
    }
    let arabic = page(&app.anonymous(), "//ar/event/fair-square/").await;
    contains(&arabic, &["<h1 class=\"p-name\" lang=\"en\"><bdi>Fair &#38; square</bdi></h1>"]);
    for (path, target) in [
        ("//fr/event/fair-square/", "/fr/event/foire/"),
        ("//ar/event/foire/", "/ar/event/fair-square/"),
    ] {
        is_redirect(&app.anonymous().get(path).await, target);
    }
    let list = page(&app.anonymous(), "//fr/venue/old-mill/").await;
    contains(&list, &["https://cal.example/fr/event/foire/"]);
}

/// `hreflang` and the canonical address name only the languages that a record has; the links of the page itself
/// name all.
#[both_stores]
async fn hreflang_names_languages_of_the_record(app: &TestApp) {
    const HOME: &str = "https://cal.example";
    let alternates = |html: &str| -> Vec<String> {
        let links = html.split("<link rel=\"alternate\" hreflang=\"").skip(1);
        links.map(|link| link.split_once("\">").unwrap().0.replace("\" href=\"", " ")).collect()
    };
    let (start, end) = ("2027-01-09", "2027-01-09");
    app.admin().event(json!({"title": "Fair", "start_date": start, "end_date": end})).await;
    let english = [format!("en {HOME}/event/fair/"), format!("x-default {HOME}/event/fair/")];
    for path in ["//event/fair/", "//ar/event/fair/"] {
        let html = page(&app.anonymous(), path).await;
        assert_eq!(alternates(&html), english, "{path}");
        assert_eq!(canonical(&html), format!("{HOME}/event/fair/"), "{path}");
        lacks(&html, &["hreflang=\"ar\""]);
        contains(&html, &["<a href=\"https://cal.example/ar/event/fair/\" lang=\"ar\""]);
    }
    let french = json!({"ml_language": "fr", "description": "Des gants."});
    app.admin().change("/events/1", french).await;
    let html = page(&app.anonymous(), "//fr/event/fair/").await;
    assert_eq!(alternates(&html).len(), 3, "{html}");
    assert_eq!(canonical(&html), format!("{HOME}/fr/event/fair/"));

    // A record without a text in the language of the site.
    let only = json!({"title": "Bal", "ml_language": "fr", "start_date": start, "end_date": end});
    app.admin().event(only).await;
    let french = [format!("fr {HOME}/fr/event/bal/"), format!("x-default {HOME}/fr/event/bal/")];
    for path in ["//event/bal/", "//en/event/bal/"] {
        let html = page(&app.anonymous(), path).await;
        assert_eq!(alternates(&html), french, "{path}");
        assert_eq!(canonical(&html), format!("{HOME}/fr/event/bal/"), "{path}");
    }
    let home = page(&app.anonymous(), "//ar/").await;
    assert_eq!(alternates(&home).len(), 4, "{home}");
}

/// For a path without a route, a browser gets a page in the language of the path, and a client of
/// the interface gets JSON.
#[both_stores]
async fn browsers_get_a_page_for_an_unknown_path(app: &TestApp) {
    const BROWSER: [(&str, &str); 1] =
        [("accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")];
    let anonymous = app.anonymous();
    for (path, language) in
        [("//nowhere", "en"), ("//fr/nulle/part", "fr"), ("//ar/x/", "ar"), ("//media/x.png", "en")]
    {
        let answer = anonymous.get_with(path, &BROWSER).await;
        is_not_found(&answer);
        let html = answer.text();
        contains(&html, &[&format!("<html lang=\"{language}\"")]);
        lacks(&html, &["canonical"]);
        assert!(answer.header("vary").contains("Accept"), "{path}");
        assert_eq!(answer.header("content-language"), language);
        for accept in ["*/*", "application/json", "application/json, text/html"] {
            let answer = anonymous.get_with(path, &[("accept", accept)]).await;
            let is_file = path.starts_with("//media/");
            answer.assert_error(404, if is_file { "image-not-found" } else { "rest_no_route" });
        }
    }
    for path in ["/nowhere", "/events/999999", "//fr/cal/events/v1/nowhere"] {
        let answer = anonymous.get_with(path, &BROWSER).await;
        assert_eq!(answer.status, 404, "{path}");
        assert_eq!(answer.header("content-type"), "application/json; charset=UTF-8", "{path}");
    }
    let posted = anonymous.send_with(Method::POST, "//nowhere", &BROWSER, None).await;
    assert_eq!(posted.json()["code"], "rest_no_route");
}

/// Venues, organizers, categories and tags show upcoming events; categories include their
/// descendants.
#[both_stores]
async fn pages_list_upcoming_events(app: &TestApp) {
    fair(app).await;
    app.admin()
        .event(json!({"title": "Over", "start_date": "2026-12-30", "end_date": "2026-12-31",
        "venue": 1, "organizer": 1, "categories": ["Rivers"], "tags": ["عمل تطوعي"]}))
        .await;
    let rows = [
        "//",
        "//venue/old-mill/",
        "//organizer/green-hands/",
        "//events/category/nature/",
        "//events/category/nature/rivers/",
        "//tag/عمل-تطوعي/",
    ];
    for_each_row(rows, async |path| {
        let path = path.replace("عمل-تطوعي", "%D8%B9%D9%85%D9%84-%D8%AA%D8%B7%D9%88%D8%B9%D9%8A");
        let html = page(&app.anonymous(), &path).await;
        let upcoming = html.split("Past events</h2>").next().unwrap_or_default();
        contains(upcoming, &["<bdi>Fair &#38; square</bdi>"]);
        lacks(upcoming, &["<bdi>Over</bdi>"]);
    })
    .await;
    let nature = page(&app.anonymous(), "//events/category/nature/").await;
    contains(&nature, &["<a href=\"https://cal.example/events/category/nature/rivers/\">"]);
    app.admin().make("/tags", json!({"name": "Unused"})).await;
    let unused = page(&app.anonymous(), "//tag/unused/").await;
    contains(&unused, &["Nothing is planned at the moment."]);
}

/// A list continues on further pages, up to the last.
#[both_stores]
async fn lists_have_pages(app: &TestApp) {
    for day in 1..=30 {
        let date = format!("2027-05-{day:02}");
        let fields = json!({"title": format!("Day {day}."), "start_date": date, "end_date": date,
            "all_day": true, "venue": {"venue": "Old Mill"}});
        app.admin().event(fields).await;
    }
    // Pages of the home page name their language.
    for (first, own) in [("//", "/en/"), ("//venue/old-mill/", "/venue/old-mill/")] {
        let html = page(&app.anonymous(), first).await;
        contains(&html, &["<bdi>Day 25.</bdi>", "Page 1 of 2"]);
        lacks(&html, &["<bdi>Day 26.</bdi>", "rel=\"prev\""]);
        let next = json!(between(&html, "<a rel=\"next\" href=\"", "\""));
        let html = page(&app.anonymous(), &path_of(&next)).await;
        contains(&html, &["<bdi>Day 26.</bdi>"]);
        lacks(&html, &["<bdi>Day 25.</bdi>"]);
        let previous = between(&html, "<a rel=\"prev\" href=\"", "\"");
        assert_eq!(previous, format!("{PUBLIC_URL}{own}"));
        for number in ["3", "0", "-1", "x", "", "99999999999999999999"] {
            is_not_found(&app.anonymous().get(&format!("{first}?page={number}")).await);
        }
    }
}

/// An event that was public within the last 30 days is 410; others are absent. Both pages have a search box.
#[both_stores]
async fn withdrawn_events_are_gone(app: &TestApp) {
    let (admin, anonymous) = (app.admin(), app.anonymous());
    let trashed = admin.event(json!({"title": "Trashed"})).await;
    let deleted = admin.event(json!({"title": "Deleted"})).await;
    let private = admin.event(json!({"title": "Private"})).await;
    let draft = admin.event(json!({"title": "Never", "status": "draft"})).await;
    for event in [&trashed, &draft] {
        let path = format!("/events/{}", event["id"]);
        assert_eq!(admin.delete(&path).await.status, 200);
    }
    let path = format!("/events/{}?force=true", deleted["id"]);
    assert_eq!(admin.delete(&path).await.status, 200);
    let path = format!("/events/{}", private["id"]);
    assert_eq!(admin.put(&path, json!({"status": "private"})).await.status, 200);
    for slug in ["trashed", "deleted", "private"] {
        let answer = anonymous.get(&format!("//event/{slug}/")).await;
        assert_eq!((answer.status, answer.header("x-robots-tag")), (410, "noindex"), "{slug}");
        assert!(answer.text().contains("This event is gone"), "{}", answer.text());
    }
    let french = anonymous.get("//fr/event/deleted/").await;
    assert_eq!(french.status, 410);
    assert!(french.text().contains("action=\"https://cal.example/fr/events/list/\""));
    let unknown = anonymous.get("//event/never/").await;
    is_not_found(&unknown);
    assert!(unknown.text().contains("role=\"search\""));

    let path = format!("/events/{}", private["id"]);
    assert_eq!(admin.put(&path, json!({"status": "publish"})).await.status, 200);
    assert_eq!(anonymous.get("//event/private/").await.status, 200);
    app.clock.advance_seconds(32 * 86_400);
    is_not_found(&anonymous.get("//event/deleted/").await);
}

/// Pages show a record that is not public to no role: it is 404, as if absent.
#[both_stores]
async fn unpublished_records_have_no_page(app: &TestApp) {
    let unknown = app.admin().get("//event/draft/").await;
    is_not_found(&unknown);
    for (status, slug) in
        [("draft", "draft"), ("pending", "waiting"), ("private", "mine"), ("trash", "gone")]
    {
        let venue = json!({"venue": "Secret", "status": status, "slug": slug});
        app.admin().make("/venues", venue).await;
        app.admin().event(json!({"title": "Secret", "status": status, "slug": slug})).await;
        for kind in ["event", "venue"] {
            for slug in [slug, "gone__trashed"] {
                for client in [app.anonymous(), app.admin()] {
                    let answer = client.get(&format!("//{kind}/{slug}/")).await;
                    assert_eq!((answer.status, &answer.bytes), (404, &unknown.bytes));
                }
            }
        }
    }
    app.admin().event(json!({"title": "Later", "date": "2027-02-01 00:00:00"})).await;
    is_not_found(&app.anonymous().get("//event/later/").await);
    for id in 1..=6 {
        is_not_found(&app.admin().get(&format!("//?post_type=event&p={id}")).await);
    }
    for query in ["p=1", "post_type=venue&p=1", "post_type=tag&p=1", "p=x&post_type=event", "p="] {
        is_not_found(&app.anonymous().get(&format!("//?{query}")).await);
    }
    app.clock.advance_seconds(31 * 86_400);
    page(&app.anonymous(), "//event/later/").await;
}

/// Locked content is on no page.
#[both_stores]
async fn locked_events_keep_their_content(app: &TestApp) {
    let fields = json!({
        "title": "Wedding", "description": "Canary", "excerpt": "Canary", "cost": "999",
        "website": "https://canary.example/", "password": "open sesame", "venue": {"venue": "Canary"},
        "organizer": {"organizer": "Canary"}, "tags": ["Canary"], "categories": ["Canary"],
    });
    app.admin().event(fields).await;
    for path in ["//event/wedding/", "//event/wedding/?password=open%20sesame", "//"] {
        let html = page(&app.anonymous(), path).await;
        contains(&html, &["Wedding"]);
        lacks(&html.to_lowercase(), &["canary", "999"]);
    }
    for path in
        ["//venue/canary/", "//organizer/canary/", "//events/category/canary/", "//tag/canary/"]
    {
        lacks(&page(&app.anonymous(), path).await, &["Wedding"]);
    }
    let html = page(&app.anonymous(), "//event/wedding/").await;
    contains(&html, &["protected by a password", "10 March 2027"]);
    lacks(&html, &["ld+json"]);
    app.admin().put("/events/1", json!({"hide_from_listings": true})).await;
    let hidden = app.anonymous().get("//event/wedding/").await;
    assert_eq!(hidden.status, 410);
    lacks(&hidden.text(), &["Wedding", "Canary"]);
}

/// An event shows its tickets, the event that it is a part of, and its own parts.
#[both_stores]
async fn tickets_and_parts(app: &TestApp) {
    let whole = app.admin().event(json!({"title": "Festival", "tickets": [
        {"name": "Week <end>", "price": "39.00", "currency": "EUR", "url": "https://tickets.example/"},
    ]})).await;
    let part = json!({"title": "Opening", "parent": whole["id"], "start_date": "2020-06-04",
        "end_date": "2020-06-04"});
    app.admin().event(part.clone()).await;
    let mut draft = part;
    draft["title"] = json!("Surprise");
    draft["status"] = json!("draft");
    app.admin().event(draft).await;
    let html = page(&app.anonymous(), "//event/festival/").await;
    let parts = [
        "<a href=\"https://tickets.example/\"><bdi>Week &#60;end&#62; · €39.00</bdi></a>",
        "<h2 id=\"events\">Programme</h2>",
        "<bdi>Opening</bdi>",
    ];
    contains(&html, &parts);
    lacks(&html, &["Surprise"]);
    let html = page(&app.anonymous(), "//event/opening/").await;
    contains(&html, &["<a href=\"https://cal.example/event/festival/\"><bdi>Festival</bdi></a>"]);
    let hidden = json!({"password": "open sesame", "hide_from_listings": true});
    app.admin().change("/events/1", hidden).await;
    lacks(&page(&app.anonymous(), "//event/opening/").await, &["Festival"]);
    app.admin().change("/events/1", json!({"hide_from_listings": false})).await;
    lacks(&page(&app.anonymous(), "//event/festival/").await, &["Opening", "39.00"]);
}

/// The page of an event shows its parts of any date, in every zone of the site.
#[both_stores]
async fn sites_in_other_zones(app: &TestApp) {
    let whole = app.admin().event(json!({"title": "Festival"})).await;
    let part = json!({"title": "Opening", "parent": whole["id"], "start_date": "1890-06-04",
        "end_date": "1890-06-04"});
    app.admin().event(part).await;
    for zone in ["Europe/Paris", "Pacific/Kiritimati", "Pacific/Pago_Pago"] {
        let admin = app.variant().zone(zone).build().await.admin();
        contains(&page(&admin, "//event/festival/").await, &["<bdi>Opening</bdi>"]);
    }
}

/// The picture of a record is on its page, in the large size if there is one.
#[both_stores]
async fn pictures(app: &TestApp) {
    let body = Some(("image/png", png(1200, 800)));
    let image = app.admin().send(Method::POST, "/images", body).await.json();
    let hall = json!({"venue": "Hall", "image": image["id"].to_string()});
    let hall = app.admin().make("/venues", hall).await;
    let fields = json!({"title": "Show", "image": image["id"].to_string(), "venue": hall["id"]});
    let event = app.admin().event(fields).await;
    let url = &image["sizes"]["large"]["url"];
    for record in [&event, &event["venue"]] {
        let html = page(&app.anonymous(), &path_of(&record["url"])).await;
        let shown =
            format!("<img class=\"u-photo\" src={url} width=\"1024\" height=\"683\" alt=\"\">");
        contains(&html, &[&shown, &format!("<meta property=\"og:image\" content={url}>")]);
    }
    app.admin().change("/events/1", json!({"password": "open sesame"})).await;
    lacks(&page(&app.anonymous(), "//event/show/").await, &["<img", "og:image"]);
}

/// An event hidden from lists has a page.
#[both_stores]
async fn hidden_events_have_a_page(app: &TestApp) {
    app.admin().event(json!({"title": "Surprise", "hide_from_listings": true})).await;
    page(&app.anonymous(), "//event/surprise/").await;
    lacks(&page(&app.anonymous(), "//").await, &["Surprise"]);
}

/// Texts are escaped everywhere, and HTML is filtered.
#[both_stores]
async fn texts_are_escaped(app: &TestApp) {
    let bad = "\"'><script>alert(1)</script></title> & &lt;img src=x onerror=alert(1)&gt;";
    let fields = json!({
        "title": format!("T {bad}"), "description": "<script>alert(1)</script><b onclick=\"x\">B</b> </script>",
        "venue": {"venue": format!("V {bad}"), "address": bad, "phone": bad},
        "organizer": {"organizer": format!("O {bad}"), "email": bad},
        "categories": [format!("C {bad}")], "tags": [format!("G {bad}")], "cost": "<b>9</b>",
    });
    let event = app.admin().event(fields).await;
    for record in [
        &event,
        &event["venue"],
        &event["organizer"][0],
        &event["categories"][0],
        &event["tags"][0],
    ] {
        let html = page(&app.anonymous(), &path_of(&record["url"])).await;
        let safe = html.replace("<script type=\"application/ld+json\">", "");
        let safe = safe.replace("<script src=\"/assets/", "");
        lacks(&safe, &["<script", "<img", "onclick", "alert(1)<"]);
        assert_eq!(html.matches("</script>").count(), html.matches("<script").count());
        assert_eq!(html.matches("</title>").count(), 1);
    }
}

/// A page has one address: other addresses redirect to it.
#[both_stores]
async fn other_paths_lead_to_the_page(app: &TestApp) {
    fair(app).await;
    let rows = [
        ("//events/category/rivers/", "/events/category/nature/rivers/"),
        ("//events/category/a/b/rivers", "/events/category/nature/rivers/"),
        ("//ar/events/category/rivers/", "/ar/events/category/nature/rivers/"),
        ("//event/Fair%20Square", "/event/fair-square/"),
        ("//?post_type=event&p=1", "/event/fair-square/"),
        ("//fr/?post_type=venue&p=1", "/fr/venue/old-mill/"),
    ];
    for_each_row(rows, async |(path, target)| {
        is_redirect(&app.anonymous().get(path).await, target);
    })
    .await;
    for path in ["//EVENT/fair-square", "//event/FAIR-square//", "//Ar/event/fair-square"] {
        page(&app.anonymous(), path).await;
    }
    for path in
        ["//event/%ff", "//event/!!!", "//event/%00", "//venue/fair-square", "//event/a%2Fb"]
    {
        is_not_found(&app.anonymous().get(path).await);
    }
    for path in
        ["//event", "//events/category", "//tag/", "//event/a/b/c", "//fr/fr/", "//assets/x.css"]
    {
        app.anonymous().get(path).await.assert_error(404, "rest_no_route");
    }
    let posted = app.anonymous().send(Method::POST, "//venue/old-mill/", None).await;
    posted.assert_error(404, "rest_no_route");
}

/// Pages load their stylesheet and nothing else, and search engines may list them.
#[both_stores]
async fn headers_of_pages(app: &TestApp) {
    let answer = app.anonymous().get("//").await;
    let policy = answer.header("content-security-policy");
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    assert_eq!(answer.header("x-robots-tag"), "");
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    assert_eq!(answer.header("cache-control"), "public, max-age=0, must-revalidate");
    let style = between(&answer.text(), "<link rel=\"stylesheet\" href=\"", "\"").to_owned();
    let css = app.anonymous().get(&format!("/{style}")).await;
    assert_eq!((css.status, css.header("content-type")), (200, "text/css; charset=UTF-8"));
    assert!(css.header("cache-control").contains("immutable"));
    assert!(!css.text().contains("url(") && !css.text().contains("@import"));
    assert_eq!(app.anonymous().send(Method::HEAD, "//", None).await.status, 200);
    let known = [("if-none-match", answer.header("etag"))];
    let again = app.anonymous().send_with(Method::GET, "//", &known, None).await;
    assert_eq!((again.status, again.bytes.len()), (304, 0));
}

/// With a site URL, addresses lead to the site that shows the pages.
#[both_stores]
async fn another_site_can_show_the_pages(app: &TestApp) {
    let event = fair(app).await;
    let client = app
        .variant()
        .build_with(|state| state.with_site_url("https://www.example/agenda/"))
        .await
        .anonymous();
    let read = client.get("/events/1").await.json();
    assert_eq!(read["url"], "https://www.example/agenda/event/fair-square/");
    assert_eq!(read["rest_url"], event["rest_url"]);
    assert_eq!(read["venue"]["url"], "https://www.example/agenda/venue/old-mill/");
    for (path, target) in [
        ("//", "/"),
        ("//event/draft/", "/event/draft/"),
        ("//fr/tag/x", "/fr/tag/x/"),
        ("//?p=1", "/?p=1"),
    ] {
        let answer = client.get(path).await;
        let wanted = format!("https://www.example/agenda{target}");
        assert_eq!((answer.status, answer.header("location")), (307, wanted.as_str()));
    }
}
