//! Data derived from each record: columns and rows for searches, lists and order, slugs, instants.
//!
//! Each record is read, and what a write of it would store is compared with what is stored.

use std::collections::{BTreeMap, HashMap};

use app::ports::{Repository, SlugRequests, StoreError};
use domain::{
    Category, Event, Id, Kind, Organizer, Stored, Tag, Venue,
    time::{EventTime, ZoneData},
};
use sea_orm::{
    ExprTrait, IdenStatic,
    sea_query::{Alias, Expr, Query},
};
use serde_json::Value as Json;

use super::{Check, Difference, Findings, Work, stored_rows::shown};
use crate::{
    entity::{RecordColumn, TermColumn, TranslationColumn, event, event_tombstone},
    session::Session,
    sql::{ColumnValue, InsertBatch, cell_json, set},
    store::update_instants,
    tables::{Table, TermKey, is_read_with_record, translation_rows},
};

/// The number of records that are read at once.
const AT_ONCE: usize = 200;

/// The result of a walk over all records.
#[derive(Debug, Default)]
pub(super) struct Walk {
    /// The differences of several checks.
    differences: Vec<Difference>,
    /// The number of events of each term.
    counts: HashMap<TermKey, i64>,
}

impl Walk {
    pub(super) fn add(&mut self, check: Check, is_derived: bool, texts: [String; 3]) {
        let [record, found, expected] = texts;
        self.differences.push(Difference {
            check,
            record,
            found,
            expected,
            is_derived,
        });
    }
}

/// The tables with derived rows of a kind, each with the column of the record's ID.
fn derived_tables(kind: Kind) -> &'static [(&'static str, &'static str)] {
    match kind {
        Kind::Venue => &[
            ("venue_text", "place_id"),
            ("venue_translation_text", "place_id"),
            ("venue_city", "venue_id"),
        ],
        Kind::Organizer => &[
            ("organizer_text", "place_id"),
            ("organizer_translation_text", "place_id"),
        ],
        _ => &[],
    }
}

/// The derived columns of a record with their values.
fn derived_columns<R: Table>(record: &R) -> BTreeMap<String, sea_orm::Value> {
    let creation = record.creation_columns(&SlugRequests::default());
    let columns = record.columns().into_iter().chain(creation);
    let mut columns: BTreeMap<String, sea_orm::Value> = columns
        .map(|(name, value)| (name.to_string(), value))
        .filter(|(name, _)| !is_read_with_record(name) && name != TermColumn::CreationKey.as_str())
        .collect();
    if R::KIND == Kind::Event {
        // An event that does not repeat has none.
        for column in [event::Column::SeriesId, event::Column::KeptUntilUtc] {
            let none = sea_orm::Value::BigInt(None);
            columns.entry(column.as_str().to_owned()).or_insert(none);
        }
    }
    columns
}

impl Work<'_> {
    /// The differences of one check among those of the walk.
    pub(super) async fn of_walk(
        &self,
        check: Check,
        found: &mut Findings,
    ) -> Result<(), StoreError> {
        let walk = self.walk(check).await?;
        let own = walk.differences.iter().filter(|one| one.check == check);
        found.all.extend(own.cloned());
        Ok(())
    }

    /// Walks over all records, once in an examination. A repair mends what the check compares.
    async fn walk(&self, check: Check) -> Result<&Walk, StoreError> {
        let walked = self.walked.get_or_try_init(async || {
            let mut walk = Walk::default();
            self.walk_kind::<Event>(check, &mut walk).await?;
            self.walk_kind::<Venue>(check, &mut walk).await?;
            self.walk_kind::<Organizer>(check, &mut walk).await?;
            self.walk_kind::<Category>(check, &mut walk).await?;
            self.walk_kind::<Tag>(check, &mut walk).await?;
            Ok(walk)
        });
        walked.await
    }

    async fn walk_kind<R: Table>(&self, check: Check, walk: &mut Walk) -> Result<(), StoreError>
    where
        Session: Repository<R>,
    {
        self.translated_flags::<R>(self.mends && check == Check::Records, walk)
            .await?;
        let mut after = None;
        loop {
            let ids = Repository::<R>::ids_after(self.session, after, AT_ONCE).await?;
            let Some(last) = ids.last() else {
                return Ok(());
            };
            after = Some(*last);
            let records = self.read::<R>(&ids, walk).await?;
            let mends = |own: Check| self.mends && check == own;
            self.columns(&records, mends(Check::Records), walk).await?;
            self.translations(&records, mends(Check::Records), walk)
                .await?;
            self.linked(&records, mends(Check::Records), walk).await?;
            self.registered(&records, mends(Check::Slugs), walk).await?;
            for record in &records {
                for term in record.counted_terms() {
                    *walk.counts.entry(term).or_default() += 1;
                }
            }
        }
    }

    /// The records with some IDs. One that cannot be read is a difference.
    async fn read<R: Table>(
        &self,
        ids: &[Id<R>],
        walk: &mut Walk,
    ) -> Result<Vec<Stored<R>>, StoreError> {
        match self.session.find_records::<R>(ids).await {
            Err(StoreError::Internal(_)) => {}
            read => return read,
        }
        let mut records = Vec::new();
        for id in ids {
            match self.session.find_records::<R>(&[*id]).await {
                Err(StoreError::Internal(error)) => {
                    let texts = [
                        name::<R>(id.get()),
                        error,
                        "a row that can be read".to_owned(),
                    ];
                    walk.add(Check::Records, false, texts);
                }
                read => records.extend(read?),
            }
        }
        Ok(records)
    }

    /// Compares the flags of translations. A record with a wrong one is read without translations.
    async fn translated_flags<R: Table>(
        &self,
        mends: bool,
        walk: &mut Walk,
    ) -> Result<(), StoreError> {
        let (table, translations) = (R::table(), R::translations_table());
        let has = format!("EXISTS (SELECT 1 FROM {translations} WHERE record_id = {table}.id)");
        let wrong = format!("SELECT id FROM {table} WHERE translated <> {has} ORDER BY id");
        let ids: Vec<i64> = self.rows(wrong).await?;
        for id in &ids {
            let texts = [
                name::<R>(*id),
                "translated: another value".to_owned(),
                "whether it has translations".to_owned(),
            ];
            walk.add(Check::Records, true, texts);
        }
        if mends && !ids.is_empty() {
            let update = format!("UPDATE {table} SET translated = {has} WHERE translated <> {has}");
            self.run(&update).await?;
        }
        Ok(())
    }

    /// Compares derived columns.
    async fn columns<R: Table>(
        &self,
        records: &[Stored<R>],
        mends: bool,
        walk: &mut Walk,
    ) -> Result<(), StoreError> {
        let Some(first) = records.first() else {
            return Ok(());
        };
        let names: Vec<String> = derived_columns(&first.content).into_keys().collect();
        let ids: Vec<i64> = records.iter().map(|record| record.id.get()).collect();
        let key = RecordColumn::Id.as_str();
        let mut stored = self.rows_of(R::table(), key, &ids, &names).await?;
        for record in records {
            let id = record.id.get();
            let row = stored.remove(&id).and_then(|mut rows| rows.pop());
            let (Some(row), expected) = (row, derived_columns(&record.content)) else {
                continue;
            };
            let mut differing: Vec<ColumnValue> = Vec::new();
            for ((column, value), cell) in expected.into_iter().zip(row) {
                let wanted = cell_json(&value)?;
                if wanted == cell {
                    continue;
                }
                let texts = [
                    name::<R>(id),
                    format!("{column}: {}", shown(&cell)),
                    shown(&wanted),
                ];
                walk.add(Check::Records, true, texts);
                differing.push(set(Alias::new(column), value));
            }
            if mends && !differing.is_empty() {
                let update = Query::update()
                    .table(R::table())
                    .values(
                        differing
                            .into_iter()
                            .map(|(name, value)| (name, Expr::val(value))),
                    )
                    .and_where(Expr::col(RecordColumn::Id).eq(id))
                    .take();
                self.session.connection.run(&update).await?;
            }
        }
        Ok(())
    }

    /// Compares the folded texts of translations.
    async fn translations<R: Table>(
        &self,
        records: &[Stored<R>],
        mends: bool,
        walk: &mut Walk,
    ) -> Result<(), StoreError> {
        let derived = [TranslationColumn::TitleKey, TranslationColumn::SearchText];
        let derived = derived.map(|column| column.as_str().to_owned());
        let mut batch = InsertBatch::default();
        for record in records {
            translation_rows(record.id.get(), &record.content, &mut batch);
        }
        for (table, columns, rows) in batch.rows_by_table() {
            let index = |name: &str| columns.iter().position(|column| column == name);
            let names: Vec<String> = [TranslationColumn::Language.as_str().to_owned()]
                .into_iter()
                .chain(derived.clone())
                .filter(|name| index(name).is_some())
                .collect();
            let ids: Vec<i64> = records.iter().map(|record| record.id.get()).collect();
            let key = TranslationColumn::RecordId.as_str();
            let stored = self.rows_of(&table, key, &ids, &names).await?;
            for row in rows {
                let value = |name: &str| index(name).and_then(|index| row.get(index));
                let wanted = names.iter().filter_map(|name| value(name)).map(cell_json);
                let wanted = wanted.collect::<Result<Vec<Json>, _>>()?;
                let id = value(key).map(cell_json).transpose()?;
                let Some(id) = id.as_ref().and_then(Json::as_i64) else {
                    continue;
                };
                let own = stored.get(&id).into_iter().flatten();
                let mut own = own.filter(|row| row.first() == wanted.first());
                if own.next() == Some(&wanted) {
                    continue;
                }
                let language = wanted.first().and_then(Json::as_str).unwrap_or_default();
                let texts = [
                    format!("{} ({language})", name::<R>(id)),
                    "other texts for search".to_owned(),
                    "the folded texts of the translation".to_owned(),
                ];
                walk.add(Check::Records, true, texts);
                if mends {
                    let values = names.iter().skip(1).filter_map(|name| {
                        Some((Alias::new(name), Expr::val(value(name)?.clone())))
                    });
                    let update = Query::update()
                        .table(Alias::new(&table))
                        .values(values)
                        .and_where(Expr::col(TranslationColumn::RecordId).eq(id))
                        .and_where(Expr::col(TranslationColumn::Language).eq(language))
                        .take();
                    self.session.connection.run(&update).await?;
                }
            }
        }
        Ok(())
    }

    /// Compares the derived rows of other tables.
    async fn linked<R: Table>(
        &self,
        records: &[Stored<R>],
        mends: bool,
        walk: &mut Walk,
    ) -> Result<(), StoreError> {
        let ids: Vec<i64> = records.iter().map(|record| record.id.get()).collect();
        for (table, key) in derived_tables(R::KIND) {
            let mut wanted: BTreeMap<i64, Vec<Vec<Json>>> = BTreeMap::new();
            let mut batch = InsertBatch::default();
            for record in records {
                record.content.linked_rows(record.id, &mut batch);
            }
            let own = batch.only(table);
            let columns = own.rows_by_table().next().map(|(_, columns, _)| columns);
            let columns = columns.unwrap_or_else(|| vec![(*key).to_owned()]);
            let index = columns.iter().position(|column| column == key);
            for (_, _, rows) in own.rows_by_table() {
                for row in rows {
                    let cells = row.iter().map(cell_json).collect::<Result<Vec<_>, _>>()?;
                    let id = index
                        .and_then(|index| cells.get(index))
                        .and_then(Json::as_i64);
                    wanted
                        .entry(id.unwrap_or_default())
                        .or_default()
                        .push(cells);
                }
            }
            let mut stored = self.rows_of(table, key, &ids, &columns).await?;
            for record in records {
                let id = record.id.get();
                let [mut is, mut should] =
                    [stored.remove(&id), wanted.remove(&id)].map(Option::unwrap_or_default);
                for rows in [&mut is, &mut should] {
                    rows.sort_by_cached_key(|row| Json::from(row.clone()).to_string());
                }
                if is == should {
                    continue;
                }
                let texts = [
                    format!("{table}: {}", name::<R>(id)),
                    format!("{} rows", is.len()),
                    format!("the {} rows of the record", should.len()),
                ];
                walk.add(Check::Records, true, texts);
                if mends {
                    let delete = Query::delete()
                        .from_table(*table)
                        .and_where(Expr::col(Alias::new(*key)).eq(id))
                        .take();
                    self.session.connection.run(&delete).await?;
                    let mut rows = InsertBatch::default();
                    record.content.linked_rows(record.id, &mut rows);
                    rows.only(table).insert(self.session).await?;
                }
            }
        }
        Ok(())
    }

    /// Compares the numbers of events of terms.
    pub(super) async fn terms(&self, found: &mut Findings) -> Result<(), StoreError> {
        let counts = &self.walk(Check::Terms).await?.counts;
        for table in [Category::table(), Tag::table()] {
            let select = Query::select()
                .columns([TermColumn::Id, TermColumn::EventCount])
                .from(table)
                .order_by(TermColumn::Id, sea_orm::Order::Asc)
                .take();
            let counted: Vec<(i64, i64)> = self.session.connection.values(&select).await?;
            for (id, is) in counted {
                let should = counts.get(&(table, id)).copied().unwrap_or_default();
                if is == should {
                    continue;
                }
                found.derived(
                    format!("{table} {id}"),
                    format!("event_count: {is}"),
                    should.to_string(),
                );
                if self.mends {
                    self.session.count_events(table, [id], should - is).await?;
                }
            }
        }
        Ok(())
    }

    /// Compares the instants of events with the rules of their zones, if the program has the rules that they
    /// were computed with.
    pub(super) async fn instants(&self, found: &mut Findings) -> Result<(), StoreError> {
        let release = "SELECT value FROM setting WHERE name = 'zone_data'";
        if self.rows::<String>(release).await? != [ZoneData::version_in_use().to_string()] {
            return Ok(());
        }
        let mut after = None;
        loop {
            let ids = Repository::<Event>::ids_after(self.session, after, AT_ONCE).await?;
            let Some(last) = ids.last() else {
                return Ok(());
            };
            after = Some(*last);
            // A row that cannot be read is a difference of another check.
            let events = self.read::<Event>(&ids, &mut Walk::default()).await?;
            for event in events {
                let when = &event.details.when;
                let (start, end) = (when.start(), when.end());
                let expected =
                    EventTime::by_present_rules(when.zone().clone(), start, end, when.all_day());
                if expected == *when {
                    continue;
                }
                found.derived(
                    name::<Event>(event.id.get()),
                    format!("{} to {}", start.utc, end.utc),
                    format!("{} to {}", expected.start().utc, expected.end().utc),
                );
                if self.mends {
                    update_instants(self.session, event.id.get(), &expected).await?;
                }
            }
        }
    }

    /// Looks for tombstones of events that were due before them and are public.
    pub(super) async fn tombstones(&self, found: &mut Findings) -> Result<(), StoreError> {
        use event_tombstone::Column as Tombstone;
        let public = format!(
            "SELECT event.id, event_tombstone.uid FROM event_tombstone
            JOIN event ON event.uid = event_tombstone.uid
            WHERE stage = 'published' AND NOT hide_from_listings AND event.published_utc <= ended_utc
            AND ended_utc <= {}",
            self.now.seconds()
        );
        for (id, uid) in self.rows::<(i64, String)>(public).await? {
            found.derived(
                name::<Event>(id),
                format!("withdrawn as {uid}"),
                "no tombstone: the event is public",
            );
            if self.mends {
                let delete = Query::delete()
                    .from_table(event_tombstone::Entity)
                    .and_where(Expr::col(Tombstone::Uid).eq(uid))
                    .take();
                self.session.connection.run(&delete).await?;
            }
        }
        Ok(())
    }
}

/// The name of a record in a report.
pub(super) fn name<R: Table>(id: i64) -> String {
    format!("{} {id}", R::KIND.name())
}
