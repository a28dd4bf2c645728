//! Compressed answers.

use std::io::Read;

use axum::http::Method;
use flate2::read::GzDecoder;
use serde_json::json;
use tests::{app::TestApp, both_stores, client::Answer};

#[track_caller]
fn unpacked(answer: &Answer) -> Vec<u8> {
    assert_eq!(answer.header("content-encoding"), "gzip");
    let mut bytes = Vec::new();
    GzDecoder::new(&answer.bytes[..]).read_to_end(&mut bytes).unwrap();
    bytes
}

async fn get(app: &TestApp, path: &str, accepted: &str) -> Answer {
    app.anonymous().get_with(path, &[("accept-encoding", accepted)]).await
}

/// Long answers are compressed for clients that accept it, and decompress to the same bytes.
#[both_stores]
async fn long_answers_are_compressed(app: &TestApp) {
    app.admin().event(json!({})).await;
    for path in ["/events", "/events/1"] {
        let plain = app.anonymous().get(path).await;
        assert!(plain.bytes.len() > 1024);
        assert!(plain.headers.get("content-encoding").is_none());
        for accepted in ["gzip", "br, gzip;q=0.5", "*", "gzip, deflate, br, zstd"] {
            let packed = get(app, path, accepted).await;
            assert!(packed.bytes.len() < plain.bytes.len());
            assert_eq!(unpacked(&packed), plain.bytes, "{accepted}");
            assert!(packed.header("vary").contains("Accept-Encoding"));
        }
        for accepted in ["gzip;q=0", "br", "identity", "gzip;q=0.4, identity;q=0.5", ""] {
            let answer = get(app, path, accepted).await;
            assert!(answer.headers.get("content-encoding").is_none(), "{accepted}");
            assert_eq!(answer.bytes, plain.bytes, "{accepted}");
            assert!(answer.header("vary").contains("Accept-Encoding"));
        }
    }
}

/// Each encoding has an entity tag of its own, which matches only that encoding.
#[both_stores]
async fn encodings_have_tags_of_their_own(app: &TestApp) {
    app.admin().event(json!({})).await;
    let plain = app.anonymous().get("/events/1").await;
    let packed = get(app, "/events/1", "gzip").await;
    let tags = [plain.header("etag"), packed.header("etag")];
    assert_ne!(tags[0], tags[1]);
    for (accepted, tag, status) in [
        ("gzip", tags[1], 304),
        ("gzip", tags[0], 200),
        ("identity", tags[0], 304),
        ("identity", tags[1], 200),
    ] {
        let headers = [("accept-encoding", accepted), ("if-none-match", tag)];
        let answer = app.anonymous().get_with("/events/1", &headers).await;
        assert_eq!(answer.status, status, "{accepted} {tag}");
        if status == 304 {
            assert_eq!((answer.header("etag"), answer.bytes.len()), (tag, 0));
            assert!(answer.headers.get("content-encoding").is_none());
        }
    }
    let headers = [("accept-encoding", "gzip")];
    let head = app.anonymous().send_with(Method::HEAD, "/events/1", &headers, None).await;
    for name in ["etag", "content-encoding"] {
        assert_eq!(head.header(name), packed.header(name), "{name}");
    }
    assert_eq!(head.header("content-length"), packed.bytes.len().to_string());
}

/// Short answers are not compressed; long answers to writes and long errors are.
#[both_stores]
async fn short_answers_are_not_compressed(app: &TestApp) {
    for path in ["/events", "/events/9"] {
        assert_eq!(get(app, path, "gzip").await.headers.get("content-encoding"), None, "{path}");
    }
    let headers = [("accept-encoding", "gzip")];
    let event = tests::client::event_fields(json!({"title": "Packed"}));
    let answer = app.admin().send_json_with(Method::POST, "/events", &headers, &event).await;
    assert_eq!(answer.status, 201);
    let event: serde_json::Value = serde_json::from_slice(&unpacked(&answer)).unwrap();
    assert_eq!(event["title"], "Packed");
    let answer = get(app, "/events/1?_envelope=1", "gzip").await;
    let envelope: serde_json::Value = serde_json::from_slice(&unpacked(&answer)).unwrap();
    assert_eq!(envelope["body"]["title"], "Packed");
}

/// Files are compressed, too: a small one, which has a length, and a large one, which is written as it
/// is read. Their weak entity tag is that of all encodings, also out of the cache.
#[both_stores]
async fn files_are_compressed(app: &TestApp) {
    app.admin().event(json!({"description": "<p>Bring gloves.</p>".repeat(60)})).await;
    let check = async |is_large: bool| {
        for path in ["/events.csv", "/events.ics", "/events.atom"] {
            let plain = app.anonymous().get(path).await;
            assert!(plain.headers.get("content-encoding").is_none());
            if path == "/events.csv" {
                assert_eq!(plain.bytes.len() > 1 << 20, is_large, "{}", plain.bytes.len());
            }
            let packed = get(app, path, "gzip").await;
            assert_eq!(unpacked(&packed), plain.bytes, "{path}");
            assert!(packed.header("vary").contains("Accept-Encoding"));
            let tag = plain.header("etag");
            assert!(tag.starts_with("W/\""), "{tag}");
            assert_eq!(packed.header("etag"), tag);
            for accepted in ["gzip", "identity"] {
                let headers = [("accept-encoding", accepted), ("if-none-match", tag)];
                let again = app.anonymous().get_with(path, &headers).await;
                assert_eq!((again.status, again.text()), (304, String::new()), "{path}");
            }
        }
    };
    check(false).await;
    let long = "<p>Bring gloves, boots and a hat.</p>".repeat(1500);
    for _ in 0..20 {
        app.admin().event(json!({"description": &long})).await;
    }
    check(true).await;
}
