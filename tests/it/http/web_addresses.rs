//! Web addresses beyond ASCII.

use serde_json::json;
use tests::{app::TestApp, both_stores, client::has_fields, for_each_row};

/// D-26: A web address with a host or a path beyond ASCII is accepted and stored in its ASCII form.
#[both_stores]
async fn addresses_beyond_ascii_are_kept_in_ascii(app: &TestApp) {
    let admin = app.admin();
    for (sent, kept) in [
        (
            "https://müller.example/straße?ort=Köln#über",
            "https://xn--mller-kva.example/stra%C3%9Fe?ort=K%C3%B6ln#%C3%BCber",
        ),
        ("https://例え.テスト/東京", "https://xn--r8jz45g.xn--zckzah/%E6%9D%B1%E4%BA%AC"),
        ("https://a.example/é%20x", "https://a.example/%C3%A9%20x"),
        ("https://a.example/x?a=1&b=2", "https://a.example/x?a=1&b=2"),
    ] {
        let fields = json!({
            "website": sent,
            "venue": {"venue": "V", "website": sent},
            "tickets": [{"name": "T", "price": "1", "currency": "EUR", "url": sent}],
        });
        let event = admin.event(fields).await;
        assert_eq!(event["website"], kept);
        assert_eq!(event["venue"]["website"], kept);
        assert_eq!(event["tickets"][0]["url"], kept);
        let organizer = admin.make("/organizers", json!({"organizer": "O", "website": sent})).await;
        assert_eq!(organizer["website"], kept);
        let path = format!("/organizers/{}", organizer["id"]);
        let written = admin.change(&path, json!({"website": kept})).await;
        has_fields(&written, json!({"modified": organizer["modified"], "website": kept}));
    }
}

/// D-26: Blanks are refused, also those beyond ASCII, and so are invalid hosts.
#[both_stores]
async fn blanks_and_impossible_hosts_are_refused(app: &TestApp) {
    let rows = [
        "https://müller.example/a b",
        "https://a.example/\u{a0}x",
        "https://例え.テスト/\u{3000}",
        " https://müller.example/",
        "https://xn--ü.example/",
        "müller.example",
        "ftp://müller.example/",
    ];
    for_each_row(rows, async |website| {
        app.admin().try_event(json!({"website": website})).await.assert_invalid(&["website"]);
    })
    .await;
    let long = format!("https://müller.example/{}", "é".repeat(400));
    app.admin().try_event(json!({"website": long})).await.assert_invalid(&["website"]);
    assert_eq!(app.list("").await, Vec::<i64>::new());
}
