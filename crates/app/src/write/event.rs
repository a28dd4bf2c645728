//! The fields of an event that no other kind has.

use domain::{
    Event, EventId, FieldName, OrganizerDetails, Secret, VenueDetails,
    cost::{Cost, Currency},
    event::OverrideField,
    recurrence::{DateValue, RecurrenceParts},
    slug::Slug,
    term::{Categories, Tags},
    text::Title,
    ticket::{MAX_TICKETS, Ticket},
    time::EventTime,
};

use super::{
    Builder, Change, New, NewEvent, PlaceLink, TermLink, Update, instant, links::term_links,
};
use crate::{
    event::{RecurrenceChange, Reset, Scope, SentRule, TicketFields},
    fault::{Fault, check_count},
};

impl NewEvent {
    /// Starts an event with this title, at this time.
    pub fn builder(title: Title, time: EventTime) -> Builder<Event, New> {
        Builder::new().titled(title).time(time)
    }
}

impl<P> Builder<Event, P> {
    /// The time: start, end, zone, and whether the event takes whole days. To change a part of a
    /// stored time, set what [`EventTime::changed`] returns.
    pub fn time(self, time: EventTime) -> Self {
        let text = |utc| Some(instant(utc));
        let (start, end) = (text(time.start().utc), text(time.end().utc));
        self.set(FieldName::TimeZone, |write| {
            write.own.zone = Some(time.zone().clone());
        })
        .set(FieldName::StartDate, |write| write.own.start = start)
        .set(FieldName::EndDate, |write| write.own.end = end)
        .set(FieldName::AllDay, |write| {
            write.own.all_day = Some(time.all_day());
        })
    }

    /// When the event repeats: the whole rule, extra and deleted dates.
    ///
    /// ```
    /// use events_calendar_app::write::{EventUpdate, NewEvent};
    /// use domain::{recurrence::RecurrenceParts, time::{EventTime, Zone, parse_civil}};
    ///
    /// let start = parse_civil("2030-03-05 19:00:00").unwrap();
    /// let when = EventTime::new(Zone::utc(), start, start, false)?;
    /// let rule = Some("FREQ=WEEKLY;COUNT=6".parse()?);
    /// let six = RecurrenceParts { rule, ..RecurrenceParts::default() };
    /// let series = NewEvent::builder("Jazz night".parse()?, when).recurrence(six).build();
    /// let ended = EventUpdate::builder().stop_repeating().build();
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn recurrence(self, parts: RecurrenceParts) -> Self {
        let RecurrenceParts {
            rule,
            extra,
            deleted,
        } = parts;
        let texts =
            |dates: Vec<DateValue>| -> Vec<_> { dates.iter().map(DateValue::to_string).collect() };
        let change = RecurrenceChange::Members {
            rule: Some(rule.map_or(SentRule::None, SentRule::Whole)),
            extra: Some(texts(extra)),
            deleted: Some(texts(deleted)),
        };
        self.set(FieldName::Recurrence, |write| {
            write.own.recurrence = Some(change);
        })
    }

    /// The slug; without one, it is made from the title.
    pub fn slug(self, slug: Slug) -> Self {
        self.check(FieldName::Slug, |write, faults| {
            write.shared.slug = faults.slug(FieldName::Slug, &slug);
        })
    }

    /// The event of which this one is a part.
    pub fn parent(self, parent: EventId) -> Self {
        self.set(FieldName::Parent, |write| {
            write.own.parent = Change::Set(parent);
        })
    }

    /// Whether pages show a map.
    pub fn show_map(self, show: bool) -> Self {
        self.set(FieldName::ShowMap, |write| {
            write.own.flags.show_map = Some(show);
        })
    }

    /// Whether pages link to a map.
    pub fn show_map_link(self, show: bool) -> Self {
        self.set(FieldName::ShowMapLink, |write| {
            write.own.flags.show_map_link = Some(show);
        })
    }

    /// The short text, as HTML; an empty one removes it.
    pub fn excerpt(self, html: impl Into<String>) -> Self {
        let html = html.into();
        self.check(FieldName::Excerpt, |write, faults| {
            write.shared.html.excerpt = faults.read_html(FieldName::Excerpt, &html);
        })
    }

    /// The price; [`Cost::default`] removes it.
    pub fn cost(self, cost: Cost) -> Self {
        self.set(FieldName::Cost, |write| write.own.cost = Some(cost.into()))
    }

    /// The currency of a price without a symbol; without one, that of the site.
    pub fn currency(self, currency: Currency) -> Self {
        let currency = Change::Set(currency);
        self.set(FieldName::Currency, |write| write.own.currency = currency)
    }

    /// All tickets; at most [`MAX_TICKETS`](domain::ticket::MAX_TICKETS).
    pub fn tickets(self, tickets: impl IntoIterator<Item = Ticket>) -> Self {
        let tickets = tickets.into_iter().map(TicketFields::from);
        let tickets: Vec<_> = tickets.collect();
        self.check(FieldName::Tickets, |write, faults| {
            let few = tickets.len() <= MAX_TICKETS;
            write.own.tickets = faults.accept(
                FieldName::Tickets,
                few.then_some(tickets).ok_or(Fault::TooMany),
            );
        })
    }

    /// Whether the event was called off.
    pub fn cancelled(self, cancelled: bool) -> Self {
        self.set(FieldName::Cancelled, |write| {
            write.own.flags.cancelled = Some(cancelled);
        })
    }

    /// Whether lists leave the event out.
    pub fn hide_from_listings(self, hide: bool) -> Self {
        self.set(FieldName::HideFromListings, |write| {
            write.own.flags.hide_from_listings = Some(hide);
        })
    }

    /// Whether the event is sticky.
    pub fn sticky(self, sticky: bool) -> Self {
        self.set(FieldName::Sticky, |write| {
            write.own.flags.sticky = Some(sticky);
        })
    }

    /// Whether the event is featured.
    pub fn featured(self, featured: bool) -> Self {
        self.set(FieldName::Featured, |write| {
            write.own.flags.featured = Some(featured);
        })
    }

    /// The password that locks the content, not empty.
    pub fn password(self, password: Secret) -> Self {
        self.check(FieldName::Password, |write, faults| {
            let filled = (!password.expose().is_empty()).then_some(password);
            let filled = faults.accept(FieldName::Password, filled.ok_or(Fault::Empty));
            write.own.password = filled.map_or(Change::Keep, Change::Set);
        })
    }

    /// All categories, by ID or by name.
    pub fn categories<L>(self, categories: impl IntoIterator<Item = L>) -> Self
    where
        L: Into<TermLink<Categories>>,
    {
        let links = term_links(categories);
        self.check(FieldName::Categories, |write, faults| {
            write.own.categories = faults.accept(FieldName::Categories, links);
        })
    }

    /// All tags, by ID or by name.
    pub fn tags<L>(self, tags: impl IntoIterator<Item = L>) -> Self
    where
        L: Into<TermLink<Tags>>,
    {
        let links = term_links(tags);
        self.check(FieldName::Tags, |write, faults| {
            write.own.tags = faults.accept(FieldName::Tags, links);
        })
    }

    /// The venue, by ID or in full.
    pub fn venue(self, venue: impl Into<PlaceLink<VenueDetails>>) -> Self {
        let venue = venue.into();
        self.check(FieldName::Venue, |write, faults| {
            let venue = venue.checked(FieldName::Venue, faults);
            write.own.venue = venue.map_or(Change::Keep, Change::Set);
        })
    }

    /// All organizers, by ID or in full.
    pub fn organizers<L>(self, organizers: impl IntoIterator<Item = L>) -> Self
    where
        L: Into<PlaceLink<OrganizerDetails>>,
    {
        let links: Vec<PlaceLink<_>> = organizers.into_iter().map(Into::into).collect();
        self.check(FieldName::Organizer, |write, faults| {
            if faults
                .accept(FieldName::Organizer, check_count(links.len()))
                .is_some()
            {
                let links = links.into_iter();
                write.own.organizers = links
                    .map(|link| link.checked(FieldName::Organizer, faults))
                    .collect();
            }
        })
    }
}

impl Builder<Event, Update> {
    /// Makes a series an event that happens once, at its first slot.
    pub fn stop_repeating(self) -> Self {
        self.set(FieldName::Recurrence, |write| {
            write.own.recurrence = Some(RecurrenceChange::Stop);
        })
    }

    /// Changes these occurrences of a series; by default, that which is named alone.
    ///
    /// ```
    /// use events_calendar_app::{event::Scope, write::EventUpdate};
    /// use domain::event::OverrideField;
    ///
    /// let later = EventUpdate::builder().scope(Scope::Following).featured(true).reset_overrides();
    /// let wednesdays = EventUpdate::builder().keep_orphans();
    /// let as_the_others = EventUpdate::builder().reset([OverrideField::Title, OverrideField::Venue]);
    /// let plain = EventUpdate::builder().reset_all();
    /// let alone = EventUpdate::builder().detach();
    /// ```
    pub fn scope(self, scope: Scope) -> Self {
        self.set(FieldName::Scope, |write| {
            write.own.series.scope = Some(scope);
        })
    }

    /// Drops the own fields and cancellations of the occurrences that the change concerns.
    pub fn reset_overrides(self) -> Self {
        self.set(FieldName::Overrides, |write| {
            write.own.series.resets_overrides = true;
        })
    }

    /// Makes extra dates of the occurrences with fields of their own whose slots go; by default,
    /// they go to the trash.
    pub fn keep_orphans(self) -> Self {
        self.set(FieldName::Orphans, |write| {
            write.own.series.keeps_orphans = true;
        })
    }

    /// Makes fields of an occurrence follow its series again.
    pub fn reset(self, fields: impl IntoIterator<Item = OverrideField>) -> Self {
        let reset = Reset::Fields(fields.into_iter().collect());
        self.set(FieldName::Reset, |write| {
            write.own.series.reset = Some(reset);
        })
    }

    /// Makes all fields of an occurrence follow its series again.
    pub fn reset_all(self) -> Self {
        self.set(FieldName::Reset, |write| {
            write.own.series.reset = Some(Reset::All);
        })
    }

    /// Makes an occurrence an event of its own, which belongs to no series.
    pub fn detach(self) -> Self {
        self.set(FieldName::Detach, |write| write.own.series.detach = true)
    }

    /// Removes the slug of a translation. An original cannot lose its slug.
    pub fn clear_slug(self) -> Self {
        self.set(FieldName::Slug, |write| write.shared.slug = Change::Clear)
    }

    /// Moves the event to the top.
    pub fn clear_parent(self) -> Self {
        self.set(FieldName::Parent, |write| write.own.parent = Change::Clear)
    }

    /// Removes the currency.
    pub fn clear_currency(self) -> Self {
        self.set(FieldName::Currency, |write| {
            write.own.currency = Change::Clear;
        })
    }

    /// Removes the password, which opens the content.
    pub fn clear_password(self) -> Self {
        self.set(FieldName::Password, |write| {
            write.own.password = Change::Clear;
        })
    }

    /// Removes all categories.
    pub fn clear_categories(self) -> Self {
        self.set(FieldName::Categories, |write| {
            write.own.categories = Some(Vec::new());
        })
    }

    /// Removes all tags.
    pub fn clear_tags(self) -> Self {
        self.set(FieldName::Tags, |write| write.own.tags = Some(Vec::new()))
    }

    /// Removes all organizers.
    pub fn clear_organizers(self) -> Self {
        self.set(FieldName::Organizer, |write| {
            write.own.organizers = Some(Vec::new());
        })
    }

    /// Removes the venue.
    pub fn clear_venue(self) -> Self {
        self.set(FieldName::Venue, |write| write.own.venue = Change::Clear)
    }
}
