//! The use cases that events, venues and organizers share.

mod changes;
mod filter;

use std::collections::BTreeMap;

use async_trait::async_trait;
use domain::{
    Entry, Stage, Status, Stored, TextField,
    entry::Details,
    policy::{Caller, Visibility},
    text::Title,
    time::Timestamp,
    web_url::WebUrl,
};

use crate::{
    error::AppError,
    input::Input,
    ports::{Repositories, Repository, SlugRequests},
    request::{Purpose, Request},
    resource::{FilterInput, Resource},
};

pub use changes::EntryChanges;
pub(crate) use filter::{read_event_id, read_statuses, readable_event};

/// A kind of entry in the use cases: the parts in which events, venues and organizers differ.
#[async_trait]
pub trait EntryKind: Details {
    /// The field of a request that holds the title.
    const TITLE_FIELD: &'static str;
    /// The fields of a write that only this kind has.
    type Changes: Clone + Send + Sync;
    /// The filters of a list.
    type FilterInput: FilterInput<Entry<Self>>;
    /// A record with the related data of its answer.
    type View: Send + Sync;

    /// The repository of this kind.
    fn repository(repositories: &dyn Repositories) -> &dyn Repository<Entry<Self>>;

    /// Reads the fields that only this kind has.
    fn read(input: &mut Input<'_>, request: &Request<'_>, purpose: Purpose) -> Self::Changes;

    /// Parses the formatted texts that only this kind has.
    fn parse_html(_changes: &mut Self::Changes, _input: &mut Input<'_>) {}

    /// See [`Resource::lock_for`].
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn lock_for(_changes: &Self::Changes, _unit: &dyn Repositories) -> Result<(), AppError> {
        Ok(())
    }

    /// Moves the one-line texts that were sent into a translation of `original`; an empty text
    /// removes the translated one.
    fn translate(
        _changes: &mut Self::Changes,
        _original: &Self,
        _fields: &mut BTreeMap<TextField, String>,
    ) {
    }

    /// The URLs of images to fetch for related records that are given in full.
    fn image_urls(_changes: &Self::Changes) -> Vec<&WebUrl> {
        Vec::new()
    }

    /// The details after a change; `before` is none for a new entry. Faults are reported to
    /// `input`; the result is discarded then.
    ///
    /// # Errors
    ///
    /// If the store cannot answer, or if the fields yield no details at all.
    async fn apply(
        before: Option<&Stored<Entry<Self>>>,
        changes: Self::Changes,
        request: &Request<'_>,
        unit: &dyn Repositories,
        input: &mut Input<'_>,
    ) -> Result<Self, AppError>;

    /// See [`Resource::views`].
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn views(
        entries: Vec<Stored<Entry<Self>>>,
        visibility: &Visibility,
        repositories: &dyn Repositories,
    ) -> Result<Vec<Self::View>, AppError>;
}

#[async_trait]
impl<D: EntryKind> Resource for Entry<D> {
    type Changes = (EntryChanges, D::Changes);
    type FilterInput = D::FilterInput;
    type View = D::View;

    fn repository(repositories: &dyn Repositories) -> &dyn Repository<Self> {
        D::repository(repositories)
    }

    fn read(input: &mut Input<'_>, request: &Request<'_>, purpose: Purpose) -> Self::Changes {
        if purpose == Purpose::Create {
            input.require(D::TITLE_FIELD);
        }
        let shared = EntryChanges::read(input, D::KIND, D::TITLE_FIELD, request, purpose);
        (shared, D::read(input, request, purpose))
    }

    fn parse_html((shared, own): &mut Self::Changes, input: &mut Input<'_>) {
        shared.parse_html(input);
        D::parse_html(own, input);
    }

    fn image_urls((shared, own): &Self::Changes) -> Vec<&WebUrl> {
        let mut urls = D::image_urls(own);
        urls.extend(shared.image_url());
        urls
    }

    fn authorize(
        (shared, _): &Self::Changes,
        request: &Request<'_>,
        before: Option<&Self>,
    ) -> Result<(), AppError> {
        shared.authorize(request.caller, before.map(|entry| entry.author))
    }

    async fn lock_for(
        changes: Option<&Self::Changes>,
        unit: &dyn Repositories,
    ) -> Result<(), AppError> {
        match changes {
            Some((_, own)) => D::lock_for(own, unit).await,
            None => Ok(()),
        }
    }

    async fn create(
        (mut shared, own): Self::Changes,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<(Self, SlugRequests), AppError> {
        let mut input = Input::new(request.fields);
        shared.check(request, unit, &mut input).await?;
        let details = D::apply(None, own, request, unit, &mut input).await?;
        input.finish()?;
        // Checked before: a title is required, and only users may write.
        let (Some(title), Some(user)) = (shared.new_title().cloned(), request.caller.user()) else {
            return Err(AppError::Missing(vec![D::TITLE_FIELD]));
        };
        let mut entry = new_entry(user, title, details, request);
        let slugs = shared.apply(&mut entry, true, request);
        Ok((entry, slugs))
    }

    async fn update(
        before: &Stored<Self>,
        (mut shared, mut own): Self::Changes,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<(Self, SlugRequests), AppError> {
        let mut input = Input::new(request.fields);
        let mut translations = before.translations.clone();
        let language = request.language();
        if language == before.language {
            shared.check_original(D::TITLE_FIELD, &mut input);
        } else {
            let mut translation = translations.take(language);
            shared.translate(D::KIND, &mut translation);
            D::translate(&mut own, &before.details, &mut translation.text_fields);
            translations.put(language, translation);
        }
        shared.check(request, unit, &mut input).await?;
        let details = D::apply(Some(before), own, request, unit, &mut input).await?;
        input.finish()?;
        let mut entry = Self {
            details,
            translations,
            ..before.content.clone()
        };
        let slugs = shared.apply(&mut entry, false, request);
        if !slugs.is_empty() || entry != before.content {
            entry.modified = request.now;
        }
        Ok((entry, slugs))
    }

    fn trash(
        before: &Stored<Self>,
        now: Timestamp,
    ) -> Result<Option<(Self, SlugRequests)>, AppError> {
        if before.stage == Stage::Trashed {
            return Err(AppError::InTrash(D::KIND));
        }
        let mut entry = before.content.clone();
        entry.move_to(Status::Trash, now);
        entry.modified = now;
        let slugs = changes::into_trash(&mut entry);
        Ok(Some((entry, slugs)))
    }

    fn may_edit(&self, caller: Caller) -> bool {
        caller.may_edit(self)
    }

    async fn views(
        records: Vec<Stored<Self>>,
        visibility: &Visibility,
        repositories: &dyn Repositories,
    ) -> Result<Vec<Self::View>, AppError> {
        D::views(records, visibility, repositories).await
    }
}

/// A new draft of the caller, in the language of the request.
pub(crate) fn new_entry<D>(
    user: domain::UserId,
    title: Title,
    details: D,
    request: &Request<'_>,
) -> Entry<D> {
    let mut entry = Entry::new(user, title, details, request.now);
    entry.language = request.language();
    entry
}
