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
    time::NaiveDateTime,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    Extent, OrganizerRecord, TermRecord, VenueRecord,
    entry::{EntryHead, GlobalId, shown_image},
    image::ImageOrFalse,
    json_ld,
    ticket::TicketRecord,
    values::{DateTime, EmptyList, JsonLd, LanguageCode, Url, languages},
};
use crate::{
    cache::fragment_cache::{Fragment, Writer},
    site::Site,
};

/// An event. While a password locks its content, texts are empty and flags are `null`.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Event")]
pub(crate) struct EventRecord<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    /// Its categories, by name.
    categories: Vec<TermRecord<'a>>,
    /// Its tags, by name.
    tags: Vec<TermRecord<'a>>,
    /// Its venue, or an empty list.
    venue: OneOrNone<VenueRecord<'a>>,
    /// Its organizers, in their order.
    organizer: Vec<OrganizerRecord<'a>>,
    #[serde(flatten)]
    tail: Tail<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    json_ld: Option<JsonLd>,
}

/// The fields before the linked records.
#[derive(Debug, Serialize, JsonSchema)]
struct Head<'a> {
    /// Its number among its kind.
    id: i64,
    #[serde(flatten)]
    global_id: GlobalId,
    #[serde(flatten)]
    entry: EntryHead,
    /// Its address in this interface.
    rest_url: Url,
    /// The title, plain text.
    title: Cow<'a, str>,
    /// The long text, HTML.
    description: &'a str,
    /// The short text, HTML.
    excerpt: &'a str,
    /// Its name in addresses; empty for drafts without one.
    slug: &'a str,
    /// Its picture, or `false`.
    image: ImageOrFalse,
    /// Whether it lasts whole days. `null` while locked.
    all_day: Option<bool>,
    /// When it starts, by the clocks of its zone.
    start_date: DateTime,
    start_date_details: DateDetails,
    /// When it ends, by the clocks of its zone.
    end_date: DateTime,
    end_date_details: DateDetails,
    /// When it starts, in UTC.
    utc_start_date: DateTime,
    utc_start_date_details: DateDetails,
    /// When it ends, in UTC.
    utc_end_date: DateTime,
    utc_end_date_details: DateDetails,
    /// Its time zone.
    timezone: &'a str,
    /// The letters of the zone at the start.
    timezone_abbr: String,
    /// What it costs, for people.
    cost: String,
    cost_details: CostDetails,
    /// Its web site, or its page.
    website: Cow<'a, str>,
    /// Whether pages show a map. `null` while locked.
    show_map: Option<bool>,
    /// Whether pages link to a map. `null` while locked.
    show_map_link: Option<bool>,
    /// Whether lists leave it out. `null` while locked.
    hide_from_listings: Option<bool>,
    /// Whether calendars show it first. `null` while locked.
    sticky: Option<bool>,
    /// Whether it is featured. `null` while locked.
    featured: Option<bool>,
}

/// The fields after the linked records.
#[derive(Debug, Serialize, JsonSchema)]
struct Tail<'a> {
    /// Further fields: none.
    custom_fields: EmptyList,
    /// The event that it is a part of, if the reader may see it; else 0.
    parent: i64,
    /// Its tickets.
    tickets: Vec<TicketRecord<'a>>,
    /// Whether it has tickets. `null` while locked.
    ticketed: Option<bool>,
    /// The language it was written in.
    language: LanguageCode,
    /// The languages it has texts in, its own first.
    translations: Vec<LanguageCode>,
}

/// A record, or an empty list.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
enum OneOrNone<T> {
    One(Box<T>),
    /// No venue.
    None(EmptyList),
}

/// The parts of a date, padded with zeros.
#[derive(Debug, Serialize, JsonSchema)]
struct DateDetails {
    /// Four digits.
    #[schemars(regex(pattern = r"^\d{4}$"))]
    year: String,
    /// From 01 to 12.
    month: TwoDigits,
    /// From 01 to 31.
    day: TwoDigits,
    /// From 00 to 23.
    hour: TwoDigits,
    /// From 00 to 59.
    minutes: TwoDigits,
    /// From 00 to 59.
    seconds: TwoDigits,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline, extend("pattern" = r"^\d\d$"))]
struct TwoDigits(String);

impl DateDetails {
    fn new(DateTime(date): &DateTime) -> Self {
        // The format is fixed: `2027-04-17 09:00:00`.
        let part = |from: usize, to: usize| date.get(from..to).unwrap_or_default().to_owned();
        Self {
            year: part(0, 4),
            month: TwoDigits(part(5, 7)),
            day: TwoDigits(part(8, 10)),
            hour: TwoDigits(part(11, 13)),
            minutes: TwoDigits(part(14, 16)),
            seconds: TwoDigits(part(17, 19)),
        }
    }
}

/// What an event costs, in parts.
#[derive(Debug, Default, Serialize, JsonSchema)]
struct CostDetails {
    /// The symbol that all amounts have, or nothing.
    currency_symbol: String,
    /// The currency by its three letters, or nothing.
    currency_code: &'static str,
    /// Where the symbol stands.
    #[schemars(extend("enum" = ["prefix", "postfix", ""]))]
    currency_position: &'static str,
    /// The amounts, ascending.
    #[schemars(inner(regex(pattern = r"^\d*\.?\d+$")))]
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
            venue: venue.map_or(OneOrNone::None(EmptyList::default()), |venue| {
                OneOrNone::One(Box::new(VenueRecord::new(venue, site, extent)))
            }),
            organizer: organizers
                .iter()
                .map(|organizer| OrganizerRecord::new(organizer, site, extent))
                .collect(),
            tail: Tail::new(view),
            json_ld: extent.json_ld(|| json_ld::event(view, site)),
        }
    }
}

/// The linked records of an event; none if its content is locked.
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

/// The event without its linked records, which stand between both fragments of its JSON.
impl Fragment for EventView {
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

/// Writes an event from cached fragments, with the same result as an [`EventRecord`].
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
        let website = match website {
            _ if !open => Cow::Borrowed(""),
            Some(website) => Cow::Borrowed(website.as_str()),
            None => Cow::Owned(site.page(Kind::Event, event.id, event.slug.as_ref())),
        };
        let civil = |moment: NaiveDateTime| {
            let date = DateTime::from(moment);
            let details = DateDetails::new(&date);
            (date, details)
        };
        let (start_date, start_date_details) = civil(when.start().local);
        let (end_date, end_date_details) = civil(when.end().local);
        let (utc_start_date, utc_start_date_details) = civil(when.start().utc.civil());
        let (utc_end_date, utc_end_date_details) = civil(when.end().utc.civil());
        Self {
            id: event.id.get(),
            global_id: GlobalId::new(Kind::Event, event.id.get(), site),
            entry: EntryHead::new(event, *status, site),
            rest_url: Url(site.record(Kind::Event, event.id)),
            title: escape_markup(event.title.as_str()),
            description: if open { event.description.as_str() } else { "" },
            excerpt: if open { event.excerpt.as_str() } else { "" },
            slug: event.slug.as_ref().map_or("", Slug::as_str),
            image: shown_image(image.as_ref().filter(|_| open), site).into(),
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
            custom_fields: EmptyList::default(),
            parent: parent.filter(|_| open).map_or(0, Id::get),
            tickets: tickets
                .iter()
                .filter(|_| open)
                .map(|ticket| TicketRecord::new(ticket, when.zone()))
                .collect(),
            ticketed: open.then_some(!tickets.is_empty()),
            language: event.language.into(),
            translations: languages(&event.content),
        }
    }
}
