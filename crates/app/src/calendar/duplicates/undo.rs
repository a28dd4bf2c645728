//! The undoing of a merge.

use async_trait::async_trait;
use domain::{
    Entry, FieldName, Id, Kind, OrganizerDetails, Record as _, Stored, VenueDetails,
    duplicate::{Duplicate, DuplicateState, UNDO_DAYS},
    entry::Details,
    event::EventDetails,
};

use super::{Undone, found, links, locked, view};
use crate::{
    calendar::Work,
    error::AppError,
    ports::{
        ImportedRecord, Merge, Moved, Repositories, SlugRequest, SlugRequests, StoredDuplicate,
        UnitOfWork,
    },
    request::Request,
    resource::Resource,
};

pub(super) struct UndoMerge<'a> {
    pub(super) request: Request<'a>,
    pub(super) id: Id<Duplicate>,
}

#[async_trait]
impl Work for UndoMerge<'_> {
    type Output = Undone;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<Undone, AppError> {
        let pair = found(self.id, unit).await?.pair;
        match pair.kind {
            Kind::Event => self.of::<EventDetails>(&pair, unit).await,
            Kind::Venue => self.of::<VenueDetails>(&pair, unit).await,
            _ => self.of::<OrganizerDetails>(&pair, unit).await,
        }
    }
}

impl UndoMerge<'_> {
    async fn of<D: Details>(
        &self,
        pair: &Duplicate,
        unit: &dyn UnitOfWork,
    ) -> Result<Undone, AppError>
    where
        Entry<D>: Resource,
    {
        <Entry<D> as Resource>::lock_for(None, unit).await?;
        let records = locked::<D>(pair, self.request.caller, unit).await?;
        let mut stored = found(self.id, unit).await?;
        let Some(merge) = stored.merge.take() else {
            return Err(AppError::DuplicateChanged);
        };
        let [lower, higher] = records;
        let (kept, gone) = if lower.id.get() == merge.kept {
            (lower, higher)
        } else {
            (higher, lower)
        };
        let last = merge.at.saturating_add(UNDO_DAYS * 86_400);
        let is_possible = self.request.now <= last
            && gone.revision == merge.gone_revision
            && gone.is_in_trash()
            && !kept.is_in_trash();
        if !is_possible {
            return Err(AppError::DuplicateChanged);
        }
        self.part(stored, &merge, kept, gone, unit).await
    }

    async fn part<D: Details>(
        &self,
        mut stored: StoredDuplicate,
        merge: &Merge,
        kept: Stored<Entry<D>>,
        gone: Stored<Entry<D>>,
        unit: &dyn UnitOfWork,
    ) -> Result<Undone, AppError>
    where
        Entry<D>: Resource,
    {
        let request = &self.request;
        let repository = <Entry<D> as Resource>::repository(unit);
        let [kept_before, gone_before] = &merge.before;
        let kept_before = repository.kept(kept_before).await?;
        let gone_before = repository.kept(gone_before).await?;
        let (Some(kept_before), Some(gone_before)) = (kept_before, gone_before) else {
            return Err(AppError::DuplicateChanged);
        };
        let is_changed = kept.modified > merge.at;
        let mut content = kept.content.clone();
        let mut stayed = Vec::new();
        for field in &merge.fields {
            let is_untouched = kept.has_equal_field(&gone_before, *field);
            if is_untouched && names_records(&kept_before, *field, unit).await? {
                content.take_field(&kept_before, *field);
            } else {
                stayed.push(*field);
            }
        }
        let (from, to) = (gone.id.get(), kept.id.get());
        let mut kept = kept;
        if content != kept.content {
            content.modified = request.now;
            let none = SlugRequests::default();
            kept = Entry::<D>::store(kept, content, none, request, unit).await?;
        }
        let (content, slugs) = restored(&gone, &gone_before.content, request);
        let gone = Entry::<D>::store(gone, content, slugs, request, unit).await?;

        stored.pair.state = DuplicateState::Open;
        stored.pair.revisions = if kept.id < gone.id {
            [kept.revision, gone.revision]
        } else {
            [gone.revision, kept.revision]
        };
        unit.duplicates().update(&stored).await?;
        links::rename_back(D::KIND, from, to, &merge.moved, request, unit).await?;
        for one in &merge.moved {
            if let Moved::Import { source, uid } = one {
                let uids = std::slice::from_ref(uid);
                let rows = unit.imports().find(source, D::KIND, uids).await?;
                for row in rows.into_iter().filter(|row| row.id == to) {
                    // The source brings again what it brought to the merged record.
                    let digest = if is_changed {
                        String::new()
                    } else {
                        row.digest
                    };
                    let row = ImportedRecord {
                        id: from,
                        digest,
                        ..row
                    };
                    unit.imports().remember(&row).await?;
                }
            }
        }
        let view = view(stored, request.now, unit).await?;
        Ok(Undone { view, stayed })
    }
}

/// A record in the trash as it was before a merge put it there. Links to records that were deleted since are gone.
fn restored<D: Details>(
    gone: &Entry<D>,
    before: &Entry<D>,
    request: &Request<'_>,
) -> (Entry<D>, SlugRequests) {
    let mut content = gone.clone();
    content.stage = before.stage;
    content.slug.clone_from(&before.slug);
    content.former_slug.clone_from(&before.former_slug);
    content.modified = request.now;
    let mut slugs = SlugRequests {
        original: before.slug.clone().map(SlugRequest::new),
        ..SlugRequests::default()
    };
    for (language, translation) in before.translations.iter() {
        let mut own = content.translations.take(language);
        own.slug.clone_from(&translation.slug);
        own.former_slug.clone_from(&translation.former_slug);
        content.translations.put(language, own);
        if let Some(slug) = &translation.slug {
            let wanted = SlugRequest::new(slug.clone());
            slugs.translations.insert(language, wanted);
        }
    }
    (content, slugs)
}

/// Whether all records exist that a field of an entry names.
async fn names_records<D: Details>(
    entry: &Entry<D>,
    field: FieldName,
    unit: &dyn Repositories,
) -> Result<bool, AppError>
where
    Entry<D>: Resource,
{
    let is_link = field == FieldName::Image
        || D::KIND == Kind::Event
            && matches!(
                field,
                FieldName::Venue | FieldName::Organizer | FieldName::Categories | FieldName::Tags
            );
    let Some(ids) = entry.written(field).filter(|_| is_link) else {
        return Ok(true);
    };
    let ids: Vec<i64> = ids.lines().filter_map(|id| id.parse().ok()).collect();
    macro_rules! found {
        ($port:ident) => {{
            let ids: Vec<_> = ids.iter().copied().map(Id::from_raw).collect();
            unit.$port().find_many(&ids).await?.len()
        }};
    }
    let found = match field {
        FieldName::Image => found!(images),
        FieldName::Venue => found!(venues),
        FieldName::Organizer => found!(organizers),
        FieldName::Categories => found!(categories),
        _ => found!(tags),
    };
    Ok(found == ids.len())
}
