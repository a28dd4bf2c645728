//! Use cases of venues and organizers, which differ only in their fields.

mod query;

use std::{collections::BTreeMap, fmt, sync::Arc};

use async_trait::async_trait;
use domain::{
    Entry, Event, Image, Language, Organizer, OrganizerDetails, OrganizerId, Status, Stored,
    TextField, Translation, Venue, VenueDetails, VenueId,
    entry::{Details, EntryId},
    geo::Position,
    place::PlaceFilter,
    policy::{Caller, Visibility},
    time::Timestamp,
    web_url::WebUrl,
};

use crate::{
    change::Change,
    entry::{self, Changing, EntryWrite},
    error::AppError,
    fault::FaultCollector,
    image::{self, ImageViews},
    ports::{Repositories, Repository, SlugRequests},
    request::Request,
    resource::{Former, Located, Resource, all_stored, former_states},
};

pub use query::PlaceQuery;

/// The fields of a write that only venues have.
#[derive(Clone, Debug, Default)]
pub struct VenueFields {
    /// The one-line texts that are translated; an empty text removes one.
    pub texts: BTreeMap<TextField, String>,
    /// Postal code; an empty text removes it.
    pub zip: Option<String>,
    /// Telephone number; an empty text removes it.
    pub phone: Option<String>,
    /// Web site.
    pub website: Change<WebUrl>,
    /// Whether pages show a map.
    pub show_map: Option<bool>,
    /// Whether pages link to a map.
    pub show_map_link: Option<bool>,
    /// Position.
    pub position: Change<Position>,
}

/// The fields of a write that only organizers have.
#[derive(Clone, Debug, Default)]
pub struct OrganizerFields {
    /// Telephone number; an empty text removes it.
    pub phone: Option<String>,
    /// Web site.
    pub website: Change<WebUrl>,
    /// E-mail address; an empty text removes it.
    pub email: Option<String>,
}

/// The fields of a venue or an organizer in a write.
pub type PlaceWrite<D> = EntryWrite<<D as Place>::Fields>;
/// The fields of a venue in a write.
pub type VenueWrite = PlaceWrite<VenueDetails>;
/// The fields of an organizer in a write.
pub type OrganizerWrite = PlaceWrite<OrganizerDetails>;

/// A venue or an organizer in the use cases: the parts in which they differ.
///
/// ```
/// use events_calendar_app::{place::*, test_support::event};
/// use domain::{OrganizerDetails, OrganizerId, TextField, VenueDetails};
///
/// fn linked<D: Place>(event: &domain::Event) -> usize {
///     D::of_event(event).len()
/// }
/// let fair = event("Fair").organizers(&[OrganizerId::from_raw(7)]).build();
/// assert_eq!(linked::<OrganizerDetails>(&fair), 1);
/// // A write without fields contradicts nothing.
/// let nothing: PlaceWrite<OrganizerDetails> = OrganizerWrite::default();
/// assert!(OrganizerDetails::default().fits(&nothing.own));
///
/// let city = VenueFields { texts: [(TextField::City, "Lyon".to_owned())].into(), ..VenueFields::default() };
/// let mill = VenueDetails::default().changed(VenueWrite { own: city, ..VenueWrite::default() }.own);
/// assert_eq!(mill.city, "Lyon");
/// let phone = OrganizerFields { phone: Some("1".to_owned()), ..OrganizerFields::default() };
/// assert_eq!(OrganizerDetails::default().changed(phone).phone, "1");
/// assert!(PlaceQuery::default().search.is_none());
/// ```
pub trait Place: Details<Filter = PlaceFilter<Self>> + Default {
    /// The fields of a write that only this kind has.
    type Fields: Clone + fmt::Debug + Default + Send + Sync;

    /// The repository of this kind.
    fn repository(repositories: &dyn Repositories) -> &dyn Repository<Entry<Self>>;

    /// Moves the one-line texts that were sent into a translation of the details; an empty text
    /// removes the translated one.
    fn translate(&self, _fields: &mut Self::Fields, _texts: &mut BTreeMap<TextField, String>) {}

    /// The details after a write.
    #[must_use]
    fn changed(self, fields: Self::Fields) -> Self;

    /// Whether the details contradict no field that was sent with a value.
    fn fits(&self, fields: &Self::Fields) -> bool;

    /// The places of this kind that an event names.
    fn of_event(event: &Event) -> &[EntryId<Self>];
}

/// Whether `stateprovince` follows the fields that were sent: they name a region, and not `stateprovince` itself.
/// It then repeats the state or the province, depending on the country.
fn follows_region(sent: &BTreeMap<TextField, String>) -> bool {
    let region = [TextField::Country, TextField::Province, TextField::State];
    region.iter().any(|field| sent.contains_key(field))
        && !sent.contains_key(&TextField::StateProvince)
}

impl Place for VenueDetails {
    type Fields = VenueFields;

    fn repository(repositories: &dyn Repositories) -> &dyn Repository<Venue> {
        repositories.venues()
    }

    fn translate(&self, fields: &mut VenueFields, texts: &mut BTreeMap<TextField, String>) {
        let sent = std::mem::take(&mut fields.texts);
        let follows_region = follows_region(&sent);
        let mut original = self.clone();
        for (field, text) in sent {
            // A text of the original that is sent back makes no translation.
            let is_original = original
                .text_field_mut(field)
                .is_some_and(|original| *original == text);
            if texts.contains_key(&field) || !is_original {
                texts.insert(field, text);
            }
        }
        if follows_region {
            // The country of the original decides.
            let region = texts.get(&self.region()).cloned();
            texts.insert(TextField::StateProvince, region.unwrap_or_default());
        }
        texts.retain(|_, text| !text.is_empty());
    }

    fn changed(mut self, fields: VenueFields) -> Self {
        let VenueFields {
            texts,
            zip,
            phone,
            website,
            show_map,
            show_map_link,
            position,
        } = fields;
        let follows_region = follows_region(&texts);
        for (field, sent) in texts {
            if let Some(text) = self.text_field_mut(field) {
                *text = sent;
            }
        }
        if follows_region {
            let derived = self.derived_stateprovince().to_owned();
            self.stateprovince = derived;
        }
        self.zip = zip.unwrap_or(self.zip);
        self.phone = phone.unwrap_or(self.phone);
        website.apply(&mut self.website);
        position.apply(&mut self.position);
        self.show_map = show_map.unwrap_or(self.show_map);
        self.show_map_link = show_map_link.unwrap_or(self.show_map_link);
        self
    }

    fn fits(&self, fields: &VenueFields) -> bool {
        let VenueFields {
            texts,
            zip,
            phone,
            website,
            show_map,
            show_map_link,
            position,
        } = fields;
        let mut stored = self.clone();
        texts.iter().all(|(field, sent)| {
            let text = stored.text_field_mut(*field);
            text.is_some_and(|text| text_fits(Some(sent), text))
        }) && text_fits(zip.as_ref(), &self.zip)
            && text_fits(phone.as_ref(), &self.phone)
            && website.fits(self.website.as_ref())
            && position.fits(self.position.as_ref())
            && show_map.is_none_or(|sent| sent == self.show_map)
            && show_map_link.is_none_or(|sent| sent == self.show_map_link)
    }

    fn of_event(event: &Event) -> &[VenueId] {
        event.details.venue.as_slice()
    }
}

impl Place for OrganizerDetails {
    type Fields = OrganizerFields;

    fn repository(repositories: &dyn Repositories) -> &dyn Repository<Organizer> {
        repositories.organizers()
    }

    fn changed(mut self, fields: OrganizerFields) -> Self {
        let OrganizerFields {
            phone,
            website,
            email,
        } = fields;
        self.phone = phone.unwrap_or(self.phone);
        website.apply(&mut self.website);
        self.email = email.unwrap_or(self.email);
        self
    }

    fn fits(&self, fields: &OrganizerFields) -> bool {
        let OrganizerFields {
            phone,
            website,
            email,
        } = fields;
        text_fits(phone.as_ref(), &self.phone)
            && text_fits(email.as_ref(), &self.email)
            && website.fits(self.website.as_ref())
    }

    fn of_event(event: &Event) -> &[OrganizerId] {
        &event.details.organizers
    }
}

/// Whether a stored text equals the text that was sent, if one was sent that is not empty.
fn text_fits(sent: Option<&String>, stored: &str) -> bool {
    sent.is_none_or(|sent| sent.is_empty() || sent == stored)
}

#[async_trait]
impl<D: Place> Resource for Entry<D> {
    type Write = PlaceWrite<D>;
    type Query = PlaceQuery;
    type View = PlaceView<D>;

    fn repository(repositories: &dyn Repositories) -> &dyn Repository<Self> {
        D::repository(repositories)
    }

    fn may_edit(&self, caller: Caller) -> bool {
        caller.may_edit(self)
    }

    fn authorize(
        write: &PlaceWrite<D>,
        caller: Caller,
        before: Option<&Self>,
    ) -> Result<(), AppError> {
        let owner = before.map(|before| before.author);
        write.shared.authorize(caller, D::KIND, owner)
    }

    fn parse_html(write: &mut PlaceWrite<D>, faults: &mut FaultCollector) {
        write.shared.parse_html(faults);
    }

    fn image_urls(write: &PlaceWrite<D>) -> Vec<&WebUrl> {
        write.shared.image_url().into_iter().collect()
    }

    async fn new_content(
        write: PlaceWrite<D>,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<(Self, SlugRequests), AppError> {
        let EntryWrite { mut shared, own } = write;
        let mut faults = FaultCollector::default();
        shared.check(D::KIND, request, unit, &mut faults).await?;
        shared.into_entry(D::default().changed(own), request, faults)
    }

    async fn changed_content(
        write: PlaceWrite<D>,
        before: &Stored<Self>,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<(Self, SlugRequests), AppError> {
        let EntryWrite { shared, mut own } = write;
        let translate = |translation: &mut Translation| {
            before
                .details
                .translate(&mut own, &mut translation.text_fields);
        };
        let changing = Changing::begin(shared, before, translate, request, unit).await?;
        changing.end(before, before.details.clone().changed(own), request)
    }

    fn trash(&self, now: Timestamp) -> Result<Option<(Self, SlugRequests)>, AppError> {
        entry::trash(self, now).map(Some)
    }

    async fn keep_links(
        content: &mut Self,
        present: &Located<Self>,
        former: Former,
        request: &Request<'_>,
        repositories: &dyn Repositories,
    ) -> Result<(), AppError> {
        let (wanted, present) = (content.image, present.image);
        content.image =
            former_states::image(wanted, present, former, request, repositories).await?;
        Ok(())
    }

    async fn look_up(
        query: PlaceQuery,
        request: &Request<'_>,
        repositories: &dyn Repositories,
    ) -> Result<PlaceFilter<D>, AppError> {
        query.look_up(request, repositories).await
    }

    async fn load(
        entries: Vec<Located<Self>>,
        visibility: &Visibility,
        repositories: &dyn Repositories,
    ) -> Result<Vec<PlaceView<D>>, AppError> {
        let entries = all_stored(entries)?;
        let images = image::load(image::shown(&entries), repositories).await?;
        Ok(entries
            .into_iter()
            .map(|entry| PlaceView::new(entry, visibility, &images))
            .collect())
    }
}

/// A venue or an organizer as an answer shows it.
///
/// ```
/// use events_calendar_app::{place::PlaceView, write::NewVenue};
/// use domain::{Status, VenueDetails};
/// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
/// # use domain::Role;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = InMemoryStore::new();
/// # let editor = add_user(&store, "ada", Role::Editor).await;
/// # let calendar = calendar(store).await;
///
/// let mill = NewVenue::builder("Old Mill".parse()?).build();
/// let view: PlaceView<VenueDetails> = calendar.create(editor, &mill).await?;
/// assert_eq!(view.status, Status::Publish);
/// assert!(view.image.is_none());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PlaceView<D> {
    /// The venue or organizer, localized to `language`.
    pub entry: Stored<Entry<D>>,
    /// Its status at the time of the answer.
    pub status: Status,
    /// The language of the answer.
    pub language: Language,
    /// Its image.
    pub image: Option<Arc<Stored<Image>>>,
}

impl<D: Details> PlaceView<D> {
    /// The view of an entry for a caller.
    pub(crate) fn new(
        entry: Stored<Entry<D>>,
        visibility: &Visibility,
        images: &ImageViews,
    ) -> Self {
        let status = entry.status(visibility.now);
        let image = images.of(entry.image);
        Self {
            entry: entry.localized(visibility.language),
            language: visibility.language,
            status,
            image,
        }
    }
}
