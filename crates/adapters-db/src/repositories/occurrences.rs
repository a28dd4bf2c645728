//! The repository of occurrences.

use async_trait::async_trait;
use domain::{Event, EventId, Stored, event::Window, recurrence::Slot, time::Timestamp};

use app::ports::{OccurrenceChanges, OccurrenceRepository, StoreError, StoredOccurrence};

use crate::{connection::Connection, session::Session};

#[async_trait]
impl<C: Connection> OccurrenceRepository for Session<C> {
    async fn of_series(
        &self,
        _series: EventId,
        _window: &Window,
    ) -> Result<Vec<StoredOccurrence>, StoreError> {
        Ok(Vec::new())
    }

    async fn find_slot(
        &self,
        _series: EventId,
        _slot: Slot,
    ) -> Result<Option<EventId>, StoreError> {
        Ok(None)
    }

    async fn save(
        &self,
        _series: &Stored<Event>,
        _changes: &OccurrenceChanges,
    ) -> Result<Vec<EventId>, StoreError> {
        Err(StoreError::Conflict)
    }

    async fn set_own(
        &self,
        _before: &Stored<Event>,
        _content: Event,
    ) -> Result<Stored<Event>, StoreError> {
        Err(StoreError::Conflict)
    }

    async fn clear_own(
        &self,
        _series: &Stored<Event>,
        _own: &Stored<Event>,
    ) -> Result<Stored<Event>, StoreError> {
        Err(StoreError::Conflict)
    }

    async fn detach(&self, _id: EventId) -> Result<(), StoreError> {
        Err(StoreError::Conflict)
    }

    async fn lock_unfinished(
        &self,
        _until: Timestamp,
        _limit: usize,
    ) -> Result<Vec<Stored<Event>>, StoreError> {
        Ok(Vec::new())
    }

    async fn horizon(&self, _now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
        Ok(None)
    }
}
