//! The nearest period with events: links between periods skip those without, however many there are.

use app::{calendar::Agenda, error::AppError};
use domain::time::{Days, NaiveDate, Period};

use super::bounds::Bounds;

/// The sides of a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Earlier,
    Later,
}

impl Side {
    /// The day that is some days further on this side; none beyond the calendar.
    fn away(self, day: NaiveDate, days: u64) -> Option<NaiveDate> {
        match self {
            Self::Earlier => day.checked_sub_days(Days::new(days)),
            Self::Later => day.checked_add_days(Days::new(days)),
        }
    }
}

/// The nearest period with events on a side, from the adjacent one on; without any, the adjacent one and `false`.
/// The number of statements grows with the logarithm of the days between.
pub(super) async fn nearest(
    agenda: &Agenda<'_>,
    bounds: &Bounds,
    adjacent: Period,
    side: Side,
) -> Result<(Period, bool), AppError> {
    let (first, last) = (adjacent.first(), adjacent.last());
    if agenda.has_events(first, last).await? {
        return Ok((adjacent, true));
    }
    let (edge, begin) = match side {
        Side::Earlier => (bounds.days()[0], first),
        Side::Later => (bounds.days()[1], last),
    };
    let distance = (edge - begin).num_days().unsigned_abs();
    let is_beyond = match side {
        Side::Earlier => edge >= begin,
        Side::Later => edge <= begin,
    };
    if is_beyond {
        return Ok((adjacent, false));
    }
    let has = async |empty: u64, days: u64| {
        let (Some(near), Some(far)) = (side.away(begin, empty + 1), side.away(begin, days)) else {
            return Ok(false);
        };
        agenda.has_events(near.min(far), near.max(far)).await
    };
    // No event is within the first `empty` days, some are within the first `days`.
    let (mut empty, mut days) = (0, 1);
    while !has(empty, days).await? {
        if days == distance {
            return Ok((adjacent, false));
        }
        (empty, days) = (days, (days * 2).min(distance));
    }
    while days - empty > 1 {
        let middle = empty.midpoint(days);
        if has(empty, middle).await? {
            days = middle;
        } else {
            empty = middle;
        }
    }
    let found = side
        .away(begin, days)
        .map(|day| Period::of(day, adjacent.unit()));
    Ok((found.unwrap_or(adjacent), true))
}
