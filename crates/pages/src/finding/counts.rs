//! The numbers beside the choices of the form.

use std::{collections::HashMap, mem};

use app::{
    calendar::{Tallied, Tally},
    error::AppError,
};
use domain::{
    FieldName, Id,
    event::{DaySpans, Window},
    text::fold,
    time::{NaiveDate, Period},
};

use super::{choices::SELECTS, read::Finding};
use crate::request::PageRequest;

/// The time of the events that a page shows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown {
    window: Window,
    /// The first and the last day, of a view of a period.
    days: Option<[NaiveDate; 2]>,
}

impl Shown {
    /// The events within a window.
    pub(crate) fn within(window: Window) -> Self {
        Self { window, days: None }
    }

    /// The events of the days of a period.
    pub(crate) fn of(period: Period) -> Self {
        let [first, last] = [period.first(), period.last()];
        Self {
            window: DaySpans::window(first, last),
            days: Some([first, last]),
        }
    }
}

/// The tallies of the events that match all filters, or all but that of a field.
#[derive(Debug, Default)]
pub(super) struct Counts(Vec<(Option<FieldName>, Tally)>);

impl Counts {
    /// The counts of a page, and the records that its filters can name; none if it has too many events.
    pub(super) async fn load(
        request: &PageRequest,
        finding: &Finding,
        shown: Shown,
    ) -> Result<(Self, Option<Tallied>), AppError> {
        let is_active = |name: &FieldName| !finding.choices.values(*name).is_empty();
        let active = SELECTS.into_iter().filter(is_active).map(Some);
        let names: Vec<_> = [None].into_iter().chain(active).collect();
        let filters = names.iter().map(|name| {
            let mut filter = match name {
                Some(name) => finding.without(*name),
                None => finding.filter.clone(),
            };
            filter.window = filter.window.and(&shown.window);
            filter
        });
        let filters: Vec<_> = filters.collect();
        let (calendar, options) = (&request.state.calendar, request.options());
        let tallies = calendar.tally(request.client, &filters, shown.days, &options);
        let mut records = tallies.await?;
        let tallies = records.as_mut().map(|found| mem::take(&mut found.tallies));
        let counts = names.into_iter().zip(tallies.unwrap_or_default());
        Ok((Self(counts.collect()), records))
    }

    /// The number of events of the list to which a choice leads, if it is known.
    pub(super) fn of(&self, filter: FieldName, value: &str) -> Option<u64> {
        let of_field = self.0.iter().find(|(name, _)| *name == Some(filter));
        let (_, tally) = of_field.or(self.0.first())?;
        let is = |text| value == text;
        Some(match filter {
            FieldName::Categories => by_id(&tally.categories, value),
            FieldName::Tags => by_id(&tally.tags, value),
            FieldName::Venue => by_id(&tally.venues, value),
            FieldName::Organizer => by_id(&tally.organizers, value),
            FieldName::City => tally.cities.get(&fold(value)).copied().unwrap_or(0),
            FieldName::Free if is("true") => tally.free,
            FieldName::Free => tally.not_free,
            FieldName::Ticketed if is("true") => tally.ticketed,
            FieldName::Ticketed => tally.not_ticketed,
            _ => return None,
        })
    }
}

fn by_id<R>(counts: &HashMap<Id<R>, u64>, value: &str) -> u64 {
    let id = value.parse().ok().map(Id::from_raw);
    id.and_then(|id| counts.get(&id).copied()).unwrap_or(0)
}
