//! Refuses requests with several `Host` headers (RFC 9112, 3.2): proxies and servers could read different ones.

use axum::{
    extract::Request,
    http::{StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use domain::Language;

use crate::{error::ApiError, response::problem};

/// Answers 400 to a request with several `Host` headers.
pub(crate) async fn require(request: Request, next: Next) -> Response {
    if request.headers().get_all(header::HOST).iter().count() < 2 {
        return next.run(request).await;
    }
    let is_problem = problem::is_accepted(request.headers());
    let body = ApiError::SeveralHosts.body_response(Language::default(), is_problem);
    (StatusCode::BAD_REQUEST, body).into_response()
}
