//! The audit trail.

use async_trait::async_trait;
use domain::{
    UserId,
    audit::{AuditAction, AuditChannel, AuditFilter, AuditedKind, FieldChange, ValueChange},
    page::{Page, PageRequest},
    time::Timestamp,
};

use crate::ports::StoreError;

/// An entry of the trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    /// Its number, which grows; 0 before it is stored.
    pub number: i64,
    /// The time of the write.
    pub at: Timestamp,
    /// The user; `None` for visitors and jobs. The user may have been removed since.
    pub user: Option<UserId>,
    /// The name that the user had, if it was known.
    pub user_name: Option<String>,
    /// The way on which the write came.
    pub channel: AuditChannel,
    /// The token by its ID, the command, or the job.
    pub channel_name: Option<String>,
    /// The address of the client.
    pub address: Option<String>,
    /// The ID of the request.
    pub request_id: Option<String>,
    /// The effect.
    pub action: AuditAction,
    /// The kind of the record.
    pub kind: AuditedKind,
    /// The ID of the record.
    pub record: i64,
    /// The revision of the record after the write; 0 for a kind without revisions.
    pub revision: i64,
    /// The changed fields.
    pub changes: Vec<FieldChange>,
}

impl AuditEntry {
    /// The size of the changes: names of fields and values, in bytes.
    pub fn bytes(&self) -> usize {
        let size = |value: &Option<String>| value.as_ref().map_or(0, String::len);
        let change = |change: &FieldChange| {
            let values = match &change.change {
                ValueChange::Whole { old, new } | ValueChange::Digest { old, new } => {
                    size(old) + size(new)
                }
                ValueChange::Part { old, new, .. } => old.len() + new.len(),
                ValueChange::Secret => 0,
            };
            change.field.as_str().len() + values
        };
        self.changes.iter().map(change).sum()
    }
}

/// The changes of a page of the trail have about this many bytes at most: it ends early, after its first entry at the
/// soonest. [`AuditFilter::below`] the number of its last entry, the list goes on.
///
/// ```
/// assert_eq!(events_calendar_app::ports::AUDIT_PAGE_BYTES, 1_048_576);
/// ```
pub const AUDIT_PAGE_BYTES: usize = 1 << 20;

/// The number of entries with which a page ends whose entries have these sizes, in their order.
///
/// ```
/// use events_calendar_app::ports::{AUDIT_PAGE_BYTES, entries_of_page};
/// assert_eq!(entries_of_page([10, 20]), 2);
/// assert_eq!(entries_of_page([10, AUDIT_PAGE_BYTES, 10]), 1);
/// assert_eq!(entries_of_page([2 * AUDIT_PAGE_BYTES, 10]), 1);
/// ```
pub fn entries_of_page(sizes: impl IntoIterator<Item = usize>) -> usize {
    let mut bytes = 0;
    let mut entries = 0;
    for size in sizes {
        bytes += size;
        if entries > 0 && bytes > AUDIT_PAGE_BYTES {
            break;
        }
        entries += 1;
    }
    entries
}

/// The entries of the trail.
///
/// ```
/// use events_calendar_app::{
///     ports::{AuditEntry, AuditTrail, Repositories, Store},
///     test_support::{InMemoryStore, at},
/// };
/// use domain::{audit::{AuditAction, AuditChannel, AuditFilter, AuditedKind}, page::PageRequest};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = InMemoryStore::new();
/// let unit = store.begin().await?;
/// let trail: &dyn AuditTrail = unit.audit();
/// let entry = AuditEntry {
///     number: 0,
///     at: at("2030-01-01 09:00:00"),
///     user: None,
///     user_name: None,
///     channel: AuditChannel::Job,
///     channel_name: Some("extension of series".to_owned()),
///     address: None,
///     request_id: None,
///     action: AuditAction::Update,
///     kind: AuditedKind::Event,
///     record: 7,
///     revision: 2,
///     changes: Vec::new(),
/// };
/// trail.add(&entry).await?;
/// let page = trail.page(&AuditFilter::default(), PageRequest::new(1, 10, 100)).await?;
/// assert_eq!(page.rows, [AuditEntry { number: 1, ..entry }]);
/// assert_eq!(trail.entries_after(1, 10).await?, []);
/// trail.forget_values(AuditedKind::Event, 7).await?;
/// assert_eq!(trail.prune(at("2030-01-01 09:00:01"), 10).await?, 1);
/// # Ok(())
/// # }
/// ```
#[cfg_attr(any(test, feature = "test-support"), mockall::automock)]
#[async_trait]
pub trait AuditTrail: Send + Sync {
    /// Adds an entry, under the next number, whatever number it has. It MUST be a part of the unit of work, and outlive the
    /// record and the user that it names.
    ///
    /// # Errors
    ///
    /// If the store cannot answer; so for every method here.
    async fn add(&self, entry: &AuditEntry) -> Result<(), StoreError>;

    /// A page of the entries, the newest first, by number. It MUST end early as [`AUDIT_PAGE_BYTES`] says. Its total counts
    /// all entries that the filter has.
    ///
    /// # Errors
    ///
    /// As for `add`.
    async fn page(
        &self,
        filter: &AuditFilter,
        page: PageRequest,
    ) -> Result<Page<AuditEntry>, StoreError>;

    /// Replaces the values of all entries of a record by their digests, as [`digested`](crate::audit::digested) says. It MUST be a part of the unit
    /// of work, and concern the entries that the unit added.
    ///
    /// # Errors
    ///
    /// As for `add`.
    async fn forget_values(&self, kind: AuditedKind, record: i64) -> Result<(), StoreError>;

    /// The entries above a number, the oldest first, at most `limit`. The list MUST end early as [`AUDIT_PAGE_BYTES`] says.
    ///
    /// # Errors
    ///
    /// As for `add`.
    async fn entries_after(&self, number: i64, limit: u64) -> Result<Vec<AuditEntry>, StoreError>;

    /// Deletes entries from before an instant, at most `limit`. Returns their number.
    ///
    /// # Errors
    ///
    /// As for `add`.
    async fn prune(&self, before: Timestamp, limit: u64) -> Result<u64, StoreError>;
}
