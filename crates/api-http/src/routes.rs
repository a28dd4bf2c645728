//! Every route on one page.

use axum::{
    Router,
    extract::State,
    http::StatusCode,
    middleware,
    response::{IntoResponse, Response},
    routing::{MethodRouter, get, post},
};
use domain::{Category, Event, Organizer, Tag, Venue};
use tower::Layer;
use tower::util::MapRequestLayer;

use crate::{
    NAMESPACE,
    error::ApiError,
    headers,
    json::Json,
    path,
    resource::{self, ById, BySlug, Named, Routed},
    state::AppState,
};

/// The service: the interface under its namespace, and `/healthz`.
pub fn router(state: AppState) -> Router {
    let namespace = Router::new()
        .merge(entries::<Event>())
        .merge(entries::<Venue>())
        .merge(entries::<Organizer>())
        .merge(records::<Category>())
        .merge(records::<Tag>());
    let routes = Router::new()
        .nest(&format!("/{NAMESPACE}"), namespace)
        .route("/healthz", get(health))
        .fallback(no_route)
        .method_not_allowed_fallback(no_route)
        .layer(middleware::from_fn(headers::add))
        .with_state(state);
    // Outside of the routes: it changes which of them a request finds.
    let normalized = MapRequestLayer::new(path::normalize).layer(routes);
    Router::new().fallback_service(normalized)
}

/// The routes of a kind whose records are found by their number and by their slug.
fn entries<R: Routed>() -> Router<AppState> {
    let by_slug = format!("/{}/by-slug/{{slug}}", R::KIND.plural());
    records::<R>().route(&by_slug, record::<R, BySlug>())
}

/// The routes of a kind whose records are found by their number.
fn records<R: Routed>() -> Router<AppState> {
    let collection = format!("/{}", R::KIND.plural());
    let by_id = format!("{collection}/{{id}}");
    Router::new()
        .route(
            &collection,
            get(resource::list::<R>).post(resource::create::<R>),
        )
        .route(&by_id, record::<R, ById>())
}

/// The methods of one record.
fn record<R: Routed, N: Named + 'static>() -> MethodRouter<AppState> {
    get(resource::get::<R, N>)
        .merge(post(resource::update::<R, N>))
        .put(resource::update::<R, N>)
        .patch(resource::update::<R, N>)
        .delete(resource::delete::<R, N>)
}

async fn no_route() -> ApiError {
    ApiError::no_route()
}

/// Whether the service can answer: it can if its database does.
async fn health(State(state): State<AppState>) -> Response {
    match state.calendar.ping().await {
        Ok(()) => Json(serde_json::json!({ "status": "ok" })).into_response(),
        Err(error) => {
            tracing::warn!(cause = %error, "not healthy");
            let body = serde_json::json!({ "status": "the database does not answer" });
            (StatusCode::SERVICE_UNAVAILABLE, Json(body)).into_response()
        }
    }
}
