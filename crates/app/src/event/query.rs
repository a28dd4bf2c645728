//! The filters of lists of events.

use domain::{
    Event, EventId, FieldName, Id, Term,
    event::EventFilter,
    slug::Slug,
    time::{Days, Timestamp, Zone},
};

use super::check_parent;
use crate::{
    entry::check_ids,
    error::AppError,
    fault::{Fault, FaultCollector},
    ports::Repositories,
    request::Request,
    resource::among_slugs,
    term::{TermKind, TermSelector, find_for_filter},
};

pub use domain::event::Window;

/// Start of the default window of a feed, in days before today.
const FEED_DAYS: u64 = 90;

/// End of the default window, in months from now.
const DEFAULT_MONTHS: i64 = 24;

/// The filters of a list of events, whose links are not looked up yet.
#[derive(Clone, Debug, Default)]
pub struct EventQuery {
    /// The filters that name no record.
    pub filter: EventFilter,
    /// Categories; events have one of them or of those below.
    pub categories: Option<Vec<TermSelector>>,
    /// Tags; events have one of them.
    pub tags: Option<Vec<TermSelector>>,
    /// Venues, by ID.
    pub venues: Option<Vec<i64>>,
    /// Organizers, by ID.
    pub organizers: Option<Vec<i64>>,
    /// The event above.
    pub parent: Option<EventId>,
    /// Slugs to which the list is restricted.
    pub slugs: Option<Vec<Slug>>,
}

impl EventQuery {
    /// See [`Resource::look_up`](crate::resource::Resource::look_up).
    pub(super) async fn look_up(
        self,
        request: &Request<'_>,
        repositories: &dyn Repositories,
    ) -> Result<EventFilter, AppError> {
        let Self {
            filter,
            categories,
            tags,
            venues,
            organizers,
            parent,
            slugs,
        } = self;
        let mut faults = FaultCollector::default();
        if let Some(parent) = parent {
            check_parent(
                FieldName::PostParent,
                parent,
                None,
                request,
                repositories,
                &mut faults,
            )
            .await?;
        }
        let filter = EventFilter {
            include: among_slugs::<Event>(filter.include, slugs, repositories).await?,
            parent,
            categories: terms(categories, repositories, &mut faults).await?,
            tags: terms(tags, repositories, &mut faults).await?,
            venues: check_ids(FieldName::Venue, venues, request, repositories, &mut faults).await?,
            organizers: check_ids(
                FieldName::Organizer,
                organizers,
                request,
                repositories,
                &mut faults,
            )
            .await?,
            ..filter
        };
        faults.finish()?;
        Ok(filter)
    }
}

/// The terms that a filter names.
async fn terms<X: TermKind>(
    named: Option<Vec<TermSelector>>,
    repositories: &dyn Repositories,
    faults: &mut FaultCollector,
) -> Result<Option<Vec<Id<Term<X>>>>, AppError> {
    let Some(named) = named else { return Ok(None) };
    let found = find_for_filter::<X>(&named, repositories).await?;
    if found.iter().any(Option::is_none) {
        faults.fault(X::FIELD, Fault::unknown(X::KIND));
    }
    Ok(Some(found.into_iter().flatten().collect()))
}

/// The window of a list without dates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unbounded {
    /// The next 24 months.
    NextMonths,
    /// From 90 days before today to 24 months after it.
    Feed,
    /// Events that end today or later.
    FromToday,
    /// All time.
    AllTime,
}

/// The bounds of a list of events that were sent, each as an instant.
///
/// ```
/// use events_calendar_app::{event::{Unbounded, WindowBounds}, test_support::at};
/// use domain::time::Zone;
///
/// let now = at("2030-01-01 09:00:00");
/// let (window, last) = WindowBounds::default().window(Unbounded::NextMonths, &Zone::utc(), now);
/// assert_eq!(window.start_min, Some(at("2029-12-31 00:00:00")));
/// assert_eq!(last.as_str(), "end_date");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct WindowBounds {
    /// Whether the bounds are instants; otherwise they are the beginnings and ends of days.
    pub strict: bool,
    /// First start.
    pub start_date: Option<Timestamp>,
    /// Last end.
    pub end_date: Option<Timestamp>,
    /// Starts are after it.
    pub starts_after: Option<Timestamp>,
    /// Starts are before it.
    pub starts_before: Option<Timestamp>,
    /// Ends are after it.
    pub ends_after: Option<Timestamp>,
    /// Ends are before it; without `strict`, they may be in its last second.
    pub ends_before: Option<Timestamp>,
}

impl WindowBounds {
    /// The window, and the parameter with its earliest upper bound.
    ///
    /// Without any bound of `starts_…` or `ends_…`, the list begins yesterday and reaches two years
    /// ahead, unless it is to be `unbounded`.
    pub fn window(self, unbounded: Unbounded, zone: &Zone, now: Timestamp) -> (Window, FieldName) {
        let Self {
            strict,
            start_date,
            end_date,
            starts_after,
            starts_before,
            ends_after,
            ends_before,
        } = self;
        let bounded = matches!(unbounded, Unbounded::AllTime | Unbounded::FromToday)
            || [starts_after, starts_before, ends_after, ends_before]
                .iter()
                .any(Option::is_some);
        let default_start = || match unbounded {
            Unbounded::Feed => start_of_feed(zone, now),
            _ => default_start(zone, now, strict),
        };
        let start_date = start_date.or_else(|| (!bounded).then(default_start));
        let end_date = end_date.or_else(|| (!bounded).then(|| default_end(zone, now, strict)));
        // The last second of a day belongs to it: `ends_before` includes events that end with that day.
        let ends_before = ends_before.map(|end| if strict { end.saturating_add(-1) } else { end });
        let mut window = Window {
            start_min: start_date.max(starts_after.map(|start| start.saturating_add(1))),
            start_max: starts_before.map(|start| start.saturating_add(-1)),
            end_min: ends_after.map(|end| end.saturating_add(1)),
            end_max: end_date.into_iter().chain(ends_before).min(),
        };
        if unbounded == Unbounded::FromToday && window == Window::default() {
            window.end_min = Some(zone.start_of_day(zone.at(now).local.date()));
        }
        let upper = [
            (end_date, FieldName::EndDate),
            (window.start_max, FieldName::StartsBefore),
            (ends_before, FieldName::EndsBefore),
        ];
        let upper = upper
            .into_iter()
            .filter_map(|(end, name)| Some((end?, name)));
        let earliest = upper.min_by_key(|(end, _)| *end);
        let last = earliest.map_or(FieldName::EndDate, |(_, name)| name);
        (window, last)
    }
}

/// The bounds of a list of events that was requested without any.
///
/// ```
/// use events_calendar_app::{event::default_window, test_support::at};
/// use domain::time::Zone;
///
/// let (from, to) = default_window(&Zone::utc(), at("2030-01-01 09:00:00"));
/// assert_eq!(from.to_string(), "2029-12-31 23:59:00");
/// assert_eq!(to.to_string(), "2032-01-01 09:00:00");
/// ```
pub fn default_window(zone: &Zone, now: Timestamp) -> (Timestamp, Timestamp) {
    (default_start(zone, now, true), default_end(zone, now, true))
}

/// Whether a list that ends there has the default end.
pub(crate) fn is_default_end(end: Timestamp, zone: &Zone, now: Timestamp) -> bool {
    [false, true]
        .map(|strict| default_end(zone, now, strict))
        .contains(&end)
}

/// The default start: yesterday; with `strict`, yesterday at 23:59:00 in the site's zone.
fn default_start(zone: &Zone, now: Timestamp, strict: bool) -> Timestamp {
    let today = zone.at(now).local.date();
    let yesterday = today.pred_opt().unwrap_or(today);
    if strict {
        zone.end_of_day(yesterday).saturating_add(-59)
    } else {
        zone.start_of_day(yesterday)
    }
}

/// The default start of a feed: the beginning of a day.
fn start_of_feed(zone: &Zone, now: Timestamp) -> Timestamp {
    let today = zone.at(now).local.date();
    let first = today.checked_sub_days(Days::new(FEED_DAYS));
    zone.start_of_day(first.unwrap_or(today))
}

/// The default end: this time of day, two years from now; without `strict`, the end of that day.
fn default_end(zone: &Zone, now: Timestamp, strict: bool) -> Timestamp {
    let ahead = domain::time::parse_date(&format!("+{DEFAULT_MONTHS} months"), zone, now)
        .unwrap_or_else(|_| zone.at(Timestamp::MAX));
    if strict {
        ahead.utc
    } else {
        zone.end_of_day(ahead.local.date())
    }
}
