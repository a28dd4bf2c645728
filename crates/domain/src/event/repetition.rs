//! Events that repeat, as records: series and their occurrences.

use std::collections::BTreeSet;

use super::{Event, OverriddenFields, OverrideField};
use crate::{
    CategoryId, EventId, Language, Record, Stage, Stored, TagId, Translation, Translations,
    html::RichText,
    recurrence::{Recurrence, Slot},
    slug::Slug,
    text::Title,
    time::Timestamp,
};

/// Whether and how an event repeats.
///
/// ```
/// use std::collections::BTreeSet;
/// use events_calendar_domain::{
///     Entry, EventId, Stored, UserId, event::*, recurrence::Recurrence, text::Title,
///     time::{EventTime, Timestamp, Zone, parse_civil},
/// };
///
/// // Tuesdays at 19:00.
/// let start = parse_civil("2027-03-02 19:00:00").unwrap();
/// let first = EventTime::new(Zone::utc(), start, start, false)?;
/// let rule = Some("FREQ=WEEKLY;COUNT=6".parse()?);
/// let six = Recurrence::from_stored(first.clone(), rule, BTreeSet::new(), BTreeSet::new());
/// let mut details = EventDetails::new(first, "a@cal.example".to_owned());
/// details.repetition = Repetition::Series(Box::new(Series::new(six)));
/// let now = Timestamp::from_seconds(0).unwrap();
/// let content = Entry::new(UserId::from_raw(1), "Jazz night".parse::<Title>()?, details, now);
/// let series = Stored { id: EventId::from_raw(500), revision: 1, content };
/// assert_eq!(series.series().unwrap().recurrence.total(), Some(6));
///
/// // The third one has a title of its own.
/// let slot = "2027-03-16T19:00:00".parse()?;
/// let third = series.occurrence_at(slot).unwrap();
/// assert_eq!(third.details.when.start().local, parse_civil("2027-03-16 19:00:00").unwrap());
/// assert_eq!(third.occurrence().unwrap(), &OccurrenceOf::new(series.id, slot));
/// let mut changed = third.clone();
/// changed.title = "Trio".parse()?;
/// let third = series.with_overrides(&third, changed, |field| field == OverrideField::Title).unwrap();
/// assert_eq!(third.occurrence().unwrap().overridden.names(), ["title"]);
///
/// // Its other fields follow the series.
/// let mut renamed = series.clone();
/// renamed.content.title = "Late jazz".parse()?;
/// renamed.content.details.featured = true;
/// let third = renamed.inherited_by(&third, slot).unwrap();
/// assert_eq!((third.title.as_str(), third.details.featured), ("Trio", true));
///
/// // Terms count the series, and of an occurrence what is its own.
/// renamed.content.details.categories = vec![events_calendar_domain::CategoryId::from_raw(7)];
/// let third = renamed.inherited_by(&third, slot).unwrap();
/// assert_eq!(renamed.counted_categories().len(), 1);
/// assert!(third.counted_categories().is_empty() && third.counted_tags().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Repetition {
    /// It happens once.
    #[default]
    Once,
    /// It is a series, which lists show by its occurrences.
    Series(Box<Series>),
    /// It is one occurrence of a series.
    Occurrence(Box<OccurrenceOf>),
}

/// The part of an event that only a series has.
///
/// ```
/// use std::collections::BTreeSet;
/// use events_calendar_domain::{event::Series, recurrence::Recurrence, time::{EventTime, Zone, parse_civil}};
///
/// let start = parse_civil("2027-03-02 19:00:00").unwrap();
/// let first = EventTime::new(Zone::utc(), start, start, false)?;
/// let rule = Some("FREQ=WEEKLY;COUNT=6".parse()?);
/// let series = Series::new(Recurrence::from_stored(first, rule, BTreeSet::new(), BTreeSet::new()));
/// assert_eq!((series.kept_until, series.stored_slots().len()), (None, 6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    /// When it happens. Its first time is the time of the event.
    pub recurrence: Recurrence,
    /// The instant before which all occurrences are stored; none if the rule ends, as all are then.
    pub kept_until: Option<Timestamp>,
    /// The series from which it was split.
    pub previous: Option<EventId>,
    /// The series that was split from it.
    pub next: Option<EventId>,
}

impl Series {
    /// Whether there is an occurrence at a slot: the recurrence has it, and it is not deleted.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use events_calendar_domain::{event::Series, recurrence::Recurrence, time::{EventTime, Zone, parse_civil}};
    /// # let start = parse_civil("2027-03-02 19:00:00").unwrap();
    /// # let first = EventTime::new(Zone::utc(), start, start, false)?;
    /// # let rule = Some("FREQ=WEEKLY;COUNT=6".parse()?);
    /// let deleted = BTreeSet::from(["2027-03-09T19:00:00".parse()?]);
    /// let series = Series::new(Recurrence::from_stored(first, rule, BTreeSet::new(), deleted));
    /// assert!(series.is_held_at("2027-03-16T19:00:00".parse()?));
    /// assert!(!series.is_held_at("2027-03-09T19:00:00".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_held_at(&self, slot: Slot) -> bool {
        self.recurrence.occurrence_at(slot).is_some()
    }

    /// The slots of the occurrences that are stored, in order.
    pub fn stored_slots(&self) -> Vec<Slot> {
        let end = self.kept_until.unwrap_or(Timestamp::MAX);
        let stored = self.recurrence.occurrences(..end);
        stored.map(|one| one.slot).collect()
    }

    /// The series from which it was split, and the series that was split from it.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use events_calendar_domain::{EventId, event::Series, recurrence::Recurrence, time::{EventTime, Zone, parse_civil}};
    /// # let start = parse_civil("2027-03-02 19:00:00").unwrap();
    /// # let first = EventTime::new(Zone::utc(), start, start, false)?;
    /// # let rule = Some("FREQ=WEEKLY;COUNT=6".parse()?);
    /// let mut series = Series::new(Recurrence::from_stored(first, rule, BTreeSet::new(), BTreeSet::new()));
    /// assert_eq!(series.neighbours().count(), 0);
    /// series.next = Some(EventId::from_raw(7));
    /// assert_eq!(series.neighbours().collect::<Vec<_>>(), [EventId::from_raw(7)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn neighbours(&self) -> impl Iterator<Item = EventId> + use<> {
        self.previous.into_iter().chain(self.next)
    }

    /// A series that was not split, of which all occurrences are stored.
    pub fn new(recurrence: Recurrence) -> Self {
        Self {
            recurrence,
            kept_until: None,
            previous: None,
            next: None,
        }
    }
}

/// The part of an event that only an occurrence has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OccurrenceOf {
    /// Its series.
    pub series: EventId,
    /// Its name within the series (RFC 5545, RECURRENCE-ID), whatever time it is moved to.
    pub slot: Slot,
    /// The fields in which it differs from the series.
    pub overridden: OverriddenFields,
    /// Its categories that the series does not have. It counts for these alone: a term counts a
    /// series once.
    pub own_categories: Vec<CategoryId>,
    /// Its tags that the series does not have.
    pub own_tags: Vec<TagId>,
}

impl OccurrenceOf {
    /// An occurrence with nothing of its own.
    pub fn new(series: EventId, slot: Slot) -> Self {
        Self {
            series,
            slot,
            overridden: OverriddenFields::default(),
            own_categories: Vec::new(),
            own_tags: Vec::new(),
        }
    }
}

impl Event {
    /// The series, if the event is one.
    pub fn series(&self) -> Option<&Series> {
        match &self.details.repetition {
            Repetition::Series(series) => Some(series),
            Repetition::Once | Repetition::Occurrence(_) => None,
        }
    }

    /// The place in its series, if the event is an occurrence.
    pub fn occurrence(&self) -> Option<&OccurrenceOf> {
        match &self.details.repetition {
            Repetition::Occurrence(occurrence) => Some(occurrence),
            Repetition::Once | Repetition::Series(_) => None,
        }
    }
}

impl Event {
    /// The categories that count the event: of an occurrence, those that its series does not have.
    pub fn counted_categories(&self) -> &[CategoryId] {
        let occurrence = self.occurrence();
        occurrence.map_or(&self.details.categories, |one| &one.own_categories)
    }

    /// The tags that count the event: of an occurrence, those that its series does not have.
    pub fn counted_tags(&self) -> &[TagId] {
        let occurrence = self.occurrence();
        occurrence.map_or(&self.details.tags, |one| &one.own_tags)
    }

    /// The unique identifier of the occurrence of this series at a slot, where a file or a table has it alone: the slot in the
    /// form of RFC 5545, 3.3.5, also of a whole day, and the identifier of the series.
    ///
    /// ```
    /// # use events_calendar_domain::{entry::*, event::*, *, text::Title, time::*};
    /// # let now = Timestamp::from_seconds(0).unwrap();
    /// # let noon = parse_civil("2030-03-10 12:00:00").unwrap();
    /// # let details = EventDetails::new(EventTime::new(Zone::utc(), noon, noon, false)?, "fair@cal.example".into());
    /// let fair = Entry::new(UserId::from_raw(1), "Fair".parse::<Title>()?, details, now);
    /// let slot = "2030-03-10T09:00:00".parse()?;
    /// assert_eq!(fair.uid_at(slot), "20300310T090000.fair@cal.example");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn uid_at(&self, slot: Slot) -> String {
        let slot = slot.to_string().replace(['-', ':'], "");
        format!("{slot}.{}", self.details.uid)
    }
}

impl Stored<Event> {
    /// The occurrence of this series at a slot, with nothing of its own; none if the event is no
    /// series, or the slot is outside the years 1 to 9999. It does not ask whether the series has
    /// the slot.
    pub fn occurrence_at(&self, slot: Slot) -> Option<Event> {
        let recurrence = &self.series()?.recurrence;
        let mut event = self.content.clone();
        event.details.when = recurrence.time_at(slot)?;
        event.details.rescheduling = None;
        event.details.uid = self.uid_at(slot);
        let label = recurrence.label(slot);
        let occurrence = OccurrenceOf::new(self.id, slot);
        event.details.repetition = Repetition::Occurrence(Box::new(occurrence));
        let within =
            |slug: &mut Option<Slug>| *slug = slug.take().map(|slug| slug.of_occurrence(&label));
        within(&mut event.slug);
        within(&mut event.former_slug);
        let translations = event.translations.iter().map(|(language, translation)| {
            let mut translation = translation.clone();
            within(&mut translation.slug);
            within(&mut translation.former_slug);
            (language, translation)
        });
        event.translations = translations.collect();
        Some(event)
    }

    /// An occurrence of this series after a change of the series: its UID and its own fields stay, all
    /// others are those of the series. `slot` is its slot in the series. None as for
    /// [`Self::occurrence_at`], or if the event is no occurrence.
    ///
    /// The occurrence is in the trash if the series has not the slot, or has deleted it.
    pub fn inherited_by(&self, event: &Event, slot: Slot) -> Option<Event> {
        let own = &event.occurrence()?.overridden;
        let mut inherited = self.occurrence_at(slot)?;
        for field in OverrideField::ALL {
            if own.contains(field) {
                inherited.copy_field(field, event);
            }
        }
        inherited.translations = overridden_texts(&inherited, event, own);
        if !self.series()?.is_held_at(slot) && !inherited.is_in_trash() {
            inherited.stage = Stage::Trashed;
            let trash = |slug: &mut Option<Slug>, former: &mut Option<Slug>| {
                former.clone_from(slug);
                *slug = slug.take().map(|slug| slug.trashed());
            };
            trash(&mut inherited.slug, &mut inherited.former_slug);
        }
        inherited.modified = inherited.modified.max(event.modified);
        inherited.details.uid.clone_from(&event.details.uid);
        inherited.details.sequence = inherited.details.sequence.max(event.details.sequence);
        // `modified` is the instant of the change.
        if !inherited.keeps_rescheduling(inherited.modified) {
            inherited.details.rescheduling = None;
        }
        inherited.set_overridden(own.clone(), self);
        Some(inherited)
    }

    /// An occurrence of this series after a change of its fields: the fields that were sent, or that
    /// the change altered, are its own exactly if they differ from the series. `before` is the
    /// occurrence before the change. None if the event is no occurrence of the series.
    pub fn with_overrides(
        &self,
        before: &Event,
        mut after: Event,
        is_sent: impl Fn(OverrideField) -> bool,
    ) -> Option<Event> {
        let occurrence = before.occurrence()?;
        let inherited = self.occurrence_at(occurrence.slot)?;
        for field in [OverrideField::Categories, OverrideField::Tags] {
            // Their order has no meaning.
            for known in [before, &inherited] {
                if after.has_same_field(field, known) {
                    after.copy_field(field, known);
                }
            }
        }
        let mut own = OverriddenFields::default();
        let mut decide = |field, is_own: bool, is_changed: bool, differs: bool| {
            if if is_changed || is_sent(field) {
                differs
            } else {
                is_own
            } {
                own.insert(field);
            }
        };
        for field in OverrideField::ALL {
            let is_changed = !after.has_same_field(field, before);
            let differs = !after.has_same_field(field, &inherited);
            decide(
                field,
                occurrence.overridden.contains(field),
                is_changed,
                differs,
            );
        }
        for language in Language::ALL {
            for field in OverrideField::TEXTS {
                let text = |event| translated_text(event, language, field);
                let (new, old) = (text(&after), text(before));
                let was_own = occurrence.overridden.contains_translation(field, language);
                // Without a translation, the original shows.
                let shown = if own.contains(field) {
                    original_text(&after, field)
                } else {
                    text(&inherited).or_else(|| original_text(&inherited, field))
                };
                let is_own = match new {
                    Some(_) => new != shown,
                    None => !own.contains(field) && text(&inherited).is_some(),
                };
                if is_own && (was_own || new != old) {
                    own.insert_translation(field, language);
                }
            }
        }
        after.translations = overridden_texts(&inherited, &after, &own);
        after.set_overridden(own, self);
        Some(after)
    }
}

/// The translations of an occurrence: its own ones, and those of the series for the texts that are not
/// its own. A text of its own hides the translations of the series.
fn overridden_texts(inherited: &Event, event: &Event, own: &OverriddenFields) -> Translations {
    let languages = Language::ALL.into_iter();
    let translations = languages.map(|language| {
        let mut translation = inherited.translations.clone().take(language);
        let mine = event.translations.get(language);
        for field in OverrideField::TEXTS {
            if own.contains_translation(field, language) {
                copy_text(field, &mut translation, mine);
            } else if own.contains(field) {
                copy_text(field, &mut translation, None);
            }
        }
        (language, translation)
    });
    translations.collect()
}

/// Whether two lists have the same IDs, in any order.
fn has_same<T: Copy + Ord>(a: &[T], b: &[T]) -> bool {
    let set = |ids: &[T]| ids.iter().copied().collect::<BTreeSet<_>>();
    set(a) == set(b)
}

/// A translated text of an event.
fn translated_text(event: &Event, language: Language, field: OverrideField) -> Option<&str> {
    let translation = event.translations.get(language)?;
    match field {
        OverrideField::Title => translation.title.as_ref().map(Title::as_str),
        OverrideField::Description => translation.description.as_ref().map(RichText::as_str),
        OverrideField::Excerpt => translation.excerpt.as_ref().map(RichText::as_str),
        _ => None,
    }
}

/// A text of an event in its original language.
fn original_text(event: &Event, field: OverrideField) -> Option<&str> {
    match field {
        OverrideField::Title => Some(event.title.as_str()),
        OverrideField::Description => Some(event.description.as_str()),
        OverrideField::Excerpt => Some(event.excerpt.as_str()),
        _ => None,
    }
}

fn copy_text(field: OverrideField, to: &mut Translation, from: Option<&Translation>) {
    match field {
        OverrideField::Title => to.title = from.and_then(|from| from.title.clone()),
        OverrideField::Description => {
            to.description = from.and_then(|from| from.description.clone());
        }
        OverrideField::Excerpt => to.excerpt = from.and_then(|from| from.excerpt.clone()),
        _ => {}
    }
}

impl Event {
    /// Sets the fields that are its own, and what follows from them.
    fn set_overridden(&mut self, own: OverriddenFields, series: &Event) {
        let details = &mut self.details;
        if !own.has_time() {
            details.rescheduling = None;
        }
        if let Repetition::Occurrence(occurrence) = &mut details.repetition {
            let without = &series.details.categories;
            let categories = details.categories.iter().copied();
            occurrence.own_categories = categories.filter(|id| !without.contains(id)).collect();
            let without = &series.details.tags;
            let tags = details.tags.iter().copied();
            occurrence.own_tags = tags.filter(|id| !without.contains(id)).collect();
            occurrence.overridden = own;
        }
    }

    /// Whether a field is equal in another event. The time counts field by field.
    fn has_same_field(&self, field: OverrideField, other: &Self) -> bool {
        let (a, b) = (&self.details, &other.details);
        match field {
            OverrideField::Title => self.title == other.title,
            OverrideField::Description => self.description == other.description,
            OverrideField::Excerpt => self.excerpt == other.excerpt,
            OverrideField::Image => self.image == other.image,
            OverrideField::StartDate => a.when.start() == b.when.start(),
            OverrideField::EndDate => a.when.end() == b.when.end(),
            OverrideField::TimeZone => a.when.zone() == b.when.zone(),
            OverrideField::AllDay => a.when.all_day() == b.when.all_day(),
            OverrideField::Cancelled => a.cancelled == b.cancelled,
            OverrideField::Cost => a.cost == b.cost,
            OverrideField::Currency => a.currency == b.currency,
            OverrideField::Tickets => a.tickets == b.tickets,
            OverrideField::Website => a.website == b.website,
            OverrideField::ShowMap => a.show_map == b.show_map,
            OverrideField::ShowMapLink => a.show_map_link == b.show_map_link,
            OverrideField::HideFromListings => a.hide_from_listings == b.hide_from_listings,
            OverrideField::Sticky => a.sticky == b.sticky,
            OverrideField::Featured => a.featured == b.featured,
            OverrideField::Categories => has_same(&a.categories, &b.categories),
            OverrideField::Tags => has_same(&a.tags, &b.tags),
            OverrideField::Venue => a.venue == b.venue,
            OverrideField::Organizers => a.organizers == b.organizers,
            OverrideField::Parent => a.parent == b.parent,
        }
    }

    /// Copies a field of another event. Each field of the time copies the whole time.
    fn copy_field(&mut self, field: OverrideField, from: &Self) {
        let (to, details) = (&mut self.details, &from.details);
        match field {
            OverrideField::Title => self.title.clone_from(&from.title),
            OverrideField::Description => self.description.clone_from(&from.description),
            OverrideField::Excerpt => self.excerpt.clone_from(&from.excerpt),
            OverrideField::Image => self.image = from.image,
            OverrideField::StartDate
            | OverrideField::EndDate
            | OverrideField::TimeZone
            | OverrideField::AllDay => {
                to.when.clone_from(&details.when);
                to.rescheduling = details.rescheduling;
            }
            OverrideField::Cancelled => to.cancelled = details.cancelled,
            OverrideField::Cost => to.cost.clone_from(&details.cost),
            OverrideField::Currency => to.currency = details.currency,
            OverrideField::Tickets => to.tickets.clone_from(&details.tickets),
            OverrideField::Website => to.website.clone_from(&details.website),
            OverrideField::ShowMap => to.show_map = details.show_map,
            OverrideField::ShowMapLink => to.show_map_link = details.show_map_link,
            OverrideField::HideFromListings => to.hide_from_listings = details.hide_from_listings,
            OverrideField::Sticky => to.sticky = details.sticky,
            OverrideField::Featured => to.featured = details.featured,
            OverrideField::Categories => to.categories.clone_from(&details.categories),
            OverrideField::Tags => to.tags.clone_from(&details.tags),
            OverrideField::Venue => to.venue = details.venue,
            OverrideField::Organizers => to.organizers.clone_from(&details.organizers),
            OverrideField::Parent => to.parent = details.parent,
        }
    }
}
