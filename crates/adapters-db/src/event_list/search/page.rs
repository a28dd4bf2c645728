//! The page of a search in the order of starts.

use std::collections::HashMap;

use app::ports::StoreError;
use domain::{
    EventId, Id,
    event::{EventFilter, EventSort},
    page::Page,
    query::Query,
};
use sea_orm::sea_query::Expr;

use super::{Bounds, find};
use crate::{
    connection::Connection,
    entity::event::{self, Column},
    error::store_error,
    search_index::parse_pairs,
    session::Session,
    sql::from,
};

/// Whether [`page`] can make the page of an anonymous list that only a search and a window narrow.
pub(in super::super) fn is_in_order(filter: &EventFilter) -> bool {
    filter.sort == EventSort::Start && filter.window.end_min.is_none()
}

/// The page of such a list. Besides the starts at the edges of the window, those in the blocks of
/// the page are read.
pub(in super::super) async fn page<C: Connection>(
    session: &Session<C>,
    query: &Query<EventFilter>,
) -> Result<Page<EventId>, StoreError> {
    let Query { filter, page, .. } = query;
    let found = find(session, query, Bounds::Window).await?;
    let entries = found.entries.as_slice();
    let total = entries.len();
    let offset = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    let end = offset.saturating_add(page.per_page() as usize).min(total);
    let offset = offset.min(total);
    let (first, end) = if filter.descending {
        (total - end, total - offset)
    } else {
        (offset, end)
    };
    let page_entries = &entries[first..end];
    let blocks = page_entries.first().zip(page_entries.last());
    let blocks = blocks.map_or(0..0, |(one, last)| {
        entries.partition_point(|entry| entry.block < one.block)
            ..entries.partition_point(|entry| entry.block <= last.block)
    });
    // Counted in the direction of the list, so that a deletion behind the page does not move it.
    let skipped = if filter.descending {
        blocks.end.saturating_sub(end)
    } else {
        first - blocks.start
    };
    let entries = &entries[blocks];
    let mut starts: HashMap<i64, i64> = found
        .starts
        .iter()
        .map(|(start, id)| (*id, *start))
        .collect();
    let unknown = entries.iter().map(|entry| entry.id);
    let unknown: Vec<i64> = unknown.filter(|id| !starts.contains_key(id)).collect();
    if !unknown.is_empty() {
        starts.extend(read_starts(session, &unknown).await?);
    }
    // An event that was deleted meanwhile has no start any more.
    let known = entries
        .iter()
        .filter_map(|entry| Some((*starts.get(&entry.id)?, entry.id)));
    let mut in_order: Vec<_> = known.collect();
    in_order.sort_unstable();
    if filter.descending {
        in_order.reverse();
    }
    let ids = in_order.into_iter().map(|(_, id)| Id::from_raw(id));
    Ok(Page {
        rows: ids.skip(skipped).take(end - first).collect(),
        total: total as u64,
        request: *page,
    })
}

/// The ID and the start of each of some events.
async fn read_starts<C: Connection>(
    session: &Session<C>,
    ids: &[i64],
) -> Result<Vec<(i64, i64)>, StoreError> {
    let column = |name: Column| Expr::col((event::Entity, name));
    let lists = session.text_list();
    let pair = lists.pair(column(Column::Id), column(Column::StartUtc));
    let select = from(event::Entity)
        .expr(lists.of(pair))
        .and_where(session.json().is_one_of((event::Entity, Column::Id), ids))
        .take();
    let row = session.slow().row(&select).await?;
    let list: Option<Option<String>> = row
        .map(|row| row.try_get_by_index(0))
        .transpose()
        .map_err(store_error)?;
    parse_pairs(&list.flatten().unwrap_or_default())
}
