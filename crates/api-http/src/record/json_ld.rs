//! Records as JSON-LD of schema.org, with plain texts and without empty members.

use app::event::EventView;
use domain::{
    Kind, Organizer, Stored, Venue,
    cost::Currency,
    ticket::Ticket,
    time::{Moment, Timestamp, Zone, format_civil},
    web_url::WebUrl,
};
use serde_json::{Map, Value, json};

use crate::site::Site;

/// An object without its empty members.
fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    let is_empty = |value: &Value| value.is_null() || value == "" || value == &json!([]);
    let members = members.into_iter().filter(|(_, value)| !is_empty(value));
    Value::Object(
        members
            .map(|(name, value)| (name.to_owned(), value))
            .collect::<Map<_, _>>(),
    )
}

/// A venue as a `Place`.
pub(crate) fn venue(venue: &Stored<Venue>, site: &Site) -> Value {
    let details = &venue.details;
    let address = object([
        ("streetAddress", json!(details.address)),
        ("addressLocality", json!(details.city)),
        ("addressRegion", json!(details.stateprovince)),
        ("postalCode", json!(details.zip)),
        ("addressCountry", json!(details.country)),
    ]);
    let address = match address {
        Value::Object(parts) if !parts.is_empty() => {
            let mut typed = Map::from_iter([("@type".to_owned(), json!("PostalAddress"))]);
            typed.extend(parts);
            Value::Object(typed)
        }
        _ => Value::Null,
    };
    let geo = details.position.map(|position| {
        json!({
            "@type": "GeoCoordinates",
            "latitude": position.latitude(),
            "longitude": position.longitude(),
        })
    });
    object([
        ("@type", json!("Place")),
        ("name", json!(venue.title.as_str())),
        ("description", json!(venue.description.plain())),
        (
            "url",
            json!(site.page(Kind::Venue, venue.id, venue.slug.as_ref())),
        ),
        ("address", address),
        ("geo", json!(geo)),
        ("telephone", json!(details.phone)),
        (
            "sameAs",
            json!(details.website.as_ref().map_or("", WebUrl::as_str)),
        ),
    ])
}

/// An organizer as a `Person`.
pub(crate) fn organizer(organizer: &Stored<Organizer>) -> Value {
    let details = &organizer.details;
    let website = details.website.as_ref().map_or("", WebUrl::as_str);
    object([
        ("@type", json!("Person")),
        ("name", json!(organizer.title.as_str())),
        ("description", json!(organizer.description.plain())),
        ("url", json!(website)),
        ("telephone", json!(details.phone)),
        ("email", json!(details.email)),
        ("sameAs", json!(website)),
    ])
}

/// An event as an `Event`.
pub(crate) fn event(view: &EventView, site: &Site) -> Value {
    let event = &view.event;
    let details = &event.details;
    let url = site.page(Kind::Event, event.id, event.slug.as_ref());
    object([
        ("@context", json!("http://schema.org")),
        ("@type", json!("Event")),
        ("name", json!(event.title.as_str())),
        ("description", json!(event.description.plain())),
        (
            "image",
            json!(view.image.as_ref().map(|image| site.file(&image.path()))),
        ),
        ("url", json!(url)),
        (
            "eventAttendanceMode",
            json!("https://schema.org/OfflineEventAttendanceMode"),
        ),
        ("eventStatus", json!("https://schema.org/EventScheduled")),
        ("startDate", json!(iso8601(details.when.start()))),
        ("endDate", json!(iso8601(details.when.end()))),
        (
            "location",
            json!(view.venue.as_ref().map(|place| venue(&place.entry, site))),
        ),
        (
            "organizer",
            json!(view.organizers.first().map(|first| organizer(&first.entry))),
        ),
        ("offers", offers(view, &url, site)),
    ])
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
    object([
        ("@type", json!("Offer")),
        ("price", json!(details.cost.least())),
        ("priceCurrency", json!(currency.map(Currency::code))),
        ("url", json!(url)),
        ("category", json!("primary")),
        ("availability", json!("inStock")),
        (
            "validFrom",
            json!(view.event.date.to_string().replacen(' ', "T", 1) + "Z"),
        ),
    ])
}

/// A ticket as an `Offer`.
fn ticket(ticket: &Ticket, event_url: &str, zone: &Zone) -> Value {
    let Ticket {
        name,
        price,
        currency,
        url,
        on_sale,
    } = ticket;
    let time = |moment: Timestamp| iso8601(zone.at(moment));
    object([
        ("@type", json!("Offer")),
        ("name", json!(name.as_str())),
        ("price", json!(price.to_string())),
        ("priceCurrency", json!(currency.code())),
        ("url", json!(url.as_ref().map_or(event_url, WebUrl::as_str))),
        ("category", json!("primary")),
        ("availability", json!("https://schema.org/InStock")),
        ("validFrom", json!(on_sale.from().map(time))),
        ("validThrough", json!(on_sale.until().map(time))),
    ])
}

/// The moment in ISO 8601: `2027-04-17T09:00:00+02:00`.
pub(crate) fn iso8601(moment: Moment) -> String {
    let offset = (moment.local - moment.utc.civil()).num_minutes();
    let sign = if offset < 0 { '-' } else { '+' };
    let (hours, minutes) = (offset.abs() / 60, offset.abs() % 60);
    format!(
        "{}{sign}{hours:02}:{minutes:02}",
        format_civil(moment.local).replacen(' ', "T", 1)
    )
}
