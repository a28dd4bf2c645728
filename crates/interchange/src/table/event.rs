//! The table of events.

use std::sync::Arc;

use app::{
    event::EventView,
    term::{TermKind, TermView},
};
use domain::{
    cost::{Currency, Position},
    time::NaiveDateTime,
    web_url::WebUrl,
};

use super::{
    Column,
    cell::{flag, listed},
};

/// The columns of events.
///
/// ```
/// use events_calendar_interchange::table::{EVENT_COLUMNS, VENUE_COLUMNS};
///
/// assert_eq!(EVENT_COLUMNS[2].label, "Event Name");
/// assert_eq!(VENUE_COLUMNS[1].label, "Venue Name");
/// ```
pub const EVENT_COLUMNS: &[Column<EventView>] = &[
    Column::new("Event ID", "id", |view, _| {
        view.event.id.map_or_else(String::new, |id| id.to_string())
    }),
    Column::new("Event UID", "uid", |view, _| view.uid().into_owned()),
    Column::new("Event Name", "title", |view, _| {
        view.event.title.as_str().to_owned()
    }),
    Column::new("Event Description", "description", |view, _| {
        if_open(view, || view.event.description.as_str().to_owned())
    }),
    Column::new("Event Excerpt", "excerpt", |view, _| {
        if_open(view, || view.event.excerpt.as_str().to_owned())
    }),
    Column::new("Event Start Date", "start_date", |view, _| {
        date(start(view))
    }),
    Column::new("Event Start Time", "start_time", |view, _| {
        time(start(view))
    }),
    Column::new("Event End Date", "end_date", |view, _| date(end(view))),
    Column::new("Event End Time", "end_time", |view, _| time(end(view))),
    Column::new("Event Time Zone", "timezone", |view, _| {
        view.event.details.when.zone().name().to_owned()
    }),
    Column::new("All Day Event", "all_day", |view, _| {
        if_open(view, || flag(view.event.details.when.all_day()))
    }),
    Column::new(
        "Hide Event From Event Listings",
        "hide_from_listings",
        |view, _| if_open(view, || flag(view.event.details.hide_from_listings)),
    ),
    Column::new("Event Sticky in Month View", "sticky", |view, _| {
        if_open(view, || flag(view.event.details.sticky))
    }),
    Column::new("Feature Event", "featured", |view, _| {
        if_open(view, || flag(view.event.details.featured))
    }),
    Column::new("Event Venue Name", "venue", |view, _| {
        let venue = view.venue.as_ref();
        if_open(view, || {
            venue.map_or_else(String::new, |one| one.entry.title.as_str().to_owned())
        })
    }),
    Column::new(
        "Event Organizer Name(s) or ID(s)",
        "organizer",
        |view, _| {
            let named = view.organizers.iter().map(|one| {
                let name = one.entry.title.as_str().to_owned();
                (name, Some(one.entry.id.to_string()))
            });
            if_open(view, || listed(named))
        },
    ),
    Column::new("Event Show Map Link", "show_map_link", |view, _| {
        if_open(view, || flag(view.event.details.show_map_link))
    }),
    Column::new("Event Show Map", "show_map", |view, _| {
        if_open(view, || flag(view.event.details.show_map))
    }),
    // Without the symbol of the site, which an import would take for the own one of the event.
    Column::new("Event Cost", "cost", |view, _| {
        if_open(view, || view.event.details.cost.lines())
    }),
    Column::new("Event ISO Currency Code", "currency_code", |view, _| {
        if_open(view, || {
            view.event
                .details
                .currency
                .map_or("", Currency::code)
                .to_owned()
        })
    }),
    Column::new("Event Currency Symbol", "currency_symbol", |view, _| {
        if_open(view, || view.event.details.cost.symbol().to_owned())
    }),
    Column::new("Event Currency Position", "currency_position", |view, _| {
        let position = match view.event.details.cost.position() {
            Some(Position::Prefix) => "prefix",
            Some(Position::Postfix) => "suffix",
            None => "",
        };
        if_open(view, || position.to_owned())
    }),
    Column::new("Event Category", "categories", |view, _| {
        if_open(view, || listed(view.categories.iter().map(term)))
    }),
    Column::new("Event Tags", "tags", |view, _| {
        if_open(view, || listed(view.tags.iter().map(term)))
    }),
    Column::new("Event Website", "website", |view, _| {
        let website = view.event.details.website.as_ref();
        if_open(view, || website.map_or("", WebUrl::as_str).to_owned())
    }),
    Column::new("Event Featured Image", "image", |view, urls| {
        let image = view.image.as_deref();
        if_open(view, || {
            image.map_or_else(String::new, |image| urls.image(image))
        })
    }),
    Column::new("Event Status", "status", |view, _| view.status.to_string()),
    Column::new("Event URL", "url", |view, urls| {
        urls.page(&view.event, view.event.id)
    }),
];

/// A text of the part of an event that a password locks.
fn if_open(view: &EventView, text: impl FnOnce() -> String) -> String {
    if view.open { text() } else { String::new() }
}

fn start(view: &EventView) -> NaiveDateTime {
    view.event.details.when.start().local
}

fn end(view: &EventView) -> NaiveDateTime {
    view.event.details.when.end().local
}

fn date(moment: NaiveDateTime) -> String {
    moment.format("%Y-%m-%d").to_string()
}

fn time(moment: NaiveDateTime) -> String {
    moment.format("%H:%M:%S").to_string()
}

/// The name of a term, and its slug.
fn term<X: TermKind>(view: &Arc<TermView<X>>) -> (String, Option<String>) {
    let term = &view.term;
    (
        term.name.as_str().to_owned(),
        Some(term.slug.as_str().to_owned()),
    )
}
