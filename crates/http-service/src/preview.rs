//! Previews of pages.

use domain::Language;

/// A form that a preview shows above the page. It leads back to where the event is written.
#[derive(Clone, Debug)]
pub struct BackForm {
    /// The address to which the form is sent.
    pub action: String,
    /// The hidden fields: names and values.
    pub fields: Vec<(String, String)>,
    /// The name of the button, which is sent, and its text.
    pub button: (&'static str, &'static str),
    /// The sentence that says that the event is not stored.
    pub note: &'static str,
    /// The language of both texts.
    pub language: Language,
}
