//! The repository of events.

use app::ports::{EventRepository, RelatedIds, RelatedKeys, RelatedRecords, StoreError, Tally};
use async_trait::async_trait;
use domain::{
    Category, Event, EventId, Id, Kind, Organizer, Stored, Tag, Venue,
    entry::PasswordHash,
    event::{EventSpan, Window},
    policy::{Guarded, Visibility},
    time::Timestamp,
};
use sea_orm::{
    ColumnTrait, EntityTrait, ExprTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
    sea_query::{
        CaseStatement, CommonTableExpression, Expr, Order, Query, SelectStatement, UnionType,
        WithClause,
    },
};

use super::{batch_query::BatchQuery, terms::TermLookup};
use crate::{
    cache::BatchLookup,
    connection::{NameCache, Prefetched},
    entity::event::{self, Column},
    session::Session,
    sql::{Json, condition, from},
    tables::{Extent, RecordQuery, Table, read_record, stored_neighbours},
};

/// The name of the recursive query over an event and its ancestors.
const LINEAGE: &str = "lineage";

/// The recursive query. `UNION` removes duplicates, so that it ends even if parents form a circle.
fn lineage(id: EventId) -> WithClause {
    let columns = |select: &mut SelectStatement| {
        select
            .column((event::Entity, Column::Id))
            .column((event::Entity, Column::ParentId))
            .take()
    };
    let mut start = columns(&mut from(event::Entity));
    start.and_where(Column::Id.eq(id.get()));
    let step = Expr::col((event::Entity, Column::Id)).equals((LINEAGE, Column::ParentId));
    let next = columns(from(event::Entity).inner_join(LINEAGE, step));
    let rows = CommonTableExpression::new()
        .query(start.union(UnionType::Distinct, next).take())
        .columns([Column::Id, Column::ParentId])
        .table_name(LINEAGE)
        .to_owned();
    WithClause::new().recursive(true).cte(rows).to_owned()
}

/// Adds a query for the records of the names that are not cached.
fn add_names<'a, R: Table>(
    batch: &mut BatchQuery<'a>,
    column: &'static str,
    cache: &'a NameCache,
    names: &[String],
    json: Json,
) {
    let names = cache.unknown::<R>(names);
    if !names.is_empty() {
        let query = RecordQuery::named::<R>(json, &names);
        batch.add(column, query, read_record::<R>, |found| {
            cache.add(names, &found);
        });
    }
}

/// Adds a query for the records of some IDs.
fn add_ids<'a, R: Table>(
    batch: &mut BatchQuery<'a>,
    column: &'static str,
    prefetched: &'a Prefetched,
    ids: &[Id<R>],
    json: Json,
) {
    if !ids.is_empty() {
        let raw: Vec<_> = ids.iter().map(|id| id.get()).collect();
        let query = RecordQuery::of::<R>(json).only(&raw);
        batch.add(column, query, read_record::<R>, |found| {
            prefetched.add_records(found);
        });
    }
}

#[async_trait]
impl EventRepository for Session {
    async fn ancestors(&self, id: EventId) -> Result<Vec<EventId>, StoreError> {
        let mut all = Vec::new();
        let mut next = Some(id);
        while let Some(id) = next.take().filter(|id| !all.contains(id)) {
            let records = self.lineage(id).await?;
            let parents = records.iter().filter_map(|(_, parent)| *parent);
            let mut named = [id].into_iter().chain(parents);
            // A plain occurrence has no record.
            let absent = named.find(|named| records.iter().all(|(id, _)| id != named));
            all.extend(records.into_iter().map(|(id, _)| id));
            if let Some(absent) = absent
                && let Some(occurrence) = self.find_events(&[absent], Extent::Whole).await?.pop()
            {
                all.push(occurrence.id);
                next = occurrence.details.parent;
            }
        }
        Ok(all)
    }

    async fn prefetch(&self, keys: &RelatedKeys) -> Result<(), StoreError> {
        let names = self.connection.name_cache();
        let names = names.unwrap_or_else(|| self.prefetched.names());
        let (mut batch, json) = (BatchQuery::default(), self.json());
        add_names::<Category>(&mut batch, "categories", names, &keys.categories, json);
        add_names::<Tag>(&mut batch, "tags", names, &keys.tags, json);
        add_names::<Venue>(&mut batch, "venues", names, &keys.venues, json);
        add_names::<Organizer>(&mut batch, "organizers", names, &keys.organizers, json);
        let known = &*self.prefetched;
        known.forget_records();
        add_ids(&mut batch, "category_ids", known, &keys.category_ids, json);
        add_ids(&mut batch, "tag_ids", known, &keys.tag_ids, json);
        add_ids(&mut batch, "venue_ids", known, &keys.venue_ids, json);
        let organizer_ids = &keys.organizer_ids;
        add_ids(&mut batch, "organizer_ids", known, organizer_ids, json);
        batch.run(self).await
    }

    async fn load_related(
        &self,
        ids: &RelatedIds,
        now: Timestamp,
    ) -> Result<RelatedRecords, StoreError> {
        let has_series = self.cache().await?.is_some() && self.has_series().await?;
        let (related, has_scheduled) = self.related(ids, now, has_series).await?;
        // A unit of work has no cache, and asks for series only if the answer matters.
        if has_scheduled && !has_series && self.has_series().await? {
            return Ok(self.related(ids, now, true).await?.0);
        }
        Ok(related)
    }

    async fn find_uids(&self, uids: &[String]) -> Result<Vec<(String, EventId)>, StoreError> {
        if uids.is_empty() {
            return Ok(Vec::new());
        }
        let select = event::Entity::find()
            .select_only()
            .columns([Column::Uid, Column::Id])
            .filter(Column::Uid.is_in(uids));
        let found = self.connection.values(&select.into_query()).await?;
        let ids = found.into_iter();
        Ok(ids.map(|(uid, id)| (uid, EventId::from_raw(id))).collect())
    }

    async fn find_titled(
        &self,
        folded: &str,
        start: Timestamp,
    ) -> Result<Vec<EventId>, StoreError> {
        let select = event::Entity::find()
            .select_only()
            .column(Column::Id)
            .filter(Column::TitleKey.eq(folded))
            .filter(Column::StartUtc.eq(start.seconds()))
            .order_by_asc(Column::Id);
        self.ids(&select.into_query()).await
    }

    async fn linkable_ids(
        &self,
        ids: &[EventId],
        visibility: &Visibility,
    ) -> Result<Vec<EventId>, StoreError> {
        let linked = async || {
            let found = self.find_events(ids, Extent::Whole).await?.into_iter();
            let linked = found.filter(|event| event.is_linkable(visibility));
            Ok(linked.map(|event| event.id).collect())
        };
        if self.cache().await?.is_some() {
            return linked().await;
        }
        let event = Expr::col((event::Entity, Column::Id));
        let select = from(event::Entity)
            .column((event::Entity, Column::Id))
            .and_where(event.is_in(ids.iter().map(|id| id.get())))
            .cond_where(condition::is_linkable(visibility, Kind::Event))
            .take();
        let found: Vec<EventId> = self.ids(&select).await?;
        // The others may be plain occurrences.
        if ids.iter().all(|id| found.contains(id)) || !self.has_series().await? {
            return Ok(found);
        }
        linked().await
    }

    async fn recorded(&self, ids: &[EventId]) -> Result<Vec<EventId>, StoreError> {
        let raw: Vec<i64> = ids.iter().map(|id| id.get()).collect();
        let select = from(event::Entity)
            .column((event::Entity, Column::Id))
            .and_where(self.json().is_one_of((event::Entity, Column::Id), &raw))
            .order_by((event::Entity, Column::Id), Order::Asc)
            .take();
        self.ids(&select).await
    }

    async fn neighbours(&self, ids: &[EventId]) -> Result<Vec<(EventId, EventId)>, StoreError> {
        if ids.is_empty() || !self.has_series().await? {
            return Ok(Vec::new());
        }
        let raw: Vec<i64> = ids.iter().map(|id| id.get()).collect();
        let select = event::Entity::find()
            .select_only()
            .columns([Column::Id, Column::Repetition])
            .filter(self.json().is_one_of((event::Entity, Column::Id), &raw))
            .filter(condition::is_series());
        let series: Vec<(i64, String)> = self.connection.values(&select.into_query()).await?;
        let mut pairs = Vec::new();
        for (id, repetition) in series {
            let neighbours = stored_neighbours(&repetition)?.into_iter();
            pairs.extend(neighbours.map(|neighbour| (EventId::from_raw(id), neighbour)));
        }
        pairs.sort_unstable();
        Ok(pairs)
    }

    async fn find_password_protected(
        &self,
        id: Option<EventId>,
        visibility: &Visibility,
        limit: usize,
    ) -> Result<Vec<(EventId, bool)>, StoreError> {
        let found = self.password_protected(id, visibility, limit).await?;
        if let (Some(id), true) = (id, found.is_empty())
            && self.has_series().await?
            && let Some(row) = self.short_row(id).await?
        {
            // A plain occurrence has the password of its series.
            let of_series = self.password_protected(Some(row.series), visibility, limit);
            let found = of_series.await?.into_iter();
            return Ok(found.map(|(_, opened)| (id, opened)).collect());
        }
        Ok(found)
    }

    async fn spans(
        &self,
        window: &Window,
        now: Timestamp,
        limit: u64,
    ) -> Result<Vec<EventSpan>, StoreError> {
        self.event_spans(window, now, limit).await
    }

    async fn extent(&self, now: Timestamp) -> Result<Option<[EventSpan; 2]>, StoreError> {
        self.event_extent(now).await
    }

    async fn find_outlines(&self, ids: &[EventId]) -> Result<Vec<Stored<Event>>, StoreError> {
        self.find_events(ids, Extent::Outline).await
    }

    async fn tally(
        &self,
        ids: &[EventId],
        window: Option<Window>,
        visibility: &Visibility,
    ) -> Result<Tally, StoreError> {
        self.event_tally(ids, window, visibility).await
    }
}

impl Session {
    /// The records that events name, and whether scheduled events have one of the terms.
    async fn related(
        &self,
        ids: &RelatedIds,
        now: Timestamp,
        has_series: bool,
    ) -> Result<(RelatedRecords, bool), StoreError> {
        let (cache, json) = (self.cache().await?, self.json());
        let mut categories = TermLookup::new(cache, &ids.categories, now, has_series);
        let mut tags = TermLookup::new(cache, &ids.tags, now, has_series);
        let mut venues = BatchLookup::new(cache, Venue::table(), ids.venues.clone());
        let mut organizers = BatchLookup::new(cache, Organizer::table(), ids.organizers.clone());
        // A unit of work has read them to check the event.
        venues.add_known(|id| self.prefetched.take_record(id));
        organizers.add_known(|id| self.prefetched.take_record(id));
        let mut batch = BatchQuery::default();
        categories.add_to(&mut batch, "categories", json);
        tags.add_to(&mut batch, "tags", json);
        batch.add_missing("venues", &mut venues, json);
        batch.add_missing("organizers", &mut organizers, json);
        batch.run(self).await?;
        let has_scheduled = categories.has_scheduled() || tags.has_scheduled();
        let related = RelatedRecords {
            categories: categories.counted(),
            tags: tags.counted(),
            venues: venues.in_order(),
            organizers: organizers.in_order(),
        };
        Ok((related, has_scheduled))
    }

    /// The records among an event and its ancestors, each with its parent.
    async fn lineage(&self, id: EventId) -> Result<Vec<(EventId, Option<EventId>)>, StoreError> {
        let mut select = Query::select()
            .columns([Column::Id, Column::ParentId])
            .from(LINEAGE)
            .take();
        let rows = self
            .connection
            .values::<(i64, Option<i64>)>(select.with_cte(lineage(id)));
        let rows = rows.await?.into_iter();
        let ids = rows.map(|(id, parent)| (Id::from_raw(id), parent.map(Id::from_raw)));
        Ok(ids.collect())
    }

    /// The records that [`EventRepository::find_password_protected`] returns.
    async fn password_protected(
        &self,
        id: Option<EventId>,
        visibility: &Visibility,
        limit: usize,
    ) -> Result<Vec<(EventId, bool)>, StoreError> {
        const OPENED: &str = "opened";
        let sent = visibility.password.as_ref();
        let opened = Column::PasswordHash.eq(sent.map_or("", PasswordHash::as_str));
        let opened = CaseStatement::new().case(opened, 1_i64).finally(0_i64);
        let select = from(event::Entity)
            .column((event::Entity, Column::Id))
            .expr_as(opened, OPENED)
            .and_where(Column::PasswordHash.is_not_null())
            .and_where_option(id.map(|id| Column::Id.eq(id.get())))
            .cond_where(condition::is_linkable(visibility, Kind::Event))
            .cond_where(condition::may_edit(visibility.caller).not())
            .order_by(OPENED, Order::Desc)
            .order_by((event::Entity, Column::Id), Order::Asc)
            .limit(limit as u64)
            .take();
        let rows = self
            .connection
            .values::<(i64, i64)>(&select)
            .await?
            .into_iter();
        let read = rows.map(|(id, opened)| (Id::from_raw(id), opened == 1));
        Ok(read.collect())
    }
}
