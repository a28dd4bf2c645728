//! The kinds of record, as the use cases see them.

use async_trait::async_trait;
use domain::{
    Record, Stored,
    policy::{Caller, Visibility},
    time::Timestamp,
    web_url::WebUrl,
};

use crate::{
    error::AppError,
    input::Input,
    ports::{Repositories, Repository, SlugRequests},
    request::{Purpose, Request},
};

/// A kind of record, as the use cases see it.
///
/// Writes go through `read` (what was sent, checked by itself), `authorize` (the right to do such a
/// thing at all), `parse_html`, and `create` or `update` (the rest, in a unit of work).
#[async_trait]
pub trait Resource: Record + PartialEq {
    /// The fields of a write, checked by themselves.
    type Changes: Clone + Send + Sync;
    /// The filters of a list, checked by themselves.
    type FilterInput: FilterInput<Self>;
    /// A record with what an answer shows beside it.
    type View: Send + Sync;

    /// The repository of this kind.
    fn repository(repositories: &dyn Repositories) -> &dyn Repository<Self>;

    /// Reads the fields of a write.
    fn read(input: &mut Input<'_>, request: &Request<'_>, purpose: Purpose) -> Self::Changes;

    /// Parses the texts with formatting, for a caller who may write them: that takes time. Each fault
    /// in them is reported to `input`.
    fn parse_html(changes: &mut Self::Changes, input: &mut Input<'_>);

    /// The addresses from which images are to be fetched.
    fn image_urls(_changes: &Self::Changes) -> Vec<&WebUrl> {
        Vec::new()
    }

    /// Whether the changes need a right that the caller has not; `before` is none for a new record.
    ///
    /// # Errors
    ///
    /// [`AppError::Forbidden`].
    fn authorize(
        changes: &Self::Changes,
        request: &Request<'_>,
        before: Option<&Self>,
    ) -> Result<(), AppError>;

    /// Makes the content of a new record, with the slugs that it shall get.
    ///
    /// # Errors
    ///
    /// [`AppError::Invalid`] for fields that do not fit what is stored.
    async fn create(
        changes: Self::Changes,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<(Self, SlugRequests), AppError>;

    /// Takes what a change, or without one a deletion, needs for itself alone, before it takes the
    /// record: all who take both do so in this order, so that no two wait for each other.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn lock_for(
        _changes: Option<&Self::Changes>,
        _unit: &dyn Repositories,
    ) -> Result<(), AppError> {
        Ok(())
    }

    /// Makes the content that a record has after a change, with the slugs that it shall get. In
    /// another language than that of the original, the texts of the translation are changed.
    ///
    /// # Errors
    ///
    /// As for `create`.
    async fn update(
        before: &Stored<Self>,
        changes: Self::Changes,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<(Self, SlugRequests), AppError>;

    /// Puts the record in the trash, if the kind has one: its content there and its slug.
    ///
    /// # Errors
    ///
    /// [`AppError::InTrash`] if it is there already.
    fn trash(
        before: &Stored<Self>,
        now: Timestamp,
    ) -> Result<Option<(Self, SlugRequests)>, AppError>;

    /// Whether the caller may change or delete this record.
    fn may_edit(&self, caller: Caller) -> bool;

    /// Whether the caller may know of this record.
    fn is_visible(&self, visibility: &Visibility) -> bool;

    /// Whether the caller may read this record.
    ///
    /// # Errors
    ///
    /// The error that the caller receives if not.
    fn check_readable(&self, visibility: &Visibility) -> Result<(), AppError>;

    /// Whether a page may show the record; of locked content it shows what lists do.
    fn is_shown(&self, visibility: &Visibility) -> bool;

    /// The error for a record that does not exist.
    fn not_found() -> AppError {
        AppError::NotFound(Self::KIND)
    }

    /// Adds to records what an answer shows beside them, in their order. The number of statements
    /// does not depend on how many they are.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn views(
        records: Vec<Stored<Self>>,
        visibility: &Visibility,
        repositories: &dyn Repositories,
    ) -> Result<Vec<Self::View>, AppError>;
}

/// The filters of a list as a request sends them.
#[async_trait]
pub trait FilterInput<R: Record>: Sized + Send + Sync {
    /// Reads the filters, each checked by itself.
    fn read(input: &mut Input<'_>, request: &Request<'_>) -> Self;

    /// Looks up the records that the filters name.
    ///
    /// # Errors
    ///
    /// [`AppError::Invalid`] for filters that name what does not exist; for an event, what a read of it
    /// would answer.
    async fn look_up(
        self,
        request: &Request<'_>,
        repositories: &dyn Repositories,
    ) -> Result<R::Filter, AppError>;
}
