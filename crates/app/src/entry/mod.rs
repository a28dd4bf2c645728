//! The use cases that events, venues and organizers share.

mod changes;
mod filter;

use std::{collections::BTreeMap, fmt};

use async_trait::async_trait;
use domain::{
    Entry, Language, Stage, Status, Stored, TextField, entry::Details, event::Scope,
    policy::Caller, slug::Slug, text::Title, time::Timestamp, web_url::WebUrl,
};

use crate::{
    error::AppError,
    input::{FaultCollector, FieldChange, Input},
    ports::{Repositories, Repository, SlugRequests},
    request::{Purpose, RecordKey, Request},
    resource::{self, Changed, Changes, FilterInput, Located, Resource, View},
};

pub(crate) use changes::{EntryChanges, loses_slug};
pub(crate) use filter::{check_ids, read_event_id, read_statuses, readable_event};

/// A kind of entry in the use cases: the parts in which events, venues and organizers differ.
#[async_trait]
pub trait EntryKind: Details {
    /// The field of a request that holds the title.
    const TITLE_FIELD: &'static str;
    /// The fields of a write that only this kind has.
    type Changes: DetailsChanges<Self>;
    /// The filters of a list.
    type FilterInput: FilterInput<Entry<Self>>;
    /// A record with the related data of its answer.
    type View: View<Entry<Self>>;

    /// The repository of this kind.
    fn repository(repositories: &dyn Repositories) -> &dyn Repository<Entry<Self>>;

    /// As [`Changes::locate`].
    async fn locate(
        repositories: &dyn Repositories,
        key: &RecordKey<Entry<Self>>,
        for_update: bool,
    ) -> Result<Option<Located<Entry<Self>>>, AppError> {
        resource::locate(repositories, key, for_update).await
    }

    /// As [`Changes::locate_former`].
    async fn locate_former(
        repositories: &dyn Repositories,
        slug: &Slug,
    ) -> Result<Option<(Located<Entry<Self>>, Language)>, AppError> {
        resource::locate_former(repositories, slug).await
    }

    /// As [`Changes::insert`].
    async fn create(
        changes: (EntryChanges, Self::Changes),
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<Stored<Entry<Self>>, AppError> {
        resource::create(changes, request, unit).await
    }

    /// As [`Changes::change`].
    async fn change(
        changes: (EntryChanges, Self::Changes),
        before: Located<Entry<Self>>,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<Changed<Entry<Self>>, AppError> {
        resource::change(changes, before.stored()?, request, unit).await
    }

    /// As [`Changes::put_in_trash`].
    async fn put_in_trash(
        before: Located<Entry<Self>>,
        (content, slugs): (Entry<Self>, SlugRequests),
        _scope: Option<Scope>,
        _request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<Stored<Entry<Self>>, AppError> {
        let repository = Self::repository(unit);
        Ok(repository.update(&before.stored()?, content, slugs).await?)
    }

    /// As [`Changes::remove`].
    async fn remove(
        before: Located<Entry<Self>>,
        _scope: Option<Scope>,
        _request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<(), AppError> {
        let before = before.stored()?;
        Self::repository(unit).delete(before.id).await?;
        Ok(())
    }
}

/// The fields of a write that only one kind of entry has.
#[async_trait]
pub trait DetailsChanges<D: Details>: Clone + fmt::Debug + Default + Send + Sync {
    /// Reads the fields.
    fn read(input: &mut Input<'_>, request: &Request<'_>, purpose: Purpose) -> Self;

    /// Parses the formatted texts among them.
    fn parse_html(&mut self, _faults: &mut FaultCollector) {}

    /// The change of the web site.
    fn website(&mut self) -> &mut FieldChange<WebUrl>;

    /// Takes the locks that the change needs: see [`Changes::lock_for`].
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn lock(&self, _unit: &dyn Repositories) -> Result<(), AppError> {
        Ok(())
    }

    /// Moves the one-line texts that were sent into a translation of `original`; an empty text
    /// removes the translated one.
    fn translate(&mut self, _original: &D, _fields: &mut BTreeMap<TextField, String>) {}

    /// The URLs of images to fetch for related records that are given in full.
    fn image_urls(&self) -> Vec<&WebUrl> {
        Vec::new()
    }

    /// The details after a change; `before` is `None` for a new entry. Faults are reported to
    /// `faults`; the result is discarded then.
    ///
    /// # Errors
    ///
    /// If the store cannot answer, or if the fields yield no details at all.
    async fn apply(
        self,
        before: Option<&Stored<Entry<D>>>,
        request: &Request<'_>,
        unit: &dyn Repositories,
        faults: &mut FaultCollector,
    ) -> Result<D, AppError>;
}

impl<D: EntryKind> Resource for Entry<D> {
    type Changes = (EntryChanges, D::Changes);
    type FilterInput = D::FilterInput;
    type View = D::View;

    fn repository(repositories: &dyn Repositories) -> &dyn Repository<Self> {
        D::repository(repositories)
    }

    fn trash(&self, now: Timestamp) -> Result<Option<(Self, SlugRequests)>, AppError> {
        if self.stage == Stage::Trashed {
            return Err(AppError::InTrash(D::KIND));
        }
        let mut entry = self.clone();
        entry.move_to(Status::Trash, now);
        entry.modified = now;
        let slugs = changes::into_trash(&mut entry);
        Ok(Some((entry, slugs)))
    }

    fn may_edit(&self, caller: Caller) -> bool {
        caller.may_edit(self)
    }
}

#[async_trait]
impl<D: EntryKind> Changes<Entry<D>> for (EntryChanges, D::Changes) {
    fn read(input: &mut Input<'_>, request: &Request<'_>, purpose: Purpose) -> Self {
        if purpose == Purpose::Create {
            input.require(D::TITLE_FIELD);
        }
        let shared = EntryChanges::read(input, D::KIND, D::TITLE_FIELD, request, purpose);
        (shared, D::Changes::read(input, request, purpose))
    }

    fn parse_html(&mut self, faults: &mut FaultCollector) {
        let (shared, own) = self;
        shared.parse_html(faults);
        own.parse_html(faults);
    }

    fn image_urls(&self) -> Vec<&WebUrl> {
        let (shared, own) = self;
        let mut urls = own.image_urls();
        urls.extend(shared.image_url());
        urls
    }

    fn authorize(&self, request: &Request<'_>, before: Option<&Entry<D>>) -> Result<(), AppError> {
        let (shared, _) = self;
        shared.authorize(request.caller, before.map(|entry| entry.author))
    }

    async fn lock_for(changes: Option<&Self>, unit: &dyn Repositories) -> Result<(), AppError> {
        match changes {
            Some((_, own)) => own.lock(unit).await,
            None => Ok(()),
        }
    }

    async fn create(
        self,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<(Entry<D>, SlugRequests), AppError> {
        let (mut shared, own) = self;
        let mut faults = FaultCollector::default();
        shared.check(request, unit, &mut faults).await?;
        let details = own.apply(None, request, unit, &mut faults).await?;
        faults.finish()?;
        // Checked before: a title is required, and only users may write.
        let (Some(title), Some(user)) = (shared.new_title().cloned(), request.caller.user()) else {
            return Err(AppError::Missing(vec![D::TITLE_FIELD]));
        };
        let mut entry = new_entry(user, title, details, request);
        let slugs = shared.apply(&mut entry, true, request);
        if let Some(modified) = request.wanted_modified {
            entry.modified = modified.min(request.now);
        }
        Ok((entry, slugs))
    }

    async fn update(
        self,
        before: &Stored<Entry<D>>,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<(Entry<D>, SlugRequests), AppError> {
        let (mut shared, mut own) = self;
        let mut faults = FaultCollector::default();
        let mut translations = before.translations.clone();
        let language = request.language();
        shared.drop_shown(&before.content, request);
        if language == before.language {
            faults.refuse_cleared(D::TITLE_FIELD, &shared.title);
            faults.refuse_cleared("slug", &shared.slug);
        } else {
            let mut translation = translations.take(language);
            shared.translate(D::KIND, &mut translation);
            own.translate(&before.details, &mut translation.text_fields);
            translations.put(language, translation);
        }
        shared.check(request, unit, &mut faults).await?;
        let details = own.apply(Some(before), request, unit, &mut faults).await?;
        faults.finish()?;
        let mut entry = Entry {
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

    async fn locate(
        repositories: &dyn Repositories,
        key: &RecordKey<Entry<D>>,
        for_update: bool,
    ) -> Result<Option<Located<Entry<D>>>, AppError> {
        D::locate(repositories, key, for_update).await
    }

    async fn locate_former(
        repositories: &dyn Repositories,
        slug: &Slug,
    ) -> Result<Option<(Located<Entry<D>>, Language)>, AppError> {
        D::locate_former(repositories, slug).await
    }

    async fn insert(
        changes: Self,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<Stored<Entry<D>>, AppError> {
        D::create(changes, request, unit).await
    }

    async fn change(
        changes: Self,
        before: Located<Entry<D>>,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<Changed<Entry<D>>, AppError> {
        D::change(changes, before, request, unit).await
    }

    async fn put_in_trash(
        before: Located<Entry<D>>,
        trashed: (Entry<D>, SlugRequests),
        scope: Option<Scope>,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<Stored<Entry<D>>, AppError> {
        D::put_in_trash(before, trashed, scope, request, unit).await
    }

    async fn remove(
        before: Located<Entry<D>>,
        scope: Option<Scope>,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<(), AppError> {
        D::remove(before, scope, request, unit).await
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
