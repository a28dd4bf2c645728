//! The headers of pages that lead clients to the discovery object.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};

use crate::{
    site::{BasePath, announcement},
    state::AppState,
};

/// Adds to a page the headers that announce the discovery object in its language.
pub(crate) async fn announce(
    State(state): State<AppState>,
    request: Request,
    next: Next,
) -> Response {
    let base_path = request.extensions().get::<Arc<BasePath>>();
    let language = base_path.and_then(|base_path| base_path.language);
    let mut response = next.run(request).await;
    if let Some(base_path) = state.base_paths.announced(language) {
        let headers = announcement(&state.site.at(Arc::clone(base_path), None));
        response.headers_mut().extend(headers);
    }
    response
}
