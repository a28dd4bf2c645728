//! The fields of an event that no other kind has.

use domain::{
    Event, OrganizerDetails, Secret, VenueDetails,
    cost::{Cost, Currency},
    event::OwnField,
    recurrence::{DateValue, RecurrenceParts},
    term::{Categories, Tags, Taxonomy},
    text::Title,
    ticket::Ticket,
    time::EventTime,
};
use serde_json::{Value, json};

use super::{Builder, New, NewEvent, PlaceLink, TermLink, Update, instant, ticket};
use crate::event::Scope;

impl NewEvent {
    /// Starts an event with this title, at this time.
    pub fn builder(title: Title, time: EventTime) -> Builder<Event, New> {
        Builder::new().titled(&title).time(time)
    }
}

impl<P> Builder<Event, P> {
    /// The time: start, end, zone, and whether the event takes whole days. To change a part of a
    /// stored time, set what [`EventTime::changed`] returns.
    pub fn time(self, time: EventTime) -> Self {
        self.set("timezone", time.zone().name())
            .set("start_date", instant(time.start().utc))
            .set("end_date", instant(time.end().utc))
            .set("all_day", time.all_day())
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
        let rule = rule.map(|rule| rule.to_string()).unwrap_or_default();
        let texts =
            |dates: Vec<DateValue>| -> Vec<_> { dates.iter().map(DateValue::to_string).collect() };
        self.set(
            "recurrence",
            json!({ "rrule": rule, "rdate": texts(extra), "exdate": texts(deleted) }),
        )
    }

    /// The short text, as HTML; an empty one removes it.
    pub fn excerpt(self, html: impl Into<String>) -> Self {
        self.set("excerpt", html.into())
    }

    /// The price; [`Cost::default`] removes it.
    pub fn cost(self, cost: Cost) -> Self {
        self.set("cost", cost.texts())
    }

    /// The currency of a price without a symbol; without one, that of the site.
    pub fn currency(self, currency: Currency) -> Self {
        self.set("currency", currency.code())
    }

    /// All tickets; at most [`MAX_TICKETS`](domain::ticket::MAX_TICKETS).
    pub fn tickets(self, tickets: impl IntoIterator<Item = Ticket>) -> Self {
        let tickets = tickets.into_iter().map(|ticket| ticket::value(&ticket));
        self.set("tickets", tickets.collect::<Vec<_>>())
    }

    /// Whether the event was called off.
    pub fn cancelled(self, cancelled: bool) -> Self {
        self.set("cancelled", cancelled)
    }

    /// Whether lists leave the event out.
    pub fn hide_from_listings(self, hide: bool) -> Self {
        self.set("hide_from_listings", hide)
    }

    /// Whether the event is sticky.
    pub fn sticky(self, sticky: bool) -> Self {
        self.set("sticky", sticky)
    }

    /// Whether the event is featured.
    pub fn featured(self, featured: bool) -> Self {
        self.set("featured", featured)
    }

    /// The password that locks the content, not empty.
    pub fn password(self, password: Secret) -> Self {
        self.set("password", password.expose().as_str())
    }

    /// All categories, by ID or by name.
    pub fn categories<L>(self, categories: impl IntoIterator<Item = L>) -> Self
    where
        L: Into<TermLink<Categories>>,
    {
        self.terms("categories", categories)
    }

    /// All tags, by ID or by name.
    pub fn tags<L>(self, tags: impl IntoIterator<Item = L>) -> Self
    where
        L: Into<TermLink<Tags>>,
    {
        self.terms("tags", tags)
    }

    fn terms<X, L>(self, name: &'static str, links: impl IntoIterator<Item = L>) -> Self
    where
        X: Taxonomy,
        L: Into<TermLink<X>>,
    {
        let links = links.into_iter().map(|link| link.into().value);
        self.set(name, links.collect::<Vec<_>>())
    }

    /// The venue, by ID or in full.
    pub fn venue(self, venue: impl Into<PlaceLink<VenueDetails>>) -> Self {
        self.set("venue", venue.into().value)
    }

    /// All organizers, by ID or in full.
    pub fn organizers<L>(self, organizers: impl IntoIterator<Item = L>) -> Self
    where
        L: Into<PlaceLink<OrganizerDetails>>,
    {
        let links = organizers.into_iter().map(|link| link.into().value);
        self.set("organizer", links.collect::<Vec<_>>())
    }
}

impl Builder<Event, Update> {
    /// Makes a series an event that happens once, at its first slot.
    pub fn stop_repeating(self) -> Self {
        self.set("recurrence", "")
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
        self.set("scope", scope.name())
    }

    /// Drops the own fields and cancellations of the occurrences that the change concerns.
    pub fn reset_overrides(self) -> Self {
        self.set("overrides", "reset")
    }

    /// Makes extra dates of the occurrences with fields of their own whose slots go; by default,
    /// they go to the trash.
    pub fn keep_orphans(self) -> Self {
        self.set("orphans", "keep")
    }

    /// Makes fields of an occurrence follow its series again.
    pub fn reset(self, fields: impl IntoIterator<Item = OwnField>) -> Self {
        let names = fields.into_iter().map(OwnField::name);
        self.set("reset", names.collect::<Vec<_>>())
    }

    /// Makes all fields of an occurrence follow its series again.
    pub fn reset_all(self) -> Self {
        self.set("reset", true)
    }

    /// Makes an occurrence an event of its own, which belongs to no series.
    pub fn detach(self) -> Self {
        self.set("detach", true)
    }

    /// Removes the currency.
    pub fn clear_currency(self) -> Self {
        self.clear("currency")
    }

    /// Removes the password, which opens the content.
    pub fn clear_password(self) -> Self {
        self.clear("password")
    }

    /// Removes all categories.
    pub fn clear_categories(self) -> Self {
        self.set("categories", Vec::<Value>::new())
    }

    /// Removes all tags.
    pub fn clear_tags(self) -> Self {
        self.set("tags", Vec::<Value>::new())
    }

    /// Removes all organizers.
    pub fn clear_organizers(self) -> Self {
        self.set("organizer", Vec::<Value>::new())
    }

    /// Removes the venue.
    pub fn clear_venue(self) -> Self {
        self.clear("venue")
    }
}
