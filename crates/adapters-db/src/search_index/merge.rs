//! Merges queued texts into the search index.

use std::collections::BTreeMap;

use app::ports::StoreError;
use domain::search::tokens;
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, Order, QueryResult,
    sea_query::{
        CaseStatement, Expr, ExprTrait as _, Func, LockBehavior, LockType, SelectStatement,
    },
};

use super::{
    EVERY_EVENT, LONG_RUN, ORIGINAL, block_of,
    postings::{Change, Changes, DELETE_QUEUED, Side, apply, run},
};
use crate::{
    entity::{
        event::{self, Column},
        event_translation, search_waiting,
    },
    error::store_error,
    sql::{Json, from},
};

/// The advisory lock of PostgreSQL for the transaction that merges.
pub(crate) const MERGE_LOCK: i64 = 0x7365_6172_6368;

/// The number of texts that a bulk insertion merges at once.
const BULK: u64 = 5_000;

/// The maximum size of the texts of one step, in bytes, unless a single text is longer. It bounds
/// the time that other writers wait.
const MAX_BYTES: usize = 4 << 20;

/// The text of an event in a language.
pub(super) type TextKey = (i64, String);

/// The block of an event, and a text of it.
#[derive(Debug)]
pub(super) struct Indexed {
    block: i64,
    folded: String,
}

impl Indexed {
    pub(super) fn block(&self) -> i64 {
        self.block
    }

    /// The tokens of the text.
    pub(super) fn tokens(&self) -> impl Iterator<Item = &str> {
        let found = tokens(&self.folded);
        let long = found.has_long_run.then_some(LONG_RUN);
        found.words.into_iter().chain(long).chain([EVERY_EVENT])
    }
}

/// Merges all queued texts, those of listed events in the order of starts: each posting is then
/// written once.
pub(crate) async fn merge_all(transaction: &DatabaseTransaction) -> Result<(), StoreError> {
    let listed = from(event::Entity)
        .inner_join(
            search_waiting::Entity,
            Expr::col((search_waiting::Entity, search_waiting::Column::EventId))
                .equals((event::Entity, Column::Id)),
        )
        .order_by((event::Entity, Column::StartUtc), Order::Asc)
        .take();
    while merge_some(transaction, &listed, BULK).await? > 0 {}
    while merge(transaction, BULK).await? > 0 {}
    Ok(())
}

/// Merges at most `limit` queued texts, and returns their number. Texts that another transaction is
/// changing stay in the queue.
pub(super) async fn merge(
    transaction: &DatabaseTransaction,
    limit: u64,
) -> Result<usize, StoreError> {
    merge_some(transaction, &from(search_waiting::Entity), limit).await
}

/// [`merge`] for the texts that a query of the queue selects.
async fn merge_some(
    transaction: &DatabaseTransaction,
    queue: &SelectStatement,
    limit: u64,
) -> Result<usize, StoreError> {
    let before = queued(transaction, queue, Some(limit)).await?;
    if before.is_empty() {
        return Ok(0);
    }
    let after = current(transaction, &before).await?;
    let mut changes = Changes::new();
    let (mut merged, mut bytes) = (Vec::new(), 0);
    for (key, known) in &before {
        if bytes > MAX_BYTES {
            break;
        }
        let (id, language) = key;
        let length = |text: Option<&Indexed>| text.map_or(0, |text| text.folded.len());
        bytes += length(known.as_ref()) + length(after.get(key));
        merged.push(key);
        let sides = [
            (Side::Removed, known.as_ref()),
            (Side::Added, after.get(key)),
        ];
        for (side, indexed) in sides {
            let Some(indexed) = indexed else { continue };
            let change = Change {
                language: (language != ORIGINAL).then_some(language.as_str()),
                block: indexed.block,
                id: *id,
                side,
            };
            for token in indexed.tokens() {
                changes.entry(token).or_default().push(change);
            }
        }
    }
    apply(transaction, changes).await?;
    run(transaction, DELETE_QUEUED, &merged).await?;
    Ok(merged.len())
}

/// Queued texts, with what the index holds of them. With a limit, they are locked.
pub(super) async fn queued(
    transaction: &DatabaseTransaction,
    queue: &SelectStatement,
    limit: Option<u64>,
) -> Result<BTreeMap<TextKey, Option<Indexed>>, StoreError> {
    use search_waiting::Column;
    let mut select = queue.clone();
    for column in [
        Column::EventId,
        Column::Language,
        Column::StartUtc,
        Column::Folded,
    ] {
        select.column((search_waiting::Entity, column));
    }
    if let Some(limit) = limit {
        select.limit(limit).lock_with_tables_behavior(
            LockType::Update,
            [search_waiting::Entity],
            LockBehavior::SkipLocked,
        );
    }
    let row = |row: &QueryResult| {
        let key = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
        Ok((key, indexed(row)?))
    };
    let rows = transaction.query_all(&select).await.map_err(store_error)?;
    rows.iter()
        .map(row)
        .collect::<Result<_, _>>()
        .map_err(store_error)
}

/// The third and the fourth column of a row: start and text.
fn indexed(row: &QueryResult) -> Result<Option<Indexed>, sea_orm::DbErr> {
    let start: Option<i64> = row.try_get_by_index(2)?;
    let folded: Option<String> = row.try_get_by_index(3)?;
    Ok(start.zip(folded).map(|(start, folded)| Indexed {
        block: block_of(start),
        folded,
    }))
}

/// The current texts of some events and their translations, unless the event is unlisted.
pub(super) async fn current(
    transaction: &DatabaseTransaction,
    keys: &BTreeMap<TextKey, Option<Indexed>>,
) -> Result<BTreeMap<TextKey, Indexed>, StoreError> {
    let json = Json {
        backend: transaction.get_database_backend(),
    };
    let mut ids: Vec<i64> = keys.keys().map(|(id, _)| *id).collect();
    ids.dedup();
    let column = |name: Column| Expr::col((event::Entity, name));
    let shown = |original: Column, translated| match translated {
        None => column(original),
        Some(translated) => {
            let translated = Expr::col((event_translation::Entity, translated));
            Func::coalesce([translated, column(original)]).into()
        }
    };
    let text = |translated: bool| {
        use event_translation::Column as Translated;
        let text = |original, other| shown(original, translated.then_some(other));
        CaseStatement::new()
            .case(
                column(Column::PasswordHash).is_null(),
                text(Column::SearchText, Translated::SearchText),
            )
            .finally(text(Column::TitleKey, Translated::TitleKey))
    };
    let originals = from(event::Entity)
        .expr(column(Column::Id))
        .expr(Expr::val(ORIGINAL))
        .expr(column(Column::StartUtc))
        .expr(text(false))
        .take();
    let translations = from(event::Entity)
        .inner_join(
            event_translation::Entity,
            Expr::col((
                event_translation::Entity,
                event_translation::Column::RecordId,
            ))
            .equals((event::Entity, Column::Id)),
        )
        .expr(column(Column::Id))
        .column((
            event_translation::Entity,
            event_translation::Column::Language,
        ))
        .expr(column(Column::StartUtc))
        .expr(text(true))
        .take();
    let mut texts = BTreeMap::new();
    for mut select in [originals, translations] {
        select
            .and_where(column(Column::Listed))
            .and_where(json.is_one_of((event::Entity, Column::Id), &ids));
        let rows = transaction.query_all(&select).await.map_err(store_error)?;
        for row in rows {
            let key = row.try_get_by_index(0).map_err(store_error)?;
            let language = row.try_get_by_index(1).map_err(store_error)?;
            if let Some(indexed) = indexed(&row).map_err(store_error)? {
                texts.insert((key, language), indexed);
            }
        }
    }
    Ok(texts)
}
