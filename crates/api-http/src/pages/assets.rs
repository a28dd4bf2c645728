//! The stylesheet and the icon of pages, embedded in the program.

use std::sync::LazyLock;

use axum::{
    body::Bytes,
    extract::{Path, rejection::PathRejection},
    http::header,
    response::{IntoResponse, Response},
};

use crate::error::ApiError;

/// The stylesheet.
pub(super) static STYLE: LazyLock<Asset> =
    LazyLock::new(|| Asset::stylesheet("pages", include_str!("../../templates/style.css")));

/// The icon.
pub(super) static ICON: LazyLock<Asset> = LazyLock::new(|| {
    let content = include_str!("../../templates/icon.svg");
    Asset::new("pages", "svg", "image/svg+xml", content)
});

/// A file that pages load.
#[derive(Clone, Debug)]
pub(super) struct Asset {
    /// Contains a hash of the content, so that browsers may cache the file forever.
    pub(super) name: String,
    media_type: &'static str,
    content: Bytes,
}

impl Asset {
    pub(super) fn new(
        name: &str,
        extension: &str,
        media_type: &'static str,
        content: impl Into<Bytes>,
    ) -> Self {
        let content = content.into();
        let hash = blake3::hash(&content).to_hex();
        Self {
            name: format!("{name}-{}.{extension}", &hash[..16]),
            media_type,
            content,
        }
    }

    pub(super) fn stylesheet(name: &str, content: impl Into<Bytes>) -> Self {
        Self::new(name, "css", "text/css; charset=UTF-8", content)
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
    (headers, asset.content.clone()).into_response()
}
