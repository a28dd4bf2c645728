//! Filters of lists of events by status, last change and password, and orders.

use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{Client, has_fields},
    for_each_row,
};

/// EL-50: Readers without the right to write may list published events, and no other status.
/// EL-51: An editor gets the requested statuses.
/// EL-52: An unknown or empty status is refused; `any` is no filter.
/// EL-53: A contributor's list has no drafts of other users.
/// EL-54: Events in the trash are listed for users who may edit them.
#[both_stores]
async fn statuses(app: &TestApp) {
    let editor = app.editor();
    for (user, status) in [
        (2, "publish"),
        (2, "draft"),
        (2, "pending"),
        (2, "private"),
        (2, "draft"),
        (4, "draft"),
        (4, "draft"),
        (3, "private"),
    ] {
        app.user(user).event(json!({"status": status})).await;
    }
    let future = json!({"status": "publish", "date": "2027-06-01 09:00:00"});
    assert_eq!(editor.event(future).await["id"], 9);
    assert_eq!(editor.delete("/events/5").await.status, 200);
    assert_eq!(app.contributor().delete("/events/7").await.status, 200);

    for client in [app.anonymous(), app.subscriber()] {
        for query in ["", "status=publish", "status=any"] {
            assert_eq!(client.list(query).await, [1], "{query}");
        }
        for status in [
            "=draft",
            "=publish,draft",
            "=future",
            "=private",
            "=pending",
            "=trash",
            "[]=publish&status[]=trash",
        ] {
            client.get(&format!("/events?status{status}")).await.assert_invalid(&["status"]);
        }
    }
    let rows = [
        (2, "=draft", vec![2, 6]),
        (2, "=publish,draft", vec![1, 2, 6]),
        (2, "[]=publish&status[]=draft", vec![1, 2, 6]),
        (2, "=future", vec![9]),
        (2, "=private", vec![4, 8]),
        (2, "=any", vec![1, 2, 3, 4, 6, 8, 9]),
        (1, "=trash", vec![5, 7]),
        (1, "=trash,pending", vec![3, 5, 7]),
        (4, "=any", vec![1, 6]),
        (4, "=draft", vec![6]),
        (4, "=trash", vec![7]),
        (4, "=private,pending,future", vec![]),
        (7, "=draft,trash", vec![]),
        (3, "=private", vec![8]),
        (3, "=any", vec![1, 8]),
        (3, "=trash", vec![]),
    ];
    for_each_row(rows, async |(user, status, held)| {
        let answer = app.user(user).get(&format!("/events?status{status}")).await;
        assert_eq!(answer.ids(), held, "{user}: {status}");
        assert_eq!(answer.json()["total"], held.len(), "{user}: {status}");
    })
    .await;
    let lists = [(1, vec![1, 2, 3, 4, 6, 8, 9]), (4, vec![1, 6]), (7, vec![1]), (3, vec![1, 8])];
    for (user, held) in lists {
        assert_eq!(app.user(user).list("").await, held, "{user}");
    }
    for client in [app.anonymous(), app.contributor(), app.editor()] {
        for status in ["=foo", "=publish,foo", "=", "=,", "=PUBLISH", "=inherit", "=auto-draft"] {
            client.get(&format!("/events?status{status}")).await.assert_invalid(&["status"]);
        }
    }
    // The clock alone publishes a scheduled event.
    app.clock.set("2027-06-01 09:00:00");
    assert_eq!(app.list("status=publish&start_date=2027-01-01").await, [1, 9]);
}

/// EL-57b: Lists come in six orders both ways, and can be narrowed by the last change.
#[both_stores]
async fn order_and_last_change(app: &TestApp) {
    let admin = app.admin();
    for (title, date, start, end) in [
        ("beta", "2026-12-03", "2027-02-01", "2027-02-09"),
        ("Älpha", "2026-12-01", "2027-02-02", "2027-02-05"),
        ("Beta", "2026-12-02", "2027-02-01", "2027-02-07"),
    ] {
        app.clock.advance_seconds(60);
        let fields = json!({"title": title, "date": date, "start_date": start, "end_date": end});
        admin.event(fields).await;
    }
    app.clock.advance_seconds(60);
    assert_eq!(admin.put("/events/1", json!({"excerpt": "New"})).await.status, 200);
    let rows = [
        ("start_date", [1, 3, 2]),
        ("end_date", [2, 3, 1]),
        ("date", [2, 3, 1]),
        ("modified", [2, 3, 1]),
        ("title", [2, 1, 3]),
        ("id", [1, 2, 3]),
    ];
    for_each_row(rows, async |(orderby, up)| {
        let mut down = up;
        down.reverse();
        for (order, ids) in [
            ("", up),
            ("&order=asc", up),
            ("&order=ASC", up),
            ("&order=desc", down),
            ("&order=Desc", down),
        ] {
            assert_eq!(app.list(&format!("orderby={orderby}{order}")).await, ids, "{order}");
        }
    })
    .await;
    assert_eq!(app.list("order=desc").await, [2, 3, 1]);
    assert_eq!(app.list("include=1,2,3&order=desc").await, [1, 3, 2]);
    app.refuses("orderby", &["=foo", "=", "=Title", "[]=title"]).await;
    app.refuses("order", &["=foo", "=", "=up", "[]=asc"]).await;

    // Changed at 12:02, 12:03 and (the first) 12:04.
    let rows = [
        ("modified_after=2027-01-01%2012:02:00", vec![1, 3]),
        ("modified_after=2027-01-01%2012:01:59", vec![1, 3, 2]),
        ("modified_after=2027-01-01T14:03:00%2B02:00", vec![1]),
        ("modified_after=2027-01-01%2012:04", vec![]),
        ("modified_before=2027-01-01%2012:03", vec![2]),
        ("modified_before=2027-01-01%2012:03:01", vec![3, 2]),
        ("modified_after=2027-01-01%2012:02&modified_before=2027-01-01%2012:04", vec![3]),
        ("modified_after=2027-01-01%2012:02&include=1,2", vec![1]),
        ("modified_after=2027-01-01%2012:02&strict_dates=1", vec![1, 3]),
        ("modified_before=2027-01-01", vec![]),
    ];
    app.lists(rows).await;
}

/// EL-58: An event with a password is blank in lists, until the password comes with the request.
#[both_stores]
async fn locked_events(app: &TestApp) {
    let fields = json!({
        "title": "Wedding", "description": "Bring rice", "excerpt": "Short", "cost": "$5",
        "website": "https://wedding.example/", "password": "pw", "featured": true, "sticky": true,
        "show_map": true, "show_map_link": true, "categories": ["Family"], "tags": ["private"],
        "venue": {"venue": "Church"}, "organizer": {"organizer": "Bride"},
    });
    app.admin().event(fields).await;
    let one = async |client: Client, query: &str| {
        let answer = client.get(&format!("/events{query}")).await;
        assert_eq!(answer.ids(), [1], "{query}");
        assert!(!answer.text().contains("pw"), "{}", answer.text());
        answer.json()["events"][0].clone()
    };
    let blank = json!({
        "description": "", "excerpt": "", "cost": "", "website": "", "image": false,
        "categories": [], "tags": [], "venue": [], "organizer": [], "custom_fields": [],
        "cost_details": {
            "currency_symbol": "", "currency_code": "", "currency_position": "", "values": [],
        },
        "title": "Wedding", "slug": "wedding", "author": 1, "status": "publish",
        "start_date": "2027-03-10 09:00:00", "url": "https://cal.example/event/wedding/",
    });
    let flags =
        ["all_day", "show_map", "show_map_link", "hide_from_listings", "sticky", "featured"];
    for query in ["", "?password=wrong", "?password=PW", "?include=1"] {
        let event = one(app.anonymous(), query).await;
        has_fields(&event, blank.clone());
        for flag in flags {
            assert_eq!(event.get(flag), Some(&Value::Null), "{flag}");
        }
    }
    let open = json!({
        "description": "<p>Bring rice</p>", "cost": "$5", "venue.venue": "Church",
        "organizer.0.organizer": "Bride", "categories.0.name": "Family", "featured": true,
        "all_day": false,
    });
    for event in [one(app.anonymous(), "?password=pw").await, one(app.editor(), "").await] {
        has_fields(&event, open.clone());
    }
    for query in ["search=rice", "venue=1", "featured=true", "categories=family", "tags=private"] {
        assert_eq!(app.list(query).await, [0; 0], "{query}");
        assert_eq!(app.list(&format!("{query}&password=pw")).await, [1], "{query}");
    }
    assert_eq!(app.list("search=wedd").await, [1]);
}
