//! The ledger of imports.

use std::collections::HashSet;

use async_trait::async_trait;
use domain::{EventId, Kind, recurrence::Slot, time::Timestamp};

use crate::ports::StoreError;

/// A record that a source of imports brought, as the source had it when it was last imported.
///
/// ```
/// use events_calendar_app::ports::{ImportedRecord, Repositories, Store, StoreError};
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
