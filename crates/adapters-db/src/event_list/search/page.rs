//! The page of a search in the order of starts.

use app::ports::StoreError;
use domain::{
    EventId, Id,
    event::{EventFilter, EventSort},
    page::Page,
    query::Query,
};
use sea_orm::sea_query::Expr;

use super::{Bounds, Found, find};
use crate::{
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
pub(in super::super) async fn page(
    session: &Session,
    query: &Query<EventFilter>,
) -> Result<Page<EventId>, StoreError> {
    let Query { filter, page, .. } = query;
    let Found { entries, starts } = find(session, query, Bounds::Window).await?;
    let entries = entries.as_slice();
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
    let mut unknown: Ids = entries[blocks].iter().map(|entry| entry.id).collect();
    let known = starts.into_iter().filter(|(_, id)| unknown.contains(id));
    let mut in_order: Vec<(i64, i64)> = known.collect();
    unknown.subtract(&in_order.iter().map(|(_, id)| *id).collect());
    if !unknown.is_empty() {
        // An event that was deleted meanwhile has no start any more.
        in_order.extend(read_starts(session, &unknown).await?);
    }
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

/// The start and the ID of each of some events.
async fn read_starts(session: &Session, ids: &Ids) -> Result<Vec<(i64, i64)>, StoreError> {
    let column = |name: Column| Expr::col((event::Entity, name));
    let lists = session.text_list();
    let pair = lists.pair(column(Column::StartUtc), column(Column::Id));
    let select = from(event::Entity)
        .expr(lists.of(pair))
        .and_where(
            session
                .json()
                .is_one_of((event::Entity, Column::Id), ids.as_slice()),
        )
        .take();
    let row = session.slow().row(&select).await?;
    let list: Option<Option<String>> = row
        .map(|row| row.try_get_by_index(0))
        .transpose()
        .map_err(store_error)?;
    parse_pairs(&list.flatten().unwrap_or_default())
}
