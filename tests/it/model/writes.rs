//! The writes of the model, and their refusals.

use domain::{
    Category, Entry, Event, Id, Kind, Record, Stage, Status, Stored, UserId,
    entry::{Details, PasswordHash},
    event::EventDetails,
    policy::{Caller, Capability, Guarded, Visibility},
    slug::Slug,
    term::{Taxonomy, Term},
    text::Title,
    time::{EventTime, Timestamp, Zone},
};

use super::{
    fields::{Fields, Number},
    state::{Model, Refusal, Table, USERS, ids, linkable},
};

impl Model {
    /// Creates or changes a record.
    pub(super) fn write(
        &mut self,
        caller: Caller,
        kind: Kind,
        number: Number,
        is_new: bool,
        fields: &Fields,
    ) -> Result<(), Refusal> {
        require_write(caller, kind)?;
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

    /// Moves a record into the trash, or deletes it for good.
    pub(super) fn delete(
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
