//! Records as every adapter shows them: their identity, their URLs, and JSON-LD.

pub mod json_ld;
mod schedule;

use app::{
    event::EventView,
    feed::FeedUrls,
    resource::Resource,
    term::{TermKind, TermView},
};
use domain::{
    Event, EventId, Id, Image, Kind, Language, Organizer, Stored, Term, Venue, term::Taxonomy,
};

use crate::site::Site;

/// A record as answers show it.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a, R> {
    /// The ID, as [`shown_id`].
    pub id: i64,
    /// The number of the last change.
    pub revision: i64,
    /// The language of the texts.
    pub language: Language,
    /// The record itself.
    pub content: &'a R,
}

impl<'a, R> Shown<'a, R> {
    fn new(stored: &'a Stored<R>, language: Language) -> Self {
        Self {
            id: stored.id.get(),
            revision: stored.revision,
            language,
            content: &stored.content,
        }
    }
}

/// A kind of record whose views show one record each.
pub trait ShownRecord: Resource {
    /// The record of a view.
    fn shown(view: &Self::View) -> Shown<'_, Self>;
}

impl ShownRecord for Event {
    fn shown(view: &EventView) -> Shown<'_, Self> {
        Shown {
            id: shown_id(view.event.id),
            revision: view.event.revision,
            language: view.language,
            content: &view.event,
        }
    }
}

impl ShownRecord for Venue {
    fn shown(view: &Self::View) -> Shown<'_, Self> {
        Shown::new(&view.entry, view.language)
    }
}

impl ShownRecord for Organizer {
    fn shown(view: &Self::View) -> Shown<'_, Self> {
        Shown::new(&view.entry, view.language)
    }
}

impl<X: TermKind> ShownRecord for Term<X> {
    fn shown(view: &TermView<X>) -> Shown<'_, Self> {
        Shown::new(&view.term, view.language)
    }
}

/// The ID that answers show: 0 for an occurrence without one.
pub fn shown_id(id: Option<EventId>) -> i64 {
    id.map_or(0, Id::get)
}

/// The URL of an event in the interface. An occurrence beyond the horizon has no ID.
pub fn event_url(view: &EventView, site: &Site) -> String {
    let event = &view.event;
    let series = view.series.as_ref().filter(|_| event.id.is_none());
    let by_slot = series.and_then(|series| {
        let (of, one) = (series.series()?, event.occurrence()?);
        let name = of.recurrence.recurrence_id(one.slot).to_string();
        Some(site.occurrence(series.id, &name))
    });
    by_slot.unwrap_or_else(|| site.record(Kind::Event, shown_id(event.id)))
}

/// The URL of the page of a term.
pub fn term_page<X: Taxonomy>(view: &TermView<X>, site: &Site) -> String {
    let term = &view.term;
    match X::KIND {
        Kind::Category => site.category_page(view.ancestors.iter().chain([&term.slug])),
        kind => site.page(kind, term.id, Some(&term.slug)),
    }
}

impl FeedUrls for Site {
    fn page(&self, event: &Event, id: Option<EventId>) -> String {
        Site::page(self, Kind::Event, shown_id(id), event.slug.as_ref())
    }

    fn image(&self, image: &Image) -> String {
        self.file(&image.path())
    }
}
