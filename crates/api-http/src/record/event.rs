//! Events as JSON.

use std::{borrow::Cow, sync::Arc};

use app::{event::EventView, place::PlaceView, term::TermView};
use domain::{
    Id, Kind, OrganizerDetails, Record as _, VenueDetails,
    cost::{Cost, Currency, Position},
    event::EventDetails,
    slug::Slug,
    term::{Categories, Tags},
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
use crate::{
    pieces::{Piece, Writer},
    urls::Site,
};

/// An event as JSON. Content that a password locks is empty, flags of it are `null`.
#[derive(Debug, Serialize)]
pub(crate) struct EventRecord<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    categories: Vec<TermRecord<'a>>,
    tags: Vec<TermRecord<'a>>,
    venue: OneOrNone<VenueRecord<'a>>,
    organizer: Vec<OrganizerRecord<'a>>,
    #[serde(flatten)]
    tail: Tail<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    json_ld: Option<Value>,
}

/// The fields before what is linked.
#[derive(Debug, Serialize)]
struct Head<'a> {
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
}

/// The fields after what is linked.
#[derive(Debug, Serialize)]
struct Tail<'a> {
    custom_fields: [(); 0],
    parent: i64,
    tickets: Vec<TicketRecord<'a>>,
    ticketed: Option<bool>,
    language: &'static str,
    translations: Vec<&'static str>,
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
    pub(crate) fn new(view: &'a EventView, site: &Site, extent: Extent) -> Self {
        let Linked {
            categories,
            tags,
            venue,
            organizers,
        } = Linked::of(view);
        Self {
            head: Head::new(view, site),
            categories: categories
                .iter()
                .map(|term| TermRecord::new(term, site))
                .collect(),
            tags: tags
                .iter()
                .map(|term| TermRecord::new(term, site))
                .collect(),
            venue: venue.map_or(OneOrNone::None([]), |venue| {
                OneOrNone::One(Box::new(VenueRecord::new(venue, site, extent)))
            }),
            organizer: organizers
                .iter()
                .map(|organizer| OrganizerRecord::new(organizer, site, extent))
                .collect(),
            tail: Tail::new(view),
            json_ld: (extent == Extent::WithJsonLd).then(|| json_ld::event(view, site)),
        }
    }
}

/// What is linked to an event, as far as the event is open.
struct Linked<'a> {
    categories: &'a [Arc<TermView<Categories>>],
    tags: &'a [Arc<TermView<Tags>>],
    venue: Option<&'a PlaceView<VenueDetails>>,
    organizers: &'a [Arc<PlaceView<OrganizerDetails>>],
}

impl<'a> Linked<'a> {
    fn of(view: &'a EventView) -> Self {
        if view.open {
            Self {
                categories: &view.categories,
                tags: &view.tags,
                venue: view.venue.as_deref(),
                organizers: &view.organizers,
            }
        } else {
            Self {
                categories: &[],
                tags: &[],
                venue: None,
                organizers: &[],
            }
        }
    }
}

/// The event without what is linked, which stands between both parts of its JSON.
impl Piece for EventView {
    const KIND: Kind = Kind::Event;

    fn id(&self) -> i64 {
        self.event.id.get()
    }

    fn is_shown_as(&self, other: &Self) -> bool {
        let Self {
            event,
            language,
            status,
            open,
            categories: _,
            tags: _,
            venue: _,
            image,
            organizers: _,
            parent,
        } = self;
        *event == other.event
            && *language == other.language
            && *status == other.status
            && *open == other.open
            && *image == other.image
            && *parent == other.parent
    }

    fn to_kept(&self) -> Self {
        Self {
            event: self.event.clone(),
            language: self.language,
            status: self.status,
            open: self.open,
            categories: Vec::new(),
            tags: Vec::new(),
            venue: None,
            image: self.image.clone(),
            organizers: Vec::new(),
            parent: self.parent,
        }
    }

    fn text_bytes(&self) -> usize {
        self.event.text_bytes()
    }

    fn parts(&self, site: &Site) -> serde_json::Result<[Vec<u8>; 2]> {
        let head = serde_json::to_vec(&Head::new(self, site))?;
        let tail = serde_json::to_vec(&Tail::new(self))?;
        Ok([head, tail])
    }
}

/// Writes an event of pieces: the same as an [`EventRecord`].
pub(crate) fn write(view: &EventView, writer: &mut Writer<'_>) -> serde_json::Result<()> {
    let Linked {
        categories,
        tags,
        venue,
        organizers,
    } = Linked::of(view);
    let own = writer.piece(view)?;
    let [head, tail] = own.parts();
    writer.raw(&head[..head.len() - 1]);
    writer.raw(b",\"categories\":");
    writer.list(categories)?;
    writer.raw(b",\"tags\":");
    writer.list(tags)?;
    writer.raw(b",\"venue\":");
    match venue {
        Some(venue) => writer.one(venue)?,
        None => writer.raw(b"[]"),
    }
    writer.raw(b",\"organizer\":");
    writer.list(organizers)?;
    writer.raw(b",");
    writer.raw(&tail[1..]);
    Ok(())
}

impl<'a> Head<'a> {
    fn new(view: &'a EventView, site: &Site) -> Self {
        let EventView {
            event,
            language: _,
            status,
            open,
            categories: _,
            tags: _,
            image,
            venue: _,
            organizers: _,
            parent: _,
        } = view;
        let EventDetails {
            uid: _,
            sequence: _,
            when,
            cost,
            currency,
            tickets: _,
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
                escape_markup(&cost.shown(*currency, site.currency)).into_owned()
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
        }
    }
}

impl<'a> Tail<'a> {
    fn new(view: &'a EventView) -> Self {
        let EventView {
            event,
            open,
            parent,
            ..
        } = view;
        let EventDetails { when, tickets, .. } = &event.details;
        let open = *open;
        Self {
            custom_fields: [],
            parent: parent.filter(|_| open).map_or(0, Id::get),
            tickets: tickets
                .iter()
                .filter(|_| open)
                .map(|ticket| TicketRecord::new(ticket, when.zone()))
                .collect(),
            ticketed: open.then_some(!tickets.is_empty()),
            language: event.language.code(),
            translations: languages(&event.content),
        }
    }
}
