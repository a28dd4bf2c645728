//! Tombstones of events.

use app::ports::{StoreError, Tombstones};
use async_trait::async_trait;
use domain::{EventId, Id, event::Tombstone, recurrence::DateValue, slug::Slug, time::Timestamp};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
};

use crate::{
    entity::event_tombstone::{ActiveModel, Column, Entity, Model},
    session::{Session, replace},
    sql::{parse_column, parse_optional_column, time_column},
};

/// IDs as a column holds them.
fn text<R>(ids: &[Id<R>]) -> String {
    let ids: Vec<_> = ids.iter().map(Id::to_string).collect();
    ids.join(",")
}

/// The IDs in a column.
fn ids<R>(column: Column, text: &str) -> Result<Vec<Id<R>>, StoreError> {
    let ids = text.split(',').filter(|id| !id.is_empty());
    ids.map(|id| Ok(Id::from_raw(parse_column(column, id)?)))
        .collect()
}

fn row(tombstone: &Tombstone) -> ActiveModel {
    let Tombstone {
        event,
        uid,
        slug,
        sequence,
        ended,
        start,
        period: (first, last),
        repeats,
        categories,
        tags,
        venue,
        organizers,
    } = tombstone;
    let day = match start {
        DateValue::Day(day) => Some(day.to_string()),
        DateValue::Local(_) | DateValue::Instant(_) => None,
    };
    ActiveModel {
        uid: Set(uid.clone()),
        event_id: Set(event.get()),
        slug: Set(slug.as_ref().map(|slug| slug.as_str().to_owned())),
        sequence: Set(*sequence),
        ended_utc: Set(ended.seconds()),
        start_day: Set(day),
        start_utc: Set(first.seconds()),
        end_utc: Set(last.seconds()),
        repeats: Set(*repeats),
        filter_categories: Set(text(categories)),
        filter_tags: Set(text(tags)),
        venue_id: Set(venue.map(Id::get)),
        filter_organizers: Set(text(organizers)),
    }
}

fn read(row: Model) -> Result<Tombstone, StoreError> {
    let first = time_column(Column::StartUtc, row.start_utc)?;
    let day = parse_optional_column(Column::StartDay, row.start_day.as_deref())?;
    Ok(Tombstone {
        event: Id::from_raw(row.event_id),
        uid: row.uid,
        slug: row.slug.map(Slug::from_stored),
        sequence: row.sequence,
        ended: time_column(Column::EndedUtc, row.ended_utc)?,
        start: day.map_or(DateValue::Instant(first), DateValue::Day),
        period: (first, time_column(Column::EndUtc, row.end_utc)?),
        repeats: row.repeats,
        categories: ids(Column::FilterCategories, &row.filter_categories)?,
        tags: ids(Column::FilterTags, &row.filter_tags)?,
        venue: row.venue_id.map(Id::from_raw),
        organizers: ids(Column::FilterOrganizers, &row.filter_organizers)?,
    })
}

impl Session {
    /// The last tombstone with a value in a column.
    async fn last_tombstone(
        &self,
        column: Column,
        value: impl Into<sea_orm::Value>,
    ) -> Result<Option<Tombstone>, StoreError> {
        let found = Entity::find()
            .filter(column.eq(value))
            .order_by_desc(Column::EndedUtc)
            .order_by_desc(Column::Uid)
            .limit(1);
        self.one(found).await?.map(read).transpose()
    }
}

#[async_trait]
impl Tombstones for Session {
    async fn put(&self, tombstone: &Tombstone) -> Result<(), StoreError> {
        let put = Entity::insert(row(tombstone)).on_conflict(replace::<Entity>());
        self.connection.execute_deferred(&put.into_query()).await
    }

    async fn remove(&self, uid: &str) -> Result<(), StoreError> {
        let remove = Entity::delete_many().filter(Column::Uid.eq(uid));
        self.connection.execute_deferred(&remove.into_query()).await
    }

    async fn find(&self, event: EventId) -> Result<Option<Tombstone>, StoreError> {
        self.last_tombstone(Column::EventId, event.get()).await
    }

    async fn find_by_slug(&self, slug: &Slug) -> Result<Option<Tombstone>, StoreError> {
        self.last_tombstone(Column::Slug, slug.as_str()).await
    }

    async fn page(
        &self,
        since: Timestamp,
        after: &str,
        limit: u64,
    ) -> Result<Vec<Tombstone>, StoreError> {
        let rows = Entity::find()
            .filter(Column::Uid.gt(after))
            .filter(Column::EndedUtc.gte(since.seconds()))
            .order_by_asc(Column::Uid)
            .limit(limit);
        self.all(rows).await?.into_iter().map(read).collect()
    }

    async fn prune(&self, before: Timestamp) -> Result<u64, StoreError> {
        let prune = Entity::delete_many().filter(Column::EndedUtc.lt(before.seconds()));
        self.connection.change(prune).await
    }
}
