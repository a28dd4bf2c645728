//! Occurrences in lists.

use serde_json::{Value, json};
use tests::{app::TestApp, both_stores, client::id, for_each_row};

use super::{deleted, events, jazz, jazz_with, patched};
use crate::http::records::record;

/// R-73: Lists have occurrences in order, not the series; each is on one page.
#[both_stores]
async fn lists_have_the_occurrences(app: &TestApp) {
    let series = jazz(app).await;
    let march = "start_date=2027-03-01&end_date=2027-03-31";
    assert_eq!(app.list(march).await, series.ids(1..=5));
    let mut path = format!("/events?{march}&per_page=2");
    let (mut seen, mut pages) = (Vec::new(), 0);
    loop {
        let page = record(&app.anonymous().get(&path).await);
        assert_eq!((&page["total"], &page["total_pages"]), (&json!(5), &json!(3)));
        let records = page["events"].as_array().unwrap();
        seen.extend(records.iter().map(id));
        pages += 1;
        match page["next_rest_url"].as_str() {
            Some(next) => next
                .strip_prefix("https://cal.example/cal/events/v1")
                .unwrap()
                .clone_into(&mut path),
            None => break,
        }
    }
    assert_eq!((seen, pages), (series.ids(1..=5), 3));
    // Between other events, in order of time.
    let between = json!({"start_date": "2027-03-12 19:00", "end_date": "2027-03-12 20:00"});
    let between = id(&app.admin().event(between).await);
    let all = [series.ids(1..=2), vec![between], series.ids(3..=6)].concat();
    assert_eq!(app.list("").await, all);
}

/// R-74: `include` names series and occurrences at any date.
#[both_stores]
async fn included_series_and_occurrences(app: &TestApp) {
    let series = jazz(app).await;
    let (s, o3) = (series.id, series.id_of(3));
    let path = format!("/events?include={s},{o3}&start_date=2030-01-01");
    let listed = events(&app.anonymous(), &path).await;
    let mut ids: Vec<_> = listed.iter().map(id).collect();
    ids.sort_unstable();
    assert_eq!(ids, [s, o3]);
    for record in listed {
        assert_eq!(record.get("recurrence").is_some(), id(&record) == s);
        assert_eq!(record.get("series").is_some(), id(&record) == o3);
    }
}

/// R-75: The parts of a series are its occurrences; those of a festival are the occurrences of its
/// series.
#[both_stores]
async fn occurrences_as_parts(app: &TestApp) {
    let festival = id(&app.admin().event(json!({"title": "Festival"})).await);
    let series = jazz_with(&app.admin(), json!({"parent": festival})).await;
    for parent in [festival, series.id] {
        assert_eq!(app.list(&format!("post_parent={parent}")).await, series.ids(1..=6));
    }
    let shown = record(&app.anonymous().get(&series.of(2)).await);
    assert_eq!(shown["parent"], festival);
    let one = format!("post_parent={}", series.id_of(1));
    assert_eq!(app.list(&one).await, [0; 0]);
}

/// R-76: Every filter asks what the occurrence shows.
#[both_stores]
async fn filters_ask_what_an_occurrence_shows(app: &TestApp) {
    let fields = json!({
        "categories": ["Music"], "tags": ["loud"], "featured": true,
        "venue": {"venue": "Old Mill", "city": "Lyon", "geo_lat": 45.764, "geo_lng": 4.8357},
        "organizer": {"organizer": "Green Hands"},
        "tickets": [{"name": "Seat", "price": 5, "currency": "EUR"}],
    });
    let series = jazz_with(&app.admin(), fields).await;
    app.admin().event(json!({"title": "Fair"})).await;
    let rows = [
        "search=jazz",
        "categories=music",
        "tags=loud",
        "venue=1",
        "organizer=1",
        "featured=true",
        "geoloc=true",
        "geoloc_lat=45.7&geoloc_lng=4.8&geoloc_distance=50",
        "ticketed=true",
        "free=false&search=jazz",
        "city=lyon",
        "city=paris,lyon&venue=1",
        "search=jazz&categories=1&tags=1&venue=1&featured=1",
    ];
    for_each_row(rows, async |query| {
        assert_eq!(app.list(query).await, series.ids(1..=6));
        let march = format!("{query}&start_date=2027-03-08&end_date=2027-03-20");
        assert_eq!(app.list(&march).await, series.ids(2..=3));
    })
    .await;
    let none = [
        "search=tango",
        "featured=false&search=jazz",
        "ticketed=false&search=jazz",
        "free=true",
        "city=paris",
    ];
    for_each_row(none, async |query| assert_eq!(app.list(query).await, [0; 0])).await;
}

/// R-77: A term counts a series once, and an occurrence for the terms that its series has not.
#[both_stores]
async fn terms_count_a_series_once(app: &TestApp) {
    let series = jazz_with(&app.admin(), json!({"categories": ["Music"], "tags": ["loud"]})).await;
    let counts = async |path: &str| -> Vec<Value> {
        let listed = record(&app.anonymous().get(&format!("/{path}?hide_empty=0")).await);
        let terms = listed[path].as_array().unwrap().iter();
        terms.map(|term| json!([term["name"], term["count"]])).collect()
    };
    assert_eq!(counts("categories").await, [json!(["Music", 1])]);
    assert_eq!(counts("tags").await, [json!(["loud", 1])]);
    let own = json!({"categories": ["Music", "Own"]});
    patched(&app.admin(), &series.of(3), own).await;
    assert_eq!(counts("categories").await, [json!(["Music", 1]), json!(["Own", 1])]);
    deleted(&app.admin(), &series.path()).await;
    assert_eq!(counts("categories").await, [json!(["Music", 0]), json!(["Own", 0])]);
    assert_eq!(counts("tags").await, [json!(["loud", 0])]);
}

/// R-78: `hide_subsequent_recurrences` lists the first occurrence of each series that the list has,
/// `expand=false` the series.
#[both_stores]
async fn series_once_in_lists(app: &TestApp) {
    let series = jazz(app).await;
    let once = id(&app.admin().event(json!({})).await);
    let first = |n: usize| vec![series.id_of(n)];
    app.lists([
        ("hide_subsequent_recurrences=true", [first(1), vec![once]].concat()),
        ("hide_subsequent_recurrences=true&start_date=2027-03-10", [vec![once], first(3)].concat()),
        ("hide_subsequent_recurrences=true&search=jazz", first(1)),
        ("hide_subsequent_recurrences=false&search=jazz", series.ids(1..=6)),
        ("expand=false&search=jazz", vec![series.id]),
        ("expand=false&search=jazz&start_date=2027-03-10", vec![series.id]),
        ("expand=false&search=jazz&start_date=2027-05-01", vec![]),
        ("expand=true&search=jazz", series.ids(1..=6)),
    ])
    .await;
    for (query, total) in [("expand=false", 2), ("hide_subsequent_recurrences=true", 2)] {
        let list = record(&app.anonymous().get(&format!("/events?{query}&per_page=1")).await);
        assert_eq!((&list["total"], &list["total_pages"]), (&json!(total), &json!(total)));
    }
    for bad in ["expand", "hide_subsequent_recurrences"] {
        app.anonymous().get(&format!("/events?{bad}=maybe")).await.assert_invalid(&[bad]);
    }
}

/// R-79: A list from a moment on has the occurrence that goes on then.
#[both_stores]
async fn an_occurrence_that_goes_on(app: &TestApp) {
    let series = jazz(app).await;
    let from = "ends_after=2027-03-16+19:00&strict_dates=1";
    assert_eq!(app.list(from).await, series.ids(3..=6));
    let later = "ends_after=2027-03-16+20:00&strict_dates=1";
    assert_eq!(app.list(later).await, series.ids(4..=6));
}

/// R-80: The list of a series' occurrences, of an occurrence, and of any other event.
#[both_stores]
async fn the_list_of_occurrences(app: &TestApp) {
    let series = jazz(app).await;
    let anonymous = app.anonymous();
    let answer = anonymous.get(&series.list()).await;
    assert_eq!(answer.ids(), series.ids(1..=6));
    let list = answer.json();
    assert_eq!(list["rest_url"], format!("https://cal.example/cal/events/v1{}", series.list()));
    assert_eq!((&list["total"], &list["total_pages"]), (&json!(6), &json!(1)));
    assert_eq!((answer.header("x-tec-total"), answer.header("x-wp-totalpages")), ("6", "1"));
    let paged = anonymous.get(&format!("{}?per_page=4&page=2", series.list())).await;
    assert_eq!(paged.ids(), series.ids(5..=6));
    assert_eq!(
        paged.json()["previous_rest_url"],
        format!("https://cal.example/cal/events/v1{}?per_page=4", series.list())
    );
    let rows = [
        ("starts_after=2027-03-16", series.ids(4..=6)),
        ("start_date=2027-03-16", series.ids(3..=6)),
        ("end_date=2027-03-16", series.ids(1..=3)),
        ("starts_before=2027-03-16", series.ids(1..=3)),
        ("order=desc", series.ids((1..=6).rev())),
        ("own=true", vec![]),
        ("own=false", series.ids(1..=6)),
        ("cancelled=false", series.ids(1..=6)),
    ];
    for_each_row(rows, async |(query, ids)| {
        assert_eq!(anonymous.get(&format!("{}?{query}", series.list())).await.ids(), ids);
    })
    .await;
    patched(&app.admin(), &series.of(2), json!({"cancelled": true})).await;
    for query in ["cancelled=true", "own=true"] {
        let answer = anonymous.get(&format!("{}?{query}", series.list())).await;
        assert_eq!(answer.ids(), series.ids(2..=2));
    }
    let beyond = anonymous.get(&format!("{}?page=9", series.list())).await;
    assert_eq!(beyond.status, 404, "{}", beyond.text());
    let of_one = anonymous.get(&format!("{}/occurrences", series.of(3))).await;
    assert_eq!(of_one.ids(), series.ids(1..=6));
    let plain = id(&app.admin().event(json!({})).await);
    assert_eq!(anonymous.get(&format!("/events/{plain}/occurrences")).await.ids(), [plain]);
    anonymous.get("/events/99/occurrences").await.assert_error(404, "rest-event-not-found");
    for bad in ["own", "cancelled", "order", "per_page", "start_date"] {
        let answer = anonymous.get(&format!("{}?{bad}=foo", series.list())).await;
        answer.assert_invalid(&[bad]);
    }
}

/// R-81: An occurrence has an address by its slot, in each form of the date.
#[both_stores]
async fn occurrences_by_their_slots(app: &TestApp) {
    let series = jazz(app).await;
    let rows = [
        "2027-03-16T19:00:00",
        "20270316T190000",
        "2027-03-16",
        "20270316T180000Z",
        "2027-03-16T18:00:00Z",
    ];
    for_each_row(rows, async |slot| {
        let path = format!("{}/{slot}", series.list());
        let answer = app.anonymous().get(&path).await;
        assert_eq!(record(&answer)["id"], series.id_of(3));
        assert!(answer.header("etag").starts_with("\"r"), "{}", answer.header("etag"));
        let allowed = app.admin().get(&path).await.header("allow").to_owned();
        assert_eq!(allowed, "GET, DELETE, POST, PUT, PATCH");
        assert_eq!(app.anonymous().get(&path).await.header("allow"), "GET");
    })
    .await;
    let none =
        ["2027-03-17", "20270316T180000", "20270316T190000Z", "x", "jazz", "2027-13-01", "%FF"];
    for_each_row(none, async |slot| {
        let answer = app.anonymous().get(&format!("{}/{slot}", series.list())).await;
        assert_eq!(answer.status, 404, "{}", answer.text());
    })
    .await;
    let plain = id(&app.admin().event(json!({})).await);
    for path in [format!("/events/{plain}"), series.of(3), "/events/99".to_owned()] {
        let answer = app.anonymous().get(&format!("{path}/occurrences/2027-03-17")).await;
        answer.assert_error(404, "rest-event-not-found");
    }
    let slot = format!("{}/2027-03-16", series.list());
    let changed = patched(&app.admin(), &slot, json!({"title": "Trio"})).await;
    assert_eq!((&changed["id"], &changed["title"]), (&json!(series.id_of(3)), &json!("Trio")));
    assert_eq!(deleted(&app.admin(), &slot).await["status"], "trash");
    assert_eq!(app.list("").await, [series.ids(1..=2), vec![plain], series.ids(4..=6)].concat());
}
