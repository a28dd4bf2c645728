//! Files that pages load, embedded in the program.

use std::sync::LazyLock;

use axum::{
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
#[derive(Debug)]
pub struct Asset {
    /// The file name. It contains a hash of the content, so that browsers may cache the file forever.
    pub name: String,
    media_type: &'static str,
    content: &'static str,
}

impl Asset {
    /// The asset with a content. The name begins with `stem`.
    pub fn new(
        stem: &str,
        extension: &str,
        media_type: &'static str,
        content: &'static str,
    ) -> Self {
        let hash = blake3::hash(content.as_bytes()).to_hex();
        Self {
            name: format!("{stem}-{}.{extension}", &hash[..16]),
            media_type,
            content,
        }
    }
}

/// The response with one of these assets, by its name.
pub fn respond(assets: &[&Asset], name: &Result<Path<String>, PathRejection>) -> Response {
    let wanted = |asset: &&&Asset| name.as_ref().is_ok_and(|Path(name)| *name == asset.name);
    let Some(asset) = assets.iter().find(wanted) else {
        return ApiError::NoRoute.into_response();
    };
    let headers = [
        (header::CONTENT_TYPE, asset.media_type),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
    ];
    (headers, asset.content).into_response()
}
