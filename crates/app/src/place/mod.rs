//! Use cases of venues and organizers, which differ only in their fields.

mod filter;
mod organizer;
mod venue;

use std::sync::Arc;

use async_trait::async_trait;
use domain::{
    Entry, Event, Image, Language, Status, Stored,
    entry::{Details, EntryId},
    place::PlaceFilter,
    policy::Visibility,
};

use crate::{
    entry::EntryKind,
    error::AppError,
    image::{self, ImageViews},
    ports::Repositories,
    resource::{Located, View, all_stored},
};

use filter::PlaceFilterInput;
pub(crate) use organizer::OrganizerChanges;
pub(crate) use venue::VenueChanges;

/// A kind of place in the use cases.
///
/// ```
/// use app::{place::Place, test_support::event};
/// use domain::{OrganizerDetails, OrganizerId};
///
/// fn linked<D: Place>(event: &domain::Event) -> usize {
///     D::of_event(event).len()
/// }
/// let fair = event("Fair").organizers(&[OrganizerId::from_raw(7)]).build();
/// assert_eq!(linked::<OrganizerDetails>(&fair), 1);
/// // A write without fields contradicts nothing.
/// assert!(OrganizerDetails::default().fits(&Default::default()));
/// ```
pub trait Place: EntryKind + Details<Filter = PlaceFilter<Self>> + Default {
    /// Whether the details contradict no field that was sent with a value.
    fn fits(&self, changes: &Self::Changes) -> bool;

    /// The places of this kind that an event names.
    fn of_event(event: &Event) -> &[EntryId<Self>];
}

/// Whether a stored text equals the text that was sent, if one was sent that is not empty.
fn text_fits(sent: Option<&String>, stored: &str) -> bool {
    sent.is_none_or(|sent| sent.is_empty() || sent == stored)
}

/// A venue or an organizer as an answer shows it.
///
/// ```
/// use app::{place::PlaceView, typed::NewVenue};
/// use domain::{Status, VenueDetails};
/// # use app::test_support::{InMemoryStore, add_user, calendar};
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

#[async_trait]
impl<D: EntryKind> View<Entry<D>> for PlaceView<D> {
    async fn load<T: Into<Located<Entry<D>>> + Send>(
        entries: Vec<T>,
        visibility: &Visibility,
        repositories: &dyn Repositories,
    ) -> Result<Vec<Self>, AppError> {
        let entries = all_stored(entries)?;
        let images = image::load(image::shown(&entries), repositories).await?;
        Ok(entries
            .into_iter()
            .map(|entry| Self::new(entry, visibility, &images))
            .collect())
    }
}
