//! Lists of events, by day.

use std::{borrow::Cow, collections::BTreeMap};

use app::calendar::OccurrenceQuery;
use app::{error::AppError, event::EventView, request::RecordKey};
use domain::{
    Event, EventId, Language,
    event::{EventFilter, SeriesListing, Window},
    index::not_over,
    page::{self as list, Page},
    policy::Caller,
    time::{EventTime, NaiveDate},
};
use http_service::site::ListUrls;

use super::{
    content::{Day, Events, Item, Link, Pager, Picture, microformat::Times},
    dates,
    files::ListFilter,
    record::HasPage,
    request::PageRequest,
    term,
    words::{Word, list as list_of, money, page_of},
};

/// The number of events on a page.
pub(super) const PER_PAGE: u64 = 25;

/// The maximum number of sub-events on the page of an event.
const MAX_PARTS: u64 = 100;

/// The number of dates on the page of a series.
const NEXT_DATES: u32 = 10;

/// The number of dates on a page of all dates.
const DATES_PER_PAGE: u32 = 50;

/// The parameter for a page of the past events of a record.
const PAST: &str = "past";

/// The parameter for a page of all dates of a series.
const DATES: &str = "dates";

impl PageRequest {
    /// The requested page of the events of a filter that are not over, and their number on all pages.
    pub(super) async fn upcoming(
        &self,
        filter: EventFilter,
        heading: Option<&'static str>,
        urls: &ListUrls,
    ) -> Result<(Events, u64), AppError> {
        let filter = EventFilter {
            window: filter.window.and(&self.not_over()),
            ..filter
        };
        let page = list::PageRequest::new(self.page_number()?, PER_PAGE, u32::MAX);
        let page = self.list::<Event>(filter, page).await?;
        let events = Events {
            heading,
            days: self.days(&page.rows),
            all: None,
            pager: self.pager(&page, urls),
        };
        Ok((events, page.total))
    }

    /// The requested page of the events of a record that are over, the last one first; none if it has none. `url`
    /// is the URL of the record.
    pub(super) async fn past_of(
        &self,
        list_filter: ListFilter,
        url: &str,
    ) -> Result<Option<Events>, AppError> {
        let number = self.number_of_page(PAST)?;
        let page = self.past(list_filter.filter(), number).await?;
        let pager = self.pager_at(&page, |number| match number {
            1 => url.to_owned(),
            number => format!("{url}?{PAST}={number}"),
        });
        Ok((!page.rows.is_empty()).then(|| Events {
            heading: Some(self.word(Word::PAST_EVENTS)),
            days: self.days_backwards(&page.rows),
            all: None,
            pager,
        }))
    }

    /// A page of the events of a filter that are over, the last one first.
    pub(super) async fn past(
        &self,
        filter: EventFilter,
        number: u64,
    ) -> Result<Page<EventView>, AppError> {
        let filter = EventFilter {
            window: filter.window.and(&self.over()),
            descending: true,
            ..filter
        };
        let page = list::PageRequest::new(number, PER_PAGE, u32::MAX);
        self.list::<Event>(filter, page).await
    }

    /// The groups of [`days`](Self::days), the last day first.
    pub(super) fn days_backwards(&self, events: &[EventView]) -> Vec<Day> {
        let mut days = self.days(events);
        days.reverse();
        days
    }

    /// The sub-events of an event at any time; none if it has none. The sub-events of a series are not
    /// its occurrences.
    pub(super) async fn parts(
        &self,
        id: EventId,
        whole: &Event,
    ) -> Result<Option<Events>, AppError> {
        let filter = EventFilter {
            parent: Some(id),
            // One of the occurrences of the series itself is left out below.
            series: match whole.series() {
                Some(_) => SeriesListing::First,
                None => SeriesListing::Occurrences,
            },
            ..EventFilter::default()
        };
        let page = list::PageRequest::new(1, MAX_PARTS, u32::MAX);
        let mut parts = self.list::<Event>(filter, page).await?.rows;
        let is_of_whole =
            |one: &EventView| one.event.occurrence().is_some_and(|of| of.series == id);
        parts.retain(|one| !is_of_whole(one));
        let days = self.days(&parts);
        Ok((!days.is_empty()).then(|| Events {
            heading: Some(self.word(Word::PROGRAMME)),
            days,
            all: None,
            pager: None,
        }))
    }

    /// The next occurrences of a series, or the requested page of them, with their records; none if all are
    /// over. `url` is the URL of the series.
    pub(super) async fn next_dates(
        &self,
        series: EventId,
        url: &str,
    ) -> Result<Option<(Events, Vec<EventView>)>, AppError> {
        let at = |number| format!("{url}?{DATES}={number}");
        let (number, per_page) = match self.query(DATES) {
            Some(_) => (self.number_of_page(DATES)?, DATES_PER_PAGE),
            None => (1, NEXT_DATES),
        };
        let query = OccurrenceQuery {
            window: self.not_over(),
            ..OccurrenceQuery::default()
        };
        let page = list::PageRequest::new(number, per_page.into(), u32::MAX);
        let key = RecordKey::Id(series);
        let (calendar, options) = (&self.state.calendar, self.options_with_pass(&key).await?);
        let page = calendar.occurrences(Caller::Anonymous, key, query, page, &options);
        let page = page.await?;
        let days = self.days(&page.rows);
        let is_excerpt = self.query(DATES).is_none();
        let events = Events {
            heading: Some(self.word(Word::NEXT_DATES)),
            days,
            all: (is_excerpt && page.has_next()).then(|| Link {
                url: at(1),
                text: self.word(Word::ALL_DATES).to_owned(),
            }),
            pager: self.pager_at(&page, at).filter(|_| !is_excerpt),
        };
        Ok((!page.rows.is_empty()).then_some((events, page.rows)))
    }

    /// The first of the events of a filter that are not over.
    pub(super) async fn upcoming_of(
        &self,
        filter: EventFilter,
        limit: u64,
    ) -> Result<Vec<EventView>, AppError> {
        let filter = EventFilter {
            window: self.not_over(),
            ..filter
        };
        let page = list::PageRequest::new(1, limit, u32::MAX);
        Ok(self.list::<Event>(filter, page).await?.rows)
    }

    /// The window of the events that are over.
    pub(super) fn over(&self) -> Window {
        Window {
            end_max: Some(self.state.calendar.now()),
            ..Window::default()
        }
    }

    /// The window of the events that are not over.
    pub(super) fn not_over(&self) -> Window {
        not_over(self.state.calendar.now())
    }

    /// Groups events by the local date of their start, after the ongoing events. In each group, sticky
    /// events come first.
    pub(super) fn days(&self, events: &[EventView]) -> Vec<Day> {
        let now = self.state.calendar.now();
        let mut ongoing = Vec::new();
        let mut days: BTreeMap<NaiveDate, Vec<Item>> = BTreeMap::new();
        let is_sticky = |view: &&EventView| view.open && view.event.details.sticky;
        let (sticky, others): (Vec<_>, Vec<_>) = events.iter().partition(is_sticky);
        for view in sticky.into_iter().chain(others) {
            let when = &shown_time(view);
            if when.start().utc <= now && now <= when.end().utc {
                ongoing.push(self.item(view, dates::full(when, self.language())));
            } else {
                let item = self.item(view, dates::short(when, self.language()));
                days.entry(when.start().local.date())
                    .or_default()
                    .push(item);
            }
        }
        let ongoing = (!ongoing.is_empty()).then(|| Day {
            heading: self.word(Word::UNDER_WAY).to_owned(),
            items: ongoing,
        });
        let days = days.into_iter().map(|(date, items)| Day {
            heading: dates::day_element(date, self.language()),
            items,
        });
        ongoing.into_iter().chain(days).collect()
    }

    /// An event in a list. `when` is HTML.
    pub(super) fn item(&self, view: &EventView, when: String) -> Item {
        let details = &view.event.details;
        let image = view.image.as_ref().filter(|_| view.open);
        let categories = view.categories.iter().filter(|_| view.open);
        Item {
            title: Link {
                url: Event::url(view, &self.site),
                text: view.event.title.as_str().to_owned(),
            },
            when,
            times: Times::of(&shown_time(view)),
            moved: moved_from(view, self.language()),
            cancelled: view.open && details.cancelled,
            featured: view.open && details.featured,
            picture: image.map(|image| Picture::medium(image, view.language, &self.site)),
            place: self.place(view),
            price: if view.open {
                money::short(details, self.site.currency, self.language())
            } else {
                String::new()
            },
            categories: categories
                .map(|view| term::link(view, &self.site))
                .collect(),
        }
    }

    /// The name of the venue, and its city.
    pub(super) fn place(&self, view: &EventView) -> String {
        let venue = view.venue.as_ref().filter(|_| view.open);
        let parts = venue.map(|venue| [venue.entry.title.as_str(), &venue.entry.details.city]);
        let parts = parts.into_iter().flatten().filter(|part| !part.is_empty());
        list_of(parts, self.language())
    }

    /// Links between the pages of a list with these URLs. None if there is one page.
    pub(super) fn pager<T>(&self, page: &Page<T>, urls: &ListUrls) -> Option<Pager> {
        self.pager_at(page, |number| urls.page(number))
    }

    /// Links between the pages of a list, of which `at` returns the URLs.
    fn pager_at<T>(&self, page: &Page<T>, at: impl Fn(u64) -> String) -> Option<Pager> {
        let (number, total) = (page.request.number(), page.total_pages());
        (total > 1).then(|| Pager {
            previous: (number > 1).then(|| at(number - 1)),
            next: page.has_next().then(|| at(number + 1)),
            position: page_of(number, total, self.language()),
        })
    }
}

/// The start from which an event was moved, in words. It does not matter for a cancelled event.
pub(super) fn moved_from(view: &EventView, language: Language) -> Option<String> {
    let details = &view.event.details;
    let previous = view.previous_start.filter(|_| !details.cancelled)?;
    Some(dates::moved(previous, &details.when, language))
}

/// The public time of an event. The flag `all_day` of a locked event is not public.
pub(super) fn shown_time(view: &EventView) -> Cow<'_, EventTime> {
    let when = &view.event.details.when;
    if view.open || !when.all_day() {
        return Cow::Borrowed(when);
    }
    let plain = EventTime::between(when.zone().clone(), when.start(), when.end(), false);
    plain.map_or(Cow::Borrowed(when), Cow::Owned)
}
