//! Searches of the lists that anonymous readers see, by the search index.
//!
//! One statement reads all that decides which events match: the index, its queue and few texts.
//! These are the texts of the events in the queue, and of those about which the index is not sure.
//! The latter are known only after the statement, which therefore runs again with them.

mod combine;
mod page;

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

use self::combine::{BySource, Combined, Entries, Entry, Postings, Source, Words};
pub(super) use self::page::{is_in_order, page};
use super::{filter, total};
use crate::{
    entity::{
        event::{self, Column},
        search_posting, search_suffix, search_waiting,
    },
    error::store_error,
    low_priority,
    search_index::{
        EVERY_EVENT, Ids, LONG_RUN, ORIGINAL, block_of, each_id, first_start, parse_entries,
        parse_numbers, parse_pairs,
    },
    session::Session,
    sql::{TextList, condition, from},
    tables::Table,
};

/// The sections of the result that are not postings. The numbers of [`Source`] are not negative.
const QUEUE: i64 = -1;
/// Events whose texts were read and match.
const MATCHES: i64 = -2;
/// Events that are not due, or not in the window.
const OTHERS: i64 = -3;
/// The starts of events of the window in a block that it cuts.
const WITHIN: i64 = -4;

/// The size of lists that are combined in less time than another thread takes to begin, in bytes.
const FEW: usize = 64 << 10;

/// The found events. All are listed and due.
#[derive(Debug, Default)]
pub(super) struct Found {
    entries: Entries,
    /// The start and the ID of some events.
    starts: Vec<(i64, i64)>,
}

impl Found {
    /// The IDs of all found events.
    pub(super) fn ids(&self) -> Vec<i64> {
        let ids = self.entries.as_slice().iter().map(|entry| entry.id);
        ids.collect()
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
pub(super) async fn find(
    session: &Session,
    query: &Query<EventFilter>,
    bounds: Bounds,
) -> Result<Found, StoreError> {
    let words = Words::of(&query.filter.search);
    let edges = match bounds {
        Bounds::Window => edges(&query.filter.window, query.filter.descending),
        Bounds::Blocks => Vec::new(),
    };
    let mut checked = Ids::default();
    loop {
        let mut select = statement(session, query, &words, &checked);
        if bounds == Bounds::Window {
            let sections = outside(session.text_list(), &query.filter.window, &edges);
            select.unions(sections.map(|section| (UnionType::All, section)));
        }
        let lists = lists(&session.slow().rows(&select).await?)?;
        let bytes: usize = lists.iter().map(|(_, list)| list.len()).sum();
        let (search, edges) = (query.filter.search.clone(), edges.clone());
        let combine = move || {
            let result = Sections::read(&lists)?;
            let is_queue_empty = result.queue.is_empty();
            let combined = result.combine(&Words::of(&search));
            let unsure = combined.unsure.as_slice().iter().map(|entry| entry.id);
            let unsure: Ids = unsure.collect();
            let found = result.found(combined.sure, &edges);
            Ok::<_, StoreError>((is_queue_empty, unsure, found))
        };
        let (is_queue_empty, mut unchecked, found) = if bytes <= FEW {
            combine()?
        } else {
            low_priority::run(combine).await??
        };
        if !is_queue_empty {
            session.signal_merge();
        }
        unchecked.subtract(&checked);
        if unchecked.is_empty() {
            return Ok(found);
        }
        checked.union(unchecked);
    }
}

/// The result of the statement.
#[derive(Debug, Default)]
struct Sections {
    postings: Postings,
    queue: Ids,
    matches: Vec<Entry>,
    others: Vec<Entry>,
    within: Vec<(i64, i64)>,
}

impl Sections {
    fn read(lists: &[(i64, String)]) -> Result<Self, StoreError> {
        let mut sections = Self::default();
        for (section, list) in lists {
            match *section {
                QUEUE => sections.queue = parse_numbers(list)?.into_iter().collect(),
                MATCHES => sections.matches.extend(entries(list)?),
                OTHERS => sections.others.extend(entries(list)?),
                WITHIN => sections.within.extend(parse_pairs(list)?),
                source => sections.postings.add(source, of_source(list)?),
            }
        }
        Ok(sections)
    }

    /// The events that match as far as the index knows their texts.
    fn combine(&self, words: &Words<'_>) -> Combined {
        let mut combined = self.postings.combine(words);
        for entries in [&mut combined.sure, &mut combined.unsure] {
            entries.retain(|entry| !self.queue.contains(&entry.id));
        }
        combined
    }

    /// The found events, given those that the index is sure of.
    fn found(self, mut entries: Entries, edges: &[Edge]) -> Found {
        entries.union(self.matches.into());
        entries.subtract(&self.others.into());
        let within = self.within.iter().map(|(start, id)| Entry {
            block: block_of(*start),
            id: *id,
        });
        let within: Entries = within.collect();
        for edge in edges.iter().filter(|edge| edge.is_within) {
            entries.retain(|entry| entry.block != edge.block || within.contains(entry));
        }
        Found {
            entries,
            starts: self.within,
        }
    }
}

/// The numbers and lists of the sections.
fn lists(rows: &[QueryResult]) -> Result<Vec<(i64, String)>, StoreError> {
    let section = |row: &QueryResult| {
        let list: Option<String> = row.try_get_by_index(1)?;
        Ok((row.try_get_by_index(0)?, list.unwrap_or_default()))
    };
    let sections = rows.iter().map(section);
    sections.collect::<Result<_, _>>().map_err(store_error)
}

/// The events of a list of [`pair`].
fn entries(list: &str) -> Result<impl Iterator<Item = Entry>, StoreError> {
    let pairs = parse_pairs(list)?.into_iter();
    Ok(pairs.map(|(block, id)| Entry { block, id }))
}

/// The events of a list of [`sets`].
fn of_source(list: &str) -> Result<BySource, StoreError> {
    let (mut original, mut translated) = (Vec::new(), Vec::new());
    for set in parse_entries(list) {
        let (number, digits) = set?;
        // The last bit says whether the texts are translations.
        let events = if number & 1 == 0 {
            &mut original
        } else {
            &mut translated
        };
        let block = number >> 1;
        each_id(digits, |id| events.push(Entry { block, id }))?;
    }
    Ok(BySource {
        original: original.into(),
        translated: translated.into(),
    })
}

/// The statement. Each row is a section and its list. `checked` are events whose texts it reads.
fn statement(
    session: &Session,
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
    add(section(lists, OTHERS, scheduled, pair(lists)));
    select
}

/// The sections that say which events of the blocks are in the window: those at its edges, and
/// those that end too late.
fn outside(
    lists: TextList,
    window: &Window,
    edges: &[Edge],
) -> impl Iterator<Item = SelectStatement> {
    let column = |name: Column| Expr::col((event::Entity, name));
    let at_edge = move |edge: &Edge| {
        let rows = from(event::Entity)
            .and_where(column(Column::Listed))
            .and_where(column(Column::StartUtc).between(edge.first, edge.last))
            .take();
        if edge.is_within {
            let pair = lists.pair(column(Column::StartUtc), column(Column::Id));
            section(lists, WITHIN, rows, pair)
        } else {
            section(lists, OTHERS, rows, pair(lists))
        }
    };
    let ends = window.end_max.into_iter().flat_map(move |end| {
        total::classes(end).map(move |mut class| {
            let rows = class
                .and_where(column(Column::StartUtc).lte(end.seconds()))
                .and_where(column(Column::EndUtc).gt(end.seconds()))
                .take();
            section(lists, OTHERS, rows, pair(lists))
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
    // The additions of 0 prevent the use of the index by start: few events are chosen, which a plan
    // of PostgreSQL for any parameters does not expect.
    let window = filter::within(&filter.window, |name| column(name).add(0_i64));
    rows.and_where(which)
        .and_where(column(Column::Listed))
        .cond_where(window)
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

/// Some starts of a block that a window cuts: those in the window, or the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Edge {
    block: i64,
    first: i64,
    last: i64,
    is_within: bool,
}

/// The edges of a window. At the beginning of the list they are the starts in the window, which its
/// first page needs; at the other end those of the shorter part of the block.
fn edges(window: &Window, is_descending: bool) -> Vec<Edge> {
    let first = window.start_min.map(Timestamp::seconds);
    let last = window.latest_start().map(Timestamp::seconds);
    let edge = |block, first, last, is_within| Edge {
        block,
        first,
        last,
        is_within,
    };
    if let (Some(first), Some(last)) = (first, last)
        && block_of(first) == block_of(last)
    {
        return vec![edge(block_of(first), first, last, true)];
    }
    // The parts of a block before and from a start on.
    let cut = |start, is_within_before, is_at_beginning| {
        let block = block_of(start);
        let (begin, end) = (first_start(block), first_start(block + 1));
        let (before, after) = (start - begin, end - start);
        (before > 0).then(|| {
            let is_before = if is_at_beginning {
                is_within_before
            } else {
                before < after
            };
            if is_before {
                edge(block, begin, start - 1, is_within_before)
            } else {
                edge(block, start, end - 1, !is_within_before)
            }
        })
    };
    let first = first.and_then(|first| cut(first, false, !is_descending));
    let last = last.and_then(|last| cut(last + 1, true, is_descending));
    first.into_iter().chain(last).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_is_within_the_window_or_the_shorter_part_of_a_block() {
        let in_order = |start_min: Option<i64>, start_max: Option<i64>, is_descending| {
            let at = |seconds: Option<i64>| seconds.and_then(Timestamp::from_seconds);
            let window = Window {
                start_min: at(start_min),
                start_max: at(start_max),
                ..Window::default()
            };
            let edges = edges(&window, is_descending);
            let edge = |edge: Edge| (edge.block, edge.first, edge.last, edge.is_within);
            edges.into_iter().map(edge).collect::<Vec<_>>()
        };
        let edges = |min, max| in_order(min, max, false);
        let (begin, next, end) = (first_start(7), first_start(8), first_start(9));
        assert_eq!(edges(None, None), []);
        assert_eq!(edges(Some(begin), Some(end - 1)), []);
        assert_eq!(
            edges(Some(begin + 2), Some(end - 3)),
            [(7, begin + 2, next - 1, true), (8, end - 2, end - 1, false)]
        );
        assert_eq!(
            in_order(Some(begin + 2), Some(end - 3), true),
            [(7, begin, begin + 1, false), (8, next, end - 3, true)]
        );
        assert_eq!(
            edges(Some(next - 2), Some(next + 1)),
            [(7, next - 2, next - 1, true), (8, next, next + 1, true)]
        );
        assert_eq!(
            edges(Some(begin + 2), Some(begin + 3)),
            [(7, begin + 2, begin + 3, true)]
        );
    }
}
