//! `GET` of the namespace: the index of routes.

use app::{AppError, input::Input};
use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use domain::time::ZoneData;
use serde_json::json;

use crate::{
    NAMESPACE,
    describe::index::{Index, routes},
    error::ApiError,
    extract::{auth::Auth, params::Params},
    response::json::Json,
    site::announcement::announcement,
    state::AppState,
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
    input.finish_strict(None).map_err(AppError::from)?;
    let namespace = &*params.site.base_path().namespace;
    let is_known = wanted.is_none_or(|wanted| {
        let name = wanted.as_str().unwrap_or_default().trim_matches('/');
        name == NAMESPACE || name == namespace
    });
    if !is_known {
        return Err(ApiError::UnknownNamespace);
    }
    let up = params.site.discovery();
    let up = up.unwrap_or_else(|| params.site.root().to_owned());
    let body = Index {
        namespace: namespace.to_owned(),
        routes: routes(&params.site, state.calendar.now()),
        zone_data: ZoneData::version_in_use().to_string(),
        links: json!({ "up": [{ "href": format!("{up}/") }] }),
    };
    Ok((announcement(&params.site), Json(body)).into_response())
}
