//! The stylesheet and the icon of pages, embedded in the program.

use std::sync::LazyLock;

use axum::{
    extract::{Path, rejection::PathRejection},
    http::header,
    response::{IntoResponse, Response},
};
use http_service::error::ApiError;

/// The stylesheet.
pub(super) static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new(
        "css",
        "text/css; charset=UTF-8",
        include_str!("../templates/style.css"),
    )
});

/// The icon.
pub(super) static ICON: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new(
        "svg",
        "image/svg+xml",
        include_str!("../templates/icon.svg"),
    )
});

/// A file that pages load.
#[derive(Debug)]
pub(super) struct Asset {
    /// Contains a hash of the content, so that browsers may cache the file forever.
    pub(super) name: String,
    media_type: &'static str,
    content: &'static str,
}

impl Asset {
    fn new(extension: &str, media_type: &'static str, content: &'static str) -> Self {
        let hash = blake3::hash(content.as_bytes()).to_hex();
        Self {
            name: format!("pages-{}.{extension}", &hash[..16]),
            media_type,
            content,
        }
    }
}

/// `GET` of a file that pages load.
pub(crate) async fn asset(file: Result<Path<String>, PathRejection>) -> Response {
    let wanted = |asset: &&Asset| file.as_ref().is_ok_and(|Path(file)| *file == asset.name);
    let Some(asset) = [&*STYLE, &*ICON].into_iter().find(wanted) else {
        return ApiError::NoRoute.into_response();
    };
    let headers = [
        (header::CONTENT_TYPE, asset.media_type),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
    ];
    (headers, asset.content).into_response()
}
