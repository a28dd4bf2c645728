//! The steps of the use cases within a unit of work, for kinds without rules of their own.

use domain::{EventId, Stored};

use super::{Changes as _, Resource};
use crate::{
    error::AppError,
    ports::{Repositories, SlugRequests, StoreError},
    request::{RecordKey, Request},
};

/// The effect of a write on the slots of a series, up to its horizon.
///
/// ```
/// use app::event::SlotChanges;
///
/// let changes = SlotChanges { kept: 3, added: 3, removed: 3, trashed: Vec::new() };
/// assert_ne!(changes, SlotChanges::default());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlotChanges {
    /// The number of slots that remain.
    pub kept: usize,
    /// The number of new slots.
    pub added: usize,
    /// The number of slots that are gone.
    pub removed: usize,
    /// The occurrences that lost their slot and are in the trash, by ID.
    pub trashed: Vec<EventId>,
}

/// A record after a write.
#[derive(Debug)]
pub struct Changed<R> {
    /// The record that the answer shows.
    pub record: Stored<R>,
    /// The effect on the slots of a series.
    pub slots: Option<SlotChanges>,
}

impl<R> From<Stored<R>> for Changed<R> {
    fn from(record: Stored<R>) -> Self {
        Self {
            record,
            slots: None,
        }
    }
}

/// [`Changes::locate`](super::Changes::locate) by the repository.
pub(crate) async fn locate<R: Resource>(
    repositories: &dyn Repositories,
    key: &RecordKey<R>,
    for_update: bool,
) -> Result<Option<Stored<R>>, AppError> {
    let repository = R::repository(repositories);
    let id = match key {
        RecordKey::Id(id) | RecordKey::Slot(id, _) => *id,
        RecordKey::Slug(slug) => match repository.find_by_slug(slug).await? {
            Some(id) => id,
            None => return Ok(None),
        },
    };
    if !for_update {
        return Ok(repository.find(id).await?);
    }
    let Some(found) = repository.find_for_update(id).await? else {
        return Ok(None);
    };
    // The transaction that held the lock may have given the slug to another record: look it up
    // again.
    if let RecordKey::Slug(slug) = key
        && !found.slugs().any(|(_, one)| one == slug)
    {
        return Err(StoreError::Conflict.into());
    }
    Ok(Some(found))
}

/// [`Changes::insert`](super::Changes::insert) by the repository.
pub(crate) async fn create<R: Resource>(
    changes: R::Changes,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Stored<R>, AppError> {
    let (content, slugs) = changes.create(request, unit).await?;
    Ok(R::repository(unit).insert(content, slugs).await?)
}

/// [`Changes::change`](super::Changes::change) by the repository.
pub(crate) async fn change<R: Resource>(
    changes: R::Changes,
    before: Stored<R>,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Changed<R>, AppError> {
    let (content, slugs) = changes.update(&before, request, unit).await?;
    Ok(save(before, content, slugs, request, unit).await?.into())
}

/// Stores the content of a record, if it differs.
pub(crate) async fn save<R: Resource>(
    before: Stored<R>,
    content: R,
    slugs: SlugRequests,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Stored<R>, AppError> {
    if slugs.is_empty() && content == before.content {
        return Ok(before);
    }
    let repository = R::repository(unit);
    let after = repository.update(&before, content, slugs).await?;
    let given_up = before.slugs_given_up(&after.content, request.now);
    if !given_up.is_empty() {
        repository.give_up_slugs(after.id, &given_up).await?;
    }
    Ok(after)
}
