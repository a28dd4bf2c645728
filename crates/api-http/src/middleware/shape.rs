//! Changes the form of JSON answers.

use axum::{body::Body, extract::Request, http::header, middleware::Next, response::Response};

use crate::response::{envelope, fields::FieldMask, in_memory, is_error, problem};

/// Changes the JSON of an answer where the client asks for something else than the usual.
pub(crate) async fn shape(request: Request, next: Next) -> Response {
    let query = request.uri().query().unwrap_or_default();
    let picked = FieldMask::read(query);
    let is_enveloped = envelope::is_asked(query);
    let is_problem = problem::is_accepted(request.headers());
    let response = next.run(request).await;
    if picked.is_none() && !is_enveloped && !is_problem {
        return response;
    }
    let (mut parts, mut bytes) = match in_memory(response).await {
        Ok(text) => text,
        Err(response) => return *response,
    };
    parts.headers.remove(header::CONTENT_LENGTH);
    if let Some(picked) = picked
        && parts.status.is_success()
    {
        picked.pick_from(&mut bytes);
    }
    if is_problem && is_error(parts.status) {
        problem::rewrite(&mut parts, &mut bytes);
    }
    if is_enveloped {
        envelope::put_in(&mut parts, &mut bytes);
    }
    Response::from_parts(parts, Body::from(bytes))
}
