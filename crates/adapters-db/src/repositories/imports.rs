//! The import ledger: the rows that were imported, and the records that sources brought.

use std::collections::HashSet;

use app::ports::{ImportLedger, ImportedRecord, StoreError};
use async_trait::async_trait;
use domain::{EventId, Kind, recurrence::Slot, time::Timestamp};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect, Select,
};

use crate::{
    entity::{import_row, import_source},
    error::store_error,
    session::Session,
    sql::{optional_time_column, parse_column, parse_optional_column},
};

#[async_trait]
impl ImportLedger for Session {
    async fn known(&self, digests: &[String]) -> Result<HashSet<(String, i64)>, StoreError> {
        if digests.is_empty() {
            return Ok(HashSet::new());
        }
        let known = import_row::Entity::find().filter(import_row::Column::Digest.is_in(digests));
        let rows = self.all(known).await?.into_iter();
        Ok(rows.map(|row| (row.digest, row.ordinal)).collect())
    }

    async fn record(&self, digest: &str, ordinal: i64, event: EventId) -> Result<(), StoreError> {
        let row = import_row::ActiveModel {
            digest: Set(digest.to_owned()),
            ordinal: Set(ordinal),
            event_id: Set(event.get()),
        };
        // The returned row makes the statement run now: the import row must be new.
        row.insert(&self.connection).await.map_err(store_error)?;
        Ok(())
    }

    async fn find(
        &self,
        source: &str,
        kind: Kind,
        uids: &[String],
    ) -> Result<Vec<ImportedRecord>, StoreError> {
        if uids.is_empty() {
            return Ok(Vec::new());
        }
        let found = of_source(source, kind).filter(import_source::Column::Uid.is_in(uids));
        self.imported(found).await
    }

    async fn remember(&self, record: &ImportedRecord) -> Result<(), StoreError> {
        let ImportedRecord {
            source,
            kind,
            uid,
            id,
            sequence,
            stamp,
            digest,
            slot,
            fields,
        } = record;
        let row = import_source::ActiveModel {
            source: Set(source.clone()),
            kind: Set(kind.name().to_owned()),
            uid: Set(uid.clone()),
            record_id: Set(*id),
            sequence: Set(*sequence),
            stamp_utc: Set(stamp.map(Timestamp::seconds)),
            digest: Set(digest.clone()),
            slot: Set(slot.as_ref().map(Slot::to_string)),
            field_digests: Set((!fields.is_empty()).then(|| fields.to_string())),
        };
        self.put(row).await
    }

    async fn page(
        &self,
        source: &str,
        kind: Kind,
        after: &str,
        limit: u64,
    ) -> Result<Vec<ImportedRecord>, StoreError> {
        let rest = of_source(source, kind).filter(import_source::Column::Uid.gt(after));
        self.imported(rest.limit(limit)).await
    }

    async fn of_records(&self, kind: Kind, ids: &[i64]) -> Result<Vec<ImportedRecord>, StoreError> {
        use import_source::Column;
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let of_records = import_source::Entity::find()
            .filter(Column::Kind.eq(kind.name()))
            .filter(Column::RecordId.is_in(ids.iter().copied()))
            .order_by_asc(Column::Source)
            .order_by_asc(Column::Uid);
        self.imported(of_records).await
    }
}

/// The records of a kind that a source brought, in the order of their identifiers.
fn of_source(source: &str, kind: Kind) -> Select<import_source::Entity> {
    use import_source::Column;
    import_source::Entity::find()
        .filter(Column::Source.eq(source))
        .filter(Column::Kind.eq(kind.name()))
        .order_by_asc(Column::Uid)
}

impl Session {
    async fn imported(
        &self,
        select: Select<import_source::Entity>,
    ) -> Result<Vec<ImportedRecord>, StoreError> {
        let rows = self.all(select).await?;
        rows.into_iter().map(read_imported).collect()
    }
}

fn read_imported(row: import_source::Model) -> Result<ImportedRecord, StoreError> {
    use import_source::Column;
    let import_source::Model {
        source,
        kind,
        uid,
        record_id,
        sequence,
        stamp_utc,
        digest,
        slot,
        field_digests,
    } = row;
    let fields = parse_optional_column(Column::FieldDigests, field_digests.as_deref())?;
    Ok(ImportedRecord {
        source,
        kind: parse_column(Column::Kind, &kind)?,
        uid,
        id: record_id,
        sequence,
        stamp: optional_time_column(Column::StampUtc, stamp_utc)?,
        digest,
        slot: parse_optional_column(Column::Slot, slot.as_deref())?,
        fields: fields.unwrap_or_default(),
    })
}
