//! Images of records in answers.

use std::{collections::HashMap, ops::Deref, sync::Arc};

use domain::{Entry, Image, ImageId, Stored};

use crate::{error::AppError, ports::Repositories};

/// The images of the records of an answer.
#[derive(Debug, Default)]
pub(crate) struct ImageViews(HashMap<ImageId, Arc<Stored<Image>>>);

impl ImageViews {
    /// The image of a record, if it has one that still exists.
    pub(crate) fn of(&self, id: Option<ImageId>) -> Option<Arc<Stored<Image>>> {
        id.and_then(|id| self.0.get(&id).cloned())
    }
}

/// The IDs of the images of entries.
pub(crate) fn shown<D>(entries: &[impl Deref<Target = Entry<D>>]) -> Vec<ImageId> {
    entries.iter().filter_map(|entry| entry.image).collect()
}

/// Loads images, in one statement.
pub(crate) async fn load(
    mut ids: Vec<ImageId>,
    repositories: &dyn Repositories,
) -> Result<ImageViews, AppError> {
    ids.sort_unstable();
    ids.dedup();
    let found = repositories.images().find_many(&ids).await?;
    let found = found.into_iter().map(|image| (image.id, Arc::new(image)));
    Ok(ImageViews(found.collect()))
}
