//! Lists of events.
//!
//! An anonymous list is read in the order of starts from the index of its narrowest filter, and
//! counters give its total where they can. The list of a reader who sees more is read from and
//! counted in the table of events.

mod by_series;
mod filter;
mod index;
mod occurrences;
mod scope;
mod search;
mod spans;
mod tally;
mod total;

use app::ports::StoreError;
use domain::{
    Event, EventId, Filter,
    event::{EventFilter, EventSort, SeriesListing, Window},
    page::Page,
    policy::Visibility,
    query::Query,
    time::Timestamp,
};
use sea_orm::{
    ColumnTrait,
    sea_query::{Condition, Expr, Query as Sql, SelectStatement, SimpleExpr},
};

use self::{scope::IndexScope, search::Bounds};
use crate::{
    entity::event::{self, Column},
    error::store_error,
    session::Session,
    sql::{Json, List, LocalizedColumns, Part, Total, condition, from},
    tables::{Links, Table},
};

/// The maximum number of events of a scope whose texts a search reads without the index.
const READ_AT_ONCE: i64 = 256;

/// The maximum number of events near a point or in a city that are sorted. A list of more is scanned in order.
const SORTED_AT_ONCE: i64 = 5_000;

/// The maximum number of terms or places that are read one by one.
const FOLLOWED: usize = 50;

impl Session {
    /// The page of events that a query selects.
    pub(crate) async fn event_page(
        &self,
        query: &Query<EventFilter>,
    ) -> Result<Page<EventId>, StoreError> {
        let has_series = if query.filter.scans() {
            self.has_series_over(self.slow()).await?
        } else {
            self.has_series().await?
        };
        let mut list = if is_public_list(query) {
            let scopes = IndexScope::of(&query.filter, &query.visibility);
            if scopes.is_empty() && is_search_in_order(query) && !has_series {
                return search::page(self, query).await;
            }
            public_list(self, query, &scopes, has_series).await?
        } else if has_series {
            let occurrences = vec![occurrences::of_reader(query)];
            with_occurrences(query, other_list(query, has_series), occurrences)
        } else {
            other_list(query, has_series)
        };
        if has_series && query.filter.series != SeriesListing::Occurrences {
            list.total = Total::Few;
        }
        self.page_of(query.page, list).await
    }
}

/// Whether a list holds what anonymous readers may list: published and not hidden, without content
/// that a password opens.
fn is_public_list(query: &Query<EventFilter>) -> bool {
    let (visibility, filter) = (&query.visibility, &query.filter);
    condition::lists_public_events(visibility, &filter.statuses, filter.includes_hidden())
        && (visibility.password.is_none()
            || (filter.search.is_empty() && !filter.asks_for_content()))
}

/// A list of events with plain occurrences.
fn with_occurrences(query: &Query<EventFilter>, list: List, occurrences: Vec<Part>) -> List {
    // No event is an occurrence, but several records that a filter names may hold the same event.
    let is_disjoint = list.parts.len() == 1 && occurrences.len() == 1;
    let parts = if query.filter.series == SeriesListing::Occurrences {
        list.parts.into_iter().chain(occurrences).collect()
    } else {
        by_series::parts(query, &list.parts, &occurrences)
    };
    List {
        parts,
        is_disjoint,
        ..list
    }
}

/// The sort key of a list. The times are start and end.
fn order(
    sort: EventSort,
    [start, end]: [Expr; 2],
    shown: Option<&LocalizedColumns>,
) -> Option<SimpleExpr> {
    let column = |name: Column| Expr::col((event::Entity, name));
    match sort {
        EventSort::Start => Some(start),
        EventSort::End => Some(end),
        EventSort::Date => Some(column(Column::DateUtc)),
        EventSort::Modified => Some(column(Column::ModifiedUtc)),
        EventSort::Title => shown.map(|shown| shown.column(Column::TitleKey, Column::TitleKey)),
        EventSort::Id => None,
    }
}

fn needs_texts(filter: &EventFilter) -> bool {
    !filter.search.is_empty() || filter.sort == EventSort::Title
}

/// A list for a reader who sees more than anonymous readers, or of requested IDs.
fn other_list(query: &Query<EventFilter>, has_series: bool) -> List {
    let (visibility, filter) = (&query.visibility, &query.filter);
    let column = |name: Column| Expr::col((event::Entity, name));
    let include = filter.include.as_ref();
    let mut rows = from(event::Entity);
    let shown = needs_texts(filter).then(|| Event::localize(&mut rows, visibility.language));
    let opens = filter
        .asks_for_content()
        .then(|| condition::opens(visibility));
    let events = Condition::all()
        .add(condition::lists_events(
            visibility,
            &filter.statuses,
            filter.includes_hidden(),
        ))
        .add_option(filter::is_one_of(Column::Id, include.map(Vec::as_slice)))
        .add_option((has_series && include.is_none()).then(|| condition::is_series().not()))
        .add(filter::within(&filter.window, column))
        .add_option(opens)
        .add_option(filter::in_categories(filter.categories.as_deref()))
        .add_option(filter::linked_with(Links::Tags, filter.tags.as_deref()))
        .add_option(filter::linked_with(
            Links::Organizers,
            filter.organizers.as_deref(),
        ))
        .add_option(filter::is_one_of(Column::VenueId, filter.venues.as_deref()))
        .add(filter::at_places(filter, visibility))
        .add(filter::others(
            filter,
            visibility,
            shown.as_ref(),
            has_series,
        ));
    let times = [column(Column::StartUtc), column(Column::EndUtc)];
    List {
        parts: vec![Part {
            rows: rows.cond_where(events).take(),
            id: Column::Id.as_column_ref(),
            order: order(filter.sort, times, shown.as_ref()),
        }],
        is_disjoint: false,
        descending: filter.descending,
        slow: filter.scans(),
        total: if include.is_some() || filter.asks_for_content() || filter::has_others(filter) {
            Total::Few
        } else {
            Total::Count
        },
    }
}

/// Whether nothing but words and starts narrows an anonymous list, in the order of starts.
fn is_search_in_order(query: &Query<EventFilter>) -> bool {
    let filter = &query.filter;
    let opens = filter.asks_for_content();
    !filter.search.is_empty() && !filter::has_more(filter) && !opens && search::is_in_order(filter)
}

/// An anonymous list of the events that are in each of the scopes.
async fn public_list(
    session: &Session,
    query: &Query<EventFilter>,
    scopes: &[IndexScope],
    has_series: bool,
) -> Result<List, StoreError> {
    let list = |scope| list(session.json(), query, scope, &[], None, has_series);
    let simple = !filter::has_others(&query.filter);
    Ok(match scopes {
        some if some.iter().any(IndexScope::is_empty) => List {
            parts: Vec::new(),
            ..list(&IndexScope::All)
        },
        [] if simple => List {
            total: Total::Known(length(query, &IndexScope::All, has_series)),
            ..list(&IndexScope::All)
        },
        [one @ (IndexScope::Linked(..) | IndexScope::At(_))]
            if simple && one.is_counted() && one.parts().len() <= FOLLOWED =>
        {
            List {
                total: Total::Known(length(query, one, has_series)),
                ..list(one)
            }
        }
        _ => narrowed(session, query, scopes, has_series).await?,
    })
}

/// The total of a list that only one scope narrows.
fn length(query: &Query<EventFilter>, scope: &IndexScope, has_series: bool) -> SimpleExpr {
    let (window, now) = (&query.filter.window, query.visibility.now);
    total::total(scope, window, now, has_series)
}

/// An anonymous list that several scopes or filters narrow. The scope with the fewest events leads.
async fn narrowed(
    session: &Session,
    query: &Query<EventFilter>,
    scopes: &[IndexScope],
    has_series: bool,
) -> Result<List, StoreError> {
    let filter = &query.filter;
    let simple = !filter::has_others(filter);
    let estimates = estimates(session, query, scopes).await?;
    let (all, narrow) = estimates.split_first().unwrap_or((&0, &[]));
    let candidates = (0..).zip(narrow).zip(scopes);
    let candidates = candidates.filter(|(_, scope)| scope.parts().len() <= FOLLOWED);
    let narrowest = candidates.min_by_key(|((_, events), _)| **events);
    let (leading, events) = match narrowest {
        Some(((index, events), _)) if events < all || simple => (Some(index), *events),
        _ => (None, *all),
    };
    let found = if filter.search.is_empty() || (leading.is_some() && events <= READ_AT_ONCE) {
        None
    } else {
        Some(search::find(session, query, Bounds::Blocks).await?.ids())
    };
    let leading = match leading.map(|index: usize| (index, &scopes[index])) {
        Some((_, IndexScope::AtSelected(_))) if events > SORTED_AT_ONCE => None,
        // Each part of the scope would repeat the found events.
        Some((_, scope)) if found.is_some() && scope.parts().len() > 1 => None,
        leading => leading,
    };
    let others = |(index, scope): (usize, &IndexScope)| {
        let leads = leading.is_some_and(|(leading, _)| leading == index);
        (!leads).then(|| scope.clone())
    };
    let others: Vec<_> = scopes.iter().enumerate().filter_map(others).collect();
    let leading = leading.map_or(&IndexScope::All, |(_, scope)| scope);
    let known = match scopes {
        [one] if simple && one.is_counted() => Total::Known(length(query, one, has_series)),
        _ => Total::Few,
    };
    Ok(List {
        total: known,
        ..list(
            session.json(),
            query,
            leading,
            &others,
            found.as_deref(),
            has_series,
        )
    })
}

/// Estimates of the events in a list's window: of all, and of each scope.
async fn estimates(
    session: &Session,
    query: &Query<EventFilter>,
    scopes: &[IndexScope],
) -> Result<Vec<i64>, StoreError> {
    let window = &query.filter.window;
    let scopes: Vec<_> = [&IndexScope::All].into_iter().chain(scopes).collect();
    let mut select = Sql::select();
    for (index, scope) in scopes.iter().enumerate() {
        select.expr_as(total::estimate(scope, window), format!("events_{index}"));
    }
    let Some(row) = session.connection.row(&select).await? else {
        return Ok(Vec::new());
    };
    (0..scopes.len())
        .map(|index| row.try_get("", &format!("events_{index}")))
        .collect::<Result<_, _>>()
        .map_err(store_error)
}

/// The list of the events in the leading scope and in each other scope. `found` are the events that
/// a search found; without them, the list reads the texts.
fn list(
    json: Json,
    query: &Query<EventFilter>,
    leading: &IndexScope,
    others: &[IndexScope],
    found: Option<&[i64]>,
    has_series: bool,
) -> List {
    let (visibility, filter) = (&query.visibility, &query.filter);
    let searches = found.is_none() && !filter.search.is_empty();
    let texts = searches || filter.sort == EventSort::Title;
    let opens = filter.asks_for_content() && matches!(leading, IndexScope::All);
    let joined = texts
        || filter::has_others(filter)
        || (has_series && filter.series != SeriesListing::Occurrences)
        || !matches!(filter.sort, EventSort::Start | EventSort::Id)
        || others.iter().any(IndexScope::asks_event);
    let mut shown = None;
    let mut narrow = |scope: &IndexScope, mut rows: SelectStatement| {
        if joined {
            scope.join_event(&mut rows);
        }
        if texts {
            shown = Some(Event::localize(&mut rows, visibility.language));
        }
        let found = found.map(|ids| json.is_one_of(scope.id(), ids));
        rows.cond_where(
            opens
                .then(condition::opens_to_all)
                .unwrap_or_else(Condition::all),
        )
        .and_where_option(found);
        for other in others {
            rows.cond_where(other.holds(scope.id()));
        }
        let read = shown.as_ref().filter(|_| searches);
        rows.cond_where(filter::others(filter, visibility, read, has_series))
            .take()
    };
    let window = &filter.window;
    let going_on = window.going_on_at().filter(|_| found.is_none());
    let mut parts = Vec::new();
    if let (Some(end), IndexScope::All) = (going_on, leading) {
        // Ongoing events, then upcoming ones.
        for class in begun(window, end, visibility) {
            parts.push(narrow(leading, class));
        }
        let window = Window {
            start_min: Some(end),
            ..*window
        };
        parts.push(narrow(leading, leading.due(&window, visibility)));
    } else {
        for part in leading.parts() {
            parts.push(narrow(&part, part.due(window, visibility)));
        }
    }
    let times = [
        leading.column(Column::StartUtc),
        Expr::col((event::Entity, Column::EndUtc)),
    ];
    let order = order(filter.sort, times, shown.as_ref());
    let part = |rows| Part {
        rows,
        id: leading.id(),
        order: order.clone(),
    };
    let list = List {
        parts: parts.into_iter().map(part).collect(),
        is_disjoint: false,
        descending: filter.descending,
        slow: filter.scans(),
        total: Total::Few,
    };
    if !has_series {
        return list;
    }
    let occurrences = if filter.series == SeriesListing::Occurrences {
        occurrences::public(query, leading, others)
    } else {
        // The occurrences of one series are few.
        let scopes: Vec<_> = others.iter().chain([leading]).cloned().collect();
        occurrences::public(query, &IndexScope::All, &scopes)
    };
    with_occurrences(query, list, occurrences)
}

/// The public events within a window that began before its earliest end, one query for each duration class.
fn begun(
    window: &Window,
    end: Timestamp,
    visibility: &Visibility,
) -> impl Iterator<Item = SelectStatement> {
    let event = |name: Column| Expr::col((event::Entity, name));
    let due = Column::PublishedUtc.lte(visibility.now.seconds());
    total::classes(end).map(move |mut class| {
        class
            .and_where(Column::StartUtc.lt(end.seconds()))
            .cond_where(filter::within(window, event))
            .and_where(due.clone())
            .take()
    })
}
