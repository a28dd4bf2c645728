//! The writes of a row.

use std::collections::HashSet;

use async_trait::async_trait;
use domain::{Event, Id, Kind, Organizer, Stored, Venue, text::fold, time::Timestamp};
use serde_json::Value;

use super::file::TableRow;
use crate::{
    error::AppError,
    event::occurrence_uid,
    feed::{Finding, FindingCode},
    import::{
        Fillable,
        apply::{Applied, Change, FileRecord, WEIGHT, Writer},
    },
    ports::{ImportedRecord, UnitOfWork},
    request::{Origin, RecordKey},
    resource::Resource,
};

/// A kind of record that comes in tables.
#[async_trait]
pub(super) trait Tabular: Resource + Fillable {
    /// The record with a unique identifier.
    async fn find_uid(
        uid: &str,
        id: Option<Id<Self>>,
        unit: &dyn UnitOfWork,
    ) -> Result<Option<Id<Self>>, AppError>;
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
            uid: self.uid.clone(),
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
            return Ok(Change::Unchanged.into());
        }
        let (id, change) = if let Some(id) = self.find::<R>(unit, known).await? {
            let due = writer.due(unit, id, &self.fields, false).await?;
            let Some((present, fields)) = due else {
                return Ok(Change::Unchanged.into());
            };
            let update = writer.update::<R>(unit, RecordKey::Id(id), &fields, None);
            update.await?;
            let after = R::repository(unit).find(id).await?;
            if after.is_none_or(|after| after != present) {
                (id, Change::Updated)
            } else {
                (id, Change::Unchanged)
            }
        } else {
            let uid = self.uid.clone();
            let origin = uid.map(|uid| Origin { uid, sequence: 0 });
            let id = writer.create::<R>(unit, &self.fields, origin.as_ref());
            (id.await?, Change::Created)
        };
        Ok(Applied {
            ledger: vec![writer.row(&*self.key, id, &*self.digest)],
            ..change.into()
        })
    }

    /// The record that the row is about.
    async fn find<R: Tabular>(
        &self,
        unit: &dyn UnitOfWork,
        known: Option<&ImportedRecord>,
    ) -> Result<Option<Id<R>>, AppError> {
        if let Some(known) = known {
            return Ok(Some(Id::from_raw(known.id)));
        }
        let id = self.id.map(Id::from_raw);
        if let Some(uid) = &self.uid {
            return R::find_uid(uid, id, unit).await;
        }
        let Some(id) = id else { return Ok(None) };
        let found: Option<Stored<R>> = R::repository(unit).find(id).await?;
        let is_named = |found: &Stored<R>| fold(found.title().as_str()) == fold(&self.title);
        Ok(found.filter(is_named).map(|found| found.id))
    }
}
