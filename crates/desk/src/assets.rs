//! The stylesheet of the desk, its script, and its rich-text editor.

use std::sync::LazyLock;

use axum::{
    extract::{Path, rejection::PathRejection},
    response::Response,
};
use http_service::response::asset::{self, Asset, ICON};

/// The stylesheet.
pub(crate) static STYLE: LazyLock<Asset> =
    LazyLock::new(|| Asset::stylesheet("desk", include_str!("../templates/desk.css")));

/// The media type of scripts.
const JAVASCRIPT: &str = "text/javascript; charset=UTF-8";

/// The script, which improves pages that are complete without it.
pub(crate) static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    let script = include_str!("../templates/desk.js");
    Asset::new("desk", "js", JAVASCRIPT, script)
});

/// The rich-text editor, which stands in the place of a text area. `editor/` has its sources.
pub(crate) static EDITOR: LazyLock<Asset> = LazyLock::new(|| {
    let script = include_str!("../editor/built/editor.js");
    Asset::new("editor", "js", JAVASCRIPT, script)
});

/// `GET` of a file that the desk loads.
pub(crate) async fn asset(file: Result<Path<String>, PathRejection>) -> Response {
    asset::respond([&*STYLE, &*SCRIPT, &*EDITOR, &*ICON], &file)
}

#[cfg(test)]
mod tests {
    use domain::html::allowed_elements;
    use serde_json::{Map, Value};

    /// The script stays small: people write events over slow connections, too.
    #[test]
    fn the_script_has_at_most_15_kilobytes() {
        assert!(include_str!("../templates/desk.js").len() <= 15_000);
    }

    /// The editor knows what the filter keeps: nothing else is lost when a text is stored.
    #[test]
    fn the_schema_of_the_editor_is_the_allow_list() {
        let file: Value = serde_json::from_str(include_str!("../editor/allow-list.json")).unwrap();
        let everywhere = file["everywhere"].as_array().unwrap();
        let with_own = |own: &Value| [own.as_array().unwrap().as_slice(), everywhere].concat();
        let elements = file["elements"].as_object().unwrap().iter();
        let known: Map<_, _> = elements
            .map(|(name, own)| (name.clone(), with_own(own).into()))
            .collect();
        let allowed: Map<_, _> = allowed_elements()
            .map(|(name, attributes)| (name.to_owned(), attributes.into()))
            .collect();
        assert_eq!(known, allowed);
    }
}
