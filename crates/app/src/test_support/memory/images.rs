//! The images of the in-memory store.

use async_trait::async_trait;
use domain::{
    Entry, Image, ImageId, Stored,
    entry::Details,
    image::{FilePath, ImageFilter, ImageName},
    page::{Page, PageRequest},
    policy::{Guarded, Visibility},
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

    /// Whether an image is visible to the caller.
    fn is_visible(&self, image: &Stored<Image>, visibility: &Visibility) -> bool {
        visibility.caller.may_see_image_of(image.uploader)
            || show(&self.events, image.id, visibility)
            || show(&self.venues, image.id, visibility)
            || show(&self.organizers, image.id, visibility)
    }
}

/// Whether one of these entries shows an image to the caller.
fn show<D: Details>(entries: &Table<Entry<D>>, id: ImageId, visibility: &Visibility) -> bool {
    entries.rows.values().any(|entry| {
        entry.content.image == Some(id)
            && entry.is_linkable(visibility)
            && visibility.opens(&entry.content)
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
            let image = state.images.get(id).cloned();
            image.filter(|image| state.is_visible(image, visibility))
        })
    }

    async fn list_visible(
        &self,
        filter: &ImageFilter,
        page: &PageRequest,
        visibility: &Visibility,
    ) -> Result<Page<ImageId>, StoreError> {
        self.read(|state| {
            let images = state.images.rows.values();
            let held =
                images.filter(|image| filter.holds(image) && state.is_visible(image, visibility));
            let mut ids: Vec<_> = held.map(|image| image.id).collect();
            ids.sort_by_key(|id| std::cmp::Reverse(*id));
            let before = usize::try_from(page.offset()).unwrap_or(usize::MAX);
            Page {
                total: ids.len() as u64,
                rows: ids
                    .into_iter()
                    .skip(before)
                    .take(page.per_page() as usize)
                    .collect(),
                request: *page,
            }
        })
    }

    async fn is_used(&self, id: ImageId) -> Result<bool, StoreError> {
        fn any<D>(entries: &Table<Entry<D>>, id: ImageId) -> bool {
            let mut entries = entries.rows.values();
            entries.any(|entry| entry.content.image == Some(id))
        }
        self.read(|state| {
            any(&state.events, id) || any(&state.venues, id) || any(&state.organizers, id)
        })
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
            let fetched_before =
                |other: &Image| other.source.is_some() && other.source == image.source;
            if state.image_names.contains(&image.name)
                || state.image_where(fetched_before).is_some()
            {
                return Err(StoreError::Conflict);
            }
            if !state.users.holds(image.uploader) {
                let broken = format!("there is no user {}", image.uploader);
                return Err(StoreError::Internal(broken));
            }
            state.image_names.insert(image.name.clone());
            Ok(state.images.add(image))
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
            state
                .images
                .rows
                .values()
                .flat_map(|image| image.paths())
                .collect()
        })
    }
}
