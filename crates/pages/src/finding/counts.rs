//! The numbers beside the choices of the form.

use std::{collections::HashMap, mem};

use app::{
    calendar::{Tallied, Tallying},
    error::AppError,
    ports::Tally,
};
use domain::{
    EventId, FieldName, Id,
    event::{EventFilter, Window},
    text::fold,
    time::Period,
};

use super::{choices::SELECTS, read::Finding};
use crate::request::PageRequest;

/// The events that a page shows.
#[derive(Clone, Debug)]
pub(crate) enum Shown {
    /// A list: its window, and the number of its events.
    Within(Window, u64),
    /// The events of the days of a period, as many as are placed.
    Of(Period, Vec<EventId>),
}

impl Shown {
    /// Their number.
    pub(super) fn total(&self) -> u64 {
        match self {
            Self::Within(_, total) => *total,
            Self::Of(_, events) => events.len() as u64,
        }
    }

    /// The list of the page with a filter; `is_own` says that it is that of the page.
    fn list(&self, filter: EventFilter, is_own: bool) -> Tallying {
        match self {
            Self::Of(period, events) => {
                let days = [period.first(), period.last()];
                if is_own {
                    Tallying::Events(events.clone(), filter, days)
                } else {
                    Tallying::Days(filter, days)
                }
            }
            Self::Within(window, _) => Tallying::List(EventFilter {
                window: filter.window.and(window),
                ..filter
            }),
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
        shown: &Shown,
    ) -> Result<(Self, Option<Tallied>), AppError> {
        if shown.total() > Tallied::MAX_EVENTS {
            return Ok((Self::default(), None));
        }
        let is_active = |name: &FieldName| !finding.choices.values(*name).is_empty();
        let active = SELECTS.into_iter().filter(is_active).map(Some);
        let names: Vec<_> = [None].into_iter().chain(active).collect();
        let lists = names.iter().map(|name| {
            let filter = match name {
                Some(name) => finding.without(*name),
                None => finding.filter.clone(),
            };
            shown.list(filter, name.is_none())
        });
        let lists: Vec<_> = lists.collect();
        let (calendar, options) = (&request.state.calendar, request.options());
        let tallies = calendar.tally(request.client, &finding.filter, &lists, &options);
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
            FieldName::City => tally.cities.get(&fold(value)).map_or(0, |city| city.events),
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
