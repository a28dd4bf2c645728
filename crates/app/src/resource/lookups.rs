//! The lookups of records that all kinds share.

use domain::{Id, Language, Stored, policy::Visibility, slug::Slug};

use super::{Located, Resource};
use crate::{
    error::AppError,
    ports::{Repositories, StoreError},
    request::RecordKey,
};

/// The `ids` of records with one of the `slugs`; each is `None` if it restricts nothing.
pub(crate) async fn among_slugs<R: Resource>(
    ids: Option<Vec<Id<R>>>,
    slugs: Option<Vec<Slug>>,
    repositories: &dyn Repositories,
) -> Result<Option<Vec<Id<R>>>, AppError> {
    let Some(slugs) = slugs else { return Ok(ids) };
    let mut found = Vec::new();
    for slug in &slugs {
        let owner = R::repository(repositories).find_by_slug(slug).await?;
        let owner = owner.filter(|owner| ids.as_ref().is_none_or(|ids| ids.contains(owner)));
        found.extend(owner);
    }
    Ok(Some(found))
}

/// [`Resource::locate`] by the repository.
pub(crate) async fn locate<R: Resource>(
    repositories: &dyn Repositories,
    key: &RecordKey<R>,
    for_update: bool,
) -> Result<Option<Located<R>>, AppError> {
    let repository = R::repository(repositories);
    let id = match key {
        RecordKey::Id(id) | RecordKey::Slot(id, _) => *id,
        RecordKey::Slug(slug) => match repository.find_by_slug(slug).await? {
            Some(id) => id,
            None => return Ok(None),
        },
        RecordKey::Unknown => return Ok(None),
    };
    if !for_update {
        return Ok(repository.find(id).await?.map(Located::from));
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
    Ok(Some(found.into()))
}

/// [`Resource::locate_former`] by the repository.
pub(crate) async fn locate_former<R: Resource>(
    repositories: &dyn Repositories,
    slug: &Slug,
) -> Result<Option<(Located<R>, Language)>, AppError> {
    let repository = R::repository(repositories);
    if repository.find_by_slug(slug).await?.is_some() {
        return Ok(None);
    }
    let Some((id, language)) = repository.find_by_former_slug(slug).await? else {
        return Ok(None);
    };
    let mut record = repository.find(id).await?;
    if record.as_ref().is_some_and(|record| record.is_in_trash())
        && let Some(kept) = present_of(id, repositories).await?
    {
        record = repository.find(kept).await?;
    }
    let record = record.filter(|record| !record.is_in_trash());
    Ok(record.map(|record| (record.into(), language)))
}

/// Most merges, one after the other, through which a former address leads.
const MAX_MERGES: usize = 100;

/// The record into which a record was merged, and that record in turn, up to the present one; `None` for a record that was
/// not merged.
pub(crate) async fn present_of<R: Resource>(
    id: Id<R>,
    repositories: &dyn Repositories,
) -> Result<Option<Id<R>>, AppError> {
    let mut present = None;
    for _ in 0..MAX_MERGES {
        let last = present.unwrap_or(id);
        let next = repositories.duplicates().merged_into(R::KIND, last.get());
        match next.await? {
            Some(next) => present = Some(Id::from_raw(next)),
            None => break,
        }
    }
    Ok(present)
}

/// [`Resource::load`] of stored records.
pub(crate) async fn load<R: Resource>(
    records: Vec<Stored<R>>,
    visibility: &Visibility,
    repositories: &dyn Repositories,
) -> Result<Vec<R::View>, AppError> {
    let records = records.into_iter().map(Located::from);
    R::load(records.collect(), visibility, repositories).await
}
