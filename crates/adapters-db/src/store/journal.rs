//! The journal of changes.

use std::cmp::Ordering;

use app::ports::{
    CursorState, EntryQuery, Journal, JournalCursor, JournalEntry, Publication, RecordRef,
    StoreError,
};
use async_trait::async_trait;
use domain::{
    Kind, Stage, UserId,
    policy::{Audience, Reach},
    time::Timestamp,
};
use migration::NUMBER_ENTRIES;
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbBackend, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect, QueryTrait as _, Statement,
    sea_query::{Expr, ExprTrait, Func, Order, Query, SelectStatement, SimpleExpr, UnionType},
};

use super::SeaOrmStore;
use crate::{
    entity::{
        EntryColumn, event,
        journal::{Column, Entity, Model},
        journal_end, organizer, venue,
    },
    error::{broken_column, store_error},
    sql::{from, optional_time_column, parse_column, parse_optional_column, time_column},
};

/// The name of a computed column.
const RESULT: &str = "result";

/// The entry with the greatest number, or 0.
fn greatest(entries: &mut SelectStatement) -> SimpleExpr {
    let greatest = Func::max(Expr::col(Column::N));
    entries.expr(Func::coalesce([greatest.into(), Expr::val(0_i64)]));
    SimpleExpr::SubQuery(None, Box::new(entries.take().into()))
}

/// A number as the database has it; one beyond its range becomes the greatest.
fn stored(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A column of the entry itself.
fn own_column(column: Column) -> Expr {
    column.into_expr()
}

fn audience(
    stage: Option<&str>,
    due: Option<i64>,
    author: Option<i64>,
    hidden: bool,
) -> Result<Audience, StoreError> {
    Ok(Audience {
        stage: parse_optional_column(Column::IsStage, stage)?,
        due: optional_time_column(Column::IsDue, due)?,
        author: author.map(UserId::from_raw),
        hidden,
    })
}

fn record(kind: &str, id: i64) -> Result<RecordRef, StoreError> {
    let kind = parse_column(Column::Kind, kind)?;
    Ok(RecordRef { kind, id })
}

fn entry(row: &Model) -> Result<JournalEntry, StoreError> {
    Ok(JournalEntry {
        number: u64::try_from(row.n).map_err(|error| broken_column(Column::N, error))?,
        record: record(&row.kind, row.record_id)?,
        was: audience(
            row.was_stage.as_deref(),
            row.was_due,
            row.was_author,
            row.was_hidden,
        )?,
        is: audience(
            row.is_stage.as_deref(),
            row.is_due,
            row.is_author,
            row.is_hidden,
        )?,
    })
}

/// The publications in a table behind another one, until an instant.
fn due<E: EntityTrait>(table: E, kind: Kind, after: &Publication, until: i64) -> SelectStatement {
    let published = || Expr::col((table, EntryColumn::PublishedUtc));
    let id = || Expr::col((table, EntryColumn::Id));
    let (instant, last_kind, last_id) = after.order();
    let instant = instant.seconds();
    let same = match kind.name().cmp(last_kind) {
        Ordering::Less => None,
        Ordering::Equal => Some(published().eq(instant).and(id().gt(last_id))),
        Ordering::Greater => Some(published().eq(instant)),
    };
    let behind = Condition::any().add(published().gt(instant));
    from(table)
        .expr_as(published(), EntryColumn::PublishedUtc)
        .expr_as(Expr::val(kind.name()), Column::Kind)
        .expr_as(id(), Column::RecordId)
        .cond_where(behind.add_option(same))
        .and_where(published().gte(instant))
        .and_where(published().lte(until))
        .and_where(is_published(table))
        .take()
}

/// Whether a record of a table is published, as the conditions of indexes have it.
fn is_published<E: EntityTrait>(table: E) -> SimpleExpr {
    let word = format!("'{}'", Stage::Published);
    Expr::col((table, EntryColumn::Stage)).eq(Expr::cust(word))
}

/// Whether an entry is public, or of an unlisted record that the reach includes, as [`Reach::includes`]
/// tells. `column` names a column of the entry.
fn is_visible(reach: Reach, column: impl Fn(Column) -> Expr) -> Condition {
    let public = Condition::any().add(column(Column::IsPublic));
    match reach {
        Reach::Published => public,
        Reach::Own { user, private } => [
            (Column::WasAuthor, Column::WasStage, Column::WasHidden),
            (Column::IsAuthor, Column::IsStage, Column::IsHidden),
        ]
        .into_iter()
        .fold(public, |any, (author, stage, hidden)| {
            let is_stage = |one: Stage| column(stage).ne(one.name());
            let own = Condition::all()
                .add(column(author).eq(user.get()))
                .add(is_stage(Stage::Published).or(column(hidden).eq(true)))
                .add_option((!private).then(|| is_stage(Stage::Private)));
            any.add(own)
        }),
        Reach::All => public.add(Expr::val(true)),
    }
}

/// Whether a reach has an earlier entry of the same record after a number.
fn has_earlier(after: u64, reach: Reach) -> Expr {
    const EARLIER: &str = "earlier";
    let earlier = |column: Column| Expr::col((EARLIER, column));
    let same = |column: Column| earlier(column).equals((Entity, column));
    let before = Query::select()
        .expr(Expr::val(1_i64))
        .from_as(Entity, EARLIER)
        .and_where(same(Column::Kind))
        .and_where(same(Column::RecordId))
        .and_where(earlier(Column::N).gt(stored(after)))
        .and_where(earlier(Column::N).lt(Column::N.into_expr()))
        .cond_where(is_visible(reach, earlier))
        .take();
    Expr::exists(before)
}

/// Whether public lists may show a published event, or the reach includes it.
fn is_listed(reach: Reach) -> Condition {
    let listed = Condition::any().add(event::Column::HideFromListings.eq(false));
    match reach {
        Reach::Published => listed,
        Reach::Own { user, .. } => listed.add(event::Column::AuthorId.eq(user.get())),
        Reach::All => listed.add(Expr::val(true)),
    }
}

/// The latest publication in a table at an instant or before.
fn last_due<E: EntityTrait>(table: E, until: i64) -> SelectStatement {
    let published = || Expr::col((table, EntryColumn::PublishedUtc));
    from(table)
        .expr_as(Func::max(published()), EntryColumn::PublishedUtc)
        .and_where(published().lte(until))
        .and_where(is_published(table))
        .take()
}

impl SeaOrmStore {
    /// Whether an entry is of one of some records.
    fn is_one_of(&self, records: &[RecordRef]) -> Condition {
        let nothing = Condition::any().add(Expr::val(false));
        Kind::ALL.into_iter().fold(nothing, |any, kind| {
            let of_kind = records.iter().filter(|one| one.kind == kind);
            let ids: Vec<_> = of_kind.map(|one| one.id).collect();
            let listed = self
                .reader
                .json()
                .is_one_of((Entity, Column::RecordId), &ids);
            any.add_option((!ids.is_empty()).then(|| Column::Kind.eq(kind.name()).and(listed)))
        })
    }

    /// Gives each entry that was committed on PostgreSQL a number.
    async fn number_entries(&self) -> Result<(), StoreError> {
        let connection = &self.reader.connection;
        if !self.reader.is_postgres() {
            return Ok(());
        }
        let mut waiting = from(Entity);
        waiting
            .expr(Expr::val(1_i64))
            .and_where(Column::N.lt(0_i64));
        let waiting = Query::select()
            .expr_as(Expr::exists(waiting), RESULT)
            .take();
        if connection.value(&waiting).await? == Some(true) {
            let number = Statement::from_string(DbBackend::Postgres, NUMBER_ENTRIES);
            let numbered = connection.query_one_raw(number).await;
            numbered.map_err(store_error)?;
        }
        Ok(())
    }

    async fn entry_with(&self, number: SimpleExpr) -> Result<Option<JournalCursor>, StoreError> {
        let select = Entity::find()
            .select_only()
            .columns([Column::N, Column::Nonce])
            .filter(Expr::col(Column::N).eq(number))
            .limit(1);
        let row = self.reader.connection.value(&select.into_query()).await?;
        row.map(|(number, nonce): (i64, i64)| {
            Ok(JournalCursor {
                number: u64::try_from(number).map_err(|error| broken_column(Column::N, error))?,
                nonce: u32::try_from(nonce).map_err(|error| broken_column(Column::Nonce, error))?,
            })
        })
        .transpose()
    }
}

#[async_trait]
impl Journal for SeaOrmStore {
    async fn end(&self) -> Result<JournalCursor, StoreError> {
        self.number_entries().await?;
        let last = if self.reader.is_postgres() {
            let mut end = Query::select();
            end.column(journal_end::Column::N).from(journal_end::Entity);
            SimpleExpr::SubQuery(None, Box::new(end.take().into()))
        } else {
            greatest(&mut from(Entity))
        };
        let last = self.entry_with(last).await?;
        self.hold_back_replica().await;
        Ok(last.unwrap_or_default())
    }

    async fn last_visible(&self, reach: Reach) -> Result<JournalCursor, StoreError> {
        if reach == Reach::All {
            return self.end().await;
        }
        self.number_entries().await?;
        // The newest entries come first: few lie behind the last visible one.
        let mut visible = from(Entity);
        visible
            .column(Column::N)
            // An entry without a number has a negative one.
            .and_where(Column::N.gt(0_i64))
            .cond_where(is_visible(reach, own_column))
            .order_by(Column::N, Order::Desc)
            .limit(1);
        let last = SimpleExpr::SubQuery(None, Box::new(visible.take().into()));
        let last = self.entry_with(last).await?;
        self.hold_back_replica().await;
        Ok(last.unwrap_or_default())
    }

    async fn check(&self, cursor: JournalCursor) -> Result<CursorState, StoreError> {
        self.number_entries().await?;
        if cursor.number > 0 {
            let asked = Expr::val(stored(cursor.number));
            if let Some(kept) = self.entry_with(asked).await? {
                return Ok(if kept == cursor {
                    CursorState::Valid
                } else {
                    CursorState::Unknown
                });
            }
        }
        let least = from(Entity)
            .expr_as(Func::min(Expr::col(Column::N)), RESULT)
            .and_where(Column::N.gt(0_i64))
            .take();
        let first: Option<i64> = self.reader.connection.value(&least).await?.flatten();
        Ok(match (cursor.number, first) {
            (0, None | Some(1)) => CursorState::Valid,
            (asked, Some(first)) if stored(asked) < first => CursorState::TooOld,
            _ => CursorState::Unknown,
        })
    }

    async fn first_entries(&self, query: &EntryQuery) -> Result<Vec<JournalEntry>, StoreError> {
        let EntryQuery {
            after,
            read,
            until,
            kinds,
            records,
            reach,
            limit,
        } = query;
        let records = records.as_ref().map(|records| self.is_one_of(records));
        let rows = Entity::find()
            .filter(Column::N.gt(stored(*read)))
            .filter(Column::N.lte(stored(*until)))
            .filter(Column::Kind.is_in(kinds.iter().map(|kind| kind.name())))
            .filter(Condition::all().add_option(records))
            .filter(is_visible(*reach, own_column))
            .filter(has_earlier(*after, *reach).not())
            .order_by_asc(Column::N)
            .limit(stored(*limit).cast_unsigned());
        let rows = self.reader.all(rows).await?;
        rows.iter().map(entry).collect()
    }

    async fn became_due(
        &self,
        after: &Publication,
        until: Timestamp,
        limit: u64,
    ) -> Result<Vec<Publication>, StoreError> {
        let until = until.seconds();
        let publications = due(event::Entity, Kind::Event, after, until)
            .union(
                UnionType::All,
                due(venue::Entity, Kind::Venue, after, until),
            )
            .union(
                UnionType::All,
                due(organizer::Entity, Kind::Organizer, after, until),
            )
            .order_by(EntryColumn::PublishedUtc, Order::Asc)
            .order_by(Column::Kind, Order::Asc)
            .order_by(Column::RecordId, Order::Asc)
            .limit(limit)
            .take();
        let rows: Vec<(i64, String, i64)> = self.reader.connection.values(&publications).await?;
        let publications = rows.into_iter().map(|(due, kind, id)| {
            Ok(Publication {
                due: time_column(EntryColumn::PublishedUtc, due)?,
                record: record(&kind, id)?,
            })
        });
        publications.collect()
    }

    async fn last_due(
        &self,
        until: Timestamp,
        reach: Reach,
    ) -> Result<Option<Timestamp>, StoreError> {
        let until = until.seconds();
        let all = last_due(event::Entity, until)
            .cond_where(is_listed(reach))
            .take()
            .union(UnionType::All, last_due(venue::Entity, until))
            .union(UnionType::All, last_due(organizer::Entity, until))
            .take();
        let due: Vec<Option<i64>> = self.reader.connection.values(&all).await?;
        let last = due.into_iter().flatten().max();
        optional_time_column(EntryColumn::PublishedUtc, last)
    }

    async fn prune(&self, before: Timestamp, keep: u64, limit: u64) -> Result<u64, StoreError> {
        let end = self.end().await?;
        let oldest = from(Entity)
            .column(Column::N)
            .and_where(Column::N.gt(0_i64))
            .and_where(Column::N.lt(stored(end.number)))
            .order_by(Column::N, Order::Asc)
            .limit(limit)
            .take();
        // Times do not always ascend with the numbers. The rest has no gap.
        let mut window = oldest.clone();
        window.column(Column::AtUtc);
        let least = Func::min(Expr::col(Column::N));
        let first_kept = Query::select()
            .expr(Func::coalesce([least.into(), Expr::val(i64::MAX)]))
            .from_subquery(window, "oldest")
            .and_where(Expr::col(Column::AtUtc).gte(before.seconds()))
            .and_where(Expr::col(Column::N).gt(stored(end.number.saturating_sub(keep))))
            .take();
        let first_kept = SimpleExpr::SubQuery(None, Box::new(first_kept.into()));
        let pruned = Entity::delete_many()
            .filter(Column::N.in_subquery(oldest))
            .filter(Expr::col(Column::N).lt(first_kept))
            .exec(&self.writer)
            .await
            .map_err(store_error)?;
        Ok(pruned.rows_affected)
    }
}
