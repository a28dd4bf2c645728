//! The kinds of record in the use cases.

mod parts;
mod steps;

use async_trait::async_trait;
use domain::{
    Record, Stored,
    policy::{Caller, Capability, Guarded},
    time::Timestamp,
};

use crate::{
    error::AppError,
    ports::{Repositories, Repository, SlugRequests},
    request::{RecordKey, Request},
};

pub(crate) use parts::{Changes, FilterInput, View};
pub(crate) use steps::{Changed, change, create, locate, save};

/// A kind of record in the use cases: [`Event`](domain::Event), [`Venue`](domain::Venue),
/// [`Organizer`](domain::Organizer), [`Category`](domain::Category), [`Tag`](domain::Tag).
///
/// The traits of its associated types are private: no other crate adds a kind.
///
/// ```
/// use app::{AppError, ports::Repositories, resource::Resource, test_support::{at, venue}};
/// use domain::{Id, Kind, Stage, Stored, Venue, policy::Caller};
///
/// /// Works for every kind.
/// async fn exists<R: Resource>(repositories: &dyn Repositories, id: Id<R>) -> Result<(), AppError> {
///     let found = R::repository(repositories).find(id).await?;
///     found.map(drop).ok_or_else(R::not_found)
/// }
///
/// # fn main() -> Result<(), AppError> {
/// assert!(matches!(Venue::not_found(), AppError::NotFound(Kind::Venue)));
/// let mill = Stored { id: Id::from_raw(1), revision: 1, content: venue("Old Mill").build() };
/// assert!(!mill.may_edit(Caller::Anonymous));
/// let (trashed, _) = Venue::trash(&mill, at("2030-01-01 00:00:00"))?.unwrap();
/// assert_eq!(trashed.stage, Stage::Trashed);
/// # Ok(())
/// # }
/// ```
#[async_trait]
pub trait Resource: Record + Guarded + PartialEq {
    /// The fields of a write, each checked alone.
    type Changes: Changes<Self>;
    /// The filters of a list, each checked alone.
    type FilterInput: FilterInput<Self>;
    /// A record with the related data of its answer.
    type View: View<Self>;

    /// The repository of this kind.
    fn repository(repositories: &dyn Repositories) -> &dyn Repository<Self>;

    /// Makes the content of the record in the trash, and the slugs to request there; none if the
    /// kind has no trash.
    ///
    /// # Errors
    ///
    /// [`AppError::InTrash`] if it is there already.
    fn trash(
        _before: &Stored<Self>,
        _now: Timestamp,
    ) -> Result<Option<(Self, SlugRequests)>, AppError> {
        Ok(None)
    }

    /// The record of a key; locked if it is to be changed.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    #[doc(hidden)]
    async fn locate(
        repositories: &dyn Repositories,
        key: &RecordKey<Self>,
        for_update: bool,
    ) -> Result<Option<Stored<Self>>, AppError> {
        locate(repositories, key, for_update).await
    }

    /// Stores a new record.
    ///
    /// # Errors
    ///
    /// [`AppError::Invalid`] for fields that contradict stored data.
    #[doc(hidden)]
    async fn create(
        changes: Self::Changes,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<Stored<Self>, AppError> {
        create(changes, request, unit).await
    }

    /// Stores a change of a record.
    ///
    /// # Errors
    ///
    /// As for `create`.
    #[doc(hidden)]
    async fn change(
        changes: Self::Changes,
        before: Stored<Self>,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<Changed<Self>, AppError> {
        change(changes, before, request, unit).await
    }

    /// Stores the content of a record in the trash.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    #[doc(hidden)]
    async fn put_in_trash(
        before: Stored<Self>,
        (content, slugs): (Self, SlugRequests),
        _request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<Stored<Self>, AppError> {
        let repository = Self::repository(unit);
        Ok(repository.update(&before, content, slugs).await?)
    }

    /// Deletes a record for good.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    #[doc(hidden)]
    async fn remove(
        before: Stored<Self>,
        _request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<(), AppError> {
        Self::repository(unit).delete(before.id).await?;
        Ok(())
    }

    /// Whether the caller may change or delete this record.
    fn may_edit(&self, caller: Caller) -> bool {
        caller.can(Capability::Write(Self::KIND))
    }

    /// The error for a record that does not exist.
    fn not_found() -> AppError {
        AppError::NotFound(Self::KIND)
    }
}
