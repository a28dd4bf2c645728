//! Lists of venues and organizers.

use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{Client, has_fields, id},
};

use super::{
    places::{KINDS, Kind},
    records::record,
};

/// The IDs of a list with this query.
async fn ids(client: &Client, kind: Kind, query: &str) -> Vec<i64> {
    let answer = client.get(&format!("{}{query}", kind.all())).await;
    assert_eq!(answer.status, 200, "{query}: {}", answer.text());
    assert_eq!(answer.json()["total"], answer.ids().len(), "{query}");
    answer.ids()
}

/// Creates a record and an event with it.
async fn linked(client: &Client, kind: Kind, event: Value) -> i64 {
    let place = kind.make(client, json!({})).await;
    let mut fields = event;
    fields[kind.name] = place["id"].clone();
    client.event(fields).await;
    id(&place)
}

/// V-30: The newest publication comes first, and the public sees what is published.
#[both_stores]
async fn the_newest_comes_first(app: &TestApp) {
    for kind in KINDS {
        for (client, fields) in [
            (app.admin(), json!({"date": "2026-05-01 10:00:00"})),
            (app.admin(), json!({"date": "2026-07-01 10:00:00"})),
            (app.author(), json!({"date": "2026-06-01 10:00:00"})),
            (app.contributor(), json!({"date": "2026-06-01 10:00:00"})),
            (app.author(), json!({"date": "2026-04-01 10:00:00", "status": "private"})),
            (app.admin(), json!({"date": "2027-04-01 10:00:00"})),
            (app.author(), json!({"date": "2026-06-01 10:00:00"})),
        ] {
            kind.make(&client, fields).await;
        }
        kind.make(&app.admin(), json!({"status": "trash"})).await;
        assert_eq!(ids(&app.anonymous(), kind, "").await, [2, 7, 3, 1]);
        assert_eq!(ids(&app.subscriber(), kind, "").await, [2, 7, 3, 1]);
        assert_eq!(ids(&app.contributor(), kind, "").await, [2, 7, 4, 3, 1]);
        assert_eq!(ids(&app.author(), kind, "").await, [2, 7, 3, 1, 5]);
        assert_eq!(ids(&app.editor(), kind, "").await, [6, 2, 7, 4, 3, 1, 5]);
    }
}

/// V-31: A search finds records with all words in one text, in any order.
/// O-15: Organizers are searched, narrowed and paged like venues.
#[both_stores]
async fn one_text_has_all_words(app: &TestApp) {
    for kind in KINDS {
        for fields in [
            json!({kind.name: "Zwinger Upstairs"}),
            json!({kind.name: "Upstairs", kind.detail: "Zwickau"}),
            json!({kind.detail: "100, Avenue du Temple"}),
            json!({"description": "<p>Zwei Stufen <b>up</b></p>"}),
            json!({kind.detail: "Temple", "phone": "100"}),
        ] {
            kind.make(&app.admin(), fields).await;
        }
        for (query, found) in [
            ("up%20zw", vec![4, 1]),
            ("ZW%20UP", vec![4, 1]),
            ("zw,+up!", vec![4, 1]),
            ("upstairs", vec![2, 1]),
            ("temple%20avenue", vec![3]),
            ("avenue-", vec![]),
            ("100%20temple", vec![3]),
            ("temple", vec![5, 3]),
        ] {
            let found_here = ids(&app.anonymous(), kind, &format!("?search={query}")).await;
            assert_eq!(found_here, found, "{query}");
        }
    }
}

/// V-32: A search for venues without a match gives an empty list; an empty search is refused.
/// O-15: A search for organizers without a match gives an empty list.
#[both_stores]
async fn nothing_is_found(app: &TestApp) {
    for kind in KINDS {
        for _ in 0..11 {
            kind.make(&app.admin(), json!({})).await;
        }
        for query in ["nomatch", "!!!", "%20"] {
            let list = app.anonymous().get(&format!("{}?search={query}", kind.all())).await;
            let empty = json!({
                &kind.all()[1..]: [], "total": 0, "total_pages": 0,
                "next_rest_url": null, "previous_rest_url": null,
            });
            has_fields(&record(&list), empty);
        }
        app.anonymous().refuses(&kind.all(), "search", &["="]).await;
    }
}

/// V-34: A page of venues beyond the last does not exist; a page holds at most 100.
/// O-16: A page of organizers beyond the last does not exist; a page holds at most 100.
#[both_stores]
async fn pages(app: &TestApp) {
    for kind in KINDS {
        for _ in 0..101 {
            kind.make(&app.admin(), json!({})).await;
        }
        let all = kind.all();
        let beyond = app.anonymous().get(&format!("{all}?page=99")).await;
        beyond.assert_error(404, &kind.code("archive-page-not-found"));

        let list = record(&app.anonymous().get(&format!("{all}?per_page=101")).await);
        assert_eq!(list[&all[1..]].as_array().map(Vec::len), Some(100));
        let rest_url = format!("https://cal.example/cal/events/v1{all}?per_page=100");
        let next = format!("{rest_url}&page=2");
        has_fields(&list, json!({"total": 101, "total_pages": 2, "next_rest_url": next}));
        assert_eq!(list["rest_url"], rest_url);

        let second_page = record(&app.anonymous().get(&format!("{all}?per_page=100&page=2")).await);
        assert_eq!(second_page[&all[1..]][0]["id"], 1);
        has_fields(&second_page, json!({"next_rest_url": null, "previous_rest_url": rest_url}));
        assert_eq!(app.anonymous().get(&all).await.ids().len(), 10);
    }
}

/// V-35: A list can be narrowed to the venue of an event.
/// O-17: A list can be narrowed to all organizers of an event.
#[both_stores]
async fn records_of_an_event(app: &TestApp) {
    for kind in KINDS {
        for _ in 0..4 {
            kind.make(&app.admin(), json!({})).await;
        }
        let (links, found) = match kind.name {
            "venue" => (json!(2), vec![2]),
            _ => (json!([4, 1, 2]), vec![4, 2, 1]),
        };
        let event = app.admin().event(json!({kind.name: links})).await["id"].clone();
        assert_eq!(ids(&app.anonymous(), kind, &format!("?event={event}")).await, found);
        let bare = app.admin().event(json!({})).await["id"].clone();
        assert!(ids(&app.anonymous(), kind, &format!("?event={bare}")).await.is_empty());

        let absent = app.anonymous().get(&format!("{}?event=999", kind.all())).await;
        absent.assert_error(400, "rest-invalid-event-id");
        app.anonymous().refuses(&kind.all(), "event", &["=abc", "=", "=-1"]).await;
        // A link of a hidden event is hidden.
        let draft = app.admin().event(json!({"status": "draft", kind.name: 3})).await;
        let path = format!("{}?event={}", kind.all(), draft["id"]);
        app.anonymous().get(&path).await.assert_error(403, "event-not-accessible");
        assert_eq!(app.editor().get(&path).await.ids(), [3]);
    }
}

/// V-36: A list can be narrowed to venues with, or without, events that the reader may list.
/// V-37: An event in the trash does not count as one of its venue.
/// O-15: Organizers can be narrowed to those with, or without, events that the reader may list.
#[both_stores]
async fn with_and_without_events(app: &TestApp) {
    for kind in KINDS {
        let old = json!({"start_date": "2020-01-01 09:00:00", "end_date": "2020-01-01 11:00:00"});
        assert_eq!(linked(&app.admin(), kind, json!({})).await, 1);
        assert_eq!(linked(&app.admin(), kind, old).await, 2);
        assert_eq!(linked(&app.admin(), kind, json!({"status": "draft"})).await, 3);
        assert_eq!(linked(&app.admin(), kind, json!({"status": "trash"})).await, 4);
        kind.make(&app.admin(), json!({})).await;
        for yes in ["true", "1", "yes", "TRUE", "on"] {
            let query = format!("?has_events={yes}");
            assert_eq!(ids(&app.anonymous(), kind, &query).await, [2, 1], "{yes}");
        }
        for no in ["false", "0", "", "foo", "no"] {
            let query = format!("?has_events={no}");
            assert_eq!(ids(&app.anonymous(), kind, &query).await, [5, 4, 3], "{no}");
        }
        assert_eq!(ids(&app.anonymous(), kind, "").await, [5, 4, 3, 2, 1]);
        assert_eq!(ids(&app.admin(), kind, "?has_events=true").await, [3, 2, 1]);
        assert_eq!(ids(&app.admin(), kind, "?has_events=false").await, [5, 4]);
    }
}

/// V-38: A list can be narrowed to venues of events that start now or later, however many.
/// V-39: Filters by events and by upcoming events can be combined.
/// O-15: Organizers can be narrowed to those of events that start now or later.
#[both_stores]
async fn with_events_to_come(app: &TestApp) {
    for kind in KINDS {
        let from_to = |start: &str, end: &str| json!({"start_date": start, "end_date": end});
        let admin = app.admin();
        let past = from_to("2026-06-01 09:00:00", "2026-06-01 10:00:00");
        let past = linked(&admin, kind, past).await;
        let running = from_to("2027-01-01 11:59:59", "2027-01-01 13:00:00");
        let running = linked(&admin, kind, running).await;
        let none = id(&kind.make(&admin, json!({})).await);
        let now = from_to("2027-01-01 12:00:00", "2027-01-01 13:00:00");
        let mut upcoming = vec![linked(&admin, kind, now).await];
        for day in 1..=12 {
            let day = format!("2031-03-{day:02}");
            let fields = from_to(&format!("{day} 09:00:00"), &format!("{day} 10:00:00"));
            upcoming.insert(0, linked(&admin, kind, fields).await);
        }
        let list =
            async |query: &str| ids(&app.anonymous(), kind, &format!("?per_page=50{query}")).await;
        assert_eq!(list("&only_with_upcoming=true").await, upcoming);
        assert_eq!(list("&only_with_upcoming=1&has_events=true").await, upcoming);
        assert!(list("&only_with_upcoming=true&has_events=false").await.is_empty());
        assert_eq!(list("&only_with_upcoming=false&has_events=false").await, [none]);

        let mut with_events = upcoming.clone();
        with_events.extend([running, past]);
        assert_eq!(list("&has_events=true").await, with_events);
        let mut all = upcoming.clone();
        all.extend([none, running, past]);
        for query in ["&only_with_upcoming=false", "&only_with_upcoming=0", ""] {
            assert_eq!(list(query).await, all, "{query}");
        }
    }
}

/// V-40: Writers may request venues of a status, and see those that they may read; others may not.
/// O-15: Writers may request organizers of a status, and see those that they may read.
#[both_stores]
async fn by_status(app: &TestApp) {
    for kind in KINDS {
        for (user, status) in [
            (1, "publish"),
            (1, "draft"),
            (3, "draft"),
            (4, "draft"),
            (3, "private"),
            (4, "pending"),
            (3, "trash"),
        ] {
            kind.make(&app.user(user), json!({"status": status})).await;
        }
        for client in [app.anonymous(), app.subscriber()] {
            let refused = ["=draft", "=publish,draft", "=trash", "=foo"];
            client.refuses(&kind.all(), "status", &refused).await;
            assert_eq!(ids(&client, kind, "?status=publish").await, [1]);
            assert_eq!(ids(&client, kind, "?status=any").await, [1]);
        }
        app.editor().refuses(&kind.all(), "status", &["=foo", "=", "=draft,foo"]).await;
        for (user, status, found) in [
            (2, "draft", vec![4, 3, 2]),
            (2, "draft,private", vec![5, 4, 3, 2]),
            (2, "trash", vec![7]),
            (2, "any", vec![6, 5, 4, 3, 2, 1]),
            (3, "draft", vec![3]),
            (3, "private", vec![5]),
            (3, "trash", vec![7]),
            (4, "draft", vec![4]),
            (4, "pending", vec![6]),
            (4, "private", vec![]),
            (4, "trash", vec![]),
        ] {
            let query = format!("?status={status}");
            assert_eq!(ids(&app.user(user), kind, &query).await, found, "{user} {status}");
        }
    }
}
