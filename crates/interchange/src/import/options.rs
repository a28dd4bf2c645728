//! The options of an import of a file.

use app::{calendar::require, error::AppError, fault::Fault};
use domain::{
    Kind, Language, Status,
    duplicate::MergeDuplicates,
    policy::Capability,
    source::UpdatePolicy,
    text::Title,
    time::{DateOrder, Zone},
};
use forms::{DefaultValue, Fields, Input, Param, Reading, Schema, declare, values};
use serde_json::Value;

/// The options of an import of a calendar file.
///
/// ```
/// use domain::source::UpdatePolicy;
/// use events_calendar_interchange::import::ImportOptions;
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
    /// The status of new events, whatever the file says, but for private ones; by default that of the file.
    pub status: Option<Status>,
    /// The name of a category of all events.
    pub category: Option<Title>,
    /// The kind of the rows of a table: events, venues or organizers.
    pub kind: Kind,
    /// The duplicates that are merged; by default those of the setting of the site.
    pub merge_duplicates: Option<MergeDuplicates>,
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
            status: None,
            category: None,
            kind: Kind::Event,
            merge_duplicates: None,
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

declare! {
    /// The name of the source. An import updates only what an import from the same source brought.
    SOURCE: Source, Schema::Text, default(DefaultValue::Text("import")) => source as String;
    /// The fields of known events that change: all, those that nobody changed here, none, or those that are empty.
    POLICY: Policy, Schema::OneOf(&UpdatePolicy::NAMES), default(DefaultValue::Text("overwrite"));
    /// The time zone of wall clocks for which the file names none. The default is that of the site.
    TIMEZONE: TimeZone, Schema::Zone, example("Europe/Paris");
    /// Put those events of the source into the trash that have not ended and that the file has no longer.
    PRUNE: Prune, Schema::Boolean, default(DefaultValue::Flag(false)) => values::boolean as bool;
    /// Store nothing, and answer as if the file were imported.
    DRY_RUN: DryRun, Schema::Boolean, default(DefaultValue::Flag(false)) => values::boolean as bool;
    /// The kind of the rows of a table.
    KIND: Kind, Schema::OneOf(&["events", "venues", "organizers"]), default(DefaultValue::Text("events")) => kind as domain::Kind;
    /// The duplicates of records here that are looked for, and those that are merged: none, none but reported, or those without doubt. The default is that of the site.
    MERGE_DUPLICATES: MergeDuplicates, Schema::OneOf(&MergeDuplicates::NAMES);
    /// The order of day and month in dates of a table such as 5/12/2027. The default is the order that other dates of the table tell, else the order of the language.
    DATE_ORDER: DateOrder, Schema::OneOf(&["mdy", "dmy"]), example("dmy");
}

/// The options of an import, as the interface describes them.
pub const IMPORT_OPTIONS: [Param; 8] = [
    SOURCE.param,
    POLICY,
    TIMEZONE,
    PRUNE.param,
    DRY_RUN.param,
    KIND.param,
    MERGE_DUPLICATES,
    DATE_ORDER,
];

impl ImportOptions {
    /// Reads the options of an import from the fields of a request.
    ///
    /// ```
    /// use app::{AppError, site::Site, test_support::at};
    /// use domain::{Role, UserId, policy::Caller, source::UpdatePolicy};
    /// use forms::{Fields, Reading};
    /// use events_calendar_interchange::import::ImportOptions;
    ///
    /// let (site, now) = (Site::default(), at("2030-01-01 09:00:00"));
    /// let editor = Caller::of(UserId::from_raw(1), Role::Editor);
    /// let fields = Fields::from_query("policy=keep");
    /// let options = ImportOptions::read(&fields, Reading { caller: editor, site: &site, now })?;
    /// assert_eq!((options.policy, options.source.as_str()), (UpdatePolicy::Keep, "import"));
    /// assert_eq!(options.zone, None);
    /// let caller = Caller::Anonymous;
    /// let refused = ImportOptions::read(&fields, Reading { caller, site: &site, now });
    /// assert!(matches!(refused, Err(AppError::Unauthenticated)));
    /// # Ok::<(), AppError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError::Invalid`] for bad fields; [`AppError::Unauthenticated`] or [`AppError::Forbidden`]
    /// for callers below editors.
    pub fn read(fields: &Fields, reading: Reading<'_>) -> Result<Self, AppError> {
        let mut input = Input::new(fields);
        input.language();
        let default = Self::default();
        let options = Self {
            source: input.take(&SOURCE).unwrap_or(default.source),
            policy: input.word(&POLICY).unwrap_or_default(),
            prune: input.take(&PRUNE).unwrap_or_default(),
            dry_run: input.take(&DRY_RUN).unwrap_or_default(),
            status: None,
            category: None,
            kind: input.take(&KIND).unwrap_or(default.kind),
            merge_duplicates: input.word(&MERGE_DUPLICATES),
            zone: input.read(&TIMEZONE, |value| values::zone(value, reading.zone())),
            date_order: input.word(&DATE_ORDER),
            language: fields.language(),
        };
        input.finish_strict(None)?;
        require(reading.caller, Capability::EditOthers)?;
        Ok(options)
    }
}

/// Reads the kind of the rows of a table.
fn kind(value: &Value) -> Result<Kind, Fault> {
    let kinds = [Kind::Event, Kind::Venue, Kind::Organizer];
    let name = values::text(value)?;
    let named = kinds.into_iter().find(|kind| kind.plural() == name);
    named.ok_or_else(|| Fault::NotOneOf(kinds.map(Kind::plural).to_vec()))
}

/// Reads the name of a source.
fn source(value: &Value) -> Result<String, Fault> {
    let name = values::line(value)?;
    match name.chars().count() {
        0 => Err(Fault::Empty),
        chars if chars > MAX_SOURCE_CHARS => Err(Fault::TooLong(MAX_SOURCE_CHARS)),
        _ => Ok(name),
    }
}
