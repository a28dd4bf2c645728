//! The in-memory audit trail.

use async_trait::async_trait;
use domain::{
    audit::{AuditFilter, AuditedKind},
    page::{Page, PageRequest},
    time::Timestamp,
};

use super::session::Session;
use crate::audit::digested;
use crate::ports::{AuditEntry, AuditTrail, StoreError, entries_of_page};

fn holds(filter: &AuditFilter, entry: &AuditEntry) -> bool {
    let AuditFilter {
        kind,
        record,
        user,
        action,
        from,
        until,
        below,
    } = filter;
    kind.is_none_or(|kind| entry.kind == kind)
        && record.is_none_or(|record| entry.record == record)
        && user.is_none_or(|user| entry.user == Some(user))
        && action.is_none_or(|action| entry.action == action)
        && from.is_none_or(|from| from <= entry.at)
        && until.is_none_or(|until| entry.at < until)
        && below.is_none_or(|below| entry.number < below)
}

#[async_trait]
impl AuditTrail for Session {
    async fn add(&self, entry: &AuditEntry) -> Result<(), StoreError> {
        self.write(|state| {
            state.last_entry += 1;
            let number = state.last_entry;
            let entry = entry.clone();
            state.trail.push_back(AuditEntry { number, ..entry });
            Ok(())
        })
    }

    async fn page(
        &self,
        filter: &AuditFilter,
        page: PageRequest,
    ) -> Result<Page<AuditEntry>, StoreError> {
        self.read(|state| {
            let entries = state.trail.iter().rev();
            let found = entries.filter(|entry| holds(filter, entry)).cloned();
            let mut found = Page::of(found.collect(), page);
            let sizes = found.rows.iter().map(AuditEntry::bytes);
            found.rows.truncate(entries_of_page(sizes));
            found
        })
    }

    async fn forget_values(&self, kind: AuditedKind, record: i64) -> Result<(), StoreError> {
        self.write(|state| {
            for entry in &mut state.trail {
                if entry.kind == kind && entry.record == record {
                    entry.changes = digested(&entry.changes);
                }
            }
            Ok(())
        })
    }

    async fn entries_after(&self, number: i64, limit: u64) -> Result<Vec<AuditEntry>, StoreError> {
        self.read(|state| {
            let limit = usize::try_from(limit).unwrap_or(usize::MAX);
            let entries = state.trail.iter().filter(|entry| entry.number > number);
            let entries: Vec<_> = entries.take(limit).collect();
            let number = entries_of_page(entries.iter().map(|entry| entry.bytes()));
            entries.into_iter().take(number).cloned().collect()
        })
    }

    async fn prune(&self, before: Timestamp, limit: u64) -> Result<u64, StoreError> {
        self.write(|state| {
            let mut left = limit;
            state.trail.retain(|entry| {
                let is_deleted = entry.at < before && left > 0;
                left -= u64::from(is_deleted);
                !is_deleted
            });
            Ok(limit - left)
        })
    }
}
