//! The horizon: the instant up to which the occurrences of endless series are stored.

use async_trait::async_trait;
use domain::{
    Event,
    event::Repetition,
    recurrence::{Recurrence, Slot, horizon},
    time::Timestamp,
};

use super::super::{Calendar, Work};
use crate::{error::AppError, ports::UnitOfWork};

/// The most series of a unit of work.
const SERIES: usize = 100;

/// The result of an extension of endless series.
///
/// ```
/// assert_eq!(events_calendar_app::calendar::ExtendedSeries::default().series, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExtendedSeries {
    /// The number of series of which the occurrences are stored further than before.
    pub series: usize,
    /// The number of occurrences that were added.
    pub occurrences: usize,
}

/// The extension of some series.
struct Extension {
    until: Timestamp,
}

#[async_trait]
impl Work for Extension {
    type Output = ExtendedSeries;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<ExtendedSeries, AppError> {
        let mut done = ExtendedSeries::default();
        let (mut extended, mut slots) = (Vec::new(), 0);
        let unfinished = unit.occurrences().lock_unfinished(self.until, SERIES);
        for mut series in unfinished.await? {
            let added = extend(&mut series.content, self.until);
            (done.series, slots) = (done.series + 1, slots + added.len());
            extended.push((series, added));
            if slots >= Recurrence::MAX_SLOTS {
                done.occurrences += unit.occurrences().extend(&extended).await?;
                (extended, slots) = (Vec::new(), 0);
            }
        }
        done.occurrences += unit.occurrences().extend(&extended).await?;
        Ok(done)
    }
}

/// Extends a series up to an instant. Returns the slots from the former instant on. Writes on single
/// occurrences have stored some of them.
fn extend(series: &mut Event, until: Timestamp) -> Vec<Slot> {
    let Repetition::Series(series) = &mut series.details.repetition else {
        return Vec::new();
    };
    let kept_until = series.kept_until.replace(until).unwrap_or(until);
    let added = series.recurrence.occurrences(kept_until..until);
    added.map(|one| one.slot).collect()
}

impl Calendar {
    /// Stores the occurrences of all endless series up to the [`horizon`]
    /// of now, 100 series a unit of work. It skips series that another process extends at the same
    /// time. The series keep their revisions and times of the last change: of the answers, those that
    /// name the horizon alone differ.
    ///
    /// ```
    /// use events_calendar_app::test_support::{FixedClock, series};
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// let clock = FixedClock::at("2030-01-15 09:00:00");
    /// let calendar = calendar(store).clock(clock.clone()).await;
    /// calendar.create(editor, &series("Yoga", "2030-03-05 19:00:00", "FREQ=WEEKLY").build()).await?;
    /// assert_eq!(calendar.extend_series().await?.series, 0);
    ///
    /// clock.set("2030-02-15 09:00:00");
    /// let extended = calendar.extend_series().await?;
    /// assert_eq!((extended.series, extended.occurrences), (1, 4));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError::Store`] if the store does not answer.
    pub async fn extend_series(&self) -> Result<ExtendedSeries, AppError> {
        let site = self.site();
        let until = horizon(self.now(), &site.zone, site.recurrence_months);
        let mut done = ExtendedSeries::default();
        loop {
            let some = self.in_unit(&Extension { until }).await?;
            if some.series == 0 {
                return Ok(done);
            }
            done.series += some.series;
            done.occurrences += some.occurrences;
        }
    }
}
