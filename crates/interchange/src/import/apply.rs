//! The import of a file: its records are added and updated, some in each unit of work.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    time::Duration,
};

use app::{
    calendar::{Calendar, CreateOptions, Unit, Work},
    error::AppError,
    fault::{Warning, Warnings},
    ports::{FieldDigests, ImportedRecord, RecordRef, UnitOfWork},
    request::{Origin, RecordKey},
    resource::Resource,
    write::{New, Update, WriteInput},
};
use async_trait::async_trait;
use domain::{
    Id, Kind, Stored, duplicate::MergeDuplicates, policy::Caller, recurrence::horizon,
    source::ReportCounts, time::Timestamp,
};
use forms::Reading;

use super::{ImportOptions, report::ImportReport, rows::is_of_store};
use crate::{Finding, FindingCode};

/// The time after which a unit of work takes no further record. Other writes wait for a unit.
const TURN: Duration = Duration::from_millis(25);

/// The time that a record or a term takes, in times of an occurrence.
pub(super) const WEIGHT: usize = 10;

/// A record of a file.
#[async_trait]
pub(super) trait FileRecord: fmt::Debug + Send + Sync {
    fn boxed(self) -> Box<dyn FileRecord>
    where
        Self: Sized + 'static,
    {
        Box::new(self)
    }

    fn kind(&self) -> Kind;

    /// The identifier in the ledger.
    fn uid(&self) -> &str;

    /// The number of rows that the record writes at most, with its occurrences up to the horizon.
    /// `names` has the names of the terms that were counted before.
    fn weight(&self, horizon: Timestamp, names: &mut HashSet<String>) -> usize;

    /// A finding about a field of requests, or about the whole record.
    fn finding(&self, field: Option<&str>, code: FindingCode) -> Finding;

    /// Stores the record. An error undoes its writes; `known` is the row of the ledger of its last import.
    async fn apply(
        &self,
        writer: &Writer<'_>,
        unit: &dyn UnitOfWork,
        known: Option<&ImportedRecord>,
    ) -> Result<Applied, AppError>;
}

/// The result of a record of a file.
#[derive(Clone, Debug)]
pub(super) struct Applied {
    pub(super) effect: Effect,
    /// The rows that the ledger gets.
    pub(super) ledger: Vec<ImportedRecord>,
    pub(super) warnings: Vec<Finding>,
}

/// The effect of a record of a file on the calendar.
#[derive(Clone, Debug)]
pub(super) enum Effect {
    Created,
    Updated,
    Unchanged,
    Cancelled,
    Pruned,
    Refused(Finding),
}

impl From<Effect> for Applied {
    fn from(effect: Effect) -> Self {
        Self {
            effect,
            ledger: Vec::new(),
            warnings: Vec::new(),
        }
    }
}

/// The writes of an import.
#[derive(Debug)]
pub(super) struct Writer<'a> {
    pub(super) calendar: &'a Calendar,
    pub(super) caller: Caller,
    pub(super) options: ImportOptions,
    /// The identifiers of the records that an earlier step of a dry run would have created.
    pub(super) rehearsed: HashSet<String>,
    /// The values of the record that is being written that have no effect.
    warnings: Warnings,
}

impl<'a> Writer<'a> {
    /// The writes in a unit of work. Values without effect become warnings of the record, and moves of
    /// events are not announced.
    pub(super) fn unit<'u>(&'u self, unit: &'u dyn UnitOfWork) -> Unit<'u> {
        Unit::new(self.calendar, self.caller, unit)
            .warning(&self.warnings)
            .announcing_moves(false)
    }

    pub(super) fn reading(&self) -> Reading<'a> {
        Reading::of(self.calendar, self.caller)
    }

    pub(super) async fn create<R: Resource>(
        &self,
        unit: &dyn UnitOfWork,
        write: &WriteInput<R, New>,
        origin: Option<Origin>,
    ) -> Result<Stored<R>, AppError> {
        let prepared = self.calendar.check_new(self.caller, write)?;
        let options = with_origin(origin);
        self.unit(unit).create(&prepared, &options).await
    }

    pub(super) async fn update<R: Resource>(
        &self,
        unit: &dyn UnitOfWork,
        key: RecordKey<R>,
        write: &WriteInput<R, Update>,
        origin: Option<Origin>,
    ) -> Result<(), AppError> {
        let prepared = self.calendar.check_update(self.caller, write)?;
        let (update, options) = (self.unit(unit), with_origin(origin));
        update.update(&key, &prepared, &options).await.map(drop)
    }

    /// A record that may be updated. A record in the trash stays there, unless it `may_revive`.
    pub(super) async fn present<R: Resource>(
        &self,
        unit: &dyn UnitOfWork,
        id: Id<R>,
        may_revive: bool,
    ) -> Result<Option<Stored<R>>, AppError> {
        let present = R::repository(unit).find(id).await?;
        Ok(present.filter(|present| may_revive || !present.is_in_trash()))
    }

    /// The row of the ledger of a record.
    pub(super) fn row<R: Resource>(
        &self,
        uid: impl Into<String>,
        id: Id<R>,
        digest: impl Into<String>,
    ) -> ImportedRecord {
        ImportedRecord {
            source: self.options.source.clone(),
            kind: R::KIND,
            uid: uid.into(),
            id: id.get(),
            sequence: 0,
            stamp: None,
            digest: digest.into(),
            slot: None,
            fields: FieldDigests::default(),
        }
    }
}

pub(super) fn with_origin(origin: Option<Origin>) -> CreateOptions {
    CreateOptions {
        origin,
        ..CreateOptions::default()
    }
}

/// The writes of some records, in one unit of work: the first ones, as many as one turn takes.
struct Batch<'a> {
    writer: &'a Writer<'a>,
    records: &'a [Box<dyn FileRecord>],
}

#[async_trait]
impl Work for Batch<'_> {
    type Output = Vec<Applied>;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<Vec<Applied>, AppError> {
        let Some(first) = self.records.first() else {
            return Ok(Vec::new());
        };
        let uids = self.records.iter().map(|record| record.uid().to_owned());
        let (source, uids) = (&self.writer.options.source, uids.collect::<Vec<_>>());
        let known = unit.imports().find(source, first.kind(), &uids).await?;
        let by_uid = |row: ImportedRecord| (row.uid.clone(), row);
        let mut known: HashMap<_, _> = known.into_iter().map(by_uid).collect();
        let mut all = Vec::with_capacity(self.records.len());
        let calendar = self.writer.calendar;
        let end = calendar.monotonic() + TURN;
        for record in self.records {
            if !all.is_empty() && calendar.monotonic() >= end {
                break;
            }
            let nested = unit.nested().await?;
            let known_row = known.get(record.uid());
            let applied = record.apply(self.writer, &*nested, known_row).await;
            let without_effect = self.writer.warnings.take();
            match applied {
                Ok(mut applied) => {
                    let finding = |one: Warning| {
                        record.finding(Some(one.field.as_str()), FindingCode::NotLinked)
                    };
                    applied
                        .warnings
                        .extend(without_effect.into_iter().map(finding));
                    for row in &applied.ledger {
                        nested.imports().remember(row).await?;
                    }
                    nested.commit().await?;
                    // A record with the same identifier may follow.
                    known.extend(applied.ledger.iter().cloned().map(by_uid));
                    all.push(applied);
                }
                Err(error) if is_of_store(&error) => return Err(error),
                Err(error) => {
                    nested.rollback().await?;
                    all.push(Effect::Refused(refusal(&**record, &error)).into());
                }
            }
        }
        Ok(all)
    }
}

/// The records that an import created or updated, to be compared with all others.
#[derive(Debug, Default)]
pub(super) struct Brought {
    all: Vec<RecordRef>,
    created: HashSet<RecordRef>,
}

impl Brought {
    fn add(&mut self, applied: &Applied) {
        let is_created = matches!(applied.effect, Effect::Created);
        if is_created || matches!(applied.effect, Effect::Updated) {
            let rows = applied.ledger.iter();
            let records = rows.map(|row| (row.kind, row.id));
            records.for_each(|(kind, id)| self.put(kind, id, is_created));
        }
    }

    pub(super) fn put(&mut self, kind: Kind, id: i64, is_created: bool) {
        let record = RecordRef { kind, id };
        self.all.push(record);
        if is_created {
            self.created.insert(record);
        }
    }

    /// Looks for duplicates of the records, and merges them as the import or else the site wants it. Returns the number of
    /// pairs, and of merges.
    pub(super) async fn compare(
        &self,
        calendar: &Calendar,
        caller: Caller,
        wanted: Option<MergeDuplicates>,
    ) -> Result<[u64; 2], AppError> {
        let wanted = wanted.unwrap_or(calendar.site().merge_duplicates);
        if wanted == MergeDuplicates::Off || self.all.is_empty() {
            return Ok([0; 2]);
        }
        let found = calendar.compare(&self.all).await?;
        let merged = match wanted {
            MergeDuplicates::Sure => calendar.merge_sure(caller, &found, &self.created).await?,
            MergeDuplicates::Off | MergeDuplicates::Report => 0,
        };
        Ok([found.pairs.len() as u64, merged])
    }
}

/// The finding for an error: the first field with a fault.
fn refusal(record: &dyn FileRecord, error: &AppError) -> Finding {
    let field = match error {
        AppError::Missing(fields) => fields.first().copied(),
        AppError::Invalid(faults) => faults.keys().next().map(|name| &**name),
        AppError::Forbidden => return record.finding(None, FindingCode::Forbidden),
        _ => None,
    };
    let code = match field {
        Some("start_date") if matches!(error, AppError::Missing(_)) => FindingCode::NoStart,
        Some("start_date" | "end_date" | "timezone" | "all_day") => FindingCode::BadDate,
        Some("recurrence" | "scope") => FindingCode::Recurrence,
        _ => FindingCode::BadValue,
    };
    record.finding(field, code)
}

/// An import of a file under way.
///
/// ```
/// use events_calendar_interchange::import::{FileImport, ImportReport};
///
/// # async fn all(mut import: FileImport<'_>) -> Result<ImportReport, app::AppError> {
/// while import.remaining() > 0 {
///     import.step(25).await?;
/// }
/// Ok(import.finish())
/// # }
/// ```
#[derive(Debug)]
pub struct FileImport<'a> {
    writer: Writer<'a>,
    records: Vec<Box<dyn FileRecord>>,
    /// The number of records that were imported.
    done: usize,
    report: ImportReport,
}

impl<'a> FileImport<'a> {
    /// Begins the import of records; the report has the findings of their reading.
    pub(super) fn new(
        calendar: &'a Calendar,
        caller: Caller,
        options: ImportOptions,
        records: Vec<Box<dyn FileRecord>>,
        report: ImportReport,
    ) -> Self {
        Self {
            writer: Writer {
                calendar,
                caller,
                options,
                rehearsed: HashSet::new(),
                warnings: Warnings::default(),
            },
            report: ImportReport {
                counts: ReportCounts {
                    read: (records.len() + report.refused.len()) as u64,
                    ..report.counts
                },
                ..report
            },
            records,
            done: 0,
        }
    }

    /// Adds records that are not in the file.
    pub(super) fn add(&mut self, records: impl IntoIterator<Item = Box<dyn FileRecord>>) {
        self.records.extend(records);
    }

    /// The number of records that are not imported yet, with those that go to the trash.
    pub fn remaining(&self) -> usize {
        self.records.len() - self.done
    }

    /// The number of rows that the records write at most, occurrences included. It is counted up to
    /// `limit`.
    ///
    /// ```
    /// use domain::Kind;
    /// use events_calendar_interchange::import::{ImportOptions, TableFile, import_table};
    /// # use app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    /// let text = b"title,start_date,tags\nFair,2030-03-10,river\nMarket,2030-03-11,river\n";
    /// let file = TableFile::read(text, Kind::Event, 1000).unwrap();
    /// let options = ImportOptions::from_source("town");
    /// let import = import_table(&calendar, editor, file, options).await?;
    /// // Two events, and a tag that both have.
    /// assert_eq!(import.weight(1000), 30);
    /// # Ok(())
    /// # }
    /// ```
    pub fn weight(&self, limit: usize) -> usize {
        let calendar = self.writer.calendar;
        let site = calendar.site();
        let horizon = horizon(calendar.now(), &site.zone, site.recurrence_months);
        let (mut weight, mut names) = (0, HashSet::new());
        for record in &self.records {
            weight += record.weight(horizon, &mut names);
            if weight > limit {
                break;
            }
        }
        weight
    }

    /// Refuses the records that are not imported yet.
    ///
    /// ```
    /// use domain::Kind;
    /// use events_calendar_interchange::import::{ImportOptions, TableFile, import_table};
    /// # use app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    /// let text = b"title,start_date,tags\nFair,2030-03-10,river\nMarket,2030-03-11,river\n";
    /// let file = TableFile::read(text, Kind::Event, 1000).unwrap();
    /// let options = ImportOptions::from_source("town");
    /// let mut import = import_table(&calendar, editor, file, options).await?;
    /// import.step(1).await?;
    /// import.stop();
    /// let report = import.finish();
    /// assert_eq!((report.counts.created, report.refused[0].line), (1, 3));
    /// assert_eq!(report.refused[0].code.name(), "not-reached");
    /// # Ok(())
    /// # }
    /// ```
    pub fn stop(&mut self) {
        let rest = self.records.get(self.done..).unwrap_or_default();
        let refused = rest
            .iter()
            .map(|record| record.finding(None, FindingCode::NotReached));
        self.report.refused.extend(refused);
        self.done = self.records.len();
    }

    /// Imports the next records, at most `max`, in one unit of work; without effect in a dry run. A
    /// unit that takes long takes fewer records, at least one.
    ///
    /// # Errors
    ///
    /// If the store fails. Then none of them is imported.
    pub async fn step(&mut self, max: usize) -> Result<(), AppError> {
        let rest = self.records.get(self.done..).unwrap_or_default();
        let batch = Batch {
            writer: &self.writer,
            records: rest.get(..max.clamp(1, 1000)).unwrap_or(rest),
        };
        let calendar = self.writer.calendar;
        let is_rehearsal = self.writer.options.dry_run;
        let all = if is_rehearsal {
            calendar.rehearse(&batch).await?
        } else {
            calendar.in_unit(&batch).await?
        };
        self.done += all.len();
        let records = batch.records.iter();
        let mut created = Vec::new();
        let mut brought = Brought::default();
        for (record, applied) in records.zip(all) {
            brought.add(&applied);
            for warning in applied.warnings {
                self.report.warn(warning);
            }
            match applied.effect {
                Effect::Created => {
                    self.report.counts.created += 1;
                    created.extend(is_rehearsal.then(|| record.uid().to_owned()));
                }
                Effect::Updated => self.report.counts.updated += 1,
                Effect::Unchanged => self.report.counts.unchanged += 1,
                Effect::Cancelled => self.report.counts.cancelled += 1,
                Effect::Pruned => self.report.counts.pruned += 1,
                Effect::Refused(finding) => self.report.refused.push(finding),
            }
        }
        self.writer.rehearsed.extend(created);
        if !is_rehearsal {
            let Writer {
                calendar,
                caller,
                options,
                ..
            } = &self.writer;
            let found = brought.compare(calendar, *caller, options.merge_duplicates);
            let [found, merged] = found.await?;
            self.report.counts.duplicates += found;
            self.report.counts.merged += merged;
        }
        Ok(())
    }

    /// The report of what was imported so far.
    pub fn finish(mut self) -> ImportReport {
        let by_line = |finding: &Finding| (finding.code == FindingCode::MoreWarnings, finding.line);
        self.report.refused.sort_by_key(by_line);
        self.report.warnings.sort_by_key(by_line);
        self.report
    }
}
