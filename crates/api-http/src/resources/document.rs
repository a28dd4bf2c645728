//! `GET` of the OpenAPI document.

use axum::{
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use http_service::{error::ApiError, header_values::quality};

use crate::{describe::Document, extract::RequestContext};

/// The content security policy of the page. Its forms send requests to this service alone.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// `GET` of the OpenAPI document: JSON, or HTML for browsers.
pub(crate) fn document(
    documents: &Document,
    headers: &HeaderMap,
    context: &RequestContext,
) -> Result<Response, ApiError> {
    context.expect_no_fields(&[])?;
    let forms = documents.forms(&context.site);
    // The document is in English.
    let both = [(header::VARY, "Accept"), (header::CONTENT_LANGUAGE, "en")];
    Ok(if wants_page(headers) {
        let own = [
            (header::CONTENT_TYPE, "text/html; charset=UTF-8"),
            (header::CONTENT_SECURITY_POLICY, POLICY),
        ];
        (both, own, forms.page).into_response()
    } else {
        let own = [(header::CONTENT_TYPE, "application/json; charset=UTF-8")];
        (both, own, forms.json).into_response()
    })
}

/// Whether `Accept` names HTML, as browsers do.
fn wants_page(headers: &HeaderMap) -> bool {
    quality(headers, &header::ACCEPT, &["text/html"]).is_some_and(|quality| quality > 0)
}
