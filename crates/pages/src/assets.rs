//! The stylesheets, the script and the pictures of pages.

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
        include_str!("../templates/script.css"),
    );
    Asset::stylesheet("pages", style)
});

/// The script, which improves pages that are complete without it.
pub(super) static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new(
        "pages",
        "js",
        "text/javascript; charset=UTF-8",
        include_str!("../templates/pages.js"),
    )
});

/// `GET` of a file that pages load.
pub(crate) async fn asset(
    State(state): State<AppState>,
    file: Result<Path<String>, PathRejection>,
) -> Response {
    let own = [&*STYLE, &*SCRIPT, &*ICON];
    let of_face = match &file {
        Ok(Path(name)) if !own.iter().any(|asset| asset.name == *name) => {
            of_face(&state, name).await
        }
        _ => None,
    };
    asset::respond(own.into_iter().chain(&of_face), &file)
}

/// A file of the face. Another server may show a newer face than this one, and its pages load files from here.
async fn of_face(state: &AppState, name: &str) -> Option<Asset> {
    let face = &state.site.face;
    let known = face.asset(name);
    if known.is_some() {
        return known;
    }
    let _permit = state.concurrency.try_acquire().ok()?;
    face.refresh(&state.calendar).await.ok()?;
    face.asset(name)
}
