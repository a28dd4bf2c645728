//! The journal of the in-memory store.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use domain::{
    Kind, Record, Stage,
    policy::{Audience, Guarded, Reach},
    time::Timestamp,
};

use super::{
    InMemoryStore,
    indirect_changes::{Change, indirect_changes},
    state::{JournalEntries, State, StoredEntry},
    tables::RecordTable,
};
use crate::ports::{
    Clock, CursorState, EntryQuery, Journal, JournalCursor, JournalEntry, Publication, RecordRef,
    StoreError, SystemClock,
};

/// The audiences of all records of a kind, each with its revision.
fn audiences<R: RecordTable + Guarded>(state: &State) -> BTreeMap<i64, (i64, Audience)> {
    let rows = R::table(state).rows.values();
    rows.map(|row| (row.id.get(), (row.revision, row.audience())))
        .collect()
}

/// The records of a kind that differ between two states, with their audiences.
fn changed<R: RecordTable + Guarded>(before: &State, after: &State) -> Vec<Change> {
    let (before, after) = (audiences::<R>(before), audiences::<R>(after));
    let ids: BTreeSet<_> = before.keys().chain(after.keys()).copied().collect();
    let changed = ids.into_iter().filter(|id| before.get(id) != after.get(id));
    let audience = |state: &BTreeMap<i64, (i64, Audience)>, id: i64| {
        state.get(&id).map_or_else(Audience::default, |(_, of)| *of)
    };
    let kind = <R as Record>::KIND;
    changed
        .map(|id| {
            let record = RecordRef { kind, id };
            (record, [audience(&before, id), audience(&after, id)])
        })
        .collect()
}

impl State {
    /// Adds entries for the records that differ from those of an earlier state, and for those that
    /// show them.
    pub(super) fn record_changes(&mut self, before: &Self) {
        let changes = [
            changed::<domain::Event>(before, self),
            changed::<domain::Venue>(before, self),
            changed::<domain::Organizer>(before, self),
            changed::<domain::Category>(before, self),
            changed::<domain::Tag>(before, self),
        ]
        .concat();
        let indirect = indirect_changes(before, self, &changes).into_iter();
        let indirect = indirect.map(|(record, (same, is_public))| (record, [same; 2], is_public));
        let direct = changes.into_iter().map(|(record, [was, is])| {
            let is_public = was.is_public() || is.is_public();
            (record, [was, is], is_public)
        });
        let at = SystemClock.now();
        for (record, [was, is], is_public) in direct.chain(indirect) {
            let number = self.journal.end() + 1;
            let entry = JournalEntry {
                number,
                record,
                was,
                is,
            };
            self.journal.0.push_back(StoredEntry {
                entry,
                at,
                is_public,
            });
        }
    }
}

impl State {
    /// The publications of the records with these audiences, in their order.
    fn publications(&self, is_wanted: impl Fn(&Audience) -> bool) -> Vec<Publication> {
        let kinds = [
            (Kind::Event, audiences::<domain::Event>(self)),
            (Kind::Venue, audiences::<domain::Venue>(self)),
            (Kind::Organizer, audiences::<domain::Organizer>(self)),
        ];
        let records = kinds.into_iter().flat_map(|(kind, rows)| {
            let rows = rows.into_iter();
            rows.filter(|(_, (_, audience))| audience.stage == Some(Stage::Published))
                .filter(|(_, (_, audience))| is_wanted(audience))
                .filter_map(move |(id, (_, audience))| {
                    let record = RecordRef { kind, id };
                    audience.due.map(|due| Publication { due, record })
                })
        });
        let mut publications: Vec<_> = records.collect();
        publications.sort_by_key(Publication::order);
        publications
    }
}

impl JournalEntries {
    fn end(&self) -> u64 {
        self.0.back().map_or(0, |stored| stored.entry.number)
    }

    fn first(&self) -> u64 {
        self.0.front().map_or(1, |stored| stored.entry.number)
    }
}

impl StoredEntry {
    /// See [`Journal::last_visible`].
    fn is_visible(&self, reach: Reach) -> bool {
        let JournalEntry { was, is, .. } = &self.entry;
        let is_own = |one: &Audience| !one.is_public() && reach.includes(one);
        reach == Reach::All || self.is_public || is_own(was) || is_own(is)
    }
}

/// Its numbers serve as random ones: no other store has its history.
fn cursor(number: u64) -> JournalCursor {
    JournalCursor {
        number,
        nonce: u32::try_from(number).unwrap_or(u32::MAX),
    }
}

#[async_trait]
impl Journal for InMemoryStore {
    async fn end(&self) -> Result<JournalCursor, StoreError> {
        self.committed(|state| cursor(state.journal.end()))
    }

    async fn last_visible(&self, reach: Reach) -> Result<JournalCursor, StoreError> {
        self.committed(|state| {
            let mut entries = state.journal.0.iter().rev();
            let visible = entries.find(|stored| stored.is_visible(reach));
            cursor(visible.map_or(0, |stored| stored.entry.number))
        })
    }

    async fn check(&self, asked: JournalCursor) -> Result<CursorState, StoreError> {
        self.committed(|state| {
            let (first, end) = (state.journal.first(), state.journal.end());
            if asked.number > end || asked != cursor(asked.number) {
                CursorState::Unknown
            } else if asked.number < first && (asked.number, first) != (0, 1) {
                CursorState::TooOld
            } else {
                CursorState::Valid
            }
        })
    }

    async fn first_entries(&self, query: &EntryQuery) -> Result<Vec<JournalEntry>, StoreError> {
        self.committed(|state| {
            let mut seen = BTreeSet::new();
            let asked = query.records.as_ref();
            let stored = state.journal.0.iter();
            let entries = stored
                .filter(|stored| stored.is_visible(query.reach))
                .map(|stored| &stored.entry)
                .filter(|entry| entry.number > query.after && entry.number <= query.until)
                .filter(|entry| query.kinds.contains(&entry.record.kind))
                .filter(|entry| asked.is_none_or(|asked| asked.contains(&entry.record)))
                .filter(|entry| seen.insert(entry.record))
                .filter(|entry| entry.number > query.read);
            let limit = usize::try_from(query.limit).unwrap_or(usize::MAX);
            entries.take(limit).copied().collect()
        })
    }

    async fn became_due(
        &self,
        after: &Publication,
        until: Timestamp,
        limit: u64,
    ) -> Result<Vec<Publication>, StoreError> {
        self.committed(|state| {
            let limit = usize::try_from(limit).unwrap_or(usize::MAX);
            let due = state.publications(|_| true).into_iter();
            let due = due.filter(|one| one.order() > after.order() && one.due <= until);
            due.take(limit).collect()
        })
    }

    async fn last_due(
        &self,
        until: Timestamp,
        reach: Reach,
    ) -> Result<Option<Timestamp>, StoreError> {
        self.committed(|state| {
            let due = state.publications(|one| !one.hidden || reach.includes(one));
            let due = due.into_iter().map(|one| one.due);
            due.filter(|due| *due <= until).max()
        })
    }

    async fn prune(&self, before: Timestamp, keep: u64, limit: u64) -> Result<u64, StoreError> {
        self.change_committed(|state| {
            let kept_from = state.journal.end().saturating_sub(keep);
            let entries = &mut state.journal.0;
            let mut pruned = 0;
            let is_old =
                |stored: &StoredEntry| stored.at < before || stored.entry.number <= kept_from;
            while pruned < limit && entries.len() > 1 && entries.front().is_some_and(is_old) {
                entries.pop_front();
                pruned += 1;
            }
            pruned
        })
    }
}
