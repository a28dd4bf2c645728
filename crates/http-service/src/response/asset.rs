//! Files that pages load.

use std::sync::LazyLock;

use axum::{
    body::Bytes,
    extract::{Path, rejection::PathRejection},
    http::header,
    response::{IntoResponse, Response},
};

use crate::error::ApiError;

/// The icon of all pages.
pub static ICON: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new(
        "pages",
        "svg",
        "image/svg+xml",
        include_str!("../../templates/icon.svg"),
    )
});

/// A file that pages load.
#[derive(Clone, Debug)]
pub struct Asset {
    /// The file name. It contains a hash of the content, so that browsers may cache the file forever.
    pub name: String,
    media_type: &'static str,
    content: Bytes,
}

impl Asset {
    /// The asset with a content. The name begins with `stem`.
    pub fn new(
        stem: &str,
        extension: &str,
        media_type: &'static str,
        content: impl Into<Bytes>,
    ) -> Self {
        let content = content.into();
        let hash = blake3::hash(&content).to_hex();
        Self {
            name: format!("{stem}-{}.{extension}", &hash[..16]),
            media_type,
            content,
        }
    }

    /// A stylesheet.
    pub fn stylesheet(stem: &str, content: impl Into<Bytes>) -> Self {
        Self::new(stem, "css", "text/css; charset=UTF-8", content)
    }
}

/// The response with one of these assets, by its name.
pub fn respond<'a>(
    assets: impl IntoIterator<Item = &'a Asset>,
    name: &Result<Path<String>, PathRejection>,
) -> Response {
    let wanted = |asset: &&Asset| name.as_ref().is_ok_and(|Path(name)| *name == asset.name);
    let Some(asset) = assets.into_iter().find(wanted) else {
        return ApiError::NoRoute.into_response();
    };
    let headers = [
        (header::CONTENT_TYPE, asset.media_type),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
    ];
    (headers, asset.content.clone()).into_response()
}
