//! The fields of an event that no other kind has, and their effect on it.

use domain::{
    Event, EventId, FieldName, OrganizerDetails, Secret, Stored, VenueDetails,
    cost::Currency,
    event::{EventDetails, OverrideField, Repetition, Series},
    recurrence::{InvalidMove, Recurrence, Start, horizon},
    time::{EventTime, EventTimeChange, SentDate, Zone, parse_day, read_date},
    web_url::WebUrl,
};

use super::{
    cost::CostWrite,
    links::{self, OrganizerRef, TermRef, VenueRef},
    own_page::is_page_of,
    recurrence::{self, RecurrenceChange},
    series_change::SeriesChange,
    tickets::{self, TicketFields},
};
use crate::{
    change::Change,
    entry::EntryFields,
    error::AppError,
    fault::{Fault, FaultCollector},
    hashing::random_hex,
    ports::{RelatedKeys, Repositories},
    request::{Purpose, Request},
};

/// The fields of a write that only events have.
#[derive(Clone, Debug, Default)]
pub struct EventFields {
    /// Time zone.
    pub zone: Option<Zone>,
    /// Start, as sent: its meaning depends on the zone, which may be the stored one.
    pub start: Option<String>,
    /// End, as sent: see `start`.
    pub end: Option<String>,
    /// Whether it takes whole days.
    pub all_day: Option<bool>,
    /// The start of the series, in place of the time that was sent.
    pub series_start: Option<Start>,
    /// When the event repeats.
    pub recurrence: Option<RecurrenceChange>,
    /// The occurrences that the write concerns, and how.
    pub series: SeriesChange,
    /// Price.
    pub cost: Option<CostWrite>,
    /// Currency of a price without a symbol.
    pub currency: Change<Currency>,
    /// All tickets.
    pub tickets: Option<Vec<TicketFields>>,
    /// Web site.
    pub website: Change<WebUrl>,
    /// Flags.
    pub flags: FlagChanges,
    /// Password that locks the content.
    pub password: Change<Secret>,
    /// All categories.
    pub categories: Option<Vec<TermRef>>,
    /// All tags.
    pub tags: Option<Vec<TermRef>>,
    /// Venue.
    pub venue: Change<VenueRef>,
    /// All organizers.
    pub organizers: Option<Vec<OrganizerRef>>,
    /// The event above; cleared: none.
    pub parent: Change<EventId>,
}

impl EventFields {
    /// Checks the times and the recurrence of a new event. Without a zone in the write, the tickets of
    /// a change are read later, in the zone of the stored event.
    pub(super) fn check_alone(
        &self,
        purpose: Purpose,
        request: &Request<'_>,
        faults: &mut FaultCollector,
    ) {
        let is_new = purpose == Purpose::Create;
        if is_new && self.start.is_some() && self.end.is_some() {
            let when = self.when(None, request, faults);
            if let Some(when) = when {
                self.repetition(None, &when, request, faults);
            }
        }
        let site_zone = is_new.then_some(&request.site.zone);
        let zone = self.zone.as_ref().or(site_zone);
        if let (Some(tickets), Some(zone)) = (&self.tickets, zone) {
            tickets::make(tickets, zone, request.now, &[], faults);
        }
    }

    /// See [`Resource::lock_for`](crate::resource::Resource::lock_for).
    pub(super) async fn lock(&self, unit: &dyn Repositories) -> Result<(), AppError> {
        if matches!(self.parent, Change::Set(_)) {
            unit.events().lock_tree().await?;
        }
        Ok(())
    }

    /// Parses the texts of places that are given in full.
    pub(super) fn parse_html(&mut self, faults: &mut FaultCollector) {
        if let Change::Set(venue) = &mut self.venue {
            venue.parse_html(FieldName::Venue, faults);
        }
        for organizer in self.organizers.iter_mut().flatten() {
            organizer.parse_html(FieldName::Organizer, faults);
        }
    }

    /// The URLs of images of places that are given in full.
    pub(super) fn image_urls(&self) -> Vec<&WebUrl> {
        let venue = match &self.venue {
            Change::Set(venue) => venue.image_url(),
            Change::Keep | Change::Clear => None,
        };
        let organizers = self.organizers.iter().flatten();
        let organizers = organizers.filter_map(links::OrganizerRef::image_url);
        venue.into_iter().chain(organizers).collect()
    }

    /// The details after a write; `before` is `None` for a new event. Faults are reported to `faults`;
    /// the result is discarded then.
    ///
    /// # Errors
    ///
    /// If the store cannot answer, or if the fields yield no details at all.
    pub(super) async fn apply(
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
            (None, None) => return Err(AppError::invalid(FieldName::StartDate, Fault::Empty)),
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
            Change::Set(url)
                if before.is_some_and(|event| is_page_of(url.as_str(), event, request.site)) =>
            {
                details.website = None;
            }
            website => website.apply(&mut details.website),
        }
        match password {
            Change::Keep => {}
            Change::Clear => details.password = None,
            Change::Set(password) => {
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
        if let Some(stored) = stored {
            details.count_change_since(stored);
        }
        if let Some(origin) = request.origin {
            details.sequence = details.sequence.max(origin.sequence);
        }
        Ok(details)
    }

    /// Whether a time or a part of it was sent.
    pub(super) fn has_time(&self) -> bool {
        self.zone.is_some() || self.start.is_some() || self.end.is_some() || self.all_day.is_some()
    }

    /// Whether a field of one occurrence was sent. Formatted texts are fields of all entries.
    pub(super) fn sends(&self, shared: &EntryFields, field: OverrideField) -> bool {
        let flags = &self.flags;
        match field {
            OverrideField::Title => shared.title != Change::Keep,
            OverrideField::Description => shared.description.is_some(),
            OverrideField::Excerpt => shared.excerpt.is_some(),
            OverrideField::Image => shared.image != Change::Keep,
            OverrideField::StartDate => self.start.is_some(),
            OverrideField::EndDate => self.end.is_some(),
            OverrideField::TimeZone => self.zone.is_some(),
            OverrideField::AllDay => self.all_day.is_some(),
            OverrideField::Cancelled => flags.cancelled.is_some(),
            OverrideField::Cost => self.sends_cost(),
            OverrideField::Currency => self.currency != Change::Keep,
            OverrideField::Tickets => self.tickets.is_some(),
            OverrideField::Website => self.website != Change::Keep,
            OverrideField::ShowMap => flags.show_map.is_some(),
            OverrideField::ShowMapLink => flags.show_map_link.is_some(),
            OverrideField::HideFromListings => flags.hide_from_listings.is_some(),
            OverrideField::Sticky => flags.sticky.is_some(),
            OverrideField::Featured => flags.featured.is_some(),
            OverrideField::Categories => self.categories.is_some(),
            OverrideField::Tags => self.tags.is_some(),
            OverrideField::Venue => !matches!(self.venue, Change::Keep),
            OverrideField::Organizers => self.organizers.is_some(),
            OverrideField::Parent => self.parent != Change::Keep,
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
            Change::Keep => false,
            Change::Clear => before.details.password.is_some(),
            Change::Set(_) => true,
        }
    }

    /// The same changes, without a website if a page was sent that events without one show.
    pub(super) fn without_website(mut self, is_page: impl FnOnce(&str) -> bool) -> Self {
        if matches!(&self.website, Change::Set(url) if is_page(url.as_str())) {
            self.website = Change::Clear;
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
    pub(crate) fn repetition(
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
            Some(change) => faults.accept(
                FieldName::Recurrence,
                change.apply(moved.as_ref(), when, now),
            )?,
            None => moved,
        };
        let Some(recurrence) = recurrence else {
            return Some(Repetition::Once);
        };
        faults.accept(
            FieldName::Recurrence,
            recurrence::check_number(&recurrence, horizon),
        )?;
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
                faults.accept(FieldName::StartDate, moved(&dates))
            }
            (Err(error @ InvalidMove::NotForAllDay(_)), None) => {
                faults.fault(FieldName::AllDay, error);
                None
            }
            (Err(error), None) => {
                faults.fault(FieldName::StartDate, error);
                None
            }
        }
    }

    /// The event's time after these changes; none if it is invalid, which is reported.
    pub(crate) fn when(
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
        let mut sent = |name: FieldName, text: &Option<String>| -> Result<Option<SentDate>, ()> {
            let Some(text) = text else { return Ok(None) };
            match read(text) {
                Ok(sent) => Ok(Some(sent)),
                Err(error) => {
                    faults.fault(name, error);
                    Err(())
                }
            }
        };
        let start = sent(FieldName::StartDate, &self.start);
        let end = sent(FieldName::EndDate, &self.end);
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
        when.map_err(|error| faults.fault(FieldName::EndDate, error))
            .ok()
    }
}

/// The sent links of an event to other records.
struct SentLinks {
    categories: Option<Vec<TermRef>>,
    tags: Option<Vec<TermRef>>,
    venue: Change<VenueRef>,
    organizers: Option<Vec<OrganizerRef>>,
    parent: Change<EventId>,
}

impl SentLinks {
    /// Applies the links to the details of an event. Faults are reported to `faults`.
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
            Change::Set(venue) => std::slice::from_ref(venue),
            Change::Keep | Change::Clear => &[],
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
            Change::Keep => {}
            Change::Clear => {
                let present = details.venue.as_slice();
                let kept = links::with_hidden::<VenueDetails>(Vec::new(), present, request, unit);
                details.venue = kept.await?.first().copied();
            }
            Change::Set(venue) => {
                let found =
                    links::resolve_places(vec![venue], FieldName::Venue, request, unit, faults);
                details.venue = found.await?.first().copied();
            }
        }
        if let Some(organizers) = organizers {
            let found =
                links::resolve_places(organizers, FieldName::Organizer, request, unit, faults);
            let (sent, present) = (found.await?, &details.organizers);
            let kept = links::with_hidden::<OrganizerDetails>(sent, present, request, unit);
            details.organizers = kept.await?;
        }
        // A hidden parent is shown as none.
        let parent = match (parent, details.parent) {
            (Change::Clear, Some(present)) => {
                let (parents, visibility) = ([present], request.visibility());
                let shown = unit.events().linkable_ids(&parents, &visibility);
                if shown.await?.is_empty() {
                    Change::Keep
                } else {
                    Change::Clear
                }
            }
            (parent, _) => parent,
        };
        if let Change::Set(parent) = parent {
            let event = before.map(|event| event.id);
            links::check_parent(FieldName::Parent, parent, event, request, unit, faults).await?;
        }
        parent.apply(&mut details.parent);
        Ok(())
    }
}

/// The sent flags of an event.
#[derive(Clone, Debug, Default)]
pub struct FlagChanges {
    /// Whether it was called off.
    pub cancelled: Option<bool>,
    /// Whether pages show a map.
    pub show_map: Option<bool>,
    /// Whether pages link to a map.
    pub show_map_link: Option<bool>,
    /// Whether lists leave it out.
    pub hide_from_listings: Option<bool>,
    /// Whether it is sticky.
    pub sticky: Option<bool>,
    /// Whether it is featured.
    pub featured: Option<bool>,
}

impl FlagChanges {
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
