//! Probes of load balancers and supervisors.

use axum::{
    extract::State,
    http::{StatusCode, header},
    response::IntoResponse,
};
use domain::time::ZoneData;

use crate::{response::json::Json, state::AppState};

/// Whether the service can answer: it can if its database does. It is asked each time.
pub(crate) async fn health(State(state): State<AppState>) -> impl IntoResponse {
    let (status, text) = match state.calendar.ping().await {
        Ok(()) => (StatusCode::OK, "ok"),
        Err(error) => {
            tracing::warn!(cause = %error, "not healthy");
            let text = "the database does not answer";
            (StatusCode::SERVICE_UNAVAILABLE, text)
        }
    };
    let zone_data = ZoneData::version_in_use().to_string();
    let body = serde_json::json!({ "status": text, "zone_data": zone_data });
    (status, probed(body))
}

/// Whether the process answers. It asks nothing: a database that is away is no reason to restart it.
pub(crate) async fn live() -> impl IntoResponse {
    probed(serde_json::json!({ "status": "ok" }))
}

/// The answer to a probe, which no cache may store.
fn probed(body: serde_json::Value) -> impl IntoResponse {
    ([(header::CACHE_CONTROL, "no-store")], Json(body))
}
