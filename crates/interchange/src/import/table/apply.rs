//! The writes of a row.

use std::collections::HashSet;

use async_trait::async_trait;
use domain::{
    Event, Id, Kind, Organizer, Record as _, Status, Stored, Venue, text::fold, time::Timestamp,
};
use serde_json::Value;

use super::row::{Identity, OF_ROW, TableRow};
use crate::import::{
    Fillable, UpdatePolicy,
    apply::{Applied, Effect, FileRecord, WEIGHT, Writer},
    gone::CANCELLED,
};
use crate::{Finding, FindingCode};
use app::{
    error::AppError,
    event::occurrence_uid,
    ports::{ImportedRecord, UnitOfWork},
    request::{Origin, RecordKey},
    resource::Resource,
};
use forms::Form;

/// A kind of record that comes in tables.
#[async_trait]
pub(super) trait Tabular: Form + Fillable {
    /// The record with a unique identifier.
    async fn find_uid(
        uid: &str,
        id: Option<Id<Self>>,
        unit: &dyn UnitOfWork,
    ) -> Result<Option<Id<Self>>, AppError>;

    /// The records that a row without UID and ID may mean, in the order of their IDs.
    async fn find_alike(
        identity: &Identity,
        unit: &dyn UnitOfWork,
    ) -> Result<Vec<Stored<Self>>, AppError>;
}

#[async_trait]
impl Tabular for Event {
    async fn find_uid(
        uid: &str,
        id: Option<Id<Self>>,
        unit: &dyn UnitOfWork,
    ) -> Result<Option<Id<Self>>, AppError> {
        let found = unit.events().find_uids(&[uid.to_owned()]).await?;
        if let Some((_, found)) = found.first() {
            return Ok(Some(*found));
        }
        // The identifier of an occurrence is made of that of its series.
        let Some(id) = id else { return Ok(None) };
        let event = unit.events().find(id).await?;
        let Some(one) = event.as_ref().and_then(|event| event.occurrence()) else {
            return Ok(None);
        };
        let series = unit.events().find(one.series).await?;
        let is_same = series.is_some_and(|series| occurrence_uid(one.slot, &series) == uid);
        Ok(is_same.then_some(id))
    }

    async fn find_alike(
        identity: &Identity,
        unit: &dyn UnitOfWork,
    ) -> Result<Vec<Stored<Self>>, AppError> {
        let Some(start) = identity.start() else {
            return Ok(Vec::new());
        };
        let ids = unit.events().find_titled(&identity.title, start).await?;
        let mut found = unit.events().find_many(&ids).await?;
        // A row is one date, and no series.
        found.retain(|event| event.series().is_none());
        found.sort_unstable_by_key(|event| event.id);
        Ok(found)
    }
}

/// Venues and organizers have no unique identifier.
macro_rules! without_uid {
    ($($kind:ty),*) => {$(
        #[async_trait]
        impl Tabular for $kind {
            async fn find_uid(
                _uid: &str,
                _id: Option<Id<Self>>,
                _unit: &dyn UnitOfWork,
            ) -> Result<Option<Id<Self>>, AppError> {
                Ok(None)
            }

            async fn find_alike(
                identity: &Identity,
                unit: &dyn UnitOfWork,
            ) -> Result<Vec<Stored<Self>>, AppError> {
                let names = std::slice::from_ref(&identity.title);
                let mut found = Self::repository(unit).find_named(names).await?;
                found.retain(|one| fold(one.title().as_str()) == identity.title);
                Ok(found)
            }
        }
    )*};
}
without_uid!(Venue, Organizer);

#[async_trait]
impl FileRecord for TableRow {
    fn kind(&self) -> Kind {
        self.kind
    }

    fn uid(&self) -> &str {
        &self.key
    }

    fn weight(&self, _horizon: Timestamp, names: &mut HashSet<String>) -> usize {
        let terms = ["categories", "tags"].into_iter().flat_map(|field| {
            let values = self.fields.body.get(field).and_then(Value::as_array);
            let texts = values.into_iter().flatten().filter_map(Value::as_str);
            texts.map(move |name| format!("{field} {}", fold(name)))
        });
        let new = terms.filter(|name| names.insert(name.clone())).count();
        WEIGHT * (1 + new)
    }

    fn finding(&self, field: Option<&str>, code: FindingCode) -> Finding {
        Finding {
            line: self.line,
            uid: self.identity.uid.clone(),
            property: field.map(str::to_owned),
            code,
        }
    }

    async fn apply(
        &self,
        writer: &Writer<'_>,
        unit: &dyn UnitOfWork,
        known: Option<&ImportedRecord>,
    ) -> Result<Applied, AppError> {
        match self.kind {
            Kind::Venue => self.apply_as::<Venue>(writer, unit, known).await,
            Kind::Organizer => self.apply_as::<Organizer>(writer, unit, known).await,
            Kind::Event | Kind::Category | Kind::Tag => {
                self.apply_as::<Event>(writer, unit, known).await
            }
        }
    }
}

impl TableRow {
    async fn apply_as<R: Tabular>(
        &self,
        writer: &Writer<'_>,
        unit: &dyn UnitOfWork,
        known: Option<&ImportedRecord>,
    ) -> Result<Applied, AppError> {
        if known.is_some_and(|known| known.digest == self.digest) {
            return Ok(Effect::Unchanged.into());
        }
        let (id, effect) = if let Some(found) = self.find::<R>(writer, unit, known).await? {
            let id = found.id;
            let due = writer.due(unit, id, &self.fields, found.was_pruned).await?;
            let Some((present, mut fields)) = due else {
                return Ok(Effect::Unchanged.into());
            };
            if present.is_in_trash() && writer.options.policy == UpdatePolicy::Overwrite {
                let status = || Status::Publish.name().into();
                fields.body.entry("status").or_insert_with(status);
            }
            let update = writer.update::<R>(unit, RecordKey::Id(id), &fields, None);
            update.await?;
            let after = R::repository(unit).find(id).await?;
            if after.is_none_or(|after| after != present) {
                (id, Effect::Updated)
            } else {
                (id, Effect::Unchanged)
            }
        } else {
            let uid = self.identity.uid.clone();
            let origin = uid.map(|uid| Origin { uid, sequence: 0 });
            let id = writer.create::<R>(unit, &self.fields, origin);
            (id.await?, Effect::Created)
        };
        Ok(Applied {
            ledger: vec![writer.row(&*self.key, id, &*self.digest)],
            ..effect.into()
        })
    }

    /// The record that the row is about.
    async fn find<R: Tabular>(
        &self,
        writer: &Writer<'_>,
        unit: &dyn UnitOfWork,
        known: Option<&ImportedRecord>,
    ) -> Result<Option<Found<R>>, AppError> {
        if let Some(known) = known {
            return Ok(Some(Found {
                id: Id::from_raw(known.id),
                was_pruned: known.digest == CANCELLED,
            }));
        }
        let Identity { uid, id, title, .. } = &self.identity;
        let id = id.map(Id::from_raw);
        let named = if let Some(uid) = uid {
            R::find_uid(uid, id, unit).await?
        } else if let Some(id) = id {
            let found: Option<Stored<R>> = R::repository(unit).find(id).await?;
            let is_named = |found: &Stored<R>| fold(found.title().as_str()) == *title;
            found.filter(is_named).map(|found| found.id)
        } else {
            None
        };
        if let Some(id) = named {
            let was_pruned = false;
            return Ok(Some(Found { id, was_pruned }));
        }
        self.find_alike(writer, unit).await
    }

    /// The record of the source with the same title and start, or the same name. A row with an identifier
    /// is not one that came with another.
    async fn find_alike<R: Tabular>(
        &self,
        writer: &Writer<'_>,
        unit: &dyn UnitOfWork,
    ) -> Result<Option<Found<R>>, AppError> {
        let alike = R::find_alike(&self.identity, unit).await?;
        let ids: Vec<_> = alike.iter().map(|one| one.id.get()).collect();
        let mut rows = unit.imports().of_records(R::KIND, &ids).await?;
        rows.retain(|row| row.source == writer.options.source);
        let has_identifier = self.identity.uid.is_some() || self.identity.id.is_some();
        let mut found = alike.iter().filter_map(|one| {
            let mut of_one = rows.iter().filter(|row| row.id == one.id.get()).peekable();
            of_one.peek()?;
            let mut is_free = true;
            let mut was_pruned = false;
            for row in of_one {
                is_free &= row.uid.starts_with(OF_ROW);
                was_pruned |= row.digest == CANCELLED;
            }
            (is_free || !has_identifier).then_some(Found {
                id: one.id,
                was_pruned,
            })
        });
        Ok(found.nth(self.ordinal))
    }
}

/// The record of a row.
struct Found<R> {
    id: Id<R>,
    /// Whether an earlier import put it into the trash, as its file had it no longer.
    was_pruned: bool,
}
