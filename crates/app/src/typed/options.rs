//! Options of reads and deletions.

use domain::{Kind, Language, Secret};

use crate::{
    event::{Scope, read_scope},
    input::{self, BadFields, Fields, Input},
};

/// The options of a read; by default, there are none.
///
/// ```
/// use app::typed::ReadOptions;
/// use domain::{Kind, Language, Secret};
///
/// let options = ReadOptions::default()
///     .language(Language::French)
///     .password(Secret::new("let me in".to_owned()));
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct ReadOptions {
    pub(crate) language: Option<Language>,
    pub(crate) password: Option<Secret>,
}

impl ReadOptions {
    /// Reads the options of a request for one record.
    ///
    /// ```
    /// use app::{input::Fields, typed::ReadOptions};
    /// use domain::Kind;
    ///
    /// let mut fields = Fields::default();
    /// assert!(ReadOptions::read(&fields, Kind::Venue).is_ok());
    /// fields.query.insert("ml_language".to_owned(), "de".into());
    /// assert!(ReadOptions::read(&fields, Kind::Venue).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// [`BadFields::Invalid`] for an unknown language or an empty password; in a strict request, also
    /// for other fields.
    pub fn read(fields: &Fields, kind: Kind) -> Result<Self, BadFields> {
        let mut input = Input::new(fields);
        input.language();
        if kind == Kind::Event {
            input.read("password", |value| input::text(value).map(str::to_owned));
        }
        input.finish_strict(None)?;
        Ok(Self::from(fields))
    }

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

/// The options of a request, as far as it has them: nothing is refused.
///
/// ```
/// use app::{input::Fields, typed::ReadOptions};
///
/// let mut fields = Fields::default();
/// fields.query.insert("ml_language".to_owned(), "fr".into());
/// assert!(format!("{:?}", ReadOptions::from(&fields)).contains("French"));
/// ```
impl From<&Fields> for ReadOptions {
    fn from(fields: &Fields) -> Self {
        let password = fields.password().map(str::to_owned);
        Self {
            language: fields.language(),
            password: password.map(Secret::new),
        }
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
    pub(crate) language: Option<Language>,
    pub(crate) force: bool,
    pub(crate) scope: Option<Scope>,
}

impl DeleteOptions {
    /// Reads the options of a request.
    ///
    /// ```
    /// use app::{input::Fields, typed::DeleteOptions};
    /// use domain::Kind;
    ///
    /// let mut fields = Fields::default();
    /// fields.query.insert("force".to_owned(), "maybe".into());
    /// assert!(DeleteOptions::read(&fields, Kind::Venue).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// [`BadFields::Invalid`] for a bad value; in a strict request, also for other fields.
    pub fn read(fields: &Fields, kind: Kind) -> Result<Self, BadFields> {
        let mut input = Input::new(fields);
        input.language();
        let force = input.read("force", input::boolean).unwrap_or(false);
        let is_event = kind == Kind::Event;
        let scope = is_event.then(|| read_scope(&mut input)).flatten();
        input.finish_strict(None)?;
        Ok(Self {
            language: fields.language(),
            force,
            scope,
        })
    }

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
    /// use app::{event::Scope, typed::DeleteOptions};
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
