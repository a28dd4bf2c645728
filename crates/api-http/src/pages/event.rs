//! The page of an event.

use app::event::EventView;
use domain::{Event, Kind};
use serde_json::Value as Json;

use super::{
    Shown,
    content::{Content, Value},
    dates, kind,
    listing::{Narrowed, event_url, shown_time},
    place, term,
    visit::Visit,
    words::{Word, kinds},
};
use crate::{record::json_ld, urls::Site};

impl Shown for Event {
    fn url(view: &EventView, site: &Site) -> String {
        event_url(view, site)
    }

    fn json(view: &EventView, site: &Site) -> String {
        site.record(Kind::Event, view.event.id)
    }

    fn content(view: &EventView, visit: &Visit) -> Content {
        let event = &view.event;
        let language = visit.language();
        let when = shown_time(view);
        let mut content = Content {
            kind: kind(Kind::Event, visit),
            title: event.title.as_str().to_owned(),
            when: Some(dates::full(&when, language)),
            ..Content::default()
        };
        if when.end().utc < visit.state.calendar.now() {
            content.notes.push(visit.say(Word::Over));
        }
        let zone = when.zone().name();
        if !when.all_day() && zone != when.zone().abbreviation(when.start().utc) {
            content.zone = Some(zone.to_owned());
        }
        if view.open {
            add_content(&mut content, view, visit);
        } else {
            content.notes.push(visit.say(Word::Locked));
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

    fn structured(view: &EventView, site: &Site) -> Option<Json> {
        view.open.then(|| json_ld::event(view, site))
    }

    fn narrowed(_view: &EventView) -> Option<Narrowed> {
        None
    }
}

/// What a password would lock.
fn add_content(content: &mut Content, view: &EventView, visit: &Visit) {
    let EventView {
        event,
        categories,
        tags,
        venue,
        organizers,
        ..
    } = view;
    let details = &event.details;
    let (site, language) = (&visit.site, visit.language());
    if let Some(venue) = venue {
        let mut lines = vec![place::link(venue, site)];
        lines.extend(place::address(&venue.entry.details));
        let map = place::map(&venue.entry.details, visit).filter(|_| details.show_map_link);
        lines.extend(map);
        content.fact(visit.say(Word::Where), lines);
    }
    let organizers = organizers.iter().map(|one| place::link(one, site));
    content.fact(kinds(Kind::Organizer, language), organizers);
    let cost = details.cost.formatted(&site.currency_symbol);
    content.fact(visit.say(Word::Cost), Value::text(&cost));
    let website = details.website.as_ref().map(place::website);
    content.fact(visit.say(Word::Website), website);
    let categories = categories.iter().map(|one| term::link(one, site));
    content.terms(kinds(Kind::Category, language), categories);
    let tags = tags.iter().map(|one| term::link(one, site));
    content.terms(kinds(Kind::Tag, language), tags);
    event
        .description
        .as_str()
        .clone_into(&mut content.description);
}
