//! Tickets of events, and the currency of their price.

use serde_json::{Value, json};
use tests::{app::TestApp, both_stores, client::has_fields, for_each_row};

fn ticket() -> Value {
    json!({"name": "Seat", "price": "12.50", "currency": "EUR"})
}

/// The message about the tickets in an error.
async fn complaint(app: &TestApp, tickets: Value) -> String {
    let answer = app.admin().try_event(json!({"tickets": tickets})).await;
    answer.assert_invalid(&["tickets"]);
    answer.json()["data"]["params"]["tickets"].as_str().unwrap().to_owned()
}

/// EL-56: Tickets come back as they were sent, their times in the zone of the event.
#[both_stores]
async fn tickets_are_shown(app: &TestApp) {
    let plain = app.admin().event(json!({})).await;
    has_fields(&plain, json!({"tickets": [], "ticketed": false}));
    let made = app.admin().event(json!({
        "timezone": "Europe/Paris",
        "tickets": [
            {
                "name": " Seat &  <b>table</b> ", "price": "012.50", "currency": "eur",
                "url": "https://tickets.example/?a=1",
                "available_from": "2027-01-10 08:00", "available_until": "2027-03-01T12:00:00Z",
            },
            {"name": "Child", "price": 0, "currency": "EUR", "url": "", "available_from": null, "more": 1},
            {"name": "Child", "price": 7.5, "currency": "EUR", "available_until": "2027-03-10"},
        ],
    })).await;
    let read = app.anonymous().get("/events/2").await.json();
    for event in [made, read] {
        assert_eq!(event["ticketed"], true);
        assert_eq!(
            event["tickets"],
            json!([
                {
                    "name": "Seat &  table", "price": "12.50", "currency": "EUR",
                    "url": "https://tickets.example/?a=1",
                    "available_from": "2027-01-10 08:00:00", "available_until": "2027-03-01 13:00:00",
                },
                {"name": "Child", "price": "0", "currency": "EUR"},
                {"name": "Child", "price": "7.5", "currency": "EUR", "available_until": "2027-03-10 00:00:00"},
            ]),
            "{event}"
        );
    }
}

/// EL-56: A list of tickets replaces the former one; an empty one removes them.
#[both_stores]
async fn tickets_are_replaced(app: &TestApp) {
    let admin = app.admin();
    admin.event(json!({"timezone": "Asia/Tokyo", "tickets": [ticket(), ticket()]})).await;
    let put = async |fields: Value| admin.change("/events/1", fields).await;
    assert_eq!(put(json!({"title": "New"})).await["tickets"], json!([ticket(), ticket()]));
    assert_eq!(put(json!({"tickets": null})).await["tickets"], json!([ticket(), ticket()]));
    // Times are read in the zone of the event.
    let mut timed = ticket();
    timed["available_from"] = json!("2027-01-10 09:00:00");
    let event = put(json!({"tickets": [timed]})).await;
    assert_eq!(event["tickets"], json!([timed]));
    // The instant stays when the zone of the event changes.
    let event = put(json!({"timezone": "UTC"})).await;
    assert_eq!(event["tickets"][0]["available_from"], "2027-01-10 00:00:00");
    let before = event["modified"].clone();
    app.clock.advance_seconds(60);
    assert_eq!(put(json!({"tickets": event["tickets"]})).await["modified"], before);
    for empty in [json!([]), json!("")] {
        put(json!({"tickets": [ticket()]})).await;
        let event = put(json!({"tickets": empty})).await;
        has_fields(&event, json!({"tickets": [], "ticketed": false}));
    }
    assert!(admin.delete("/events/1?force=true").await.status == 200);
}

/// EL-56: Forms and imports send tickets too.
#[both_stores]
async fn tickets_come_in_forms(app: &TestApp) {
    let form = "title=A&start_date=2027-03-10+09:00&end_date=2027-03-10+10:00\
        &tickets[0][name]=Seat&tickets[0][price]=12.50&tickets[0][currency]=EUR\
        &tickets[1][name]=Box&tickets[1][price]=40&tickets[1][currency]=EUR";
    let made = app.admin().post_form("/events", form).await.json();
    let second = json!({"name": "Box", "price": "40", "currency": "EUR"});
    has_fields(&made, json!({"tickets": [ticket(), second]}));
}

/// EL-56: The faults of all tickets are reported at once, each with its ticket; nothing is created.
#[both_stores]
async fn bad_tickets(app: &TestApp) {
    let rows = [
        (json!({"name": ""}), "name"),
        (json!({"name": "<b> </b>"}), "name"),
        (json!({"name": 5}), "name"),
        (json!({"name": null}), "name"),
        (json!({"price": -1}), "price"),
        (json!({"price": "-0.01"}), "price"),
        (json!({"price": "free"}), "price"),
        (json!({"price": "1,50"}), "price"),
        (json!({"price": ""}), "price"),
        (json!({"price": true}), "price"),
        (json!({"price": "1.23456"}), "price"),
        (json!({"price": 1e300}), "price"),
        (json!({"price": null}), "price"),
        (json!({"currency": "EURO"}), "currency"),
        (json!({"currency": "ABC"}), "currency"),
        (json!({"currency": ""}), "currency"),
        (json!({"currency": null}), "currency"),
        (json!({"url": "tickets.example"}), "url"),
        (json!({"url": "javascript:alert(1)"}), "url"),
        (json!({"available_from": "someday"}), "available_from"),
        (json!({"available_until": true}), "available_until"),
        (
            json!({"available_from": "2027-02-01", "available_until": "2027-01-31"}),
            "available_until",
        ),
    ];
    for_each_row(rows, async |(change, complained)| {
        let mut bad = ticket();
        bad.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let text = complaint(app, json!([ticket(), bad])).await;
        assert!(text.contains("[1]") && text.contains(complained), "{change}: {text}");
        assert!(!text.contains("[0]"), "{text}");
    })
    .await;
    let text = complaint(
        app,
        json!([{"name": "A"}, ticket(), 5, {"price": -1, "name": "B", "currency": "X"}]),
    )
    .await;
    for part in ["[0]", "price", "currency", "[2]", "[3]", "negative"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    for tickets in
        [json!({}), ticket(), json!("Seat"), json!(5), json!(true), json!(vec![ticket(); 101])]
    {
        complaint(app, tickets).await;
    }
    let both = app.admin().try_event(json!({"tickets": [5], "title": "", "currency": "ABC"})).await;
    both.assert_invalid(&["tickets", "title", "currency"]);
    let made = app.admin().event(json!({"tickets": vec![ticket(); 100]})).await;
    has_fields(&made, json!({"id": 1, "tickets": vec![ticket(); 100]}));
    let kept = app.admin().put("/events/1", json!({"title": "New", "tickets": [{}]})).await;
    kept.assert_invalid(&["tickets"]);
    let event = app.admin().get("/events/1").await.json();
    has_fields(&event, json!({"title": "Event", "tickets": vec![ticket(); 100]}));
}

/// EL-56: Events with tickets alone, or those without; other words are refused.
#[both_stores]
async fn events_with_tickets(app: &TestApp) {
    let admin = app.admin();
    admin.event(json!({"tickets": [ticket(), ticket()]})).await;
    admin.event(json!({"cost": "5"})).await;
    admin.event(json!({"tickets": [ticket()], "password": "pw"})).await;
    admin.event(json!({"tickets": [ticket()], "status": "draft"})).await;
    let anonymous = app.anonymous();
    for word in ["true", "1"] {
        assert_eq!(anonymous.list(&format!("ticketed={word}")).await, [1], "{word}");
    }
    assert_eq!(anonymous.list("ticketed=false").await, [2]);
    assert_eq!(anonymous.list("ticketed=true&password=pw").await, [1, 3]);
    assert_eq!(app.editor().list("ticketed=true").await, [1, 3, 4]);
    admin.put("/events/1", json!({"tickets": []})).await;
    assert_eq!(anonymous.list("ticketed=true").await, [0; 0]);
    assert_eq!(anonymous.list("ticketed=0").await, [1, 2]);
    app.refuses("ticketed", &["=foo", "=", "=2"]).await;
}

/// EL-58: A locked event shows no tickets.
#[both_stores]
async fn locked_tickets(app: &TestApp) {
    app.admin().event(json!({"tickets": [ticket()], "password": "pw", "currency": "EUR"})).await;
    let one = async |query: &str| {
        app.anonymous().get(&format!("/events{query}")).await.json()["events"][0].clone()
    };
    let locked = one("").await;
    assert_eq!((&locked["tickets"], &locked["ticketed"]), (&json!([]), &Value::Null));
    assert_eq!(locked["cost_details"]["currency_code"], "");
    let open = one("?password=pw").await;
    has_fields(&open, json!({"tickets": [ticket()], "ticketed": true}));
}

/// EC-70: The currency of a price is a code of ISO 4217; it is shown and can be removed.
#[both_stores]
async fn the_currency_of_a_price(app: &TestApp) {
    let admin = app.admin();
    let made = admin.event(json!({"cost": "20", "currency": "chf"})).await;
    let details = json!({
        "currency_symbol": "", "currency_code": "CHF", "currency_position": "", "values": ["20"],
    });
    has_fields(&made, json!({"cost": "CHF20", "cost_details": details}));
    for bad in [json!("ABC"), json!("CH"), json!("Swiss francs"), json!(756), json!([])] {
        admin.put("/events/1", json!({"currency": bad})).await.assert_invalid(&["currency"]);
    }
    for (change, code) in [
        (json!({"cost": "30"}), "CHF"),
        (json!({"currency": "JPY"}), "JPY"),
        (json!({"currency": ""}), ""),
    ] {
        let event = admin.change("/events/1", change).await;
        assert_eq!(event["cost_details"]["currency_code"], code);
    }
}
