//! The kinds of record in the use cases.

mod find;
pub(crate) mod former_states;
mod located;
mod lookups;
pub(crate) mod writes;

use std::fmt;

use async_trait::async_trait;
use domain::{
    Language, Record, Stored,
    audit::TrailValues,
    event::{Scope, SlotChanges},
    policy::{Caller, Capability, Guarded, Visibility},
    slug::Slug,
    time::Timestamp,
    web_url::WebUrl,
};

use crate::{
    error::AppError,
    fault::{FaultCollector, Warning, Warnings},
    ports::{Repositories, Repository, SlugRequests},
    request::{Purpose, RecordKey, Request},
};

pub(crate) use find::{check_not_merged, find, find_for_change, find_readable};
pub use former_states::Former;
pub use located::Located;
pub(crate) use located::all_stored;
pub(crate) use lookups::{among_slugs, load, locate, locate_former, present_of};
pub use writes::Changed;
pub(crate) use writes::{change, create, save};

/// A kind of record in the use cases: [`Event`](domain::Event), [`Venue`](domain::Venue),
/// [`Organizer`](domain::Organizer), [`Category`](domain::Category), [`Tag`](domain::Tag).
///
/// A write is checked by [`check_alone`](Self::check_alone), [`authorize`](Self::authorize) and
/// [`parse_html`](Self::parse_html); then [`create`](Self::create) or [`change`](Self::change) checks
/// it against stored data within a unit of work, and stores it.
///
/// ```
/// use events_calendar_app::{AppError, ports::Repositories, resource::Resource, test_support::{at, venue}};
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
/// let (trashed, _) = mill.trash(at("2030-01-01 00:00:00"))?.unwrap();
/// assert_eq!(trashed.stage, Stage::Trashed);
/// # Ok(())
/// # }
/// ```
#[async_trait]
pub trait Resource: Record + Guarded + PartialEq {
    /// The fields of a write, each checked alone.
    type Write: Clone + fmt::Debug + Default + Send + Sync;
    /// The filters of a list, each checked alone.
    type Query: Clone + fmt::Debug + Send + Sync;
    /// A record with the related data of its answer.
    type View: Send + Sync;

    /// The repository of this kind.
    fn repository(repositories: &dyn Repositories) -> &dyn Repository<Self>;

    /// Whether the caller may change or delete this record.
    fn may_edit(&self, caller: Caller) -> bool {
        caller.can(Capability::Write(Self::KIND))
    }

    /// The error for a record that does not exist.
    fn not_found() -> AppError {
        AppError::NotFound(Self::KIND)
    }

    /// Checks the fields of a write with each other.
    fn check_alone(
        _write: &Self::Write,
        _purpose: Purpose,
        _request: &Request<'_>,
        _faults: &mut FaultCollector,
    ) {
    }

    /// Checks that the caller has the rights that a write needs; `before` is `None` for a new record.
    ///
    /// # Errors
    ///
    /// [`AppError::Forbidden`].
    fn authorize(
        _write: &Self::Write,
        _caller: Caller,
        _before: Option<&Self>,
    ) -> Result<(), AppError> {
        Ok(())
    }

    /// Parses the formatted texts of a write, which is slow, for a caller who may write them.
    fn parse_html(write: &mut Self::Write, faults: &mut FaultCollector);

    /// The URLs of images to fetch for a write.
    fn image_urls(_write: &Self::Write) -> Vec<&WebUrl> {
        Vec::new()
    }

    /// Takes the locks that a write needs beside the record's own, or a deletion if `write` is `None`.
    /// Writes take them before the record's lock, always in this order, which prevents deadlocks.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn lock_for(
        _write: Option<&Self::Write>,
        _unit: &dyn Repositories,
    ) -> Result<(), AppError> {
        Ok(())
    }

    /// Makes the content of a new record, and the slugs to request for it.
    ///
    /// # Errors
    ///
    /// [`AppError::Invalid`] for fields that contradict stored data.
    async fn new_content(
        write: Self::Write,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<(Self, SlugRequests), AppError>;

    /// Makes the content of a record after a change, and the slugs to request for it. In a language
    /// other than the original's, the texts of the translation are changed.
    ///
    /// # Errors
    ///
    /// As for [`new_content`](Self::new_content).
    async fn changed_content(
        write: Self::Write,
        before: &Stored<Self>,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<(Self, SlugRequests), AppError>;

    /// Stores a new record.
    ///
    /// # Errors
    ///
    /// As for [`new_content`](Self::new_content).
    async fn create(
        write: Self::Write,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<Stored<Self>, AppError> {
        create::<Self>(write, request, unit).await
    }

    /// Stores a change of a record.
    ///
    /// # Errors
    ///
    /// As for [`new_content`](Self::new_content).
    async fn change(
        write: Self::Write,
        before: Located<Self>,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<Changed<Self>, AppError> {
        change::<Self>(write, before.stored()?, request, unit).await
    }

    /// Stores the content of a record that no request sent, if it differs.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn store(
        before: Stored<Self>,
        content: Self,
        slugs: SlugRequests,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<Stored<Self>, AppError> {
        save(before, content, slugs, request, unit).await
    }

    /// Takes the locks that restoring a former state needs beside the record's own.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn lock_for_restore(unit: &dyn Repositories) -> Result<(), AppError> {
        Self::lock_for(None, unit).await
    }

    /// The record with the fields of a former state, but for its slugs. A link that the caller may not make is left out, with
    /// a warning; links of the present stay.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn former(
        present: &Located<Self>,
        values: &TrailValues,
        former: Former,
        request: &Request<'_>,
        repositories: &dyn Repositories,
    ) -> Result<Self, AppError> {
        let mut content = present.content.clone();
        let unread = content.restore_fields(values, request.now);
        former_states::warn_unread(&unread, values, request);
        Self::keep_links(&mut content, present, former, request, repositories).await?;
        Ok(content)
    }

    /// Removes the links of a former state that the caller may not make, with a warning of each.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn keep_links(
        content: &mut Self,
        present: &Located<Self>,
        former: Former,
        request: &Request<'_>,
        repositories: &dyn Repositories,
    ) -> Result<(), AppError>;

    /// Stores a record with the fields of a former state, as an update.
    ///
    /// # Errors
    ///
    /// [`AppError::Invalid`] for a state that is not possible today.
    async fn restore(
        before: Located<Self>,
        values: &TrailValues,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<Changed<Self>, AppError> {
        let mut content = Self::former(&before, values, Former::Restored, request, unit).await?;
        let before = before.stored()?;
        let slugs = former_states::slugs(&before.content, values);
        if content != before.content || !slugs.is_empty() {
            content.set_modified(request.now);
        }
        Ok(save(before, content, slugs, request, unit).await?.into())
    }

    /// Makes the content of the record in the trash, and the slugs to request there; `None` if the
    /// kind has no trash.
    ///
    /// # Errors
    ///
    /// [`AppError::InTrash`] if it is there already.
    fn trash(&self, _now: Timestamp) -> Result<Option<(Self, SlugRequests)>, AppError> {
        Ok(None)
    }

    /// Stores the content of a record in the trash.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn put_in_trash(
        before: Located<Self>,
        (content, slugs): (Self, SlugRequests),
        _scope: Option<Scope>,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<Stored<Self>, AppError> {
        let before = before.stored()?;
        Ok(writes::update(&before, content, slugs, request, unit).await?)
    }

    /// Deletes a record for good.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn remove(
        before: Located<Self>,
        _scope: Option<Scope>,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<(), AppError> {
        writes::delete(&before.stored()?, request, unit).await?;
        Ok(())
    }

    /// The record of a key; locked if it is to be changed.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn locate(
        repositories: &dyn Repositories,
        key: &RecordKey<Self>,
        for_update: bool,
    ) -> Result<Option<Located<Self>>, AppError> {
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
    ) -> Result<Option<(Located<Self>, Language)>, AppError> {
        locate_former(repositories, slug).await
    }

    /// Looks up the records that the filters of a list name.
    ///
    /// # Errors
    ///
    /// [`AppError::Invalid`] for filters that name a record that does not exist; for an event, the
    /// error of a read of the event.
    async fn look_up(
        query: Self::Query,
        request: &Request<'_>,
        repositories: &dyn Repositories,
    ) -> Result<Self::Filter, AppError>;

    /// Adds the related data of answers to records, in their order. The number of statements does
    /// not depend on the number of records.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn load(
        records: Vec<Located<Self>>,
        visibility: &Visibility,
        repositories: &dyn Repositories,
    ) -> Result<Vec<Self::View>, AppError>;

    /// Adds the effect of the answered write. Events alone show it.
    fn with_effects(
        view: Self::View,
        _slots: Option<SlotChanges>,
        _warnings: Vec<Warning>,
    ) -> Self::View {
        view
    }
}

/// One record with the related data of its answer.
pub(crate) async fn view<R: Resource>(
    repositories: &dyn Repositories,
    request: &Request<'_>,
    record: impl Into<Located<R>>,
    slots: Option<SlotChanges>,
) -> Result<R::View, AppError> {
    let record = record.into();
    let views = R::load(vec![record], &request.visibility(), repositories).await?;
    let view = views.into_iter().next().ok_or_else(R::not_found)?;
    let warnings = request.warnings.map(Warnings::take).unwrap_or_default();
    Ok(R::with_effects(view, slots, warnings))
}
