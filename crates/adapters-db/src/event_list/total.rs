//! Totals of event lists without a count of their events.
//!
//! Within a window of start times, counters give the number of events in whole buckets, and an
//! index the number at both ends. Events that overlap an end of the window are found by duration
//! class: the events of a class started shortly before that end. Scheduled events are few, and
//! subtracted.

use domain::{event::Window, time::Timestamp};
use migration::{DURATION_CLASSES, Histogram};
use sea_orm::{
    ExprTrait,
    sea_query::{Asterisk, Condition, Expr, Func, Query, SelectStatement, SimpleExpr},
};

use super::{filter, occurrences, scope::IndexScope};
use crate::{
    entity::{
        event::{self, Column},
        event_starts, occurrence,
    },
    sql::{condition, from},
};

/// The alias of the rows of duration classes, each with the earliest start of its events.
const CLASS: &str = "class";

/// The class of events that last at most one day.
pub(super) const DAY_CLASS: usize = 1;

/// The maximum duration of that class, in seconds.
pub(super) const DAY: i64 = 86_400;

/// The number of due events of a scope within a window.
///
/// The counters also count plain occurrences; `has_series` says that there
/// may be some.
pub(super) fn total(
    scope: &IndexScope,
    window: &Window,
    now: Timestamp,
    has_series: bool,
) -> SimpleExpr {
    let Window {
        start_min,
        start_max: _,
        end_min,
        end_max,
    } = *window;
    let from = start_min.max(end_min).map(Timestamp::seconds);
    let to = window.latest_start().map(Timestamp::seconds);
    let mut total = starts(scope, &scope.histograms(), has_series, from, to);
    if let Some(end) = end_max {
        total = total.sub(reaching(scope, end, has_series, |column| {
            Condition::all()
                .add_option(from.map(|from| column(Column::StartUtc).gte(from)))
                .add_option(to.map(|to| column(Column::StartUtc).lte(to)))
                .add(column(Column::EndUtc).gt(end.seconds()))
        }));
    }
    if let Some(end) = window.going_on_at() {
        total = total.add(reaching(scope, end, has_series, |column| {
            filter::within(window, column).add(column(Column::StartUtc).lt(end.seconds()))
        }));
    }
    if has_series {
        total = total.sub(scheduled_occurrences(scope, window, now));
    }
    total.sub(scheduled(scope, window, now))
}

/// An estimate of the events of a scope within a window; rarely too low.
pub(super) fn estimate(scope: &IndexScope, window: &Window) -> SimpleExpr {
    let to = window.latest_start();
    let histogram = scope.finest();
    let bucket = |moment: Timestamp| moment.seconds() >> histogram.shift;
    sum(
        scope.starts(histogram, window.start_min.map(bucket), to.map(bucket)),
        Expr::col(event_starts::Column::Starts),
    )
}

fn event(name: Column) -> Expr {
    Expr::col((event::Entity, name))
}

/// The number of starts between two times. The first histogram gives whole buckets, the next one
/// both ends, the index the rest.
fn starts(
    scope: &IndexScope,
    histograms: &[Histogram],
    has_series: bool,
    from: Option<i64>,
    to: Option<i64>,
) -> SimpleExpr {
    if from.zip(to).is_some_and(|(from, to)| from > to) {
        return Expr::val(0_i64);
    }
    let Some((coarsest, finer)) = histograms.split_first() else {
        let between = |mut rows: SelectStatement, start: Expr| {
            rows.and_where_option(from.map(|from| start.clone().gte(from)))
                .and_where_option(to.map(|to| start.lte(to)));
            count(rows)
        };
        let events = between(scope.rows(), scope.column(Column::StartUtc));
        if !has_series {
            return events;
        }
        let start = occurrences::time(scope, Column::StartUtc);
        return events.add(between(occurrences::rows(scope), start));
    };
    let shift = coarsest.shift;
    // The first bucket that begins in the window, and the last that ends in it.
    let first = from.map(|from| ((from - 1) >> shift) + 1);
    let last = to.map(|to| ((to + 1) >> shift) - 1);
    if first.zip(last).is_some_and(|(first, last)| first > last) {
        return starts(scope, finer, has_series, from, to);
    }
    let mut total = sum(
        scope.starts(*coarsest, first, last),
        Expr::col(event_starts::Column::Starts),
    );
    if let (Some(from), Some(first)) = (from, first)
        && from < first << shift
    {
        total = total.add(starts(
            scope,
            finer,
            has_series,
            Some(from),
            Some((first << shift) - 1),
        ));
    }
    if let (Some(to), Some(last)) = (to, last)
        && (last + 1) << shift <= to
    {
        total = total.add(starts(
            scope,
            finer,
            has_series,
            Some((last + 1) << shift),
            Some(to),
        ));
    }
    total
}

/// The number of events that started before a time, end at it or later, and meet a condition.
fn reaching(
    scope: &IndexScope,
    moment: Timestamp,
    has_series: bool,
    which: impl Fn(&dyn Fn(Column) -> Expr) -> Condition,
) -> SimpleExpr {
    // One subquery for each class: PostgreSQL might otherwise join the classes with all events.
    let lasting = |first| {
        let class = |name: &'static str| Expr::col((CLASS, name));
        let rows = from(event::Entity)
            .and_where(event(Column::Listed))
            .and_where(event(Column::Span).eq(class("column1")))
            .and_where(event(Column::StartUtc).gte(class("column2")))
            .cond_where(which(&event))
            .cond_where(scope.holds_of_few())
            .take();
        let began = began(moment).skip(first);
        let began = began.map(|(class, began)| (class, began.unwrap_or(i64::MIN)));
        let classes = Query::select().from_values(began, CLASS).take();
        sum(classes, count(rows))
    };
    let with_occurrences = |events: SimpleExpr, first| {
        if !has_series {
            return events;
        }
        let classes = occurrences::classes(moment.seconds()).skip(first);
        let classes = classes.map(|mut class| {
            class.cond_where(which(&|name: Column| occurrences::column(name)));
            count(class.cond_where(occurrences::holds(scope)).take())
        });
        classes.fold(events, SimpleExpr::add)
    };
    if matches!(scope, IndexScope::All) {
        return with_occurrences(lasting(0), 0);
    }
    // Most events are short. Fewer events of the scope than of the calendar started within one day.
    // An index gives the longer events that may reach the time.
    let short = |mut rows: SelectStatement, column: &dyn Fn(Column) -> Expr| {
        let lasts = column(Column::EndUtc).sub(column(Column::StartUtc));
        rows.and_where(column(Column::StartUtc).gte(moment.seconds() - DAY))
            .and_where(lasts.lte(DAY))
            .cond_where(which(column));
        count(rows)
    };
    let events = short(scope.rows(), &|name| scope.column(name)).add(lasting(DAY_CLASS + 1));
    if !has_series {
        return events;
    }
    let occurrences = short(occurrences::rows(scope), &|name| {
        occurrences::time(scope, name)
    });
    with_occurrences(events.add(occurrences), DAY_CLASS + 1)
}

/// The earliest start of the events of each class that may reach a time.
fn began(moment: Timestamp) -> impl Iterator<Item = (i64, Option<i64>)> {
    let began = move |length| moment.seconds() - length;
    (0_i64..).zip(DURATION_CLASSES.map(|length| length.map(began)))
}

/// One query for each class: the listed events that may reach a time.
pub(super) fn classes(moment: Timestamp) -> impl Iterator<Item = SelectStatement> {
    began(moment).map(|(class, began)| {
        from(event::Entity)
            .and_where(event(Column::Listed))
            .and_where(event(Column::Span).eq(class))
            .and_where_option(began.map(|began| event(Column::StartUtc).gte(began)))
            .take()
    })
}

/// The number of scheduled events.
fn scheduled(scope: &IndexScope, window: &Window, now: Timestamp) -> SimpleExpr {
    let rows = scheduled_events(window, now)
        .cond_where(scope.holds_of_few())
        .take();
    count(rows)
}

/// The scheduled events within a window, without columns.
pub(super) fn scheduled_events(window: &Window, now: Timestamp) -> SelectStatement {
    let published = Expr::col((event::Entity, Column::PublishedUtc));
    // The additions of 0 prevent SQLite from using the index by start. It does not know that
    // scheduled events are few.
    let window = filter::within(window, |name: Column| {
        Expr::col((event::Entity, name)).add(0_i64)
    });
    from(event::Entity)
        .and_where(Expr::col((event::Entity, Column::Listed)))
        .cond_where(condition::is_scheduled(&published, now))
        .cond_where(window)
        .take()
}

/// The number of the occurrences of scheduled series within a window.
fn scheduled_occurrences(scope: &IndexScope, window: &Window, now: Timestamp) -> SimpleExpr {
    // No index by start, as for events.
    let window = filter::within(window, |name: Column| occurrences::column(name).add(0_i64));
    let series = from(event::Entity)
        .column((event::Entity, Column::Id))
        .cond_where(condition::is_scheduled(&event(Column::PublishedUtc), now))
        .take();
    let series = occurrences::column(occurrence::Column::SeriesId).in_subquery(series);
    let rows = occurrences::rows(&IndexScope::All)
        .and_where(series)
        .cond_where(window)
        .cond_where(occurrences::holds(scope))
        .take();
    count(rows)
}

fn count(mut rows: SelectStatement) -> SimpleExpr {
    rows.expr(Func::count(Expr::col(Asterisk))).take().into()
}

fn sum(mut rows: SelectStatement, number: SimpleExpr) -> SimpleExpr {
    let sum = Func::coalesce([Func::sum(number).into(), Expr::val(0_i64)]);
    rows.expr(Func::cast_as(sum, "bigint")).take().into()
}
