//! `GET` of the namespace: the index of routes.

use axum::response::{IntoResponse, Response};
use domain::time::ZoneData;
use http_service::{
    error::ApiError,
    response::Json,
    site::{NAMESPACE, announcement},
};
use serde_json::json;

use crate::{
    describe::index::{Index, Namespace},
    extract::RequestContext,
};

/// `GET` of the namespace: its routes.
pub(crate) async fn index(context: RequestContext) -> Result<Response, ApiError> {
    // The value of `context` makes no difference.
    context.expect_no_fields(&["namespace", "context"])?;
    let sent = context.fields.get("namespace");
    let namespace = &*context.site.base_path().namespace;
    let is_known = sent.is_none_or(|sent| {
        let name = sent.as_str().unwrap_or_default().trim_matches('/');
        name == NAMESPACE || name == namespace
    });
    if !is_known {
        return Err(ApiError::UnknownNamespace);
    }
    let up = context.site.discovery();
    let up = up.unwrap_or_else(|| context.site.root().to_owned());
    let body = Index {
        namespace: namespace.to_owned(),
        routes: Namespace::of_calendar(&context.site, context.now).routes(),
        zone_data: ZoneData::version_in_use().to_string(),
        links: json!({ "up": [{ "href": format!("{up}/") }] }),
    };
    Ok((announcement(&context.site), Json(body)).into_response())
}
