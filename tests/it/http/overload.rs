//! Overload: more requests or bytes than the limits, and slow clients.

use std::{convert::Infallible, time::Duration};

use app::{
    ports::{Store, UnitOfWork},
    test_support::venue,
};
use axum::{
    body::{Body, Bytes},
    http::Method,
};
use futures_util::{StreamExt, stream};
use http_service::Limits;
use serde_json::json;
use tests::{
    app::TestApp,
    both_stores,
    client::{Answer, Client},
    pictures::png,
};
use tokio::time::sleep;

/// A time limit that no request of these tests reaches.
const PATIENT: Duration = Duration::from_secs(30);

/// A unit of work that blocks inserts of a venue of the name `Mill` until it ends.
async fn hold(app: &TestApp) -> Box<dyn UnitOfWork> {
    let unit = app.db.store.begin().await.unwrap();
    venue("Mill").insert(&*unit).await;
    unit
}

/// An administrator of the service with these limits.
async fn bounded(app: &TestApp, requests: usize, duration: Duration) -> Client {
    let limits = Limits { requests, duration };
    app.variant().build_with(|state| state.with_limits(limits)).await.admin()
}

/// A body whose second half comes after a pause.
fn halting(mut content: Vec<u8>, pause: Duration) -> Body {
    let rest = content.split_off(content.len() / 2);
    let halves = stream::iter([(Duration::ZERO, content), (pause, rest)]);
    Body::from_stream(halves.then(async |(pause, half)| {
        sleep(pause).await;
        Ok::<_, Infallible>(Bytes::from(half))
    }))
}

/// Sends an image whose second half comes after a pause.
async fn upload(client: &Client, content: Vec<u8>, pause: Duration) -> Answer {
    let body = halting(content, pause);
    client.send_body(Method::POST, "/images", &[], Some("image/png"), body).await
}

/// Fails unless an answer refuses a request for the load, and names a time for the next try.
#[track_caller]
fn is_busy(answer: &Answer) {
    answer.assert_error(503, "service_unavailable");
    assert_ne!(answer.header("retry-after"), "");
}

/// The time limit of a request begins when its body has arrived.
#[both_stores]
async fn slow_bodies_are_waited_for(app: &TestApp) {
    let service = bounded(app, 512, Duration::from_millis(400)).await;
    let pause = Duration::from_millis(900);
    let body = halting(json!({"venue": "Mill"}).to_string().into_bytes(), pause);
    let json = Some("application/json");
    let answer = service.send_body(Method::POST, "/venues", &[], json, body).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    // The work after the body counts.
    let unit = hold(app).await;
    let body = halting(json!({"venue": "Mill"}).to_string().into_bytes(), pause);
    let answer = service.send_body(Method::POST, "/venues", &[], json, body).await;
    answer.assert_error(503, "service_unavailable");
    unit.rollback().await.unwrap();
}

/// Slow uploads delay no others; their bytes are bounded.
#[both_stores]
async fn slow_uploads_stop_no_others(app: &TestApp) {
    let author = app.author();
    let never = Duration::from_hours(1);
    let sending = |length: usize| {
        let author = author.clone();
        let mut content = png(5, 5);
        content.resize(length, 0);
        tokio::spawn(async move { upload(&author, content, never).await })
    };
    let slow: Vec<_> = (0..20).map(|_| sending(1024)).collect();
    sleep(Duration::from_millis(100)).await;
    let answer = upload(&author, png(5, 5), Duration::ZERO).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    // 13 halves of 10 MiB exceed the budget.
    let long: Vec<_> = (0..13).map(|_| sending(10 * 1024 * 1024)).collect();
    let refused = async {
        loop {
            if let Some(done) = long.iter().position(tokio::task::JoinHandle::is_finished) {
                break done;
            }
            sleep(Duration::from_millis(10)).await;
        }
    };
    let refused = tokio::time::timeout(PATIENT, refused).await.unwrap();
    for (index, sending) in long.into_iter().enumerate() {
        if index == refused {
            let answer = sending.await.unwrap();
            is_busy(&answer);
        } else {
            sending.abort();
        }
    }
    for sending in slow {
        assert!(!sending.is_finished());
        sending.abort();
    }
    sleep(Duration::from_millis(100)).await;
    // Their bytes are free again.
    let answer = upload(&author, png(5, 5), Duration::ZERO).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
}

/// Bytes of bodies are counted as they arrive; a request beyond the budget gets `Retry-After`, and its
/// bytes are free after it.
#[both_stores]
async fn bodies_have_a_budget(app: &TestApp) {
    const BUDGET: usize = 800_000;
    /// Sends a body of two thirds of a client's share.
    async fn post(service: &Client, pause: Duration) -> Answer {
        let text = "x".repeat(BUDGET / 6);
        let body = json!({"venue": "Mill", "description": text}).to_string().into_bytes();
        let json = Some("application/json");
        service.send_body(Method::POST, "/venues", &[], json, halting(body, pause)).await
    }
    let service =
        app.variant().build_with(|state| state.with_in_flight_bytes(BUDGET)).await.admin();
    let slow = {
        let service = service.clone();
        tokio::spawn(async move { post(&service, Duration::from_hours(1)).await })
    };
    // The first half arrives before others are sent: else the service might refuse this one.
    sleep(Duration::from_millis(100)).await;
    // The first half of the other body has arrived when this one is refused.
    let refused = tokio::time::timeout(PATIENT, async {
        loop {
            let answer = post(&service, Duration::ZERO).await;
            if answer.status != 201 {
                break answer;
            }
        }
    });
    let refused = refused.await.unwrap();
    is_busy(&refused);
    // A short answer is within the budget.
    service.make("/venues", json!({"venue": "Short"})).await;
    slow.abort();
    assert!(slow.await.unwrap_err().is_cancelled());
    let answer = post(&service, Duration::ZERO).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
}

/// A long answer counts too. Short answers and answers to writes are sent in any case.
#[both_stores]
async fn answers_have_a_budget(app: &TestApp) {
    let service = app.variant().build_with(|state| state.with_in_flight_bytes(4_000)).await.admin();
    let event = app.admin().event(json!({"description": "River. ".repeat(2000)})).await;
    let refused = service.get("/events").await;
    is_busy(&refused);
    assert!(refused.header("cache-control").contains("no-store"));
    let problem = [("accept", "application/problem+json")];
    let refused = service.under("/fr/cal/events/v1").get_with("/events", &problem).await;
    assert_eq!((refused.status, refused.header("content-language")), (503, "fr"));
    assert_eq!(refused.json()["code"], "service_unavailable");
    let service = app.variant().build_with(|state| state.with_in_flight_bytes(4_000)).await.admin();
    assert_eq!(service.get("/venues").await.status, 200);
    let path = format!("/events/{}", event["id"]);
    let answer = service.put(&path, json!({"title": "Changed"})).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert!(answer.bytes.len() > 10_000);
}

/// A request beyond the limit is refused at once with `Retry-After`; earlier ones are served.
#[both_stores]
async fn requests_beyond_the_limit_are_refused(app: &TestApp) {
    let service = bounded(app, 2, PATIENT).await;
    let unit = hold(app).await;
    // The reads below may take the second permit: then this write is repeated.
    let make = async || loop {
        let answer = service.post("/venues", json!({"venue": "Mill"})).await;
        if answer.status != 503 {
            break answer;
        }
        tokio::task::yield_now().await;
    };
    let (first, second, ()) = tokio::join!(make(), make(), async {
        // Both requests have permits when a third is refused.
        let refused = loop {
            let answer = service.get("/events").await;
            if answer.status != 200 {
                break answer;
            }
            tokio::task::yield_now().await;
        };
        is_busy(&refused);
        for header in ["x-request-id", "vary", "cache-control"] {
            assert_ne!(refused.header(header), "", "{header}");
        }
        // Health checks need no permit.
        for probe in ["//healthz", "//livez"] {
            assert_eq!(service.get(probe).await.status, 200, "{probe}");
        }
        unit.rollback().await.unwrap();
    });
    assert_eq!((first.status, second.status), (201, 201));
    assert_eq!(service.get("/events").await.status, 200);
}

/// A request over the time limit is cancelled and has changed nothing.
#[both_stores]
async fn slow_requests_are_given_up(app: &TestApp) {
    let service = bounded(app, 512, Duration::from_millis(200)).await;
    let unit = hold(app).await;
    let answer = service.post("/venues", json!({"venue": "Mill"})).await;
    is_busy(&answer);
    assert_eq!(answer.header("connection"), "close");
    unit.rollback().await.unwrap();
    assert_eq!(service.get("/venues").await.json()["total"], 0);
    service.make("/venues", json!({"venue": "Mill"})).await;
    assert_eq!(service.get("/venues").await.json()["total"], 1);
}
