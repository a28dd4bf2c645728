//! The search index: which events contain which tokens.
//!
//! Triggers queue changed texts in the transaction of the event. A task adds them to the index soon
//! afterwards, many at once, as that is far cheaper. Searches read the queued texts
//! themselves, so that they always find what is stored.

mod check;
mod ids;
mod merge;
mod postings;
mod sorted;
mod task;

pub(crate) use self::{
    check::{differences, queue_everything},
    ids::{Ids, each_id},
    merge::{MERGE_LOCK, merge_all},
    sorted::Sorted,
    task::{merge_queue, start_merging},
};

use app::ports::StoreError;
use migration::SEARCH_BLOCK_SHIFT;

/// The language of original texts.
pub(crate) const ORIGINAL: &str = "";

/// The token of all events.
pub(crate) const EVERY_EVENT: &str = "";

/// The token of events with a run of letters that is too long for a token.
pub(crate) const LONG_RUN: &str = "+";

/// The block of a start, in seconds since 1970.
pub(crate) fn block_of(start: i64) -> i64 {
    start >> SEARCH_BLOCK_SHIFT
}

/// The first start of a block.
pub(crate) fn first_start(block: i64) -> i64 {
    block << SEARCH_BLOCK_SHIFT
}

/// Parses a list of numbers, each with a colon and another value.
pub(crate) fn parse_entries(list: &str) -> impl Iterator<Item = Result<(i64, &str), StoreError>> {
    entries(list).map(|entry| {
        let (number, digits) = entry.split_once(':').ok_or_else(broken)?;
        Ok((parse(number)?, digits))
    })
}

/// Parses a list of pairs of numbers.
pub(crate) fn parse_pairs(list: &str) -> Result<Vec<(i64, i64)>, StoreError> {
    let pair = |entry| {
        let (number, other) = entry?;
        Ok((number, parse(other)?))
    };
    parse_entries(list).map(pair).collect()
}

/// Parses a list of numbers.
pub(crate) fn parse_numbers(list: &str) -> Result<Vec<i64>, StoreError> {
    entries(list).map(parse).collect()
}

/// Bytes in hexadecimal digits.
fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits
        .map(|digit| char::from(ids::DIGITS[usize::from(digit)]))
        .collect()
}

fn entries(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').filter(|entry| !entry.is_empty())
}

fn parse(number: &str) -> Result<i64, StoreError> {
    number.parse().map_err(|_| broken())
}

fn broken() -> StoreError {
    StoreError::Internal("the search index is broken".to_owned())
}
