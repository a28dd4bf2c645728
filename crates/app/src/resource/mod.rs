//! The kinds of record in the use cases.

mod located;
mod parts;

use domain::{
    Record,
    policy::{Caller, Capability, Guarded},
    time::Timestamp,
};

use crate::{
    error::AppError,
    ports::{Repositories, Repository, SlugRequests},
};

pub use domain::event::SlotChanges;
pub use located::Located;
pub(crate) use located::all_stored;
pub(crate) use parts::{
    Changed, Changes, FilterInput, View, among_slugs, change, create, locate, locate_former,
    read_slugs, save,
};

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
    fn trash(&self, _now: Timestamp) -> Result<Option<(Self, SlugRequests)>, AppError> {
        Ok(None)
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
