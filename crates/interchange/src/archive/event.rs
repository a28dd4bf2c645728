//! Lines of events, and of the dates of series.

use std::collections::BTreeSet;

use domain::{
    CategoryId, EventId, OrganizerId, TagId, VenueId,
    cost::{Cost, Currency},
    entry::PasswordHash,
    event::{EventDetails, OccurrenceOf, Repetition, Rescheduling, Series},
    recurrence::{Recurrence, Rule, Slot, Start},
    text::Title,
    ticket::{OnSale, Price, Ticket},
    time::{EventTime, Moment, Timestamp, Zone, format_civil, parse_civil},
    web_url::WebUrl,
};
use serde::{Deserialize, Serialize};

use super::text::Utc;

/// The fields that only an event has.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct EventLine {
    uid: String,
    sequence: i64,
    start_date: String,
    end_date: String,
    utc_start_date: Utc,
    utc_end_date: Utc,
    timezone: Zone,
    all_day: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rescheduled: Option<ReschedulingLine>,
    #[serde(default)]
    cancelled: bool,
    cost: Cost,
    currency: Option<Currency>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tickets: Vec<TicketLine>,
    website: Option<WebUrl>,
    show_map: bool,
    show_map_link: bool,
    hide_from_listings: bool,
    sticky: bool,
    featured: bool,
    categories: Vec<CategoryId>,
    tags: Vec<TagId>,
    venue: Option<VenueId>,
    organizer: Vec<OrganizerId>,
    parent: Option<EventId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    password_hash: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    recurrence: Option<RecurrenceLine>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    occurrence: Option<OccurrenceLine>,
}

/// The last move of an event to another start.
#[derive(Debug, Serialize, Deserialize)]
struct ReschedulingLine {
    previous_start_utc: Utc,
    moved_utc: Utc,
}

/// A ticket.
#[derive(Debug, Serialize, Deserialize)]
struct TicketLine {
    name: Title,
    price: Price,
    currency: Currency,
    url: Option<WebUrl>,
    available_from_utc: Option<Utc>,
    available_until_utc: Option<Utc>,
}

/// When a series happens.
#[derive(Debug, Serialize, Deserialize)]
struct RecurrenceLine {
    rule: Option<String>,
    first_date: Slot,
    length_seconds: i64,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    extra_dates: BTreeSet<Slot>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    deleted_dates: BTreeSet<Slot>,
    stored_until_utc: Option<Utc>,
    previous: Option<EventId>,
    next: Option<EventId>,
}

/// The place of an occurrence in its series, and which of its fields are its own.
#[derive(Debug, Serialize, Deserialize)]
struct OccurrenceLine {
    series: EventId,
    date: Slot,
    own_fields: String,
    own_categories: Vec<CategoryId>,
    own_tags: Vec<TagId>,
}

/// Occurrences of a series.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct OccurrencesLine {
    pub(super) series: EventId,
    pub(super) occurrences: Vec<DateLine>,
}

/// One occurrence of a series.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct DateLine {
    pub(super) id: EventId,
    pub(super) date: Slot,
    pub(super) revision: i64,
    /// Whether it is an override, whose line follows.
    #[serde(rename = "own", default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_override: bool,
}

impl From<EventDetails> for EventLine {
    fn from(details: EventDetails) -> Self {
        let EventDetails {
            uid,
            sequence,
            when,
            rescheduling,
            cancelled,
            repetition,
            cost,
            currency,
            tickets,
            website,
            show_map,
            show_map_link,
            hide_from_listings,
            sticky,
            featured,
            categories,
            tags,
            venue,
            organizers,
            parent,
            password,
        } = details;
        let (recurrence, occurrence) = match repetition {
            Repetition::Once => (None, None),
            Repetition::Series(series) => (Some(RecurrenceLine::new(&series)), None),
            Repetition::Occurrence(one) => (None, Some(OccurrenceLine::new(*one))),
        };
        Self {
            uid,
            sequence,
            start_date: format_civil(when.start().local),
            end_date: format_civil(when.end().local),
            utc_start_date: Utc(when.start().utc),
            utc_end_date: Utc(when.end().utc),
            timezone: when.zone().clone(),
            all_day: when.all_day(),
            rescheduled: rescheduling.map(ReschedulingLine::new),
            cancelled,
            cost,
            currency,
            tickets: tickets.into_iter().map(TicketLine::new).collect(),
            website,
            show_map,
            show_map_link,
            hide_from_listings,
            sticky,
            featured,
            categories,
            tags,
            venue,
            organizer: organizers,
            parent,
            password_hash: password.map(|hash| hash.as_str().to_owned()),
            recurrence,
            occurrence,
        }
    }
}

impl TryFrom<EventLine> for EventDetails {
    type Error = String;

    fn try_from(line: EventLine) -> Result<Self, String> {
        let when = line.when()?;
        let repetition = match (line.recurrence, line.occurrence) {
            (None, None) => Repetition::Once,
            (Some(series), None) => Repetition::Series(Box::new(series.into_series(&when)?)),
            (None, Some(one)) => Repetition::Occurrence(Box::new(one.into_occurrence()?)),
            (Some(_), Some(_)) => return Err("a series is no occurrence of another".to_owned()),
        };
        let tickets = line.tickets.into_iter().map(TicketLine::into_ticket);
        Ok(Self {
            uid: line.uid,
            sequence: line.sequence,
            when,
            rescheduling: line.rescheduled.map(ReschedulingLine::into_rescheduling),
            cancelled: line.cancelled,
            repetition,
            cost: line.cost,
            currency: line.currency,
            tickets: tickets.collect::<Result<_, _>>()?,
            website: line.website,
            show_map: line.show_map,
            show_map_link: line.show_map_link,
            hide_from_listings: line.hide_from_listings,
            sticky: line.sticky,
            featured: line.featured,
            categories: line.categories,
            tags: line.tags,
            venue: line.venue,
            organizers: line.organizer,
            parent: line.parent,
            password: line.password_hash.map(PasswordHash::from_stored),
        })
    }
}

impl EventLine {
    /// The time. The wall clocks stay where the zone has other rules than it had for the archive.
    fn when(&self) -> Result<EventTime, String> {
        let [start, end] = [
            ("start_date", &self.start_date, self.utc_start_date),
            ("end_date", &self.end_date, self.utc_end_date),
        ]
        .map(|(field, local, utc)| {
            let local = parse_civil(local);
            let local = local.ok_or_else(|| format!("{field}: must be a date with a time"))?;
            self.moment(field, local, utc.0)
        });
        EventTime::between(self.timezone.clone(), start?, end?, self.all_day)
            .map_err(|error| format!("end_date: {error}"))
    }

    /// The moment of a wall clock: the instant of the archive, if the clocks show it then.
    fn moment(
        &self,
        field: &str,
        local: domain::time::NaiveDateTime,
        utc: Timestamp,
    ) -> Result<Moment, String> {
        let then = self.timezone.at(utc);
        if then.local == local {
            return Ok(then);
        }
        let moment = self.timezone.at_local(local);
        moment.map_err(|error| format!("{field}: {error}"))
    }
}

impl ReschedulingLine {
    fn new(rescheduling: Rescheduling) -> Self {
        Self {
            previous_start_utc: Utc(rescheduling.previous_start),
            moved_utc: Utc(rescheduling.moved),
        }
    }

    fn into_rescheduling(self) -> Rescheduling {
        Rescheduling {
            previous_start: self.previous_start_utc.0,
            moved: self.moved_utc.0,
        }
    }
}

impl TicketLine {
    fn new(ticket: Ticket) -> Self {
        Self {
            name: ticket.name,
            price: ticket.price,
            currency: ticket.currency,
            url: ticket.url,
            available_from_utc: ticket.on_sale.from().map(Utc),
            available_until_utc: ticket.on_sale.until().map(Utc),
        }
    }

    fn into_ticket(self) -> Result<Ticket, String> {
        let [from, until] =
            [self.available_from_utc, self.available_until_utc].map(|time| time.map(|time| time.0));
        let on_sale = OnSale::new(from, until);
        Ok(Ticket {
            name: self.name,
            price: self.price,
            currency: self.currency,
            url: self.url,
            on_sale: on_sale.map_err(|error| format!("available_until_utc: {error}"))?,
        })
    }
}

impl RecurrenceLine {
    fn new(series: &Series) -> Self {
        let recurrence = &series.recurrence;
        Self {
            rule: recurrence.rule().map(Rule::to_string),
            first_date: recurrence.start().slot(),
            length_seconds: recurrence.start().length(),
            extra_dates: recurrence.extra().clone(),
            deleted_dates: recurrence.deleted().clone(),
            stored_until_utc: series.kept_until.map(Utc),
            previous: series.previous,
            next: series.next,
        }
    }

    fn into_series(self, first: &EventTime) -> Result<Series, String> {
        let rule = self.rule.as_deref().map(Rule::from_stored).transpose();
        let start = Start::from_stored(first.clone(), self.first_date, self.length_seconds);
        let recurrence = Recurrence::from_stored(
            start,
            rule.map_err(|error| format!("rule: {error}"))?,
            self.extra_dates,
            self.deleted_dates,
        );
        Ok(Series {
            recurrence,
            kept_until: self.stored_until_utc.map(|time| time.0),
            previous: self.previous,
            next: self.next,
        })
    }
}

impl OccurrenceLine {
    fn new(one: OccurrenceOf) -> Self {
        Self {
            series: one.series,
            date: one.slot,
            own_fields: one.overridden.to_string(),
            own_categories: one.own_categories,
            own_tags: one.own_tags,
        }
    }

    fn into_occurrence(self) -> Result<OccurrenceOf, String> {
        let own = self.own_fields.parse();
        Ok(OccurrenceOf {
            series: self.series,
            slot: self.date,
            overridden: own.map_err(|error| format!("own_fields: {error}"))?,
            own_categories: self.own_categories,
            own_tags: self.own_tags,
        })
    }
}
