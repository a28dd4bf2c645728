//! Every route on one page.

use std::sync::Arc;

use axum::{
    Router,
    extract::{Request, State},
    handler::Handler,
    http::{Method, StatusCode},
    middleware,
    response::{IntoResponse, Response},
    routing::{MethodFilter, MethodRouter, on},
};
use domain::{Category, Event, Organizer, Tag, Venue};
use tower::Layer;
use tower::util::MapRequestLayer;

use crate::{
    NAMESPACE, describe,
    error::ApiError,
    headers,
    json::Json,
    language, limits, pages, path,
    resource::{self, ById, BySlug, Named, Routed},
    state::AppState,
};

/// A route of the service: a method of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// The method. Where `GET` is answered, `HEAD` is too.
    pub method: Method,
    /// The pattern of the path: `/cal/events/v1/events/{id}`.
    pub path: String,
}

/// The routes that [`router`] serves.
pub fn routes() -> Vec<Route> {
    endpoints()
        .into_iter()
        .map(|endpoint| endpoint.route)
        .collect()
}

/// The service: the interface under its namespace, the pages for people, and `/healthz`.
pub fn router(state: AppState) -> Router {
    let mounts = Arc::clone(&state.mounts);
    let routes = endpoints()
        .into_iter()
        .fold(Router::new(), |router, endpoint| {
            router.route(&endpoint.route.path, endpoint.service)
        })
        .fallback(no_route)
        .method_not_allowed_fallback(no_route)
        .layer(middleware::from_fn(limits::bound))
        .layer(middleware::from_fn(headers::add))
        .layer(middleware::from_fn_with_state(
            state.clone(),
            language::speak,
        ))
        .with_state(state);
    // Outside of the routes: it changes which of them a request finds.
    let normalize = move |request: Request| path::normalize(request, &mounts);
    let normalized = MapRequestLayer::new(normalize).layer(routes);
    Router::new().fallback_service(normalized)
}

/// A route and what answers it.
struct Endpoint {
    route: Route,
    service: MethodRouter<AppState>,
}

/// A method, as requests name it and as the router does.
type Verb = (Method, MethodFilter);

const GET: Verb = (Method::GET, MethodFilter::GET);
const POST: Verb = (Method::POST, MethodFilter::POST);
const PUT: Verb = (Method::PUT, MethodFilter::PUT);
const PATCH: Verb = (Method::PATCH, MethodFilter::PATCH);
const DELETE: Verb = (Method::DELETE, MethodFilter::DELETE);

/// The one table of what is served.
fn endpoints() -> Vec<Endpoint> {
    let mut endpoints = vec![
        endpoint("/healthz", GET, health),
        endpoint(format!("/{NAMESPACE}"), GET, describe::index::index),
        endpoint(format!("/{NAMESPACE}/doc"), GET, describe::document),
    ];
    endpoints.extend(entries::<Event>());
    endpoints.extend(entries::<Venue>());
    endpoints.extend(entries::<Organizer>());
    endpoints.extend(records::<Category>());
    endpoints.extend(records::<Tag>());
    endpoints.extend([
        endpoint("/", GET, pages::home),
        endpoint("/event/{slug}", GET, pages::record::<Event>),
        endpoint("/venue/{slug}", GET, pages::record::<Venue>),
        endpoint("/organizer/{slug}", GET, pages::record::<Organizer>),
        endpoint("/events/category/{*path}", GET, pages::record::<Category>),
        endpoint("/tag/{slug}", GET, pages::record::<Tag>),
        endpoint("/assets/{file}", GET, pages::asset),
    ]);
    endpoints
}

fn endpoint<T: 'static>(
    path: impl Into<String>,
    (method, filter): Verb,
    handler: impl Handler<T, AppState>,
) -> Endpoint {
    Endpoint {
        route: Route {
            method,
            path: path.into(),
        },
        service: on(filter, handler),
    }
}

/// The routes of a kind whose records are found by their number and by their slug.
fn entries<R: Routed>() -> Vec<Endpoint> {
    let by_slug = format!("{}/by-slug/{{slug}}", collection::<R>());
    let mut endpoints = records::<R>();
    endpoints.extend(record::<R, BySlug>(&by_slug));
    endpoints
}

/// The routes of a kind whose records are found by their number.
fn records<R: Routed>() -> Vec<Endpoint> {
    let collection = collection::<R>();
    let by_id = format!("{collection}/{{id}}");
    let mut endpoints = vec![
        endpoint(collection.clone(), GET, resource::list::<R>),
        endpoint(collection, POST, resource::create::<R>),
    ];
    endpoints.extend(record::<R, ById>(&by_id));
    endpoints
}

fn collection<R: Routed>() -> String {
    format!("/{NAMESPACE}/{}", R::KIND.plural())
}

/// The methods of one record.
fn record<R: Routed, N: Named + 'static>(path: &str) -> [Endpoint; 5] {
    let update = |verb| endpoint(path, verb, resource::update::<R, N>);
    [
        endpoint(path, GET, resource::get::<R, N>),
        update(POST),
        update(PUT),
        update(PATCH),
        endpoint(path, DELETE, resource::delete::<R, N>),
    ]
}

async fn no_route() -> ApiError {
    ApiError::NoRoute
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
