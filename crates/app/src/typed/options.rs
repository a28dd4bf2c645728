//! Options of reads and deletions.

use domain::{Language, Secret};

use crate::{event::Scope, input::Fields};

/// The options of a read; by default, there are none.
///
/// ```
/// use app::typed::ReadOptions;
/// use domain::{Language, Secret};
///
/// let options = ReadOptions::default()
///     .language(Language::French)
///     .password(Secret::new("let me in".to_owned()));
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct ReadOptions(Fields);

impl ReadOptions {
    /// Reads in this language. By default, a record found by its slug is read in the language of
    /// the slug, others in that of the site.
    pub fn language(mut self, language: Language) -> Self {
        self.0.language = Some(language);
        self
    }

    /// Opens the events that this password locks.
    pub fn password(mut self, password: Secret) -> Self {
        let password = password.expose().as_str();
        self.0.query.insert("password".to_owned(), password.into());
        self
    }
}

impl AsRef<Fields> for ReadOptions {
    fn as_ref(&self) -> &Fields {
        &self.0
    }
}

/// The options of a deletion; by default, a record goes to the trash if its kind has one.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct DeleteOptions(Fields);

impl DeleteOptions {
    /// Removes the record, and leaves nothing in the trash.
    pub fn permanently() -> Self {
        let mut options = Self::default();
        options.0.body.insert("force".to_owned(), true.into());
        options
    }

    /// Deletes these occurrences of a series; by default, that which is named alone.
    ///
    /// ```
    /// use app::{event::Scope, typed::DeleteOptions};
    ///
    /// let later = DeleteOptions::default().scope(Scope::Following);
    /// ```
    pub fn scope(mut self, scope: Scope) -> Self {
        self.0.body.insert("scope".to_owned(), scope.name().into());
        self
    }

    /// Returns the deleted record in this language.
    pub fn language(mut self, language: Language) -> Self {
        self.0.language = Some(language);
        self
    }
}

impl AsRef<Fields> for DeleteOptions {
    fn as_ref(&self) -> &Fields {
        &self.0
    }
}
