//! The parts of a kind of record in the use cases.

use std::fmt;

use async_trait::async_trait;
use domain::{
    Id, Language, Record, Stored,
    event::{Scope, SlotChanges},
    policy::Visibility,
    slug::Slug,
    web_url::WebUrl,
};

use super::{Located, Resource};
use crate::{
    error::AppError,
    input::{self, Commas, FaultCollector, Input, Warning},
    ports::{Repositories, SlugRequest, SlugRequests, StoreError},
    request::{Purpose, RecordKey, Request},
};

/// The fields of a write, each checked alone.
///
/// A write calls [`Changes::read`] (reads each field and checks it alone), [`Changes::authorize`]
/// (checks the right), [`Changes::parse_html`], and then [`Changes::create`] or
/// [`Changes::update`] within a unit of work (checks the fields against stored data).
#[async_trait]
pub trait Changes<R: Resource<Changes = Self>>: Clone + fmt::Debug + Default + Send + Sync {
    /// Reads the fields of a write.
    fn read(input: &mut Input<'_>, request: &Request<'_>, purpose: Purpose) -> Self;

    /// Parses the formatted texts, which is slow, for a caller who may write them. Faults are
    /// reported to `faults`.
    fn parse_html(&mut self, faults: &mut FaultCollector);

    /// The URLs of images to fetch.
    fn image_urls(&self) -> Vec<&WebUrl> {
        Vec::new()
    }

    /// Checks that the caller has the rights that the changes need; `before` is none for a new
    /// record.
    ///
    /// # Errors
    ///
    /// [`AppError::Forbidden`].
    fn authorize(&self, request: &Request<'_>, before: Option<&R>) -> Result<(), AppError>;

    /// Makes the content of a new record, and the slugs to request for it.
    ///
    /// # Errors
    ///
    /// [`AppError::Invalid`] for fields that contradict stored data.
    async fn create(
        self,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<(R, SlugRequests), AppError>;

    /// Takes the locks that a change needs beside the record's own, or a deletion if `changes` is
    /// none. Writes take them before the record's lock, always in this order, which prevents
    /// deadlocks.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn lock_for(changes: Option<&Self>, unit: &dyn Repositories) -> Result<(), AppError>;

    /// Makes the content of a record after a change, and the slugs to request for it. In a language
    /// other than the original's, the texts of the translation are changed.
    ///
    /// # Errors
    ///
    /// As for `create`.
    async fn update(
        self,
        before: &Stored<R>,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<(R, SlugRequests), AppError>;

    /// The record of a key; locked if it is to be changed.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn locate(
        repositories: &dyn Repositories,
        key: &RecordKey<R>,
        for_update: bool,
    ) -> Result<Option<Located<R>>, AppError> {
        locate(repositories, key, for_update).await
    }

    /// The record outside the trash to which a slug leads that it gave up, and that no record has
    /// now; with the slug's language.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn locate_former(
        repositories: &dyn Repositories,
        slug: &Slug,
    ) -> Result<Option<(Located<R>, Language)>, AppError> {
        locate_former(repositories, slug).await
    }

    /// Stores a new record.
    ///
    /// # Errors
    ///
    /// [`AppError::Invalid`] for fields that contradict stored data.
    async fn insert(
        changes: Self,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<Stored<R>, AppError> {
        create::<R>(changes, request, unit).await
    }

    /// Stores a change of a record.
    ///
    /// # Errors
    ///
    /// As for `create`.
    async fn change(
        changes: Self,
        before: Located<R>,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<Changed<R>, AppError> {
        change::<R>(changes, before.stored()?, request, unit).await
    }

    /// Stores the content of a record in the trash.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn put_in_trash(
        before: Located<R>,
        (content, slugs): (R, SlugRequests),
        _scope: Option<Scope>,
        _request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<Stored<R>, AppError> {
        let repository = R::repository(unit);
        Ok(repository.update(&before.stored()?, content, slugs).await?)
    }

    /// Deletes a record for good.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn remove(
        before: Located<R>,
        _scope: Option<Scope>,
        _request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<(), AppError> {
        R::repository(unit).delete(before.stored()?.id).await?;
        Ok(())
    }
}

/// A record with the related data of its answer.
#[async_trait]
pub trait View<R: Record>: Sized + Send + Sync {
    /// Adds the related data of answers to records, in their order. The number of statements does
    /// not depend on the number of records.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn load<T: Into<Located<R>> + Send>(
        records: Vec<T>,
        visibility: &Visibility,
        repositories: &dyn Repositories,
    ) -> Result<Vec<Self>, AppError>;

    /// Adds the effect of a write on the slots of a series. Events alone show it.
    fn with_slots(self, _changes: Option<SlotChanges>) -> Self {
        self
    }

    /// The same view with the warnings of the answered write.
    fn with_warnings(self, _warnings: Vec<Warning>) -> Self {
        self
    }
}

/// The filters of a list as sent by a request.
#[async_trait]
pub trait FilterInput<R: Record>: Sized + Send + Sync {
    /// Reads the filters, each checked alone.
    fn read(input: &mut Input<'_>, request: &Request<'_>) -> Self;

    /// Reads the filters of a list without pages.
    fn read_whole(input: &mut Input<'_>, request: &Request<'_>) -> Self {
        Self::read(input, request)
    }

    /// Looks up the records that the filters name.
    ///
    /// # Errors
    ///
    /// [`AppError::Invalid`] for filters that name a record that does not exist; for an event, the
    /// error of a read of the event.
    async fn look_up(
        self,
        request: &Request<'_>,
        repositories: &dyn Repositories,
    ) -> Result<R::Filter, AppError>;
}

/// Reads the slugs to which a list of any kind is restricted, if the request may do so.
pub(crate) fn read_slugs(input: &mut Input<'_>) -> Option<Vec<Slug>> {
    let may = input.takes_slugs();
    may.then(|| input.read_list("slug", Commas::Separate, input::slugs))
        .flatten()
}

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

/// [`Changes::locate`] by the repository.
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

/// [`Changes::locate_former`] by the repository.
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
    let record = repository.find(id).await?;
    let record = record.filter(|record| !record.is_in_trash());
    Ok(record.map(|record| (record.into(), language)))
}

/// [`Changes::insert`] by the repository.
pub(crate) async fn create<R: Resource>(
    changes: R::Changes,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Stored<R>, AppError> {
    let (content, mut slugs) = changes.create(request, unit).await?;
    if let (Some(slug), Some(original)) = (request.wanted_slug, &mut slugs.original) {
        *original = SlugRequest::new(slug.clone());
    }
    let repository = R::repository(unit);
    if let Some(id) = request.wanted_id {
        let wanted = Stored {
            id: Id::from_raw(id),
            revision: 1,
            content: content.clone(),
        };
        if let Some(stored) = repository.insert_at(wanted, slugs.clone()).await? {
            return Ok(stored);
        }
    }
    Ok(repository.insert(content, slugs).await?)
}

/// [`Changes::change`] by the repository.
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
