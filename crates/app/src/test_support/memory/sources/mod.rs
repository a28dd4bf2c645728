//! The in-memory store of sources.

use async_trait::async_trait;
use domain::{
    Id,
    source::{Source, SourceRuns},
    time::Timestamp,
};

use super::session::Session;
use crate::ports::{SourceLease, Sources, StoreError, StoredSource};

/// Whether somebody else than `holder` has a lease that has not ended.
fn is_held(stored: &StoredSource, holder: Option<&str>, now: Timestamp) -> bool {
    let lease = stored.lease.as_ref().filter(|lease| lease.until > now);
    lease.is_some_and(|lease| Some(&*lease.holder) != holder)
}

#[async_trait]
impl Sources for Session {
    async fn insert(
        &self,
        source: &Source,
        runs: &SourceRuns,
        limit: u64,
    ) -> Result<Option<StoredSource>, StoreError> {
        self.write(|state| {
            state.check_user(source.user)?;
            let mut all = state.sources.values();
            if all.any(|one| one.source.name == source.name) {
                return Err(StoreError::Conflict);
            }
            if state.sources.len() as u64 >= limit {
                return Ok(None);
            }
            state.last_source += 1;
            let stored = StoredSource {
                id: Id::from_raw(state.last_source),
                source: source.clone(),
                runs: runs.clone(),
                lease: None,
            };
            state.sources.insert(stored.id, stored.clone());
            Ok(Some(stored))
        })
    }

    async fn find(&self, id: Id<Source>) -> Result<Option<StoredSource>, StoreError> {
        self.read(|state| state.sources.get(&id).cloned())
    }

    async fn find_by_name(&self, name: &str) -> Result<Option<StoredSource>, StoreError> {
        self.read(|state| {
            let mut all = state.sources.values();
            all.find(|one| one.source.name.as_str() == name).cloned()
        })
    }

    async fn list(&self) -> Result<Vec<StoredSource>, StoreError> {
        self.read(|state| state.sources.values().cloned().collect())
    }

    async fn update(
        &self,
        id: Id<Source>,
        source: &Source,
        runs: &SourceRuns,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        self.write(|state| {
            state.check_user(source.user)?;
            let stored = state.sources.get_mut(&id);
            let Some(stored) = stored.filter(|stored| !is_held(stored, None, now)) else {
                return Ok(false);
            };
            stored.source = source.clone();
            stored.runs = runs.clone();
            Ok(true)
        })
    }

    async fn lease(
        &self,
        id: Id<Source>,
        lease: &SourceLease,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        self.write(|state| {
            let stored = state.sources.get_mut(&id);
            let holder = Some(&*lease.holder);
            let Some(stored) = stored.filter(|stored| !is_held(stored, holder, now)) else {
                return Ok(false);
            };
            stored.lease = Some(lease.clone());
            Ok(true)
        })
    }

    async fn finish(
        &self,
        id: Id<Source>,
        holder: &str,
        runs: &SourceRuns,
    ) -> Result<bool, StoreError> {
        self.write(|state| {
            let stored = state.sources.get_mut(&id);
            let is_of = |lease: &SourceLease| lease.holder == holder;
            let Some(stored) = stored.filter(|one| one.lease.as_ref().is_some_and(is_of)) else {
                return Ok(false);
            };
            stored.runs = runs.clone();
            stored.lease = None;
            Ok(true)
        })
    }

    async fn delete(
        &self,
        id: Id<Source>,
        holder: Option<String>,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        self.write(|state| {
            let stored = state.sources.get(&id);
            if stored.is_none_or(|stored| is_held(stored, holder.as_deref(), now)) {
                return Ok(false);
            }
            Ok(state.sources.remove(&id).is_some())
        })
    }
}
