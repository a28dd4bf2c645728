//! Entries: the author, status, dates, slug and texts that events, venues and organizers share.
//!
//! A caller requests a [`Status`]. The entry stores a [`Stage`] and the time of its publication, so
//! that a scheduled entry becomes public without a write.
//!
//! ```
//! use events_calendar_domain::{Entry, Stage, Status, UserId, VenueDetails, time::Timestamp};
//!
//! let at = |seconds| Timestamp::from_seconds(seconds).unwrap();
//! let author = UserId::from_raw(1);
//! let mut venue = Entry::new(author, "Old Mill".parse()?, VenueDetails::default(), at(0));
//! assert_eq!(venue.status(at(0)), Status::Draft);
//!
//! venue.date = at(3600);
//! venue.date_is_chosen = true;
//! venue.move_to(Status::Publish, at(0));
//! assert_eq!(venue.stage, Stage::Published);
//! assert_eq!(venue.status(at(0)), Status::Future);
//! assert_eq!(venue.status(at(3600)), Status::Publish);
//!
//! venue.move_to(Status::Trash, at(7200));
//! assert_eq!(venue.status(at(7200)), Status::Trash);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[macro_use]
pub(crate) mod fields;
mod password;

use crate::{
    FieldName, Filter, Id, ImageId, Kind, Language, Record, TextField, Translation, Translations,
    UserId,
    audit::{FieldKey, TrailReader, TrailValues},
    html::RichText,
    record::{replace_text, rich_text},
    slug::Slug,
    text::{Title, fold},
    time::Timestamp,
};
use std::{collections::BTreeSet, fmt};

pub use password::PasswordHash;

/// A date less than this many seconds ahead counts as the present: the entry is published at once.
pub const SCHEDULING_THRESHOLD_SECONDS: i64 = 60;

named_enum! {
    /// The displayed status of a record.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Status, name {
        /// Public: every caller may read it.
        Publish = "publish",
        /// Scheduled: it will be published at its date.
        Future = "future",
        /// Its author is still writing it. Only the author and editors may read it.
        Draft = "draft",
        /// It waits for an editor to publish it.
        Pending = "pending",
        /// Editors may read it, and its author from the role author on.
        Private = "private",
        /// Deleted; it can be restored.
        Trash = "trash",
    }
}

named_enum! {
    /// The stored form of a status. `future` is not stored: a scheduled record is a published one with
    /// a publication time ahead, so that no write is needed to publish it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Stage, name {
        /// Public from [`Entry::published_at`] on.
        Published = "published",
        /// See [`Status::Draft`].
        Draft = "draft",
        /// See [`Status::Pending`].
        Pending = "pending",
        /// See [`Status::Private`].
        Private = "private",
        /// See [`Status::Trash`].
        Trashed = "trashed",
    }
}

impl Stage {
    /// The stage of a requested status.
    ///
    /// ```
    /// use events_calendar_domain::{Stage, Status};
    /// assert_eq!(Stage::of(Status::Future), Stage::Published);
    /// ```
    pub const fn of(status: Status) -> Self {
        match status {
            Status::Publish | Status::Future => Self::Published,
            Status::Draft => Self::Draft,
            Status::Pending => Self::Pending,
            Status::Private => Self::Private,
            Status::Trash => Self::Trashed,
        }
    }

    /// Whether nobody has decided yet on the publication: the entry is a draft, or waits for an editor.
    ///
    /// ```
    /// use events_calendar_domain::Stage;
    /// assert!(Stage::Pending.awaits_decision() && !Stage::Private.awaits_decision());
    /// ```
    pub const fn awaits_decision(self) -> bool {
        matches!(self, Self::Draft | Self::Pending)
    }

    /// The status of an entry whose publication time has come.
    ///
    /// ```
    /// use events_calendar_domain::{Stage, Status};
    /// assert_eq!(Stage::Published.status(), Status::Publish);
    /// ```
    pub const fn status(self) -> Status {
        match self {
            Self::Published => Status::Publish,
            Self::Draft => Status::Draft,
            Self::Pending => Status::Pending,
            Self::Private => Status::Private,
            Self::Trashed => Status::Trash,
        }
    }
}

/// The details that make an entry an event, a venue or an organizer.
///
/// ```
/// use events_calendar_domain::{Kind, OrganizerDetails, TextField, VenueDetails, entry::Details, event::EventDetails};
/// assert_eq!(OrganizerDetails::KIND, Kind::Organizer);
/// assert!(VenueDetails::TEXT_FIELDS.contains(&TextField::City));
/// assert!(!EventDetails::TRASH_IS_READABLE);
/// ```
pub trait Details: Clone + fmt::Debug + PartialEq + Send + Sync + Sized + 'static {
    /// The kind of record that these details make.
    const KIND: Kind;

    /// The filter of a list of this kind.
    type Filter: Filter;

    /// Whether an entry in the trash stays readable for the callers who could read it before.
    const TRASH_IS_READABLE: bool;

    /// The one-line texts that are translated.
    const TEXT_FIELDS: &'static [TextField] = &[];

    /// The fields that a merged entry may take from the other one: see [`takeable_fields`](crate::duplicate::takeable_fields).
    ///
    /// ```
    /// use events_calendar_domain::{FieldName, OrganizerDetails, entry::Details};
    /// assert!(OrganizerDetails::TAKEABLE.contains(&FieldName::Email));
    /// ```
    const TAKEABLE: &'static [FieldName];

    /// The text of one of [`Details::TEXT_FIELDS`], for changes; none for other fields.
    ///
    /// ```
    /// use events_calendar_domain::{OrganizerDetails, entry::Details, TextField};
    /// assert_eq!(OrganizerDetails::default().text_field_mut(TextField::City), None);
    /// ```
    fn text_field_mut(&mut self, _field: TextField) -> Option<&mut String> {
        None
    }

    /// The texts for contact and location, beside title, excerpt and description; they are
    /// searched.
    ///
    /// ```
    /// use events_calendar_domain::{VenueDetails, entry::Details};
    /// let venue = VenueDetails { city: "Lyon".into(), ..VenueDetails::default() };
    /// assert!(venue.contact_texts().contains(&"Lyon"));
    /// ```
    fn contact_texts(&self) -> Vec<&str>;

    /// The size of the texts, in bytes.
    ///
    /// ```
    /// use events_calendar_domain::{entry::Details, OrganizerDetails};
    /// let details = OrganizerDetails { phone: "123".into(), ..OrganizerDetails::default() };
    /// assert_eq!(details.text_bytes(), 3);
    /// ```
    fn text_bytes(&self) -> usize {
        self.contact_texts().into_iter().map(str::len).sum()
    }

    /// Whether a field of writes has no value; see [`Record::is_blank`].
    ///
    /// ```
    /// use events_calendar_domain::{FieldName, OrganizerDetails, entry::Details};
    /// let details = OrganizerDetails { phone: "123".into(), ..OrganizerDetails::default() };
    /// assert!(details.is_blank(FieldName::Email) && !details.is_blank(FieldName::Phone));
    /// ```
    fn is_blank(&self, field: FieldName) -> bool;

    /// The stored value of a field; see [`Record::written`].
    ///
    /// ```
    /// use events_calendar_domain::{FieldName, OrganizerDetails, entry::Details};
    ///
    /// let details = OrganizerDetails { phone: "+33 1".to_owned(), ..OrganizerDetails::default() };
    /// assert_eq!(details.written(FieldName::Phone).as_deref(), Some("+33 1"));
    /// ```
    fn written(&self, field: FieldName) -> Option<String>;

    /// The value of a field in the audit trail, where it is not the written one; see [`Record::trailed`].
    ///
    /// ```
    /// use events_calendar_domain::{FieldName, OrganizerDetails, entry::Details};
    /// assert_eq!(OrganizerDetails::default().trailed(FieldName::Phone), None);
    /// ```
    fn trailed(&self, _field: FieldName) -> Option<String> {
        None
    }

    /// Whether the value of a field is the record's own; see [`Record::is_trailed`].
    ///
    /// ```
    /// use events_calendar_domain::{FieldName, OrganizerDetails, entry::Details};
    /// assert!(OrganizerDetails::default().has_own(FieldName::Phone, None));
    /// ```
    fn has_own(&self, _field: FieldName, _language: Option<Language>) -> bool {
        true
    }

    /// Gives the fields of this kind the values of a former state; see [`Record::restore_fields`].
    ///
    /// ```
    /// use events_calendar_domain::{FieldName, OrganizerDetails, audit::{TrailReader, TrailValues}, entry::Details};
    /// let mut club = OrganizerDetails { phone: "1".into(), ..OrganizerDetails::default() };
    /// club.restore(&mut TrailReader::new(&TrailValues::new(), None));
    /// assert!(club.phone.is_empty());
    /// ```
    fn restore(&mut self, reader: &mut TrailReader<'_>);

    /// The fields to which a former state is restricted: those that an occurrence had as its own, which are the own fields of
    /// an occurrence from now on. `None` for a state with all fields.
    ///
    /// ```
    /// use events_calendar_domain::{OrganizerDetails, audit::TrailValues, entry::Details};
    /// assert_eq!(OrganizerDetails::default().restore_own(&TrailValues::new()), None);
    /// ```
    fn restore_own(&mut self, _values: &TrailValues) -> Option<BTreeSet<FieldKey>> {
        None
    }

    /// The hash of the password that opens the content; only events have one.
    ///
    /// ```
    /// use events_calendar_domain::{VenueDetails, entry::Details};
    /// assert_eq!(VenueDetails::default().password(), None);
    /// ```
    fn password(&self) -> Option<&PasswordHash> {
        None
    }

    /// Takes a field from others, if it is one of [`TAKEABLE`](Self::TAKEABLE) that only this kind has. Returns whether it is.
    ///
    /// ```
    /// use events_calendar_domain::{FieldName, OrganizerDetails, entry::Details};
    /// let mut club = OrganizerDetails::default();
    /// let other = OrganizerDetails { phone: "1".into(), ..OrganizerDetails::default() };
    /// assert!(club.take_field(&other, FieldName::Phone) && club == other);
    /// assert!(!club.take_field(&other, FieldName::Title));
    /// ```
    fn take_field(&mut self, from: &Self, field: FieldName) -> bool;

    /// Whether lists exclude the entry; only events can be hidden.
    ///
    /// ```
    /// use events_calendar_domain::{VenueDetails, entry::Details};
    /// assert!(!VenueDetails::default().is_hidden());
    /// ```
    fn is_hidden(&self) -> bool {
        false
    }
}

/// An event, a venue or an organizer: the shared fields, and the details of the kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<D> {
    /// The owner: callers below the role editor may only change their own entries.
    pub author: UserId,
    /// The stage of publication.
    pub stage: Stage,
    /// Publication date, as displayed.
    pub date: Timestamp,
    /// Whether a user chose `date`; if not, first publication sets it.
    pub date_is_chosen: bool,
    /// The time of first publication; in the future if scheduled, none if never published.
    pub published_at: Option<Timestamp>,
    /// The time of the last change.
    pub modified: Timestamp,
    /// The language of the texts below.
    pub language: Language,
    /// The texts in other languages.
    pub translations: Translations,
    /// Title of an event, name of a venue or an organizer.
    pub title: Title,
    /// The slug; drafts may have none.
    pub slug: Option<Slug>,
    /// While in the trash: the slug that the entry gets back when it is restored.
    pub former_slug: Option<Slug>,
    /// Long text.
    pub description: RichText,
    /// Short text.
    pub excerpt: RichText,
    /// The image.
    pub image: Option<ImageId>,
    /// The fields that only this kind has.
    pub details: D,
}

impl<D: Details> Record for Entry<D> {
    const KIND: Kind = D::KIND;
    type Filter = D::Filter;

    fn language(&self) -> Language {
        self.language
    }

    fn title(&self) -> &Title {
        &self.title
    }

    fn slug(&self) -> Option<&Slug> {
        self.slug.as_ref()
    }

    fn translations(&self) -> &Translations {
        &self.translations
    }

    fn modified(&self) -> Option<Timestamp> {
        Some(self.modified)
    }

    fn text_bytes(&self) -> usize {
        let own = [
            self.title.as_str(),
            self.slug.as_ref().map_or("", Slug::as_str),
            self.description.as_str(),
            self.excerpt.as_str(),
        ];
        let own: usize = own.map(str::len).into_iter().sum();
        own + self.details.text_bytes() + self.translations.text_bytes()
    }

    fn is_blank(&self, field: FieldName) -> bool {
        match field {
            FieldName::Description => self.description.is_empty(),
            FieldName::Excerpt => self.excerpt.is_empty(),
            FieldName::Image => self.image.is_none(),
            field => self.details.is_blank(field),
        }
    }

    fn written(&self, field: FieldName) -> Option<String> {
        let filled = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        match field {
            field if field == FieldName::title_of(D::KIND) => filled(self.title.as_str()),
            FieldName::Description => filled(self.description.as_str()),
            FieldName::Excerpt => filled(self.excerpt.as_str()),
            FieldName::Slug => filled(self.slug.as_ref()?.as_str()),
            FieldName::Image => Some(self.image?.to_string()),
            FieldName::Author => Some(self.author.to_string()),
            FieldName::Status => Some(self.stage.name().to_owned()),
            field => self.details.written(field),
        }
    }

    fn trailed(&self, field: FieldName) -> Option<String> {
        if !self.is_trailed(field, None) {
            return None;
        }
        match field {
            FieldName::Status => Some(self.stage.status().name().to_owned()),
            FieldName::DateUtc if self.date_is_chosen => Some(self.date.to_string()),
            field => self.details.trailed(field).or_else(|| self.written(field)),
        }
    }

    fn is_trailed(&self, field: FieldName, language: Option<Language>) -> bool {
        self.details.has_own(field, language)
    }

    fn restore_fields(&mut self, values: &TrailValues, now: Timestamp) -> Vec<FieldKey> {
        let only = self.details.restore_own(values);
        let mut reader = TrailReader::new(values, only);
        self.details.restore(&mut reader);
        let title = FieldName::title_of(D::KIND);
        reader.read(title, &mut self.title, |text| text.parse().ok());
        for (field, rich) in [
            (FieldName::Description, &mut self.description),
            (FieldName::Excerpt, &mut self.excerpt),
        ] {
            // Filtering is slow.
            if reader.value((field, None)) != Some(rich.as_str()) {
                reader.read_or_none((field, None), rich, rich_text);
            }
        }
        reader.read_or_none((FieldName::Image, None), &mut self.image, |text| {
            text.parse().ok().map(Some)
        });
        if reader.covers((FieldName::DateUtc, None)) {
            self.restore_date(&mut reader, now);
        }
        let in_trash = self.is_in_trash();
        let (texts, language) = (&mut self.translations, self.language);
        texts.restore(D::KIND, language, D::TEXT_FIELDS, in_trash, &mut reader);
        reader.unread().to_vec()
    }

    fn restore_standing(&mut self, values: &TrailValues, at: Timestamp) {
        let only = self.details.restore_own(values);
        let has_slugs = only.is_none();
        let mut reader = TrailReader::new(values, None);
        reader.read(FieldName::Author, &mut self.author, |text| {
            text.parse().ok()
        });
        let status = |text: &str| text.parse().ok().map(Stage::of);
        reader.read(FieldName::Status, &mut self.stage, status);
        if self.stage == Stage::Published {
            self.published_at.get_or_insert(self.date);
        }
        if has_slugs {
            let key = (FieldName::Slug, None);
            reader.read_or_none(key, &mut self.slug, |text| {
                Some(Some(Slug::from_stored(text.to_owned())))
            });
            self.translations.restore_slugs(&mut reader);
        }
        self.modified = at;
    }

    fn set_modified(&mut self, to: Timestamp) {
        self.modified = to;
    }

    fn set_slug(&mut self, slug: Option<Slug>) {
        self.slug = slug;
    }

    fn translations_mut(&mut self) -> &mut Translations {
        &mut self.translations
    }

    fn is_published(&self, now: Timestamp) -> bool {
        self.status(now) == Status::Publish
    }

    fn is_in_trash(&self) -> bool {
        self.stage == Stage::Trashed
    }

    fn public_slugs(&self) -> Vec<(Language, &Slug)> {
        if !self.is_in_trash() {
            return self.slugs().collect();
        }
        let own = self.former_slug.as_ref().map(|slug| (self.language, slug));
        let others = self.translations.iter();
        let others =
            others.filter_map(|(language, other)| Some((language, other.former_slug.as_ref()?)));
        own.into_iter().chain(others).collect()
    }

    fn swap_texts(&mut self, translation: Translation) -> Translation {
        let Translation {
            title,
            slug,
            former_slug,
            description,
            excerpt,
            text_fields,
        } = translation;
        let swap =
            |own: &mut Option<Slug>, slug: Option<Slug>| slug.and_then(|slug| own.replace(slug));
        let text_fields = text_fields.into_iter().filter_map(|(field, text)| {
            let own = self.details.text_field_mut(field)?;
            Some((field, std::mem::replace(own, text)))
        });
        Translation {
            text_fields: text_fields.collect(),
            title: replace_text(&mut self.title, title),
            slug: swap(&mut self.slug, slug),
            former_slug: swap(&mut self.former_slug, former_slug),
            description: replace_text(&mut self.description, description),
            excerpt: replace_text(&mut self.excerpt, excerpt),
        }
    }

    fn original_texts(&self) -> Translation {
        let mut details = self.details.clone();
        let text_fields = D::TEXT_FIELDS.iter().filter_map(|field| {
            let text = details.text_field_mut(*field)?;
            Some((*field, std::mem::take(text)))
        });
        Translation {
            text_fields: text_fields.collect(),
            title: Some(self.title.clone()),
            slug: self.slug.clone(),
            former_slug: self.former_slug.clone(),
            description: Some(self.description.clone()),
            excerpt: Some(self.excerpt.clone()),
        }
    }
}

impl<D: Details> Entry<D> {
    /// Restores the date of publication. A former date may schedule a published entry, or publish a scheduled one, as in each
    /// update.
    fn restore_date(&mut self, reader: &mut TrailReader<'_>, now: Timestamp) {
        let mut chosen = self.date_is_chosen.then_some(self.date);
        let before = chosen;
        reader.read_or_none((FieldName::DateUtc, None), &mut chosen, |text| {
            text.parse().ok().map(Some)
        });
        if chosen == before {
            return;
        }
        self.date_is_chosen = chosen.is_some();
        let published = self.published_at.filter(|published| *published <= now);
        self.date = chosen.or(published).unwrap_or(now);
        if self.stage == Stage::Published {
            self.move_to(Status::Publish, now);
        }
    }

    /// The searchable fields in [folded](fold) form, without empty ones; the first is the title.
    ///
    /// ```
    /// # use events_calendar_domain::{*, text::Title, time::Timestamp};
    /// # let now = Timestamp::from_seconds(0).unwrap();
    /// let venue = Entry::new(UserId::from_raw(1), "Café".parse::<Title>()?, VenueDetails::default(), now);
    /// assert_eq!(venue.folded_fields(), ["cafe"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn folded_fields(&self) -> Vec<String> {
        let (excerpt, description) = (self.excerpt.plain(), self.description.plain());
        let own = [self.title.as_str(), &excerpt, &description];
        own.into_iter()
            .chain(self.details.contact_texts())
            .map(fold)
            .filter(|text| !text.is_empty())
            .collect()
    }
}

impl<D> Entry<D> {
    /// The displayed status at `now`.
    ///
    /// ```
    /// # use events_calendar_domain::{*, entry::*, text::Title, time::Timestamp};
    /// let at = |seconds| Timestamp::from_seconds(seconds).unwrap();
    /// let mut venue = Entry::new(UserId::from_raw(1), "Old Mill".parse::<Title>()?, VenueDetails::default(), at(0));
    /// venue.move_to(Status::Publish, at(0));
    /// assert_eq!(venue.status(at(0)), Status::Publish);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn status(&self, now: Timestamp) -> Status {
        match self.stage {
            Stage::Published if !self.is_due(now) => Status::Future,
            stage => stage.status(),
        }
    }

    /// Whether the publication time has come.
    fn is_due(&self, now: Timestamp) -> bool {
        self.published_at.is_some_and(|moment| moment <= now)
    }

    /// A draft in the default language with only a title and details.
    ///
    /// ```
    /// # use events_calendar_domain::{*, text::Title, time::Timestamp};
    /// let now = Timestamp::from_seconds(0).unwrap();
    /// let venue = Entry::new(UserId::from_raw(1), "Old Mill".parse::<Title>()?, VenueDetails::default(), now);
    /// assert_eq!(venue.stage, Stage::Draft);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(author: UserId, title: Title, details: D, now: Timestamp) -> Self {
        Self {
            author,
            stage: Stage::Draft,
            date: now,
            date_is_chosen: false,
            published_at: None,
            modified: now,
            language: Language::default(),
            translations: Translations::default(),
            title,
            slug: None,
            former_slug: None,
            description: RichText::default(),
            excerpt: RichText::default(),
            image: None,
            details,
        }
    }

    /// Changes the status of the entry.
    ///
    /// Publishing sets [`Entry::published_at`]: to the date if it is at least
    /// [`SCHEDULING_THRESHOLD_SECONDS`] ahead, else to the earliest time at which the entry was
    /// public. An entry without a chosen date is dated at that time.
    ///
    /// ```
    /// # use events_calendar_domain::{*, text::Title, time::Timestamp};
    /// use events_calendar_domain::entry::SCHEDULING_THRESHOLD_SECONDS;
    /// let at = |seconds| Timestamp::from_seconds(seconds).unwrap();
    /// let mut venue = Entry::new(UserId::from_raw(1), "Old Mill".parse::<Title>()?, VenueDetails::default(), at(0));
    /// venue.date = at(SCHEDULING_THRESHOLD_SECONDS);
    /// venue.date_is_chosen = true;
    /// venue.move_to(Status::Publish, at(0));
    /// assert_eq!(venue.status(at(0)), Status::Future);
    /// venue.move_to(Status::Publish, at(1));
    /// assert_eq!(venue.status(at(1)), Status::Publish, "the date is less than a minute ahead");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn move_to(&mut self, status: Status, now: Timestamp) {
        self.stage = Stage::of(status);
        if self.stage != Stage::Published {
            return;
        }
        if !self.date_is_chosen && self.published_at.is_none() {
            self.date = now;
        }
        let scheduled = self.date >= now.saturating_add(SCHEDULING_THRESHOLD_SECONDS);
        self.published_at = Some(match self.published_at {
            _ if scheduled => self.date,
            Some(first) if first <= now => first,
            _ => now,
        });
    }
}

impl<D: Details> Entry<D> {
    /// The slug made from the title; the name of the kind if the title has no letters and digits.
    ///
    /// ```
    /// # use events_calendar_domain::{*, text::Title, time::Timestamp};
    /// let now = Timestamp::from_seconds(0).unwrap();
    /// let venue = Entry::new(UserId::from_raw(1), "!!!".parse::<Title>()?, VenueDetails::default(), now);
    /// assert_eq!(venue.slug_from_title().as_str(), "venue");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn slug_from_title(&self) -> Slug {
        D::KIND.slug_of(&self.title)
    }
}

/// ID of an entry with details `D`.
///
/// ```
/// use events_calendar_domain::{VenueDetails, VenueId, entry::EntryId};
/// let venue: VenueId = EntryId::<VenueDetails>::from_raw(1);
/// ```
pub type EntryId<D> = Id<Entry<D>>;
