//! The options of an import of a file.

use domain::{
    Kind, Language,
    policy::{Caller, Capability},
    time::{DateOrder, Zone},
};

use super::UpdatePolicy;
use crate::{
    calendar::{Calendar, require},
    error::AppError,
    input::{self, Fault, Fields, Input},
};

/// The options of an import of a calendar file.
///
/// ```
/// use app::import::{ImportOptions, UpdatePolicy};
///
/// let options = ImportOptions { policy: UpdatePolicy::Keep, ..ImportOptions::from_source("festival") };
/// assert!(!options.dry_run && !options.prune);
/// ```
#[derive(Clone, Debug)]
pub struct ImportOptions {
    /// The name of the source. Only events that an import from the same source brought are updated.
    pub source: String,
    /// The fields of known events that change.
    pub policy: UpdatePolicy,
    /// Whether events of the source that have not ended and that the file has no longer go to the
    /// trash.
    pub prune: bool,
    /// Whether nothing is stored.
    pub dry_run: bool,
    /// The kind of the rows of a table: events, venues or organizers.
    pub kind: Kind,
    /// The zone of wall clocks for which the file names none; by default the zone of the site.
    pub zone: Option<Zone>,
    /// The order of day and month in the dates of a table; by default that which its dates tell, or
    /// else the order of the language.
    pub date_order: Option<DateOrder>,
    /// The language of the file; by default the language of the site.
    pub language: Option<Language>,
}

/// The source of an import that names none.
const DEFAULT_SOURCE: &str = "import";

/// Most characters of the name of a source.
const MAX_SOURCE_CHARS: usize = 200;

impl ImportOptions {
    /// An import from a source that overwrites what it brought before.
    pub fn from_source(source: impl Into<String>) -> Self {
        Self {
            source: source.into(),
            policy: UpdatePolicy::default(),
            prune: false,
            dry_run: false,
            kind: Kind::Event,
            zone: None,
            date_order: None,
            language: None,
        }
    }
}

impl Default for ImportOptions {
    /// An import from the source `import`.
    fn default() -> Self {
        Self::from_source(DEFAULT_SOURCE)
    }
}

impl Calendar {
    /// Reads the options of an import from the fields of a request: `source`, `policy`, `timezone`,
    /// `prune`, `dry_run`, `kind`, `date_order`.
    ///
    /// ```
    /// use app::{AppError, import::UpdatePolicy, input::Fields};
    /// use domain::{Role, policy::Caller};
    /// # use app::test_support::{InMemoryStore, add_user, calendar};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    /// let mut fields = Fields::default();
    /// fields.query.insert("policy".to_owned(), "keep".into());
    /// let options = calendar.read_import_options(editor, &fields)?;
    /// assert_eq!((options.policy, options.source.as_str()), (UpdatePolicy::Keep, "import"));
    /// assert_eq!(options.zone, None);
    /// let refused = calendar.read_import_options(Caller::Anonymous, &fields);
    /// assert!(matches!(refused, Err(AppError::Unauthenticated)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError::Invalid`] for bad fields; [`AppError::Unauthenticated`] or [`AppError::Forbidden`]
    /// for callers below editors.
    pub fn read_import_options(
        &self,
        caller: Caller,
        fields: &Fields,
    ) -> Result<ImportOptions, AppError> {
        let mut input = Input::new(fields);
        input.language();
        let default = ImportOptions::default();
        let names = || UpdatePolicy::ALL.map(UpdatePolicy::name).to_vec();
        let options = ImportOptions {
            source: input.read("source", source).unwrap_or(default.source),
            policy: input
                .read("policy", |value| {
                    let policy = input::text(value)?.parse();
                    policy.map_err(|_| Fault::NotOneOf(names()))
                })
                .unwrap_or_default(),
            prune: input.read("prune", input::boolean).unwrap_or_default(),
            dry_run: input.read("dry_run", input::boolean).unwrap_or_default(),
            kind: input.read("kind", kind).unwrap_or(default.kind),
            zone: input.read("timezone", |value| input::zone(value, &self.site().zone)),
            date_order: input.read("date_order", |value| {
                let order = input::text(value)?.parse();
                order.map_err(|_| Fault::NotOneOf(DateOrder::ALL.map(DateOrder::name).to_vec()))
            }),
            language: fields.language(),
        };
        input.finish_strict(None)?;
        require(caller, Capability::EditOthers)?;
        Ok(options)
    }
}

/// Reads the kind of the rows of a table.
fn kind(value: &serde_json::Value) -> Result<Kind, Fault> {
    let kinds = [Kind::Event, Kind::Venue, Kind::Organizer];
    let name = input::text(value)?;
    let named = kinds.into_iter().find(|kind| kind.plural() == name);
    named.ok_or_else(|| Fault::NotOneOf(kinds.map(Kind::plural).to_vec()))
}

/// Reads the name of a source.
fn source(value: &serde_json::Value) -> Result<String, Fault> {
    let name = input::line(value)?;
    match name.chars().count() {
        0 => Err(Fault::Empty),
        chars if chars > MAX_SOURCE_CHARS => Err(Fault::TooLong(MAX_SOURCE_CHARS)),
        _ => Ok(name),
    }
}
