//! The writes of the model, and their refusals.

use domain::{
    Category, Entry, Event, Id, Kind, Language, Record, Stage, Status, Stored, UserId,
    entry::{Details, PasswordHash},
    event::EventDetails,
    html::RichText,
    policy::{Caller, Capability, Guarded, Visibility},
    slug::Slug,
    term::{Taxonomy, Term},
    text::Title,
    time::{EventTime, Timestamp, Zone},
};

use super::{
    fields::{Fields, Number},
    series::{occurrence, repeating},
    state::{Expected, Model, Refusal, Table, USERS, ids, linkable},
};

impl Model {
    /// Creates or changes a record.
    pub(super) fn write(
        &mut self,
        caller: Caller,
        kind: Kind,
        number: Number,
        is_new: bool,
        expected: Expected,
        fields: &Fields,
    ) -> Result<(), Refusal> {
        require_write(caller, kind)?;
        let now = self.now;
        match kind {
            Kind::Event => {
                let id = Id::from_raw(number);
                if self.is_occurrence(number) {
                    return self.write_occurrence(caller, id, expected, fields);
                }
                let before = known(&self.events, id, is_new)?;
                writable(before.map(|one| &one.content), caller, fields)?;
                expected.check_known(before)?;
                let event = self.written_series(before.map(|one| &one.content), caller, fields)?;
                let is_changed = before.is_some_and(|before| before.content != event);
                let event = revised(before, id, event);
                self.events.insert(id, event);
                if is_changed {
                    self.renew(id);
                }
            }
            Kind::Venue => {
                let id = Id::from_raw(number);
                let before = known(&self.venues, id, is_new)?;
                let venue = written_place(before, caller, expected, fields, now)?;
                let venue = revised(before, id, venue);
                self.venues.insert(id, venue);
            }
            Kind::Organizer => {
                let id = Id::from_raw(number);
                let before = known(&self.organizers, id, is_new)?;
                let organizer = written_place(before, caller, expected, fields, now)?;
                let organizer = revised(before, id, organizer);
                self.organizers.insert(id, organizer);
            }
            Kind::Category => {
                let id = Id::from_raw(number);
                let before = known(&self.categories, id, is_new)?;
                expected.check_known(before)?;
                let mut term = written_term(before.map(|one| &one.content), fields);
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
                let term = revised(before, id, term);
                self.categories.insert(id, term);
            }
            Kind::Tag => {
                let id = Id::from_raw(number);
                let before = known(&self.tags, id, is_new)?;
                expected.check_known(before)?;
                let term = written_term(before.map(|one| &one.content), fields);
                let term = revised(before, id, term);
                self.tags.insert(id, term);
            }
        }
        Ok(())
    }

    /// An event or a series after a write.
    pub(super) fn written_series(
        &self,
        before: Option<&Event>,
        caller: Caller,
        fields: &Fields,
    ) -> Result<Event, Refusal> {
        let mut event = self.written_event(before, caller, fields)?;
        if let Some(before) = before {
            event.count_publicity_since(before, self.now);
        }
        Ok(event)
    }

    pub(super) fn written_event(
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
        if let (None, Some(days)) = (before, fields.days) {
            details.repetition = repeating(days, &details.when);
        }
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
        if let Some(before) = before {
            details.count_change_since(&before.details);
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
        expected: Expected,
        force: bool,
    ) -> Result<(), Refusal> {
        require_write(caller, kind)?;
        let now = self.now;
        match kind {
            Kind::Event => {
                let id = Id::from_raw(number);
                if self.is_occurrence(number) {
                    return self.delete_occurrence(caller, id, expected, force);
                }
                let before = self.events.get(&id).cloned();
                if delete_entry(&mut self.events, id, caller, expected, force, now)? {
                    self.remove_occurrences(&before.unwrap());
                } else {
                    if let (Some(event), Some(before)) = (self.events.get_mut(&id), before) {
                        event.content.count_publicity_since(&before, now);
                    }
                    self.renew(id);
                }
            }
            Kind::Venue => {
                let id = Id::from_raw(number);
                if delete_entry(&mut self.venues, id, caller, expected, force, now)? {
                    self.unlink(|details| details.venue = details.venue.filter(|one| *one != id));
                }
            }
            Kind::Organizer => {
                let id = Id::from_raw(number);
                if delete_entry(&mut self.organizers, id, caller, expected, force, now)? {
                    self.unlink(|details| details.organizers.retain(|one| *one != id));
                }
            }
            Kind::Category => {
                let id = Id::from_raw(number);
                expected.check(self.categories.get(&id).ok_or(404_u16)?.revision)?;
                let gone = self.categories.remove(&id).ok_or(404_u16)?;
                for below in self.categories.values_mut() {
                    if below.parent == Some(id) {
                        below.content.parent = gone.parent;
                        below.revision += 1;
                    }
                }
                for event in self.events.values_mut() {
                    let event = &mut event.content;
                    event.details.categories.retain(|one| *one != id);
                    if let Some(own) = occurrence(event) {
                        own.own_categories.retain(|one| *one != id);
                    }
                }
            }
            Kind::Tag => {
                let id = Id::from_raw(number);
                expected.check(self.tags.get(&id).ok_or(404_u16)?.revision)?;
                self.tags.remove(&id);
                for event in self.events.values_mut() {
                    let event = &mut event.content;
                    event.details.tags.retain(|one| *one != id);
                    if let Some(own) = occurrence(event) {
                        own.own_tags.retain(|one| *one != id);
                    }
                }
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

impl Expected {
    fn check_known<R>(self, before: Option<&Stored<R>>) -> Result<(), Refusal> {
        before.map_or(Ok(()), |before| self.check(before.revision))
    }
}

pub(super) fn require_write(caller: Caller, kind: Kind) -> Result<(), Refusal> {
    match caller {
        Caller::Anonymous => Err(401),
        caller if caller.can(Capability::Write(kind)) => Ok(()),
        Caller::User { .. } => Err(403),
    }
}

/// A record after a write. Each change counts.
pub(super) fn revised<R: PartialEq>(
    before: Option<&Stored<R>>,
    id: Id<R>,
    content: R,
) -> Stored<R> {
    let revision = match before {
        None => 1,
        Some(before) if before.content == content => before.revision,
        Some(before) => before.revision + 1,
    };
    Stored { id, revision, content }
}

/// The record before a write; none before a creation.
fn known<R: Record>(
    table: &Table<R>,
    id: Id<R>,
    is_new: bool,
) -> Result<Option<&Stored<R>>, Refusal> {
    match table.get(&id) {
        Some(record) => Ok(Some(record)),
        None if is_new => Ok(None),
        None => Err(404),
    }
}

/// Checks that the caller may write an entry, and give it to the author that is sent.
pub(super) fn writable<D: Details>(
    before: Option<&Entry<D>>,
    caller: Caller,
    fields: &Fields,
) -> Result<(), Refusal> {
    let owner = before.map(|before| before.author).or(caller.user());
    let gives_away = fields.author.is_some_and(|to| owner.is_none_or(|from| from.get() != to));
    let may_edit = before.is_none_or(|before| caller.may_edit(before));
    if !may_edit || gives_away && !caller.can(Capability::EditOthers) {
        return Err(403);
    }
    Ok(())
}

/// A venue or an organizer after a write.
fn written_place<D: Details + Default + Clone>(
    before: Option<&Stored<Entry<D>>>,
    caller: Caller,
    expected: Expected,
    fields: &Fields,
    now: Timestamp,
) -> Result<Entry<D>, Refusal> {
    let entry = before.map(|before| &before.content);
    writable(entry, caller, fields)?;
    expected.check_known(before)?;
    let details = entry.map(|one| one.details.clone()).unwrap_or_default();
    written(entry, details, caller, fields, now)
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
    let description = fields.description.clone().map(RichText::from_stored);
    if before.is_none() {
        entry.language = fields.language();
    }
    let shown = entry.clone().localized(fields.language());
    // A text that the language takes from the original makes no translation.
    let title = title.filter(|title| *title != shown.title);
    let description = description.filter(|text| *text != shown.description);
    let is_named = title.is_some();
    if entry.language == fields.language() {
        entry.title = title.unwrap_or(entry.title);
        entry.description = description.unwrap_or(entry.description);
    } else {
        let mut translation = entry.translations.take(fields.language());
        translation.title = title.or(translation.title);
        translation.description = description.or(translation.description);
        entry.translations.put(fields.language(), translation);
    }
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
    if needs_slug(&entry, caller, was.is_none()) {
        let moves = was != Some(entry.stage);
        let slug = || Slug::from_stored("slug".to_owned());
        entry.slug.get_or_insert_with(slug);
        // A translation takes its slug from its first title, and keeps it.
        for language in Language::ALL.into_iter().filter(|one| *one != entry.language) {
            let mut translation = entry.translations.take(language);
            let names = moves || is_named && language == fields.language();
            if names && translation.title.is_some() {
                translation.slug.get_or_insert_with(slug);
            }
            entry.translations.put(language, translation);
        }
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
            Term { language: fields.language(), ..Term::new(name, slug) }
        }
        (Some(before), None) => before.clone(),
        (Some(before), Some(name)) if before.language == fields.language() => {
            Term { name, ..before.clone() }
        }
        (Some(before), Some(name)) => {
            let mut term = before.clone();
            let mut translation = term.translations.take(fields.language());
            // A translation takes its slug from its first name, and keeps it.
            let slug = translation.slug.take();
            translation.slug = slug.or_else(|| Some(Term::<X>::slug_from(&name)));
            translation.title = Some(name);
            term.translations.put(fields.language(), translation);
            term
        }
    }
}

/// Moves an entry into the trash, or deletes it for good. Returns whether it is gone.
fn delete_entry<D: Details>(
    table: &mut Table<Entry<D>>,
    id: Id<Entry<D>>,
    caller: Caller,
    expected: Expected,
    force: bool,
    now: Timestamp,
) -> Result<bool, Refusal> {
    let entry = table.get_mut(&id).ok_or(404_u16)?;
    if !caller.may_edit(&entry.content) {
        return Err(403);
    }
    if !force && entry.stage == Stage::Trashed {
        return Err(410);
    }
    expected.check(entry.revision)?;
    if force {
        table.remove(&id);
        return Ok(true);
    }
    entry.revision += 1;
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
