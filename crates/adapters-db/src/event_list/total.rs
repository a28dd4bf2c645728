//! How long lists are, without counting their events.
//!
//! Within a window of starts, whole stretches of time are told by the counters, and what is left of
//! stretches at both ends by an index. Events that end too late, or that began before the window and
//! still go on, are found by how long they last: those of a class began not long before the moment
//! that they reach over. Events that are not yet due are few, and taken off.

use domain::{event::Window, time::Timestamp};
use migration::{DURATION_CLASSES, Histogram};
use sea_orm::{
    ExprTrait,
    sea_query::{Asterisk, Condition, Expr, Func, Query, SelectStatement, SimpleExpr},
};

use super::{filter, scope::Scope};
use crate::sql::{condition, from};

/// What the classes are called that are looked through, each with when its events began at the earliest.
const CLASS: &str = "class";

/// The class of events that last a day at the most.
const DAY_CLASS: usize = 1;

/// How long these last, in seconds.
const DAY: i64 = 86_400;

/// How many events a scope holds within a window, as far as they are due.
pub(super) fn total(scope: &Scope, window: &Window, now: Timestamp) -> SimpleExpr {
    let Window {
        start_min,
        start_max: _,
        end_min,
        end_max,
    } = *window;
    let from = start_min.max(end_min).map(Timestamp::seconds);
    let to = window.latest_start().map(Timestamp::seconds);
    let mut total = starts(scope, &scope.histograms(), from, to);
    if let Some(end) = end_max {
        total = total.sub(reaching(scope, end, |column| {
            Condition::all()
                .add_option(from.map(|from| column("start_utc").gte(from)))
                .add_option(to.map(|to| column("start_utc").lte(to)))
                .add(column("end_utc").gt(end.seconds()))
        }));
    }
    if let Some(end) = window.going_on_at() {
        total = total.add(reaching(scope, end, |column| {
            filter::within(window, column).add(column("start_utc").lt(end.seconds()))
        }));
    }
    total.sub(scheduled(scope, window, now))
}

/// About how many events a scope holds within a window: hardly fewer than it does.
pub(super) fn estimate(scope: &Scope, window: &Window) -> SimpleExpr {
    let to = window.latest_start();
    let histogram = scope.finest();
    let bucket = |moment: Timestamp| moment.seconds() >> histogram.shift;
    sum(
        scope.starts(histogram, window.start_min.map(bucket), to.map(bucket)),
        Expr::col("starts"),
    )
}

fn event(name: &'static str) -> Expr {
    Expr::col(("event", name))
}

/// Counts the events that start between two times. Whole buckets are counted by the first histogram, the rest at
/// both ends by the others, and at last by rows.
fn starts(
    scope: &Scope,
    histograms: &[Histogram],
    from: Option<i64>,
    to: Option<i64>,
) -> SimpleExpr {
    if from.zip(to).is_some_and(|(from, to)| from > to) {
        return Expr::val(0_i64);
    }
    let Some((coarsest, finer)) = histograms.split_first() else {
        let start = || scope.column("start_utc");
        let rows = scope
            .rows()
            .and_where_option(from.map(|from| start().gte(from)))
            .and_where_option(to.map(|to| start().lte(to)))
            .take();
        return count(rows);
    };
    let shift = coarsest.shift;
    // The first stretch that begins in the window, and the last that ends in it.
    let first = from.map(|from| ((from - 1) >> shift) + 1);
    let last = to.map(|to| ((to + 1) >> shift) - 1);
    if first.zip(last).is_some_and(|(first, last)| first > last) {
        return starts(scope, finer, from, to);
    }
    let mut total = sum(scope.starts(*coarsest, first, last), Expr::col("starts"));
    if let (Some(from), Some(first)) = (from, first)
        && from < first << shift
    {
        total = total.add(starts(scope, finer, Some(from), Some((first << shift) - 1)));
    }
    if let (Some(to), Some(last)) = (to, last)
        && (last + 1) << shift <= to
    {
        total = total.add(starts(scope, finer, Some((last + 1) << shift), Some(to)));
    }
    total
}

/// How many began before a moment and end at it or later, and which of them.
fn reaching(
    scope: &Scope,
    moment: Timestamp,
    which: impl Fn(&dyn Fn(&'static str) -> Expr) -> Condition,
) -> SimpleExpr {
    // A look for each class: PostgreSQL could else join them with all events.
    let lasting = |first| {
        let class = |name| Expr::col((CLASS, name));
        let rows = from("event")
            .and_where(event("listed"))
            .and_where(event("span").eq(class("column1")))
            .and_where(event("start_utc").gte(class("column2")))
            .cond_where(which(&event))
            .cond_where(scope.holds_of_few())
            .take();
        let began = began(moment).skip(first);
        let began = began.map(|(class, began)| (class, began.unwrap_or(i64::MIN)));
        let classes = Query::select().from_values(began, CLASS).take();
        sum(classes, count(rows))
    };
    if matches!(scope, Scope::All) {
        return lasting(0);
    }
    // Most events are short. Of those of a scope that began within a day there are fewer than of all;
    // of the longer ones, an index holds just those that may reach so far.
    let column = |name| scope.column(name);
    let lasts = column("end_utc").sub(column("start_utc"));
    let short = scope
        .rows()
        .and_where(column("start_utc").gte(moment.seconds() - DAY))
        .and_where(lasts.lte(DAY))
        .cond_where(which(&column))
        .take();
    count(short).add(lasting(DAY_CLASS + 1))
}

/// When, at the earliest, events of each class began that reach over a moment.
fn began(moment: Timestamp) -> impl Iterator<Item = (i64, Option<i64>)> {
    let began = move |length| moment.seconds() - length;
    (0_i64..).zip(DURATION_CLASSES.map(|length| length.map(began)))
}

/// Listed events that may reach over a moment, class by class.
pub(super) fn classes(moment: Timestamp) -> impl Iterator<Item = SelectStatement> {
    began(moment).map(|(class, began)| {
        from("event")
            .and_where(event("listed"))
            .and_where(event("span").eq(class))
            .and_where_option(began.map(|began| event("start_utc").gte(began)))
            .take()
    })
}

/// How many are not yet due.
fn scheduled(scope: &Scope, window: &Window, now: Timestamp) -> SimpleExpr {
    let published = Expr::col(("event", "published_utc"));
    // The sums keep SQLite from going by start: that these are few it does not know.
    let window = filter::within(window, |name| Expr::col(("event", name)).add(0_i64));
    let rows = from("event")
        .and_where(Expr::col(("event", "listed")))
        .cond_where(condition::is_scheduled(&published, now))
        .cond_where(window)
        .cond_where(scope.holds_of_few())
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
