//! The page of an event.

mod preview;
mod related;
mod tickets;
mod unlock;

pub(crate) use preview::preview;
pub(crate) use unlock::unlock;

use app::{error::AppError, event::EventView, request::RecordKey, resource::Resource as _};
use axum::{
    extract::{Path, rejection::PathRejection},
    response::Response,
};
use domain::{Event, Kind, event::Series, slug::Slug, time::EventTime};
use http_service::{
    record::{event_url, json_ld},
    rule_words,
    site::Site,
};
use serde_json::Value as Json;

use super::{
    calendar_links::AddToCalendar,
    content::{
        Content, Picture, Unlock, Value,
        microformat::{self, FEED, Marked, Times},
    },
    dates,
    files::Files,
    listing::{moved_from, shown_time},
    place,
    record::{HasPage, moved, page_of_slug},
    request::{Outcome, PageRequest},
    term,
    words::{Word, kind, kinds, money, shortened},
};

/// The number of dates of a series that its page describes for search engines.
const MAX_DATES: usize = 10;

/// `GET` of the page of an event. With the parameter `eventDate`, a redirect to the page of a series'
/// occurrence of that day.
pub(crate) async fn event(
    mut request: PageRequest,
    path: Result<Path<String>, PathRejection>,
) -> Response {
    // No record has a slug that is not UTF-8 or cannot be normalized.
    let slug = path.ok().and_then(|Path(slug)| Slug::of_url(&slug));
    let outcome = match slug {
        Some(slug) => page_or_occurrence(&mut request, slug).await,
        None => Err(Event::not_found()),
    };
    request.response(outcome)
}

async fn page_or_occurrence(request: &mut PageRequest, slug: Slug) -> Result<Outcome, AppError> {
    if let Some(day) = request.query("eventDate").map(str::to_owned) {
        match page_of_day(request, slug.clone(), &day).await {
            Err(AppError::NotFound(_)) => {}
            outcome => return outcome,
        }
    }
    match page_of_slug::<Event>(request, slug.clone()).await {
        Err(not_found @ AppError::NotFound(_)) => {
            let calendar = &request.state.calendar;
            let is_withdrawn = calendar.is_withdrawn(RecordKey::Slug(slug)).await?;
            is_withdrawn.then_some(Outcome::Gone).ok_or(not_found)
        }
        outcome => outcome,
    }
}

/// `GET` of the path of a series and a day: a redirect to the page of the occurrence.
pub(crate) async fn event_of_day(
    request: PageRequest,
    path: Result<Path<(String, String)>, PathRejection>,
) -> Response {
    let named = path
        .ok()
        .and_then(|Path((slug, day))| Some((Slug::of_url(&slug)?, day)));
    let outcome = match named {
        Some((slug, day)) => page_of_day(&request, slug, &day).await,
        None => Err(Event::not_found()),
    };
    request.response(outcome)
}

/// A redirect to the page of a series' occurrence at a date, or of the first one of a day.
async fn page_of_day(request: &PageRequest, series: Slug, date: &str) -> Result<Outcome, AppError> {
    let slug = series.of_occurrence(date);
    let calendar = &request.state.calendar;
    let key = RecordKey::<Event>::Slug(slug.clone());
    match calendar.get_public(key, &request.options()).await {
        Ok(occurrence) => Ok(Outcome::Moved(Event::url(&occurrence, &request.site))),
        Err(AppError::NotFound(_)) => moved::<Event>(request, &slug).await,
        Err(error) => Err(error),
    }
}

impl HasPage for Event {
    fn content(view: &EventView, request: &PageRequest) -> Content {
        let event = &view.event;
        let language = request.language();
        let when = shown_time(view);
        let mut content = Content {
            kind: Some(request.word(kind(Kind::Event))),
            title: event.title.as_str().to_owned(),
            when: Some(dates::full(&when, language)),
            moved: moved_from(view, language),
            ..Content::default()
        };
        match event.series() {
            Some(_) => content.microformat = FEED,
            None => {
                content.event = Some(Marked {
                    url: Self::url(view, &request.site),
                    times: Times::of(&when),
                });
            }
        }
        content.cancelled = view.open && event.details.cancelled;
        if content.cancelled {
            content.notes.push(request.word(Word::CANCELLED));
        }
        let end = match event.series() {
            None => Some(when.end()),
            Some(series) => {
                add_dates(&mut content, series, request);
                let now = request.state.calendar.now();
                content.repeats = rule_words::rule(&series.recurrence, now, language);
                let last = series.recurrence.last();
                last.map(|last| last.when.end())
            }
        };
        let is_over = end.is_some_and(|end| end.utc < request.state.calendar.now());
        if is_over {
            content.notes.push(request.word(Word::OVER));
        } else if !content.cancelled {
            let file = Self::files(view, &request.site).map(|files| files.calendar);
            if view.open {
                content.tickets = tickets::button(&event.details, request);
            }
            content.add_to_calendar = Some(AddToCalendar::of(
                view,
                &when,
                file,
                (&request.site, language),
            ));
        }
        let zone = when.zone().name();
        if !when.all_day() && zone != when.zone().abbreviation(when.start().utc) {
            content.zone = Some(zone.to_owned());
        }
        if view.open {
            add_content(&mut content, view, request);
        } else {
            content.notes.push(request.word(Word::LOCKED));
            content.unlock = Some(Unlock::default());
        }
        content
    }

    /// The event as everybody sees it, or its content for a browser with a pass.
    async fn read_public(
        key: RecordKey<Self>,
        request: &PageRequest,
    ) -> Result<EventView, AppError> {
        let options = request.options_with_pass(&key).await?;
        request.state.calendar.get_public(key, &options).await
    }

    fn is_private(view: &EventView) -> bool {
        view.event.details.password.is_some()
    }

    /// The excerpt or the description; without them, the time and the place.
    fn summary(view: &EventView, request: &PageRequest) -> String {
        let event = &view.event;
        if view.open {
            let text = if event.excerpt.is_empty() {
                event.description.plain()
            } else {
                event.excerpt.plain()
            };
            if !text.is_empty() {
                return text;
            }
        }
        let when = &shown_time(view);
        let start = when.start();
        let time = if when.all_day() {
            dates::day(start.local.date(), true, request.language())
        } else {
            dates::moment(start.utc, when.zone(), request.language())
        };
        let place = request.place(view);
        [time, place].join(" · ").trim_end_matches(" · ").to_owned()
    }

    fn json_url(view: &EventView, site: &Site) -> String {
        event_url(view, site)
    }

    /// The file of the event. An occurrence that is not stored has none.
    fn files(view: &EventView, site: &Site) -> Option<Files> {
        view.event.id.map(|_| Files {
            calendar: format!("{}.ics", event_url(view, site)),
            feeds: None,
        })
    }

    fn structured_data(view: &EventView, site: &Site) -> Option<Json> {
        view.open.then(|| json_ld::event(view, site))
    }

    /// Adds the parent event, the series, the next dates and the sub-events.
    async fn load_related(
        view: &EventView,
        request: &PageRequest,
        content: &mut Content,
    ) -> Result<(), AppError> {
        if !view.open {
            return Ok(());
        }
        if let Some(parent) = view.parent {
            match request
                .state
                .calendar
                .get_public(RecordKey::<Self>::Id(parent), &request.options())
                .await
            {
                Ok(parent) => {
                    let link = Value::link(
                        Self::url(&parent, &request.site),
                        parent.event.title.as_str(),
                    );
                    content.fact(request.word(Word::PART_OF), [link]);
                }
                Err(AppError::NotFound(_)) => {}
                Err(error) => return Err(error),
            }
        }
        if let Some(series) = &view.series {
            let url = request
                .site
                .page(Kind::Event, series.id, series.slug.as_ref());
            let link = Value::link(url, series.title.as_str());
            content.fact(request.word(Word::SERIES), [link]);
        }
        let event = &view.event;
        // No event names an occurrence without ID as its parent.
        if let Some(id) = event.id {
            if event.series().is_some() {
                let url = Self::url(view, &request.site);
                if let Some((events, dates)) = request.next_dates(id, &url).await? {
                    content.structured_data = Some(data_of_dates(&dates, &request.site));
                    content.events.push(events);
                }
            }
            content.events.extend(request.parts(id, event).await?);
        }
        content
            .events
            .extend(related::related(view, request).await?);
        Ok(())
    }
}

/// The first of the shown dates of a series as events of their own: search engines show no event that lasts for the
/// whole series. Each has the beginning of its description, which may repeat in all of them.
fn data_of_dates(dates: &[EventView], site: &Site) -> Json {
    let data = dates.iter().filter(|view| view.open);
    let data = data.take(MAX_DATES).map(|view| {
        let mut data = json_ld::event(view, site);
        if let Some(Json::String(description)) = data.get_mut("description") {
            *description = shortened(description);
        }
        data
    });
    data.collect()
}

/// Shows the days of the first and the last occurrence of a series instead of a time.
fn add_dates(content: &mut Content, series: &Series, request: &PageRequest) {
    let recurrence = &series.recurrence;
    let first = recurrence.occurrences(..).next();
    let first = first.map_or_else(|| recurrence.first().clone(), |first| first.when);
    let last = recurrence.last().map(|last| last.when);
    let day = |when: &EventTime| when.start().local.date();
    let span = dates::span(day(&first), last.as_ref().map(day), request.language());
    content.when = Some(span);
}

/// Adds the content that a password locks.
fn add_content(content: &mut Content, view: &EventView, request: &PageRequest) {
    let event = &view.event;
    let details = &event.details;
    let site = &request.site;
    if let Some(venue) = &view.venue {
        let mut lines = vec![place::link(venue, site).marked(microformat::NAME)];
        lines.extend(place::address(&venue.entry.details));
        if details.show_map_link {
            lines.extend(place::maps(&venue.entry, request));
        }
        content.marked_fact(request.word(Word::WHERE), microformat::VENUE, lines);
    }
    let organizers = view.organizers.iter();
    let organizers = organizers.map(|one| place::link(one, site).marked(microformat::ORGANIZER));
    content.fact(request.word(kinds(Kind::Organizer)), organizers);
    content.fact(
        request.word(Word::TICKETS),
        tickets::lines(details, request),
    );
    let cost = money::cost(details, request.site.currency, request.language());
    content.fact(request.word(Word::COST), Value::text(&cost));
    let website = details.website.as_ref().map(place::website);
    content.fact(request.word(Word::WEBSITE), website);
    let categories = view.categories.iter().map(|one| term::link(one, site));
    content.terms(request.word(kinds(Kind::Category)), categories);
    let tags = view.tags.iter().map(|one| term::link(one, site));
    content.terms(request.word(kinds(Kind::Tag)), tags);
    content.picture = view
        .image
        .as_ref()
        .map(|image| Picture::large(image, view.language, site));
    event
        .description
        .as_str()
        .clone_into(&mut content.description);
}
