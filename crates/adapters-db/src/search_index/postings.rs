//! Writes postings and the list of tokens.
//!
//! Each statement takes many rows as one JSON parameter, so that its text, and with it the cached
//! plan, stays the same.

use std::collections::{BTreeMap, BTreeSet};

use app::ports::StoreError;
use domain::search::suffixes;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, Statement};
use serde::Serialize;

use super::Ids;
use crate::error::store_error;

/// The key of a posting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Posting<'a> {
    pub(super) token: &'a str,
    pub(super) language: &'a str,
    pub(super) block: i64,
}

impl<'a> Posting<'a> {
    /// The key as a row of a parameter.
    fn row(self) -> (&'a str, &'a str, i64) {
        (self.token, self.language, self.block)
    }
}

/// Whether a posting loses or gets an ID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Side {
    Removed,
    Added,
}

/// A change of a posting.
pub(super) type Change<'a> = (Posting<'a>, Side, i64);

/// A statement in the SQL of SQLite and of PostgreSQL.
#[derive(Clone, Copy)]
pub(super) struct BothSql {
    sqlite: &'static str,
    postgres: &'static str,
}

/// The stored postings, each as the place of its key among the parameters, and its IDs.
const READ: BothSql = BothSql {
    sqlite: "SELECT group_concat(wanted.key || ':' || hex(event_ids)) AS list
        FROM json_each(?) AS wanted CROSS JOIN search_posting
        WHERE token = wanted.value ->> 0 AND language = wanted.value ->> 1
        AND block = wanted.value ->> 2",
    postgres: "SELECT string_agg(place - 1 || ':' || encode(event_ids, 'hex'), ',') AS list
        FROM json_array_elements($1::json) WITH ORDINALITY AS wanted (key, place)
        JOIN search_posting ON token = key ->> 0 AND language = key ->> 1
        AND block = (key ->> 2)::bigint",
};

const WRITE: BothSql = BothSql {
    sqlite: "INSERT INTO search_posting (token, language, block, event_ids)
        SELECT value ->> 0, value ->> 1, value ->> 2, unhex(value ->> 3) FROM json_each(?) WHERE TRUE
        ON CONFLICT DO UPDATE SET event_ids = excluded.event_ids",
    postgres: "INSERT INTO search_posting (token, language, block, event_ids)
        SELECT entry ->> 0, entry ->> 1, (entry ->> 2)::bigint, decode(entry ->> 3, 'hex')
        FROM json_array_elements($1::json) AS entry
        ON CONFLICT (token, language, block) DO UPDATE SET event_ids = excluded.event_ids",
};

const DELETE: BothSql = BothSql {
    sqlite: "DELETE FROM search_posting WHERE (token, language, block) IN
        (SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?))",
    postgres: "DELETE FROM search_posting USING json_array_elements($1::json) AS entry
        WHERE token = entry ->> 0 AND language = entry ->> 1 AND block = (entry ->> 2)::bigint",
};

/// The places of the tokens that the list of suffixes lacks.
const UNKNOWN: BothSql = BothSql {
    sqlite: "SELECT group_concat(wanted.key || ':') AS list FROM json_each(?) AS wanted
        WHERE NOT EXISTS (SELECT 1 FROM search_suffix
        WHERE suffix = wanted.value AND token = wanted.value)",
    postgres: "SELECT string_agg(place - 1 || ':', ',') AS list
        FROM json_array_elements_text($1::json) WITH ORDINALITY AS wanted (word, place)
        WHERE NOT EXISTS (SELECT 1 FROM search_suffix WHERE suffix = word AND token = word)",
};

const ADD_SUFFIXES: BothSql = BothSql {
    sqlite: "INSERT INTO search_suffix (suffix, token)
        SELECT value ->> 0, value ->> 1 FROM json_each(?) WHERE TRUE ON CONFLICT DO NOTHING",
    postgres: "INSERT INTO search_suffix (suffix, token)
        SELECT entry ->> 0, entry ->> 1 FROM json_array_elements($1::json) AS entry
        ON CONFLICT DO NOTHING",
};

/// Deletes texts from the queue.
pub(super) const DELETE_QUEUED: BothSql = BothSql {
    sqlite: "DELETE FROM search_waiting WHERE (event_id, language) IN
        (SELECT value ->> 0, value ->> 1 FROM json_each(?))",
    postgres: "DELETE FROM search_waiting USING json_array_elements($1::json) AS entry
        WHERE event_id = (entry ->> 0)::bigint AND language = entry ->> 1",
};

/// The number of rows of a statement, which bounds its memory.
const ROWS: usize = 20_000;

/// Applies sorted changes to the postings.
pub(super) async fn apply(
    transaction: &DatabaseTransaction,
    changes: &[Change<'_>],
) -> Result<(), StoreError> {
    let changes: Vec<_> = changes.chunk_by(|one, next| one.0 == next.0).collect();
    let mut new_tokens = BTreeSet::new();
    for changes in changes.chunks(ROWS) {
        let of_posting = changes
            .iter()
            .filter_map(|all| Some((all.first()?.0, *all)));
        let changes: Vec<(Posting<'_>, &[Change<'_>])> = of_posting.collect();
        let keys: Vec<_> = changes.iter().map(|(key, _)| key.row()).collect();
        let mut stored = read(transaction, READ, &keys).await?;
        let (mut written, mut emptied) = (Vec::new(), Vec::new());
        for (place, (posting, changes)) in changes.iter().enumerate() {
            let mut ids = stored.remove(&place).unwrap_or_default();
            if ids.is_empty() {
                new_tokens.insert(posting.token);
            }
            let of = |side| {
                let of_side = changes.iter().filter(move |change| change.1 == side);
                of_side.map(|change| change.2).collect()
            };
            ids.subtract(&of(Side::Removed));
            ids.union(of(Side::Added));
            let (token, language, block) = posting.row();
            if ids.is_empty() {
                emptied.push((token, language, block));
            } else {
                written.push((token, language, block, ids.encode_hex()));
            }
        }
        run(transaction, WRITE, &written).await?;
        run(transaction, DELETE, &emptied).await?;
    }
    add_tokens(transaction, &new_tokens.into_iter().collect::<Vec<_>>()).await
}

/// Adds tokens to the list of suffixes.
async fn add_tokens(transaction: &DatabaseTransaction, tokens: &[&str]) -> Result<(), StoreError> {
    for tokens in tokens.chunks(ROWS) {
        let unknown = read(transaction, UNKNOWN, tokens).await?;
        let unknown = unknown.keys().filter_map(|place| tokens.get(*place));
        let mut rows: Vec<_> = unknown
            .flat_map(|token| suffixes(token).map(move |suffix| (suffix, token)))
            .collect();
        rows.sort_unstable();
        for rows in rows.chunks(ROWS) {
            run(transaction, ADD_SUFFIXES, rows).await?;
        }
    }
    Ok(())
}

/// Runs a statement that reads a list of sets of IDs, by the places of their keys.
async fn read<T: Serialize>(
    transaction: &DatabaseTransaction,
    sql: BothSql,
    rows: &[T],
) -> Result<BTreeMap<usize, Ids>, StoreError> {
    if rows.is_empty() {
        return Ok(BTreeMap::new());
    }
    let statement = statement(transaction, sql, rows)?;
    let row = transaction
        .query_one_raw(statement)
        .await
        .map_err(store_error)?;
    let list: Option<String> = match row {
        Some(row) => row.try_get_by_index(0).map_err(store_error)?,
        None => None,
    };
    let mut sets = BTreeMap::new();
    for entry in super::parse_entries(list.as_deref().unwrap_or_default()) {
        let (place, digits) = entry?;
        let place = usize::try_from(place).map_err(|_| super::broken())?;
        sets.insert(place, Ids::decode_hex(digits)?);
    }
    Ok(sets)
}

/// Runs a statement for some rows.
pub(super) async fn run<T: Serialize>(
    transaction: &DatabaseTransaction,
    sql: BothSql,
    rows: &[T],
) -> Result<(), StoreError> {
    if !rows.is_empty() {
        let statement = statement(transaction, sql, rows)?;
        transaction
            .execute_raw(statement)
            .await
            .map_err(store_error)?;
    }
    Ok(())
}

fn statement<T: Serialize>(
    transaction: &DatabaseTransaction,
    sql: BothSql,
    rows: &[T],
) -> Result<Statement, StoreError> {
    let rows = serde_json::to_string(rows)
        .map_err(|error| StoreError::Internal(format!("rows of the search index: {error}")))?;
    let backend = transaction.get_database_backend();
    let sql = match backend {
        DbBackend::Postgres => sql.postgres,
        _ => sql.sqlite,
    };
    Ok(Statement::from_sql_and_values(backend, sql, [rows.into()]))
}
