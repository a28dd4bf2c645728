//! Order, pages and content of lists of events.

use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{Client, has_fields, id},
    for_each_row,
};

/// The base URL of the interface.
const API: &str = "https://cal.example/cal/events/v1";

/// Creates this number of events, one a day from 1 February 2027 on.
async fn days(client: &Client, count: i64) {
    for day in 0..count {
        let date = format!("2027-{:02}-{:02} 09:00:00", 2 + day / 28, 1 + day % 28);
        client.event(json!({"start_date": date, "end_date": date})).await;
    }
}

/// EL-21: Events in `include` are listed whatever their dates.
/// EL-22: With `include`, bounds on dates have no effect.
#[both_stores]
async fn certain_events_come_whenever_they_are(app: &TestApp) {
    let admin = app.admin();
    let past =
        id(&admin.event(json!({"start_date": "2001-01-01", "end_date": "2001-01-02"})).await);
    let soon = id(&admin.event(json!({})).await);
    let far = id(&admin.event(json!({"start_date": "2099-01-01", "end_date": "2099-01-02"})).await);
    admin.event(json!({})).await;
    let all = format!("include={far},{past},{soon}");
    assert_eq!(app.list(&all).await, [past, soon, far]);
    let bounds = [
        "start_date=2050-01-01",
        "end_date=1999-01-01",
        "starts_after=2050-01-01",
        "starts_before=1999-01-01",
        "ends_after=2050-01-01",
        "ends_before=1999-01-01",
        "strict_dates=1&starts_after=2050-01-01%2009:00&ends_before=1999-01-01",
    ];
    app.lists(bounds.map(|bound| (format!("{all}&{bound}"), vec![past, soon, far]))).await;
    assert_eq!(app.list(&format!("{all}&search=nothing-like-it")).await, [0; 0]);
}

/// EL-23: Events in `include` come by publication date, those of one date by ID.
#[both_stores]
async fn certain_events_come_by_publication(app: &TestApp) {
    let admin = app.admin();
    let dated = async |date: &str, start: &str| {
        id(&admin.event(json!({"date": date, "start_date": start, "end_date": start})).await)
    };
    let newest = dated("2026-12-20 09:00:00", "2027-02-01").await;
    let old = dated("2026-12-10 09:00:00", "2027-03-01").await;
    let oldest = dated("2026-12-09 09:00:00", "2027-05-01").await;
    let old_too = dated("2026-12-10 09:00:00", "2027-01-15").await;
    let include = format!("include={old_too},{newest},{oldest},{old}");
    assert_eq!(app.list(&include).await, [oldest, old, old_too, newest]);
    let by_start = app.list(&format!("{include}&orderby=start_date")).await;
    assert_eq!(by_start, [old_too, newest, old, oldest]);
}

/// EL-24: A draft is listed by its ID only for users who may read it.
/// EL-25: A hidden event is listed by its ID only for users who may edit it.
#[both_stores]
async fn certain_events_must_be_visible(app: &TestApp) {
    let draft = id(&app.author().event(json!({"status": "draft"})).await);
    let hidden = id(&app.author().event(json!({"hide_from_listings": true})).await);
    let rows = [
        (app.anonymous(), false, false),
        (app.subscriber(), false, false),
        (app.contributor(), false, false),
        (app.user(6), false, false),
        (app.author(), true, true),
        (app.editor(), true, true),
        (app.admin(), true, true),
    ];
    for_each_row(rows, async |(client, draft_shown, hidden_shown)| {
        for (id, shown) in [(draft, draft_shown), (hidden, hidden_shown)] {
            let ids = client.get(&format!("/events?include={id}")).await.ids();
            assert_eq!(ids == [id], shown, "{client:?}: {ids:?}");
        }
        let usual = client.get("/events").await.ids();
        assert_eq!(usual == [draft], draft_shown, "{client:?}: {usual:?}");
    })
    .await;
}

/// EL-26: Unknown IDs are ignored; invalid IDs and an empty list are refused.
/// EL-27: Lists with commas and lists with brackets are the same.
#[both_stores]
async fn ways_to_name_certain_events(app: &TestApp) {
    days(&app.admin(), 3).await;
    assert_eq!(app.list("include=999999").await, [0; 0]);
    let rows = [
        "include=1,3",
        "include[]=1&include[]=3",
        "include[0]=1&include[1]=3",
        "include[]=1,3",
        "include=%201%20,,%203,",
        "include=999999,1,3,1",
        "include=1.0,3",
    ];
    app.lists(rows.map(|same| (same, vec![1, 3]))).await;
    let bad = ["=foo", "=0", "=", "=,", "=-1", "=1,foo", "=1.5", "[]=", "[a]=1"];
    app.refuses("include", &bad).await;
}

/// EL-28: Events come by start; at the same start the lower ID is first.
/// EL-29: The instant of the start counts, not its local time.
#[both_stores]
async fn events_come_by_start(app: &TestApp) {
    let admin = app.admin();
    let at = async |fields: Value| id(&admin.event(fields).await);
    let york = at(json!({
        "start_date": "2027-02-10 22:00:00", "end_date": "2027-02-10 23:00:00",
        "timezone": "America/New_York",
    }))
    .await;
    let utc =
        at(json!({"start_date": "2027-02-11", "end_date": "2027-02-11", "all_day": true})).await;
    let twin = at(json!({})).await;
    let twin_too = at(json!({"title": "A", "featured": true, "sticky": true})).await;
    let first = at(json!({"start_date": "2027-01-10 09:00:00"})).await;
    assert_eq!(app.list("").await, [first, utc, york, twin, twin_too]);
}

/// EL-30: A page holds `per_page` events and names the next page.
/// EL-34: There is no page beyond the last.
/// EL-35: The second page leads back to the list itself, the third to the second.
#[both_stores]
async fn pages_lead_to_their_neighbours(app: &TestApp) {
    days(&app.admin(), 5).await;
    let url = |page: &str| json!(format!("{API}/events?per_page=2{page}"));
    for (page, ids, next, previous) in [
        ("", vec![1, 2], url("&page=2"), Value::Null),
        ("&page=1", vec![1, 2], url("&page=2"), Value::Null),
        ("&page=2", vec![3, 4], url("&page=3"), url("")),
        ("&page=3", vec![5], Value::Null, url("&page=2")),
    ] {
        let answer = app.anonymous().get(&format!("/events?per_page=2{page}")).await;
        assert_eq!(answer.ids(), ids, "{page}");
        let list = answer.json();
        assert_eq!(list["rest_url"], url(page), "{page}");
        for (field, relation, wanted) in
            [("next_rest_url", "next", next), ("previous_rest_url", "prev", previous)]
        {
            assert_eq!(list.get(field).is_some(), !wanted.is_null(), "{page}: {field}");
            assert_eq!(list[field], wanted, "{page}: {field}");
            let link = format!("<{}>; rel=\"{relation}\"", wanted.as_str().unwrap_or_default());
            let is_linked = answer.headers.get_all("link").iter().any(|one| *one == *link);
            assert_eq!(is_linked, !wanted.is_null(), "{page}: {link}");
        }
    }
    for path in ["/events?per_page=2&page=4", "/events?page=2", "/events?page=9223372036854775807"]
    {
        app.anonymous().get(path).await.assert_error(404, "event-archive-page-not-found");
    }
}

/// EL-31: A page holds at most a hundred events, and the answer names the number it used.
#[both_stores]
async fn pages_are_limited(app: &TestApp) {
    days(&app.admin(), 101).await;
    let answer = app.anonymous().get("/events?per_page=1000").await;
    assert_eq!(answer.ids().len(), 100);
    let rest_url = format!("{API}/events?per_page=100");
    let shown = json!({
        "rest_url": rest_url, "next_rest_url": format!("{rest_url}&page=2"), "total": 101,
        "total_pages": 2,
    });
    has_fields(&answer.json(), shown);
    let usual = app.anonymous().get("/events").await;
    assert_eq!((usual.ids().len(), &usual.json()["total_pages"]), (10, &json!(11)));
}

/// EL-32: The length of a page is a whole number from one on, also written with a point.
/// EL-33: The number of a page is a whole number from one on, too.
#[both_stores]
async fn pages_are_counted_from_one(app: &TestApp) {
    days(&app.admin(), 3).await;
    assert_eq!(app.list("per_page=2.0").await, [1, 2]);
    assert_eq!(app.list("per_page=2&page=2.0").await, [3]);
    let bad =
        ["=0", "=-1", "=abc", "=foo", "=2.5", "=1.5", "=", "=%20", "=1e1", "=0x1", "=+", "=1,2"];
    for name in ["page", "per_page"] {
        app.refuses(name, &bad).await;
    }
    app.anonymous().get("/events?page=0&per_page=x").await.assert_invalid(&["page", "per_page"]);
}

/// EL-36: The addresses of other pages have every filter of the request, unchanged.
/// EL-37: The addresses of next pages lead through all events, each once.
#[both_stores]
async fn pages_keep_the_filters(app: &TestApp) {
    let admin = app.admin();
    let category = id(&admin.make("/categories", json!({"name": "Music"})).await);
    days(&admin, 2).await;
    for _ in 0..7 {
        admin.event(json!({"categories": [category]})).await;
    }
    let query = format!("categories={category}&strict_dates=1&per_page=1&foo=b%20r");
    let answer = app.anonymous().get(&format!("/events?{query}")).await;
    assert_eq!(answer.json()["next_rest_url"], format!("{API}/events?{query}&page=2"));

    let mut next = format!("/events?per_page=2&categories={category}");
    let mut visited = Vec::new();
    loop {
        let answer = app.anonymous().get(&next).await;
        visited.extend(answer.ids());
        let Value::String(url) = &answer.json()["next_rest_url"] else {
            break;
        };
        next = url.replace(API, "");
    }
    assert_eq!(visited, [3, 4, 5, 6, 7, 8, 9]);
}

/// EL-38: Addresses in answers are encoded, blanks too, and never hold a password.
#[both_stores]
async fn addresses_are_encoded(app: &TestApp) {
    let query = "search=event+is%20%22here%22%26%C3%A9&password=x&start_date=2027-01-01%2009:00";
    let encoded = "search=event%20is%20%22here%22%26%C3%A9&start_date=2027-01-01%2009:00";
    let answer = app.anonymous().get(&format!("/events?{query}")).await;
    assert_eq!(answer.json()["rest_url"], format!("{API}/events?{encoded}"));
}

/// EL-59: Events in lists carry no linked data.
/// EL-60: Headers and body have the same total and number of pages.
#[both_stores]
async fn lists_have_totals_and_no_linked_data(app: &TestApp) {
    let admin = app.admin();
    for _ in 0..3 {
        admin.event(json!({"venue": {"venue": "Hall"}, "organizer": {"organizer": "Club"}})).await;
    }
    let answer = app.anonymous().get("/events?per_page=2").await;
    let list = answer.json();
    has_fields(&list, json!({"total": 3, "total_pages": 2}));
    for prefix in ["x-tec", "x-wp"] {
        let total = answer.header(&format!("{prefix}-total"));
        let pages = answer.header(&format!("{prefix}-totalpages"));
        assert_eq!((total, pages), ("3", "2"), "{prefix}");
    }
    let single = app.anonymous().get("/events/1").await.json();
    assert!(single["json_ld"].is_object());
    for event in list["events"].as_array().expect("a list") {
        let absent = json!({"json_ld": null, "organizer.0.json_ld": null});
        has_fields(event, absent);
        has_fields(&event["venue"], json!({"venue": "Hall", "json_ld": null}));
    }
}
