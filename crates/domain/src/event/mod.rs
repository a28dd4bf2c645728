//! Events, and the filter and sort order of their lists.
//!
//! An [`Event`] is an [`Entry`] whose [`EventDetails`] are its time, its prices and its links to
//! other records. An [`EventFilter`] selects events.
//!
//! ```
//! use events_calendar_domain::{VenueId, event::{EventFilter, EventSort, Window}, time::Timestamp};
//!
//! // Events at a venue that end at or after an instant, the last to end first.
//! let now = Timestamp::from_seconds(1_800_000_000).unwrap();
//! let filter = EventFilter {
//!     window: Window { end_min: Some(now), ..Window::default() },
//!     venues: Some(vec![VenueId::from_raw(3)]),
//!     sort: EventSort::End,
//!     descending: true,
//!     ..EventFilter::default()
//! };
//! assert!(filter.asks_for_content());
//! ```

mod days;
mod filter;
mod overridden_fields;
mod proposal;
mod remark;
mod repetition;
mod rescheduling;
mod scope;
mod sequence;
mod series;
mod tombstone;
mod trail;
mod verification;
mod window;

use std::collections::BTreeSet;

use crate::{
    CategoryId, Entry, EventId, FieldName, Id, Kind, Language, OrganizerId, Record, Stage, TagId,
    VenueId,
    audit::{FieldKey, TrailReader, TrailValues},
    cost::{Cost, Currency},
    entry::{Details, PasswordHash},
    ticket::{Price, Ticket},
    time::{EventTime, Moment, Timestamp, format_civil},
    web_url::WebUrl,
};

pub use days::{DayCell, DaySpans, EventSpan, Placed};
pub use filter::{EventFilter, EventSort, SeriesListing, counts_for_links, linked_events};
pub use overridden_fields::{OverriddenFields, OverrideField};
pub use proposal::{ProposalLimits, Proposers};
pub use remark::{InvalidRemark, Remark};
pub use repetition::{OccurrenceOf, Repetition, Series};
pub use rescheduling::Rescheduling;
pub use scope::Scope;
pub use series::{Renewal, SeriesPlan, SeriesSplit, SlotChanges, StoredOccurrence};
pub use tombstone::Tombstone;
pub use window::Window;

/// An event: it takes place at a time.
///
/// ```
/// use events_calendar_domain::{Event, UserId, event::EventDetails, time::{EventTime, Zone, parse_civil}};
///
/// let nine = parse_civil("2027-03-10 09:00:00").unwrap();
/// let when = EventTime::new(Zone::utc(), nine, nine, false)?;
/// let now = when.start().utc;
/// let details = EventDetails::new(when, "1@cal.example".to_owned());
/// let fair = Event::new(UserId::from_raw(1), "Fair".parse()?, details, now);
/// assert!(!fair.details.cancelled);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Event = Entry<EventDetails>;

/// The fields that only an event has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventDetails {
    /// The unique identifier across calendars, which never changes (RFC 5545, 3.8.4.7).
    pub uid: String,
    /// The number of changes that matter to guests (RFC 5545, 3.8.7.4).
    pub sequence: i64,
    /// Start and end.
    pub when: EventTime,
    /// Its last move to another start, of which everybody may know. A series has none, and an
    /// occurrence only one of its own time.
    pub rescheduling: Option<Rescheduling>,
    /// Whether it was called off (RFC 5545, 3.8.1.11). Lists still show it, so that guests learn of it.
    pub cancelled: bool,
    /// Whether and how it repeats.
    pub repetition: Repetition,
    /// The cost.
    pub cost: Cost,
    /// Currency of the cost, if the client sent one.
    pub currency: Option<Currency>,
    /// The tickets on sale, at most [`crate::ticket::MAX_TICKETS`].
    pub tickets: Vec<Ticket>,
    /// The web site.
    pub website: Option<WebUrl>,
    /// Whether the event's page shows a map.
    pub show_map: bool,
    /// Whether the event's page links to a map.
    pub show_map_link: bool,
    /// Whether lists exclude it.
    pub hide_from_listings: bool,
    /// Whether calendar views show it first in its day.
    pub sticky: bool,
    /// Whether the site promotes it.
    pub featured: bool,
    /// The categories, without repetition.
    pub categories: Vec<CategoryId>,
    /// The tags, without repetition.
    pub tags: Vec<TagId>,
    /// The venue.
    pub venue: Option<VenueId>,
    /// The organizers, in the order in which the client named them.
    pub organizers: Vec<OrganizerId>,
    /// The event that it is a part of.
    pub parent: Option<EventId>,
    /// The hash of the password that opens the content, if it is locked.
    pub password: Option<PasswordHash>,
}

impl EventDetails {
    /// Details with a time and default values.
    ///
    /// ```
    /// use events_calendar_domain::{event::EventDetails, time::{EventTime, Zone, parse_civil}};
    /// let noon = parse_civil("2027-04-17 12:00:00").unwrap();
    /// let details = EventDetails::new(EventTime::new(Zone::utc(), noon, noon, false)?, "a@b".into());
    /// assert!(details.cost.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(when: EventTime, uid: String) -> Self {
        Self {
            uid,
            sequence: 0,
            when,
            rescheduling: None,
            cancelled: false,
            repetition: Repetition::Once,
            cost: Cost::default(),
            currency: None,
            tickets: Vec::new(),
            website: None,
            show_map: false,
            show_map_link: false,
            hide_from_listings: false,
            sticky: false,
            featured: false,
            categories: Vec::new(),
            tags: Vec::new(),
            venue: None,
            organizers: Vec::new(),
            parent: None,
            password: None,
        }
    }

    /// Whether the event costs nothing: every amount of its cost is 0, or it has no cost and every
    /// ticket is for 0. An event without cost and tickets says nothing of its price, and is not free.
    ///
    /// ```
    /// # use events_calendar_domain::{cost::Cost, event::EventDetails, ticket::*, time::*};
    /// # let noon = parse_civil("2027-04-17 12:00:00").unwrap();
    /// # let mut details = EventDetails::new(EventTime::new(Zone::utc(), noon, noon, false)?, "a@b".into());
    /// assert!(!details.is_free());
    /// let (name, price, currency) = ("Seat".parse()?, "0.00".parse()?, "EUR".parse()?);
    /// details.tickets = vec![Ticket { name, price, currency, url: None, on_sale: OnSale::default() }];
    /// assert!(details.is_free());
    /// details.cost = Cost::parse(&["5"])?;
    /// assert!(!details.is_free());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_free(&self) -> bool {
        if self.cost.is_none() {
            let mut prices = self.tickets.iter().map(|ticket| ticket.price);
            !self.tickets.is_empty() && prices.all(Price::is_zero)
        } else {
            self.cost.is_free()
        }
    }
}

impl Event {
    /// Whether public lists hold the event once it is due, also with a password. They hold no series,
    /// but its occurrences.
    ///
    /// ```
    /// # use events_calendar_domain::{event::EventDetails, text::Title, time::*, *};
    /// # let noon = parse_civil("2027-04-17 12:00:00").unwrap();
    /// # let details = EventDetails::new(EventTime::new(Zone::utc(), noon, noon, false)?, "a@b".into());
    /// # let now = Timestamp::from_seconds(0).unwrap();
    /// let mut event = Entry::new(UserId::from_raw(1), "Concert".parse::<Title>()?, details, now);
    /// event.stage = Stage::Published;
    /// assert!(event.is_listed() && event.lists_occurrences());
    /// event.details.hide_from_listings = true;
    /// assert!(!event.is_listed());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_listed(&self) -> bool {
        self.lists_occurrences() && self.series().is_none()
    }

    /// Whether public lists hold the occurrences of this series once it is due, except those that
    /// have fields of their own: these are listed by [`Self::is_listed`].
    pub fn lists_occurrences(&self) -> bool {
        self.stage == Stage::Published && !self.details.hide_from_listings
    }

    /// Whether everybody may list the event, or the occurrences of this series, at `now`.
    ///
    /// ```
    /// # use events_calendar_domain::{event::EventDetails, text::Title, time::*, *};
    /// # let noon = parse_civil("2027-04-17 12:00:00").unwrap();
    /// # let details = EventDetails::new(EventTime::new(Zone::utc(), noon, noon, false)?, "a@b".into());
    /// let at = |seconds| Timestamp::from_seconds(seconds).unwrap();
    /// let mut event = Entry::new(UserId::from_raw(1), "Concert".parse::<Title>()?, details, at(0));
    /// (event.date, event.date_is_chosen) = (at(3600), true);
    /// event.move_to(Status::Publish, at(0));
    /// assert!(!event.is_public(at(0)), "its publication is scheduled");
    /// assert!(event.is_public(at(3600)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_public(&self, now: Timestamp) -> bool {
        self.lists_occurrences() && self.is_published(now)
    }

    /// Whether the categories and tags of the event count it once it is due, also if lists hide it.
    ///
    /// ```
    /// # use events_calendar_domain::{entry::PasswordHash, event::EventDetails, text::Title, time::*, *};
    /// # let noon = parse_civil("2027-04-17 12:00:00").unwrap();
    /// # let details = EventDetails::new(EventTime::new(Zone::utc(), noon, noon, false)?, "a@b".into());
    /// # let now = Timestamp::from_seconds(0).unwrap();
    /// let mut event = Entry::new(UserId::from_raw(1), "Concert".parse::<Title>()?, details, now);
    /// event.stage = Stage::Published;
    /// assert!(event.counts_for_terms());
    /// event.details.password = Some(PasswordHash::from_stored("hash".to_owned()));
    /// assert!(!event.counts_for_terms());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn counts_for_terms(&self) -> bool {
        self.stage == Stage::Published && self.details.password.is_none()
    }

    /// Whether the categories and tags of the event count it at `now`.
    ///
    /// ```
    /// # use events_calendar_domain::{event::EventDetails, text::Title, time::*, *};
    /// # let noon = parse_civil("2027-04-17 12:00:00").unwrap();
    /// # let details = EventDetails::new(EventTime::new(Zone::utc(), noon, noon, false)?, "a@b".into());
    /// let at = |seconds| Timestamp::from_seconds(seconds).unwrap();
    /// let mut event = Entry::new(UserId::from_raw(1), "Concert".parse::<Title>()?, details, at(0));
    /// (event.date, event.date_is_chosen) = (at(3600), true);
    /// event.move_to(Status::Publish, at(0));
    /// assert!(!event.is_counted(at(0)), "its publication is scheduled");
    /// assert!(event.is_counted(at(3600)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_counted(&self, now: Timestamp) -> bool {
        self.counts_for_terms() && self.is_published(now)
    }
}

impl Details for EventDetails {
    const KIND: Kind = Kind::Event;
    const TRASH_IS_READABLE: bool = false;
    type Filter = EventFilter;

    fn contact_texts(&self) -> Vec<&str> {
        Vec::new()
    }

    fn text_bytes(&self) -> usize {
        let tickets = self.tickets.iter().map(|ticket| {
            let url = ticket.url.as_ref().map_or("", WebUrl::as_str);
            size_of::<Ticket>() + ticket.name.as_str().len() + url.len()
        });
        let costs = self.cost.texts().iter().map(String::len);
        let website = self.website.as_ref().map_or("", WebUrl::as_str);
        tickets.chain(costs).sum::<usize>() + website.len() + self.uid.len()
    }

    takeable_fields! { Title;
        StartDate => when;
        Cancelled => cancelled;
        Cost => cost;
        Currency => currency;
        Tickets => tickets;
        Website => website;
        ShowMap => show_map;
        ShowMapLink => show_map_link;
        Sticky => sticky;
        Featured => featured;
        Categories => categories;
        Tags => tags;
        Venue => venue;
        Organizer => organizers;
    }

    fn is_blank(&self, field: FieldName) -> bool {
        match field {
            FieldName::Website => self.website.is_none(),
            FieldName::Cost => self.cost.is_none(),
            FieldName::Currency => self.currency.is_none(),
            FieldName::Tickets => self.tickets.is_empty(),
            FieldName::Categories => self.categories.is_empty(),
            FieldName::Tags => self.tags.is_empty(),
            FieldName::Venue => self.venue.is_none(),
            FieldName::Organizer => self.organizers.is_empty(),
            FieldName::Parent => self.parent.is_none(),
            FieldName::Password => self.password.is_none(),
            _ => false,
        }
    }

    fn written(&self, field: FieldName) -> Option<String> {
        let value = match field {
            FieldName::StartDate | FieldName::EndDate | FieldName::TimeZone | FieldName::AllDay => {
                let when = &self.when;
                let [start, end] = [when.start(), when.end()].map(|moment| moment.utc);
                format!("{start} {end} {} {}", when.zone(), when.all_day())
            }
            FieldName::Recurrence => match &self.repetition {
                Repetition::Series(series) => series.recurrence.lines().join("\n"),
                Repetition::Once | Repetition::Occurrence(_) => return None,
            },
            FieldName::Cancelled => self.cancelled.to_string(),
            FieldName::Cost => self.cost.texts().join("\n"),
            FieldName::Currency => self.currency?.code().to_owned(),
            FieldName::Tickets => lines(&self.tickets, ticket_line),
            FieldName::Website => self.website.as_ref()?.to_string(),
            FieldName::ShowMap => self.show_map.to_string(),
            FieldName::ShowMapLink => self.show_map_link.to_string(),
            FieldName::HideFromListings => self.hide_from_listings.to_string(),
            FieldName::Sticky => self.sticky.to_string(),
            FieldName::Featured => self.featured.to_string(),
            FieldName::Categories => lines(&self.categories, ToString::to_string),
            FieldName::Tags => lines(&self.tags, ToString::to_string),
            FieldName::Venue => self.venue?.to_string(),
            FieldName::Organizer => lines(&self.organizers, ToString::to_string),
            FieldName::Parent => self.parent?.to_string(),
            FieldName::Password => self.password.as_ref()?.as_str().to_owned(),
            _ => return None,
        };
        Some(value).filter(|value| !value.is_empty())
    }

    fn trailed(&self, field: FieldName) -> Option<String> {
        let value = match field {
            FieldName::StartDate => trailed_moment(&self.when, self.when.start()),
            FieldName::EndDate => trailed_moment(&self.when, self.when.end()),
            FieldName::TimeZone => self.when.zone().to_string(),
            FieldName::AllDay => self.when.all_day().to_string(),
            FieldName::Cost => self.cost.lines(),
            FieldName::Categories => with_commas(&self.categories),
            FieldName::Tags => with_commas(&self.tags),
            FieldName::Organizer => with_commas(&self.organizers),
            FieldName::RecurrenceId => {
                let one = self.occurrence()?;
                format!("{} {}", one.series, one.slot)
            }
            FieldName::Own => self.occurrence()?.overridden.to_string(),
            _ => return None,
        };
        Some(value).filter(|value| !value.is_empty())
    }

    fn restore(&mut self, reader: &mut TrailReader<'_>) {
        trail::restore(self, reader);
    }

    fn restore_own(&mut self, values: &TrailValues) -> Option<BTreeSet<FieldKey>> {
        trail::restore_own(self, values)
    }

    fn has_own(&self, field: FieldName, language: Option<Language>) -> bool {
        let Some(one) = self.occurrence() else {
            return true;
        };
        let Ok(own) = field.as_str().parse() else {
            return matches!(
                field,
                FieldName::RecurrenceId | FieldName::Own | FieldName::Status
            ) && !one.overridden.is_empty();
        };
        match language {
            Some(language) => one.overridden.contains_translation(own, language),
            None => one.overridden.contains(own),
        }
    }

    fn password(&self) -> Option<&PasswordHash> {
        self.password.as_ref()
    }

    fn is_hidden(&self) -> bool {
        self.hide_from_listings
    }
}

impl EventDetails {
    /// The place in a series.
    fn occurrence(&self) -> Option<&OccurrenceOf> {
        match &self.repetition {
            Repetition::Occurrence(one) => Some(one),
            Repetition::Once | Repetition::Series(_) => None,
        }
    }
}

/// The wall clock of a start or an end; the instant where the clock reads the same twice.
fn trailed_moment(when: &EventTime, moment: Moment) -> String {
    let named = when.zone().at_local(moment.local);
    if named.is_ok_and(|named| named.utc == moment.utc) {
        format_civil(moment.local)
    } else {
        format!("{}Z", moment.utc)
    }
}

/// The IDs with commas.
fn with_commas<R>(ids: &[Id<R>]) -> String {
    let ids: Vec<_> = ids.iter().map(ToString::to_string).collect();
    ids.join(",")
}

/// One line for each value.
fn lines<T>(values: &[T], line: impl Fn(&T) -> String) -> String {
    values.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// A ticket in one line.
fn ticket_line(ticket: &Ticket) -> String {
    let Ticket {
        name,
        price,
        currency,
        url,
        on_sale,
    } = ticket;
    let url = url.as_ref().map_or("", WebUrl::as_str);
    let [from, until] = [on_sale.from(), on_sale.until()]
        .map(|time| time.map(|time| time.to_string()).unwrap_or_default());
    let currency = currency.code();
    format!("{price} {currency} {url} {from} {until} {name}")
}
