//! Records that show something else than before because another record changed.

use std::collections::BTreeMap;

use domain::{
    Category, Entry, Event, EventId, Id, ImageId, Kind, Language, Stored, entry::Details,
    policy::Audience, slug::Slug,
};

use super::state::{State, Table};
use crate::ports::RecordRef;

/// The change of one record, with its audience before and after.
pub(super) type Change = (RecordRef, [Audience; 2]);

/// The records that show one of the changed records in another way, each with its audience, and
/// whether the change of a public record is the cause.
pub(super) fn indirect_changes(
    before: &State,
    after: &State,
    changes: &[Change],
) -> BTreeMap<RecordRef, (Audience, bool)> {
    let mut found: BTreeMap<RecordRef, (Audience, bool)> = BTreeMap::new();
    let mut add = |kind, id, audience: Audience, cause: bool| {
        let record = RecordRef { kind, id };
        let known = found.entry(record).or_insert((audience, false));
        known.1 |= cause && audience.is_public();
    };
    for (record, [was, is]) in changes {
        let cause = was.is_public() || is.is_public();
        for (id, event) in &before.events.rows {
            if was != is && before.shows(event, *record) {
                add(
                    Kind::Event,
                    id.get(),
                    Audience::of_entry(&event.content),
                    cause,
                );
            }
        }
        for id in before.moved_below(after, *record) {
            add(Kind::Category, id.get(), Audience::of_term(), cause);
        }
    }
    for (occurrence, series) in before.removed_occurrences(after) {
        let children = before.events.rows.values();
        for event in children.filter(|event| event.details.parent == Some(occurrence)) {
            add(
                Kind::Event,
                event.id.get(),
                Audience::of_entry(&event.content),
                series.is_public(),
            );
        }
    }
    for id in before.described_images(after) {
        let shown = [
            audiences_showing(&before.events, id),
            audiences_showing(&before.venues, id),
            audiences_showing(&before.organizers, id),
        ];
        for (kind, id, audience) in shown.into_iter().flatten() {
            add(kind, id, audience, true);
        }
    }
    found.retain(|record, _| changes.iter().all(|(changed, _)| changed != record));
    found
}

impl State {
    /// Whether an event names a record, has an occurrence of it as its parent, or is a series that was split from it.
    fn shows(&self, event: &Stored<Event>, record: RecordRef) -> bool {
        let details = &event.details;
        let id = record.id;
        match record.kind {
            Kind::Event => {
                let is_parent = details.parent.is_some_and(|parent| {
                    let occurrence = self.occurrences.get(&parent);
                    parent.get() == id || occurrence.is_some_and(|one| one.series.get() == id)
                });
                let mut series = event.series().into_iter();
                let is_neighbour =
                    series.any(|series| series.neighbours().any(|one| one.get() == id));
                is_parent || is_neighbour
            }
            Kind::Venue => details.venue.is_some_and(|venue| venue.get() == id),
            Kind::Organizer => details.organizers.iter().any(|one| one.get() == id),
            Kind::Category => details.categories.iter().any(|one| one.get() == id),
            Kind::Tag => details.tags.iter().any(|one| one.get() == id),
        }
    }

    /// The categories below a changed one, if the paths of their pages differ.
    fn moved_below(&self, after: &Self, record: RecordRef) -> Vec<Id<Category>> {
        let id = Id::from_raw(record.id);
        let rows = [self, after].map(|state| state.categories.get(id));
        let is_moved = match rows {
            [Some(was), Some(is)] if record.kind == Kind::Category => own_path(was) != own_path(is),
            _ => false,
        };
        let ids = self.categories.rows.keys().copied();
        ids.filter(|below| is_moved && self.is_below(*below, id))
            .collect()
    }

    fn is_below(&self, category: Id<Category>, above: Id<Category>) -> bool {
        let parent = |id: &Id<Category>| self.categories.get(*id)?.parent;
        std::iter::successors(parent(&category), parent).any(|one| one == above)
    }

    /// The images with other alternative texts.
    fn described_images(&self, after: &Self) -> Vec<ImageId> {
        let images = after.images.rows.values();
        let described = images.filter(|image| {
            let before = self.images.get(image.id);
            before.is_some_and(|before| before.alt != image.alt)
        });
        described.map(|image| image.id).collect()
    }

    /// The plain occurrences that are gone, each with the audience of its
    /// series.
    fn removed_occurrences(&self, after: &Self) -> impl Iterator<Item = (EventId, Audience)> {
        let rows = self.occurrences.iter();
        let gone =
            rows.filter(|(id, _)| !after.occurrences.contains_key(id) && !self.events.holds(**id));
        gone.filter_map(|(id, row)| {
            let series = self.events.get(row.series)?;
            Some((*id, Audience::of_entry(&series.content)))
        })
    }
}

/// The entries that show an image, each with its audience.
fn audiences_showing<D: Details>(
    entries: &Table<Entry<D>>,
    image: ImageId,
) -> Vec<(Kind, i64, Audience)> {
    let rows = entries.rows.values();
    rows.filter(|entry| entry.image == Some(image))
        .map(|entry| (D::KIND, entry.id.get(), Audience::of_entry(&entry.content)))
        .collect()
}

/// The part of a category in the paths below it: its parent, and its slug in each language.
fn own_path(category: &Category) -> (Option<Id<Category>>, &Slug, [Option<&Slug>; 3]) {
    let translated = Language::ALL.map(|language| {
        let translation = category.translations.get(language);
        translation.and_then(|translation| translation.slug.as_ref())
    });
    (category.parent, &category.slug, translated)
}
