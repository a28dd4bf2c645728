//! Requests that are sent again.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use app::write::{NewTag, ReadOptions, TagUpdate};
use axum::{
    Router,
    extract::Request,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse as _, Response},
};
use client::{Client, ClientError, ErrorCode};
use domain::{Tag, TagId};
use tests::app::serve;

/// A service that refuses requests with the headers, before the last one of them is answered. Returns it with the
/// number of requests, and the idempotency keys that it saw.
async fn refusing(
    times: usize,
    status: u16,
    headers: Vec<(&'static str, String)>,
) -> (Client, Arc<AtomicUsize>) {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let mut all = HeaderMap::new();
    for (name, value) in headers {
        all.insert(name, value.parse().unwrap());
    }
    let keys = Arc::new(std::sync::Mutex::new(None));
    let answer = move |request: Request| {
        let key = request.headers().get("idempotency-key").cloned();
        let before = keys.lock().unwrap().replace(key.clone());
        assert!(before.is_none_or(|before| before == key), "the same key each time");
        let is_refused = counted.fetch_add(1, Ordering::SeqCst) < times;
        let headers = all.clone();
        async move {
            if is_refused {
                let body = r#"{"code":"rate_limited","message":"Wait.","data":{"status":429}}"#;
                return (StatusCode::from_u16(status).unwrap(), headers, body).into_response();
            }
            tag()
        }
    };
    (Client::new(&serve(Router::new().fallback(answer)).await).unwrap(), count)
}

fn tag() -> Response {
    let tag = serde_json::json!({"id": 7, "count": 0, "description": "", "name": "Loud", "slug": "loud",
        "taxonomy": "post_tag", "meta": [], "url": "", "urls": {"self": "", "collection": ""},
        "language": "en", "translations": ["en"], "new_member": 1});
    tag.to_string().into_response()
}

fn loud() -> NewTag {
    NewTag::builder("Loud".parse().unwrap()).build()
}

#[tokio::test]
async fn a_request_is_sent_again_after_the_time_that_the_service_names() {
    let date = |text: &str| format!("Fri, 01 Jan 2027 12:00:{text} GMT");
    let waits = vec![("retry-after", "1".to_owned())];
    let until = vec![("date", date("00")), ("retry-after", date("01"))];
    for (status, headers) in [(429, waits), (503, until)] {
        let (client, count) = refusing(2, status, headers).await;
        let started = std::time::Instant::now();
        assert_eq!(client.create(&loud()).await.unwrap().name, "Loud");
        assert_eq!(count.load(Ordering::SeqCst), 3);
        assert!(started.elapsed().as_secs() >= 2, "{:?}", started.elapsed());
    }
}

#[tokio::test]
async fn repetition_is_bounded() {
    let (client, count) = refusing(9, 429, vec![("retry-after", "0".to_owned())]).await;
    let refused = client.get::<Tag>(TagId::from_raw(7), &ReadOptions::default()).await.unwrap_err();
    assert_eq!(refused.code(), Some(&ErrorCode::RateLimited));
    assert!(refused.is_transient());
    assert_eq!(count.load(Ordering::SeqCst), 4);

    let (client, count) = refusing(1, 503, vec![("retry-after", "61".to_owned())]).await;
    let ClientError::Refused(refusal) = client.create(&loud()).await.unwrap_err() else { panic!() };
    assert_eq!(refusal.retry_after.unwrap().as_secs(), 61);
    assert_eq!(count.load(Ordering::SeqCst), 1);

    let (client, count) = refusing(1, 400, vec![("retry-after", "0".to_owned())]).await;
    let refused = client.create(&loud()).await.unwrap_err();
    assert!(!refused.is_transient());
    assert_eq!(count.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn answers_of_other_servers_are_errors() {
    let redirect = || async { (StatusCode::FOUND, [("location", "http://127.0.0.1:1/")]) };
    let client = Client::new(&serve(Router::new().fallback(redirect)).await).unwrap();
    let update = TagUpdate::builder().name("Quiet".parse().unwrap()).build();
    let answer = client.update(TagId::from_raw(7), &update).await;
    assert!(matches!(answer, Err(ClientError::Unreadable(_))), "{answer:?}");
    let page = Router::new().fallback(|| async { "<p>Hello" });
    let client = Client::new(&serve(page).await).unwrap();
    let answer = client.get::<Tag>(TagId::from_raw(7), &ReadOptions::default()).await;
    assert!(matches!(answer, Err(ClientError::Unreadable(_))), "{answer:?}");
}
