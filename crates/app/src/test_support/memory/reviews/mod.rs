//! The in-memory repository of remarks, verifications and proposals.

use async_trait::async_trait;
use domain::{Event, EventId, Stored, UserId, time::Timestamp};

use super::session::Session;
use crate::ports::{EventRemark, Proposal, ReviewRepository, StoreError};

#[async_trait]
impl ReviewRepository for Session {
    async fn remarks(&self, events: &[EventId]) -> Result<Vec<EventRemark>, StoreError> {
        self.read(|state| {
            let remarks = state.remarks.values();
            let remarks = remarks.filter(|remark| events.contains(&remark.event));
            remarks.cloned().collect()
        })
    }

    async fn put_remark(&self, remark: &EventRemark) -> Result<(), StoreError> {
        self.write(|state| {
            if !state.events.holds(remark.event) {
                let text = format!("there is no event {}", remark.event);
                return Err(StoreError::Internal(text));
            }
            remark.author.map_or(Ok(()), |id| state.check_user(id))?;
            state.remarks.insert(remark.event, remark.clone());
            Ok(())
        })
    }

    async fn end_remark(&self, event: EventId) -> Result<bool, StoreError> {
        self.write(|state| Ok(state.remarks.remove(&event).is_some()))
    }

    async fn verify(&self, event: EventId, at: Timestamp) -> Result<(), StoreError> {
        self.write(|state| {
            if !state.events.holds(event) {
                let text = format!("there is no event {event}");
                return Err(StoreError::Internal(text));
            }
            state.verified.insert(event, at);
            Ok(())
        })
    }

    async fn verified(&self, events: &[EventId]) -> Result<Vec<(EventId, Timestamp)>, StoreError> {
        self.read(|state| {
            let all = state.verified.iter().map(|(event, at)| (*event, *at));
            all.filter(|(event, _)| events.contains(event)).collect()
        })
    }

    async fn to_verify(
        &self,
        author: UserId,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<EventId>, StoreError> {
        self.read(|state| {
            let is_due = |event: &&Stored<Event>| {
                let rows = state.occurrences.values();
                let starts = rows.filter(|row| row.series == event.id);
                let starts = starts.map(|row| row.start);
                let own = event.series().is_none();
                let own = own.then(|| event.details.when.start().utc);
                let next = starts.chain(own).filter(|start| now <= *start).min();
                let verified = state.verified.get(&event.id).copied();
                event.author == author && event.is_to_be_verified(next, verified, now)
            };
            let mut due: Vec<_> = state.events.rows.values().filter(is_due).collect();
            due.sort_by_key(|event| (event.modified, event.id));
            let limit = usize::try_from(limit).unwrap_or(usize::MAX);
            due.into_iter().take(limit).map(|event| event.id).collect()
        })
    }

    async fn add_proposal(&self, proposal: &Proposal) -> Result<(), StoreError> {
        self.write(|state| {
            if !state.events.holds(proposal.event) {
                let text = format!("there is no event {}", proposal.event);
                return Err(StoreError::Internal(text));
            }
            state.proposals.insert(proposal.event, proposal.clone());
            Ok(())
        })
    }

    async fn proposal(&self, hash: &str) -> Result<Option<Proposal>, StoreError> {
        self.read(|state| {
            let mut proposals = state.proposals.values();
            proposals.find(|one| one.hash.expose() == hash).cloned()
        })
    }

    async fn proposals(&self, events: &[EventId]) -> Result<Vec<Proposal>, StoreError> {
        self.read(|state| {
            let all = state.proposals.values();
            let named = all.filter(|one| events.contains(&one.event));
            named.cloned().collect()
        })
    }

    async fn proposals_sent(
        &self,
        address: &str,
        after: Timestamp,
    ) -> Result<Vec<Timestamp>, StoreError> {
        self.read(|state| {
            let all = state.proposals.values();
            let sent = all.filter(|one| one.address == address && after < one.created);
            let mut sent: Vec<_> = sent.map(|one| one.created).collect();
            sent.sort();
            sent
        })
    }

    async fn open_proposals(&self, network: Option<String>) -> Result<u64, StoreError> {
        self.read(|state| {
            let open = state.proposals.values().filter(|one| one.closed.is_none());
            let is_of = |one: &&Proposal| network.as_ref().is_none_or(|own| *own == one.network);
            open.filter(is_of).count() as u64
        })
    }

    async fn close_proposal(&self, event: EventId, at: Timestamp) -> Result<bool, StoreError> {
        self.write(|state| {
            let open = state.proposals.get_mut(&event);
            let open = open.filter(|one| one.closed.is_none());
            Ok(open.map(|one| one.closed = Some(at)).is_some())
        })
    }

    async fn prune_proposals(&self, closed: Timestamp) -> Result<u64, StoreError> {
        self.write(|state| {
            let before = state.proposals.len();
            let is_kept = |one: &Proposal| one.closed.is_none_or(|at| closed < at);
            state.proposals.retain(|_, one| is_kept(one));
            Ok((before - state.proposals.len()) as u64)
        })
    }
}
