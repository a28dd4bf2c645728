//! The writes of some rows, in one unit of work.

use std::{collections::HashMap, marker::PhantomData};

use async_trait::async_trait;
use domain::{Event, Id, Stored, policy::Caller, text::fold};

use super::{super::ImportOptions, file::TableRow};
use crate::{
    calendar::{Calendar, Create, Precondition, Update, Work},
    error::AppError,
    event::occurrence_uid,
    feed::{Finding, FindingCode},
    import::{Fillable, rows::is_of_store},
    ports::{ImportedRecord, UnitOfWork},
    request::{Origin, Request},
    resource::Resource,
};

/// The effect of a row.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Created,
    Updated,
    Unchanged,
    Refused(Finding),
}

/// The writes of some rows of records of a kind.
pub(super) struct Apply<'a, R> {
    calendar: &'a Calendar,
    caller: Caller,
    options: &'a ImportOptions,
    rows: &'a [TableRow],
    kind: PhantomData<fn() -> R>,
}

impl<'a, R: Tabular> Apply<'a, R> {
    pub(super) fn new(
        calendar: &'a Calendar,
        caller: Caller,
        options: &'a ImportOptions,
        rows: &'a [TableRow],
    ) -> Self {
        Self {
            calendar,
            caller,
            options,
            rows,
            kind: PhantomData,
        }
    }

    /// Stores the rows; without effect in a dry run.
    pub(super) async fn run(&self) -> Result<Vec<Step>, AppError> {
        if !self.options.dry_run {
            return self.calendar.perform(self).await;
        }
        let unit = self.calendar.store.begin().await?;
        let steps = Work::run(self, &*unit).await;
        unit.rollback().await?;
        steps
    }
}

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
without_uid!(domain::Venue, domain::Organizer);

#[async_trait]
impl<R: Tabular> Work for Apply<'_, R> {
    type Output = Vec<Step>;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<Vec<Step>, AppError> {
        let keys: Vec<String> = self.rows.iter().map(key).collect();
        let source = &self.options.source;
        let known = unit.imports().find(source, R::KIND, &keys).await?;
        let mut known: HashMap<_, _> = known
            .into_iter()
            .map(|one| (one.uid.clone(), one))
            .collect();
        let mut steps = Vec::with_capacity(self.rows.len());
        for (row, key) in self.rows.iter().zip(keys) {
            let nested = unit.nested().await?;
            match self.one(&*nested, row, &key, known.get(&key)).await {
                Ok((step, record)) => {
                    nested.commit().await?;
                    // An equal row may follow.
                    known.extend(record.map(|record| (key, record)));
                    steps.push(step);
                }
                Err(error) if is_of_store(&error) => return Err(error),
                Err(error) => {
                    nested.rollback().await?;
                    steps.push(Step::Refused(refusal(row, &error)));
                }
            }
        }
        Ok(steps)
    }
}

/// The identifier of a row in the ledger.
fn key(row: &TableRow) -> String {
    match (&row.uid, row.id) {
        (Some(uid), _) => uid.clone(),
        (None, Some(id)) => format!("id:{id}"),
        (None, None) => format!("row:{}", row.digest),
    }
}

impl<R: Tabular> Apply<'_, R> {
    async fn one(
        &self,
        unit: &dyn UnitOfWork,
        row: &TableRow,
        key: &str,
        known: Option<&ImportedRecord>,
    ) -> Result<(Step, Option<ImportedRecord>), AppError> {
        let is_new = known.is_none_or(|known| known.digest != row.digest);
        let Some(id) = self.find(unit, row, known).await? else {
            let id = self.create(unit, row).await?;
            let record = self.remember(unit, row, key, id).await?;
            return Ok((Step::Created, Some(record)));
        };
        let present = R::repository(unit).find(id).await?;
        let Some(present) = present.filter(|present| !present.is_in_trash()) else {
            return Ok((Step::Unchanged, None));
        };
        let fields = self.options.policy.apply(&row.fields, &*present);
        let Some(fields) = fields.filter(|_| is_new) else {
            return Ok((Step::Unchanged, None));
        };
        let request = self.calendar.request(self.caller, &fields);
        let update = Update::<R>::prepare(request, id.into(), &Precondition::Any)?;
        update.run(unit).await?;
        let after = R::repository(unit).find(id).await?;
        let is_changed = after.is_none_or(|after| after != present);
        let record = self.remember(unit, row, key, id).await?;
        let step = if is_changed {
            Step::Updated
        } else {
            Step::Unchanged
        };
        Ok((step, Some(record)))
    }

    /// The record that a row is about.
    async fn find(
        &self,
        unit: &dyn UnitOfWork,
        row: &TableRow,
        known: Option<&ImportedRecord>,
    ) -> Result<Option<Id<R>>, AppError> {
        if let Some(known) = known {
            return Ok(Some(Id::from_raw(known.id)));
        }
        let id = row.id.map(Id::from_raw);
        if let Some(uid) = &row.uid {
            return R::find_uid(uid, id, unit).await;
        }
        let Some(id) = id else { return Ok(None) };
        let found: Option<Stored<R>> = R::repository(unit).find(id).await?;
        let is_named = |found: &Stored<R>| fold(found.title().as_str()) == fold(&row.title);
        Ok(found.filter(is_named).map(|found| found.id))
    }

    async fn create(&self, unit: &dyn UnitOfWork, row: &TableRow) -> Result<Id<R>, AppError> {
        let uid = row.uid.clone();
        let origin = uid.map(|uid| Origin { uid, sequence: 0 });
        let request = Request {
            origin: origin.as_ref(),
            ..self.calendar.request(self.caller, &row.fields)
        };
        Ok(Create::<R>::prepare(request)?.run(unit).await?.id)
    }

    async fn remember(
        &self,
        unit: &dyn UnitOfWork,
        row: &TableRow,
        key: &str,
        id: Id<R>,
    ) -> Result<ImportedRecord, AppError> {
        let record = ImportedRecord {
            source: self.options.source.clone(),
            kind: R::KIND,
            uid: key.to_owned(),
            id: id.get(),
            sequence: 0,
            stamp: None,
            digest: row.digest.clone(),
        };
        unit.imports().remember(&record).await?;
        Ok(record)
    }
}

/// The finding for an error: the first field with a fault.
fn refusal(row: &TableRow, error: &AppError) -> Finding {
    let field = match error {
        AppError::Missing(fields) => fields.first().copied(),
        AppError::Invalid(faults) => faults.keys().next().map(|name| &**name),
        AppError::Forbidden => return row.finding(None, FindingCode::Forbidden),
        _ => None,
    };
    let code = match field {
        Some("start_date") if matches!(error, AppError::Missing(_)) => FindingCode::NoStart,
        Some("start_date" | "end_date" | "timezone") => FindingCode::BadDate,
        _ => FindingCode::BadValue,
    };
    row.finding(field, code)
}
