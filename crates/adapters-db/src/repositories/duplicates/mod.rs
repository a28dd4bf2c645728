//! Pairs of records that look alike.

use app::ports::{DuplicateFilter, Duplicates, Merge, Moved, StoreError, StoredDuplicate};
use async_trait::async_trait;
use domain::{
    FieldName, Id, Kind,
    duplicate::{Duplicate, DuplicateReason, DuplicateState, Likeness},
    page::{Page, PageRequest},
    time::Timestamp,
};
use sea_orm::{
    ActiveModelTrait,
    ActiveValue::{NotSet, Set},
    ColumnTrait, Condition, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
    QueryTrait, Select,
};

use crate::{
    entity::{
        duplicate::{ActiveModel, Column, Entity, Model},
        duplicate_moved::{self, Column as MovedColumn},
        setting,
    },
    error::{broken_column, store_error},
    session::Session,
    sql::{parse_column, time_column},
};

/// The name of the position up to which records were compared.
const COMPARED: &str = "duplicates_compared";

/// Names with blanks between them.
fn join<T>(names: &[T], name: impl Fn(&T) -> &'static str) -> String {
    names.iter().map(name).collect::<Vec<_>>().join(" ")
}

fn split<T: std::str::FromStr<Err: std::fmt::Display>>(
    column: Column,
    names: &str,
) -> Result<Vec<T>, StoreError> {
    let names = names.split_ascii_whitespace();
    names.map(|name| parse_column(column, name)).collect()
}

fn read(row: Model, moved: Vec<Moved>) -> Result<StoredDuplicate, StoreError> {
    let Model {
        id,
        kind,
        lower_id,
        higher_id,
        lower_revision,
        higher_revision,
        score,
        reasons,
        state,
        kept_id,
        gone_id: _,
        taken_fields,
        kept_before,
        gone_before,
        gone_revision,
        merged_utc,
    } = row;
    let missing = || broken_column(Column::MergedUtc, "missing");
    let merge = kept_id.map(|kept| {
        let fields = taken_fields.ok_or_else(missing)?;
        let at = merged_utc.ok_or_else(missing)?;
        Ok(Merge {
            kept,
            fields: split::<FieldName>(Column::TakenFields, &fields)?,
            before: [
                kept_before.ok_or_else(missing)?,
                gone_before.ok_or_else(missing)?,
            ],
            gone_revision: gone_revision.ok_or_else(missing)?,
            moved,
            at: time_column(Column::MergedUtc, at)?,
        })
    });
    Ok(StoredDuplicate {
        id: Id::from_raw(id),
        pair: Duplicate {
            kind: parse_column(Column::Kind, &kind)?,
            records: [lower_id, higher_id],
            revisions: [lower_revision, higher_revision],
            likeness: Likeness {
                score: u8::try_from(score).map_err(|error| broken_column(Column::Score, error))?,
                reasons: split::<DuplicateReason>(Column::Reasons, &reasons)?,
            },
            state: parse_column(Column::State, &state)?,
        },
        merge: merge.transpose()?,
    })
}

fn read_moved(row: duplicate_moved::Model) -> Result<(i64, Moved), StoreError> {
    let moved = match (row.event_id, row.source, row.uid) {
        (Some(event), ..) => Moved::Event {
            id: Id::from_raw(event),
            beside: row
                .list_index
                .map(usize::try_from)
                .transpose()
                .map_err(|error| broken_column(MovedColumn::ListIndex, error))?,
        },
        (None, Some(source), Some(uid)) => Moved::Import { source, uid },
        _ => return Err(broken_column(MovedColumn::Uid, "missing")),
    };
    Ok((row.duplicate_id, moved))
}

fn row_of(pair: &Duplicate, merge: Option<&Merge>) -> ActiveModel {
    let Duplicate {
        kind,
        records: [lower_id, higher_id],
        revisions: [lower_revision, higher_revision],
        likeness: Likeness { score, reasons },
        state,
    } = pair;
    ActiveModel {
        id: NotSet,
        kind: Set(kind.name().to_owned()),
        lower_id: Set(*lower_id),
        higher_id: Set(*higher_id),
        lower_revision: Set(*lower_revision),
        higher_revision: Set(*higher_revision),
        score: Set(i64::from(*score)),
        reasons: Set(join(reasons, |reason| reason.name())),
        state: Set(state.name().to_owned()),
        kept_id: Set(merge.map(|merge| merge.kept)),
        gone_id: Set(merge.and_then(|merge| pair.other_than(merge.kept))),
        taken_fields: Set(merge.map(|merge| join(&merge.fields, |field| field.as_str()))),
        kept_before: Set(merge.map(|merge| merge.before[0].clone())),
        gone_before: Set(merge.map(|merge| merge.before[1].clone())),
        gone_revision: Set(merge.map(|merge| merge.gone_revision)),
        merged_utc: Set(merge.map(|merge| Timestamp::seconds(merge.at))),
    }
}

impl Session {
    /// The pairs of a selection, with what their merges moved.
    async fn pairs(&self, select: Select<Entity>) -> Result<Vec<StoredDuplicate>, StoreError> {
        let rows = self.all(select).await?;
        let merged = rows.iter().filter(|row| row.kept_id.is_some());
        let merged: Vec<_> = merged.map(|row| row.id).collect();
        let mut moved = Vec::new();
        if !merged.is_empty() {
            let rows = duplicate_moved::Entity::find()
                .filter(MovedColumn::DuplicateId.is_in(merged))
                .order_by_asc(MovedColumn::DuplicateId)
                .order_by_asc(MovedColumn::PlaceNumber);
            let rows = self.all(rows).await?;
            moved = rows.into_iter().map(read_moved).collect::<Result<_, _>>()?;
        }
        let read = |row: Model| {
            let moved = moved.iter().filter(|(id, _)| *id == row.id);
            let moved = moved.map(|(_, moved)| moved.clone()).collect();
            read(row, moved)
        };
        rows.into_iter().map(read).collect()
    }
}

#[async_trait]
impl Duplicates for Session {
    async fn find(&self, id: Id<Duplicate>) -> Result<Option<StoredDuplicate>, StoreError> {
        Ok(self.pairs(Entity::find_by_id(id.get())).await?.pop())
    }

    async fn of_pair(
        &self,
        kind: Kind,
        [lower, higher]: [i64; 2],
    ) -> Result<Option<StoredDuplicate>, StoreError> {
        let pair = Entity::find()
            .filter(Column::Kind.eq(kind.name()))
            .filter(Column::LowerId.eq(lower))
            .filter(Column::HigherId.eq(higher));
        Ok(self.pairs(pair).await?.pop())
    }

    async fn newest(&self) -> Result<Option<Id<Duplicate>>, StoreError> {
        let newest = Entity::find()
            .select_only()
            .column(Column::Id)
            .order_by_desc(Column::Id)
            .limit(1);
        let newest = self.connection.value(&newest.into_query()).await?;
        Ok(newest.map(Id::from_raw))
    }

    async fn page(
        &self,
        filter: &DuplicateFilter,
        page: PageRequest,
    ) -> Result<Page<StoredDuplicate>, StoreError> {
        let DuplicateFilter { state, kind } = *filter;
        let mut list = Entity::find();
        if let Some(state) = state {
            list = list.filter(Column::State.eq(state.name()));
        }
        if let Some(kind) = kind {
            list = list.filter(Column::Kind.eq(kind.name()));
        }
        let total = list.clone().count(&self.connection).await;
        let rows = list
            .order_by_desc(Column::Score)
            .order_by_asc(Column::Id)
            .offset(page.offset())
            .limit(u64::from(page.per_page()));
        Ok(Page {
            rows: self.pairs(rows).await?,
            total: total.map_err(store_error)?,
            request: page,
        })
    }

    async fn insert(&self, pair: &Duplicate) -> Result<StoredDuplicate, StoreError> {
        let row = row_of(pair, None).insert(&self.connection).await;
        read(row.map_err(store_error)?, Vec::new())
    }

    async fn update(&self, stored: &StoredDuplicate) -> Result<bool, StoreError> {
        let StoredDuplicate { id, pair, merge } = stored;
        let row = row_of(pair, merge.as_ref());
        let update = Entity::update_many()
            .set(row)
            .filter(Column::Id.eq(id.get()));
        let updated = self.connection.change(update).await?;
        let delete =
            duplicate_moved::Entity::delete_many().filter(MovedColumn::DuplicateId.eq(id.get()));
        self.connection.change(delete).await?;
        let moved = merge.iter().flat_map(|merge| &merge.moved);
        let rows: Vec<_> = (0..)
            .zip(moved)
            .map(|(number, moved)| {
                let row = duplicate_moved::ActiveModel {
                    duplicate_id: Set(id.get()),
                    place_number: Set(number),
                    event_id: Set(None),
                    list_index: Set(None),
                    source: Set(None),
                    uid: Set(None),
                };
                match moved.clone() {
                    Moved::Event { id, beside } => duplicate_moved::ActiveModel {
                        event_id: Set(Some(id.get())),
                        list_index: Set(beside.and_then(|index| i64::try_from(index).ok())),
                        ..row
                    },
                    Moved::Import { source, uid } => duplicate_moved::ActiveModel {
                        source: Set(Some(source)),
                        uid: Set(Some(uid)),
                        ..row
                    },
                }
            })
            .collect();
        // A statement has a limited number of values.
        for rows in rows.chunks(1000) {
            let insert = duplicate_moved::Entity::insert_many(rows.to_vec());
            self.connection.change(insert).await?;
        }
        Ok(updated > 0)
    }

    async fn delete(&self, id: Id<Duplicate>) -> Result<bool, StoreError> {
        let delete = Entity::delete_by_id(id.get());
        Ok(self.connection.change(delete).await? > 0)
    }

    async fn open_of(&self, kind: Kind, record: i64) -> Result<Vec<StoredDuplicate>, StoreError> {
        let is_of = Condition::any()
            .add(Column::LowerId.eq(record))
            .add(Column::HigherId.eq(record));
        let open = Entity::find()
            .filter(Column::Kind.eq(kind.name()))
            .filter(Column::State.eq(DuplicateState::Open.name()))
            .filter(is_of)
            .order_by_asc(Column::Id);
        self.pairs(open).await
    }

    async fn compared(&self) -> Result<Option<String>, StoreError> {
        let row = self.one(setting::Entity::find_by_id(COMPARED)).await?;
        Ok(row.map(|row| row.value))
    }

    async fn set_compared(&self, position: &str) -> Result<(), StoreError> {
        let row = setting::ActiveModel {
            name: Set(COMPARED.to_owned()),
            value: Set(position.to_owned()),
        };
        self.put(row).await
    }

    async fn merged_into(&self, kind: Kind, gone: i64) -> Result<Option<i64>, StoreError> {
        let kept = Entity::find()
            .select_only()
            .column(Column::KeptId)
            .filter(Column::Kind.eq(kind.name()))
            .filter(Column::GoneId.eq(gone))
            .limit(1);
        let kept: Option<Option<i64>> = self.connection.value(&kept.into_query()).await?;
        Ok(kept.flatten())
    }
}
