//! Upload, display and deletion of images.

use axum::http::Method;
use image::ImageFormat;
use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{Answer, Client, event_fields, has_fields},
    for_each_row,
    pictures::{form, picture, png},
};

use super::{
    languages::KINDS,
    records::{event_path, record},
};

/// Uploads a file as the body.
pub(super) async fn try_upload(client: &Client, content_type: &str, content: Vec<u8>) -> Answer {
    client.send(Method::POST, "/images", Some((content_type, content))).await
}

/// Uploads a PNG of 400 × 200.
pub(super) async fn upload(client: &Client) -> Value {
    let answer = try_upload(client, "image/png", png(400, 200)).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    answer.json()
}

/// The path of a URL of the service.
fn path_of(url: &Value) -> String {
    let path = url.as_str().and_then(|url| url.strip_prefix("https://cal.example"));
    format!("/{}", path.expect("an address of ours"))
}

/// Uploads a file in a form.
pub(super) async fn upload_form(
    client: &Client,
    name: &str,
    content_type: Option<&str>,
    content: &[u8],
) -> Answer {
    let (kind, body) = form(name, content_type, content);
    try_upload(client, &kind, body).await
}

/// The number of stored files.
pub(super) async fn files(app: &TestApp) -> usize {
    use ::app::ports::ImageFiles;
    let all = app.files.written_before(domain::time::Timestamp::MAX).await;
    all.expect("files in memory").len()
}

/// An upload is answered with the image, its smaller sizes and its address.
#[both_stores]
async fn an_upload_makes_sizes(app: &TestApp) {
    let send = async || {
        upload_form(&app.author(), "Bank am See.PNG", Some("image/png"), &png(1200, 800)).await
    };
    let answer = send().await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    assert_eq!(answer.header("location"), "https://cal.example/cal/events/v1/images/1");
    let image = answer.json();
    let url = image["url"].as_str().expect("an address");
    let media = url.strip_suffix(".png").expect("a PNG");
    assert!(media.ends_with("/bank-am-see"), "{url}");
    let size = |name: &str, width: u32, height: u32| {
        json!({"width": width, "height": height, "mime-type": "image/png",
            "filesize": image["sizes"][name]["filesize"],
            "url": format!("{media}-{width}x{height}.png")})
    };
    assert_eq!(
        image,
        json!({
            "url": format!("{media}.png"), "id": 1, "alt": "", "extension": "png", "width": 1200,
            "height": 800, "filesize": png(1200, 800).len(),
            "sizes": {"thumbnail": size("thumbnail", 150, 150), "medium": size("medium", 300, 200),
                "large": size("large", 1024, 683)},
        })
    );
    assert_eq!(app.author().get("/images/1").await.json(), image);
    for size in ["thumbnail", "medium", "large"] {
        let size = &image["sizes"][size];
        let bytes = app.anonymous().get(&path_of(&size["url"])).await.bytes;
        let shown = image::load_from_memory(&bytes).expect("a picture");
        let shown = json!({
            "filesize": bytes.len(), "width": shown.width(), "height": shown.height(),
        });
        has_fields(size, shown);
    }
    // The same file name again creates another image.
    let again = send().await.json();
    assert_eq!(again["id"], 2);
    assert_ne!(again["url"], image["url"]);
}

/// D-23: The files of an upload lie in a folder of its own with a random name.
#[both_stores]
async fn files_lie_in_random_folders(app: &TestApp) {
    let mut folders = std::collections::BTreeSet::new();
    for _ in 0..3 {
        let image = upload(&app.author()).await;
        let url = image["url"].as_str().expect("an address");
        let rest = url.strip_prefix("https://cal.example/media/2027/01/").expect("the month");
        let (folder, name) = rest.split_once('/').expect("a folder");
        assert_eq!(name, "image.png");
        // 80 bits or more, as hexadecimal digits.
        assert!(folder.len() >= 20 && folder.bytes().all(|b| b.is_ascii_hexdigit()), "{folder}");
        let sizes = image["sizes"].as_object().expect("sizes");
        assert!(
            sizes.values().all(|size| size["url"].as_str().is_some_and(|url| url.contains(folder)))
        );
        folders.insert(folder.to_owned());
    }
    assert_eq!(folders.len(), 3);
    app.anonymous().get("//media/2027/01/image.png").await.assert_error(404, "image-not-found");
}

/// D-23: A name of any length that names no file is not found.
#[both_stores]
async fn long_names_are_not_found(app: &TestApp) {
    for length in [1, 100, 200, 248, 252, 253, 255, 256, 1000, 4096, 7000] {
        let name = "a".repeat(length);
        for path in [
            format!("//media/2027/01/{name}.png"),
            format!("//media/2027/01/{name}/a.png"),
            format!("//media/2027/01/a/{name}.jpg"),
            format!("//media/{}/01/a.png", "2".repeat(length)),
            format!("//media/{name}"),
            format!("//media/2027/01/{name}.{name}"),
        ] {
            app.anonymous().get(&path).await.assert_error(404, "image-not-found");
        }
    }
}

/// D-23: Only users who may see an image of a record may link it; for others it does not exist. Every
/// writer may link an image that no record shows yet.
#[both_stores]
async fn images_of_private_records_cannot_be_named(app: &TestApp) {
    let image = upload(&app.author()).await;
    let private = event_path(&app.author().event(json!({"image": 1, "status": "private"})).await);
    let strangers = [app.contributor(), app.user(6)];
    let named = || json!({"image": 1});
    for client in &strangers {
        client.get("/images/1").await.assert_error(404, "image-not-found");
        client.refuses_event("image", [json!(1), image["url"].clone()]).await;
        client.refuses_event("venue", [json!({"venue": "Mill", "image": 1})]).await;
        client
            .post("/venues", json!({"venue": "Mill", "image": 1}))
            .await
            .assert_invalid(&["image"]);
        let own = event_path(&client.event(json!({"status": "draft"})).await);
        client.put(&own, named()).await.assert_invalid(&["image"]);
        // The error is that of an absent image.
        let absent = client.try_event(json!({"image": 99})).await;
        assert_eq!(client.try_event(named()).await.json(), absent.json());
    }
    let draft = || json!({"image": 1, "status": "draft"});
    for client in [app.author(), app.editor(), app.admin()] {
        assert_eq!(client.event(draft()).await["image"], image);
    }
    // The record that shows it may be assigned it again.
    let kept = app.author().put(&private, json!({"image": 1, "title": "New"})).await;
    assert_eq!(kept.json()["image"], image);
    app.editor().put(&private, json!({"status": "publish"})).await;
    for client in &strangers {
        assert_eq!(client.event(draft()).await["image"], image);
    }
    // No record shows the next one yet.
    let next = upload(&app.author()).await;
    let event = app.contributor().event(json!({"image": 2, "status": "draft"})).await;
    assert_eq!(event["image"], next);
}

/// D-23: A caller who sends the password of a locked event may link its image.
#[both_stores]
async fn images_of_locked_events_need_the_password(app: &TestApp) {
    let image = upload(&app.author()).await;
    app.author().event(json!({"image": 1, "password": "sesame"})).await;
    app.user(6).refuses_event("image", [1]).await;
    let event = event_fields(json!({"image": 1}));
    let made = app.user(6).post("/events?password=sesame", event).await;
    assert_eq!((made.status, &made.json()["image"]), (201, &image), "{}", made.text());
}

/// D-23: An image is deleted only in the state that `If-Match` names.
#[both_stores]
async fn images_are_deleted_as_they_were_seen(app: &TestApp) {
    upload(&app.author()).await;
    app.clock.advance_seconds(5);
    let tag = app.author().get("/images/1").await.header("etag").to_owned();
    let delete = async |tag: &str| {
        app.author().send_with(Method::DELETE, "/images/1", &[("if-match", tag)], None).await
    };
    delete("\"9-other\"").await.assert_error(412, "precondition_failed");
    assert_eq!(app.author().get("/images/1").await.status, 200);
    let deleted = delete(&tag).await;
    assert_eq!(deleted.status, 200, "{tag}: {}", deleted.text());
    delete("*").await.assert_error(404, "image-not-found");
}

/// Files are served unchanged, as immutable, with `nosniff`.
#[both_stores]
async fn files_are_served(app: &TestApp) {
    let path = &path_of(&upload(&app.author()).await["url"]);
    let answer = app.anonymous().get(path).await;
    assert_eq!((answer.status, answer.bytes.clone()), (200, png(400, 200)));
    for (name, value) in [
        ("content-type", "image/png"),
        ("cache-control", "public, max-age=31536000, immutable"),
        ("x-content-type-options", "nosniff"),
        ("content-length", &answer.bytes.len().to_string()),
    ] {
        assert_eq!(answer.header(name), value, "{name}");
    }
    let tag = answer.header("etag").to_owned();
    assert!(tag.starts_with('"') && tag.len() > 2, "{tag}");
    let known = app.anonymous().get_with(path, &[("if-none-match", &tag)]).await;
    assert_eq!((known.status, known.bytes.len()), (304, 0));
    assert_eq!(known.header("etag"), tag);
    let other = app.anonymous().get_with(path, &[("if-none-match", "\"x\"")]).await;
    assert_eq!(other.status, 200);
    let head = app.anonymous().send(Method::HEAD, path, None).await;
    assert_eq!((head.status, head.bytes.len()), (200, 0));
    assert_eq!(head.header("content-type"), "image/png");
}

/// No path leads out of the folder, and a path without an image file is 404.
#[both_stores]
async fn no_path_leads_elsewhere(app: &TestApp) {
    upload(&app.author()).await;
    let rows = [
        "//media/2027/01/other.png",
        "//media/2027/01/image.gif",
        "//media/2027/01/image",
        "//media/2027/01",
        "//media/../Cargo.toml",
        "//media/2027/01/../01/image.png",
        "//media/..%2f..%2fetc%2fpasswd",
        "//media/2027/01/..%2f..%2f..%2f..%2fetc%2fpasswd.png",
        "//media/2027/01/image.png%00.png",
        "//media/%ff.png",
        "//media//etc/passwd.png",
    ];
    for_each_row(rows, async |path| {
        let answer = app.anonymous().get(path).await;
        assert_eq!(answer.status, 404, "{path}: {}", answer.text());
    })
    .await;
}

/// Each format is accepted, as the body or in a form, and its content determines its type.
#[both_stores]
async fn each_format_is_taken(app: &TestApp) {
    for (kind, format, extension) in [
        ("image/png", ImageFormat::Png, "png"),
        ("image/jpeg", ImageFormat::Jpeg, "jpg"),
        ("image/jpg", ImageFormat::Jpeg, "jpg"),
        ("image/gif", ImageFormat::Gif, "gif"),
        ("image/webp; q=1", ImageFormat::WebP, "webp"),
    ] {
        let content = picture(40, 20, format);
        let raw = try_upload(&app.author(), kind, content.clone()).await;
        assert_eq!((raw.status, &raw.json()["extension"]), (201, &json!(extension)), "{kind}");
        assert_eq!(raw.json()["sizes"], json!({}));
        for said in [None, Some("application/octet-stream")] {
            let answer = upload_form(&app.author(), "photo", said, &content).await;
            assert_eq!(answer.json()["extension"], extension, "{}", answer.text());
        }
    }
}

/// EC-118: An event shows the image whose ID it names: address, ID, extension, width, height, sizes.
/// EC-119: The ID may be a number.
/// EC-123: A contributor may name one too.
#[both_stores]
async fn records_show_images(app: &TestApp) {
    let image = upload(&app.author()).await;
    for client in [app.admin(), app.contributor()] {
        for named in [json!(1), json!("1")] {
            let event = client.event(json!({"image": named})).await;
            assert_eq!(event["image"], image);
        }
    }
    let path = event_path(&app.admin().event(json!({"image": 1})).await);
    let read = app.anonymous().get(&path).await.json();
    has_fields(&read, json!({"image": image, "json_ld.image": image["url"]}));
    let list = app.anonymous().get("/events?per_page=50").await.json();
    assert_eq!(list["events"][0]["image"], image);
}

/// V-13: Venues and organizers show images, also within an event; without an image they have no
/// such field.
#[both_stores]
async fn venues_and_organizers_show_images(app: &TestApp) {
    let image = upload(&app.author()).await;
    for (path, name) in [("/venues", "venue"), ("/organizers", "organizer")] {
        let place = app.admin().make(path, json!({name: "Old Mill", "image": "1"})).await;
        assert_eq!(place["image"], image);
        let path = format!("{path}/{}", place["id"]);
        let changed = app.admin().put(&path, json!({"phone": "1"})).await.json();
        assert_eq!(changed["image"], image);
        let cleared = app.admin().put(&path, json!({"image": ""})).await.json();
        assert_eq!(cleared.get("image"), None);
    }
    let fields = json!({
        "venue": {"venue": "New Mill", "image": 1},
        "organizer": [{"organizer": "Club", "image": 1}],
    });
    let shown = json!({"venue.image": image, "organizer.0.image": image, "image": false});
    has_fields(&app.admin().event(fields).await, shown);
    app.admin().refuses_event("venue", [json!({"venue": "Third", "image": 9})]).await;
}

/// EU-07: A change without the image leaves it.
/// EU-23: An empty image removes it.
#[both_stores]
async fn an_image_can_be_taken_away(app: &TestApp) {
    let image = upload(&app.author()).await;
    let path = event_path(&app.admin().event(json!({"image": 1})).await);
    for harmless in [json!({}), json!({"title": "New"}), json!({"image": null})] {
        assert_eq!(app.admin().put(&path, harmless).await.json()["image"], image);
    }
    assert_eq!(app.admin().put(&path, json!({"image": ""})).await.json()["image"], false);
    assert_eq!(app.author().get("/images/1").await.status, 200);
}

/// EC-120: An ID that no image has is refused for every role.
/// EC-121: A text that is neither an ID nor an address is refused.
#[both_stores]
async fn absent_images_are_refused(app: &TestApp) {
    upload(&app.author()).await;
    for client in [app.admin(), app.contributor()] {
        client.refuses_event("image", ["2", "foo bar", "-1", "ftp://example.org/a.png"]).await;
        let values =
            [json!(2), json!(0), json!(1.5), json!([1]), json!({"id": 2}), json!({}), json!(true)];
        client.refuses_event("image", values).await;
    }
}

/// A locked event shows its image only with the password.
#[both_stores]
async fn a_locked_event_shows_none(app: &TestApp) {
    let image = upload(&app.author()).await;
    let path = event_path(&app.admin().event(json!({"image": 1, "password": "sesame"})).await);
    let list = app.anonymous().get("/events").await;
    assert_eq!(list.json()["events"][0]["image"], false);
    assert!(!list.text().contains("/media/"), "{}", list.text());
    let open = app.anonymous().get(&format!("{path}?password=sesame")).await;
    assert_eq!(open.json()["image"], image);
}

/// An image is visible to its uploader, to editors, and to readers of a record that shows it.
#[both_stores]
async fn images_are_visible_to_readers_of_their_records(app: &TestApp) {
    upload(&app.author()).await;
    let readers = async || {
        let mut readers = Vec::new();
        for (name, client) in [
            ("anonymous", app.anonymous()),
            ("subscriber", app.subscriber()),
            ("contributor", app.contributor()),
            ("other", app.user(6)),
            ("author", app.author()),
            ("editor", app.editor()),
            ("admin", app.admin()),
        ] {
            let answer = client.get("/images/1").await;
            if answer.status == 200 {
                readers.push(name);
            } else {
                answer.assert_error(404, "image-not-found");
            }
        }
        readers
    };
    let few = ["author", "editor", "admin"];
    let all = ["anonymous", "subscriber", "contributor", "other", "author", "editor", "admin"];
    assert_eq!(readers().await, few);
    for (path, title) in &KINDS[..3] {
        let fields = event_fields(json!({*title: "Mill", "image": 1}));
        let made = app.admin().make(path, fields).await;
        let path = format!("{path}/{}", made["id"]);
        assert_eq!(readers().await, all, "{path}");
        for status in ["draft", "pending", "private"] {
            record(&app.admin().put(&path, json!({"status": status})).await);
            assert_eq!(readers().await, few, "{path} {status}");
        }
        record(&app.admin().put(&path, json!({"status": "draft", "author": 4})).await);
        assert_eq!(readers().await, ["contributor", "author", "editor", "admin"], "{path}");
        app.admin().put(&path, json!({"status": "publish"})).await;
        if *title == "title" {
            app.admin().put(&path, json!({"password": "sesame"})).await;
            assert_eq!(readers().await, few, "{path}");
            let open = app.anonymous().get("/images/1?password=sesame").await;
            assert_eq!(open.status, 200);
            app.anonymous().get("/images/1?password=x").await.assert_error(404, "image-not-found");
            app.admin().put(&path, json!({"password": ""})).await;
        }
        assert_eq!(readers().await, all, "{path}");
        app.admin().delete(&path).await;
        assert_eq!(readers().await, few, "{path} in the trash");
    }
}

/// A deleted image is gone with its files; records that showed it show none, and count as changed.
#[both_stores]
async fn a_deleted_image_is_shown_nowhere(app: &TestApp) {
    let image = upload(&app.author()).await;
    let event = app.admin().event(json!({"image": 1})).await;
    let venue = app.admin().make("/venues", json!({"venue": "Mill", "image": 1})).await;
    let organizer = app.admin().make("/organizers", json!({"organizer": "Club", "image": 1})).await;
    app.clock.advance_seconds(60);
    let answer = app.author().delete("/images/1").await;
    assert_eq!((answer.status, answer.json()), (200, json!({"deleted": true, "previous": image})));
    app.anonymous().get("/images/1").await.assert_error(404, "image-not-found");
    app.author().delete("/images/1").await.assert_error(404, "image-not-found");
    app.admin().refuses_event("image", [1]).await;
    let read = app.anonymous().get(&event_path(&event)).await.json();
    has_fields(&read, json!({"image": false, "modified_utc": "2027-01-01 12:01:00"}));
    for path in [format!("/venues/{}", venue["id"]), format!("/organizers/{}", organizer["id"])] {
        let read = app.anonymous().get(&path).await.json();
        assert_eq!(read.get("image"), None);
    }
    assert_eq!(app.anonymous().get(&path_of(&image["url"])).await.status, 404);
    assert_eq!(files(app).await, 0);
    // The name of a file is not reused.
    let next = upload(&app.author()).await;
    assert_eq!(next["id"], 2);
    assert_ne!(next["url"], image["url"]);
}

/// Old files without an image are removed; all others stay.
#[both_stores]
async fn lost_files_are_removed(app: &TestApp) {
    use ::app::ports::ImageFiles;
    let image = upload(&app.author()).await;
    let kept = files(app).await;
    let lost = domain::image::FilePath::parse("2026/12/lost.png").expect("a path");
    assert!(app.files.add(&lost, png(1, 1).into()).await.expect("files in memory"));
    // The clock of the test stands in 2027, when all these files are old.
    assert_eq!(app.calendar.remove_lost_files().await.expect("it works"), 1);
    assert_eq!(files(app).await, kept);
    assert_eq!(app.anonymous().get(&path_of(&image["url"])).await.status, 200);
    app.clock.set("2020-01-01 00:00:00");
    assert!(app.files.add(&lost, png(1, 1).into()).await.expect("files in memory"));
    assert_eq!(app.calendar.remove_lost_files().await.expect("it works"), 0);
}

/// The number of statements does not grow with the images of a page.
#[both_stores]
async fn images_of_a_page_take_one_statement(app: &TestApp) {
    upload(&app.author()).await;
    upload(&app.author()).await;
    for n in 0..6 {
        let venue = json!({"venue": format!("Venue {n}"), "image": 1 + n % 2});
        app.admin().event(json!({"image": 1 + n % 2, "venue": venue})).await;
    }
    let mut counts = Vec::new();
    let reading = app.uncached().await;
    for per_page in [1, 6] {
        let before = app.db.statements();
        reading.anonymous().get(&format!("/events?per_page={per_page}")).await;
        counts.push(app.db.statements() - before);
    }
    assert_eq!(counts[0], counts[1]);
}

/// IDs, methods and languages follow the rules of other records.
#[both_stores]
async fn addresses_of_images(app: &TestApp) {
    upload(&app.author()).await;
    for (path, status, code) in [
        ("/images/2", 404, "image-not-found"),
        ("/images/99999999999999999999", 404, "image-not-found"),
        ("/images/x", 404, "rest_no_route"),
        ("/images", 404, "rest_no_route"),
        ("/images/1?ml_language=de", 400, "rest_invalid_param"),
    ] {
        app.author().get(path).await.assert_error(status, code);
    }
    let answer = app.anonymous().get("//fr/cal/events/v1/images/7").await;
    assert_eq!(answer.json()["message"], "Cette image n’existe pas.");
}
