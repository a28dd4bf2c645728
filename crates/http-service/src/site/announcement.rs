//! Headers that lead clients to the discovery object.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

use super::Site;

/// The headers of a response whose base path has a discovery object; else none.
pub fn announcement(site: &Site) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let Some(discovery) = site.discovery() else {
        return headers;
    };
    let link = format!("<{discovery}/>; rel=\"https://api.w.org/\"");
    for (name, value) in [
        (header::LINK, link),
        (
            HeaderName::from_static("x-tec-api-version"),
            "v1".to_owned(),
        ),
        (
            HeaderName::from_static("x-tec-api-root"),
            format!("{}/", site.api()),
        ),
        (
            HeaderName::from_static("x-tec-api-origin"),
            site.root().to_owned(),
        ),
    ] {
        if let Ok(value) = HeaderValue::try_from(value) {
            headers.insert(name, value);
        }
    }
    headers
}
