//! In which language a request is answered.

use std::sync::{Arc, OnceLock};

use axum::{
    extract::{Request, State},
    http::{HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use domain::Language;

use crate::{
    error::ApiError,
    json::Json,
    mount::Mount,
    pages::{self, Browsing},
    state::AppState,
};

/// The language that the fields of a request choose, once they are read: they may stand in its body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chosen(Arc<OnceLock<Language>>);

impl Chosen {
    /// Notes what the fields say.
    pub(crate) fn note(&self, language: Language) {
        // The fields of a request are read once.
        let _ = self.0.set(language);
    }
}

/// Writes errors in the language of the request (as a page, where a browser finds nothing), and names the language of the answer.
///
/// A handler that answers in another language says so itself in `Content-Language`: a record that is
/// found by its slug may be shown in the language of that slug.
pub(crate) async fn speak(
    State(state): State<AppState>,
    mut request: Request,
    next: Next,
) -> Response {
    let mount = request.extensions().get::<Arc<Mount>>().cloned();
    let in_path = mount.as_ref().and_then(|mount| mount.language);
    let in_query = request.uri().query().and_then(sent);
    let browsing = Browsing::of(&request);
    let chosen = Chosen::default();
    request.extensions_mut().insert(chosen.clone());
    let response = next.run(request).await;
    let language = chosen.0.get().copied();
    let language = language.or(in_query).or(in_path);
    let language = language.or_else(|| browsing?.language);
    let language = language.unwrap_or(state.site.language);

    let (mut parts, body) = response.into_parts();
    let error = parts.extensions.remove::<ApiError>();
    if mount.is_some() || error.is_some() {
        let code = HeaderValue::from_static(language.code());
        parts
            .headers
            .entry(header::CONTENT_LANGUAGE)
            .or_insert(code);
    }
    match error {
        Some(error) if error.kind().0 == StatusCode::NOT_FOUND && browsing.is_some() => {
            pages::nothing_here(&state, language)
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
