//! The faults of a form: a page lists them, with links to their inputs.

use domain::Language;

/// A fault of a form.
#[derive(Debug)]
pub(crate) struct FieldFault {
    /// The name of the input; empty if the form has none.
    pub(crate) input: &'static str,
    pub(crate) text: String,
    /// The language of the input, where the page has one for each.
    pub(crate) language: Option<Language>,
}

impl FieldFault {
    pub(crate) fn new(input: &'static str, text: impl Into<String>) -> Self {
        Self {
            input,
            text: text.into(),
            language: None,
        }
    }

    /// The ID of the input.
    pub(crate) fn target(&self) -> String {
        match self.language {
            Some(language) => format!("{}-{language}", self.input),
            None => self.input.to_owned(),
        }
    }
}

/// Whether an input has a fault.
pub(crate) fn is_bad(faults: &[FieldFault], input: &str) -> bool {
    faults.iter().any(|fault| fault.input == input)
}
