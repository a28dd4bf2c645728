//! Turns the result of a handler into the response: language, error body, fields, envelope,
//! headers.
//!
//! It may change status, headers and bytes; it may not read the store or the cache. It runs before
//! the router, as it rewrites method and path.

use std::sync::Arc;

use axum::{
    body::Body,
    extract::Request,
    http::{HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use domain::Language;

use super::{browser_request::BrowserRequest, headers, method};
use crate::{
    endpoint::NotFoundPage,
    extract::{
        SharedContext, format,
        preference::{APPLIED, is_strict},
    },
    response::{RecordVersion, ResponseKind, envelope, fields::FieldMask, in_memory, problem},
    site::{BasePath, HomeLanguage, route_path},
    state::AppState,
};

/// A response with the facts that the cache needs.
pub(crate) struct Responded {
    pub(crate) response: Response,
    /// The status of the handler, which an envelope may hide.
    pub(crate) status: StatusCode,
    /// The version of the record in the response.
    pub(crate) version: Option<RecordVersion>,
    /// Whether the response depends on nothing but its address, the data and the time.
    pub(crate) is_shared: bool,
}

/// Runs the routes, and makes the response from their result.
pub(crate) async fn respond(
    state: &AppState,
    not_found_page: Option<NotFoundPage>,
    mut request: Request,
    next: Next,
) -> Responded {
    let form = Form::of(&request);
    let privacy = headers::Privacy::of(&request);
    method::apply_override(&mut request);
    route_path::normalize(&mut request, &state.base_paths);
    format::take_suffix(&mut request);
    let is_negotiated = format::is_negotiated(request.uri().path());
    let base_path = request.extensions().get::<Arc<BasePath>>().cloned();
    let is_by_language = request.extensions().get::<HomeLanguage>().is_some();
    let is_strict = is_strict(request.headers());
    // Without a page, browsers get the same error as any client.
    let browser_request = not_found_page.and_then(|page| BrowserRequest::of(&request, page));
    let in_query = request.uri().query().and_then(language_in);
    let shared = request.extensions().get::<SharedContext>().cloned();
    let shared = shared.unwrap_or_default();
    request.extensions_mut().insert(shared.clone());

    let (mut parts, body) = next.run(request).await.into_parts();
    let in_path = base_path.as_ref().and_then(|base_path| base_path.language);
    let language = shared.language().or(in_query).or(in_path);
    let language = language.or_else(|| browser_request?.language);
    let language = language.unwrap_or(state.site.language);
    let kind = parts.extensions.remove::<ResponseKind>();
    let mut is_interface = base_path.is_some();
    if is_interface && is_strict {
        let value = HeaderValue::from_static("handling=strict");
        parts.headers.insert(APPLIED, value);
    }
    if is_interface || matches!(kind, Some(ResponseKind::Error(_))) {
        // The handler names the language of a record that it found by its slug.
        let code = HeaderValue::from_static(language.code());
        let named = parts.headers.entry(header::CONTENT_LANGUAGE);
        named.or_insert(code);
    }
    let response = match (&kind, browser_request) {
        (Some(ResponseKind::Error(error)), Some(BrowserRequest { page, .. }))
            if error.kind().0 == StatusCode::NOT_FOUND =>
        {
            is_interface = false;
            page(state, language)
        }
        (Some(ResponseKind::Error(error)), _) => {
            (parts, error.body_response(language, form.is_problem)).into_response()
        }
        _ => Response::from_parts(parts, body),
    };
    let status = response.status();
    let mut response = form.apply(response).await;
    let is_page = matches!(kind, Some(ResponseKind::Page));
    let is_shared = headers::add(
        response.headers_mut(),
        status,
        &privacy,
        is_page,
        headers::Varies {
            is_interface,
            is_by_language,
            is_negotiated,
        },
        &state.caching,
    );
    Responded {
        response,
        status,
        version: match kind {
            Some(ResponseKind::Record(version)) => Some(version),
            _ => None,
        },
        is_shared,
    }
}

/// The language that a query names in `ml_language`; the last value counts.
fn language_in(query: &str) -> Option<Language> {
    let values = form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name == "ml_language");
    values.last()?.1.parse().ok()
}

/// The form of JSON that a request selects.
struct Form {
    fields: Option<FieldMask>,
    is_enveloped: bool,
    is_problem: bool,
}

impl Form {
    fn of(request: &Request) -> Self {
        let query = request.uri().query().unwrap_or_default();
        Self {
            fields: FieldMask::read(query),
            is_enveloped: envelope::is_requested(query),
            is_problem: problem::is_accepted(request.headers()),
        }
    }

    /// Applies `_fields` and `_envelope` to the JSON of a response, if the request has them.
    async fn apply(self, response: Response) -> Response {
        if self.fields.is_none() && !self.is_enveloped {
            return response;
        }
        let (mut parts, mut bytes) = match in_memory(response).await {
            Ok(buffered) => buffered,
            Err(response) => return *response,
        };
        parts.headers.remove(header::CONTENT_LENGTH);
        if let Some(fields) = self.fields
            && parts.status.is_success()
        {
            fields.pick_from(&mut bytes);
        }
        if self.is_enveloped {
            envelope::put_in(&mut parts, &mut bytes);
        }
        Response::from_parts(parts, Body::from(bytes))
    }
}
