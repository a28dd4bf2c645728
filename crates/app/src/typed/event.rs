//! The fields of an event that no other kind has.

use domain::{
    Event, EventId, OrganizerDetails, Secret, VenueDetails,
    cost::{Cost, Currency},
    event::OwnField,
    recurrence::{DateValue, RecurrenceParts},
    slug::Slug,
    term::{Categories, Tags},
    text::Title,
    ticket::{MAX_TICKETS, Ticket},
    time::EventTime,
};

use super::{Builder, New, NewEvent, PlaceLink, TermLink, Update, instant, links::term_links};
use crate::{
    event::{RecurrenceChange, Reset, Scope, SentRule, TicketFields},
    input::{Fault, FieldChange, bounded},
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
        self.set("timezone", |(_, own)| own.zone = Some(time.zone().clone()))
            .set("start_date", |(_, own)| own.start = start)
            .set("end_date", |(_, own)| own.end = end)
            .set("all_day", |(_, own)| own.all_day = Some(time.all_day()))
    }

    /// When the event repeats: the whole rule, extra and deleted dates.
    ///
    /// ```
    /// use app::typed::{EventUpdate, NewEvent};
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
        self.set("recurrence", |(_, own)| own.recurrence = Some(change))
    }

    /// The slug; without one, it is made from the title.
    pub fn slug(self, slug: Slug) -> Self {
        self.check("slug", |(shared, _), faults| {
            shared.slug = faults.slug("slug", &slug);
        })
    }

    /// The event of which this one is a part.
    pub fn parent(self, parent: EventId) -> Self {
        self.set("parent", |(_, own)| own.parent = FieldChange::Set(parent))
    }

    /// Whether pages show a map.
    pub fn show_map(self, show: bool) -> Self {
        self.set("show_map", |(_, own)| own.flags.show_map = Some(show))
    }

    /// Whether pages link to a map.
    pub fn show_map_link(self, show: bool) -> Self {
        self.set("show_map_link", |(_, own)| {
            own.flags.show_map_link = Some(show);
        })
    }

    /// The short text, as HTML; an empty one removes it.
    pub fn excerpt(self, html: impl Into<String>) -> Self {
        let html = html.into();
        let sized = self.sized(html.len());
        sized.check("excerpt", |(shared, _), faults| {
            shared.html.excerpt = faults.read_html("excerpt", &html);
        })
    }

    /// The price; [`Cost::default`] removes it.
    pub fn cost(self, cost: Cost) -> Self {
        self.set("cost", |(_, own)| own.cost = Some(cost.into()))
    }

    /// The currency of a price without a symbol; without one, that of the site.
    pub fn currency(self, currency: Currency) -> Self {
        let currency = FieldChange::Set(currency);
        self.set("currency", |(_, own)| own.currency = currency)
    }

    /// All tickets; at most [`MAX_TICKETS`](domain::ticket::MAX_TICKETS).
    pub fn tickets(self, tickets: impl IntoIterator<Item = Ticket>) -> Self {
        let tickets = tickets.into_iter().map(TicketFields::from);
        let tickets: Vec<_> = tickets.collect();
        self.check("tickets", |(_, own), faults| {
            let few = tickets.len() <= MAX_TICKETS;
            own.tickets = faults.accept("tickets", few.then_some(tickets).ok_or(Fault::TooMany));
        })
    }

    /// Whether the event was called off.
    pub fn cancelled(self, cancelled: bool) -> Self {
        self.set("cancelled", |(_, own)| {
            own.flags.cancelled = Some(cancelled);
        })
    }

    /// Whether lists leave the event out.
    pub fn hide_from_listings(self, hide: bool) -> Self {
        self.set("hide_from_listings", |(_, own)| {
            own.flags.hide_from_listings = Some(hide);
        })
    }

    /// Whether the event is sticky.
    pub fn sticky(self, sticky: bool) -> Self {
        self.set("sticky", |(_, own)| own.flags.sticky = Some(sticky))
    }

    /// Whether the event is featured.
    pub fn featured(self, featured: bool) -> Self {
        self.set("featured", |(_, own)| own.flags.featured = Some(featured))
    }

    /// The password that locks the content, not empty.
    pub fn password(self, password: Secret) -> Self {
        self.check("password", |(_, own), faults| {
            let filled = (!password.expose().is_empty()).then_some(password);
            let filled = faults.accept("password", filled.ok_or(Fault::Empty));
            own.password = filled.map_or(FieldChange::Unchanged, FieldChange::Set);
        })
    }

    /// All categories, by ID or by name.
    pub fn categories<L>(self, categories: impl IntoIterator<Item = L>) -> Self
    where
        L: Into<TermLink<Categories>>,
    {
        let links = term_links(categories);
        self.check("categories", |(_, own), faults| {
            own.categories = faults.accept("categories", links);
        })
    }

    /// All tags, by ID or by name.
    pub fn tags<L>(self, tags: impl IntoIterator<Item = L>) -> Self
    where
        L: Into<TermLink<Tags>>,
    {
        let links = term_links(tags);
        self.check("tags", |(_, own), faults| {
            own.tags = faults.accept("tags", links);
        })
    }

    /// The venue, by ID or in full.
    pub fn venue(self, venue: impl Into<PlaceLink<VenueDetails>>) -> Self {
        let venue = venue.into();
        let sized = self.sized(venue.size());
        sized.check("venue", |(_, own), faults| {
            let venue = venue.checked("venue", faults);
            own.venue = venue.map_or(FieldChange::Unchanged, FieldChange::Set);
        })
    }

    /// All organizers, by ID or in full.
    pub fn organizers<L>(self, organizers: impl IntoIterator<Item = L>) -> Self
    where
        L: Into<PlaceLink<OrganizerDetails>>,
    {
        let links: Vec<PlaceLink<_>> = organizers.into_iter().map(Into::into).collect();
        let sized = self.sized(links.iter().map(PlaceLink::size).sum());
        sized.check("organizer", |(_, own), faults| {
            if faults.accept("organizer", bounded(links.len())).is_some() {
                let links = links.into_iter();
                own.organizers = links
                    .map(|link| link.checked("organizer", faults))
                    .collect();
            }
        })
    }
}

impl Builder<Event, Update> {
    /// Makes a series an event that happens once, at its first slot.
    pub fn stop_repeating(self) -> Self {
        self.set("recurrence", |(_, own)| {
            own.recurrence = Some(RecurrenceChange::Stop);
        })
    }

    /// Changes these occurrences of a series; by default, that which is named alone.
    ///
    /// ```
    /// use app::{event::Scope, typed::EventUpdate};
    /// use domain::event::OwnField;
    ///
    /// let later = EventUpdate::builder().scope(Scope::Following).featured(true).reset_overrides();
    /// let wednesdays = EventUpdate::builder().keep_orphans();
    /// let as_the_others = EventUpdate::builder().reset([OwnField::Title, OwnField::Venue]);
    /// let plain = EventUpdate::builder().reset_all();
    /// let alone = EventUpdate::builder().detach();
    /// ```
    pub fn scope(self, scope: Scope) -> Self {
        self.set("scope", |(_, own)| own.series.scope = Some(scope))
    }

    /// Drops the own fields and cancellations of the occurrences that the change concerns.
    pub fn reset_overrides(self) -> Self {
        self.set("overrides", |(_, own)| own.series.resets_overrides = true)
    }

    /// Makes extra dates of the occurrences with fields of their own whose slots go; by default,
    /// they go to the trash.
    pub fn keep_orphans(self) -> Self {
        self.set("orphans", |(_, own)| own.series.keeps_orphans = true)
    }

    /// Makes fields of an occurrence follow its series again.
    pub fn reset(self, fields: impl IntoIterator<Item = OwnField>) -> Self {
        let reset = Reset::Fields(fields.into_iter().collect());
        self.set("reset", |(_, own)| own.series.reset = Some(reset))
    }

    /// Makes all fields of an occurrence follow its series again.
    pub fn reset_all(self) -> Self {
        self.set("reset", |(_, own)| own.series.reset = Some(Reset::All))
    }

    /// Makes an occurrence an event of its own, which belongs to no series.
    pub fn detach(self) -> Self {
        self.set("detach", |(_, own)| own.series.detach = true)
    }

    /// Removes the slug of a translation. An original cannot lose its slug.
    pub fn clear_slug(self) -> Self {
        self.set("slug", |(shared, _)| shared.slug = FieldChange::Clear)
    }

    /// Moves the event to the top.
    pub fn clear_parent(self) -> Self {
        self.set("parent", |(_, own)| own.parent = FieldChange::Clear)
    }

    /// Removes the currency.
    pub fn clear_currency(self) -> Self {
        self.set("currency", |(_, own)| own.currency = FieldChange::Clear)
    }

    /// Removes the password, which opens the content.
    pub fn clear_password(self) -> Self {
        self.set("password", |(_, own)| own.password = FieldChange::Clear)
    }

    /// Removes all categories.
    pub fn clear_categories(self) -> Self {
        self.set("categories", |(_, own)| own.categories = Some(Vec::new()))
    }

    /// Removes all tags.
    pub fn clear_tags(self) -> Self {
        self.set("tags", |(_, own)| own.tags = Some(Vec::new()))
    }

    /// Removes all organizers.
    pub fn clear_organizers(self) -> Self {
        self.set("organizer", |(_, own)| own.organizers = Some(Vec::new()))
    }

    /// Removes the venue.
    pub fn clear_venue(self) -> Self {
        self.set("venue", |(_, own)| own.venue = FieldChange::Clear)
    }
}
