//! Files that are compressed by gzip.

use std::io::Write as _;

use axum::http::Method;
use flate2::{Compression, write::GzEncoder};
use serde_json::json;
use tests::{app::TestApp, both_stores};

use super::{calendar, event, events, numbers, only, send};

fn compressed(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// A calendar file that is compressed is read as it would be otherwise, whatever type is sent with it.
#[both_stores]
async fn calendar_files(app: &TestApp) {
    let file = compressed(calendar(&[event("1", &[])]).as_bytes());
    let report = send(&app.editor(), "", file.clone()).await.json();
    assert_eq!(numbers(&report), [1, 0, 0, 0, 0]);
    for kind in ["application/gzip", "application/x-gzip", "application/octet-stream"] {
        let body = Some((kind, file.clone()));
        let again = app.editor().send(Method::POST, "/imports", body).await;
        assert_eq!((again.status, numbers(&again.json())), (200, [0, 0, 1, 0, 0]));
    }
    assert_eq!(only(&app.anonymous()).await["title"], "Event 1");
}

/// So is a table.
#[both_stores]
async fn tables(app: &TestApp) {
    let table = compressed(b"Venue Name\nOld Mill\n");
    let body = Some(("text/csv", table));
    let report = app.editor().send(Method::POST, "/imports?kind=venues", body).await.json();
    assert_eq!(report["created"], json!(1));
}

/// The limit counts the decompressed bytes. A damaged file is no calendar.
#[both_stores]
async fn bounds(app: &TestApp) {
    let mut bomb = calendar(&[event("1", &[])]).into_bytes();
    bomb.extend(vec![b' '; 20 << 20]);
    let bomb = compressed(&bomb);
    assert!(bomb.len() < 1 << 20);
    send(&app.editor(), "", bomb.clone()).await.assert_error(413, "payload_too_large");
    send(&app.editor(), "", compressed(&bomb)).await.assert_error(413, "payload_too_large");
    let file = compressed(calendar(&[event("1", &[])]).as_bytes());
    let cut = &file[..file.len() - 1];
    send(&app.editor(), "", cut).await.assert_error(415, "unsupported_media_type");
    assert!(events(&app.admin()).await.is_empty());
}
