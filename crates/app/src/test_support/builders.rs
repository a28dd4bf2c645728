//! Builders of records: a test sets only what it is about.

use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicU64, Ordering},
};

use domain::{
    CategoryId, Entry, Event, EventId, Id, OrganizerDetails, OrganizerId, Role, Status, Stored,
    TagId, Term, User, UserId, VenueDetails, VenueId,
    cost::Currency,
    entry::{Details, PasswordHash},
    event::{EventDetails, Repetition, Series},
    html::RichText,
    policy::Caller,
    recurrence::Recurrence,
    slug::Slug,
    term::{Categories, Tags, Taxonomy},
    text::Title,
    ticket::{OnSale, Price, Ticket},
    time::{EventTime, Timestamp, Zone, parse_civil},
};

use crate::{
    ports::{OccurrencePlan, Repositories, SlugRequest},
    resource::Resource,
};

/// The default creation time of records: a month before the clock of a test starts.
const MADE: &str = "2029-12-01 12:00:00";

/// The instant with this wall clock in UTC, `YYYY-MM-DD HH:MM:SS`.
///
/// ```
/// use events_calendar_app::test_support::at;
/// assert_eq!(at("1970-01-02 00:00:00").seconds(), 86_400);
/// ```
pub fn at(time: &str) -> Timestamp {
    Zone::utc()
        .at_local(parse_civil(time).unwrap())
        .unwrap()
        .utc
}

/// A caller with a role. [`add_user`](super::add_user) adds a user to a store, too.
///
/// ```
/// use events_calendar_app::test_support::caller;
/// use domain::{Kind, Role, UserId, policy::Capability};
/// let editor = caller(UserId::from_raw(1), Role::Editor);
/// assert!(editor.can(Capability::Write(Kind::Event)));
/// ```
pub fn caller(id: UserId, role: Role) -> Caller {
    Caller::of(id, role)
}

/// A user without an e-mail address.
///
/// ```
/// use events_calendar_app::test_support::user;
/// use domain::Role;
/// assert_eq!(user("ada", Role::Author).role, Role::Author);
/// ```
pub fn user(name: &str, role: Role) -> User {
    User {
        name: name.parse().unwrap(),
        email: None,
        role,
        disabled: false,
    }
}

/// A public event of the first user, on 1 June 2030 from 10 to 12 o'clock UTC.
///
/// ```
/// use events_calendar_app::test_support::event;
/// use domain::Status;
///
/// let concert = event("Concert").build();
/// assert_eq!(concert.details.when.start().utc.to_string(), "2030-06-01 10:00:00");
/// let walk = event("Walk").lasting("2030-03-09 14:00:00", "2030-03-09 16:00:00").build();
/// assert_eq!(walk.details.when.end().utc.to_string(), "2030-03-09 16:00:00");
/// ```
pub fn event(title: &str) -> EntryBuilder<EventDetails> {
    static EVENTS: AtomicU64 = AtomicU64::new(1);
    let number = EVENTS.fetch_add(1, Ordering::Relaxed);
    let when = utc("2030-06-01 10:00:00", "2030-06-01 12:00:00");
    EntryBuilder::new(
        title,
        EventDetails::new(when, format!("{number}@test.example")),
    )
}

/// A public venue of the first user.
///
/// ```
/// assert_eq!(events_calendar_app::test_support::venue("Old Mill").build().title.as_str(), "Old Mill");
/// ```
pub fn venue(name: &str) -> EntryBuilder<VenueDetails> {
    EntryBuilder::new(name, VenueDetails::default())
}

/// A public organizer of the first user.
///
/// ```
/// assert_eq!(events_calendar_app::test_support::organizer("City").build().title.as_str(), "City");
/// ```
pub fn organizer(name: &str) -> EntryBuilder<OrganizerDetails> {
    EntryBuilder::new(name, OrganizerDetails::default())
}

/// A category at the top.
///
/// ```
/// assert_eq!(events_calendar_app::test_support::category("Free Jazz").build().slug.as_str(), "free-jazz");
/// ```
pub fn category(name: &str) -> TermBuilder<Categories> {
    TermBuilder::new(name)
}

/// A tag.
///
/// ```
/// assert_eq!(events_calendar_app::test_support::tag("Free Jazz").build().slug.as_str(), "free-jazz");
/// ```
pub fn tag(name: &str) -> TermBuilder<Tags> {
    TermBuilder::new(name)
}

fn utc(start: &str, end: &str) -> EventTime {
    let (start, end) = (parse_civil(start).unwrap(), parse_civil(end).unwrap());
    EventTime::new(Zone::utc(), start, end, false).unwrap()
}

fn text(raw: &str) -> RichText {
    RichText::parse(raw).unwrap()
}

/// Builds an event, a venue or an organizer: [`event`], [`venue`], [`organizer`].
///
/// ```
/// use events_calendar_app::test_support::{EntryBuilder, at, event, venue};
/// use domain::{CategoryId, OrganizerId, Status, TagId, UserId, VenueDetails, VenueId};
///
/// let mill: EntryBuilder<VenueDetails> = venue("Old Mill").description("<p>By the river.</p>");
/// assert_eq!(mill.build().description.as_str(), "<p>By the river.</p>");
///
/// let draft = event("Concert").author(UserId::from_raw(3)).status(Status::Draft).excerpt("Soon").build();
/// assert_eq!((draft.author.get(), draft.status(at("2030-01-01 00:00:00"))), (3, Status::Draft));
///
/// let later = event("Concert").scheduled("2030-02-01 08:00:00").build();
/// assert_eq!(later.status(at("2030-01-01 00:00:00")), Status::Future);
/// let dated = event("Concert").dated("2029-11-05 08:00:00").build();
/// assert_eq!(dated.date, at("2029-11-05 08:00:00"));
/// let long = event("Fair").lasting("2030-03-09 08:00:00", "2030-03-11 20:00:00").build();
/// assert_eq!(long.details.when.end().utc, at("2030-03-11 20:00:00"));
///
/// let linked = event("Concert")
///     .venue(VenueId::from_raw(1))
///     .organizers(&[OrganizerId::from_raw(2)])
///     .categories(&[CategoryId::from_raw(3)])
///     .tags(&[TagId::from_raw(4)])
///     .ticket("Adult")
///     .password_hash("e3b0c442")
///     .hidden()
///     .with(|event| event.details.featured = true)
///     .build();
/// assert_eq!(linked.details.tickets[0].price.to_string(), "12.50");
/// ```
#[derive(Clone, Debug)]
pub struct EntryBuilder<D> {
    entry: Entry<D>,
}

impl<D: Details> EntryBuilder<D> {
    fn new(title: &str, details: D) -> Self {
        let title = title.parse::<Title>().unwrap();
        let mut entry = Entry::new(UserId::from_raw(1), title, details, at(MADE));
        entry.move_to(Status::Publish, at(MADE));
        Self { entry }
    }

    /// Sets anything for which there is no method here.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Entry<D>)) -> Self {
        change(&mut self.entry);
        self
    }

    /// With this author.
    #[must_use]
    pub fn author(self, author: UserId) -> Self {
        self.with(|entry| entry.author = author)
    }

    /// With this status; `future` needs a date too: [`Self::scheduled`].
    #[must_use]
    pub fn status(self, status: Status) -> Self {
        self.with(|entry| {
            if status != Status::Publish && status != Status::Future {
                entry.published_at = None;
            }
            entry.move_to(status, at(MADE));
        })
    }

    /// Scheduled for publication at this time.
    #[must_use]
    pub fn scheduled(self, time: &str) -> Self {
        self.dated(time).status(Status::Future)
    }

    /// With a chosen publication date.
    #[must_use]
    pub fn dated(self, time: &str) -> Self {
        self.with(|entry| {
            entry.date = at(time);
            entry.date_is_chosen = true;
        })
    }

    /// With a description.
    #[must_use]
    pub fn description(self, description: &str) -> Self {
        self.with(|entry| entry.description = text(description))
    }

    /// With an excerpt.
    #[must_use]
    pub fn excerpt(self, excerpt: &str) -> Self {
        self.with(|entry| entry.excerpt = text(excerpt))
    }

    /// The record without a slug, which the store assigns when it is inserted.
    pub fn build(self) -> Entry<D> {
        self.entry
    }

    /// Inserts the record with the slug of its title, within a unit of work; see
    /// [`in_unit`](super::in_unit).
    pub async fn insert(self, repositories: &dyn Repositories) -> Stored<Entry<D>>
    where
        Entry<D>: Resource,
    {
        let slug = self.entry.slug_from_title();
        insert(self.entry, slug, repositories).await
    }
}

impl EntryBuilder<EventDetails> {
    /// From one wall clock in UTC to another.
    #[must_use]
    pub fn lasting(self, start: &str, end: &str) -> Self {
        self.with(|event| event.details.when = utc(start, end))
    }

    /// A series by this rule, from its time on. Its occurrences are stored up to `kept_until` if the
    /// rule is endless.
    ///
    /// ```
    /// use events_calendar_app::test_support::{at, event};
    ///
    /// let weekly = event("Jazz").repeating("FREQ=WEEKLY", at("2031-01-01 00:00:00")).build();
    /// assert_eq!(weekly.series().unwrap().kept_until, Some(at("2031-01-01 00:00:00")));
    /// let six = event("Jazz").repeating("FREQ=WEEKLY;COUNT=6", at("2031-01-01 00:00:00")).build();
    /// assert_eq!(six.series().unwrap().kept_until, None);
    /// ```
    #[must_use]
    pub fn repeating(self, rule: &str, kept_until: Timestamp) -> Self {
        self.with(|event| {
            let (none, rule) = (BTreeSet::new(), rule.parse().unwrap());
            let when = event.details.when.clone();
            let recurrence = Recurrence::from_stored(when, Some(rule), none.clone(), none);
            let mut series = Series::new(recurrence);
            series.kept_until = series.recurrence.is_endless().then_some(kept_until);
            event.details.repetition = Repetition::Series(Box::new(series));
        })
    }

    /// Inserts a series with its occurrences, within a unit of work: the series and the IDs of the
    /// occurrences, by start.
    ///
    /// ```
    /// use events_calendar_app::{ports::Repositories, test_support::*};
    /// use domain::Role;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let store = InMemoryStore::new();
    /// add_user(&store, "ada", Role::Author).await;
    /// let weekly = event("Jazz").repeating("FREQ=WEEKLY;COUNT=6", at(START));
    /// let (_, ids) = in_unit(&store, async |unit| weekly.insert_series(unit).await).await;
    /// let third = store.events().find(ids[2]).await.unwrap().unwrap();
    /// assert_eq!(third.details.when.start().utc, at("2030-06-15 10:00:00"));
    /// # }
    /// ```
    pub async fn insert_series(
        self,
        repositories: &dyn Repositories,
    ) -> (Stored<Event>, Vec<EventId>) {
        let series = self.insert(repositories).await;
        let added = match series.series() {
            Some(Series {
                recurrence,
                kept_until: Some(end),
                ..
            }) => recurrence.occurrences(..*end).map(|one| one.slot).collect(),
            Some(Series { recurrence, .. }) => {
                recurrence.occurrences(..).map(|one| one.slot).collect()
            }
            None => Vec::new(),
        };
        let changes = OccurrencePlan {
            added,
            ..OccurrencePlan::default()
        };
        let ids = repositories.occurrences().apply(&series, &changes).await;
        (series, ids.unwrap())
    }

    /// At this venue.
    #[must_use]
    pub fn venue(self, venue: VenueId) -> Self {
        self.with(|event| event.details.venue = Some(venue))
    }

    /// By these organizers.
    #[must_use]
    pub fn organizers(self, organizers: &[OrganizerId]) -> Self {
        self.with(|event| event.details.organizers = organizers.to_vec())
    }

    /// In these categories.
    #[must_use]
    pub fn categories(self, categories: &[CategoryId]) -> Self {
        self.with(|event| event.details.categories = categories.to_vec())
    }

    /// With these tags.
    #[must_use]
    pub fn tags(self, tags: &[TagId]) -> Self {
        self.with(|event| event.details.tags = tags.to_vec())
    }

    /// Hidden from lists.
    #[must_use]
    pub fn hidden(self) -> Self {
        self.with(|event| event.details.hide_from_listings = true)
    }

    /// With one more ticket, for 12.50 euros.
    #[must_use]
    pub fn ticket(self, name: &str) -> Self {
        let ticket = Ticket {
            name: name.parse::<Title>().unwrap(),
            price: "12.50".parse::<Price>().unwrap(),
            currency: "EUR".parse::<Currency>().unwrap(),
            url: None,
            on_sale: OnSale::default(),
        };
        self.with(|event| event.details.tickets.push(ticket))
    }

    /// Locked by the password with this hash.
    #[must_use]
    pub fn password_hash(self, hash: &str) -> Self {
        self.with(|event| event.details.password = Some(PasswordHash::from_stored(hash.to_owned())))
    }
}

/// Builds a category or a tag: [`category`], [`tag`].
///
/// ```
/// use events_calendar_app::test_support::{InMemoryStore, TermBuilder, category, in_unit};
/// use domain::{html::RichText, term::Categories};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let music: TermBuilder<Categories> = category("Music");
/// in_unit(&InMemoryStore::new(), async |unit| {
///     let music = music.with(|term| term.description = RichText::from_plain("Loud").unwrap()).insert(unit).await;
///     let jazz = category("Jazz").below(music.id).build();
///     assert_eq!(jazz.parent, Some(music.id));
/// })
/// .await;
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct TermBuilder<X: Taxonomy> {
    term: Term<X>,
}

impl<X: Taxonomy> TermBuilder<X> {
    fn new(name: &str) -> Self {
        let name = name.parse::<Title>().unwrap();
        let slug = Term::<X>::slug_from(&name);
        Self {
            term: Term::new(name, slug),
        }
    }

    /// Sets anything for which there is no method here.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Term<X>)) -> Self {
        change(&mut self.term);
        self
    }

    /// Below this term.
    #[must_use]
    pub fn below(self, parent: Id<Term<X>>) -> Self {
        self.with(|term| term.parent = Some(parent))
    }

    /// The record.
    pub fn build(self) -> Term<X> {
        self.term
    }

    /// Inserts the record with the slug of its name.
    pub async fn insert(self, repositories: &dyn Repositories) -> Stored<Term<X>>
    where
        Term<X>: Resource,
    {
        let slug = self.term.slug.clone();
        insert(self.term, slug, repositories).await
    }
}

async fn insert<R: Resource>(content: R, slug: Slug, repositories: &dyn Repositories) -> Stored<R> {
    let slugs = SlugRequest::new(slug).into();
    let inserted = R::repository(repositories).insert(content, slugs).await;
    inserted.unwrap()
}
