//! Writes postings and the list of tokens.
//!
//! Each statement takes many rows, and its text, and with it the cached plan, stays the same. Most
//! take the rows as one JSON parameter.

use std::{
    collections::{BTreeMap, HashMap},
    mem,
    sync::LazyLock,
};

use app::ports::StoreError;
use domain::search::suffixes;
use sea_orm::{ConnectionTrait, DbBackend, Statement, Value};
use serde::Serialize;

use super::{Ids, ORIGINAL, hex};
use crate::connection::raw;

/// The key of a posting: token, language, block.
type Key<'a> = (&'a str, &'a str, i64);

/// Whether a posting loses or gets an ID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Side {
    Removed,
    Added,
}

/// A change of a posting of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Change<'a> {
    /// None for the original text: a comparison of empty texts calls a function that may be slow.
    pub(super) language: Option<&'a str>,
    pub(super) block: i64,
    pub(super) id: i64,
    pub(super) side: Side,
}

impl<'a> Change<'a> {
    fn posting(&self) -> (Option<&'a str>, i64) {
        (self.language, self.block)
    }

    fn key(&self, token: &'a str) -> Key<'a> {
        (token, self.language.unwrap_or(ORIGINAL), self.block)
    }
}

/// The changes of each token.
pub(super) type Changes<'a> = HashMap<&'a str, Vec<Change<'a>>>;

/// A statement in the SQL of SQLite and of PostgreSQL.
#[derive(Clone, Copy)]
pub(super) struct BothSql {
    sqlite: &'static str,
    postgres: &'static str,
}

/// The stored postings, each as the position of its key among the parameters, and its IDs.
const READ: BothSql = BothSql {
    sqlite: "SELECT group_concat(wanted.key || ':' || hex(event_ids)) AS list
        FROM json_each(?) AS wanted CROSS JOIN search_posting
        WHERE token = wanted.value ->> 0 AND language = wanted.value ->> 1
        AND block = wanted.value ->> 2",
    postgres: "SELECT string_agg(ordinal - 1 || ':' || encode(event_ids, 'hex'), ',') AS list
        FROM json_array_elements($1::json) WITH ORDINALITY AS wanted (key, ordinal)
        JOIN search_posting ON token = key ->> 0 AND language = key ->> 1
        AND block = (key ->> 2)::bigint",
};

/// Adds sets of IDs to postings without reading these: stored forms are put one after the other. Each
/// parameter is a column; a separator follows each value. The row after the last one has no block.
const ADD_POSTGRES: &str = "INSERT INTO search_posting (token, language, block, event_ids)
    SELECT token, language, block, decode(event_ids, 'hex') FROM (SELECT
    unnest(string_to_array($1, ' ')) AS token, unnest(string_to_array($2, ' ')) AS language,
    unnest(string_to_array($3, ' ', '')::bigint[]) AS block,
    unnest(string_to_array($4, ' ')) AS event_ids) AS entry WHERE block IS NOT NULL
    ON CONFLICT (token, language, block) DO UPDATE SET
    event_ids = search_posting.event_ids || '\\x00' || excluded.event_ids";

/// The same on SQLite, with a parameter for each value of [`ROWS_SQLITE`] rows. Parameters without a
/// value are null.
static ADD_SQLITE: LazyLock<String> = LazyLock::new(|| {
    let rows = ["(?, ?, ?, ?)"; ROWS_SQLITE].join(", ");
    format!(
        "INSERT INTO search_posting (token, language, block, event_ids)
        SELECT * FROM (VALUES {rows}) WHERE column3 IS NOT NULL
        ON CONFLICT DO UPDATE SET
        event_ids = CAST(event_ids || x'00' || excluded.event_ids AS blob)"
    )
});

const DELETE: BothSql = BothSql {
    sqlite: "DELETE FROM search_posting WHERE (token, language, block) IN
        (SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?))",
    postgres: "DELETE FROM search_posting USING json_array_elements($1::json) AS entry
        WHERE token = entry ->> 0 AND language = entry ->> 1 AND block = (entry ->> 2)::bigint",
};

/// The positions of the tokens that the list of suffixes lacks.
const UNKNOWN: BothSql = BothSql {
    sqlite: "SELECT group_concat(wanted.key || ':') AS list FROM json_each(?) AS wanted
        WHERE NOT EXISTS (SELECT 1 FROM search_suffix
        WHERE suffix = wanted.value AND token = wanted.value)",
    postgres: "SELECT string_agg(ordinal - 1 || ':', ',') AS list
        FROM json_array_elements_text($1::json) WITH ORDINALITY AS wanted (word, ordinal)
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

/// The number of rows that one statement of SQLite adds.
const ROWS_SQLITE: usize = 256;

/// Applies changes to the postings.
pub(super) async fn apply(
    connection: &impl ConnectionTrait,
    changes: Changes<'_>,
) -> Result<(), StoreError> {
    let mut changes: Vec<_> = changes.into_iter().collect();
    // The tables are read and written in the order of their keys.
    changes.sort_unstable_by_key(|(token, _)| *token);
    let tokens: Vec<_> = changes.iter().map(|(token, _)| *token).collect();
    add_tokens(connection, &tokens).await?;
    for (_, changes) in &mut changes {
        *changes = effective(mem::take(changes));
    }
    let postings: Vec<(Key<'_>, &[Change<'_>])> = changes
        .iter()
        .flat_map(|(token, changes)| {
            let postings = changes.chunk_by(|one, next| one.posting() == next.posting());
            postings.map(|changes| (changes[0].key(token), changes))
        })
        .collect();
    for postings in postings.chunks(ROWS) {
        add(connection, remaining(connection, postings).await?).await?;
    }
    Ok(())
}

/// The distinct changes in order, without those that revoke each other.
fn effective(mut changes: Vec<Change<'_>>) -> Vec<Change<'_>> {
    changes.sort_unstable();
    changes.dedup();
    let sides = changes.chunk_by(|one, next| (one.posting(), one.id) == (next.posting(), next.id));
    let single = sides.filter(|sides| sides.len() == 1);
    single.flatten().copied().collect()
}

/// Deletes the postings that lose IDs, and returns the sets of IDs to add afterwards.
async fn remaining<'a>(
    connection: &impl ConnectionTrait,
    postings: &[(Key<'a>, &[Change<'_>])],
) -> Result<Vec<(Key<'a>, Ids)>, StoreError> {
    let is_removed = |change: &Change<'_>| change.side == Side::Removed;
    let shrunk = postings
        .iter()
        .filter(|(_, changes)| changes.iter().any(is_removed));
    let shrunk: Vec<_> = shrunk.map(|(key, _)| *key).collect();
    let mut stored = read(connection, READ, &shrunk).await?;
    run(connection, DELETE, &shrunk).await?;
    let mut positions = 0..;
    let remaining = postings.iter().map(|(key, changes)| {
        let (removed, added) = changes
            .iter()
            .partition::<Vec<Change<'_>>, _>(|change| is_removed(change));
        let mut ids: Ids = added.iter().map(|change| change.id).collect();
        if !removed.is_empty() {
            let known = positions
                .next()
                .and_then(|position| stored.remove(&position));
            let mut known = known.unwrap_or_default();
            known.subtract(&removed.iter().map(|change| change.id).collect());
            ids.union(known);
        }
        (*key, ids)
    });
    Ok(remaining.filter(|(_, ids)| !ids.is_empty()).collect())
}

/// Adds sets of IDs to postings.
async fn add(
    connection: &impl ConnectionTrait,
    rows: Vec<(Key<'_>, Ids)>,
) -> Result<(), StoreError> {
    let backend = connection.get_database_backend();
    let execute = async |sql: &str, values: Vec<Value>| {
        let statement = Statement::from_sql_and_values(backend, sql, values);
        raw::run(connection, statement).await
    };
    if backend == DbBackend::Postgres && !rows.is_empty() {
        let mut columns = <[String; 4]>::default();
        for ((token, language, block), ids) in rows {
            let values = [token, language, &block.to_string(), &hex(&ids.encode())];
            for (column, value) in columns.iter_mut().zip(values) {
                column.push_str(value);
                column.push(' ');
            }
        }
        execute(ADD_POSTGRES, columns.map(Value::from).into()).await?;
        return Ok(());
    }
    for rows in rows.chunks(ROWS_SQLITE) {
        let values = rows
            .iter()
            .flat_map(|((token, language, block), ids)| -> [Value; 4] {
                [
                    (*token).into(),
                    (*language).into(),
                    (*block).into(),
                    ids.encode().into(),
                ]
            });
        execute(&ADD_SQLITE, values.collect()).await?;
    }
    Ok(())
}

/// Adds tokens to the list of suffixes.
async fn add_tokens(connection: &impl ConnectionTrait, tokens: &[&str]) -> Result<(), StoreError> {
    for tokens in tokens.chunks(ROWS) {
        let unknown = read(connection, UNKNOWN, tokens).await?;
        let unknown = unknown.keys().filter_map(|position| tokens.get(*position));
        let mut rows: Vec<_> = unknown
            .flat_map(|token| suffixes(token).map(move |suffix| (suffix, token)))
            .collect();
        rows.sort_unstable();
        for rows in rows.chunks(ROWS) {
            run(connection, ADD_SUFFIXES, rows).await?;
        }
    }
    Ok(())
}

/// Runs a statement that reads a list of sets of IDs, by the positions of their keys.
async fn read<T: Serialize>(
    connection: &impl ConnectionTrait,
    sql: BothSql,
    rows: &[T],
) -> Result<BTreeMap<usize, Ids>, StoreError> {
    if rows.is_empty() {
        return Ok(BTreeMap::new());
    }
    let statement = statement(connection, sql, rows)?;
    let list: Option<String> = raw::value(connection, statement).await?.flatten();
    let mut sets = BTreeMap::new();
    for entry in super::parse_entries(list.as_deref().unwrap_or_default()) {
        let (position, digits) = entry?;
        let position = usize::try_from(position).map_err(|_| super::broken())?;
        sets.insert(position, Ids::decode_hex(digits)?);
    }
    Ok(sets)
}

/// Runs a statement for some rows.
pub(super) async fn run<T: Serialize>(
    connection: &impl ConnectionTrait,
    sql: BothSql,
    rows: &[T],
) -> Result<(), StoreError> {
    if !rows.is_empty() {
        raw::run(connection, statement(connection, sql, rows)?).await?;
    }
    Ok(())
}

fn statement<T: Serialize>(
    connection: &impl ConnectionTrait,
    sql: BothSql,
    rows: &[T],
) -> Result<Statement, StoreError> {
    let rows = serde_json::to_string(rows)
        .map_err(|error| StoreError::Internal(format!("rows of the search index: {error}")))?;
    let backend = connection.get_database_backend();
    let sql = match backend {
        DbBackend::Postgres => sql.postgres,
        _ => sql.sqlite,
    };
    Ok(Statement::from_sql_and_values(backend, sql, [rows.into()]))
}
