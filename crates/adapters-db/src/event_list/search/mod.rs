//! Searches of the lists that anonymous readers see, by the search index.
//!
//! One statement reads all that a search needs of the index and of its queue, so that a merge in
//! between hides no event. The texts of few events are read: of those in the queue, and of those
//! about which the index is not sure.

mod combine;
mod page;

use std::collections::BTreeMap;

use app::ports::StoreError;
use domain::{Event, event::EventFilter, query::Query};
use sea_orm::{
    ColumnTrait, ExprTrait,
    sea_query::{CaseStatement, Expr, Query as Sql, SelectStatement, SimpleExpr, UnionType},
};

use self::combine::{Postings, Source, Words};
pub(super) use self::page::{is_in_order, page};
use super::{filter, total};
use crate::{
    connection::Connection,
    entity::{
        event::{self, Column},
        search_posting, search_suffix, search_waiting,
    },
    error::store_error,
    search_index::{
        EVERY_EVENT, Ids, LONG_RUN, ORIGINAL, block_of, parse_numbers, parse_pairs, parse_sets,
    },
    session::Session,
    sql::{TextList, condition, from},
    tables::Table,
};

/// The sections of the result that are not postings. Those of postings are not negative.
const QUEUE: i64 = -1;
const QUEUE_MATCHES: i64 = -2;
const SCHEDULED: i64 = -3;

/// The found events, by the block in which they start.
///
/// All are listed and due. Those of the first and of the last block may lie outside the window, and
/// so may all if the window bounds their ends.
#[derive(Debug, Default)]
pub(super) struct Found {
    blocks: BTreeMap<i64, Ids>,
}

impl Found {
    /// The IDs of all found events.
    pub(super) fn ids(&self) -> Vec<i64> {
        let ids = self.blocks.values().flat_map(Ids::as_slice);
        ids.copied().collect()
    }
}

/// The events that match the search of an anonymous list, in the blocks of its window.
pub(super) async fn find<C: Connection>(
    session: &Session<C>,
    query: &Query<EventFilter>,
) -> Result<Found, StoreError> {
    let words = Words::of(&query.filter.search);
    let select = statement(session.text_list(), query, &words);
    let mut postings = Postings::default();
    let (mut queue, mut matches, mut scheduled) = (Ids::default(), Vec::new(), Vec::new());
    for row in session.slow().rows(&select).await? {
        let section: i64 = row.try_get_by_index(0).map_err(store_error)?;
        let list: Option<String> = row.try_get_by_index(1).map_err(store_error)?;
        let list = list.unwrap_or_default();
        match section {
            QUEUE => queue = parse_numbers(&list)?.into_iter().collect(),
            QUEUE_MATCHES => matches = parse_pairs(&list)?,
            SCHEDULED => scheduled = parse_pairs(&list)?,
            source => {
                for (number, ids) in parse_sets(&list)? {
                    // The last bit says whether the texts are translations.
                    postings.add((source, number & 1 == 1), number >> 1, ids);
                }
            }
        }
    }
    if !queue.is_empty() {
        session.wake_merge_task();
    }
    let mut blocks = BTreeMap::new();
    let mut unsure = Vec::new();
    for (block, mut combined) in postings.combine(&words) {
        combined.sure.subtract(&queue);
        combined.unsure.subtract(&queue);
        unsure.extend_from_slice(combined.unsure.as_slice());
        blocks.insert(block, combined.sure);
    }
    if !unsure.is_empty() {
        let is_unsure = session
            .json()
            .is_one_of((event::Entity, Column::Id), &unsure);
        let select = pairs(session.text_list(), matching(query, is_unsure));
        let row = session.slow().row(&select).await?;
        let list: Option<Option<String>> = row
            .map(|row| row.try_get_by_index(0))
            .transpose()
            .map_err(store_error)?;
        matches.extend(parse_pairs(&list.flatten().unwrap_or_default())?);
    }
    for (block, ids) in by_block(matches) {
        blocks.entry(block).or_insert_with(Ids::default).union(ids);
    }
    for (block, ids) in by_block(scheduled) {
        blocks.entry(block).and_modify(|found| found.subtract(&ids));
    }
    blocks.retain(|_, ids| !ids.is_empty());
    Ok(Found { blocks })
}

fn by_block(pairs: Vec<(i64, i64)>) -> impl Iterator<Item = (i64, Ids)> {
    let mut blocks = BTreeMap::<i64, Vec<i64>>::new();
    for (block, id) in pairs {
        blocks.entry(block).or_default().push(id);
    }
    let sets = blocks.into_iter();
    sets.map(|(block, ids)| (block, ids.into_iter().collect()))
}

/// The statement that reads the index and the queue. Each row is a section and its list.
fn statement(lists: TextList, query: &Query<EventFilter>, words: &Words<'_>) -> SelectStatement {
    let translated = query.visibility.language.code();
    let all = [ORIGINAL, translated];
    let token = || Expr::col(search_posting::Column::Token);
    let postings = |source: Source, languages: &[&str], which: SimpleExpr| {
        let rows = postings(query, languages).and_where(which).take();
        section(lists, source.number(), rows, sets(lists))
    };
    // The events without a wanted word that the index knows are those of all original texts.
    let every = if words.narrow() { &all[1..] } else { &all[..] };
    let mut select = postings(Source::Every, every, token().eq(EVERY_EVENT));
    let mut add = |part| {
        select.union(UnionType::All, part);
    };
    add(postings(Source::LongRuns, &all, token().eq(LONG_RUN)));
    for (number, part) in words.parts().iter().enumerate() {
        let which = lists.is_one_of(token(), containing(part));
        add(postings(Source::Part(number), &all, which));
    }
    let waiting = Expr::col(search_waiting::Column::EventId);
    add(section(
        lists,
        QUEUE,
        from(search_waiting::Entity),
        waiting.clone(),
    ));
    let queue = Sql::select()
        .expr(waiting)
        .from(search_waiting::Entity)
        .take();
    let matches = matching(query, Column::Id.in_subquery(queue));
    add(section(lists, QUEUE_MATCHES, matches, pair(lists)));
    let scheduled = total::scheduled_events(&query.filter.window, query.visibility.now);
    add(section(lists, SCHEDULED, scheduled, pair(lists)));
    select
}

/// A row with the number of a section and the list of its values.
fn section(
    lists: TextList,
    number: i64,
    mut rows: SelectStatement,
    value: SimpleExpr,
) -> SelectStatement {
    rows.expr(Expr::val(number)).expr(lists.of(value)).take()
}

/// The postings of some languages in the blocks of a window, without columns.
fn postings(query: &Query<EventFilter>, languages: &[&str]) -> SelectStatement {
    let window = &query.filter.window;
    let block = || Expr::col(search_posting::Column::Block);
    let first = window.start_min.map(|start| block_of(start.seconds()));
    let last = window.latest_start().map(|start| block_of(start.seconds()));
    from(search_posting::Entity)
        .and_where(Expr::col(search_posting::Column::Language).is_in(languages.iter().copied()))
        .and_where_option(first.map(|first| block().gte(first)))
        .and_where_option(last.map(|last| block().lte(last)))
        .take()
}

/// A posting: twice its block, plus one if its texts are translations, and its set of IDs.
fn sets(lists: TextList) -> SimpleExpr {
    let double = || Expr::col(search_posting::Column::Block).mul(2_i64);
    let is_original = Expr::col(search_posting::Column::Language).eq(ORIGINAL);
    let number = CaseStatement::new()
        .case(is_original, double())
        .finally(double().add(1_i64));
    let ids = Expr::col(search_posting::Column::EventIds);
    lists.pair(number.into(), lists.hex(ids))
}

/// The tokens that contain a part.
fn containing(part: &str) -> SelectStatement {
    let suffix = || Expr::col(search_suffix::Column::Suffix);
    from(search_suffix::Entity)
        .column(search_suffix::Column::Token)
        .and_where(suffix().gte(part))
        .and_where(suffix().lt(format!("{part}{}", char::MAX)))
        .take()
}

/// The events of the list, among some, whose texts match its search, without columns.
fn matching(query: &Query<EventFilter>, which: SimpleExpr) -> SelectStatement {
    let (visibility, filter) = (&query.visibility, &query.filter);
    let mut rows = from(event::Entity);
    let shown = Event::localize(&mut rows, visibility.language);
    let text = condition::searched_text(visibility, &shown);
    let column = |name: Column| Expr::col((event::Entity, name));
    rows.and_where(which)
        .and_where(column(Column::Listed))
        .cond_where(filter::within(&filter.window, column))
        .and_where(column(Column::PublishedUtc).lte(visibility.now.seconds()))
        .cond_where(filter::words(&filter.search, &text))
        .take()
}

/// The block and the ID of an event.
fn pair(lists: TextList) -> SimpleExpr {
    let column = |name: Column| Expr::col((event::Entity, name));
    let block = column(Column::StartUtc).right_shift(i64::from(migration::SEARCH_BLOCK_SHIFT));
    lists.pair(block, column(Column::Id))
}

/// The blocks and the IDs of events, as one text.
fn pairs(lists: TextList, mut rows: SelectStatement) -> SelectStatement {
    rows.expr(lists.of(pair(lists))).take()
}
