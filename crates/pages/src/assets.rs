//! The stylesheet and the icon of pages.

use std::sync::LazyLock;

use axum::{
    extract::{Path, rejection::PathRejection},
    response::Response,
};
use http_service::response::asset::{self, Asset, ICON};

/// The stylesheet.
pub(super) static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new(
        "pages",
        "css",
        "text/css; charset=UTF-8",
        concat!(
            include_str!("../templates/style.css"),
            include_str!("../templates/calendar.css"),
            include_str!("../templates/find.css"),
        ),
    )
});

/// `GET` of a file that pages load.
pub(crate) async fn asset(file: Result<Path<String>, PathRejection>) -> Response {
    asset::respond(&[&STYLE, &ICON], &file)
}
