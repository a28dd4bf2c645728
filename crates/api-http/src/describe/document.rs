//! The rendered OpenAPI document, as JSON and as a page.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use axum::body::Bytes;
use http_service::site::Site;

use super::{openapi, page};

/// The documents by the URL of their interface. Each is rendered at its first request and never
/// changes.
#[derive(Debug, Default)]
pub(crate) struct Document(Mutex<HashMap<String, Forms>>);

#[derive(Clone, Debug)]
pub(crate) struct Forms {
    pub(crate) json: Bytes,
    pub(crate) page: Bytes,
}

impl Document {
    pub(crate) fn forms(&self, site: &Site) -> Forms {
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // The parameter `ml_language` of one request must not enter a cached document.
        let site = site.without_parameter();
        let forms = made.entry(site.api().to_owned()).or_insert_with(|| {
            let document = openapi::document(&site);
            Forms {
                json: document.to_string().into(),
                page: page::write(&document, &site).into(),
            }
        });
        forms.clone()
    }
}
