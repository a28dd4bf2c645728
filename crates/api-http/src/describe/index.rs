//! The index of routes.

use app::{
    AppError,
    input::{Beside, Input},
};
use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use domain::time::Timestamp;
use serde_json::{Map, Value, json};

use super::{Operation, operations, param::Moment};
use crate::{
    NAMESPACE, auth::Auth, error::ApiError, json::Json, params::Params, state::AppState, urls::Site,
};

/// `GET` of the namespace: what it offers.
pub(crate) async fn index(
    State(state): State<AppState>,
    Auth(_): Auth,
    params: Params,
) -> Result<Response, ApiError> {
    let mut input = Input::new(&params.fields);
    input.language();
    let wanted = input.read("namespace", |value| Ok(value.clone()));
    // Any context is as good as another.
    input.read("context", |_| Ok(()));
    input.finish_all(Beside::Nothing).map_err(AppError::from)?;
    let is_known = wanted.is_none_or(|wanted| {
        let name = wanted.as_str().unwrap_or_default();
        name.trim_matches('/') == NAMESPACE
    });
    if !is_known {
        return Err(ApiError::UnknownNamespace);
    }
    let moment = Moment {
        now: state.calendar.now(),
        zone: &params.site.zone,
    };
    let routes: Map<_, _> = operations()
        .chunk_by(|one, next| one.path == next.path)
        .filter_map(|here| {
            let described = describe(here, &params.site, &moment);
            Some((here.first()?.pattern(), described))
        })
        .collect();
    let body = json!({
        "namespace": NAMESPACE,
        "routes": routes,
        "_links": { "up": [{ "href": format!("{}/", params.site.root()) }] },
    });
    Ok(Json(body).into_response())
}

/// What the path of a route offers, as `OPTIONS` answers; `route` is its pattern, such as
/// `/cal/events/v1/events/{id}`. None if the namespace has no such route.
pub(crate) fn route(route: &str, site: &Site, now: Timestamp) -> Option<Value> {
    let path = route.strip_prefix(&format!("/{NAMESPACE}"))?;
    let moment = Moment {
        now,
        zone: &site.zone,
    };
    let here = operations()
        .chunk_by(|one, next| one.path == next.path)
        .find(|operations| operations.iter().any(|operation| operation.path == path))?;
    Some(describe(here, site, &moment))
}

/// What a path offers.
fn describe(operations: &[Operation], site: &Site, moment: &Moment<'_>) -> Value {
    let mut methods: Vec<&str> = Vec::new();
    for method in operations
        .iter()
        .flat_map(|operation| operation.act.methods())
    {
        if !methods.contains(&method.as_str()) {
            methods.push(method.as_str());
        }
    }
    let endpoints: Vec<_> = operations
        .iter()
        .map(|operation| endpoint(operation, moment))
        .collect();
    let mut route = json!({
        "namespace": NAMESPACE,
        "methods": methods,
        "endpoints": endpoints,
    });
    if let Some(Operation { path, in_path, .. }) = operations.first()
        && in_path.is_empty()
    {
        let href = site.address(path);
        route["_links"] = json!({ "self": [{ "href": href }] });
    }
    route
}

/// What some methods of a path take.
fn endpoint(operation: &Operation, moment: &Moment<'_>) -> Value {
    let methods: Vec<_> = operation
        .act
        .methods()
        .iter()
        .map(axum::http::Method::as_str)
        .collect();
    let mut arguments = Map::new();
    for param in operation.params() {
        // What the path says counts before a field of the same name.
        if !arguments.contains_key(param.name) {
            arguments.insert(param.name.to_owned(), param.argument(moment));
        }
    }
    json!({ "methods": methods, "args": arguments })
}

impl Operation {
    /// The path as an expression, as clients of the index know it.
    fn pattern(&self) -> String {
        self.route()
            .replace("{id}", r"(?P<id>\d+)")
            .replace("{slug}", "(?P<slug>[^/]+)")
    }
}
