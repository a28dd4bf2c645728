//! Probes of load balancers and supervisors.

use axum::{
    extract::State,
    http::{StatusCode, header},
    response::IntoResponse,
};
use domain::time::ZoneData;
use http_service::{AppState, ThrottledLog, response::Json};
use serde_json::json;

/// Probes that failed.
static UNHEALTHY: ThrottledLog = ThrottledLog::new();

/// Probes of readiness that failed.
static NOT_READY: ThrottledLog = ThrottledLog::new();

/// Health: 200 if the database answers, else 503. Each probe queries the database. While writes fail, reads
/// go on, and the answer says so.
pub(crate) async fn health(State(state): State<AppState>) -> impl IntoResponse {
    let (status, text) = match state.calendar.ping().await {
        Ok(()) => (StatusCode::OK, "ok"),
        Err(error) => {
            if let Some(probes) = UNHEALTHY.count() {
                tracing::warn!(cause = %error, probes, "not healthy");
            }
            let text = "the database does not answer";
            (StatusCode::SERVICE_UNAVAILABLE, text)
        }
    };
    let zone_data = ZoneData::version_in_use().to_string();
    let mut body = json!({
        "status": text,
        "version": env!("CARGO_PKG_VERSION"),
        "zone_data": zone_data,
    });
    if state.calendar.writes_are_failing() {
        body["writes"] = "failing".into();
    }
    (status, probed(body))
}

/// Liveness: 200 while the process answers, whatever the state of the database.
pub(crate) async fn live() -> impl IntoResponse {
    probed(json!({ "status": "ok" }))
}

/// Readiness: 200 if the service can do all that it is for, else 503 with the reasons: the database does not answer, writes fail,
/// or the program knows of another one.
pub(crate) async fn ready(State(state): State<AppState>) -> impl IntoResponse {
    let mut problems = Vec::new();
    if state.calendar.ping().await.is_err() {
        problems.push("the database does not answer".to_owned());
    } else if let Some(readiness) = &state.readiness {
        problems.extend(readiness.problems().await);
    }
    if state.calendar.writes_are_failing() {
        problems.push("writes fail".to_owned());
    }
    if problems.is_empty() {
        return (StatusCode::OK, probed(json!({ "status": "ok" })));
    }
    if let Some(probes) = NOT_READY.count() {
        tracing::warn!(cause = problems.join("; "), probes, "not ready");
    }
    let body = json!({ "status": "not ready", "problems": problems });
    (StatusCode::SERVICE_UNAVAILABLE, probed(body))
}

/// The response to a probe, which no cache may store.
fn probed(body: serde_json::Value) -> impl IntoResponse {
    ([(header::CACHE_CONTROL, "no-store")], Json(body))
}
