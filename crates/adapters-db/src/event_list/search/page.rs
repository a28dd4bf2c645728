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
    search_index::{Ids, parse_pairs},
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
    let mut blocks: Vec<(i64, &Ids)> = found
        .blocks
        .iter()
        .map(|(block, ids)| (*block, ids))
        .collect();
    if filter.descending {
        blocks.reverse();
    }
    let offset = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    let end = offset.saturating_add(page.per_page() as usize);
    let (mut total, mut skipped) = (0, 0);
    let mut needed = Vec::new();
    for (block, ids) in blocks {
        let begin = total;
        total += ids.len();
        if total <= offset {
            skipped = total;
        } else if begin < end {
            needed.push((block, ids));
        }
    }
    let mut starts: HashMap<i64, i64> = found
        .at_edges
        .iter()
        .map(|(start, id)| (*id, *start))
        .collect();
    let unknown = needed.iter().flat_map(|(_, ids)| ids.as_slice());
    let unknown: Vec<i64> = unknown
        .filter(|id| !starts.contains_key(id))
        .copied()
        .collect();
    if !unknown.is_empty() {
        starts.extend(read_starts(session, &unknown).await?);
    }
    let mut rows = Vec::new();
    for (_, ids) in needed {
        // An event that was deleted meanwhile has no start any more.
        let known = ids.as_slice().iter();
        let mut of_block: Vec<_> = known
            .filter_map(|id| Some((*starts.get(id)?, *id)))
            .collect();
        of_block.sort_unstable();
        if filter.descending {
            of_block.reverse();
        }
        rows.extend(of_block.into_iter().map(|(_, id)| Id::from_raw(id)));
    }
    let rows = rows.into_iter().skip(offset - skipped.min(offset));
    Ok(Page {
        rows: rows.take(page.per_page() as usize).collect(),
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
