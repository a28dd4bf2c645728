//! Changes of several overrides of a series together.

use std::collections::BTreeMap;

use app::ports::StoreError;
use domain::{Event, EventId, Stored};
use sea_orm::{
    ExprTrait,
    sea_query::{Expr, Query, SimpleExpr},
};

use super::rows::{ROWS, number, own, published, revision_of_series, row_of, series_of};
use crate::{
    entity::{RecordColumn, event, occurrence::Column},
    session::Session,
    sql::{ColumnValue, InsertBatch, UpdateBatch, set},
    tables::{Table, translation_rows},
};

impl Session {
    /// Gives occurrences without a record their own ones, with the next revisions.
    pub(super) async fn insert_overrides(
        &self,
        records: &[(Stored<Event>, Event)],
    ) -> Result<(), StoreError> {
        if records.is_empty() {
            return Ok(());
        }
        self.forget_read_records();
        let given = records.iter();
        let given: Vec<_> = given
            .map(|(before, _)| [before.id.get(), before.revision])
            .collect();
        let revision = own(Column::Revision).add(SimpleExpr::from(revision_of_series()));
        let update = self
            .update_rows(&given)
            .value(Column::IsOwn, true)
            .value(Column::Listed, false)
            // Caches learn of a change of this column.
            .value(Column::Revision, own(Column::Revision))
            .and_where(own(Column::IsOwn).not())
            .and_where(revision.eq(number(1)))
            .take();
        if self.connection.run(&update).await?.rows_affected() < records.len() as u64 {
            return Err(StoreError::Conflict);
        }
        let (mut rows, mut gained) = (InsertBatch::default(), Vec::new());
        for (before, content) in records {
            let id = before.id.get();
            let of_row = [
                set(event::Column::Id, id),
                set(event::Column::Revision, before.revision + 1),
            ];
            rows.push(Event::table(), columns(content).chain(of_row));
            gained.extend(content.counted_terms());
        }
        for (before, content) in records {
            translation_rows(before.id.get(), content, &mut rows);
            content.linked_rows(before.id, &mut rows);
        }
        match records {
            [_] => rows.insert_record(self).await?,
            _ => rows.insert(self).await?,
        }
        self.recount_terms(&[], &gained).await
    }

    /// Deletes overrides of a series, whose occurrences follow it again.
    pub(super) async fn clear_overrides(
        &self,
        series: &Stored<Event>,
        own: &[Stored<Event>],
    ) -> Result<(), StoreError> {
        if own.is_empty() {
            return Ok(());
        }
        let ids: Vec<i64> = own.iter().map(|own| own.id.get()).collect();
        let records: BTreeMap<EventId, i64> =
            own.iter().map(|own| (own.id, own.revision)).collect();
        let mut rows = self.short_rows(&ids).await?;
        rows.retain(|row| row.series == series.id && row.is_override);
        if rows.len() < records.len() {
            return Err(StoreError::Conflict);
        }
        self.forget_read_records();
        let mut given = Vec::with_capacity(rows.len());
        for row in &mut rows {
            let revision = records.get(&row.id).copied().unwrap_or_default();
            row.revision = revision + 1 - series.revision;
            let [id, slot, start, end, class] = row_of(series_of(series)?, row.id, row.slot)?;
            given.push([id, slot, start, end, class, row.revision, revision]);
        }
        let record = |column: event::Column| Expr::col((event::Entity, column));
        let unchanged = Query::select()
            .expr(Expr::val(1_i64))
            .from_function(self.given_rows(&given), ROWS)
            .and_where(number(0).eq(record(event::Column::Id)))
            .and_where(number(6).eq(record(event::Column::Revision)))
            .take();
        let delete = Query::delete()
            .from_table(event::Entity)
            .and_where(
                self.json()
                    .is_one_of((event::Entity, event::Column::Id), &ids),
            )
            .and_where(Expr::exists(unchanged))
            .take();
        if self.connection.run(&delete).await?.rows_affected() < rows.len() as u64 {
            return Err(StoreError::Conflict);
        }
        let terms: Vec<_> = own.iter().flat_map(|own| own.counted_terms()).collect();
        self.recount_terms(&terms, &[]).await?;
        let update = self
            .update_rows(&given)
            .value(Column::IsOwn, false)
            .value(Column::Listed, series.lists_occurrences())
            .value(Column::PublishedUtc, published(series))
            .value(Column::Revision, number(5))
            .value(Column::Slot, number(1))
            .value(Column::StartUtc, number(2))
            .value(Column::EndUtc, number(3))
            .value(Column::Span, number(4))
            .take();
        self.connection.execute_deferred(&update).await
    }

    /// Updates overrides.
    pub(super) async fn update_overrides(
        &self,
        changed: &[(Stored<Event>, Event)],
    ) -> Result<(), StoreError> {
        if changed.is_empty() {
            return Ok(());
        }
        self.forget_read_records();
        let mut records = UpdateBatch::default();
        let [mut old, mut new] = [InsertBatch::default(), InsertBatch::default()];
        let (mut lost, mut gained) = (Vec::new(), Vec::new());
        for (before, content) in changed {
            let (id, before) = (before.id, before);
            let key = (id.get(), before.revision);
            records.push(key, columns(&before.content), columns(content));
            for (event, rows) in [(&before.content, &mut old), (content, &mut new)] {
                translation_rows(id.get(), event, rows);
                event.linked_rows(id, rows);
            }
            lost.extend(before.counted_terms());
            gained.extend(content.counted_terms());
        }
        records.run(Event::table(), self).await?;
        new.replace(old, self).await?;
        self.recount_terms(&lost, &gained).await
    }

    /// Discards what was read before a change of events.
    pub(super) fn forget_read_records(&self) {
        if let Some(cache) = self.connection.name_cache() {
            cache.forget_all();
        }
        self.prefetched.forget_records();
    }
}

/// All columns of an override but its ID and its revision.
fn columns(event: &Event) -> impl Iterator<Item = ColumnValue> {
    let repetition = event.creation_columns(&app::ports::SlugRequests::default());
    let translated = set(RecordColumn::Translated, !event.translations.is_empty());
    event
        .columns()
        .into_iter()
        .chain(repetition)
        .chain([translated])
}
