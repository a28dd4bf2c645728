//! The events that were published last, as an Atom feed (RFC 4287).

use app::{event::EventView, feed::FeedUrls};
use atom_syndication::{
    Category, Content, Entry, Feed, FixedDateTime, Generator, Link, Person, Text, WriteConfig,
};
use axum::{
    http::header,
    response::{IntoResponse, Response},
};
use chrono::DateTime;
use domain::time::{EventTime, Timestamp};
use forms::WholeForm;
use http_service::{error::ApiError, extract::Format, limits::network, site::Site};

use super::streamed::{failed, poll};
use crate::{
    extract::{Negotiation, RequestContext},
    resources::records::{ListedPage, load_page},
};

const MEDIA_TYPE: &str = "application/atom+xml; charset=utf-8";

/// The feed.
pub(crate) async fn list(context: &RequestContext<Negotiation>) -> Result<Response, ApiError> {
    context.admit_password(None).await?;
    let tag = match poll(context, Format::Atom).await? {
        Ok(tag) => tag,
        Err(unchanged) => return Ok(unchanged),
    };
    let calendar = &context.state.calendar;
    let client = context.client.map(network);
    let (WholeForm { query, options }, per_page) =
        forms::newest(&context.fields, context.reading())?;
    let found = calendar.find_newest(context.caller, client, query, per_page, &options);
    let ListedPage { page, permit, .. } = load_page(found.await?, context).await?;
    let site = &context.site;
    let author = context.state.feed_name.as_deref().unwrap_or(&site.host);
    let entries: Vec<_> = page
        .rows
        .iter()
        .map(|view| entry(view, author, site))
        .collect();
    let updated = entries.iter().map(|entry| entry.updated).max();
    let this = site.event_file(Format::Atom.name(), &context.query);
    let feed = Feed {
        title: Text::plain(xml_text(author)),
        id: this.clone(),
        updated: updated.unwrap_or_default(),
        authors: vec![person(author)],
        generator: Some(Generator {
            value: "events-calendar".to_owned(),
            ..Generator::default()
        }),
        links: vec![
            link("self", this, Some("application/atom+xml")),
            link("alternate", site.page_at("/"), Some("text/html")),
        ],
        entries,
        ..Feed::default()
    };
    let body = feed.write_with_config(Vec::new(), WriteConfig::default());
    let body = body.map_err(|error| failed(std::io::Error::other(error)))?;
    drop(permit);
    Ok((tag, [(header::CONTENT_TYPE, MEDIA_TYPE)], body).into_response())
}

/// An event as an entry. While a password locks it, it has neither content nor place nor terms.
fn entry(view: &EventView, site_name: &str, site: &Site) -> Entry {
    let event = &view.event;
    let venue = view.venue.as_ref().filter(|_| view.open);
    let place = venue.map(|venue| {
        let details = &venue.entry.details;
        let parts = [venue.entry.title.as_str(), &details.address, &details.city];
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join(", ")
    });
    let times = times(&event.details.when);
    let summary = place.map_or_else(|| times.clone(), |place| format!("{times}\n{place}"));
    let content = (view.open && !event.description.is_empty()).then(|| Content {
        value: Some(xml_text(event.description.as_str())),
        content_type: Some("html".to_owned()),
        ..Content::default()
    });
    let organizer = view.organizers.first().filter(|_| view.open);
    let author = organizer.map_or(site_name, |one| one.entry.title.as_str());
    let categories = view
        .categories
        .iter()
        .map(|view| (&view.term.name, &view.term.slug));
    let tags = view
        .tags
        .iter()
        .map(|view| (&view.term.name, &view.term.slug));
    let terms = categories.chain(tags).filter(|_| view.open);
    Entry {
        id: format!("urn:sha256:{}", view.uid_digest()),
        title: Text::plain(xml_text(event.title.as_str())),
        updated: date(view.last_change()),
        published: Some(date(event.date)),
        authors: vec![person(author)],
        categories: terms
            .map(|(name, slug)| Category {
                term: xml_text(slug.as_str()),
                label: Some(xml_text(name.as_str())),
                ..Category::default()
            })
            .collect(),
        links: vec![link(
            "alternate",
            FeedUrls::page(site, event, event.id),
            Some("text/html"),
        )],
        summary: Some(Text::plain(xml_text(&summary))),
        content,
        ..Entry::default()
    }
}

fn person(name: &str) -> Person {
    Person {
        name: xml_text(name),
        ..Person::default()
    }
}

fn link(rel: &str, href: String, media_type: Option<&str>) -> Link {
    Link {
        href,
        rel: rel.to_owned(),
        mime_type: media_type.map(str::to_owned),
        ..Link::default()
    }
}

/// Start and end as wall clocks with their zone, or days.
fn times(when: &EventTime) -> String {
    let [start, end] = [when.start(), when.end()].map(|moment| moment.local);
    let day = |moment: domain::time::NaiveDateTime| moment.format("%Y-%m-%d").to_string();
    let clock = |moment: domain::time::NaiveDateTime| moment.format("%H:%M").to_string();
    let zone = when.zone().name();
    let (first, last) = (day(start), day(end));
    match (when.all_day(), first == last) {
        (true, true) => first,
        (true, false) => format!("{first} – {last}"),
        (false, true) if start == end => format!("{first} {} ({zone})", clock(start)),
        (false, true) => format!("{first} {}–{} ({zone})", clock(start), clock(end)),
        (false, false) => {
            let (start, end) = (clock(start), clock(end));
            format!("{first} {start} – {last} {end} ({zone})")
        }
    }
}

fn date(instant: Timestamp) -> FixedDateTime {
    DateTime::from_timestamp(instant.seconds(), 0)
        .unwrap_or_default()
        .fixed_offset()
}

/// A text without the characters that XML 1.0 forbids.
fn xml_text(text: &str) -> String {
    let is_allowed = |c: &char| !matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}');
    text.chars().filter(is_allowed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_xml_forbids_are_left_out() {
        assert_eq!(
            xml_text("a\0b\u{1b}c\td\ne\u{fffe}\u{10ffff}"),
            "abc\td\ne\u{10ffff}"
        );
    }
}
