//! The discovery object of a mount, and the headers by which clients find it.

use std::sync::Arc;

use app::{AppError, input::Input};
use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use domain::{Language, time::Timestamp};
use serde_json::{Value, json};

use super::{NAMESPACE, described};
use crate::{
    auth::Auth,
    describe::{index, param::Moment},
    error::ApiError,
    json::Json,
    mount::Mount,
    params::Params,
    state::AppState,
    urls::Site,
};

/// `GET` of the root of a mount: what the site is, and what it offers.
pub(crate) async fn discovery(
    State(state): State<AppState>,
    Auth(_): Auth,
    params: Params,
) -> Result<Response, ApiError> {
    let mut input = Input::new(&params.fields);
    input.language();
    // Any context is as good as another.
    input.raw("context");
    input.finish_strict(None).map_err(AppError::from)?;
    let site = &params.site;
    let now = state.calendar.now();
    let mut namespaces = Vec::new();
    let mut routes = serde_json::Map::new();
    routes.insert("/".to_owned(), root(site, now));
    for mount in state.mounts.beside(site.mount()) {
        namespaces.push(json!(*mount.namespace));
        routes.extend(index::routes(&site.under(mount), now));
    }
    namespaces.push(json!(NAMESPACE));
    routes.extend(described::routes(site, now));
    let body = json!({
        "name": site.title(),
        "description": "",
        "url": site.root(),
        "home": site.root(),
        "gmt_offset": offset_hours(site, now),
        "timezone_string": site.zone.name(),
        "namespaces": namespaces,
        "authentication": {},
        "routes": routes,
    });
    Ok((announcement(site), Json(body)).into_response())
}

/// The root as its own routes tell it.
pub(super) fn root(site: &Site, now: Timestamp) -> Value {
    let endpoint = index::Endpoint {
        methods: &[Method::GET],
        params: Vec::new(),
    };
    let address = site.discovery().map(|address| address + "/");
    index::tell("", &[endpoint], address, &Moment::new(now, site))
}

/// How far the clocks of the site are ahead of UTC, in hours.
fn offset_hours(site: &Site, now: Timestamp) -> Value {
    let ahead = site.zone.at(now).local - now.civil();
    let minutes = i32::try_from(ahead.num_minutes()).unwrap_or_default();
    if minutes % 60 == 0 {
        json!(minutes / 60)
    } else {
        json!(f64::from(minutes) / 60.0)
    }
}

/// The headers that lead to the discovery object of the mount; none if it has none.
pub(crate) fn announcement(site: &Site) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let Some(discovery) = site.discovery() else {
        return headers;
    };
    let link = format!("<{discovery}/>; rel=\"https://api.w.org/\"");
    for (name, value) in [
        (header::LINK, link),
        (
            HeaderName::from_static("x-tec-api-version"),
            "v1".to_owned(),
        ),
        (
            HeaderName::from_static("x-tec-api-root"),
            format!("{}/", site.api()),
        ),
        (
            HeaderName::from_static("x-tec-api-origin"),
            site.root().to_owned(),
        ),
    ] {
        if let Ok(value) = HeaderValue::try_from(value) {
            headers.insert(name, value);
        }
    }
    headers
}

/// Adds to a page the headers that lead to the discovery object in its language.
pub(crate) async fn announce(
    State(state): State<AppState>,
    request: Request,
    next: Next,
) -> Response {
    let mount = request.extensions().get::<Arc<Mount>>();
    let language: Option<Language> = mount.and_then(|mount| mount.language);
    let mut response = next.run(request).await;
    if let Some(mount) = state.mounts.announced(language) {
        let headers = announcement(&state.site.at(Arc::clone(mount), None));
        response.headers_mut().extend(headers);
    }
    response
}
