//! The builder of the fields of a write.

use std::marker::PhantomData;

use domain::Language;
use serde_json::Value;

use crate::input::{Fields, text_bytes};

/// Marks the fields of a new record.
#[derive(Clone, Copy, Debug)]
pub enum New {}

/// Marks the fields of a change.
#[derive(Clone, Copy, Debug)]
pub enum Update {}

/// Fields of a write of records `R`; `P` is [`New`] or [`Update`].
///
/// [`Fields`], whose names are not checked yet, may be of any write. A [`WriteInput`] is of one.
///
/// ```
/// use app::{input::Fields, typed::{New, NewVenue, Update, VenueUpdate, WriteFields}};
/// use domain::Venue;
///
/// fn names(input: &impl WriteFields<Venue, New>) -> Vec<&String> {
///     input.fields().body.keys().collect()
/// }
/// let mill = NewVenue::builder("Old Mill".parse()?).city("Lyon").build();
/// assert_eq!(names(&mill), ["venue", "city"]);
/// assert!(names(&Fields::default()).is_empty());
///
/// fn changes(input: &impl WriteFields<Venue, Update>) -> bool {
///     !input.fields().body.is_empty()
/// }
/// assert!(!changes(&VenueUpdate::builder().build()));
/// # Ok::<(), domain::text::InvalidTitle>(())
/// ```
///
/// The compiler refuses a write of another kind:
///
/// ```compile_fail
/// # use app::typed::{New, NewVenue, WriteFields};
/// # use domain::Event;
/// fn names(input: &impl WriteFields<Event, New>) -> Vec<&String> {
///     input.fields().body.keys().collect()
/// }
/// names(&NewVenue::builder("Old Mill".parse().unwrap()).build());
/// ```
pub trait WriteFields<R, P>: Sync {
    /// The fields.
    fn fields(&self) -> &Fields;
}

impl<R, P> WriteFields<R, P> for Fields {
    fn fields(&self) -> &Fields {
        self
    }
}

/// The fields of a write of a record `R`, made by a [`Builder`]; `P` is [`New`] or [`Update`].
///
/// `Debug` shows names without values.
///
/// ```
/// use app::typed::{New, NewVenue, WriteInput};
/// use domain::Venue;
///
/// let mill: WriteInput<Venue, New> = NewVenue::builder("Old Mill".parse()?).build();
/// assert!(!format!("{mill:?}").contains("Old Mill"));
/// # Ok::<(), domain::text::InvalidTitle>(())
/// ```
#[derive(Clone, Debug)]
pub struct WriteInput<R, P> {
    fields: Fields,
    write: PhantomData<fn() -> (R, P)>,
}

impl<R, P> WriteFields<R, P> for WriteInput<R, P> {
    fn fields(&self) -> &Fields {
        &self.fields
    }
}

impl<R> WriteInput<R, Update> {
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
/// use app::typed::{EventUpdate, NewEvent, NewOrganizer, PlaceLink, TermLink};
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
/// use app::typed::{NewVenue, OrganizerUpdate, VenueUpdate};
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
/// use app::typed::{CategoryUpdate, NewCategory, NewTag, TagUpdate};
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
pub struct Builder<R, P>(WriteInput<R, P>);

impl<R, P> Builder<R, P> {
    pub(super) fn new() -> Self {
        Self(WriteInput {
            fields: Fields::default(),
            write: PhantomData,
        })
    }

    /// Sets a field by its name.
    pub(super) fn set(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.0.fields.body.insert(name.to_owned(), value.into());
        self
    }

    /// Clears a field that an empty text clears.
    pub(super) fn clear(self, name: &'static str) -> Self {
        self.set(name, "")
    }

    /// The language of the texts; by default, that of the site.
    ///
    /// In an update, another language than that of the record changes its translation. A place that
    /// is linked in full has the language of its event.
    pub fn language(mut self, language: Language) -> Self {
        self.0.fields.language = Some(language);
        self
    }

    /// The long text, as HTML; an empty one removes it. See [`RichText`](domain::html::RichText).
    pub fn description(self, html: impl Into<String>) -> Self {
        self.set("description", html.into())
    }

    /// The fields that were set.
    pub fn build(self) -> WriteInput<R, P> {
        let mut input = self.0;
        // A long text is parsed off the worker threads.
        input.fields.size = input.fields.body.values().map(text_bytes).sum();
        input
    }
}
