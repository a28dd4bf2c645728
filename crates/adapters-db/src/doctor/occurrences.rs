//! The occurrences of series, and what series name.

use std::collections::{BTreeMap, BTreeSet};

use app::ports::{GivenOccurrence, OccurrencePlan, OccurrenceRepository, StoreError};
use domain::{Event, EventId, Stored, recurrence::Slot};
use sea_orm::{
    ExprTrait, IdenStatic,
    sea_query::{Expr, Query},
};
use serde_json::{Value as Json, json};

use super::{
    Findings, Work,
    records::name,
    stored_rows::{RowsById, shown},
};
use crate::{
    entity::{
        event,
        occurrence::{Column, Entity},
        series_in,
    },
    repositories::{occurrence_row, slot_of},
    sql::condition,
    tables::Table,
};

/// The number of series that are read at once.
const AT_ONCE: usize = 50;

/// The derived columns of an occurrence.
const DERIVED: [Column; 6] = [
    Column::StartUtc,
    Column::EndUtc,
    Column::Span,
    Column::PublishedUtc,
    Column::Listed,
    Column::IsOwn,
];

/// A stored occurrence.
struct StoredRow {
    id: EventId,
    slot: Slot,
    values: Vec<Json>,
}

impl Work<'_> {
    /// The series, in pages.
    async fn series(&self, after: i64) -> Result<Vec<Stored<Event>>, StoreError> {
        let select = Query::select()
            .column(event::Column::Id)
            .from(event::Entity)
            .and_where(Expr::col(event::Column::Id).gt(after))
            .cond_where(condition::is_series())
            .order_by(event::Column::Id, sea_orm::Order::Asc)
            .limit(AT_ONCE as u64)
            .take();
        let ids = self.session.ids::<Event>(&select).await?;
        let mut series = Vec::new();
        for id in &ids {
            match self.session.find_records::<Event>(&[*id]).await {
                // Another check tells of it.
                Err(StoreError::Internal(_)) => {}
                read => series.extend(read?),
            }
        }
        Ok(series)
    }

    /// Compares the occurrences with the rules of their series.
    pub(super) async fn occurrences(&self, found: &mut Findings) -> Result<(), StoreError> {
        let mut after = 0;
        loop {
            let series = self.series(after).await?;
            let Some(last) = series.last() else { break };
            after = last.id.get();
            let columns: Vec<String> = [Column::Id, Column::Slot]
                .into_iter()
                .chain(DERIVED)
                .map(|column| column.as_str().to_owned())
                .collect();
            let ids: Vec<i64> = series.iter().map(|one| one.id.get()).collect();
            let (table, key) = (entity_table(), Column::SeriesId.as_str());
            let mut rows = self.rows_of(table, key, &ids, &columns).await?;
            let mut overrides = self.overrides(&ids).await?;
            for one in &series {
                let rows = rows.remove(&one.id.get()).unwrap_or_default();
                let overrides = overrides.remove(&one.id.get()).unwrap_or_default();
                self.of_one_series(one, rows, &overrides, found).await?;
            }
        }
        Ok(())
    }

    /// The IDs and revisions of the overrides of series.
    async fn overrides(&self, series: &[i64]) -> Result<RowsById, StoreError> {
        let columns = [event::Column::Id, event::Column::Revision];
        let columns = columns.map(|column| column.as_str().to_owned());
        let key = event::Column::SeriesId.as_str();
        self.rows_of(Event::table(), key, series, &columns).await
    }

    async fn of_one_series(
        &self,
        series: &Stored<Event>,
        rows: Vec<Vec<Json>>,
        overrides: &[Vec<Json>],
        found: &mut Findings,
    ) -> Result<(), StoreError> {
        let Some(content) = series.series() else {
            return Ok(());
        };
        let of_series = name::<Event>(series.id.get());
        let overrides: BTreeMap<i64, i64> = overrides
            .iter()
            .filter_map(|row| Some((row.first()?.as_i64()?, row.get(1)?.as_i64()?)))
            .collect();
        let rows = rows.into_iter().filter_map(|mut row| {
            let values = row.split_off(2);
            Some((row.first()?.as_i64()?, row.get(1)?.as_i64()?, values))
        });
        let mut stored = Vec::new();
        for (id, slot, values) in rows {
            stored.push(StoredRow {
                id: EventId::from_raw(id),
                slot: slot_of(slot)?,
                values,
            });
        }
        let mut plan = OccurrencePlan::default();
        for row in &stored {
            let record = format!("occurrence {} of {of_series}", row.slot);
            let is_own = overrides.contains_key(&row.id.get());
            // An override in the trash keeps its row, at a date that is deleted.
            let is_right = if is_own {
                content.recurrence.has_slot(row.slot)
            } else {
                content.is_held_at(row.slot)
            };
            if !is_right {
                let expected = "no occurrence: the rule has no such date";
                if is_own {
                    found.written(record, "an occurrence with fields of its own", expected);
                } else {
                    found.derived(record, "an occurrence", expected);
                    plan.removed.push(row.id);
                }
                continue;
            }
            self.values(series, row, is_own, &record, found).await?;
        }
        let slots: BTreeSet<Slot> = stored.iter().map(|row| row.slot).collect();
        let known: BTreeSet<i64> = stored.iter().map(|row| row.id.get()).collect();
        let lost = overrides.keys().filter(|id| !known.contains(id));
        let lost: Vec<EventId> = lost.map(|id| EventId::from_raw(*id)).collect();
        let mut given = Vec::new();
        for own in self.session.find_records::<Event>(&lost).await? {
            let Some(occurrence) = own.occurrence() else {
                continue;
            };
            found.derived(
                format!("occurrence {} of {of_series}", occurrence.slot),
                "no row of its own record",
                format!("the row of {}", name::<Event>(own.id.get())),
            );
            given.push(GivenOccurrence {
                id: own.id,
                slot: occurrence.slot,
                revision: own.revision,
            });
        }
        for slot in content.stored_slots() {
            if !slots.contains(&slot) && given.iter().all(|one| one.slot != slot) {
                let record = format!("occurrence {slot} of {of_series}");
                found.derived(record, "no occurrence", "one, as the rule says");
                plan.added.push(slot);
            }
        }
        if self.mends {
            OccurrenceRepository::insert_at(self.session, series, &given).await?;
            for one in &given {
                let own = [(Column::IsOwn, true), (Column::Listed, false)];
                self.write(one.id, own.map(|(column, value)| (column, value.into())))
                    .await?;
            }
            self.session.apply(series, &plan).await?;
        }
        Ok(())
    }

    /// Compares the columns of an occurrence.
    async fn values(
        &self,
        series: &Stored<Event>,
        row: &StoredRow,
        is_own: bool,
        record: &str,
        found: &mut Findings,
    ) -> Result<(), StoreError> {
        let [start, end, class] = occurrence_row(series, row.id, row.slot)?;
        let published = series.published_at.map(domain::time::Timestamp::seconds);
        let expected = [
            (json!(start), start.into()),
            (json!(end), end.into()),
            (json!(class), class.into()),
            (json!(published), published.into()),
            (
                json!(series.lists_occurrences() && !is_own),
                (series.lists_occurrences() && !is_own).into(),
            ),
            (json!(is_own), is_own.into()),
        ];
        let mut changed: Vec<(Column, sea_orm::Value)> = Vec::new();
        for ((column, (wanted, value)), is) in DERIVED.into_iter().zip(expected).zip(&row.values) {
            if wanted == *is {
                continue;
            }
            let stored = format!("{}: {}", column.as_str(), shown(is));
            found.derived(record, stored, shown(&wanted));
            changed.push((column, value));
        }
        if self.mends && !changed.is_empty() {
            self.write(row.id, changed).await?;
        }
        Ok(())
    }

    async fn write(
        &self,
        id: EventId,
        values: impl IntoIterator<Item = (Column, sea_orm::Value)>,
    ) -> Result<(), StoreError> {
        let values = values.into_iter();
        let update = Query::update()
            .table(Entity)
            .values(values.map(|(column, value)| (column, Expr::val(value))))
            .and_where(Expr::col(Column::Id).eq(id.get()))
            .take();
        self.session.connection.run(&update).await.map(drop)
    }

    /// Compares what series name with their rows for lists.
    pub(super) async fn scopes(&self, found: &mut Findings) -> Result<(), StoreError> {
        let surplus =
            "SELECT DISTINCT series_id FROM series_in WHERE NOT EXISTS (SELECT 1 FROM event
            WHERE id = series_in.series_id AND repetition IS NOT NULL AND series_id IS NULL
            AND password_hash IS NULL) ORDER BY series_id";
        // The column of the outer table has the name of one of the inner table.
        let surplus = surplus.replace(
            "repetition IS NOT NULL AND series_id IS NULL",
            "repetition IS NOT NULL AND event.series_id IS NULL",
        );
        for id in self.rows::<i64>(surplus).await? {
            let record = format!("series_in: {}", name::<Event>(id));
            found.derived(
                record,
                "in lists",
                "nothing: it is no series that lists hold",
            );
            if self.mends {
                self.session.delete_scopes(EventId::from_raw(id)).await?;
            }
        }
        let mut after = 0;
        loop {
            let series = self.series(after).await?;
            let Some(last) = series.last() else {
                return Ok(());
            };
            after = last.id.get();
            let ids: Vec<i64> = series.iter().map(|one| one.id.get()).collect();
            let columns = [series_in::Column::Scope, series_in::Column::ScopeId];
            let columns = columns.map(|column| column.as_str().to_owned());
            let key = series_in::Column::SeriesId.as_str();
            let mut stored = self.rows_of("series_in", key, &ids, &columns).await?;
            for one in &series {
                let rows = stored.remove(&one.id.get()).unwrap_or_default();
                let is: BTreeSet<(i64, i64)> = rows
                    .iter()
                    .filter_map(|row| Some((row.first()?.as_i64()?, row.get(1)?.as_i64()?)))
                    .collect();
                let should = self.session.scopes_of(one).await?;
                if is == should || (should.is_empty() && one.details.password.is_some()) {
                    continue;
                }
                found.derived(
                    format!("series_in: {}", name::<Event>(one.id.get())),
                    format!("{is:?}"),
                    format!("{should:?}"),
                );
                if self.mends {
                    self.session.delete_scopes(one.id).await?;
                    self.session.update_scopes(one.id, None, one).await?;
                }
            }
        }
    }
}

fn entity_table() -> &'static str {
    use sea_orm::EntityName as _;
    Entity.table_name()
}
