//! `Allow`: the methods that the caller may use at a path.
//!
//! A layer around the methods of each path. It may look up the record of the path; the header never
//! reveals a record that the caller may not read.

use std::sync::Arc;

use app::auth::Identity;
use axum::{
    extract::{Request, State},
    http::{HeaderValue, Method, header},
    middleware::Next,
    response::Response,
};

use crate::{
    extract::{Segments, SharedContext, format, key},
    right::Right,
    state::AppState,
};

/// The methods of a path, each with its right.
#[derive(Clone, Debug)]
pub(crate) struct AllowedMethods {
    pub(crate) methods: Vec<(Method, Right)>,
}

impl AllowedMethods {
    /// Whether the captured segments of the path can name a record.
    pub(crate) fn knows(&self, segments: &Segments) -> bool {
        let mut rights = self.methods.iter().map(|(_, right)| right);
        rights.all(|right| match right {
            Right::Change(check) => check(segments).is_some(),
            Right::Public | Right::LoggedIn | Right::Can(_) => true,
        })
    }

    /// The methods that a caller may use.
    async fn open_to(&self, identity: Identity, segments: &Segments, state: &AppState) -> String {
        let Identity {
            caller, may_write, ..
        } = identity;
        let mut names = Vec::new();
        // All methods of a record share one right, which is checked once.
        let mut may_change = None;
        for (method, right) in &self.methods {
            let is_open = (may_write && !state.is_read_only || method == Method::GET)
                && match right {
                    Right::Public => true,
                    Right::LoggedIn => caller.beyond().user().is_some(),
                    Right::Can(capability) => caller.can(*capability),
                    Right::Change(check) => {
                        if may_change.is_none()
                            && let Some(check) = check(segments)
                        {
                            may_change = Some(check(state.clone(), caller).await);
                        }
                        may_change == Some(true)
                    }
                };
            if is_open {
                names.push(method.as_str());
            }
        }
        names.join(", ")
    }
}

/// Adds `Allow` to a response. A caller without valid credentials is anonymous.
pub(crate) async fn add_header(
    State((state, allowed)): State<(AppState, Arc<AllowedMethods>)>,
    request: Request,
    next: Next,
) -> Response {
    let (mut parts, body) = request.into_parts();
    let shared = parts.extensions.get::<SharedContext>().cloned();
    let is_file = format::is_file(&parts.extensions);
    let segments = key::segments(&mut parts).await;
    let mut response = next.run(Request::from_parts(parts, body)).await;
    if allowed.knows(&segments) {
        let identity = shared.map_or(Identity::ANONYMOUS, |shared| shared.identity());
        let methods = if is_file {
            Method::GET.to_string()
        } else {
            allowed.open_to(identity, &segments, &state).await
        };
        if let Ok(methods) = HeaderValue::try_from(methods) {
            response.headers_mut().insert(header::ALLOW, methods);
        }
    }
    response
}
