//! Probes of load balancers and supervisors.

use axum::{
    extract::State,
    http::{StatusCode, header},
    response::IntoResponse,
};
use domain::time::ZoneData;
use http_service::{AppState, ThrottledLog, response::Json};

/// Probes that failed.
static UNHEALTHY: ThrottledLog = ThrottledLog::new();

/// Readiness: 200 if the database answers, else 503. Each probe queries the database. While writes fail, reads
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
    let mut body = serde_json::json!({
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
    probed(serde_json::json!({ "status": "ok" }))
}

/// The response to a probe, which no cache may store.
fn probed(body: serde_json::Value) -> impl IntoResponse {
    ([(header::CACHE_CONTROL, "no-store")], Json(body))
}
