//! The fields of an event that no other kind has, and their effect on it.

use async_trait::async_trait;
use domain::{
    Event, EventId, Kind, OrganizerDetails, Secret, Stored, VenueDetails,
    cost::Currency,
    event::{EventDetails, OwnField, Repetition, Series},
    recurrence::{InvalidMove, Recurrence, Start, horizon},
    time::{EventTime, EventTimeChange, SentDate, Zone, parse_day, read_date},
    web_url::WebUrl,
};

use super::{
    cost_write::CostWrite,
    links::{self, OrganizerRef, TermRef, VenueRef},
    own_page::is_page_of,
    recurrence::{self, RecurrenceChange},
    series_fields::SeriesFields,
    tickets::{self, TicketFields},
};
use crate::{
    entry::{DetailsChanges, EntryChanges},
    error::AppError,
    hashing::random_hex,
    input::{self, Fault, FaultCollector, FieldChange, Input},
    ports::{RelatedKeys, Repositories},
    request::{Purpose, Request},
};

/// The fields of a write that only events have.
#[derive(Clone, Debug, Default)]
pub struct EventChanges {
    pub(crate) zone: Option<Zone>,
    /// As sent: its meaning depends on the zone, which may be the stored one.
    pub(crate) start: Option<String>,
    pub(crate) end: Option<String>,
    pub(crate) all_day: Option<bool>,
    /// The start of the series, in place of the time that was sent.
    pub(crate) series_start: Option<Start>,
    pub(crate) recurrence: Option<RecurrenceChange>,
    pub(crate) series: SeriesFields,
    pub(crate) cost: Option<CostWrite>,
    pub(crate) currency: FieldChange<Currency>,
    pub(crate) tickets: Option<Vec<TicketFields>>,
    pub(crate) website: FieldChange<WebUrl>,
    pub(crate) flags: FlagChanges,
    pub(crate) password: FieldChange<Secret>,
    pub(crate) categories: Option<Vec<TermRef>>,
    pub(crate) tags: Option<Vec<TermRef>>,
    pub(crate) venue: FieldChange<VenueRef>,
    pub(crate) organizers: Option<Vec<OrganizerRef>>,
    /// Cleared: the event has no parent.
    pub(crate) parent: FieldChange<EventId>,
}

#[async_trait]
impl DetailsChanges<EventDetails> for EventChanges {
    /// For a new event, start and end are required and must fit each other.
    fn read(input: &mut Input<'_>, request: &Request<'_>, purpose: Purpose) -> Self {
        let site_zone = &request.site.zone;
        if purpose == Purpose::Create {
            input.require("start_date");
            input.require("end_date");
        }
        let zone = input.read("timezone", |value| input::zone(value, site_zone));
        let mut date = |name| {
            let zone = zone.as_ref().unwrap_or(site_zone);
            input.read(name, |value| {
                input::date(value, zone, request.now)?;
                input::date_text(value)
            })
        };
        let (start, end) = (date("start_date"), date("end_date"));
        let strict = input.is_strict();
        let changes = Self {
            zone: zone.clone(),
            start,
            end,
            all_day: input.read("all_day", input::boolean),
            series_start: None,
            recurrence: input.read("recurrence", |value| {
                let zone = zone.as_ref().unwrap_or(site_zone);
                recurrence::read(value, zone, request.now)
            }),
            series: match purpose {
                Purpose::Create => SeriesFields::default(),
                Purpose::Update => SeriesFields::read(input),
            },
            cost: CostWrite::read(input),
            currency: input.read_clearable("currency", input::currency),
            tickets: input.read("tickets", |value| tickets::read(value, strict, request)),
            website: input.read_clearable("website", input::web_url),
            flags: FlagChanges::read(input),
            password: read_password(input),
            categories: links::read_terms(input, "categories"),
            tags: links::read_terms(input, "tags"),
            venue: links::read_venue(input, request),
            organizers: links::read_organizers(input, request),
            parent: input.read_parent(),
        };
        if purpose == Purpose::Create && changes.start.is_some() && changes.end.is_some() {
            let when = changes.when(None, request, input.faults());
            if let Some(when) = when {
                changes.repetition(None, &when, request, input.faults());
            }
        }
        // Without a zone in the request, an update reads the tickets later, in the zone of the
        // stored event.
        let zone = match purpose {
            Purpose::Create => Some(changes.zone.as_ref().unwrap_or(site_zone)),
            Purpose::Update => changes.zone.as_ref(),
        };
        if let (Some(tickets), Some(zone)) = (&changes.tickets, zone) {
            tickets::make(tickets, zone, request.now, &[], input.faults());
        }
        changes
    }

    fn website(&mut self) -> &mut FieldChange<WebUrl> {
        &mut self.website
    }

    async fn lock(&self, unit: &dyn Repositories) -> Result<(), AppError> {
        if matches!(self.parent, FieldChange::Set(_)) {
            unit.events().lock_tree().await?;
        }
        Ok(())
    }

    fn parse_html(&mut self, faults: &mut FaultCollector) {
        if let FieldChange::Set(venue) = &mut self.venue {
            venue.parse_html("venue", Kind::Venue, faults);
        }
        for organizer in self.organizers.iter_mut().flatten() {
            organizer.parse_html("organizer", Kind::Organizer, faults);
        }
    }

    fn image_urls(&self) -> Vec<&WebUrl> {
        let venue = match &self.venue {
            FieldChange::Set(venue) => venue.image_url(),
            FieldChange::Unchanged | FieldChange::Clear => None,
        };
        let organizers = self.organizers.iter().flatten();
        let organizers = organizers.filter_map(links::OrganizerRef::image_url);
        venue.into_iter().chain(organizers).collect()
    }

    async fn apply(
        self,
        before: Option<&Stored<Event>>,
        request: &Request<'_>,
        unit: &dyn Repositories,
        faults: &mut FaultCollector,
    ) -> Result<EventDetails, AppError> {
        let stored = before.map(|event| &event.details);
        let mut details = match (
            stored,
            self.when(stored.map(|details| &details.when), request, faults),
        ) {
            (Some(stored), None) => stored.clone(),
            (Some(stored), Some(when)) => EventDetails {
                when,
                ..stored.clone()
            },
            (None, Some(when)) => {
                let new_uid = || format!("{}@{}", random_hex(), request.site.host);
                let uid = request.origin.map(|origin| origin.uid.clone());
                EventDetails::new(when, uid.unwrap_or_else(new_uid))
            }
            (None, None) => return Err(AppError::invalid("start_date", Fault::Empty)),
        };
        if let Some(repetition) = self.repetition(before, &details.when, request, faults) {
            details.repetition = repetition;
        }
        let Self {
            zone: _,
            start: _,
            end: _,
            all_day: _,
            series_start: _,
            recurrence: _,
            series: _,
            cost,
            currency,
            tickets,
            website,
            flags,
            password,
            categories,
            tags,
            venue,
            organizers,
            parent,
        } = self;
        if let Some(cost) = cost {
            details.cost = cost.resolve(stored, request.site);
        }
        currency.apply(&mut details.currency);
        if let Some(tickets) = tickets {
            let zone = details.when.zone();
            // In another zone, the times of tickets are parsed without reference to the stored
            // ones.
            let is_same_zone = stored.is_some_and(|stored| stored.when.zone() == zone);
            let before = if is_same_zone { &*details.tickets } else { &[] };
            details.tickets = tickets::make(&tickets, zone, request.now, before, faults);
        }
        match website {
            FieldChange::Set(url)
                if before.is_some_and(|event| is_page_of(url.as_str(), event, request.site)) =>
            {
                details.website = None;
            }
            website => website.apply(&mut details.website),
        }
        match password {
            FieldChange::Unchanged => {}
            FieldChange::Clear => details.password = None,
            FieldChange::Set(password) => {
                details.password = Some(request.hash(password.expose()));
            }
        }
        flags.apply(&mut details);
        let links = SentLinks {
            categories,
            tags,
            venue,
            organizers,
            parent,
        };
        links
            .apply(&mut details, before, request, unit, faults)
            .await?;
        if stored.is_some_and(|stored| matters_to_guests(stored, &details)) {
            details.sequence += 1;
        }
        if let Some(origin) = request.origin {
            details.sequence = details.sequence.max(origin.sequence);
        }
        Ok(details)
    }
}

impl EventChanges {
    /// Whether a time or a part of it was sent.
    pub(super) fn has_time(&self) -> bool {
        self.zone.is_some() || self.start.is_some() || self.end.is_some() || self.all_day.is_some()
    }

    /// Whether a field of one occurrence was sent. Formatted texts are fields of all entries.
    pub(super) fn sends(&self, shared: &EntryChanges, field: OwnField) -> bool {
        let flags = &self.flags;
        match field {
            OwnField::Title => shared.title != FieldChange::Unchanged,
            OwnField::Description => shared.description.is_some(),
            OwnField::Excerpt => shared.excerpt.is_some(),
            OwnField::Image => shared.image != FieldChange::Unchanged,
            OwnField::StartDate => self.start.is_some(),
            OwnField::EndDate => self.end.is_some(),
            OwnField::TimeZone => self.zone.is_some(),
            OwnField::AllDay => self.all_day.is_some(),
            OwnField::Cancelled => flags.cancelled.is_some(),
            OwnField::Cost => self.sends_cost(),
            OwnField::Currency => self.currency != FieldChange::Unchanged,
            OwnField::Tickets => self.tickets.is_some(),
            OwnField::Website => self.website != FieldChange::Unchanged,
            OwnField::ShowMap => flags.show_map.is_some(),
            OwnField::ShowMapLink => flags.show_map_link.is_some(),
            OwnField::HideFromListings => flags.hide_from_listings.is_some(),
            OwnField::Sticky => flags.sticky.is_some(),
            OwnField::Featured => flags.featured.is_some(),
            OwnField::Categories => self.categories.is_some(),
            OwnField::Tags => self.tags.is_some(),
            OwnField::Venue => !matches!(self.venue, FieldChange::Unchanged),
            OwnField::Organizers => self.organizers.is_some(),
            OwnField::Parent => self.parent != FieldChange::Unchanged,
        }
    }

    /// Whether the cost was sent as one text or list.
    pub(super) fn sends_cost(&self) -> bool {
        self.cost.as_ref().is_some_and(|cost| !cost.is_of_details())
    }

    /// Whether a recurrence was sent.
    pub(super) fn has_recurrence(&self) -> bool {
        self.recurrence.is_some()
    }

    /// Whether a password was sent, or cleared where the event has one.
    pub(super) fn changes_password(&self, before: &Event) -> bool {
        match self.password {
            FieldChange::Unchanged => false,
            FieldChange::Clear => before.details.password.is_some(),
            FieldChange::Set(_) => true,
        }
    }

    /// The same changes, without a website if a page was sent that events without one show.
    pub(super) fn without_website(mut self, is_page: impl FnOnce(&str) -> bool) -> Self {
        if matches!(&self.website, FieldChange::Set(url) if is_page(url.as_str())) {
            self.website = FieldChange::Clear;
        }
        self
    }

    /// The same changes with a start of the series in place of the time that was sent.
    pub(super) fn at(self, start: Start) -> Self {
        Self {
            series_start: Some(start),
            ..self
        }
    }

    /// Whether and how the event repeats after these changes; none if they are invalid, which is
    /// reported, or concern no series.
    fn repetition(
        &self,
        before: Option<&Stored<Event>>,
        when: &EventTime,
        request: &Request<'_>,
        faults: &mut FaultCollector,
    ) -> Option<Repetition> {
        let now = request.now;
        let horizon = horizon(now, &request.site.zone, request.site.recurrence_months);
        let series = before.and_then(|event| event.series());
        let moved = match series {
            Some(series) => Some(self.moved(&series.recurrence, when, faults)?),
            None if before.is_some_and(|event| event.occurrence().is_some()) => return None,
            None => None,
        };
        let recurrence = match &self.recurrence {
            Some(change) => faults.accept("recurrence", change.apply(moved.as_ref(), when, now))?,
            None => moved,
        };
        let Some(recurrence) = recurrence else {
            return Some(Repetition::Once);
        };
        faults.accept("recurrence", recurrence::check_number(&recurrence, horizon))?;
        let kept_until = recurrence.is_endless().then_some(horizon);
        let former = series.cloned();
        Some(Repetition::Series(Box::new(Series {
            kept_until: kept_until.max(
                former
                    .as_ref()
                    .and_then(|one| kept_until.and(one.kept_until)),
            ),
            recurrence,
            previous: former.as_ref().and_then(|one| one.previous),
            next: former.as_ref().and_then(|one| one.next),
        })))
    }

    /// The recurrence of a series after a move of its first slot; none if its rule does not follow,
    /// which is reported.
    fn moved(
        &self,
        recurrence: &Recurrence,
        when: &EventTime,
        faults: &mut FaultCollector,
    ) -> Option<Recurrence> {
        let stays = match &self.series_start {
            Some(start) => start == recurrence.start(),
            None => when == recurrence.first(),
        };
        if stays {
            return Some(recurrence.clone());
        }
        let moved = |recurrence: &Recurrence| match &self.series_start {
            Some(start) => recurrence.moved_to(start.clone()),
            None => recurrence.moved(when),
        };
        let replaced = self.recurrence.as_ref().filter(|change| change.has_rule());
        match (moved(recurrence), replaced) {
            (Ok(moved), _) => Some(moved),
            (Err(_), Some(_)) => {
                let (extra, deleted) = (recurrence.extra().clone(), recurrence.deleted().clone());
                let start = recurrence.start().clone();
                let dates = Recurrence::from_stored(start, None, extra, deleted);
                faults.accept("start_date", moved(&dates))
            }
            (Err(error @ InvalidMove::NotForAllDay(_)), None) => {
                faults.fault("all_day", error);
                None
            }
            (Err(error), None) => {
                faults.fault("start_date", error);
                None
            }
        }
    }

    /// The event's time after these changes; none if it is invalid, which is reported.
    pub(super) fn when(
        &self,
        before: Option<&EventTime>,
        request: &Request<'_>,
        faults: &mut FaultCollector,
    ) -> Option<EventTime> {
        if let Some(start) = &self.series_start {
            return Some(start.first().clone());
        }
        let stored_zone = before.map_or(&request.site.zone, EventTime::zone);
        let zone = self.zone.as_ref().unwrap_or(stored_zone);
        let all_day = self.all_day.or(before.map(EventTime::all_day));
        let read = |text: &str| {
            if all_day == Some(true) {
                parse_day(text, zone, request.now).map(SentDate::from)
            } else {
                read_date(text, zone, request.now)
            }
        };
        let mut sent = |name, text: &Option<String>| -> Result<Option<SentDate>, ()> {
            let Some(text) = text else { return Ok(None) };
            match read(text) {
                Ok(sent) => Ok(Some(sent)),
                Err(error) => {
                    faults.fault(name, error);
                    Err(())
                }
            }
        };
        let start = sent("start_date", &self.start);
        let end = sent("end_date", &self.end);
        let (Ok(start), Ok(end)) = (start, end) else {
            return None;
        };
        let when = match (before, start, end) {
            (Some(before), start, end) => before.changed(EventTimeChange {
                zone: self.zone.clone(),
                start,
                end,
                all_day: self.all_day,
            }),
            (None, Some(start), Some(end)) => {
                EventTime::sent(zone.clone(), start, end, self.all_day.unwrap_or(false))
            }
            (None, ..) => return None,
        };
        when.map_err(|error| faults.fault("end_date", error)).ok()
    }
}

/// The sent links of an event to other records.
struct SentLinks {
    categories: Option<Vec<TermRef>>,
    tags: Option<Vec<TermRef>>,
    venue: FieldChange<VenueRef>,
    organizers: Option<Vec<OrganizerRef>>,
    parent: FieldChange<EventId>,
}

impl SentLinks {
    /// Applies the links to the details of an event. Faults are reported to `input`.
    async fn apply(
        self,
        details: &mut EventDetails,
        before: Option<&Stored<Event>>,
        request: &Request<'_>,
        unit: &dyn Repositories,
        faults: &mut FaultCollector,
    ) -> Result<(), AppError> {
        let stored = before.map(|event| &event.details);
        let Self {
            categories,
            tags,
            venue,
            organizers,
            parent,
        } = self;
        let venues = match &venue {
            FieldChange::Set(venue) => std::slice::from_ref(venue),
            FieldChange::Unchanged | FieldChange::Clear => &[],
        };
        let keys = RelatedKeys {
            categories: links::folded_terms(categories.as_deref()),
            tags: links::folded_terms(tags.as_deref()),
            venues: links::folded_places(venues),
            organizers: links::folded_places(organizers.as_deref().unwrap_or_default()),
            category_ids: links::term_ids(categories.as_deref()),
            tag_ids: links::term_ids(tags.as_deref()),
            venue_ids: links::place_ids(venues),
            organizer_ids: links::place_ids(organizers.as_deref().unwrap_or_default()),
        };
        unit.events().prefetch(&keys).await?;
        if let Some(categories) = categories {
            let sent = links::resolve_terms(categories, request, unit).await?;
            details.categories = links::in_order(sent, stored.map(|stored| &*stored.categories));
        }
        if let Some(tags) = tags {
            let sent = links::resolve_terms(tags, request, unit).await?;
            details.tags = links::in_order(sent, stored.map(|stored| &*stored.tags));
        }
        match venue {
            FieldChange::Unchanged => {}
            FieldChange::Clear => {
                let present = details.venue.as_slice();
                let kept = links::with_hidden::<VenueDetails>(Vec::new(), present, request, unit);
                details.venue = kept.await?.first().copied();
            }
            FieldChange::Set(venue) => {
                let found = links::resolve_places(vec![venue], "venue", request, unit, faults);
                details.venue = found.await?.first().copied();
            }
        }
        if let Some(organizers) = organizers {
            let found = links::resolve_places(organizers, "organizer", request, unit, faults);
            let (sent, present) = (found.await?, &details.organizers);
            let kept = links::with_hidden::<OrganizerDetails>(sent, present, request, unit);
            details.organizers = kept.await?;
        }
        // A hidden parent is shown as none.
        let parent = match (parent, details.parent) {
            (FieldChange::Clear, Some(present)) => {
                let (parents, visibility) = ([present], request.visibility());
                let shown = unit.events().linkable_ids(&parents, &visibility);
                if shown.await?.is_empty() {
                    FieldChange::Unchanged
                } else {
                    FieldChange::Clear
                }
            }
            (parent, _) => parent,
        };
        if let FieldChange::Set(parent) = parent {
            let event = before.map(|event| event.id);
            links::check_parent("parent", parent, event, request, unit, faults).await?;
        }
        parent.apply(&mut details.parent);
        Ok(())
    }
}

/// The sent flags of an event.
#[derive(Clone, Debug, Default)]
pub(crate) struct FlagChanges {
    pub(crate) cancelled: Option<bool>,
    pub(crate) show_map: Option<bool>,
    pub(crate) show_map_link: Option<bool>,
    pub(crate) hide_from_listings: Option<bool>,
    pub(crate) sticky: Option<bool>,
    pub(crate) featured: Option<bool>,
}

impl FlagChanges {
    fn read(input: &mut Input<'_>) -> Self {
        let mut flag = |name| input.read(name, input::boolean);
        Self {
            cancelled: flag("cancelled"),
            show_map: flag("show_map"),
            show_map_link: flag("show_map_link"),
            hide_from_listings: flag("hide_from_listings"),
            sticky: flag("sticky"),
            featured: flag("featured"),
        }
    }

    fn apply(self, details: &mut EventDetails) {
        for (flag, sent) in [
            (&mut details.cancelled, self.cancelled),
            (&mut details.show_map, self.show_map),
            (&mut details.show_map_link, self.show_map_link),
            (&mut details.hide_from_listings, self.hide_from_listings),
            (&mut details.sticky, self.sticky),
            (&mut details.featured, self.featured),
        ] {
            *flag = sent.unwrap_or(*flag);
        }
    }
}

/// Whether guests must be notified of the change (RFC 5546, 2.1.4).
fn matters_to_guests(before: &EventDetails, after: &EventDetails) -> bool {
    let rule = |details: &EventDetails| match &details.repetition {
        Repetition::Series(series) => Some(series.recurrence.clone()),
        Repetition::Once | Repetition::Occurrence(_) => None,
    };
    before.when != after.when
        || before.venue != after.venue
        || before.cancelled != after.cancelled
        || rule(before) != rule(after)
}

/// Reads the password of the event from the body alone: in the query, a password opens events.
fn read_password(input: &mut Input<'_>) -> FieldChange<Secret> {
    if !input.is_in_body("password") {
        return FieldChange::Unchanged;
    }
    let read = |value: &_| Ok(Secret::new(input::text(value)?.to_owned()));
    input.read_clearable("password", read)
}
