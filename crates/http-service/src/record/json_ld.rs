//! Records as JSON-LD of schema.org, with plain texts and without empty members.

use app::event::EventView;
use domain::{
    Kind, Organizer, Stored, Venue,
    cost::Currency,
    recurrence::Recurrence,
    ticket::Ticket,
    time::{Moment, Timestamp, Zone, format_civil},
    web_url::WebUrl,
};
use serde_json::{Value, json};

use super::{schedule::schedule, shown_id};
use crate::site::Site;

/// Removes the empty members of an object.
fn without_empty(mut object: Value) -> Value {
    let is_empty = |value: &Value| value.is_null() || value == "" || value == &json!([]);
    if let Some(members) = object.as_object_mut() {
        members.retain(|_, value| !is_empty(value));
    }
    object
}

/// A venue as a `Place`.
pub fn venue(venue: &Stored<Venue>, site: &Site) -> Value {
    let details = &venue.details;
    let address = without_empty(json!({
        "@type": "PostalAddress",
        "streetAddress": details.address,
        "addressLocality": details.city,
        "addressRegion": details.stateprovince,
        "postalCode": details.zip,
        "addressCountry": details.country,
    }));
    let has_address = address.as_object().is_some_and(|parts| parts.len() > 1);
    let geo = details.position.map(|position| {
        json!({
            "@type": "GeoCoordinates",
            "latitude": position.latitude(),
            "longitude": position.longitude(),
        })
    });
    without_empty(json!({
        "@type": "Place",
        "name": venue.title.as_str(),
        "description": venue.description.plain(),
        "url": site.page(Kind::Venue, venue.id, venue.slug.as_ref()),
        "address": has_address.then_some(address),
        "geo": geo,
        "telephone": details.phone,
        "sameAs": details.website.as_ref().map(WebUrl::as_str),
    }))
}

/// An organizer as a `Person`.
pub fn organizer(organizer: &Stored<Organizer>) -> Value {
    let details = &organizer.details;
    let website = details.website.as_ref().map(WebUrl::as_str);
    without_empty(json!({
        "@type": "Person",
        "name": organizer.title.as_str(),
        "description": organizer.description.plain(),
        "url": website,
        "telephone": details.phone,
        "email": details.email,
        "sameAs": website,
    }))
}

/// An event as an `Event`, a series as an `EventSeries`.
pub fn event(view: &EventView, site: &Site) -> Value {
    let event = &view.event;
    let details = &event.details;
    let url = site.page(Kind::Event, shown_id(event.id), event.slug.as_ref());
    let previous_start = view.previous_start.filter(|_| !details.cancelled);
    let recurrence = event.series().map(|series| &series.recurrence);
    let last = recurrence.and_then(Recurrence::last).map(|last| last.when);
    let end = match recurrence {
        None => Some(&details.when),
        // An endless series has no end.
        Some(_) => last.as_ref(),
    };
    without_empty(json!({
        "@context": "http://schema.org",
        "@type": if recurrence.is_some() { "EventSeries" } else { "Event" },
        "name": event.title.as_str(),
        "description": event.description.plain(),
        "image": view.image.as_ref().map(|image| site.file(&image.path())),
        "url": url,
        "eventAttendanceMode": "https://schema.org/OfflineEventAttendanceMode",
        "eventStatus": if details.cancelled {
            "https://schema.org/EventCancelled"
        } else if previous_start.is_some() {
            "https://schema.org/EventRescheduled"
        } else {
            "https://schema.org/EventScheduled"
        },
        "startDate": iso8601(details.when.start()),
        "previousStartDate": previous_start.map(iso8601),
        "endDate": end.map(|when| iso8601(when.end())),
        "eventSchedule": recurrence.map(|one| without_empty(schedule(one, last.as_ref()))),
        "superEvent": view.series.as_ref().map(|series| json!({
            "@type": "EventSeries",
            "name": series.title.as_str(),
            "url": site.page(Kind::Event, series.id, series.slug.as_ref()),
        })),
        "location": view.venue.as_ref().map(|place| venue(&place.entry, site)),
        "organizer": view.organizers.first().map(|first| organizer(&first.entry)),
        "offers": offers(view, &url, site),
    }))
}

/// The tickets of an event as offers; without tickets, its cost as one offer.
fn offers(view: &EventView, url: &str, site: &Site) -> Value {
    let details = &view.event.details;
    let zone = details.when.zone();
    if !details.tickets.is_empty() {
        let offer = |one| ticket(one, url, zone);
        return details.tickets.iter().map(offer).collect();
    }
    if details.cost.is_none() {
        return Value::Null;
    }
    let currency = details
        .currency
        .or_else(|| details.cost.currency(site.currency));
    without_empty(json!({
        "@type": "Offer",
        "price": details.cost.least(),
        "priceCurrency": currency.map(Currency::code),
        "url": url,
        "category": "primary",
        "availability": "inStock",
        "validFrom": view.event.date.to_string().replacen(' ', "T", 1) + "Z",
    }))
}

/// A ticket as an `Offer`.
fn ticket(ticket: &Ticket, event_url: &str, zone: &Zone) -> Value {
    let time = |moment: Timestamp| iso8601(zone.at(moment));
    without_empty(json!({
        "@type": "Offer",
        "name": ticket.name.as_str(),
        "price": ticket.price.to_string(),
        "priceCurrency": ticket.currency.code(),
        "url": ticket.url.as_ref().map_or(event_url, WebUrl::as_str),
        "category": "primary",
        "availability": "https://schema.org/InStock",
        "validFrom": ticket.on_sale.from().map(time),
        "validThrough": ticket.on_sale.until().map(time),
    }))
}

/// The moment in ISO 8601: `2027-04-17T09:00:00+02:00`.
pub fn iso8601(moment: Moment) -> String {
    let offset = (moment.local - moment.utc.civil()).num_minutes();
    let sign = if offset < 0 { '-' } else { '+' };
    let (hours, minutes) = (offset.abs() / 60, offset.abs() % 60);
    format!(
        "{}{sign}{hours:02}:{minutes:02}",
        format_civil(moment.local).replacen(' ', "T", 1)
    )
}
