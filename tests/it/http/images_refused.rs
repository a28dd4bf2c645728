//! Refused images, and the rights to upload and delete.

use axum::http::Method;
use image::ImageFormat;
use tests::{
    app::TestApp,
    both_stores, for_each_row,
    pictures::{form, picture, png},
};

use super::images::{files, try_upload, upload, upload_form as in_form};

/// A PNG that declares 50,000 pixels in width and height, and has only a few bytes.
fn bomb() -> Vec<u8> {
    let mut bytes = png(1, 1);
    bytes[16..24].copy_from_slice(&[0, 0, 0xc3, 0x50, 0, 0, 0xc3, 0x50]);
    let mut crc = !0_u32;
    for byte in &bytes[12..29] {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    bytes[29..33].copy_from_slice(&(!crc).to_be_bytes());
    bytes
}

/// A file that is no image, or of another format than its type, is refused with the reason.
#[both_stores]
async fn wrongly_named_files_are_refused(app: &TestApp) {
    let author = app.author();
    let text = b"just a text".to_vec();
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec();
    let gif = picture(5, 5, ImageFormat::Gif);
    let rows = [
        try_upload(&author, "image/png", text.clone()).await,
        try_upload(&author, "image/png", Vec::new()).await,
        try_upload(&author, "image/jpeg", png(5, 5)).await,
        try_upload(&author, "text/plain", text.clone()).await,
        try_upload(&author, "image/svg+xml", svg.clone()).await,
        try_upload(&author, "application/octet-stream", png(5, 5)).await,
        try_upload(&author, "application/json", b"{}".to_vec()).await,
        author.send(Method::POST, "/images", None).await,
        in_form(&author, "notes.png", Some("image/png"), &text).await,
        in_form(&author, "notes.png", None, &text).await,
        in_form(&author, "photo.jpg", None, &png(5, 5)).await,
        in_form(&author, "photo.jpg", Some("image/jpeg"), &gif).await,
        in_form(&author, "photo.gif", Some("image/png"), &gif).await,
        in_form(&author, "a.svg", Some("image/svg+xml"), &svg).await,
        try_upload(&author, "multipart/form-data", png(5, 5)).await,
        try_upload(&author, "multipart/form-data; boundary=x", png(5, 5)).await,
    ];
    for_each_row(rows, async |answer| answer.assert_error(415, "unsupported_media_type")).await;
    let answer = in_form(&author, "photo.jpg", None, &png(5, 5)).await;
    assert_eq!(answer.json()["message"], "The file is called JPEG, but its content is PNG.");
    assert_eq!(files(app).await, 0);
}

/// A form without a file, or with several, is refused with that reason.
#[both_stores]
async fn a_form_holds_one_file(app: &TestApp) {
    let (kind, body) = form("a.png", None, &png(5, 5));
    let text = String::from_utf8_lossy(&body)
        .replace("; filename=\"a.png\"", "")
        .replace("\"file\"", "\"other\"");
    let none = try_upload(&app.author(), &kind, text.into_bytes()).await;
    none.assert_error(400, "rest_missing_callback_param");
    assert_eq!(none.json()["data"]["params"][0], "file");
    let mut twice = body[..body.len() - "--limit--\r\n".len()].to_vec();
    twice.extend(&body);
    try_upload(&app.author(), &kind, twice).await.assert_invalid(&["file"]);
    assert_eq!(files(app).await, 0);
}

/// Broken files, and files of unbounded decoded size, are refused with their reason.
#[both_stores]
async fn broken_files_and_bombs_are_refused(app: &TestApp) {
    for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Gif, ImageFormat::WebP] {
        let whole = picture(200, 100, format);
        let half = whole[..whole.len() / 2].to_vec();
        in_form(&app.author(), "x", None, &half).await.assert_invalid(&["file"]);
    }
    let answer = try_upload(&app.author(), "image/png", bomb()).await;
    answer.assert_invalid(&["file"]);
    assert!(answer.text().contains("50000"), "{}", answer.text());
    assert_eq!(files(app).await, 0);
    app.anonymous().get("/images/1").await.assert_error(404, "image-not-found");
}

/// A body over the limit is refused; the limit of other routes is unchanged.
#[both_stores]
async fn long_files_are_refused(app: &TestApp) {
    let author = app.author();
    let mut long = png(5, 5);
    long.resize(10 * 1024 * 1024 + 1, 0);
    in_form(&author, "long.png", None, &long).await.assert_error(413, "payload_too_large");
    for length in [long.len(), 12 * 1024 * 1024] {
        long.resize(length, 0);
        try_upload(&author, "image/png", long.clone()).await.assert_error(413, "payload_too_large");
    }
    long.truncate(2 * 1024 * 1024);
    let longer = try_upload(&author, "image/png", long.clone()).await;
    assert_eq!(longer.status, 201, "{}", longer.text());
    let event = author.send(Method::POST, "/events", Some(("application/json", long))).await;
    event.assert_error(413, "payload_too_large");
}

/// The service chooses the path of a file; the client's file name cannot leave the folder.
#[both_stores]
async fn names_are_ours(app: &TestApp) {
    let rows = [
        ("../../../etc/passwd.png", "passwd"),
        ("..\\\\..\\\\boot.png", "boot"),
        ("/etc/shadow", "shadow"),
        ("a%2fb.png", "a2fb"),
        ("<script>alert(1)</script>.png", "script"),
        ("مهرجان.png", "image"),
        (".png", "image"),
        ("..", "image"),
        ("CON.png", "con"),
    ];
    for_each_row(rows, async |(name, stem)| {
        let answer = in_form(&app.author(), name, None, &png(5, 5)).await;
        assert_eq!(answer.status, 201, "{name}: {}", answer.text());
        let json = answer.json();
        let url = json["url"].as_str().expect("an address");
        let rest = url.strip_prefix("https://cal.example/media/2027/01/").expect("our folder");
        let (folder, rest) = rest.split_once('/').expect("a folder of its own");
        assert!(rest.starts_with(stem), "{name}: {url}");
        assert!(folder.bytes().all(|b| b.is_ascii_alphanumeric()), "{name}: {url}");
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_.".contains(&b);
        assert!(rest.bytes().all(plain) && rest.matches('.').count() == 1, "{name}: {url}");
    })
    .await;
}

/// Authors, editors and administrators upload; others get 401 or 403 before their file is read.
#[both_stores]
async fn authors_upload(app: &TestApp) {
    for (client, status) in
        [(app.anonymous(), 401), (app.subscriber(), 403), (app.contributor(), 403)]
    {
        for content in [png(5, 5), b"no image".to_vec()] {
            try_upload(&client, "image/png", content).await.assert_error(status, "rest_forbidden");
        }
        try_upload(&client, "text/plain", Vec::new())
            .await
            .assert_error(415, "unsupported_media_type");
    }
    assert_eq!(files(app).await, 0);
    for client in [app.author(), app.editor(), app.admin()] {
        upload(&client).await;
    }
    app.authorized("Bearer wrong").get("/images/1").await.assert_error(401, "invalid_token");
}

/// Only its uploader and editors may delete an image.
#[both_stores]
async fn uploaders_and_editors_delete(app: &TestApp) {
    upload(&app.author()).await;
    for (client, status) in [
        (app.anonymous(), 401),
        (app.subscriber(), 403),
        (app.contributor(), 403),
        (app.user(6), 403),
    ] {
        client.delete("/images/1").await.assert_error(status, "rest_forbidden");
        assert_eq!(app.author().get("/images/1").await.status, 200);
    }
    for (client, status, code) in [
        (app.anonymous(), 401, "rest_forbidden"),
        (app.contributor(), 403, "rest_forbidden"),
        (app.author(), 404, "image-not-found"),
        (app.editor(), 404, "image-not-found"),
    ] {
        client.delete("/images/9").await.assert_error(status, code);
    }
    assert_eq!(app.author().delete("/images/1").await.status, 200);
    upload(&app.author()).await;
    assert_eq!(app.editor().delete("/images/2").await.status, 200);
    assert_eq!(files(app).await, 0);
}
