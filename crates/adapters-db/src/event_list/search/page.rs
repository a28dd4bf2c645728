//! The page of a search in the order of starts.

use std::ops::Range;

use app::ports::StoreError;
use domain::{
    EventId, Id,
    event::{EventFilter, EventSort, Window},
    page::Page,
    query::Query,
};
use sea_orm::sea_query::Expr;

use super::{Found, filter};
use crate::{
    connection::Connection,
    entity::event::{self, Column},
    error::store_error,
    search_index::{Ids, block_of, first_start, parse_pairs},
    session::Session,
    sql::from,
};

/// A block of found events.
struct Block<'a> {
    ids: &'a Ids,
    /// Whether some of them may lie outside the window.
    is_edge: bool,
    /// The start and the ID of each event in the window, in order, if they were read.
    read: Option<Vec<(i64, i64)>>,
}

impl Block<'_> {
    /// The minimum and the maximum number of events in the window.
    fn bounds(&self) -> (usize, usize) {
        match &self.read {
            Some(read) => (read.len(), read.len()),
            None if self.is_edge => (0, self.ids.len()),
            None => (self.ids.len(), self.ids.len()),
        }
    }
}

/// Whether [`page`] makes the page of an anonymous list that nothing but a search and a window
/// narrows.
pub(in super::super) fn is_in_order(filter: &EventFilter) -> bool {
    let Window {
        start_min: _,
        start_max: _,
        end_min,
        end_max,
    } = filter.window;
    filter.sort == EventSort::Start && end_min.is_none() && end_max.is_none()
}

/// The page of the found events. Only the starts of events at the edges of the window, and of those
/// in the blocks of the page, are read.
pub(in super::super) async fn page<C: Connection>(
    session: &Session<C>,
    query: &Query<EventFilter>,
    found: &Found,
) -> Result<Page<EventId>, StoreError> {
    let Query { filter, page, .. } = query;
    let window = &filter.window;
    let is_edge = |block: i64| {
        let (first, next) = (first_start(block), first_start(block + 1));
        let start_min = window.start_min.is_some_and(|min| min.seconds() > first);
        let start_max = window.start_max.is_some_and(|max| max.seconds() < next - 1);
        start_min || start_max
    };
    let mut blocks: Vec<(i64, Block<'_>)> = found
        .blocks
        .iter()
        .map(|(block, ids)| {
            let is_edge = is_edge(*block);
            let read = None;
            (*block, Block { ids, is_edge, read })
        })
        .collect();
    if filter.descending {
        blocks.reverse();
    }
    let offset = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    let wanted = offset..offset.saturating_add(page.per_page() as usize);
    let needed = needed(&blocks, &wanted);
    let ids: Vec<i64> = needed
        .iter()
        .filter_map(|place| blocks.get(*place))
        .flat_map(|(_, block)| block.ids.as_slice())
        .copied()
        .collect();
    for place in needed {
        blocks[place].1.read = Some(Vec::new());
    }
    for (start, id) in starts(session, window, &ids).await? {
        let number = block_of(start);
        let order = blocks.binary_search_by(|(block, _)| {
            let order = block.cmp(&number);
            if filter.descending {
                order.reverse()
            } else {
                order
            }
        });
        // An event that was moved meanwhile may start in another block.
        if let Some(read) = order.ok().and_then(|place| blocks[place].1.read.as_mut()) {
            read.push((start, id));
        }
    }
    let mut rows = Vec::new();
    let mut before = 0;
    for (_, block) in &mut blocks {
        let length = block.bounds().0;
        if let Some(read) = &mut block.read {
            read.sort_unstable();
            if filter.descending {
                read.reverse();
            }
            let places = before..before + length;
            let of_page = places.zip(read).filter(|(place, _)| wanted.contains(place));
            rows.extend(of_page.map(|(_, (_, id))| Id::from_raw(*id)));
        }
        before += length;
    }
    Ok(Page {
        rows,
        total: before as u64,
        request: *page,
    })
}

/// The places of the blocks whose starts must be read: those at an edge, and those that may hold a
/// wanted place of the list.
fn needed(blocks: &[(i64, Block<'_>)], wanted: &Range<usize>) -> Vec<usize> {
    let (mut least, mut most) = (0, 0);
    let mut needed = Vec::new();
    for (place, (_, block)) in blocks.iter().enumerate() {
        let bounds = block.bounds();
        let begins_before_end = least < wanted.end;
        let ends_after_start = most + bounds.1 > wanted.start;
        if block.is_edge || (begins_before_end && ends_after_start) {
            needed.push(place);
        }
        least += bounds.0;
        most += bounds.1;
    }
    needed
}

/// The start and the ID of each event within the window.
async fn starts<C: Connection>(
    session: &Session<C>,
    window: &Window,
    ids: &[i64],
) -> Result<Vec<(i64, i64)>, StoreError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let column = |name: Column| Expr::col((event::Entity, name));
    let lists = session.text_list();
    let pair = lists.pair(column(Column::StartUtc), column(Column::Id));
    let select = from(event::Entity)
        .expr(lists.of(pair))
        .and_where(session.json().is_one_of((event::Entity, Column::Id), ids))
        .cond_where(filter::within(window, column))
        .take();
    let row = session.slow().row(&select).await?;
    let list: Option<Option<String>> = row
        .map(|row| row.try_get_by_index(0))
        .transpose()
        .map_err(store_error)?;
    parse_pairs(&list.flatten().unwrap_or_default())
}
