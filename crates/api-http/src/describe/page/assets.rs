//! The stylesheet and the script of the page.

use std::sync::LazyLock;

use axum::{
    extract::{Path, rejection::PathRejection},
    response::Response,
};
use http_service::{
    response::asset::{self, Asset, ICON},
    site::Site,
};

/// The stylesheet.
static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new(
        "reference",
        "css",
        "text/css; charset=UTF-8",
        include_str!("../../../templates/reference.css"),
    )
});

/// The script. The page is complete without it: it adds a filter and forms that send requests.
static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new(
        "reference",
        "js",
        "text/javascript; charset=UTF-8",
        include_str!("../../../templates/reference.js"),
    )
});

/// The paths of the files that the page loads.
#[derive(Debug)]
pub(super) struct Assets {
    pub(super) style: String,
    pub(super) script: String,
    pub(super) icon: String,
}

impl Assets {
    pub(super) fn of(site: &Site) -> Self {
        let path = |asset: &Asset| site.asset(&format!("doc/{}", asset.name));
        Self {
            style: path(&STYLE),
            script: path(&SCRIPT),
            icon: path(&ICON),
        }
    }
}

/// `GET` of a file that the page loads.
pub(crate) async fn document_asset(file: Result<Path<String>, PathRejection>) -> Response {
    asset::respond([&*STYLE, &*SCRIPT, &*ICON], &file)
}
