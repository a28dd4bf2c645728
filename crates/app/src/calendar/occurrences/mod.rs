//! The occurrences of series.

mod horizon;

use std::collections::{HashMap, HashSet};

use domain::{
    Event, EventId, FieldName, Kind, Stored,
    event::Window,
    page::{Page, PageRequest},
    policy::{Caller, Guarded as _, Visibility},
    recurrence::{InvalidRecurrence, Recurrence, Slot},
    time::Timestamp,
};

use super::{Calendar, bounded, find_readable};
use crate::{
    error::AppError,
    event::EventView,
    ports::{OccurrenceFilter, Repositories, StoredOccurrence},
    request::RecordKey,
    resource::{Located, Resource as _},
    write::ReadOptions,
};

pub use horizon::ExtendedSeries;

/// The filters of a list of occurrences.
#[derive(Clone, Copy, Debug)]
pub struct OccurrenceQuery {
    /// The window.
    pub window: Window,
    /// The parameter that bounds the window from above.
    pub upper_bound: FieldName,
    /// Whether they have fields of their own.
    pub own: Option<bool>,
    /// Whether they are called off.
    pub cancelled: Option<bool>,
    /// Whether the order is reversed.
    pub descending: bool,
}

impl Default for OccurrenceQuery {
    /// All occurrences.
    fn default() -> Self {
        Self {
            window: Window::default(),
            upper_bound: FieldName::EndDate,
            own: None,
            cancelled: None,
            descending: false,
        }
    }
}

impl OccurrenceQuery {
    /// Whether the list holds an occurrence of the window.
    fn holds(&self, event: &Event, visibility: &Visibility) -> bool {
        let own = event
            .occurrence()
            .is_some_and(|one| !one.overridden.is_empty());
        let is_hidden = event.details.hide_from_listings && !visibility.caller.may_edit(event);
        event.is_linkable(visibility)
            && !is_hidden
            && self.own.is_none_or(|wanted| wanted == own)
            && self
                .cancelled
                .is_none_or(|wanted| wanted == event.details.cancelled)
    }
}

/// A row of the list. One that is not stored has no ID.
type Row = (Timestamp, Option<EventId>, Slot);

impl Calendar {
    /// The occurrences of a series in the order of their starts, also without a row, and then
    /// without an ID. The ID of an occurrence gives the occurrences of its series, any other event itself alone.
    ///
    /// ```
    /// use events_calendar_app::{calendar::OccurrenceQuery, event::Window, test_support::{at, series}, write::ReadOptions};
    /// use domain::page::PageRequest;
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    ///
    /// let yoga = series("Yoga", "2030-03-05 19:00:00", "FREQ=WEEKLY").build();
    /// let series = calendar.create(editor, &yoga).await?.event.id.unwrap();
    /// let window = Window {
    ///     start_min: Some(at("9000-01-01 00:00:00")),
    ///     start_max: Some(at("9000-01-31 00:00:00")),
    ///     ..Window::default()
    /// };
    /// let january = OccurrenceQuery { window, ..OccurrenceQuery::default() };
    /// let (first, options) = (PageRequest::new(1, 10, 100), ReadOptions::default());
    /// let list = calendar.occurrences(editor, series.into(), january, first, &options).await?;
    /// assert_eq!(list.total, 4);
    /// assert_eq!(list.rows[0].event.id, None, "it is computed");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError`]: no such event, the reason why the caller may not read it, or a page
    /// beyond the last.
    pub async fn occurrences(
        &self,
        caller: Caller,
        key: RecordKey<Event>,
        wanted: OccurrenceQuery,
        page: PageRequest,
        options: &ReadOptions,
    ) -> Result<Page<EventView>, AppError> {
        let request = self.request_with(caller, options);
        let page = bounded(page, &self.site);
        let reads = self.store.reads().await?;
        let repositories = &*reads;
        let named = find_readable(repositories, &key, &request.visibility()).await?;
        let request = request.about(&key, &named.content);
        let visibility = request.visibility();
        let series = match named.occurrence() {
            Some(one) => repositories.events().find(one.series).await?,
            None => None,
        };
        let event = match series {
            Some(series) => series,
            None => named.stored()?,
        };
        let found = if event.series().is_some() {
            of_series(&event, &wanted, page, &visibility, repositories).await?
        } else {
            let when = &event.details.when;
            let is_in = wanted.window.holds(when.start().utc, when.end().utc);
            let is_listed = is_in && wanted.holds(&event, &visibility);
            Page::of(is_listed.then(|| event.into()).into_iter().collect(), page)
        };
        if found.rows.is_empty() && page.number() > 1 {
            return Err(AppError::PageNotFound(Kind::Event));
        }
        Ok(Page {
            rows: Event::load(found.rows, &visibility, repositories).await?,
            total: found.total,
            request: found.request,
        })
    }
}

/// A page of the occurrences of a series.
async fn of_series(
    series: &Stored<Event>,
    wanted: &OccurrenceQuery,
    page: PageRequest,
    visibility: &Visibility,
    repositories: &dyn Repositories,
) -> Result<Page<Located<Event>>, AppError> {
    let stored = repositories.occurrences();
    let all = OccurrenceFilter::default();
    let rows = stored.of_series(series.id, &all).await?;
    let own = rows.iter().filter(|row| row.is_override);
    let own: Vec<_> = own.map(|row| row.id).collect();
    let own = repositories.events().find_many(&own).await?.into_iter();
    let own: HashMap<EventId, Stored<Event>> = own.map(|one| (one.id, one)).collect();
    let first = series.series().map(|one| one.recurrence.first_slot());
    let plain = first.and_then(|slot| series.occurrence_at(slot));
    let shows_plain = plain.is_some_and(|plain| wanted.holds(&plain, visibility));
    let is_listed = |id: &EventId| match own.get(id) {
        Some(own) => wanted.holds(own, visibility),
        None => shows_plain,
    };
    let is_in = |row: &&StoredOccurrence| wanted.window.holds(row.start, row.end);
    let kept = rows.iter().filter(is_in);
    let kept = kept.filter(|row| is_listed(&row.id));
    let mut listed: Vec<Row> = kept
        .map(|row| (row.start, Some(row.id), row.slot))
        .collect();
    if shows_plain {
        let known: HashSet<Slot> = rows.iter().map(|row| row.slot).collect();
        computed(series, wanted, &known, &mut listed)?;
    }
    listed.sort_unstable();
    if wanted.descending {
        listed.reverse();
    }
    let Page {
        rows,
        total,
        request,
    } = Page::of(listed, page);
    let ids: Vec<_> = rows.iter().filter_map(|row| row.1).collect();
    let found = repositories.events().find_many(&ids).await?.into_iter();
    let mut found: HashMap<_, _> = found.map(|one| (one.id, one)).collect();
    let rows = rows.into_iter().filter_map(|(_, id, slot)| match id {
        None => Some(Located {
            id,
            revision: series.revision,
            content: series.occurrence_at(slot)?,
        }),
        Some(id) => found.remove(&id).map(Located::from),
    });
    Ok(Page {
        rows: rows.collect(),
        total,
        request,
    })
}

/// A day, in seconds.
const DAY: i64 = 24 * 3600;

/// Adds the occurrences of an endless series that are not stored, up to the end of the window.
fn computed(
    event: &Stored<Event>,
    wanted: &OccurrenceQuery,
    known: &HashSet<Slot>,
    listed: &mut Vec<Row>,
) -> Result<(), AppError> {
    let window = &wanted.window;
    let series = event.series();
    let kept = series.and_then(|series| Some((series, series.kept_until?)));
    let (Some((series, kept_until)), Some(end)) = (kept, window.latest_start()) else {
        return Ok(());
    };
    // The clocks may jump between the start and the end of an occurrence.
    let longest = series.recurrence.start().length().saturating_add(2 * DAY);
    let ending = window.end_min.map(|end| end.saturating_add(-longest));
    let from = [window.start_min, ending]
        .into_iter()
        .flatten()
        .fold(kept_until, Timestamp::max);
    if from > end {
        return Ok(());
    }
    for (number, one) in series.recurrence.occurrences(from..=end).enumerate() {
        if listed.len().max(number) >= Recurrence::MAX_SLOTS {
            let fault = InvalidRecurrence::TooManySlots;
            return Err(AppError::invalid(wanted.upper_bound, fault.into()));
        }
        let (start, end) = (one.when.start().utc, one.when.end().utc);
        if !window.holds(start, end) || known.contains(&one.slot) {
            continue;
        }
        listed.push((start, None, one.slot));
    }
    Ok(())
}
