//! Titles, slugs and websites of new events.

use serde_json::json;
use tests::{
    app::TestApp,
    both_stores,
    client::{event_fields, has_fields},
    for_each_row,
};

use super::records::{event_path, read};

/// EC-05: An empty title is refused.
/// EC-06: A title that is a number is refused as one of the wrong type.
#[both_stores]
async fn a_title_is_a_text_with_characters(app: &TestApp) {
    let empty = app.admin().try_event(json!({"title": ""})).await;
    empty.assert_invalid(&["title"]);
    assert_eq!(empty.json()["data"]["details"], json!([]));

    let number = app.admin().try_event(json!({"title": 5})).await;
    number.assert_invalid(&["title"]);
    let detail = &number.json()["data"]["details"]["title"];
    has_fields(detail, json!({"code": "rest_invalid_type", "data.param": "title"}));
    assert!(app.admin().get("/events").await.ids().is_empty());
}

/// EC-03: An event without a title is refused, and the title is named as missing.
/// EC-04: An event without start and end is refused, and both are named, in this order.
/// EC-07: A title of null counts as not sent.
#[both_stores]
async fn title_start_and_end_are_required(app: &TestApp) {
    let dates = json!({"start_date": "2027-03-10 09:00:00", "end_date": "2027-03-10 11:00:00"});
    let rows = [
        (dates, json!(["title"])),
        (json!({"title": "Event"}), json!(["start_date", "end_date"])),
        (json!({}), json!(["title", "start_date", "end_date"])),
        (event_fields(json!({"title": null})), json!(["title"])),
    ];
    for_each_row(rows, async |(body, missing)| {
        let answer = app.admin().post("/events", body).await;
        answer.assert_error(400, "rest_missing_callback_param");
        assert_eq!(answer.json()["data"]["params"], missing);
    })
    .await;
}

/// EC-08: A title of the one character 0 is a title.
/// EC-09: Blanks around a title go, those within it stay.
/// EC-10: Elements of HTML leave a title, other angle brackets are shown escaped.
/// EC-12: A backslash stays in a title.
#[both_stores]
async fn titles_are_plain_text(app: &TestApp) {
    let rows = [
        ("0", "0", "0"),
        ("  A   b  ", "A   b", "a-b"),
        ("<b>A</b> & c", "A & c", "a-c"),
        ("c't <webdev>", "c't &lt;webdev&gt;", "ct-webdev"),
        ("<CODE/CRAFTS>", "&lt;CODE/CRAFTS&gt;", "code-crafts"),
        (r"C:\temp\new \\ x", r"C:\temp\new \\ x", "ctempnew-x"),
    ];
    for_each_row(rows, async |(sent, shown, slug)| {
        let event = app.admin().event(json!({"title": sent})).await;
        has_fields(&event, json!({"title": shown, "slug": slug}));
        assert_eq!(read(&app.anonymous(), &event_path(&event)).await["title"], shown);
    })
    .await;
}

/// EC-11: A title of 300 characters is stored whole; its slug has at most 200 of them.
#[both_stores]
async fn a_long_title_has_a_shorter_slug(app: &TestApp) {
    let title = "long title ".repeat(28)[..300].to_owned();
    let event = app.admin().event(json!({"title": title})).await;
    assert_eq!(event["title"], title.trim());
    let whole = "long-title-".repeat(28);
    assert_eq!(event["slug"], whole[..200].trim_end_matches('-'));
}

/// EC-96: A slug is brought into lower case with single dashes, without punctuation.
/// EC-97: The second event that requests a slug gets it with the suffix 2.
/// EC-98: An empty slug is refused.
/// EC-99: A reserved word of addresses gets the suffix 2 at once.
/// EC-100: A title with accents gives a slug without them.
#[both_stores]
async fn slugs_are_normalised_and_unique(app: &TestApp) {
    let rows = [
        (json!({"slug": "My Fancy  Slug!"}), "my-fancy-slug"),
        (json!({"slug": "My Fancy  Slug!"}), "my-fancy-slug-2"),
        (json!({"slug": "my-fancy-slug"}), "my-fancy-slug-3"),
        (json!({"slug": "feed"}), "feed-2"),
        (json!({"title": "Feed"}), "feed-3"),
        (json!({"title": "Été à la plage"}), "ete-a-la-plage"),
    ];
    for_each_row(rows, async |(fields, slug)| {
        let event = app.admin().event(fields).await;
        let url = format!("https://cal.example/event/{slug}/");
        has_fields(&event, json!({"slug": slug, "url": url}));
        let found = app.anonymous().get(&format!("/events/by-slug/{slug}")).await;
        assert_eq!(found.json()["id"], event["id"], "{slug}");
    })
    .await;
    app.admin().try_event(json!({"slug": ""})).await.assert_invalid(&["slug"]);
}

/// EC-101: Letters of other scripts stay in a slug; addresses hold them percent-encoded.
#[both_stores]
async fn slugs_may_be_of_any_script(app: &TestApp) {
    let event = app.admin().event(json!({"title": "東京"})).await;
    let shown = json!({
        "slug": "東京", "url": "https://cal.example/event/%E6%9D%B1%E4%BA%AC/",
        "rest_url": "https://cal.example/cal/events/v1/events/1",
    });
    has_fields(&event, shown);
    for spelling in ["東京", "%E6%9D%B1%E4%BA%AC", "%e6%9d%b1%e4%ba%ac"] {
        let found = read(&app.anonymous(), &format!("/events/by-slug/{spelling}")).await;
        assert_eq!(found["id"], event["id"], "{spelling}");
    }
}

/// EC-63: A website comes back exactly as it was sent.
/// EC-64: An event with an empty website shows its own page as website.
#[both_stores]
async fn websites_are_returned_as_sent(app: &TestApp) {
    let website = "https://a.example/x?a=1&b=2";
    let event = app.admin().event(json!({"website": website})).await;
    assert_eq!(event["website"], website);

    let event = app.admin().event(json!({"title": "Bare", "website": ""})).await;
    let page = "https://cal.example/event/bare/";
    has_fields(&event, json!({"website": page, "url": page}));
}

/// EC-65: A website without a scheme is refused.
/// EC-66: A website that would run a script is refused.
/// EC-67: A mail address is no website.
/// EC-68: A website of another scheme, and with a blank in it, is refused.
/// EC-69: A website that is a number is refused.
#[both_stores]
async fn websites_are_addresses_of_the_web(app: &TestApp) {
    let websites = [
        json!("example.org"),
        json!("javascript://x/%0aalert(1)"),
        json!("mailto:a@b.co"),
        json!("ftp://example.org/a b"),
        json!("ftp://example.org/a"),
        json!("https://example.org/a b"),
        json!(5),
    ];
    app.admin().refuses_event("website", websites).await;
    assert!(app.admin().get("/events").await.ids().is_empty());
}
