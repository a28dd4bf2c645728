//! Compares the index with the texts.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    hash::{DefaultHasher, Hash as _, Hasher as _},
};

use app::ports::StoreError;
use domain::search::suffixes;
use migration::QUEUE_ALL_TEXTS;
use sea_orm::{
    ConnectionTrait, DbBackend, Statement,
    sea_query::{Expr, ExprTrait as _, Order, Query},
};

use super::{
    EVERY_EVENT, Ids, LONG_RUN,
    merge::{Indexed, TextKey, current, queued},
};
use crate::{
    connection::raw,
    entity::{event, search_waiting},
    sql::from,
};

/// The number of texts, or of postings, that are read at once.
const AT_ONCE: u64 = 1_000;

/// A number that tells the postings of a text from those of another one: the sum of the hashes of its
/// tokens in its block.
type Sum = u64;

fn hash(token: &str, block: i64) -> Sum {
    let mut hasher = DefaultHasher::new();
    (token, block).hash(&mut hasher);
    hasher.finish()
}

/// The texts that the index does not hold as they are, and the tokens of which it lacks ends: each with
/// what it holds.
pub(crate) async fn differences(
    connection: &impl ConnectionTrait,
) -> Result<Vec<(String, String)>, StoreError> {
    let mut sums: HashMap<TextKey, Sum> = HashMap::new();
    add_texts(connection, &mut sums).await?;
    let mut wrong = Vec::new();
    let tokens = subtract_postings(connection, &mut sums, &mut wrong).await?;
    let mut texts: Vec<_> = sums.into_iter().filter(|(_, sum)| *sum != 0).collect();
    texts.sort_unstable();
    wrong.extend(texts.into_iter().map(|((id, language), _)| {
        let language = if language.is_empty() {
            "original"
        } else {
            &language
        };
        (format!("event {id} ({language})"), "other words".to_owned())
    }));
    wrong.extend(ends(connection, &tokens).await?);
    Ok(wrong)
}

/// Deletes the index, and queues the texts of all events.
pub(crate) async fn queue_everything(connection: &impl ConnectionTrait) -> Result<(), StoreError> {
    let delete =
        "DELETE FROM search_posting; DELETE FROM search_suffix; DELETE FROM search_waiting;";
    for statements in [delete, QUEUE_ALL_TEXTS] {
        raw::run_all(connection, statements).await?;
    }
    Ok(())
}

/// Adds the tokens that the index should hold: of a queued text those before its change.
async fn add_texts(
    connection: &impl ConnectionTrait,
    sums: &mut HashMap<TextKey, Sum>,
) -> Result<(), StoreError> {
    let queue = queued(connection, &from(search_waiting::Entity), None).await?;
    let mut add = |key: &TextKey, indexed: &Indexed| {
        let sum = sums.entry(key.clone()).or_default();
        // A word may occur several times.
        let tokens: BTreeSet<&str> = indexed.tokens().collect();
        for token in tokens {
            *sum = sum.wrapping_add(hash(token, indexed.block()));
        }
    };
    for (key, indexed) in &queue {
        if let Some(indexed) = indexed {
            add(key, indexed);
        }
    }
    let mut after = 0;
    loop {
        let ids = Query::select()
            .column(event::Column::Id)
            .from(event::Entity)
            .and_where(Expr::col(event::Column::Listed))
            .and_where(Expr::col(event::Column::Id).gt(after))
            .order_by(event::Column::Id, Order::Asc)
            .limit(AT_ONCE)
            .take();
        let ids = connection.get_database_backend().build(&ids);
        let ids: Vec<i64> = raw::values(connection, ids).await?;
        let Some(last) = ids.last() else {
            return Ok(());
        };
        after = *last;
        let keys: BTreeMap<TextKey, Option<Indexed>> = ids
            .into_iter()
            .map(|id| ((id, String::new()), None))
            .collect();
        for (key, indexed) in current(connection, &keys).await? {
            if !queue.contains_key(&key) {
                add(&key, &indexed);
            }
        }
    }
}

/// Subtracts the tokens that the index holds. Returns the distinct ones.
async fn subtract_postings(
    connection: &impl ConnectionTrait,
    sums: &mut HashMap<TextKey, Sum>,
    wrong: &mut Vec<(String, String)>,
) -> Result<Vec<String>, StoreError> {
    let backend = connection.get_database_backend();
    let page = if backend == DbBackend::Postgres {
        "SELECT token, language, block, encode(event_ids, 'hex') FROM search_posting
        WHERE (token, language, block) > ($1, $2, $3) ORDER BY token, language, block LIMIT $4"
    } else {
        "SELECT token, language, block, hex(event_ids) FROM search_posting
        WHERE (token, language, block) > (?, ?, ?) ORDER BY token, language, block LIMIT ?"
    };
    let mut tokens: Vec<String> = Vec::new();
    let mut after = (String::new(), String::new(), i64::MIN);
    loop {
        let (token, language, block) = after.clone();
        let values = [
            token.into(),
            language.into(),
            block.into(),
            i64::try_from(AT_ONCE).unwrap_or(i64::MAX).into(),
        ];
        let page = Statement::from_sql_and_values(backend, page, values);
        let rows: Vec<(String, String, i64, String)> = raw::values(connection, page).await?;
        if rows.is_empty() {
            return Ok(tokens);
        }
        for (token, language, block, digits) in rows {
            match Ids::decode_hex(&digits) {
                Ok(ids) => {
                    let hash = hash(&token, block);
                    for id in ids.as_slice() {
                        let sum = sums.entry((*id, language.clone())).or_default();
                        *sum = sum.wrapping_sub(hash);
                    }
                }
                Err(_) => wrong.push((
                    format!("posting of {token:?} ({language}) in block {block}"),
                    "bytes that are no IDs".to_owned(),
                )),
            }
            if tokens.last() != Some(&token) {
                tokens.push(token.clone());
            }
            after = (token, language, block);
        }
    }
}

/// The tokens of which the list of ends lacks some, and ends that are none.
async fn ends(
    connection: &impl ConnectionTrait,
    tokens: &[String],
) -> Result<Vec<(String, String)>, StoreError> {
    let backend = connection.get_database_backend();
    let mut wrong = Vec::new();
    let counts = "SELECT token, COUNT(*) FROM search_suffix GROUP BY token";
    let counts = raw::values(connection, Statement::from_string(backend, counts));
    let counts: HashMap<String, i64> = counts.await?.into_iter().collect();
    for token in tokens {
        if token == EVERY_EVENT || token == LONG_RUN {
            continue;
        }
        let expected = i64::try_from(suffixes(token).count()).unwrap_or(i64::MAX);
        let stored = counts.get(token).copied().unwrap_or_default();
        if stored != expected {
            wrong.push((
                format!("ends of {token:?}"),
                format!("{stored} of {expected}"),
            ));
        }
    }
    let others = "SELECT DISTINCT token FROM search_suffix
        WHERE suffix <> substr(token, length(token) - length(suffix) + 1) ORDER BY token";
    let others = Statement::from_string(backend, others);
    for token in raw::values::<String>(connection, others).await? {
        wrong.push((format!("ends of {token:?}"), "another text".to_owned()));
    }
    Ok(wrong)
}
