//! Images that a record names by a URL, and requests that fetch nothing.

use std::{collections::BTreeSet, time::Instant};

use serde_json::json;
use tests::{
    app::TestApp,
    both_stores,
    client::id,
    for_each_row,
    pictures::{Elsewhere, png},
};

use super::{
    images::{files, try_upload, upload},
    records::event_path,
};

/// A second service, which may fetch images from private addresses.
async fn fetching(app: &TestApp) -> TestApp {
    app.variant().fetches_private().build().await
}

/// An image is fetched once and stored with its sizes; later requests reuse it by its URL.
#[both_stores]
async fn an_address_is_fetched_once(app: &TestApp) {
    let elsewhere = Elsewhere::start().await;
    let author = fetching(app).await.author();
    let url = elsewhere.url("pictures/Red%20Bank.png?size=1");
    let event = author.event(json!({"image": url})).await;
    let image = &event["image"];
    assert_eq!((&image["id"], &image["width"]), (&json!(1), &json!(400)));
    assert!(image["url"].as_str().is_some_and(|url| url.ends_with("/red20bank.png")), "{image}");
    assert_eq!(image["sizes"]["medium"]["height"], 150);
    let venue = author.make("/venues", json!({"venue": "Mill", "image": url})).await;
    assert_eq!(&venue["image"], image);
    let again = author.put(&event_path(&event), json!({"image": url})).await.json();
    assert_eq!(&again["image"], image);
    assert_eq!(elsewhere.asked(), 1);
    let other = author.event(json!({"image": elsewhere.url("other.png")})).await;
    assert_eq!((&other["image"]["id"], elsewhere.asked()), (&json!(2), 2));
}

/// Two concurrent writes with the same URL share one image.
#[both_stores]
async fn two_at_once_share_one_image(app: &TestApp) {
    let elsewhere = Elsewhere::start().await;
    let (one, two) = (fetching(app).await.author(), fetching(app).await.editor());
    let fields = json!({"image": elsewhere.url("same.png")});
    let (first, second) = tokio::join!(one.event(fields.clone()), two.event(fields.clone()));
    assert_eq!(first["image"], second["image"]);
    // Within one service it is even fetched once.
    let before = elsewhere.asked();
    let fields = json!({"image": elsewhere.url("another.png")});
    let (first, second) = tokio::join!(one.event(fields.clone()), one.event(fields.clone()));
    assert_eq!(first["image"], second["image"]);
    assert_eq!(elsewhere.asked(), before + 1);
    // A picture and two sizes each; the second fetch leaves no files.
    assert_eq!(files(app).await, 6);
}

/// The URL of a stored file means its image; nothing is fetched.
#[both_stores]
async fn our_own_addresses_are_known(app: &TestApp) {
    let image = upload(&app.author()).await;
    for url in [&image["url"], &image["sizes"]["medium"]["url"]] {
        let event = app.author().event(json!({"image": url})).await;
        assert_eq!(event["image"], image);
    }
    app.author().refuses_event("image", ["https://cal.example/media/2027/01/gone.png"]).await;
}

/// EC-122: Contributors and subscribers cause no fetch, of a known address or another.
#[both_stores]
async fn contributors_name_no_addresses(app: &TestApp) {
    let elsewhere = Elsewhere::start().await;
    let url = elsewhere.url("a.png");
    let contributor = fetching(app).await.contributor();
    contributor.refuses_event("image", [&*url]).await;
    contributor.refuses_event("venue", [json!({"venue": "Mill", "image": url})]).await;
    assert_eq!(elsewhere.asked(), 0);
    fetching(app).await.author().event(json!({"image": url})).await;
    contributor.refuses_event("image", [&*url]).await;
    assert_eq!(elsewhere.asked(), 1);
}

/// A write that is refused causes no fetch: no credentials, bad fields, records of others.
#[both_stores]
async fn refused_requests_fetch_nothing(app: &TestApp) {
    let elsewhere = Elsewhere::start().await;
    let image = json!({"image": elsewhere.url("a.png")});
    fetching(app)
        .await
        .subscriber()
        .try_event(image.clone())
        .await
        .assert_error(403, "rest_forbidden");
    app.anonymous().try_event(image.clone()).await.assert_error(401, "rest_forbidden");
    let author = fetching(app).await.author();
    let bad = json!({"image": elsewhere.url("a.png"), "start_date": "never"});
    author.try_event(bad).await.assert_invalid(&["start_date"]);
    let foreign = event_path(&app.admin().event(json!({})).await);
    author.put(&foreign, image.clone()).await.assert_error(403, "rest_forbidden");
    author.put("/events/999", image.clone()).await.assert_error(404, "rest-event-not-found");
    let given = json!({"image": elsewhere.url("a.png"), "author": 2});
    author.try_event(given).await.assert_error(403, "rest_forbidden");
    assert_eq!(elsewhere.asked(), 0);
}

/// A write that fails for another reason leaves neither an image nor its files.
#[both_stores]
async fn a_failed_write_leaves_no_image(app: &TestApp) {
    let elsewhere = Elsewhere::start().await;
    let author = fetching(app).await.author();
    let fields = json!({"image": elsewhere.url("a.png"), "venue": 99});
    author.try_event(fields).await.assert_invalid(&["venue"]);
    assert_eq!(elsewhere.asked(), 1);
    assert_eq!(files(app).await, 0);
    app.anonymous().get("/images/1").await.assert_error(404, "image-not-found");
}

/// Venues and organizers given in full take images by URL too.
#[both_stores]
async fn inline_records_fetch(app: &TestApp) {
    let elsewhere = Elsewhere::start().await;
    let author = fetching(app).await.author();
    let fields = json!({
        "image": elsewhere.url("e.png"),
        "venue": {"venue": "Mill", "image": elsewhere.url("v.png")},
        "organizer": [{"organizer": "Club", "image": elsewhere.url("o.png")}],
    });
    let event = author.event(fields).await;
    let images = [&event["image"], &event["venue"]["image"], &event["organizer"][0]["image"]];
    assert_eq!(images.map(id).into_iter().collect::<BTreeSet<_>>().len(), 3, "{event}");
    // A request fetches at most four images.
    let organizers: Vec<_> = (0..5)
        .map(|n| json!({"organizer": format!("Club {n}"), "image": elsewhere.url(&format!("{n}.png"))}))
        .collect();
    author.refuses_event("organizer", [organizers]).await;
    assert_eq!(elsewhere.asked(), 3 + 4);
    assert_eq!(files(app).await, 9);
}

/// A URL without an image is refused, each with its reason.
#[both_stores]
async fn bad_answers_are_refused(app: &TestApp) {
    let elsewhere = Elsewhere::start().await;
    let author = fetching(app).await.author();
    let rows = [
        ("missing.png", "does not answer"),
        ("page", "does not lead to"),
        ("text.png", "is not a PNG"),
        ("gif.png", "is called PNG, but its content is GIF"),
        ("long.png", "more than 10485760 bytes"),
        ("circle", "does not answer"),
        ("outside", "does not answer"),
    ];
    for_each_row(rows, async |(what, reason)| {
        let answer = author.try_event(json!({"image": elsewhere.url(what)})).await;
        answer.assert_invalid(&["image"]);
        assert!(answer.text().contains(reason), "{what}: {}", answer.text());
    })
    .await;
    assert_eq!(files(app).await, 0);
    let moved = author.event(json!({"image": elsewhere.url("moved.png")})).await;
    assert_eq!(moved["image"]["width"], 400);
    // No server listens there.
    author.refuses_event("image", ["http://127.0.0.1:1/a.png"]).await;
}

/// The service sends no request to a private address, in any spelling.
#[both_stores]
async fn nothing_is_fetched_from_inside(app: &TestApp) {
    let elsewhere = Elsewhere::start().await;
    let port = elsewhere.address.port();
    let author = app.author();
    let rows = [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "0177.0.0.1",
        "127.0.0.1.",
        "127.8.9.1",
        "0.0.0.0",
        "0",
        "localhost",
        "LocalHost",
        "localhost.",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.0.1",
        "169.254.169.254",
        "[fd00:ec2::254]",
        "100.64.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "[fe80::1]",
        "[fc00::1]",
        "[ff02::1]",
    ];
    for_each_row(rows, async |host| {
        let begin = Instant::now();
        author.refuses_event("image", [format!("http://{host}:{port}/a.png")]).await;
        // No attempt is made: a connection to an unused address would take time.
        assert!(begin.elapsed().as_secs() < 2, "{host}");
    })
    .await;
    let with_credentials = format!("http://user:secret@127.0.0.1:{port}/a.png");
    let urls = [
        with_credentials.clone(),
        format!("http://example.org@127.0.0.1:{port}/a.png"),
        format!("https://localhost:{port}/a.png"),
        format!("ftp://127.0.0.1:{port}/a.png"),
        format!("file:///etc/passwd?{port}"),
        format!("gopher://127.0.0.1:{port}/a.png"),
    ];
    author.refuses_event("image", urls).await;
    assert_eq!(elsewhere.asked(), 0);
    // Credentials are refused even where private addresses are allowed.
    fetching(app).await.author().refuses_event("image", [with_credentials]).await;
    assert_eq!(elsewhere.asked(), 0);
}

/// A fetched image can be deleted, and is fetched anew then.
#[both_stores]
async fn a_deleted_one_is_fetched_again(app: &TestApp) {
    let elsewhere = Elsewhere::start().await;
    let author = fetching(app).await.author();
    let fields = json!({"image": elsewhere.url("a.png")});
    let before = author.event(fields.clone()).await;
    assert_eq!(author.delete("/images/1").await.status, 200);
    let after = author.event(fields).await;
    assert_eq!((&after["image"]["id"], elsewhere.asked()), (&json!(2), 2));
    assert_ne!(after["image"]["url"], before["image"]["url"]);
    // An upload has no source URL.
    let twin = try_upload(&author, "image/png", png(400, 200)).await;
    assert_eq!(twin.json()["id"], 3);
}
