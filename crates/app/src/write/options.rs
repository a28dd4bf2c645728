//! Options of reads and deletions.

use domain::{Language, Secret, entry::PasswordHash};

use crate::event::Scope;

/// The options of a read; by default, there are none.
///
/// ```
/// use events_calendar_app::write::ReadOptions;
/// use domain::{Language, Secret};
///
/// let options = ReadOptions::default()
///     .language(Language::French)
///     .password(Secret::new("let me in".to_owned()));
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct ReadOptions {
    /// The language of the texts.
    pub language: Option<Language>,
    /// The password that opens locked events.
    pub password: Option<Secret>,
    /// The hash of the password for which a pass stands.
    pub(crate) opened: Option<PasswordHash>,
}

impl ReadOptions {
    /// Reads in this language. By default, a record found by its slug is read in the language of
    /// the slug, others in that of the site.
    pub fn language(mut self, language: Language) -> Self {
        self.language = Some(language);
        self
    }

    /// Opens the events that this password locks.
    pub fn password(mut self, password: Secret) -> Self {
        self.password = Some(password);
        self
    }
}

impl From<&Self> for ReadOptions {
    fn from(options: &Self) -> Self {
        options.clone()
    }
}

/// The options of a deletion; by default, a record goes to the trash if its kind has one.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct DeleteOptions {
    /// The language of the answer.
    pub language: Option<Language>,
    /// Whether the record is removed for good.
    pub force: bool,
    /// The occurrences of a series that go.
    pub scope: Option<Scope>,
}

impl DeleteOptions {
    /// Removes the record, and leaves nothing in the trash.
    pub fn permanently() -> Self {
        Self {
            force: true,
            ..Self::default()
        }
    }

    /// Deletes these occurrences of a series; by default, that which is named alone.
    ///
    /// ```
    /// use events_calendar_app::{event::Scope, write::DeleteOptions};
    ///
    /// let later = DeleteOptions::default().scope(Scope::Following);
    /// ```
    pub fn scope(mut self, scope: Scope) -> Self {
        self.scope = Some(scope);
        self
    }

    /// Returns the deleted record in this language.
    pub fn language(mut self, language: Language) -> Self {
        self.language = Some(language);
        self
    }
}
