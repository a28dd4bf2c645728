//! Events as JSON.

use std::borrow::Cow;

use app::event::EventView;
use domain::{
    Id, Kind,
    cost::{Cost, Currency, Position},
    event::EventDetails,
    slug::Slug,
    text::escape_markup,
    time::{NaiveDateTime, format_civil},
};
use serde::Serialize;
use serde_json::Value;

use super::{
    Extent, OrganizerRecord, TermRecord, VenueRecord,
    image::{ImageOrFalse, ImageRecord},
    json_ld, languages,
    place::GlobalId,
    ticket::TicketRecord,
};
use crate::urls::Site;

/// An event as JSON. Content that a password locks is empty, flags of it are `null`.
#[derive(Debug, Serialize)]
pub(crate) struct EventRecord<'a> {
    id: i64,
    #[serde(flatten)]
    global_id: GlobalId,
    author: i64,
    status: &'static str,
    date: String,
    date_utc: String,
    modified: String,
    modified_utc: String,
    url: String,
    rest_url: String,
    title: Cow<'a, str>,
    description: &'a str,
    excerpt: &'a str,
    slug: &'a str,
    image: ImageOrFalse,
    all_day: Option<bool>,
    start_date: String,
    start_date_details: DateDetails,
    end_date: String,
    end_date_details: DateDetails,
    utc_start_date: String,
    utc_start_date_details: DateDetails,
    utc_end_date: String,
    utc_end_date_details: DateDetails,
    timezone: &'a str,
    timezone_abbr: String,
    cost: String,
    cost_details: CostDetails,
    website: Cow<'a, str>,
    show_map: Option<bool>,
    show_map_link: Option<bool>,
    hide_from_listings: Option<bool>,
    sticky: Option<bool>,
    featured: Option<bool>,
    categories: Vec<TermRecord<'a>>,
    tags: Vec<TermRecord<'a>>,
    venue: OneOrNone<VenueRecord<'a>>,
    organizer: Vec<OrganizerRecord<'a>>,
    custom_fields: [(); 0],
    parent: i64,
    tickets: Vec<TicketRecord<'a>>,
    ticketed: Option<bool>,
    language: &'static str,
    translations: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    json_ld: Option<Value>,
}

/// Something, or an empty list.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum OneOrNone<T> {
    One(Box<T>),
    None([(); 0]),
}

/// The parts of a date, padded with zeros.
#[derive(Debug, Serialize)]
struct DateDetails {
    year: String,
    month: String,
    day: String,
    hour: String,
    minutes: String,
    seconds: String,
}

impl DateDetails {
    fn new(date: &str) -> Self {
        // The form is fixed: `2027-04-17 09:00:00`.
        let part = |from: usize, to: usize| date.get(from..to).unwrap_or_default().to_owned();
        Self {
            year: part(0, 4),
            month: part(5, 7),
            day: part(8, 10),
            hour: part(11, 13),
            minutes: part(14, 16),
            seconds: part(17, 19),
        }
    }
}

#[derive(Debug, Default, Serialize)]
struct CostDetails {
    currency_symbol: String,
    currency_code: &'static str,
    currency_position: &'static str,
    values: Vec<String>,
}

impl CostDetails {
    fn new(cost: &Cost, currency: Option<Currency>) -> Self {
        Self {
            currency_symbol: escape_markup(cost.symbol()).into_owned(),
            currency_code: currency.map_or("", Currency::code),
            currency_position: match cost.position() {
                Some(Position::Prefix) => "prefix",
                Some(Position::Postfix) => "postfix",
                None => "",
            },
            values: cost.values(),
        }
    }
}

impl<'a> EventRecord<'a> {
    #[expect(clippy::too_many_lines, reason = "a line for each field")]
    pub(crate) fn new(view: &'a EventView, site: &Site, extent: Extent) -> Self {
        let EventView {
            event,
            language: _,
            status,
            open,
            categories,
            tags,
            image,
            venue,
            organizers,
            parent,
        } = view;
        let EventDetails {
            uid: _,
            sequence: _,
            when,
            cost,
            currency,
            tickets,
            website,
            show_map,
            show_map_link,
            hide_from_listings,
            sticky,
            featured,
            categories: _,
            tags: _,
            venue: _,
            organizers: _,
            parent: _,
            password: _,
        } = &event.details;
        let open = *open;
        let if_open = |flag: bool| open.then_some(flag);
        let url = site.page(Kind::Event, event.id, event.slug.as_ref());
        let website = match website {
            _ if !open => Cow::Borrowed(""),
            Some(website) => Cow::Borrowed(website.as_str()),
            None => Cow::Owned(url.clone()),
        };
        let civil = |moment: NaiveDateTime| {
            let text = format_civil(moment);
            let details = DateDetails::new(&text);
            (text, details)
        };
        let (start_date, start_date_details) = civil(when.start().local);
        let (end_date, end_date_details) = civil(when.end().local);
        let (utc_start_date, utc_start_date_details) = civil(when.start().utc.civil());
        let (utc_end_date, utc_end_date_details) = civil(when.end().utc.civil());
        Self {
            id: event.id.get(),
            global_id: GlobalId::new(Kind::Event, event.id.get(), site),
            author: event.author.get(),
            status: status.name(),
            date: site.local(event.date),
            date_utc: event.date.to_string(),
            modified: site.local(event.modified),
            modified_utc: event.modified.to_string(),
            rest_url: site.record(Kind::Event, event.id),
            url,
            title: escape_markup(event.title.as_str()),
            description: if open { event.description.as_str() } else { "" },
            excerpt: if open { event.excerpt.as_str() } else { "" },
            slug: event.slug.as_ref().map_or("", Slug::as_str),
            image: ImageRecord::shown(image.as_ref().filter(|_| open), site).into(),
            all_day: if_open(when.all_day()),
            start_date,
            start_date_details,
            end_date,
            end_date_details,
            utc_start_date,
            utc_start_date_details,
            utc_end_date,
            utc_end_date_details,
            timezone: when.zone().name(),
            timezone_abbr: when.zone().abbreviation(when.start().utc),
            cost: if open {
                escape_markup(&cost.formatted(&site.currency_symbol)).into_owned()
            } else {
                String::new()
            },
            cost_details: if open {
                CostDetails::new(cost, *currency)
            } else {
                CostDetails::default()
            },
            website,
            show_map: if_open(*show_map),
            show_map_link: if_open(*show_map_link),
            hide_from_listings: if_open(*hide_from_listings),
            sticky: if_open(*sticky),
            featured: if_open(*featured),
            categories: categories
                .iter()
                .filter(|_| open)
                .map(|term| TermRecord::new(term, site))
                .collect(),
            tags: tags
                .iter()
                .filter(|_| open)
                .map(|term| TermRecord::new(term, site))
                .collect(),
            venue: match venue {
                Some(venue) if open => {
                    OneOrNone::One(Box::new(VenueRecord::new(venue, site, extent)))
                }
                _ => OneOrNone::None([]),
            },
            organizer: organizers
                .iter()
                .filter(|_| open)
                .map(|organizer| OrganizerRecord::new(organizer, site, extent))
                .collect(),
            custom_fields: [],
            parent: parent.filter(|_| open).map_or(0, Id::get),
            tickets: tickets
                .iter()
                .filter(|_| open)
                .map(|ticket| TicketRecord::new(ticket, when.zone()))
                .collect(),
            ticketed: if_open(!tickets.is_empty()),
            language: event.language.code(),
            translations: languages(&event.content),
            json_ld: (extent == Extent::WithJsonLd).then(|| json_ld::event(view, site)),
        }
    }
}
