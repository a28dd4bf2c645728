//! More work than there is room or time for.

use std::time::Duration;

use api_http::Limits;
use app::{
    ports::{Store, UnitOfWork},
    test_support::venue,
};
use serde_json::json;
use tests::{app::TestApp, client::Client, on_both_stores};

/// Longer than anything here takes.
const PATIENT: Duration = Duration::from_secs(30);

/// A unit of work that keeps others from adding a venue of the name `Mill`, until it ends.
async fn hold(app: &TestApp) -> Box<dyn UnitOfWork> {
    let unit = app.db.store.begin().await.unwrap();
    venue("Mill").insert(unit.repositories()).await;
    unit
}

/// The service, as its administrator uses it, with these bounds.
fn bounded(app: &TestApp, requests: usize, duration: Duration) -> Client {
    let limits = Limits { requests, duration };
    app.with_state(|state| state.with_limits(limits))
        .with_token(app.token(1))
}

on_both_stores! {
    /// Where there is no more room a request is turned away at once, and told when to come again; who
    /// came before is served.
    async fn requests_beyond_the_room_are_turned_away(app) {
        let service = bounded(app, 2, PATIENT);
        let unit = hold(app).await;
        let make = async || service.post("/venues", json!({"venue": "Mill"})).await;
        let (first, second, ()) = tokio::join!(make(), make(), async {
            // Both have their places when a third is turned away.
            let turned_away = loop {
                let answer = service.get("/events").await;
                if answer.status != 200 {
                    break answer;
                }
                tokio::task::yield_now().await;
            };
            turned_away.is_error(503, "service_unavailable");
            assert_ne!(turned_away.header("retry-after"), "");
            for header in ["x-request-id", "vary", "cache-control"] {
                assert_ne!(turned_away.header(header), "", "{header}");
            }
            // Whether it is well needs no room.
            assert_eq!(service.get("//healthz").await.status, 200);
            unit.rollback().await.unwrap();
        });
        assert_eq!((first.status, second.status), (201, 201));
        assert_eq!(service.get("/events").await.status, 200);
    }

    /// What takes too long is given up, and has done nothing.
    async fn slow_requests_are_given_up(app) {
        let service = bounded(app, 512, Duration::from_millis(200));
        let unit = hold(app).await;
        let answer = service.post("/venues", json!({"venue": "Mill"})).await;
        answer.is_error(503, "service_unavailable");
        assert_ne!(answer.header("retry-after"), "");
        assert_eq!(answer.header("connection"), "close");
        unit.rollback().await.unwrap();
        assert_eq!(service.get("/venues").await.json()["total"], 0);
        let answer = service.post("/venues", json!({"venue": "Mill"})).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
        assert_eq!(service.get("/venues").await.json()["total"], 1);
    }
}
