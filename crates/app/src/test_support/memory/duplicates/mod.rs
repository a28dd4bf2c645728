//! The in-memory store of pairs of records that look alike.

use std::cmp::Reverse;

use async_trait::async_trait;
use domain::{
    Id, Kind,
    duplicate::{Duplicate, DuplicateState},
    page::{Page, PageRequest},
};

use super::{session::Session, state::State};
use crate::ports::{DuplicateFilter, Duplicates, StoreError, StoredDuplicate};

/// The name of the position up to which records were compared.
const COMPARED: &str = "duplicates_compared";

impl State {
    /// Deletes the pairs of a deleted record.
    pub(super) fn forget_pairs(&mut self, kind: Kind, record: i64) {
        self.duplicates.retain(|_, stored| {
            let is_of = match &stored.merge {
                Some(merge) => merge.kept == record,
                None => stored.pair.other_than(record).is_some(),
            };
            stored.pair.kind != kind || !is_of
        });
    }

    /// The record into which one was merged.
    pub(super) fn merged_into(&self, kind: Kind, gone: i64) -> Option<i64> {
        let mut of_kind = self.duplicates.values().filter(|one| one.pair.kind == kind);
        of_kind.find_map(|one| {
            let kept = one.merge.as_ref()?.kept;
            (one.pair.other_than(kept) == Some(gone)).then_some(kept)
        })
    }
}

#[async_trait]
impl Duplicates for Session {
    async fn find(&self, id: Id<Duplicate>) -> Result<Option<StoredDuplicate>, StoreError> {
        self.read(|state| state.duplicates.get(&id).cloned())
    }

    async fn of_pair(
        &self,
        kind: Kind,
        records: [i64; 2],
    ) -> Result<Option<StoredDuplicate>, StoreError> {
        self.read(|state| {
            let mut all = state.duplicates.values();
            let found = all.find(|one| (one.pair.kind, one.pair.records) == (kind, records));
            found.cloned()
        })
    }

    async fn newest(&self) -> Result<Option<Id<Duplicate>>, StoreError> {
        self.read(|state| state.duplicates.keys().next_back().copied())
    }

    async fn page(
        &self,
        filter: &DuplicateFilter,
        page: PageRequest,
    ) -> Result<Page<StoredDuplicate>, StoreError> {
        let DuplicateFilter { state, kind } = *filter;
        self.read(|all| {
            let all = all.duplicates.values();
            let mut found: Vec<_> = all
                .filter(|one| {
                    state.is_none_or(|state| one.pair.state == state)
                        && kind.is_none_or(|kind| one.pair.kind == kind)
                })
                .cloned()
                .collect();
            found.sort_by_key(|one| (Reverse(one.pair.likeness.score), one.id));
            Page::of(found, page)
        })
    }

    async fn insert(&self, pair: &Duplicate) -> Result<StoredDuplicate, StoreError> {
        self.write(|state| {
            let records = (pair.kind, pair.records);
            let mut all = state.duplicates.values();
            if all.any(|one| (one.pair.kind, one.pair.records) == records) {
                return Err(StoreError::Conflict);
            }
            state.last_duplicate += 1;
            let stored = StoredDuplicate {
                id: Id::from_raw(state.last_duplicate),
                pair: pair.clone(),
                merge: None,
            };
            state.duplicates.insert(stored.id, stored.clone());
            Ok(stored)
        })
    }

    async fn update(&self, stored: &StoredDuplicate) -> Result<bool, StoreError> {
        self.write(|state| {
            let present = state.duplicates.get_mut(&stored.id);
            Ok(present.map(|present| present.clone_from(stored)).is_some())
        })
    }

    async fn delete(&self, id: Id<Duplicate>) -> Result<bool, StoreError> {
        self.write(|state| Ok(state.duplicates.remove(&id).is_some()))
    }

    async fn open_of(&self, kind: Kind, record: i64) -> Result<Vec<StoredDuplicate>, StoreError> {
        self.read(|state| {
            let all = state.duplicates.values();
            let open = all.filter(|one| {
                let pair = &one.pair;
                let is_open = pair.state == DuplicateState::Open;
                is_open && pair.kind == kind && pair.other_than(record).is_some()
            });
            open.cloned().collect()
        })
    }

    async fn compared(&self) -> Result<Option<String>, StoreError> {
        self.read(|state| state.settings.get(COMPARED).cloned())
    }

    async fn set_compared(&self, position: &str) -> Result<(), StoreError> {
        self.write(|state| {
            let (name, position) = (COMPARED.to_owned(), position.to_owned());
            state.settings.insert(name, position);
            Ok(())
        })
    }

    async fn merged_into(&self, kind: Kind, gone: i64) -> Result<Option<i64>, StoreError> {
        self.read(|state| state.merged_into(kind, gone))
    }
}
