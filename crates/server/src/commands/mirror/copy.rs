//! The copy: records are written by the use cases, in the name of one user.

use std::collections::{BTreeMap, HashMap};

use adapters_db::SeaOrmStore;
use anyhow::ensure;
use app::{
    AppError, Calendar,
    calendar::{
        CreateOptions, Following, ListChanges, Precondition, Prepared, SyncRecord as Here, Unit,
        Work,
    },
    ports::UnitOfWork,
    request::RecordKey,
    resource::Resource,
    write::DeleteOptions,
};
use async_trait::async_trait;
use client::{
    record::{EventRecord, LinkIds, OrganizerRecord, SeriesRecord, TermRecord, VenueRecord},
    sync::{Finished, Mirror, RecordRef, SyncRecord, Synced},
};
use domain::{
    Event, EventId, FieldName, Id, Kind, Language, Stored, policy::Caller, slug::Slug,
    time::Timestamp,
};
use forms::{Form, Reading};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::fields::{self, Texts};

/// The IDs of the other calendar are smaller than those that this one gives.
const OWN_IDS: i64 = 1 << 40;

/// A copy of another calendar in the database.
pub(super) struct Copy<'a> {
    store: &'a SeaOrmStore,
    calendar: &'a Calendar,
    owner: Caller,
    /// The occurrences here with fields of their own, by their IDs in the other calendar.
    occurrences: HashMap<i64, EventId>,
    /// Records that name others which are not here yet.
    waiting: BTreeMap<RecordRef, SyncRecord>,
    changes: u64,
    records: usize,
}

/// A record of another calendar.
struct Source<'a> {
    language: Language,
    slug: Option<Slug>,
    modified: Option<Timestamp>,
    fields: Map<String, Value>,
    texts: &'a BTreeMap<Language, Texts>,
}

/// Adds a record with an ID.
struct Addition<'a, R: Resource> {
    calendar: &'a Calendar,
    owner: Caller,
    prepared: Prepared<R>,
    options: CreateOptions,
}

#[async_trait]
impl<R: Resource> Work for Addition<'_, R> {
    type Output = Stored<R>;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<Stored<R>, AppError> {
        let unit = Unit::new(self.calendar, self.owner, unit);
        unit.create(&self.prepared, &self.options).await
    }
}

impl<'a> Copy<'a> {
    pub(super) fn new(store: &'a SeaOrmStore, calendar: &'a Calendar, owner: Caller) -> Self {
        Self {
            store,
            calendar,
            owner,
            occurrences: HashMap::new(),
            waiting: BTreeMap::new(),
            changes: 0,
            records: 0,
        }
    }

    /// Makes sure that the IDs which this calendar gives, to the occurrences of series, are none of the other calendar: an
    /// event with a great ID comes and goes, and later IDs are greater.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub(super) async fn reserve_ids(&self) -> anyhow::Result<()> {
        let write = forms::create::<Event>(&fields::placeholder(), self.reading());
        let addition = Addition {
            calendar: self.calendar,
            owner: self.owner,
            prepared: self.calendar.check_new(self.owner, &write)?,
            options: CreateOptions {
                id: Some(OWN_IDS),
                ..CreateOptions::default()
            },
        };
        self.calendar.in_unit(&addition).await?;
        Ok(self.delete(EventId::from_raw(OWN_IDS)).await?)
    }

    /// The number of records and changes, as text.
    pub(super) fn report(&self) -> String {
        let Self {
            changes, records, ..
        } = self;
        let waiting = self.waiting.len();
        format!(
            "{records} records at the last walk, {changes} changes, {waiting} records refused\n"
        )
    }

    fn reading(&self) -> Reading<'a> {
        Reading::of(self.calendar, self.owner)
    }

    async fn put(&mut self, record: &SyncRecord) -> anyhow::Result<()> {
        match record {
            SyncRecord::Event(event) => {
                if let Some(series) = &event.record.series {
                    return self.put_occurrence(event, series).await;
                }
                let LinkIds {
                    category_ids,
                    tag_ids,
                    ..
                } = &event.record.links;
                self.require(category_ids).await?;
                self.require(tag_ids).await?;
                let source = Source {
                    language: event.record.language,
                    slug: event.record.slug.parse().ok(),
                    modified: Some(event.record.modified_utc),
                    fields: fields::of_event(event, self.calendar.site().currency)?,
                    texts: &event.texts,
                };
                self.put_record(event.record.id, source).await
            }
            SyncRecord::Venue(venue) => {
                let VenueRecord { id, language, .. } = venue.record;
                let (slug, modified) = (&venue.record.slug, venue.record.modified_utc);
                self.put_other(id, venue, language, slug.as_deref(), Some(modified))
                    .await
            }
            SyncRecord::Organizer(organizer) => {
                let OrganizerRecord { id, language, .. } = organizer.record;
                let (slug, modified) = (&organizer.record.slug, organizer.record.modified_utc);
                self.put_other(id, organizer, language, slug.as_deref(), Some(modified))
                    .await
            }
            SyncRecord::Category(category) => {
                let TermRecord { id, language, .. } = category.record;
                self.put_other(id, category, language, Some(&category.record.slug), None)
                    .await
            }
            SyncRecord::Tag(tag) => {
                let TermRecord { id, language, .. } = tag.record;
                self.put_other(id, tag, language, Some(&tag.record.slug), None)
                    .await
            }
        }
    }

    /// Puts a record that is no event.
    async fn put_other<R: Form, T: Serialize>(
        &self,
        id: Id<R>,
        synced: &Synced<T>,
        language: Language,
        slug: Option<&str>,
        modified: Option<Timestamp>,
    ) -> anyhow::Result<()> {
        let source = Source {
            language,
            slug: slug.and_then(|slug| slug.parse().ok()),
            modified,
            fields: fields::of_record(synced, language)?,
            texts: &synced.texts,
        };
        self.put_record(id, source).await
    }

    /// Refuses terms that are not here yet: a write would leave them out.
    async fn require<R: Resource>(&self, ids: &[Id<R>]) -> anyhow::Result<()> {
        let found = R::repository(self.store).find_many(ids).await?;
        ensure!(found.len() == ids.len(), "a category or a tag is missing");
        Ok(())
    }

    /// Puts a record with its ID, and then its translations.
    async fn put_record<R: Form>(&self, id: Id<R>, source: Source<'_>) -> anyhow::Result<()> {
        let found = R::repository(self.store).find(id).await?;
        let present = found.filter(|found| found.language() == source.language);
        let fields = fields::request(source.fields);
        if present.is_some() {
            let write = forms::update::<R>(&fields, self.reading());
            let any = Precondition::Any;
            self.calendar
                .update(self.owner, id.into(), &any, &write)
                .await?;
        } else {
            self.delete(id).await?;
            let write = forms::create::<R>(&fields, self.reading());
            let addition = Addition {
                calendar: self.calendar,
                owner: self.owner,
                prepared: self.calendar.check_new(self.owner, &write)?,
                options: CreateOptions {
                    id: Some(id.get()),
                    slug: source.slug,
                    modified: source.modified,
                    ..CreateOptions::default()
                },
            };
            self.calendar.in_unit(&addition).await?;
        }
        for language in Language::ALL
            .into_iter()
            .filter(|one| *one != source.language)
        {
            let here = present
                .as_ref()
                .and_then(|record| record.translations().get(language));
            let texts = source.texts.get(&language);
            self.put_texts::<R>(id.into(), texts, here, language)
                .await?;
        }
        Ok(())
    }

    async fn put_texts<R: Form>(
        &self,
        key: RecordKey<R>,
        texts: Option<&Texts>,
        here: Option<&domain::Translation>,
        language: Language,
    ) -> anyhow::Result<()> {
        if texts.is_none() && here.is_none() {
            return Ok(());
        }
        let title = match R::KIND {
            Kind::Category | Kind::Tag => FieldName::Name,
            kind => FieldName::title_of(kind),
        };
        let fields = fields::of_translation(texts, here, language, title);
        let write = forms::update::<R>(&fields::request(fields), self.reading());
        self.calendar
            .update(self.owner, key, &Precondition::Any, &write)
            .await?;
        Ok(())
    }

    /// Puts the own fields of an occurrence. It has another ID here.
    async fn put_occurrence(
        &mut self,
        event: &Synced<EventRecord<LinkIds>>,
        of: &SeriesRecord,
    ) -> anyhow::Result<()> {
        let SeriesRecord {
            id: series,
            recurrence_id: slot,
            own,
            ..
        } = of;
        let fields = fields::of_occurrence(event, own, self.calendar.site().currency)?;
        let key = || anyhow::Ok(RecordKey::<Event>::Slot(*series, slot.parse()?));
        let write = forms::update::<Event>(&fields::request(fields), self.reading());
        let any = Precondition::Any;
        let view = self
            .calendar
            .update(self.owner, key()?, &any, &write)
            .await?;
        for language in Language::ALL
            .into_iter()
            .filter(|one| *one != event.record.language)
        {
            let mut texts = event.texts.get(&language).cloned().unwrap_or_default();
            texts.retain(|name, _| own.iter().any(|field| field.name() == name));
            let texts = Some(texts).filter(|texts| !texts.is_empty());
            self.put_texts(key()?, texts.as_ref(), None, language)
                .await?;
        }
        if let Some(here) = view.event.id {
            self.occurrences.insert(event.record.id.get(), here);
        }
        Ok(())
    }

    /// Deletes a record for good, if it is there.
    async fn delete<R: Resource>(&self, id: Id<R>) -> Result<(), AppError> {
        let (any, forever) = (Precondition::Any, DeleteOptions::permanently());
        match self
            .calendar
            .delete(self.owner, id.into(), &any, &forever)
            .await
        {
            Ok(_) | Err(AppError::NotFound(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Lets an occurrence follow its series, if both are there.
    async fn reset(&self, occurrence: EventId) -> Result<(), AppError> {
        let mut fields = Map::new();
        fields.insert(FieldName::Reset.as_str().to_owned(), json!(true));
        let write = forms::update::<Event>(&fields::request(fields), self.reading());
        let (key, any) = (occurrence.into(), Precondition::Any);
        match self.calendar.update(self.owner, key, &any, &write).await {
            Ok(_) | Err(AppError::NotFound(_) | AppError::NotAccessible(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn take_away(&mut self, record: RecordRef) -> Result<(), AppError> {
        let RecordRef { kind, id } = record;
        match kind {
            Kind::Event => match self.occurrences.remove(&id) {
                Some(occurrence) => self.reset(occurrence).await,
                None => self.delete(EventId::from_raw(id)).await,
            },
            Kind::Venue => self.delete(domain::VenueId::from_raw(id)).await,
            Kind::Organizer => self.delete(domain::OrganizerId::from_raw(id)).await,
            Kind::Category => self.delete(domain::CategoryId::from_raw(id)).await,
            Kind::Tag => self.delete(domain::TagId::from_raw(id)).await,
        }
    }

    /// Puts the records that waited for others, as long as one of them succeeds.
    async fn put_waiting(&mut self) -> anyhow::Result<()> {
        loop {
            let before = self.waiting.len();
            for (key, record) in std::mem::take(&mut self.waiting) {
                if let Err(error) = self.put(&record).await {
                    refused(key, error)?;
                    self.waiting.insert(key, record);
                }
            }
            if self.waiting.is_empty() || self.waiting.len() == before {
                return Ok(());
            }
        }
    }

    /// Removes the records that a walk did not name.
    async fn drop_others(&mut self, finished: Finished<'_>) -> anyhow::Result<()> {
        let mut input = ListChanges {
            per_page: ListChanges::MAX_PER_PAGE,
            ..ListChanges::default()
        };
        let mut gone = Vec::new();
        self.records = 0;
        loop {
            let page = self.calendar.changes(self.owner, &input).await?;
            for item in page.items {
                let occurrence = match &item.content {
                    Some(Here::Event(event)) => event.view.event.occurrence(),
                    _ => None,
                };
                let is_kept = match occurrence {
                    Some(_) => self
                        .occurrences
                        .values()
                        .any(|one| one.get() == item.record.id),
                    None => finished.keeps(&item.record),
                };
                if is_kept {
                    self.records += 1;
                } else {
                    gone.push((item.record, occurrence.is_some()));
                }
            }
            match page.next {
                Following::Page(token) => input.page_token = Some(token),
                Following::Complete(_) => break,
            }
        }
        for (record, is_occurrence) in gone {
            if is_occurrence {
                self.reset(EventId::from_raw(record.id)).await?;
            } else {
                self.take_away(record).await?;
            }
        }
        Ok(())
    }
}

/// Logs why a record cannot be put yet.
///
/// # Errors
///
/// The error, if the database failed: then no other record can be put either.
fn refused(key: RecordRef, error: anyhow::Error) -> anyhow::Result<()> {
    if let Some(AppError::Store(_) | AppError::Overloaded) = error.downcast_ref() {
        return Err(error);
    }
    tracing::debug!(kind = key.kind.name(), id = key.id, %error, "a record waits");
    Ok(())
}

impl Mirror for Copy<'_> {
    type Error = anyhow::Error;

    async fn upsert(&mut self, record: SyncRecord) -> anyhow::Result<()> {
        self.changes += 1;
        let key = record.key();
        match self.put(&record).await {
            Ok(()) => drop(self.waiting.remove(&key)),
            Err(error) => {
                refused(key, error)?;
                self.waiting.insert(key, record);
            }
        }
        Ok(())
    }

    async fn remove(&mut self, record: RecordRef) -> anyhow::Result<()> {
        self.changes += 1;
        self.waiting.remove(&record);
        Ok(self.take_away(record).await?)
    }

    async fn finish(&mut self, finished: Finished<'_>) -> anyhow::Result<()> {
        self.put_waiting().await?;
        if finished.is_walk() {
            self.drop_others(finished).await?;
            self.put_waiting().await?;
        }
        for (record, content) in &self.waiting {
            let (kind, name) = (record.kind.name(), content.name());
            tracing::warn!(kind, id = record.id, name, "a record cannot be copied");
        }
        Ok(())
    }
}
