//! The builder of a write.

use std::{collections::BTreeSet, fmt, marker::PhantomData};

use domain::{Entry, FieldName, Language, Secret, Term};

use super::Upload;
use crate::{entry::EntryWrite, fault::FaultCollector, resource::Resource, term::TermKind};

/// Marks the fields of a new record.
#[derive(Clone, Copy, Debug)]
pub enum New {}

/// Marks the fields of a change.
///
/// ```
/// use events_calendar_app::write::{Update, VenueUpdate, WriteInput};
/// use domain::Venue;
///
/// let nothing: WriteInput<Venue, Update> = VenueUpdate::builder().build();
/// assert_eq!(nothing.names().count(), 0);
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Update {}

/// A write of a record `R`, made by a [`Builder`]; `P` is [`New`] or [`Update`].
///
/// `Debug` shows names without values.
///
/// ```
/// use events_calendar_app::write::{New, NewVenue, WriteInput};
/// use domain::Venue;
///
/// let mill: WriteInput<Venue, New> = NewVenue::builder("Old Mill".parse()?).build();
/// assert!(!format!("{mill:?}").contains("Old Mill"));
/// # Ok::<(), domain::text::InvalidTitle>(())
/// ```
pub struct WriteInput<R: Resource, P> {
    /// The fields that were set.
    pub write: R::Write,
    /// The faults of their values.
    pub faults: FaultCollector,
    /// The language of the texts, if one was set.
    pub language: Option<Language>,
    /// The password that opens locked events in the answer.
    pub password: Option<Secret>,
    /// The file of the record's image.
    pub image_file: Option<Upload>,
    /// The names of the fields that were set.
    names: BTreeSet<FieldName>,
    purpose: PhantomData<fn() -> P>,
}

impl<R: Resource, P> Clone for WriteInput<R, P> {
    fn clone(&self) -> Self {
        Self {
            write: self.write.clone(),
            faults: self.faults.clone(),
            language: self.language,
            password: self.password.clone(),
            image_file: self.image_file.clone(),
            names: self.names.clone(),
            purpose: PhantomData,
        }
    }
}

impl<R: Resource, P> fmt::Debug for WriteInput<R, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WriteInput")
            .field("kind", &R::KIND)
            .field("language", &self.language)
            .field("names", &self.names)
            .finish_non_exhaustive()
    }
}

impl<R: Resource, P> WriteInput<R, P> {
    /// A write of fields that were read, with the faults of their values.
    pub fn new(write: R::Write, faults: FaultCollector) -> Self {
        Self {
            write,
            faults,
            language: None,
            password: None,
            image_file: None,
            names: BTreeSet::new(),
            purpose: PhantomData,
        }
    }
}

impl<R: Resource, P> WriteInput<R, P> {
    /// The names of the fields that a builder set.
    ///
    /// ```
    /// use events_calendar_app::write::NewTag;
    /// use domain::FieldName;
    ///
    /// let loud = NewTag::builder("Loud".parse()?).description("More than 100 dB").build();
    /// assert!(loud.names().eq([FieldName::Name, FieldName::Description]));
    /// # Ok::<(), domain::text::InvalidTitle>(())
    /// ```
    pub fn names(&self) -> impl Iterator<Item = FieldName> {
        self.names.iter().copied()
    }
}

impl<R: Resource> WriteInput<R, Update> {
    /// Starts an update that changes nothing.
    pub fn builder() -> Builder<R, Update> {
        Builder::new()
    }
}

/// Sets the fields of a write of a record `R`; `P` is [`New`] or [`Update`].
///
/// If a field is set twice, the last value counts.
///
/// # Events
///
/// ```
/// use events_calendar_app::write::{EventUpdate, NewEvent, NewOrganizer, PlaceLink, TermLink};
/// use domain::{
///     CategoryId, EventId, OrganizerId, Secret,
///     cost::Cost,
///     slug::Slug,
///     text::Title,
///     ticket::{OnSale, Ticket},
///     time::{EventTime, Zone, parse_civil},
/// };
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let [nine, noon] = ["2030-03-10 09:00:00", "2030-03-10 12:00:00"].map(|text| parse_civil(text).unwrap());
/// let when = EventTime::new("Europe/Paris".parse()?, nine, noon, false)?;
/// let friends = NewOrganizer::builder("Friends of the river".parse()?).email("post@river.example").build();
/// let seat = Ticket {
///     name: "Seat in the boat".parse()?,
///     price: "12.50".parse()?,
///     currency: "EUR".parse()?,
///     url: None,
///     on_sale: OnSale::default(),
/// };
/// let event = NewEvent::builder("River cleanup".parse()?, when.clone())
///     .slug(Slug::normalize("cleanup").unwrap())
///     .excerpt("Boots on!")
///     .description("<p>Bring <b>boots</b>.</p>")
///     .cost(Cost::parse(&["5-10"])?)
///     .currency("EUR".parse()?)
///     .tickets([seat])
///     .categories([TermLink::from(CategoryId::from_raw(3)), "Nature".parse::<Title>()?.into()])
///     .tags(["Loud".parse::<Title>()?])
///     .organizers([PlaceLink::from(OrganizerId::from_raw(7)), friends.into()])
///     .parent(EventId::from_raw(1))
///     .password(Secret::new("let me in".to_owned()))
///     .featured(true)
///     .sticky(false)
///     .hide_from_listings(false)
///     .show_map(true)
///     .show_map_link(true)
///     .build();
///
/// let update = EventUpdate::builder()
///     .time(when)
///     .cancelled(true)
///     .clear_parent()
///     .clear_password()
///     .clear_currency()
///     .clear_venue()
///     .clear_categories()
///     .clear_tags()
///     .clear_organizers()
///     .build();
/// # Ok(())
/// # }
/// ```
///
/// # Venues and organizers
///
/// They share these fields with events: owner, date, status, image, web site, and a title that a translation may
/// lose.
///
/// ```
/// use events_calendar_app::write::{NewVenue, OrganizerUpdate, VenueUpdate};
/// use domain::{ImageId, Language, Status, UserId, geo::Position, time::Timestamp};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mill = NewVenue::builder("Old Mill".parse()?)
///     .address("1 quai du Rhône")
///     .city("Lyon")
///     .province("Auvergne-Rhône-Alpes")
///     .country("France")
///     .zip("69001")
///     .phone("+33 4 00 00 00 00")
///     .position(Position::new(45.764, 4.8357)?)
///     .website("https://mill.example".parse()?)
///     .image(ImageId::from_raw(7))
///     .author(UserId::from_raw(2))
///     .date(Timestamp::from_seconds(1_893_456_000).unwrap())
///     .status(Status::Pending)
///     .build();
/// let texas = NewVenue::builder("Fair Park".parse()?).state("TX").stateprovince("TX").build();
///
/// let moved = VenueUpdate::builder().title("The Old Mill".parse()?).clear_position().clear_image().build();
/// let without_french = OrganizerUpdate::builder().language(Language::French).clear_title().build();
/// let offline = OrganizerUpdate::builder().phone("").email("").clear_website().build();
/// # Ok(())
/// # }
/// ```
///
/// # Categories and tags
///
/// ```
/// use events_calendar_app::write::{CategoryUpdate, NewCategory, NewTag, TagUpdate};
/// use domain::{CategoryId, Language};
///
/// let music = NewCategory::builder("Music".parse()?).parent(CategoryId::from_raw(1)).build();
/// let loud = NewTag::builder("Loud".parse()?).description("More than 100 dB").build();
/// let renamed = CategoryUpdate::builder().name("Live music".parse()?).clear_parent().build();
/// let without_french = TagUpdate::builder().language(Language::French).clear_name().clear_slug().build();
/// # Ok::<(), domain::text::InvalidTitle>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Builder<R: Resource, P>(WriteInput<R, P>);

impl<R: Resource, P> Builder<R, P> {
    pub(super) fn new() -> Self {
        Self(WriteInput::new(
            R::Write::default(),
            FaultCollector::default(),
        ))
    }

    /// Sets a field.
    pub(super) fn set(mut self, name: FieldName, set: impl FnOnce(&mut R::Write)) -> Self {
        self.0.names.insert(name);
        self.0.faults.forgive(name);
        set(&mut self.0.write);
        self
    }

    /// Sets a field whose value has to be checked.
    pub(super) fn check(
        self,
        name: FieldName,
        set: impl FnOnce(&mut R::Write, &mut FaultCollector),
    ) -> Self {
        let mut checked = self.set(name, |_| ());
        set(&mut checked.0.write, &mut checked.0.faults);
        checked
    }

    /// The language of the texts; by default, that of the site.
    ///
    /// In an update, another language than that of the record changes its translation. A place that
    /// is linked in full has the language of its event.
    pub fn language(mut self, language: Language) -> Self {
        self.0.language = Some(language);
        self
    }

    /// The fields that were set.
    pub fn build(self) -> WriteInput<R, P> {
        self.0
    }
}

impl<D, F, P> Builder<Entry<D>, P>
where
    Entry<D>: Resource<Write = EntryWrite<F>>,
{
    /// The long text, as HTML; an empty one removes it. See [`RichText`](domain::html::RichText).
    pub fn description(self, html: impl Into<String>) -> Self {
        let html = html.into();
        self.check(FieldName::Description, |write, faults| {
            write.shared.html.description = faults.read_html(FieldName::Description, &html);
        })
    }
}

impl<X: TermKind, P> Builder<Term<X>, P> {
    /// The description, as HTML of one line; an empty one removes it.
    pub fn description(self, html: impl Into<String>) -> Self {
        let html = html.into();
        self.check(FieldName::Description, |write, faults| {
            write.html = faults.read_html(FieldName::Description, &html);
        })
    }
}
