//! The writes of a row.

use std::collections::HashSet;

use app::{
    error::AppError,
    ports::{FieldDigests, ImportedRecord, UnitOfWork},
    request::{Origin, RecordKey},
    resource::Resource,
};
use async_trait::async_trait;
use domain::{
    Event, Id, Kind, Organizer, Record, Status, Stored, Venue, source::UpdatePolicy, text::fold,
    time::Timestamp,
};
use forms::Form;
use serde_json::Value;

use super::row::{Identity, OF_ROW, TableRow};
use crate::{
    Finding, FindingCode,
    import::{
        apply::{Applied, Effect, FileRecord, WEIGHT, Writer},
        missing_events::CANCELLED,
        policy,
    },
};

/// The event with a unique identifier; other kinds have none.
async fn find_uid(
    uid: &str,
    id: Option<i64>,
    unit: &dyn UnitOfWork,
) -> Result<Option<i64>, AppError> {
    let found = unit.events().find_uids(&[uid.to_owned()]).await?;
    if let Some((_, found)) = found.first() {
        return Ok(Some(found.get()));
    }
    // The identifier of an occurrence is made of that of its series.
    let Some(id) = id else { return Ok(None) };
    let event = unit.events().find(Id::from_raw(id)).await?;
    let Some(one) = event.as_ref().and_then(|event| event.occurrence()) else {
        return Ok(None);
    };
    let series = unit.events().find(one.series).await?;
    let is_same = series.is_some_and(|series| series.uid_at(one.slot) == uid);
    Ok(is_same.then_some(id))
}

/// The records that a row without UID and ID may mean, in the order of their IDs.
async fn find_alike<R: Resource>(
    identity: &Identity,
    unit: &dyn UnitOfWork,
) -> Result<Vec<i64>, AppError> {
    if R::KIND != Kind::Event {
        let names = std::slice::from_ref(&identity.title);
        let found = R::repository(unit).find_named(names).await?;
        let alike = found.iter().filter(|one| is_titled(&one.content, identity));
        return Ok(alike.map(|one| one.id.get()).collect());
    }
    let Some(start) = identity.start() else {
        return Ok(Vec::new());
    };
    let ids = unit.events().find_titled(&identity.title, start).await?;
    let found = unit.events().find_many(&ids).await?;
    // A row is one date, and no series.
    let alike = found.iter().filter(|event| event.series().is_none());
    let mut ids: Vec<_> = alike.map(|event| event.id.get()).collect();
    ids.sort_unstable();
    Ok(ids)
}

/// Whether a record has the title of a row.
fn is_titled(record: &impl Record, identity: &Identity) -> bool {
    fold(record.title().as_str()) == identity.title
}

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
    async fn apply_as<R: Form>(
        &self,
        writer: &Writer<'_>,
        unit: &dyn UnitOfWork,
        known: Option<&ImportedRecord>,
    ) -> Result<Applied, AppError> {
        if known.is_some_and(|known| known.digest == self.digest) {
            return Ok(Effect::Unchanged.into());
        }
        let default_status = writer.options.status;
        let (id, effect, fields) = if let Some(found) = self.find::<R>(writer, unit, known).await? {
            let (id, of_import) = (found.id, writer.options.policy);
            let present = writer.present(unit, id, found.was_pruned).await?;
            let due = present.and_then(|present| {
                let mut sent = self.fields.clone();
                if default_status.is_some() {
                    sent.body.remove("status");
                }
                let fields = policy::apply(of_import, &sent, &present.content, known)?;
                Some((present, fields))
            });
            let Some((present, mut fields)) = due else {
                return Ok(Effect::Unchanged.into());
            };
            let revives = matches!(of_import, UpdatePolicy::Overwrite | UpdatePolicy::KeepLocal);
            if present.is_in_trash() && revives {
                let status = default_status.unwrap_or(Status::Publish);
                let status = || status.name().into();
                fields.body.entry("status").or_insert_with(status);
            }
            let write = forms::update::<R>(&fields, writer.reading());
            let update = writer.update(unit, RecordKey::Id(id), &write, None);
            update.await?;
            let after = R::repository(unit).find(id).await?;
            let effect = if after.as_ref().is_none_or(|after| *after != present) {
                Effect::Updated
            } else {
                Effect::Unchanged
            };
            let before = known.map(|known| known.fields.clone()).unwrap_or_default();
            let after = after.unwrap_or_else(|| present.clone());
            (id, effect, before.next(&present.content, &after.content))
        } else {
            let uid = self.identity.uid.clone();
            let origin = uid.map(|uid| Origin { uid, sequence: 0 });
            let mut sent = self.fields.clone();
            if let Some(status) = default_status {
                sent.body.insert("status".to_owned(), status.name().into());
            }
            let write = forms::create::<R>(&sent, writer.reading());
            let created = writer.create(unit, &write, origin).await?;
            let fields = FieldDigests::of(&created.content);
            (created.id, Effect::Created, fields)
        };
        Ok(Applied {
            ledger: vec![ImportedRecord {
                fields,
                ..writer.row(&*self.key, id, &*self.digest)
            }],
            ..effect.into()
        })
    }

    /// The record that the row is about.
    async fn find<R: Resource>(
        &self,
        writer: &Writer<'_>,
        unit: &dyn UnitOfWork,
        known: Option<&ImportedRecord>,
    ) -> Result<Option<Found<R>>, AppError> {
        let found = |id, was_pruned| {
            let id = Id::from_raw(id);
            Ok(Some(Found { id, was_pruned }))
        };
        if let Some(known) = known {
            return found(known.id, known.digest == CANCELLED);
        }
        let Identity { uid, id, .. } = &self.identity;
        let named = match (uid, *id) {
            (Some(uid), id) if R::KIND == Kind::Event => find_uid(uid, id, unit).await?,
            (None, Some(id)) => {
                let named: Option<Stored<R>> = R::repository(unit).find(Id::from_raw(id)).await?;
                let named = named.filter(|named| is_titled(&named.content, &self.identity));
                named.map(|named| named.id.get())
            }
            _ => None,
        };
        match named {
            Some(id) => found(id, false),
            None => self.find_imported(writer, unit).await,
        }
    }

    /// The record of the source with the same title and start, or the same name. A row with an identifier
    /// is not one that came with another.
    async fn find_imported<R: Resource>(
        &self,
        writer: &Writer<'_>,
        unit: &dyn UnitOfWork,
    ) -> Result<Option<Found<R>>, AppError> {
        let ids = find_alike::<R>(&self.identity, unit).await?;
        let mut rows = unit.imports().of_records(R::KIND, &ids).await?;
        rows.retain(|row| row.source == writer.options.source);
        let has_identifier = self.identity.uid.is_some() || self.identity.id.is_some();
        let mut found = ids.into_iter().filter_map(|id| {
            let mut of_one = rows.iter().filter(|row| row.id == id).peekable();
            of_one.peek()?;
            let mut is_free = true;
            let mut was_pruned = false;
            for row in of_one {
                is_free &= row.uid.starts_with(OF_ROW);
                was_pruned |= row.digest == CANCELLED;
            }
            let id = Id::from_raw(id);
            (is_free || !has_identifier).then_some(Found { id, was_pruned })
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
