//! The model: plain maps of the entities of `domain`, which follow its rules.

use std::collections::BTreeMap;

use app::event::{Unbounded, WindowBounds};
use domain::{
    Category, Entry, Event, EventId, Id, Kind, Language, Organizer, Record, Role, Status, Stored,
    Tag, UserId, Venue,
    entry::Details,
    event::{EventFilter, EventSort, Window, linked_events},
    page::{Page, PageRequest},
    place::{LinkedEvents, PlaceFilter},
    policy::{Caller, Capability, Guarded, Visibility},
    query::Statuses,
    search::{FieldSearch, Search},
    term::{Taxonomy, Term, TermFilter},
    text::fold,
    time::{Timestamp, Zone},
};

use super::{
    fields::Number,
    query::{Query, Span},
    series::Row,
    step::{Condition, Step},
    writes::require_write,
};

/// The users, in the order of their IDs.
pub(super) const USERS: [(&str, Role); 7] = [
    ("admin", Role::Administrator),
    ("editor", Role::Editor),
    ("author", Role::Author),
    ("contributor", Role::Contributor),
    ("subscriber", Role::Subscriber),
    ("author2", Role::Author),
    ("contributor2", Role::Contributor),
];

/// A refusal: the status of the response.
pub(super) type Refusal = u16;

/// The records of one kind by number.
pub(super) type Table<R> = BTreeMap<Id<R>, Stored<R>>;

/// The state of the record that a write expects.
#[derive(Clone, Copy, Debug)]
pub(super) enum Expected {
    Any,
    None,
    Revision(i64),
}

impl Expected {
    pub(super) fn check(self, revision: i64) -> Result<(), Refusal> {
        let holds = match self {
            Self::Any => true,
            Self::None => false,
            Self::Revision(expected) => expected == revision,
        };
        if holds { Ok(()) } else { Err(412) }
    }
}

/// A calendar.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub(super) now: Timestamp,
    steps: u64,
    created: BTreeMap<&'static str, Number>,
    /// The events with a record: an occurrence has one if it has fields of its own.
    pub(super) events: Table<Event>,
    pub(super) occurrences: BTreeMap<EventId, Row>,
    pub(super) venues: Table<Venue>,
    pub(super) organizers: Table<Organizer>,
    pub(super) categories: Table<Category>,
    pub(super) tags: Table<Tag>,
    /// The revisions that a client noted, by list and number.
    noted: BTreeMap<(&'static str, Number), i64>,
    /// The result of the last step: the number of the record, or the refusal.
    pub(super) expected: Result<Option<Number>, Refusal>,
}

/// A caller: the position of a user in [`USERS`], from 1, or 0 for an anonymous one.
pub(super) fn caller(user: usize) -> Caller {
    match user.checked_sub(1) {
        None => Caller::Anonymous,
        Some(index) => Caller::of(UserId::from_raw(i64::try_from(user).unwrap()), USERS[index].1),
    }
}

impl Model {
    pub(super) fn new() -> Self {
        Self {
            now: app::test_support::at(tests::app::NOW),
            steps: 0,
            created: BTreeMap::new(),
            events: Table::new(),
            occurrences: BTreeMap::new(),
            venues: Table::new(),
            organizers: Table::new(),
            categories: Table::new(),
            tags: Table::new(),
            noted: BTreeMap::new(),
            expected: Ok(None),
        }
    }

    pub(super) const fn now(&self) -> Timestamp {
        self.now
    }

    /// The number of steps so far.
    pub(super) const fn steps(&self) -> u64 {
        self.steps
    }

    /// The number of records of a kind that were created, deleted ones included.
    pub(super) fn created(&self, kind: Kind) -> Number {
        self.created.get(super::list_name(kind)).copied().unwrap_or_default()
    }

    pub(super) fn set_created(&mut self, kind: Kind, last: Number) {
        self.created.insert(super::list_name(kind), last);
    }

    pub(super) fn visibility(&self, user: usize) -> Visibility {
        Visibility::new(caller(user), self.now)
    }

    /// The state that a write on a record expects.
    pub(super) fn expected(&self, condition: Condition, kind: Kind, number: Number) -> Expected {
        match condition {
            Condition::None | Condition::Exists => Expected::Any,
            Condition::Noted => {
                let noted = self.noted.get(&(super::list_name(kind), number));
                noted.map_or(Expected::None, |revision| Expected::Revision(*revision))
            }
            Condition::Unknown => Expected::None,
        }
    }

    /// The revision of a record.
    pub(super) fn revision(&self, kind: Kind, number: Number) -> Option<i64> {
        self.record(kind, number, Language::default()).map(|(revision, ..)| revision)
    }

    /// The language in which a record was written.
    pub(super) fn language(&self, kind: Kind, number: Number) -> Option<Language> {
        self.record(kind, number, Language::default()).map(|(_, language, _)| language)
    }

    /// The title or name of a record in a language.
    pub(super) fn title(&self, kind: Kind, number: Number, language: Language) -> Option<String> {
        self.record(kind, number, language).map(|(.., title)| title)
    }

    /// The revision of a record, its original language, and its title in a language.
    fn record(
        &self,
        kind: Kind,
        number: Number,
        language: Language,
    ) -> Option<(i64, Language, String)> {
        fn shown<R: Record>(
            record: Option<&Stored<R>>,
            language: Language,
        ) -> Option<(i64, Language, String)> {
            let record = record?;
            let shown = record.content.clone().localized(language);
            Some((record.revision, record.language(), shown.title().as_str().to_owned()))
        }
        match kind {
            Kind::Event => shown(self.event(Id::from_raw(number)).as_ref(), language),
            Kind::Venue => shown(self.venues.get(&Id::from_raw(number)), language),
            Kind::Organizer => shown(self.organizers.get(&Id::from_raw(number)), language),
            Kind::Category => shown(self.categories.get(&Id::from_raw(number)), language),
            Kind::Tag => shown(self.tags.get(&Id::from_raw(number)), language),
        }
    }

    /// The state after a step.
    pub(super) fn after(mut self, step: &Step) -> Self {
        self.steps += 1;
        self.expected = match step.write() {
            Step::Create { user, kind, fields } => {
                let number = self.created(*kind) + 1;
                let any = Expected::Any;
                let written = self.write(caller(*user), *kind, number, true, any, fields);
                if written.is_ok() {
                    self.set_created(*kind, number);
                    if self.is_series(*kind, number) {
                        let last = self.add_occurrences(Id::from_raw(number));
                        self.set_created(*kind, last);
                    }
                }
                written.map(|()| Some(number))
            }
            Step::Update { user, kind, number, condition, fields } => {
                let expected = self.expected(*condition, *kind, *number);
                let written = self.write(caller(*user), *kind, *number, false, expected, fields);
                written.map(|()| Some(*number))
            }
            Step::Split { user, number, condition, fields } => {
                let expected = self.expected(*condition, Kind::Event, *number);
                let split = require_write(caller(*user), Kind::Event)
                    .and_then(|()| self.split(caller(*user), *number, expected, fields));
                split.map(|()| Some(*number))
            }
            Step::Delete { user, kind, number, condition, force } => {
                let expected = self.expected(*condition, *kind, *number);
                let deleted = self.delete(caller(*user), *kind, *number, expected, *force);
                deleted.map(|()| Some(*number))
            }
            Step::Note { kind, number } => {
                let revision = self.revision(*kind, *number);
                if self.read(1, *kind, *number).is_ok() {
                    let noted = (super::list_name(*kind), *number);
                    self.noted.extend(revision.map(|revision| (noted, revision)));
                }
                Ok(None)
            }
            Step::Wait { seconds } => {
                self.now = self.now.saturating_add(*seconds);
                Ok(None)
            }
            Step::Restart | Step::Fault { .. } | Step::Look => Ok(None),
        };
        self
    }

    /// Whether a user may read a record under its own address.
    pub(super) fn read(&self, user: usize, kind: Kind, number: Number) -> Result<(), Refusal> {
        let visibility = self.visibility(user);
        match kind {
            Kind::Event => {
                let event = self.event(Id::from_raw(number)).ok_or(404_u16)?;
                event.check_readable(&visibility).map_err(|_| 403)
            }
            Kind::Venue => readable(&self.venues, number, &visibility),
            Kind::Organizer => readable(&self.organizers, number, &visibility),
            Kind::Category => readable(&self.categories, number, &visibility),
            Kind::Tag => readable(&self.tags, number, &visibility),
        }
    }

    /// The records of a kind to which an event links and that the user may see there.
    pub(super) fn links(&self, user: usize, event: &Event, language: Language) -> [Vec<Number>; 4] {
        let visibility = self.visibility(user);
        let details = &event.details;
        let venues = linkable(details.venue.as_slice(), &self.venues, &visibility);
        let organizers = linkable(&details.organizers, &self.organizers, &visibility);
        let categories = by_name(&details.categories, &self.categories, language);
        let tags = by_name(&details.tags, &self.tags, language);
        [numbers(&venues), numbers(&organizers), numbers(&categories), numbers(&tags)]
    }

    /// The number of published events of a term.
    pub(super) fn count(&self, kind: Kind, number: Number) -> u64 {
        let holds = |event: &&Stored<Event>| {
            event.is_counted(self.now)
                && match kind {
                    Kind::Category => event.counted_categories().contains(&Id::from_raw(number)),
                    _ => event.counted_tags().contains(&Id::from_raw(number)),
                }
        };
        self.events.values().filter(holds).count() as u64
    }

    /// A page of a list: the numbers of its records, and the total.
    pub(super) fn list(&self, user: usize, query: &Query) -> Result<(Vec<Number>, u64), Refusal> {
        let all = match query.kind {
            Kind::Event => self.list_events(user, query)?,
            Kind::Venue => {
                let of_place = |event: &Event, id| event.details.venue == Some(id);
                self.list_places(user, query, &self.venues, of_place)?
            }
            Kind::Organizer => {
                let of_place = |event: &Event, id| event.details.organizers.contains(&id);
                self.list_places(user, query, &self.organizers, of_place)?
            }
            Kind::Category => self.list_terms(query, &self.categories)?,
            Kind::Tag => self.list_terms(query, &self.tags)?,
        };
        let request = PageRequest::new(query.page.into(), query.per_page.into(), 100);
        let page = Page::of(all, request);
        if query.page > 1 && page.rows.is_empty() {
            return Err(404);
        }
        Ok((page.rows, page.total))
    }

    fn list_events(&self, user: usize, query: &Query) -> Result<Vec<Number>, Refusal> {
        let language = query.language.unwrap_or_default();
        let visibility = Visibility { language, ..self.visibility(user) };
        let statuses = statuses(query, user)?;
        let venues = query.venue.map(|number| vec![Id::from_raw(number)]);
        let organizers = query.organizer.map(|number| vec![Id::from_raw(number)]);
        let of = |number: Option<Number>| number.map(|number| vec![Id::from_raw(number)]);
        let (categories, tags) = (of(query.category), query.tag.map(Id::from_raw));
        for (kind, number) in [
            (Kind::Venue, query.venue),
            (Kind::Organizer, query.organizer),
            (Kind::Category, query.category),
            (Kind::Tag, query.tag),
        ] {
            if number.is_some_and(|number| self.read(user, kind, number).is_err()) {
                return Err(400);
            }
        }
        let window = match query.span {
            _ if query.include.is_some() => Window::default(),
            Span::Usual => {
                let bounds = WindowBounds::default();
                bounds.window(Unbounded::NextMonths, &Zone::utc(), self.now).0
            }
            Span::After(_) => {
                let start_min = Some(query.span.after().saturating_add(1));
                Window { start_min, ..Window::default() }
            }
            Span::Always => Window::default(),
        };
        let usual = if query.include.is_some() { EventSort::Date } else { EventSort::Start };
        let filter = EventFilter {
            statuses,
            include: query.include.as_deref().map(ids),
            window,
            search: query.search.map(Search::parse).unwrap_or_default(),
            categories,
            tags: tags.map(|tag| vec![tag]),
            venues,
            organizers,
            featured: query.featured,
            sort: query.sort.unwrap_or(usual),
            descending: query.descending,
            ..EventFilter::default()
        };
        let filter = filter.with_descendants(self.categories.values());
        let venue = |id| self.venues.get(&id).map(|venue| &venue.content);
        let events = self.all_events();
        let list = filter.list(&events, venue, &visibility);
        Ok(list.iter().map(|event| event.id.get()).collect())
    }

    fn list_places<D: Details>(
        &self,
        user: usize,
        query: &Query,
        places: &Table<Entry<D>>,
        of_place: impl Fn(&Event, Id<Entry<D>>) -> bool,
    ) -> Result<Vec<Number>, Refusal> {
        let language = query.language.unwrap_or_default();
        let visibility = Visibility { language, ..self.visibility(user) };
        let filter = PlaceFilter {
            statuses: statuses(query, user)?,
            search: query.search.map(FieldSearch::parse),
            include: None,
            has_events: query.has_events,
            only_with_upcoming: query.upcoming,
        };
        let events = self.all_events();
        let events = |id| -> LinkedEvents {
            let events = events.iter().map(|event| &event.content);
            linked_events(events.filter(|event| of_place(event, id)), &visibility)
        };
        let list = filter.list(places.values(), events, &visibility);
        Ok(list.iter().map(|place| place.id.get()).collect())
    }

    fn list_terms<X: Taxonomy>(
        &self,
        query: &Query,
        terms: &Table<Term<X>>,
    ) -> Result<Vec<Number>, Refusal> {
        let asked = query.parent.filter(|_| X::HIERARCHICAL);
        if asked.is_some_and(|above| above != 0 && !terms.contains_key(&Id::from_raw(above))) {
            return Err(400);
        }
        let filter = TermFilter {
            search: query.search.map(fold),
            parent: asked.map(|above| (above != 0).then(|| Id::from_raw(above))),
            hide_empty: query.hide_empty,
            ..TermFilter::default()
        };
        let count = |id: Id<Term<X>>| self.count(X::KIND, id.get());
        let list = filter.list(terms.values(), count, query.language.unwrap_or_default());
        Ok(list.iter().map(|term| term.id.get()).collect())
    }
}

pub(super) fn ids<R>(numbers: &[Number]) -> Vec<Id<R>> {
    numbers.iter().copied().map(Id::from_raw).collect()
}

fn numbers<R>(ids: &[Id<R>]) -> Vec<Number> {
    ids.iter().map(|id| id.get()).collect()
}

fn readable<R>(table: &Table<R>, number: Number, visibility: &Visibility) -> Result<(), Refusal>
where
    R: Record + Guarded,
{
    let record = table.get(&Id::from_raw(number)).ok_or(404_u16)?;
    record.check_readable(visibility).map_err(|_| 403)
}

pub(super) fn linkable<R>(ids: &[Id<R>], table: &Table<R>, visibility: &Visibility) -> Vec<Id<R>>
where
    R: Record + Guarded,
{
    let is_linkable = |id: &Id<R>| table.get(id).is_some_and(|one| one.is_linkable(visibility));
    ids.iter().copied().filter(is_linkable).collect()
}

/// Terms in the order in which an event shows them.
fn by_name<X: Taxonomy>(
    ids: &[Id<Term<X>>],
    table: &Table<Term<X>>,
    language: Language,
) -> Vec<Id<Term<X>>> {
    let terms = ids.iter().filter_map(|id| table.get(id));
    let list = TermFilter::default().list(terms, |_| 0, language);
    list.iter().map(|term| term.id).collect()
}

/// The statuses of a list. Only some callers may ask for entries that are not published.
fn statuses(query: &Query, user: usize) -> Result<Statuses, Refusal> {
    let named = query.status.clone().unwrap_or_default();
    let is_public = named.0.iter().flatten().all(|status| *status == Status::Publish);
    if is_public || caller(user).can(Capability::ListUnpublished) { Ok(named) } else { Err(400) }
}
