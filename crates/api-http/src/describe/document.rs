//! The description of the interface, for programs and for people.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use app::{AppError, input::Input};
use axum::{
    body::Bytes,
    extract::State,
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};

use super::{openapi, page};
use crate::{
    auth::Auth, error::ApiError, params::Params, representation::quality::quality, state::AppState,
    urls::Site,
};

/// What the page may do: nothing but be styled by itself.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

/// The document of each mount in both forms, made when it is first asked for; it never changes.
#[derive(Debug, Default)]
pub(crate) struct Document(Mutex<HashMap<String, Forms>>);

#[derive(Clone, Debug)]
struct Forms {
    json: Bytes,
    page: Bytes,
}

impl Document {
    fn forms(&self, site: &Site) -> Forms {
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // The language of a request does not belong into the document of all.
        let site = site.without_parameter();
        let forms = made.entry(site.api().to_owned()).or_insert_with(|| {
            let document = openapi::document(&site);
            Forms {
                json: document.to_string().into(),
                page: page::write(&document).into(),
            }
        });
        forms.clone()
    }
}

/// `GET` of the document: JSON, or a page for who asks for HTML.
pub(crate) async fn document(
    State(state): State<AppState>,
    Auth(_): Auth,
    headers: HeaderMap,
    params: Params,
) -> Result<Response, ApiError> {
    let mut input = Input::new(&params.fields);
    input.language();
    input.finish_strict(None).map_err(AppError::from)?;
    let forms = state.document.forms(&params.site);
    // It is written in one language.
    let both = [(header::VARY, "Accept"), (header::CONTENT_LANGUAGE, "en")];
    Ok(if wants_page(&headers) {
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

/// Whether HTML is named among what is accepted; browsers name it, programs do not.
fn wants_page(headers: &HeaderMap) -> bool {
    quality(headers, &header::ACCEPT, &["text/html"]).is_some_and(|quality| quality > 0)
}
