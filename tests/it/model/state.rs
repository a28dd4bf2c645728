//! The model: plain maps of the entities of `domain`, which follow its rules.

use std::collections::BTreeMap;

use app::event::{Unbounded, WindowBounds};
use domain::{
    Category, Entry, Event, Id, Kind, Organizer, Record, Role, Stage, Status, Stored, Tag, UserId,
    Venue,
    entry::{Details, PasswordHash},
    event::{EventDetails, EventFilter, EventSort, Window, linked_events},
    page::{Page, PageRequest},
    place::{LinkedEvents, PlaceFilter},
    policy::{Caller, Capability, Guarded, Visibility},
    query::Statuses,
    search::{FieldSearch, Search},
    slug::Slug,
    term::{Taxonomy, Term, TermFilter},
    text::{Title, fold},
    time::{EventTime, Timestamp, Zone},
};

use super::{
    fields::{Fields, Number},
    query::{Query, Span},
    step::Step,
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
type Table<R> = BTreeMap<Id<R>, Stored<R>>;

/// A calendar.
#[derive(Clone, Debug)]
pub(super) struct Model {
    now: Timestamp,
    steps: u64,
    created: BTreeMap<&'static str, Number>,
    pub(super) events: Table<Event>,
    venues: Table<Venue>,
    organizers: Table<Organizer>,
    categories: Table<Category>,
    tags: Table<Tag>,
    /// The result of the last step: the number of the record, or the refusal.
    pub(super) expected: Result<Option<Number>, Refusal>,
}

/// A caller: the place of a user in [`USERS`], from 1, or 0 for an anonymous one.
pub(super) fn caller(user: usize) -> Caller {
    match user.checked_sub(1) {
        None => Caller::Anonymous,
        Some(place) => Caller::of(UserId::from_raw(i64::try_from(user).unwrap()), USERS[place].1),
    }
}

impl Model {
    pub(super) fn new() -> Self {
        Self {
            now: app::test_support::at(tests::app::NOW),
            steps: 0,
            created: BTreeMap::new(),
            events: Table::new(),
            venues: Table::new(),
            organizers: Table::new(),
            categories: Table::new(),
            tags: Table::new(),
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

    pub(super) fn visibility(&self, user: usize) -> Visibility {
        Visibility::new(caller(user), self.now)
    }

    /// The state after a step.
    pub(super) fn after(mut self, step: &Step) -> Self {
        self.steps += 1;
        self.expected = match step.write() {
            Step::Create { user, kind, fields } => {
                let number = self.created(*kind) + 1;
                let written = self.write(caller(*user), *kind, number, None, fields);
                if written.is_ok() {
                    self.created.insert(super::list_name(*kind), number);
                }
                written.map(|()| Some(number))
            }
            Step::Update { user, kind, number, fields } => {
                let written = self.write(caller(*user), *kind, *number, Some(()), fields);
                written.map(|()| Some(*number))
            }
            Step::Delete { user, kind, number, force } => {
                let deleted = self.delete(caller(*user), *kind, *number, *force);
                deleted.map(|()| Some(*number))
            }
            Step::Wait { seconds } => {
                self.now = self.now.saturating_add(*seconds);
                Ok(None)
            }
            Step::Restart | Step::Fault { .. } | Step::Look => Ok(None),
        };
        self
    }

    fn write(
        &mut self,
        caller: Caller,
        kind: Kind,
        number: Number,
        changes: Option<()>,
        fields: &Fields,
    ) -> Result<(), Refusal> {
        require_write(caller, kind)?;
        let is_new = changes.is_none();
        let now = self.now;
        match kind {
            Kind::Event => {
                let id = Id::from_raw(number);
                let before = known(&self.events, id, is_new)?;
                let events = writable(before, caller, fields)?;
                let entry = self.written_event(events, caller, fields)?;
                self.events.insert(id, stored(id, entry));
            }
            Kind::Venue => {
                let id = Id::from_raw(number);
                let before = writable(known(&self.venues, id, is_new)?, caller, fields)?;
                let details = before.map(|one| one.details.clone()).unwrap_or_default();
                let entry = written(before, details, caller, fields, now)?;
                self.venues.insert(id, stored(id, entry));
            }
            Kind::Organizer => {
                let id = Id::from_raw(number);
                let before = writable(known(&self.organizers, id, is_new)?, caller, fields)?;
                let details = before.map(|one| one.details.clone()).unwrap_or_default();
                let entry = written(before, details, caller, fields, now)?;
                self.organizers.insert(id, stored(id, entry));
            }
            Kind::Category => {
                let id = Id::from_raw(number);
                let before = known(&self.categories, id, is_new)?;
                let mut term = written_term(before, fields);
                match fields.parent {
                    None => {}
                    Some(0) => term.parent = None,
                    Some(above) => {
                        let above = Id::from_raw(above);
                        let next = |id: &Id<Category>| self.categories.get(id)?.parent;
                        let mut lineage = std::iter::successors(Some(above), next);
                        if !self.categories.contains_key(&above) || lineage.any(|one| one == id) {
                            return Err(400);
                        }
                        term.parent = Some(above);
                    }
                }
                self.categories.insert(id, stored(id, term));
            }
            Kind::Tag => {
                let id = Id::from_raw(number);
                let term = written_term(known(&self.tags, id, is_new)?, fields);
                self.tags.insert(id, stored(id, term));
            }
        }
        Ok(())
    }

    fn written_event(
        &self,
        before: Option<&Event>,
        caller: Caller,
        fields: &Fields,
    ) -> Result<Event, Refusal> {
        let when = fields.when.map(|[start, end]| {
            let [start, end] = [start, end].map(Timestamp::civil);
            EventTime::new(Zone::utc(), start, end, false).unwrap()
        });
        let mut details = match (before, when) {
            (None, when) => EventDetails::new(when.unwrap(), String::new()),
            (Some(before), None) => before.details.clone(),
            (Some(before), Some(when)) => EventDetails { when, ..before.details.clone() },
        };
        let visibility = Visibility::new(caller, self.now);
        details.hide_from_listings = fields.hidden.unwrap_or(details.hide_from_listings);
        details.featured = fields.featured.unwrap_or(details.featured);
        if let Some(locked) = fields.locked {
            details.password = locked.then(|| PasswordHash::from_stored("5f".to_owned()));
        }
        let mut is_refused = false;
        if let Some(numbers) = &fields.venue {
            let sent = ids(numbers);
            is_refused |= !all_linkable(&sent, &self.venues, &visibility);
            let present = details.venue.as_slice();
            details.venue = kept(sent, present, &self.venues, &visibility).first().copied();
        }
        if let Some(numbers) = &fields.organizers {
            let sent = ids(numbers);
            is_refused |= !all_linkable(&sent, &self.organizers, &visibility);
            details.organizers = kept(sent, &details.organizers, &self.organizers, &visibility);
        }
        if let Some(numbers) = &fields.categories {
            details.categories = terms(numbers, &details.categories, &self.categories);
        }
        if let Some(numbers) = &fields.tags {
            details.tags = terms(numbers, &details.tags, &self.tags);
        }
        let entry = written(before, details, caller, fields, self.now)?;
        if is_refused { Err(400) } else { Ok(entry) }
    }

    fn delete(
        &mut self,
        caller: Caller,
        kind: Kind,
        number: Number,
        force: bool,
    ) -> Result<(), Refusal> {
        require_write(caller, kind)?;
        let now = self.now;
        match kind {
            Kind::Event => {
                delete_entry(&mut self.events, Id::from_raw(number), caller, force, now)?;
            }
            Kind::Venue => {
                let id = Id::from_raw(number);
                if delete_entry(&mut self.venues, id, caller, force, now)? {
                    self.unlink(|details| details.venue = details.venue.filter(|one| *one != id));
                }
            }
            Kind::Organizer => {
                let id = Id::from_raw(number);
                if delete_entry(&mut self.organizers, id, caller, force, now)? {
                    self.unlink(|details| details.organizers.retain(|one| *one != id));
                }
            }
            Kind::Category => {
                let id = Id::from_raw(number);
                let gone = self.categories.remove(&id).ok_or(404_u16)?;
                for below in self.categories.values_mut() {
                    if below.parent == Some(id) {
                        below.content.parent = gone.parent;
                    }
                }
                self.unlink(|details| details.categories.retain(|one| *one != id));
            }
            Kind::Tag => {
                let id = Id::from_raw(number);
                self.tags.remove(&id).ok_or(404_u16)?;
                self.unlink(|details| details.tags.retain(|one| *one != id));
            }
        }
        Ok(())
    }

    fn unlink(&mut self, change: impl Fn(&mut EventDetails)) {
        for event in self.events.values_mut() {
            change(&mut event.content.details);
        }
    }

    /// Whether a user may read a record under its own address.
    pub(super) fn read(&self, user: usize, kind: Kind, number: Number) -> Result<(), Refusal> {
        let visibility = self.visibility(user);
        match kind {
            Kind::Event => readable(&self.events, number, &visibility),
            Kind::Venue => readable(&self.venues, number, &visibility),
            Kind::Organizer => readable(&self.organizers, number, &visibility),
            Kind::Category => readable(&self.categories, number, &visibility),
            Kind::Tag => readable(&self.tags, number, &visibility),
        }
    }

    /// The records of a kind to which an event links and that the user may see there.
    pub(super) fn links(&self, user: usize, number: Number) -> [Vec<Number>; 4] {
        let visibility = self.visibility(user);
        let details = &self.events[&Id::from_raw(number)].details;
        let venues = linkable(details.venue.as_slice(), &self.venues, &visibility);
        let organizers = linkable(&details.organizers, &self.organizers, &visibility);
        let categories = by_name(&details.categories, &self.categories);
        let tags = by_name(&details.tags, &self.tags);
        [numbers(&venues), numbers(&organizers), numbers(&categories), numbers(&tags)]
    }

    /// The number of published events of a term.
    pub(super) fn count(&self, kind: Kind, number: Number) -> u64 {
        let holds = |event: &&Stored<Event>| {
            let details = &event.details;
            event.is_counted(self.now)
                && match kind {
                    Kind::Category => details.categories.iter().any(|id| id.get() == number),
                    _ => details.tags.iter().any(|id| id.get() == number),
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
        let visibility = self.visibility(user);
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
        let list = filter.list(self.events.values(), venue, &visibility);
        Ok(list.iter().map(|event| event.id.get()).collect())
    }

    fn list_places<D: Details>(
        &self,
        user: usize,
        query: &Query,
        places: &Table<Entry<D>>,
        of_place: impl Fn(&Event, Id<Entry<D>>) -> bool,
    ) -> Result<Vec<Number>, Refusal> {
        let visibility = self.visibility(user);
        let filter = PlaceFilter {
            statuses: statuses(query, user)?,
            search: query.search.map(FieldSearch::parse),
            include: None,
            has_events: query.has_events,
            only_with_upcoming: query.upcoming,
        };
        let events = |id| -> LinkedEvents {
            let events = self.events.values().map(|event| &event.content);
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
        let list = filter.list(terms.values(), count, domain::Language::English);
        Ok(list.iter().map(|term| term.id.get()).collect())
    }
}

fn require_write(caller: Caller, kind: Kind) -> Result<(), Refusal> {
    match caller {
        Caller::Anonymous => Err(401),
        caller if caller.can(Capability::Write(kind)) => Ok(()),
        Caller::User { .. } => Err(403),
    }
}

const fn stored<R>(id: Id<R>, content: R) -> Stored<R> {
    Stored { id, revision: 1, content }
}

fn ids<R>(numbers: &[Number]) -> Vec<Id<R>> {
    numbers.iter().copied().map(Id::from_raw).collect()
}

fn numbers<R>(ids: &[Id<R>]) -> Vec<Number> {
    ids.iter().map(|id| id.get()).collect()
}

/// The record before a write; none before a creation.
fn known<R: Record>(table: &Table<R>, id: Id<R>, is_new: bool) -> Result<Option<&R>, Refusal> {
    match table.get(&id) {
        Some(record) => Ok(Some(&record.content)),
        None if is_new => Ok(None),
        None => Err(404),
    }
}

/// Checks that the caller may write an entry, and give it to the author that is sent.
fn writable<'a, D: Details>(
    before: Option<&'a Entry<D>>,
    caller: Caller,
    fields: &Fields,
) -> Result<Option<&'a Entry<D>>, Refusal> {
    let owner = before.map(|before| before.author).or(caller.user());
    let gives_away = fields.author.is_some_and(|to| owner.is_none_or(|from| from.get() != to));
    let may_edit = before.is_none_or(|before| caller.may_edit(before));
    if !may_edit || gives_away && !caller.can(Capability::EditOthers) {
        return Err(403);
    }
    Ok(before)
}

/// An entry after a write.
fn written<D: Details>(
    before: Option<&Entry<D>>,
    details: D,
    caller: Caller,
    fields: &Fields,
    now: Timestamp,
) -> Result<Entry<D>, Refusal> {
    let title = fields.title.as_ref().map(|title| title.parse::<Title>().unwrap());
    let user = caller.user().ok_or(401_u16)?;
    let mut entry = match before {
        Some(before) => before.clone(),
        None => Entry::new(user, title.clone().unwrap(), details.clone(), now),
    };
    let was = before.map(|before| before.stage);
    entry.details = details;
    let shown = before.map(|before| before.status(now));
    let status = fields.status.filter(|status| Some(*status) != shown);
    let date = fields.date.filter(|date| before.is_none_or(|before| before.date != *date));
    if status.is_some_and(|status| caller.granted(D::KIND, status).is_none()) {
        return Err(400);
    }
    if let Some(author) = fields.author {
        if usize::try_from(author).unwrap() > USERS.len() {
            return Err(400);
        }
        entry.author = UserId::from_raw(author);
    }
    entry.title = title.unwrap_or(entry.title);
    if let Some(date) = date {
        entry.date = date;
        entry.date_is_chosen = true;
    }
    let status = match (status, was) {
        (Some(wanted), _) => caller.granted(D::KIND, wanted),
        (None, None) => Some(caller.default_status(D::KIND)),
        // A new date may schedule a published entry, or publish a scheduled one.
        (None, Some(Stage::Published)) if date.is_some() => Some(Status::Publish),
        (None, Some(_)) => None,
    };
    if let Some(status) = status {
        entry.move_to(status, now);
    }
    if needs_slug(&entry, caller, was.is_none()) && entry.slug.is_none() {
        entry.slug = Some(Slug::from_stored("slug".to_owned()));
    }
    if before.is_some_and(|before| *before != entry) {
        entry.modified = now;
    }
    Ok(entry)
}

/// Whether a write gives the entry a slug. Drafts of events have none, which a change of the slug shows.
fn needs_slug<D: Details>(entry: &Entry<D>, caller: Caller, is_new: bool) -> bool {
    match entry.stage {
        Stage::Published | Stage::Private => true,
        Stage::Trashed => is_new,
        Stage::Draft => D::KIND != Kind::Event,
        Stage::Pending => D::KIND != Kind::Event && caller.can(Capability::Publish),
    }
}

fn written_term<X: Taxonomy>(before: Option<&Term<X>>, fields: &Fields) -> Term<X> {
    let name = fields.title.as_ref().map(|name| name.parse::<Title>().unwrap());
    match (before, name) {
        (None, name) => {
            let name = name.unwrap();
            let slug = Term::<X>::slug_from(&name);
            Term::new(name, slug)
        }
        (Some(before), None) => before.clone(),
        (Some(before), Some(name)) => Term { name, ..before.clone() },
    }
}

/// Moves an entry into the trash, or deletes it for good. Returns whether it is gone.
fn delete_entry<D: Details>(
    table: &mut Table<Entry<D>>,
    id: Id<Entry<D>>,
    caller: Caller,
    force: bool,
    now: Timestamp,
) -> Result<bool, Refusal> {
    let entry = table.get_mut(&id).ok_or(404_u16)?;
    if !caller.may_edit(&entry.content) {
        return Err(403);
    }
    if force {
        table.remove(&id);
        return Ok(true);
    }
    if entry.stage == Stage::Trashed {
        return Err(410);
    }
    entry.content.move_to(Status::Trash, now);
    entry.content.modified = now;
    Ok(false)
}

fn readable<R>(table: &Table<R>, number: Number, visibility: &Visibility) -> Result<(), Refusal>
where
    R: Record + Guarded,
{
    let record = table.get(&Id::from_raw(number)).ok_or(404_u16)?;
    record.check_readable(visibility).map_err(|_| 403)
}

fn linkable<R>(ids: &[Id<R>], table: &Table<R>, visibility: &Visibility) -> Vec<Id<R>>
where
    R: Record + Guarded,
{
    let is_linkable = |id: &Id<R>| table.get(id).is_some_and(|one| one.is_linkable(visibility));
    ids.iter().copied().filter(is_linkable).collect()
}

/// Terms in the order in which an event shows them.
fn by_name<X: Taxonomy>(ids: &[Id<Term<X>>], table: &Table<Term<X>>) -> Vec<Id<Term<X>>> {
    let terms = ids.iter().filter_map(|id| table.get(id));
    let list = TermFilter::default().list(terms, |_| 0, domain::Language::English);
    list.iter().map(|term| term.id).collect()
}

fn all_linkable<R>(ids: &[Id<R>], table: &Table<R>, visibility: &Visibility) -> bool
where
    R: Record + Guarded,
{
    linkable(ids, table, visibility).len() == ids.len()
}

/// The links after a write. A caller that sends back all links that it sees keeps the hidden ones.
fn kept<R>(
    sent: Vec<Id<R>>,
    present: &[Id<R>],
    table: &Table<R>,
    visibility: &Visibility,
) -> Vec<Id<R>>
where
    R: Record + Guarded,
{
    let is_part = sent.len() < present.len() && sent.iter().all(|id| present.contains(id));
    if is_part && linkable(present, table, visibility) == sent { present.to_vec() } else { sent }
}

/// The terms after a write: those that exist. The order stays if the set does.
fn terms<R>(numbers: &[Number], present: &[Id<R>], table: &Table<R>) -> Vec<Id<R>> {
    let mut sent = ids(numbers);
    sent.retain(|id| table.contains_key(id));
    let is_same = sent.len() == present.len() && sent.iter().all(|id| present.contains(id));
    if is_same { present.to_vec() } else { sent }
}

/// The statuses of a list. Only some callers may ask for entries that are not published.
fn statuses(query: &Query, user: usize) -> Result<Statuses, Refusal> {
    let named = query.status.clone().unwrap_or_default();
    let is_public = named.0.iter().flatten().all(|status| *status == Status::Publish);
    if is_public || caller(user).can(Capability::ListUnpublished) { Ok(named) } else { Err(400) }
}
