//! Merges queued texts into the search index.

use std::collections::BTreeMap;

use app::ports::StoreError;
use domain::search::tokens;
use sea_orm::{
    ConnectionTrait, Order,
    sea_query::{
        CaseStatement, Expr, ExprTrait as _, Func, LockBehavior, LockType, SelectStatement,
    },
};

use super::{
    EVERY_EVENT, LONG_RUN, ORIGINAL, block_of,
    postings::{Change, Changes, DELETE_QUEUED, Side, apply, run},
};
use crate::{
    connection::raw,
    entity::{
        event::{self, Column},
        event_translation, search_waiting,
    },
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
pub(crate) async fn merge_all(connection: &impl ConnectionTrait) -> Result<(), StoreError> {
    let listed = from(event::Entity)
        .inner_join(
            search_waiting::Entity,
            Expr::col((search_waiting::Entity, search_waiting::Column::EventId))
                .equals((event::Entity, Column::Id)),
        )
        .order_by((event::Entity, Column::StartUtc), Order::Asc)
        .take();
    while merge_some(connection, &listed, BULK).await? > 0 {}
    while merge(connection, BULK).await? > 0 {}
    Ok(())
}

/// Merges at most `limit` queued texts, and returns their number. Texts that another transaction is
/// changing stay in the queue.
pub(super) async fn merge(
    connection: &impl ConnectionTrait,
    limit: u64,
) -> Result<usize, StoreError> {
    merge_some(connection, &from(search_waiting::Entity), limit).await
}

/// [`merge`] for the texts that a query of the queue selects.
async fn merge_some(
    connection: &impl ConnectionTrait,
    queue: &SelectStatement,
    limit: u64,
) -> Result<usize, StoreError> {
    let before = queued(connection, queue, Some(limit)).await?;
    if before.is_empty() {
        return Ok(0);
    }
    let after = current(connection, &before).await?;
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
    apply(connection, changes).await?;
    run(connection, DELETE_QUEUED, &merged).await?;
    Ok(merged.len())
}

/// Queued texts, with what the index holds of them. With a limit, they are locked.
pub(super) async fn queued(
    connection: &impl ConnectionTrait,
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
    let select = connection.get_database_backend().build(&select);
    let rows = raw::values(connection, select).await?.into_iter();
    Ok(rows.map(indexed).collect())
}

/// The ID, the language, the start and the text of a row.
type Text = (i64, String, Option<i64>, Option<String>);

fn indexed((id, language, start, folded): Text) -> (TextKey, Option<Indexed>) {
    let indexed = start.zip(folded).map(|(start, folded)| Indexed {
        block: block_of(start),
        folded,
    });
    ((id, language), indexed)
}

/// The current texts of some events and their translations, unless the event is unlisted.
pub(super) async fn current(
    connection: &impl ConnectionTrait,
    keys: &BTreeMap<TextKey, Option<Indexed>>,
) -> Result<BTreeMap<TextKey, Indexed>, StoreError> {
    let json = Json {
        backend: connection.get_database_backend(),
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
        let select = connection.get_database_backend().build(&select);
        let rows = raw::values(connection, select).await?.into_iter();
        let rows = rows.map(indexed);
        texts.extend(rows.filter_map(|(key, indexed)| Some((key, indexed?))));
    }
    Ok(texts)
}
