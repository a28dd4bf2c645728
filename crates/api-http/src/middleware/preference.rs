//! `Preference-Applied`.

use std::sync::Arc;

use axum::{extract::Request, http::HeaderValue, middleware::Next, response::Response};

use crate::{
    extract::preference::{APPLIED, is_strict},
    response::ByPreference,
    site::base_path::BasePath,
};

/// Tells of answers of the interface that a preference was followed, and that they depend on it.
pub(crate) async fn tell(request: Request, next: Next) -> Response {
    let is_interface = request.extensions().get::<Arc<BasePath>>().is_some();
    let is_strict = is_strict(request.headers());
    let mut response = next.run(request).await;
    if is_interface {
        response.extensions_mut().insert(ByPreference);
        if is_strict {
            let value = HeaderValue::from_static("handling=strict");
            response.headers_mut().insert(APPLIED, value);
        }
    }
    response
}
