//! The page of an event.

use app::{error::AppError, event::EventView, request::RecordKey};
use domain::{Event, Kind, ticket::Ticket};
use serde_json::Value as Json;

use super::{
    HasPage,
    content::{Content, Picture, Value},
    dates,
    listing::shown_time,
    place,
    request::PageRequest,
    term,
    words::{Word, kind, kinds},
};
use crate::{record::json_ld, site::Site};

impl HasPage for Event {
    fn content(view: &EventView, request: &PageRequest) -> Content {
        let event = &view.event;
        let language = request.language();
        let when = shown_time(view);
        let mut content = Content {
            kind: Some(request.word(kind(Kind::Event))),
            title: event.title.as_str().to_owned(),
            when: Some(dates::full(&when, language)),
            ..Content::default()
        };
        content.cancelled = view.open && event.details.cancelled;
        if content.cancelled {
            content.notes.push(request.word(Word::CANCELLED));
        }
        if when.end().utc < request.state.calendar.now() {
            content.notes.push(request.word(Word::OVER));
        }
        let zone = when.zone().name();
        if !when.all_day() && zone != when.zone().abbreviation(when.start().utc) {
            content.zone = Some(zone.to_owned());
        }
        if view.open {
            add_content(&mut content, view, request);
        } else {
            content.notes.push(request.word(Word::LOCKED));
        }
        content
    }

    fn summary(view: &EventView) -> String {
        let event = &view.event;
        match (view.open, event.excerpt.is_empty()) {
            (false, _) => String::new(),
            (true, true) => event.description.plain(),
            (true, false) => event.excerpt.plain(),
        }
    }

    fn structured_data(view: &EventView, site: &Site) -> Option<Json> {
        view.open.then(|| json_ld::event(view, site))
    }

    /// Adds the parent event and the sub-events.
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
                .get_public(RecordKey::<Self>::Id(parent), &request.fields([]))
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
        content.events = request.parts(view.event.id).await?;
        Ok(())
    }
}

/// Adds the content that a password locks.
fn add_content(content: &mut Content, view: &EventView, request: &PageRequest) {
    let event = &view.event;
    let details = &event.details;
    let site = &request.site;
    if let Some(venue) = &view.venue {
        let mut lines = vec![place::link(venue, site)];
        lines.extend(place::address(&venue.entry.details));
        let map = place::map(&venue.entry.details, request).filter(|_| details.show_map_link);
        lines.extend(map);
        content.fact(request.word(Word::WHERE), lines);
    }
    let organizers = view.organizers.iter().map(|one| place::link(one, site));
    content.fact(request.word(kinds(Kind::Organizer)), organizers);
    content.fact(
        request.word(Word::TICKETS),
        details.tickets.iter().map(ticket),
    );
    let cost = details.cost.shown(details.currency, site.currency);
    content.fact(request.word(Word::COST), Value::text(&cost));
    let website = details.website.as_ref().map(place::website);
    content.fact(request.word(Word::WEBSITE), website);
    let categories = view.categories.iter().map(|one| term::link(one, site));
    content.terms(request.word(kinds(Kind::Category)), categories);
    let tags = view.tags.iter().map(|one| term::link(one, site));
    content.terms(request.word(kinds(Kind::Tag)), tags);
    content.picture = view.image.as_ref().map(|image| Picture::of(image, site));
    event
        .description
        .as_str()
        .clone_into(&mut content.description);
}

/// A ticket with its price, linked to its shop.
fn ticket(ticket: &Ticket) -> Value {
    let text = format!(
        "{} · {} {}",
        ticket.name.as_str(),
        ticket.price,
        ticket.currency.code()
    );
    match &ticket.url {
        Some(url) => Value::link(url.as_str(), text),
        None => Value::Text(text),
    }
}
