//! Caller and language of a request, from the extractors to the layers around the handler.

use std::sync::{Arc, OnceLock};

use app::auth::Identity;
use domain::Language;

/// Passes caller and language out of the extractors to the layers around the handler.
#[derive(Clone, Debug, Default)]
pub struct SharedContext(Arc<(OnceLock<Identity>, OnceLock<Language>)>);

impl SharedContext {
    /// The identity of the caller; anonymous unless credentials were verified.
    pub(crate) fn identity(&self) -> Identity {
        let identity = self.0.0.get().cloned();
        identity.unwrap_or(Identity::ANONYMOUS)
    }

    pub(super) fn set_identity(&self, identity: Identity) {
        // A request is authenticated once.
        let _ = self.0.0.set(identity);
    }

    /// The language in a field of the request, which may be in the body.
    pub(crate) fn language(&self) -> Option<Language> {
        self.0.1.get().copied()
    }

    /// Sets the language that a field names.
    pub fn set_language(&self, language: Language) {
        // The fields of a request are read once.
        let _ = self.0.1.set(language);
    }
}
