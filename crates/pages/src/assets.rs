//! The stylesheets and pictures of pages.

use std::sync::LazyLock;

use axum::{
    extract::{Path, State, rejection::PathRejection},
    response::Response,
};
use http_service::{
    AppState,
    response::asset::{self, Asset, ICON},
};

/// The stylesheet.
pub(super) static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    let style = concat!(
        include_str!("../templates/style.css"),
        include_str!("../templates/calendar.css"),
        include_str!("../templates/find.css"),
    );
    Asset::stylesheet("pages", style)
});

/// `GET` of a file that pages load.
pub(crate) async fn asset(
    State(state): State<AppState>,
    file: Result<Path<String>, PathRejection>,
) -> Response {
    asset::respond(
        [&*STYLE, &*ICON].into_iter().chain(state.face.assets()),
        &file,
    )
}
