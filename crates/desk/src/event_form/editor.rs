//! The texts of the rich-text editor.

use std::collections::BTreeMap;

use serde_json::json;

use crate::{page::Frame, words::Word};

/// The texts by the names that `editor/src/editor.js` has for them, as JSON.
pub(super) fn editor_words(frame: &Frame) -> String {
    let words = [
        ("toolbar", Word::EDITOR_TOOLBAR),
        ("bold", Word::EDITOR_BOLD),
        ("italic", Word::EDITOR_ITALIC),
        ("link", Word::EDITOR_LINK),
        ("heading", Word::EDITOR_HEADING),
        ("subheading", Word::EDITOR_SUBHEADING),
        ("bullets", Word::EDITOR_BULLETS),
        ("numbers", Word::EDITOR_NUMBERS),
        ("quotation", Word::EDITOR_QUOTATION),
        ("undo", Word::EDITOR_UNDO),
        ("redo", Word::EDITOR_REDO),
        ("html", Word::EDITOR_HTML),
        ("kept", Word::EDITOR_KEPT),
        ("address", Word::EDITOR_ADDRESS),
    ];
    let words = words.map(|(name, word)| (name, frame.word(word)));
    json!(BTreeMap::from(words)).to_string()
}
