//! The audit trail.

mod changes;

use app::audit::digested;
use app::ports::{AuditEntry, AuditTrail, StoreError, entries_of_page};
use async_trait::async_trait;
use domain::{
    Id, UserId,
    audit::{AuditFilter, AuditedKind},
    page::{Page, PageRequest},
    time::Timestamp,
};
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, EntityTrait, Order, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
    QueryTrait, Select,
    sea_query::Expr,
};

use crate::{
    ablation::Mechanism,
    connection::Connection,
    entity::audit_entry::{ActiveModel, Column, Entity, Model},
    error::store_error,
    session::Session,
    sql::{parse_column, time_column},
};

/// The number of entries that are read at once.
const BATCH: u64 = 100;

/// The size of the changes of an entry.
const SIZE: &str = "CAST(octet_length(changed_fields) AS bigint)";

fn read(row: Model) -> Result<AuditEntry, StoreError> {
    let Model {
        id,
        at_utc,
        user_id,
        user_name,
        channel,
        channel_name,
        address,
        request_id,
        action,
        kind,
        record_id,
        revision,
        changed_fields,
    } = row;
    Ok(AuditEntry {
        number: id,
        at: time_column(Column::AtUtc, at_utc)?,
        user: user_id.map(Id::from_raw),
        user_name,
        channel: parse_column(Column::Channel, &channel)?,
        channel_name,
        address,
        request_id,
        action: parse_column(Column::Action, &action)?,
        kind: parse_column(Column::Kind, &kind)?,
        record: record_id,
        revision,
        changes: changes::read(&changed_fields)?,
    })
}

fn row(entry: &AuditEntry) -> Result<ActiveModel, StoreError> {
    let AuditEntry {
        number: _,
        at,
        user,
        user_name,
        channel,
        channel_name,
        address,
        request_id,
        action,
        kind,
        record,
        revision,
        changes,
    } = entry;
    Ok(ActiveModel {
        id: NotSet,
        at_utc: Set(at.seconds()),
        user_id: Set(user.map(UserId::get)),
        user_name: Set(user_name.clone()),
        channel: Set(channel.name().to_owned()),
        channel_name: Set(channel_name.clone()),
        address: Set(address.clone()),
        request_id: Set(request_id.clone()),
        action: Set(action.name().to_owned()),
        kind: Set(kind.name().to_owned()),
        record_id: Set(*record),
        revision: Set(*revision),
        changed_fields: Set(changes::write(changes)?),
    })
}

/// The IDs of the entries of a page, which ends early when their changes are many bytes: their sizes are read before them.
async fn ids_of_page(
    entries: Select<Entity>,
    order: Order,
    limit: u64,
    connection: &Connection,
) -> Result<Vec<i64>, StoreError> {
    let sizes = entries
        .select_only()
        .column(Column::Id)
        .expr(Expr::cust(SIZE))
        .order_by(Column::Id, order)
        .limit(limit);
    let sizes: Vec<(i64, i64)> = connection.values(&sizes.into_query()).await?;
    let bytes = sizes.iter().map(|(_, bytes)| *bytes);
    let number = entries_of_page(bytes.map(|bytes| usize::try_from(bytes).unwrap_or(0)));
    let ids = sizes.iter().take(number).map(|(id, _)| *id);
    Ok(ids.collect())
}

/// The entries with these IDs.
async fn rows(
    ids: Vec<i64>,
    order: Order,
    connection: &Connection,
) -> Result<Vec<Model>, StoreError> {
    Entity::find()
        .filter(Column::Id.is_in(ids))
        .order_by(Column::Id, order)
        .all(connection)
        .await
        .map_err(store_error)
}

#[async_trait]
impl AuditTrail for Session {
    async fn add(&self, entry: &AuditEntry) -> Result<(), StoreError> {
        if Mechanism::AuditTrail.is_left_out() {
            return Ok(());
        }
        let insert = Entity::insert(row(entry)?).into_query();
        self.connection.execute_deferred(&insert).await
    }

    async fn page(
        &self,
        filter: &AuditFilter,
        page: PageRequest,
    ) -> Result<Page<AuditEntry>, StoreError> {
        let AuditFilter {
            kind,
            record,
            user,
            action,
            from,
            until,
            below,
        } = filter;
        let conditions = [
            kind.map(|kind| Column::Kind.eq(kind.name())),
            record.map(|record| Column::RecordId.eq(record)),
            user.map(|user| Column::UserId.eq(user.get())),
            action.map(|action| Column::Action.eq(action.name())),
            from.map(|from| Column::AtUtc.gte(from.seconds())),
            until.map(|until| Column::AtUtc.lt(until.seconds())),
            below.map(|below| Column::Id.lt(below)),
        ];
        let all = conditions
            .into_iter()
            .flatten()
            .fold(Entity::find(), QueryFilter::filter);
        let connection = self.slow();
        let total = all.clone().count(connection).await.map_err(store_error)?;
        let page_of = all.offset(page.offset());
        let ids = ids_of_page(page_of, Order::Desc, page.per_page().into(), connection).await?;
        let rows = rows(ids, Order::Desc, connection).await?;
        Ok(Page {
            rows: rows.into_iter().map(read).collect::<Result<_, _>>()?,
            total,
            request: page,
        })
    }

    async fn forget_values(&self, kind: AuditedKind, record: i64) -> Result<(), StoreError> {
        let mut below = i64::MAX;
        loop {
            let of_record = Entity::find()
                .filter(Column::RecordId.eq(record))
                .filter(Column::Kind.eq(kind.name()))
                .filter(Column::Id.lt(below));
            let ids = ids_of_page(of_record, Order::Desc, BATCH, &self.connection).await?;
            let Some(last) = ids.last() else {
                return Ok(());
            };
            below = *last;
            for row in rows(ids, Order::Desc, &self.connection).await? {
                let changes = changes::read(&row.changed_fields)?;
                let forgotten = changes::write(&digested(&changes))?;
                let update = Entity::update_many()
                    .col_expr(Column::ChangedFields, Expr::value(forgotten))
                    .filter(Column::Id.eq(row.id));
                self.connection.change(update).await?;
            }
        }
    }

    async fn entries_after(&self, number: i64, limit: u64) -> Result<Vec<AuditEntry>, StoreError> {
        let connection = self.slow();
        let after = Entity::find().filter(Column::Id.gt(number));
        let ids = ids_of_page(after, Order::Asc, limit, connection).await?;
        let rows = rows(ids, Order::Asc, connection).await?;
        rows.into_iter().map(read).collect()
    }

    async fn prune(&self, before: Timestamp, limit: u64) -> Result<u64, StoreError> {
        let oldest = Entity::find()
            .select_only()
            .column(Column::Id)
            .filter(Column::AtUtc.lt(before.seconds()))
            .order_by_asc(Column::AtUtc)
            .order_by_asc(Column::Id)
            .limit(limit)
            .into_query();
        let prune = Entity::delete_many().filter(Column::Id.in_subquery(oldest));
        self.connection.change(prune).await
    }
}
