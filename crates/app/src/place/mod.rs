//! Use cases of venues and organizers, which differ only in their fields.

mod organizer;
mod query;
mod venue;

use std::{collections::BTreeMap, fmt, sync::Arc};

use async_trait::async_trait;
use domain::{
    Entry, Event, Image, Language, OrganizerDetails, Status, Stored, TextField, Translation,
    VenueDetails,
    entry::{Details, EntryId},
    place::PlaceFilter,
    policy::{Caller, Visibility},
    time::Timestamp,
    web_url::WebUrl,
};

use crate::{
    entry::{self, Changing, EntryWrite},
    error::AppError,
    fault::FaultCollector,
    image::{self, ImageViews},
    ports::{Repositories, Repository, SlugRequests},
    request::Request,
    resource::{Former, Located, Resource, all_stored, former_states as links},
};

pub use organizer::OrganizerFields;
pub use query::PlaceQuery;
pub use venue::VenueFields;

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
        entry::content(shared, D::default().changed(own), request, faults)
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
        let (wanted, now) = (content.image, present.image);
        content.image = links::image(wanted, now, former, request, repositories).await?;
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

/// Whether a stored text equals the text that was sent, if one was sent that is not empty.
fn text_fits(sent: Option<&String>, stored: &str) -> bool {
    sent.is_none_or(|sent| sent.is_empty() || sent == stored)
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
