//! In which language a request is answered.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use domain::Language;

use crate::{
    error::ApiError,
    extract::params::LanguageSlot,
    pages::{self, BrowserRequest},
    response::json::Json,
    site::base_path::BasePath,
    state::AppState,
};

/// Writes errors in the language of the request (as a page, where a browser finds nothing), and names the language of the answer.
///
/// A handler that answers in another language says so itself in `Content-Language`: a record that is
/// found by its slug may be shown in the language of that slug.
pub(crate) async fn speak(
    State(state): State<AppState>,
    mut request: Request,
    next: Next,
) -> Response {
    let base_path = request.extensions().get::<Arc<BasePath>>().cloned();
    let in_path = base_path.as_ref().and_then(|base_path| base_path.language);
    let in_query = request.uri().query().and_then(sent);
    let browser_request = BrowserRequest::of(&request);
    let chosen = LanguageSlot::default();
    request.extensions_mut().insert(chosen.clone());
    let response = next.run(request).await;
    let language = chosen.get();
    let language = language.or(in_query).or(in_path);
    let language = language.or_else(|| browser_request?.language);
    let language = language.unwrap_or(state.site.language);

    let (mut parts, body) = response.into_parts();
    let error = parts.extensions.remove::<ApiError>();
    if base_path.is_some() || error.is_some() {
        let code = HeaderValue::from_static(language.code());
        parts
            .headers
            .entry(header::CONTENT_LANGUAGE)
            .or_insert(code);
    }
    match error {
        Some(error) if error.kind().0 == StatusCode::NOT_FOUND && browser_request.is_some() => {
            pages::not_found_page(&state, language)
        }
        Some(error) => (parts, Json(error.body(language))).into_response(),
        None => Response::from_parts(parts, body),
    }
}

/// The language that a query asks for; of several the last, as everywhere.
fn sent(query: &str) -> Option<Language> {
    let values = form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name == "ml_language");
    Language::from_code(&values.last()?.1)
}
