//! The merge of two records.

use std::collections::BTreeMap;

use async_trait::async_trait;
use domain::{
    Entry, FieldName, Id, Kind, OrganizerDetails, Record as _, Stored, VenueDetails,
    duplicate::{Duplicate, DuplicateState, takeable_fields},
    entry::Details,
    event::EventDetails,
    policy::Guarded as _,
};

use super::{DuplicateView, MergeWrite, found, links, locked, view};
use crate::{
    calendar::Work,
    error::AppError,
    fault::Fault,
    ports::{ImportedRecord, Merge, Moved, SlugRequests, StoreError, StoredDuplicate, UnitOfWork},
    request::Request,
    resource::Resource,
};

pub(super) struct MergePair<'a> {
    pub(super) request: Request<'a>,
    pub(super) id: Id<Duplicate>,
    pub(super) write: &'a MergeWrite,
}

#[async_trait]
impl Work for MergePair<'_> {
    type Output = DuplicateView;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<DuplicateView, AppError> {
        let pair = found(self.id, unit).await?.pair;
        match pair.kind {
            Kind::Event => self.of::<EventDetails>(&pair, unit).await,
            Kind::Venue => self.of::<VenueDetails>(&pair, unit).await,
            _ => self.of::<OrganizerDetails>(&pair, unit).await,
        }
    }
}

/// The record that stays, and the other one.
struct Two<D> {
    kept: Stored<Entry<D>>,
    gone: Stored<Entry<D>>,
}

impl MergePair<'_> {
    async fn of<D: Details>(
        &self,
        pair: &Duplicate,
        unit: &dyn UnitOfWork,
    ) -> Result<DuplicateView, AppError>
    where
        Entry<D>: Resource,
    {
        <Entry<D> as Resource>::lock_for(None, unit).await?;
        let records = locked::<D>(pair, self.request.caller, unit).await?;
        // Another unit may have closed the pair while this one waited for the locks.
        let stored = found(self.id, unit).await?;
        let is_as_listed = stored.pair.state == DuplicateState::Open
            && stored.pair.revisions == [records[0].revision, records[1].revision]
            && !records.iter().any(|one| one.is_in_trash());
        if !is_as_listed {
            return Err(AppError::DuplicateChanged);
        }
        let two = self.two(records)?;
        let (content, fields) = self.content(&two)?;
        self.store(stored, two, content, fields, unit).await
    }

    fn two<D: Details>(&self, records: [Stored<Entry<D>>; 2]) -> Result<Two<D>, AppError> {
        let [lower, higher] = records;
        let keep = self.write.keep;
        let (kept, gone) = if keep == lower.id.get() {
            (lower, higher)
        } else if keep == higher.id.get() {
            (higher, lower)
        } else {
            return Err(AppError::invalid(FieldName::Keep, Fault::unknown(D::KIND)));
        };
        let now = self.request.now;
        if gone.is_indexable(now) && !kept.is_indexable(now) {
            return Err(AppError::invalid(FieldName::Keep, Fault::HidesPublic));
        }
        Ok(Two { kept, gone })
    }

    /// The content of the record that stays, and the fields that it took.
    fn content<D: Details>(
        &self,
        Two { kept, gone }: &Two<D>,
    ) -> Result<(Entry<D>, Vec<FieldName>), AppError> {
        let takeable = takeable_fields(D::KIND);
        let mut chosen = BTreeMap::new();
        for (name, id) in &self.write.fields {
            let field = whole(*name);
            if ![kept.id.get(), gone.id.get()].contains(id) {
                return Err(refused(*name, Fault::unknown(D::KIND)));
            }
            let before = chosen.insert(field, *id);
            if !takeable.contains(&field) || before.is_some_and(|before| before != *id) {
                return Err(refused(*name, Fault::NotTakeable));
            }
        }
        let pair = [kept, gone];
        let both_public = pair.iter().all(|one| one.is_indexable(self.request.now));
        let mut content = kept.content.clone();
        let mut taken = Vec::new();
        for field in takeable {
            let is_wanted = match chosen.get(field) {
                Some(id) => *id == gone.id.get(),
                None => both_public && kept.is_blank(*field) && !gone.is_blank(*field),
            };
            if !is_wanted || content.has_equal_field(gone, *field) {
                continue;
            }
            if content.take_field(gone, *field) {
                taken.push(*field);
            } else if chosen.contains_key(field) {
                return Err(refused(*field, Fault::NotTakeable));
            }
        }
        Ok((content, taken))
    }

    async fn store<D: Details>(
        &self,
        mut stored: StoredDuplicate,
        Two { kept, gone }: Two<D>,
        mut content: Entry<D>,
        fields: Vec<FieldName>,
        unit: &dyn UnitOfWork,
    ) -> Result<DuplicateView, AppError>
    where
        Entry<D>: Resource,
    {
        let request = &self.request;
        let repository = <Entry<D> as Resource>::repository(unit);
        let [kept_id, gone_id] = [kept.id, gone.id];
        let mut before = [String::new(), String::new()];
        for (text, id) in before.iter_mut().zip([kept_id, gone_id]) {
            *text = repository.keep(id).await?.ok_or(StoreError::Conflict)?;
        }
        let slugs: Vec<_> = gone
            .slugs()
            .map(|(language, slug)| (language, slug.clone()))
            .collect();
        let trashed = gone.trash(request.now)?;
        let (trashed, requests) = trashed.ok_or_else(Entry::<D>::not_found)?;
        let gone = Entry::<D>::store(gone, trashed, requests, request, unit).await?;
        if !slugs.is_empty() {
            repository.give_up_slugs(gone_id, &slugs).await?;
        }
        if content != kept.content {
            content.modified = request.now;
            let none = SlugRequests::default();
            Entry::<D>::store(kept, content, none, request, unit).await?;
        }
        let [from, to] = [gone_id.get(), kept_id.get()];
        let mut moved = links::rename(D::KIND, from, to, request, unit).await?;
        for row in unit.imports().of_records(D::KIND, &[from]).await? {
            let (source, uid) = (row.source.clone(), row.uid.clone());
            moved.push(Moved::Import { source, uid });
            let row = ImportedRecord { id: to, ..row };
            unit.imports().remember(&row).await?;
        }
        stored.pair.state = DuplicateState::Merged;
        stored.merge = Some(Merge {
            kept: to,
            fields,
            before,
            gone_revision: gone.revision,
            moved,
            at: request.now,
        });
        unit.duplicates().update(&stored).await?;
        for other in unit.duplicates().open_of(D::KIND, from).await? {
            unit.duplicates().delete(other.id).await?;
        }
        view(stored, request.now, unit).await
    }
}

/// The field of which another one is a part.
fn whole(field: FieldName) -> FieldName {
    match field {
        FieldName::EndDate | FieldName::TimeZone | FieldName::AllDay => FieldName::StartDate,
        FieldName::Longitude => FieldName::Latitude,
        field => field,
    }
}

/// The fault of a member of `fields`.
fn refused(field: FieldName, fault: Fault) -> AppError {
    let (name, fault) = (field.as_str(), Box::new(fault));
    AppError::invalid(FieldName::Fields, Fault::Member { name, fault })
}
