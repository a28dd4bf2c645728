//! Filters of lists of events by status, last change and password, and orders.

use serde_json::{Value, json};
use tests::{app::TestApp, both_stores, client::id, for_each_row};

/// EL-50: Readers without the right to write may list published events, and no other status.
/// EL-51: An editor gets the requested statuses.
/// EL-52: An unknown or empty status is refused; `any` is no filter.
/// EL-53: A contributor's list has no drafts of other users.
/// EL-54: Events in the trash are listed for users who may edit them.
#[both_stores]
async fn statuses(app: &TestApp) {
    let editor = app.editor();
    let mut ids = Vec::new();
    let rows = [
        (&editor, "publish"),
        (&editor, "draft"),
        (&editor, "pending"),
        (&editor, "private"),
        (&editor, "draft"),
        (&app.contributor(), "draft"),
        (&app.contributor(), "draft"),
        (&app.author(), "private"),
    ];
    for_each_row(rows, async |(client, status)| {
        ids.push(id(&client.event(json!({"status": status})).await));
    })
    .await;
    let future = json!({"status": "publish", "date": "2027-06-01 09:00:00"});
    ids.push(id(&editor.event(future).await));
    assert_eq!(ids, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert_eq!(editor.delete("/events/5").await.status, 200);
    assert_eq!(app.contributor().delete("/events/7").await.status, 200);

    for client in [app.anonymous(), app.subscriber()] {
        for (query, held) in [("", vec![1]), ("?status=publish", vec![1]), ("?status=any", vec![1])]
        {
            assert_eq!(client.get(&format!("/events{query}")).await.ids(), held, "{query}");
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
            client.get(&format!("/events?status{status}")).await.is_invalid(&["status"]);
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
    for (user, held) in
        [(1, vec![1, 2, 3, 4, 6, 8, 9]), (4, vec![1, 6]), (7, vec![1]), (3, vec![1, 8])]
    {
        assert_eq!(app.user(user).get("/events").await.ids(), held, "{user}");
    }
    for client in [app.anonymous(), app.contributor(), app.editor()] {
        for status in ["=foo", "=publish,foo", "=", "=,", "=PUBLISH", "=inherit", "=auto-draft"] {
            client.get(&format!("/events?status{status}")).await.is_invalid(&["status"]);
        }
    }
    // The clock alone publishes a scheduled event.
    app.clock.set("2027-06-01 09:00:00");
    assert_eq!(
        app.anonymous().get("/events?status=publish&start_date=2027-01-01").await.ids(),
        [1, 9]
    );
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
        admin
            .event(json!({"title": title, "date": date, "start_date": start, "end_date": end}))
            .await;
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
        for order in ["", "&order=asc", "&order=ASC"] {
            assert_eq!(
                app.list(&format!("orderby={orderby}{order}")).await,
                up,
                "{orderby}{order}"
            );
        }
        for order in ["desc", "Desc"] {
            assert_eq!(
                app.list(&format!("orderby={orderby}&order={order}")).await,
                down,
                "{orderby}"
            );
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
    for_each_row(rows, async |(query, held)| {
        assert_eq!(app.list(query).await, held, "{query}");
    })
    .await;
}

/// EL-58: An event with a password is blank in lists, until the password comes with the request.
#[both_stores]
async fn locked_events(app: &TestApp) {
    app.admin()
        .event(json!({
            "title": "Wedding", "description": "Bring rice", "excerpt": "Short", "cost": "$5",
            "website": "https://wedding.example/", "password": "pw", "featured": true,
            "sticky": true,
            "show_map": true, "show_map_link": true, "categories": ["Family"], "tags": ["private"],
            "venue": {"venue": "Church"}, "organizer": {"organizer": "Bride"},
        }))
        .await;
    let one = async |client: tests::client::Client, query: &str| {
        let answer = client.get(&format!("/events{query}")).await;
        assert_eq!(answer.ids(), [1], "{query}");
        assert!(!answer.text().contains("pw"), "{}", answer.text());
        answer.json()["events"][0].clone()
    };
    for query in ["", "?password=wrong", "?password=PW", "?include=1"] {
        let event = one(app.anonymous(), query).await;
        for (field, value) in [
            ("description", json!("")),
            ("excerpt", json!("")),
            ("cost", json!("")),
            ("website", json!("")),
            ("image", json!(false)),
            ("categories", json!([])),
            (
                "cost_details",
                json!({
                    "currency_symbol": "", "currency_code": "", "currency_position": "",
                    "values": [],
                }),
            ),
            ("tags", json!([])),
            ("venue", json!([])),
            ("organizer", json!([])),
            ("custom_fields", json!([])),
            ("all_day", Value::Null),
            ("show_map", Value::Null),
            ("show_map_link", Value::Null),
            ("hide_from_listings", Value::Null),
            ("sticky", Value::Null),
            ("featured", Value::Null),
            ("title", json!("Wedding")),
            ("slug", json!("wedding")),
            ("author", json!(1)),
            ("status", json!("publish")),
            ("start_date", json!("2027-03-10 09:00:00")),
            ("url", json!("https://cal.example/event/wedding/")),
        ] {
            assert_eq!(event[field], value, "{field} with {query}");
            assert!(event.get(field).is_some(), "{field}");
        }
    }
    for event in [one(app.anonymous(), "?password=pw").await, one(app.editor(), "").await] {
        assert_eq!(event["description"], "<p>Bring rice</p>");
        assert_eq!(event["cost"], "$5");
        assert_eq!(event["venue"]["venue"], "Church");
        assert_eq!(event["organizer"][0]["organizer"], "Bride");
        assert_eq!(event["categories"][0]["name"], "Family");
        assert_eq!((&event["featured"], &event["all_day"]), (&json!(true), &json!(false)));
    }
    for query in ["search=rice", "venue=1", "featured=true", "categories=family", "tags=private"] {
        assert_eq!(app.list(query).await, [0; 0], "{query}");
        assert_eq!(app.list(&format!("{query}&password=pw")).await, [1], "{query}");
    }
    assert_eq!(app.list("search=wedd").await, [1]);
}
