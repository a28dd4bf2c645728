//! Repeated fields, and spellings of lists.

use serde_json::{Value, json};
use tests::{app::TestApp, both_stores, client::id};

/// The IDs of the records that an event links under a field.
pub(super) fn linked(event: &Value, field: &str) -> Vec<i64> {
    let linked = event[field].as_array().unwrap();
    linked.iter().map(id).collect()
}

/// Three categories, venues and organizers, and an event with each.
async fn make_three(app: &TestApp) {
    let admin = app.admin();
    for name in ["A", "B", "C"] {
        let category = id(&admin.make("/categories", json!({"name": name})).await);
        let tag = id(&admin.make("/tags", json!({"name": name})).await);
        let venue = id(&admin.make("/venues", json!({"venue": name})).await);
        let organizer = json!({"organizer": name});
        let organizer = id(&admin.make("/organizers", organizer).await);
        let event = json!({
            "title": name, "categories": [category], "tags": [tag], "venue": venue, "organizer": organizer,
        });
        admin.event(event).await;
    }
}

const EVENT: &str = "title=T&start_date=2027-03-10+09:00&end_date=2027-03-10+11:00";

/// D-17: Values of a repeated filter are joined, also with brackets and commas.
#[both_stores]
async fn repeated_filters_are_joined(app: &TestApp) {
    make_three(app).await;
    for name in ["categories", "tags", "venue", "organizer", "include"] {
        for (query, held) in [
            ("n=1&n=2", vec![1, 2]),
            ("n=1&n=2&n=3", vec![1, 2, 3]),
            ("n[]=1&n=3", vec![1, 3]),
            ("n=1&n[]=2&n[]=3", vec![1, 2, 3]),
            ("n=1,2&n=3", vec![1, 2, 3]),
            ("n[]=1,2&n=3", vec![1, 2, 3]),
            ("n=1&n=&n=2,", vec![1, 2]),
            ("n[1]=1&n[]=2", vec![1, 2]),
            ("n=3&n=3", vec![3]),
        ] {
            let query = query.replace('n', name);
            assert_eq!(app.list(&query).await, held, "{query}");
        }
        app.refuses(name, &[&format!("=1&{name}=-1"), &format!("[]=1&{name}=-1")]).await;
    }
    let statuses = app.admin().get("/events?status=publish&status=draft").await;
    assert_eq!(statuses.ids(), [1, 2, 3]);
    app.anonymous().get("/events?status=publish&status=draft").await.assert_invalid(&["status"]);
    let terms = app.anonymous().get("/categories?include=1&include=3&exclude=2&exclude=3").await;
    assert_eq!(terms.ids(), [1]);
}

/// D-17: The address of a page of such a list names every value.
#[both_stores]
async fn pages_keep_repeated_filters(app: &TestApp) {
    make_three(app).await;
    let page = app.anonymous().get("/events?categories=1&categories=3&per_page=1").await.json();
    assert_eq!(page["total"], 2);
    let next =
        "https://cal.example/cal/events/v1/events?categories=1&categories=3&per_page=1&page=2";
    assert_eq!(page["next_rest_url"], next);
    let next = app.anonymous().get("/events?categories=1&categories=3&per_page=1&page=2").await;
    assert_eq!(next.ids(), [3]);
}

/// D-17: The last value of a single-valued parameter counts.
#[both_stores]
async fn of_other_parameters_the_last_counts(app: &TestApp) {
    make_three(app).await;
    for (query, held) in [
        ("search=A&search=C", vec![3]),
        ("per_page=1&per_page=2", vec![1, 2]),
        ("order=asc&order=desc", vec![3, 2, 1]),
        ("page=zz&page=1", vec![1, 2, 3]),
    ] {
        assert_eq!(app.list(query).await, held, "{query}");
    }
    let sent = format!("{EVENT}&title=Last&description=one&description=two");
    let event = app.admin().post_form("/events", &sent).await.json();
    assert_eq!(event["title"], "Last");
    assert!(event["description"].as_str().unwrap().contains("two"));
    let organizer = app.admin().post_form("/organizers", "organizer=X&organizer=Y").await.json();
    assert_eq!(organizer["organizer"], "Y");
}

/// D-17: Lists in the body of a form are joined in the same way.
#[both_stores]
async fn repeated_fields_of_a_form_are_joined(app: &TestApp) {
    make_three(app).await;
    for (sent, terms) in [
        ("1&n=2", vec![1, 2]),
        ("A&n=C", vec![1, 3]),
        ("1,C&n[]=2", vec![1, 2, 3]),
        ("A, B&n=3", vec![1, 2, 3]),
    ] {
        for field in ["categories", "tags"] {
            let form = format!("{EVENT}&n={sent}").replace("&n", &format!("&{field}"));
            let event = app.admin().post_form("/events", &form).await.json();
            assert_eq!(linked(&event, field), terms, "{form}");
        }
    }
    let form = format!("{EVENT}&organizer=2&organizer[]=1&cost=5&cost=7,50");
    let event = app.admin().post_form("/events", &form).await.json();
    // Names with brackets form one value, at the position of the first.
    assert_eq!(linked(&event, "organizer"), [2, 1]);
    assert_eq!(event["cost_details"]["values"], json!(["5", "7.50"]));
    let boundary = "--x\r\nContent-Disposition: form-data; name=\"categories\"\r\n\r\n1\r\n\
        --x\r\nContent-Disposition: form-data; name=\"categories\"\r\n\r\n2,3\r\n--x--\r\n";
    let body = Some(("multipart/form-data; boundary=x", boundary.as_bytes().to_vec()));
    let event = app.admin().send(axum::http::Method::PUT, "/events/1", body).await.json();
    assert_eq!(linked(&event, "categories"), [1, 2, 3]);
}

/// D-17: Links take the comma form in every encoding of fields.
#[both_stores]
async fn links_take_commas_in_every_way_of_sending(app: &TestApp) {
    make_three(app).await;
    for value in [json!("2,3"), json!(["2,3"]), json!([" 2 , 3 "]), json!([2, "3"])] {
        let links = json!({
            "categories": value, "tags": value, "venue": value, "organizer": value,
        });
        let event = app.admin().event(links).await;
        for field in ["categories", "tags", "organizer"] {
            assert_eq!(linked(&event, field), [2, 3], "{field} {value}");
        }
        assert_eq!(event["venue"]["id"], 2, "{value}");
    }
    for sent in ["n=2,3", "n[]=2,3", "n=2&n=3", "n[]=2&n=3", "n=,2,3", "n=0&n=2,3"] {
        for (field, expected) in
            [("categories", json!([2, 3])), ("organizer", json!([2, 3])), ("venue", json!(2))]
        {
            let fields = sent.replace('n', field);
            for (query, form) in
                [("", format!("{EVENT}&{fields}")), (&*format!("?{fields}"), EVENT.to_owned())]
            {
                let event = app.admin().post_form(&format!("/events{query}"), &form).await.json();
                let found = match field {
                    "venue" => event["venue"]["id"].clone(),
                    _ => json!(linked(&event, field)),
                };
                assert_eq!(found, expected, "{query} {form}");
            }
        }
    }
    // A name within an array may have a comma.
    let event = app.admin().event(json!({"categories": ["Food, Drink"]})).await;
    assert_eq!(event["categories"][0]["name"], "Food, Drink");
    for venue in [json!("x,2"), json!(["x", 2]), json!("2;3")] {
        app.admin().try_event(json!({"venue": venue})).await.assert_invalid(&["venue"]);
    }
}

/// D-17: Lists in `_fields` are joined too.
#[both_stores]
async fn repeated_lists_of_fields_are_joined(app: &TestApp) {
    make_three(app).await;
    for query in ["_fields=id&_fields=title", "_fields[]=id&_fields=title", "_fields=id,title"] {
        let event = app.anonymous().get(&format!("/events/1?{query}")).await.json();
        assert_eq!(event, json!({"id": 1, "title": "A"}), "{query}");
    }
}
