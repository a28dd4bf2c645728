//! Use cases of venues and organizers, which differ only in their fields.

mod filter;
mod organizer;
mod venue;

use std::{collections::BTreeMap, sync::Arc};

use async_trait::async_trait;
use domain::{
    Entry, Event, Image, Language, Status, Stored, TextField,
    entry::{Details, EntryId},
    place::PlaceFilter,
    policy::Visibility,
};

use crate::{
    entry::EntryKind,
    error::AppError,
    image::{self, ImageViews},
    input::Input,
    ports::{Repositories, Repository},
    request::{Purpose, Request},
};

pub use filter::PlaceFilterInput;
pub use organizer::OrganizerChanges;
pub use venue::VenueChanges;

/// The fields of a venue or an organizer that only its kind has.
pub trait PlaceChanges<D>: Clone {
    /// The details with these changes.
    fn apply_to(self, details: D) -> D;

    /// Moves the texts that were sent into a translation of `original`; an empty text removes the
    /// translated one.
    fn translate(&mut self, _original: &D, _lines: &mut BTreeMap<TextField, String>) {}

    /// Whether details contradict no field that was sent with a value.
    fn fits(&self, details: &D) -> bool;
}

/// A venue or an organizer as an answer shows it.
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

/// A kind of place in the use cases.
pub trait Place: Details<Filter = PlaceFilter<Self>> + Default {
    /// The field of a request that holds the name.
    const NAME_FIELD: &'static str;
    /// The fields of a write that only this kind has.
    type Changes: PlaceChanges<Self> + Send + Sync;

    /// The repository of this kind.
    fn repository(repositories: &dyn Repositories) -> &dyn Repository<Entry<Self>>;

    /// Reads the fields of a write.
    fn read(input: &mut Input<'_>) -> Self::Changes;

    /// The places of this kind that an event names.
    fn of_event(event: &Event) -> &[EntryId<Self>];
}

#[async_trait]
impl<D: Place> EntryKind for D {
    const TITLE_FIELD: &'static str = D::NAME_FIELD;
    type Changes = <D as Place>::Changes;
    type FilterInput = PlaceFilterInput;
    type View = PlaceView<D>;

    fn repository(repositories: &dyn Repositories) -> &dyn Repository<Entry<D>> {
        <D as Place>::repository(repositories)
    }

    fn read(input: &mut Input<'_>, _request: &Request<'_>, _purpose: Purpose) -> Self::Changes {
        <D as Place>::read(input)
    }

    fn translate(
        changes: &mut Self::Changes,
        original: &D,
        lines: &mut BTreeMap<TextField, String>,
    ) {
        changes.translate(original, lines);
    }

    async fn apply(
        before: Option<&Stored<Entry<D>>>,
        changes: Self::Changes,
        _request: &Request<'_>,
        _unit: &dyn Repositories,
        _input: &mut Input<'_>,
    ) -> Result<D, AppError> {
        Ok(changes.apply_to(
            before
                .map(|entry| entry.details.clone())
                .unwrap_or_default(),
        ))
    }

    async fn views(
        entries: Vec<Stored<Entry<D>>>,
        visibility: &Visibility,
        repositories: &dyn Repositories,
    ) -> Result<Vec<PlaceView<D>>, AppError> {
        let images = image::load(image::shown(&entries), repositories).await?;
        Ok(entries
            .into_iter()
            .map(|entry| PlaceView::new(entry, visibility, &images))
            .collect())
    }
}
