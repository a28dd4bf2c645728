//! The ledger of imports.

use std::{
    collections::{BTreeMap, HashSet},
    fmt,
    str::FromStr,
};

use async_trait::async_trait;
use domain::{EventId, FieldName, Kind, Record, UnknownName, recurrence::Slot, time::Timestamp};
use sha2::{Digest as _, Sha256};

use crate::ports::StoreError;

/// A record that a source of imports brought, as the source had it when it was last imported.
///
/// ```
/// use events_calendar_app::ports::{FieldDigests, ImportedRecord, Repositories, Store, StoreError};
/// use events_calendar_app::test_support::{InMemoryStore, add_user, event};
/// use domain::{Kind, Role};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), StoreError> {
/// let store = InMemoryStore::new();
/// add_user(&store, "ada", Role::Editor).await;
/// let unit = store.begin().await?;
/// let fair = event("Fair").insert(&*unit).await;
/// let brought = ImportedRecord {
///     source: "festival".to_owned(),
///     kind: Kind::Event,
///     uid: "1@fair.example".to_owned(),
///     id: fair.id.get(),
///     sequence: 0,
///     stamp: None,
///     digest: "5f".to_owned(),
///     slot: None,
///     fields: FieldDigests::default(),
/// };
/// unit.imports().remember(&brought).await?;
/// let uids = ["1@fair.example".to_owned()];
/// let found = unit.imports().find("festival", Kind::Event, &uids).await?;
/// assert_eq!(found, [brought]);
/// assert_eq!(unit.imports().page("festival", Kind::Event, "", 10).await?, found);
/// assert_eq!(unit.imports().of_records(Kind::Event, &[fair.id.get()]).await?, found);
///
/// // A row of a file, which has no identifier.
/// unit.imports().record("a0", 0, fair.id).await?;
/// assert!(unit.imports().known(&["a0".to_owned()]).await?.contains(&("a0".to_owned(), 0)));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedRecord {
    /// The name of the source.
    pub source: String,
    /// The kind of the record.
    pub kind: Kind,
    /// The identifier of the record in the source: unique among those of its kind.
    pub uid: String,
    /// The ID of the record in this calendar.
    pub id: i64,
    /// The number of changes that matter to guests, 0 for sources without such a number.
    pub sequence: i64,
    /// The last change in the source.
    pub stamp: Option<Timestamp>,
    /// The digest of the content in the source.
    pub digest: String,
    /// The slot that the record has in the series with `id`, if the source has a record for each
    /// occurrence of it.
    pub slot: Option<Slot>,
    /// The digests of the fields as the import stored them.
    pub fields: FieldDigests,
}

/// The digests of the fields of a record as an import stored them. A field without a value has none.
///
/// ```
/// use events_calendar_app::{ports::FieldDigests, test_support::venue};
/// use domain::FieldName;
///
/// let mut mill = venue("Old Mill").build();
/// let stored = FieldDigests::of(&mill);
/// assert_eq!(stored.to_string().parse(), Ok(stored.clone()));
/// mill.details.city = "Lyon".to_owned();
/// assert!(!stored.is_untouched(FieldName::City, &mill));
/// assert!(stored.is_untouched(FieldName::Venue, &mill));
///
/// // An import stores another name, and leaves the city.
/// let before = mill.clone();
/// mill.title = "Mill".parse()?;
/// let next = stored.next(&before, &mill);
/// assert!(next.is_untouched(FieldName::Venue, &mill) && !next.is_untouched(FieldName::City, &mill));
/// let with_dates = next.clone().with(FieldName::Overrides, Some("2030-01-01"));
/// assert!(with_dates.is_same(FieldName::Overrides, Some("2030-01-01")));
/// assert!(next.is_same(FieldName::Overrides, None));
///
/// // Nothing is known of a record that an earlier version of the program brought.
/// let unknown = FieldDigests::default();
/// assert!(!unknown.is_untouched(FieldName::Venue, &mill) && unknown.is_untouched(FieldName::Zip, &mill));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldDigests(BTreeMap<FieldName, String>);

/// The bytes of a digest: so many that no edit is missed by chance.
const BYTES: usize = 8;

/// The digest of the value of a field.
fn digest(value: &str) -> String {
    let hash = Sha256::digest(value);
    let bytes = hash.iter().take(BYTES);
    let number = bytes.fold(0, |number, byte| (number << 8) | u64::from(*byte));
    format!("{number:016x}")
}

impl FieldDigests {
    /// The digests of all fields of a record.
    pub fn of(record: &impl Record) -> Self {
        let fields = FieldName::ALL.into_iter();
        let digests = fields.filter_map(|field| Some((field, digest(&record.written(field)?))));
        Self(digests.collect())
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a field of a record has the value that an import stored.
    pub fn is_untouched(&self, field: FieldName, present: &impl Record) -> bool {
        self.is_same(field, present.written(field).as_deref())
    }

    /// Whether a value is the one that an import stored.
    pub fn is_same(&self, field: FieldName, value: Option<&str>) -> bool {
        self.0.get(&field) == value.map(digest).as_ref()
    }

    /// The digests with another value of a field.
    #[must_use]
    pub fn with(mut self, field: FieldName, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.0.insert(field, digest(value)),
            None => self.0.remove(&field),
        };
        self
    }

    /// The digests after an import that changed a record. A field that somebody else changed before, and that
    /// the import left, keeps its digest.
    #[must_use]
    pub fn next<R: Record>(&self, before: &R, after: &R) -> Self {
        let mut next = self.clone();
        for field in FieldName::ALL {
            let value = after.written(field);
            if value != before.written(field) || self.is_untouched(field, before) {
                next = next.with(field, value.as_deref());
            }
        }
        next
    }
}

impl fmt::Display for FieldDigests {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (field, digest)) in self.0.iter().enumerate() {
            let blank = if number == 0 { "" } else { " " };
            write!(f, "{blank}{field}={digest}")?;
        }
        Ok(())
    }
}

impl FromStr for FieldDigests {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let read = |pair: &str| {
            let (field, digest) = pair.split_once('=').ok_or(UnknownName)?;
            Ok((field.parse()?, digest.to_owned()))
        };
        let pairs = text.split_ascii_whitespace().map(read);
        pairs.collect::<Result<_, _>>().map(Self)
    }
}

/// The ledger of imports: rows of files by their digest, and records by their source.
#[cfg_attr(any(test, feature = "test-support"), mockall::automock)]
#[async_trait]
pub trait ImportLedger: Send + Sync {
    /// The imported rows with these digests, each with its ordinal (from 0 among equal rows). The
    /// number of statements MUST NOT depend on the number of digests.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn known(&self, digests: &[String]) -> Result<HashSet<(String, i64)>, StoreError>;

    /// Records that a row became this event.
    ///
    /// # Errors
    ///
    /// [`StoreError::Conflict`] if the row was recorded before; or if the store cannot answer.
    async fn record(&self, digest: &str, ordinal: i64, event: EventId) -> Result<(), StoreError>;

    /// The records of a kind that a source brought under these identifiers, in the order of the
    /// identifiers. A record that is deleted for good MUST NOT be among them. The number of
    /// statements MUST NOT depend on the number of identifiers, of which there are at most 1,000.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn find(
        &self,
        source: &str,
        kind: Kind,
        uids: &[String],
    ) -> Result<Vec<ImportedRecord>, StoreError>;

    /// Remembers a record, in place of what was remembered under its source, kind and identifier.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn remember(&self, record: &ImportedRecord) -> Result<(), StoreError>;

    /// The records of a kind that a source brought, in the order of their identifiers: at most
    /// `limit` with identifiers after `after`, which is empty for the first page.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn page(
        &self,
        source: &str,
        kind: Kind,
        after: &str,
        limit: u64,
    ) -> Result<Vec<ImportedRecord>, StoreError>;

    /// The ledger rows of these IDs, of all sources, in the order of the sources and their identifiers. The
    /// number of statements MUST NOT depend on the number of IDs, of which there are at most 1,000.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn of_records(&self, kind: Kind, ids: &[i64]) -> Result<Vec<ImportedRecord>, StoreError>;
}
