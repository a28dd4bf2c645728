//! The images of the in-memory store.

use async_trait::async_trait;
use domain::{
    Entry, Image, ImageId, Stored,
    entry::Details,
    image::{AltTexts, FilePath, ImageFilter, ImageName},
    page::{Page, PageRequest},
    policy::Visibility,
    time::Timestamp,
    web_url::WebUrl,
};

use super::{
    session::Session,
    state::{State, Table},
};
use crate::ports::{ImageRepository, StoreError};

impl State {
    fn image_where(&self, wanted: impl Fn(&Image) -> bool) -> Option<Stored<Image>> {
        let mut images = self.images.rows.values();
        images.find(|image| wanted(image)).cloned()
    }

    /// Whether an entry shows an image to a reader; without a reader, whether any entry has it.
    fn is_shown(&self, id: ImageId, reader: Option<&Visibility>) -> bool {
        show(&self.events, id, reader)
            || show(&self.venues, id, reader)
            || show(&self.organizers, id, reader)
    }
}

/// Whether one of these entries shows an image to a reader; without a reader, whether one has it.
fn show<D: Details>(entries: &Table<Entry<D>>, id: ImageId, reader: Option<&Visibility>) -> bool {
    entries.rows.values().any(|entry| {
        entry.image == Some(id) && reader.is_none_or(|reader| reader.shows_image_of(entry))
    })
}

/// Removes an image from the entries that show it.
fn clear<D>(entries: &mut Table<Entry<D>>, id: ImageId, now: Timestamp) {
    for entry in entries.rows.values_mut() {
        if entry.content.image == Some(id) {
            entry.content.image = None;
            entry.content.modified = now;
            entry.revision += 1;
        }
    }
}

impl State {
    /// Refuses an image whose name is used, or that was fetched before.
    fn check_new_image(&self, image: &Image) -> Result<(), StoreError> {
        let fetched_before = |other: &Image| other.source.is_some() && other.source == image.source;
        if self.image_names.contains(&image.name) || self.image_where(fetched_before).is_some() {
            return Err(StoreError::Conflict);
        }
        self.check_user(image.uploader)
    }
}

#[async_trait]
impl ImageRepository for Session {
    async fn find_many(&self, ids: &[ImageId]) -> Result<Vec<Stored<Image>>, StoreError> {
        self.read(|state| {
            let images = state.images.rows.values();
            images
                .filter(|image| ids.contains(&image.id))
                .cloned()
                .collect()
        })
    }

    async fn find_visible(
        &self,
        id: ImageId,
        visibility: &Visibility,
    ) -> Result<Option<Stored<Image>>, StoreError> {
        self.read(|state| {
            let image = state.images.get(id);
            let shown = |id| state.is_shown(id, Some(visibility));
            let list = ImageFilter::default().list(image, shown, visibility);
            list.first().copied().cloned()
        })
    }

    async fn list_visible(
        &self,
        filter: &ImageFilter,
        page: &PageRequest,
        visibility: &Visibility,
    ) -> Result<Page<ImageId>, StoreError> {
        self.read(|state| {
            let shown = |id| state.is_shown(id, Some(visibility));
            let list = filter.list(state.images.rows.values(), shown, visibility);
            Page::of(list.into_iter().map(|image| image.id).collect(), *page)
        })
    }

    async fn is_used(&self, id: ImageId) -> Result<bool, StoreError> {
        self.read(|state| state.is_shown(id, None))
    }

    async fn lock(&self, id: ImageId) -> Result<Option<Stored<Image>>, StoreError> {
        self.read(|state| state.images.get(id).cloned())
    }

    async fn lock_by_source(&self, source: &WebUrl) -> Result<Option<Stored<Image>>, StoreError> {
        self.read(|state| state.image_where(|image| image.source.as_ref() == Some(source)))
    }

    async fn lock_by_file(&self, path: &FilePath) -> Result<Option<Stored<Image>>, StoreError> {
        self.read(|state| state.image_where(|image| image.paths().contains(path)))
    }

    async fn is_name_used(&self, name: &ImageName) -> Result<bool, StoreError> {
        self.read(|state| state.image_names.contains(name))
    }

    async fn insert(&self, image: Image) -> Result<Stored<Image>, StoreError> {
        self.write(|state| {
            state.check_new_image(&image)?;
            state.image_names.insert(image.name.clone());
            Ok(state.images.add(image))
        })
    }

    async fn insert_at(&self, image: Stored<Image>) -> Result<(), StoreError> {
        self.write(|state| {
            if state.images.holds(image.id) {
                return Err(StoreError::Conflict);
            }
            state.check_new_image(&image)?;
            state.image_names.insert(image.name.clone());
            state.images.add_at(image);
            Ok(())
        })
    }

    async fn set_alt(
        &self,
        image: &Stored<Image>,
        alt: AltTexts,
        now: Timestamp,
    ) -> Result<Stored<Image>, StoreError> {
        self.write(|state| {
            let row = state.images.rows.get_mut(&image.id);
            let row = row.filter(|row| row.revision == image.revision);
            let row = row.ok_or(StoreError::Conflict)?;
            row.revision += 1;
            (row.content.alt, row.content.modified) = (alt, now);
            Ok(row.clone())
        })
    }

    async fn delete(&self, id: ImageId, now: Timestamp) -> Result<bool, StoreError> {
        self.write(|state| {
            clear(&mut state.events, id, now);
            clear(&mut state.venues, id, now);
            clear(&mut state.organizers, id, now);
            Ok(state.images.rows.remove(&id).is_some())
        })
    }

    async fn paths(&self) -> Result<Vec<FilePath>, StoreError> {
        self.read(|state| {
            let images = state.images.rows.values();
            images.flat_map(|image| image.paths()).collect()
        })
    }
}
