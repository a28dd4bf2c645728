//! The faults of a form: a page lists them, with links to their inputs.

use app::AppError;
use domain::Language;
use http_service::message;

use crate::words::Word;

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

/// The faults of fields in words; `None` if an error is about none. `input_of` names the input and the title of a field.
pub(crate) fn of_error<'a>(
    error: &'a AppError,
    language: Language,
    input_of: impl Fn(&'a str) -> (&'static str, &'a str),
) -> Option<Vec<FieldFault>> {
    match error {
        AppError::Invalid(faults) => {
            let faults = faults.iter().map(|(name, fault)| {
                let (input, title) = input_of(name);
                FieldFault::new(input, message::fault(title, fault, language))
            });
            Some(faults.collect())
        }
        AppError::Missing(names) => {
            let missing = Word::MISSING.text(language);
            let faults = names.iter().map(|name| {
                let (input, title) = input_of(name);
                FieldFault::new(input, format!("{title}: {missing}"))
            });
            Some(faults.collect())
        }
        _ => None,
    }
}

/// Whether an input has a fault.
pub(crate) fn is_bad(faults: &[FieldFault], input: &str) -> bool {
    faults.iter().any(|fault| fault.input == input)
}
