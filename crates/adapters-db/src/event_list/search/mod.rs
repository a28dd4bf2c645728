//! Searches of the lists that anonymous readers see, by the search index.
//!
//! One statement reads all that decides which events match: the index, its queue and few texts.
//! These are the texts of the events in the queue, and of those about which the index is not sure.
//! The latter are known only after the statement, which therefore runs again with them.

mod combine;
mod page;

use std::collections::BTreeMap;

use app::ports::StoreError;
use domain::{
    Event,
    event::{EventFilter, Window},
    query::Query,
    time::Timestamp,
};
use sea_orm::{
    ExprTrait, QueryResult,
    sea_query::{CaseStatement, Expr, SelectStatement, SimpleExpr, UnionType},
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
        EVERY_EVENT, Ids, LONG_RUN, ORIGINAL, block_of, first_start, parse_numbers, parse_pairs,
        parse_sets,
    },
    session::Session,
    sql::{TextList, condition, from},
    tables::Table,
};

/// The sections of the result that are not postings. The numbers of [`Source`] are not negative.
const QUEUE: i64 = -1;
const MATCHES: i64 = -2;
const SCHEDULED: i64 = -3;
const EDGE: i64 = -4;
const TOO_LATE: i64 = -5;

/// The found events.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The IDs by the block of their start. All are listed and due.
    blocks: BTreeMap<i64, Ids>,
    /// The start and the ID of each listed event of the window in the blocks that it cuts.
    at_edges: Vec<(i64, i64)>,
}

impl Found {
    /// The IDs of all found events.
    pub(super) fn ids(&self) -> Vec<i64> {
        let ids = self.blocks.values().flat_map(Ids::as_slice);
        ids.copied().collect()
    }
}

/// Where [`find`] looks for events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bounds {
    /// In the blocks of the window's starts. The events may lie outside the window.
    Blocks,
    /// Exactly in the window, which has no earliest end.
    Window,
}

/// The events that match the search of an anonymous list.
pub(super) async fn find<C: Connection>(
    session: &Session<C>,
    query: &Query<EventFilter>,
    bounds: Bounds,
) -> Result<Found, StoreError> {
    let words = Words::of(&query.filter.search);
    let edges = match bounds {
        Bounds::Window => edges(&query.filter.window),
        Bounds::Blocks => Vec::new(),
    };
    let mut checked = Ids::default();
    loop {
        let mut select = statement(session, query, &words, &checked);
        if bounds == Bounds::Window {
            let sections = outside(session.text_list(), &query.filter.window, &edges);
            select.unions(sections.map(|section| (UnionType::All, section)));
        }
        let mut result = Sections::read(&session.slow().rows(&select).await?)?;
        if !result.queue.is_empty() {
            session.signal_merge();
        }
        let mut blocks = BTreeMap::new();
        let mut unsure = Vec::new();
        for (block, mut combined) in std::mem::take(&mut result.postings).combine(&words) {
            combined.sure.subtract(&result.queue);
            combined.unsure.subtract(&result.queue);
            unsure.extend_from_slice(combined.unsure.as_slice());
            blocks.insert(block, combined.sure);
        }
        let mut unchecked: Ids = unsure.into_iter().collect();
        unchecked.subtract(&checked);
        if unchecked.is_empty() {
            return Ok(result.found(blocks, &edges));
        }
        checked.union(unchecked);
    }
}

/// The result of the statement.
#[derive(Debug, Default)]
struct Sections {
    postings: Postings,
    queue: Ids,
    /// Events whose texts were read and match, with their blocks.
    matches: Vec<(i64, i64)>,
    /// Events that are not due, or end after the window.
    others: Vec<(i64, i64)>,
    at_edges: Vec<(i64, i64)>,
}

impl Sections {
    fn read(rows: &[QueryResult]) -> Result<Self, StoreError> {
        let mut sections = Self::default();
        for row in rows {
            let section: i64 = row.try_get_by_index(0).map_err(store_error)?;
            let list: Option<String> = row.try_get_by_index(1).map_err(store_error)?;
            let list = list.unwrap_or_default();
            match section {
                QUEUE => sections.queue = parse_numbers(&list)?.into_iter().collect(),
                MATCHES => sections.matches.extend(parse_pairs(&list)?),
                SCHEDULED | TOO_LATE => sections.others.extend(parse_pairs(&list)?),
                EDGE => sections.at_edges.extend(parse_pairs(&list)?),
                source => {
                    for (number, ids) in parse_sets(&list)? {
                        // The last bit says whether the texts are translations.
                        let key = (source, number & 1 == 1);
                        sections.postings.add(key, number >> 1, ids);
                    }
                }
            }
        }
        Ok(sections)
    }

    /// The found events, given those that the index is sure of.
    fn found(self, mut blocks: BTreeMap<i64, Ids>, edges: &[i64]) -> Found {
        for (block, ids) in by_block(self.matches) {
            blocks.entry(block).or_default().union(ids);
        }
        for (block, ids) in by_block(self.others) {
            blocks.entry(block).and_modify(|found| found.subtract(&ids));
        }
        let at_edges: Ids = self.at_edges.iter().map(|(_, id)| *id).collect();
        for block in edges {
            blocks
                .entry(*block)
                .and_modify(|found| found.intersect(&at_edges));
        }
        blocks.retain(|_, ids| !ids.is_empty());
        Found {
            blocks,
            at_edges: self.at_edges,
        }
    }
}

fn by_block(pairs: Vec<(i64, i64)>) -> impl Iterator<Item = (i64, Ids)> {
    let mut blocks = BTreeMap::<i64, Vec<i64>>::new();
    for (block, id) in pairs {
        blocks.entry(block).or_default().push(id);
    }
    let sets = blocks.into_iter();
    sets.map(|(block, ids)| (block, ids.into_iter().collect()))
}

/// The statement. Each row is a section and its list. `checked` are events whose texts it reads.
fn statement<C: Connection>(
    session: &Session<C>,
    query: &Query<EventFilter>,
    words: &Words<'_>,
    checked: &Ids,
) -> SelectStatement {
    let lists = session.text_list();
    let translated = query.visibility.language.code();
    let all = [ORIGINAL, translated];
    let token = || Expr::col(search_posting::Column::Token);
    let postings = |source: Source, languages: &[&str], which: SimpleExpr| {
        let rows = postings(query, languages).and_where(which).take();
        section(lists, source.number(), rows, sets(lists))
    };
    // A search without a word that the index knows may hold any event.
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
    let queue = from(search_waiting::Entity);
    add(section(lists, QUEUE, queue.clone(), waiting.clone()));
    let id = Expr::col((event::Entity, Column::Id));
    let queue = lists.is_one_of(id, queue.clone().expr(waiting).take());
    add(section(lists, MATCHES, matching(query, queue), pair(lists)));
    if !checked.is_empty() {
        let id = (event::Entity, Column::Id);
        let checked = session.json().is_one_of(id, checked.as_slice());
        add(section(
            lists,
            MATCHES,
            matching(query, checked),
            pair(lists),
        ));
    }
    let scheduled = total::scheduled_events(&query.filter.window, query.visibility.now);
    add(section(lists, SCHEDULED, scheduled, pair(lists)));
    select
}

/// The sections that say which events of the blocks are in the window: those in the blocks that it
/// cuts, and those that end too late.
fn outside(
    lists: TextList,
    window: &Window,
    edges: &[i64],
) -> impl Iterator<Item = SelectStatement> {
    let column = |name: Column| Expr::col((event::Entity, name));
    let at_edge = move |block: &i64| {
        let rows = from(event::Entity)
            .and_where(column(Column::Listed))
            .and_where(column(Column::StartUtc).gte(first_start(*block)))
            .and_where(column(Column::StartUtc).lt(first_start(block + 1)))
            .cond_where(filter::within(window, column))
            .take();
        let pair = lists.pair(column(Column::StartUtc), column(Column::Id));
        section(lists, EDGE, rows, pair)
    };
    let ends = window.end_max.into_iter().flat_map(move |end| {
        total::classes(end).map(move |mut class| {
            let rows = class
                .and_where(column(Column::StartUtc).lte(end.seconds()))
                .and_where(column(Column::EndUtc).gt(end.seconds()))
                .take();
            section(lists, TOO_LATE, rows, pair(lists))
        })
    });
    edges.iter().map(at_edge).chain(ends)
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
    let block = column(Column::StartUtc).right_shift(migration::SEARCH_BLOCK_SHIFT.cast_signed());
    lists.pair(block, column(Column::Id))
}

/// The blocks that a window contains in part.
fn edges(window: &Window) -> Vec<i64> {
    let first = window.start_min.map(Timestamp::seconds);
    let first = first.map(|min| (block_of(min), min > first_start(block_of(min))));
    let last = window.latest_start().map(Timestamp::seconds);
    let last = last.map(|max| (block_of(max), max < first_start(block_of(max) + 1) - 1));
    let mut edges: Vec<i64> = [first, last]
        .into_iter()
        .flatten()
        .filter_map(|(block, is_partial)| is_partial.then_some(block))
        .collect();
    edges.dedup();
    edges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_blocks_that_a_window_cuts() {
        let window = |start_min: Option<i64>, start_max: Option<i64>| {
            let at = |seconds: Option<i64>| seconds.and_then(Timestamp::from_seconds);
            edges(&Window {
                start_min: at(start_min),
                start_max: at(start_max),
                ..Window::default()
            })
        };
        let (first, next) = (first_start(7), first_start(8));
        assert!(window(None, None).is_empty());
        assert!(window(Some(first), Some(next - 1)).is_empty());
        assert_eq!(window(Some(first + 1), Some(next - 1)), [7]);
        assert_eq!(window(Some(first + 1), Some(next - 2)), [7]);
        assert_eq!(window(Some(first - 1), Some(next)), [6, 8]);
    }
}
