//! Rows of text, each of which becomes an event once.

use std::collections::HashMap;

use app::{
    calendar::{Calendar, CreateOptions, Unit, Work},
    error::AppError,
    fault::{Faults, Warning, Warnings},
    hashing,
    ports::{StoreError, UnitOfWork},
};
use async_trait::async_trait;
use domain::{Event, EventId, policy::Caller};
use forms::{Digits, Fields, Reading};
use serde_json::Value;

/// A row of a file: the body of a creation as one line of JSON. A row with `recurrence` becomes a
/// series with its occurrences.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its number in the file, from 1.
    pub line: u64,
    /// The content.
    pub content: RowContent,
}

/// The content of a row.
#[derive(Clone, Debug)]
pub enum RowContent {
    /// The fields of an event. The digest of the canonical text, with the ordinal among equal rows,
    /// identifies the row.
    Fields {
        /// SHA-256 of the canonical text.
        digest: String,
        /// Number of equal rows before this one.
        ordinal: i64,
        /// The fields.
        fields: Box<Fields>,
    },
    /// A row that is not a JSON object; the text is the reason.
    Unreadable(String),
}

impl Row {
    fn digest(&self) -> Option<String> {
        match &self.content {
            RowContent::Fields { digest, .. } => Some(digest.clone()),
            RowContent::Unreadable(_) => None,
        }
    }
}

/// Reads the rows of a file in order, and counts equal rows.
#[derive(Debug, Default)]
pub struct RowReader {
    seen: HashMap<String, i64>,
    lines: u64,
}

impl RowReader {
    /// Reads the next line; none for a blank line.
    pub fn read(&mut self, line: &str) -> Option<Row> {
        self.lines += 1;
        let text = line.trim_start_matches('\u{feff}').trim();
        if text.is_empty() {
            return None;
        }
        Some(Row {
            line: self.lines,
            content: self.content(text),
        })
    }

    fn content(&mut self, text: &str) -> RowContent {
        match serde_json::from_str(text) {
            Ok(Value::Object(object)) => {
                let digest = digest(Value::Object(object.clone()));
                let seen = self.seen.entry(digest.clone()).or_insert(0);
                let ordinal = *seen;
                *seen += 1;
                RowContent::Fields {
                    digest,
                    ordinal,
                    fields: Box::new(Fields {
                        digits: Digits::Name,
                        ..Fields::from_body(object)
                    }),
                }
            }
            Ok(_) => RowContent::Unreadable("is not a JSON object".to_owned()),
            Err(error) => RowContent::Unreadable(format!("is not JSON: {error}")),
        }
    }
}

/// The digest of a value, whatever the order of the fields of its objects.
pub(super) fn digest(mut value: Value) -> String {
    value.sort_all_objects();
    hashing::sha256_hex(&value.to_string())
}

/// The result of importing a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The row became this event.
    Imported(EventId),
    /// The row became this event without its unknown fields, or without categories and tags that it
    /// cannot link; each has the name of its field and the fault.
    ImportedInPart(EventId, Vec<(String, String)>),
    /// An earlier import added this row.
    AlreadyImported,
    /// The row was rejected; each bad field has its name and fault. The name is empty if the fault
    /// concerns the whole row.
    Rejected(Vec<(String, String)>),
}

/// A batch of rows for one unit of work; each row is imported completely or not at all.
struct Batch<'a> {
    calendar: &'a Calendar,
    caller: Caller,
    rows: &'a [Row],
}

#[async_trait]
impl Work for Batch<'_> {
    type Output = Vec<Outcome>;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<Vec<Outcome>, AppError> {
        let digests: Vec<_> = self.rows.iter().filter_map(Row::digest).collect();
        let known = unit.imports().known(&digests).await?;
        let mut outcomes = Vec::with_capacity(self.rows.len());
        for row in self.rows {
            outcomes.push(match &row.content {
                RowContent::Unreadable(reason) => {
                    Outcome::Rejected(vec![(String::new(), reason.clone())])
                }
                RowContent::Fields {
                    digest, ordinal, ..
                } if known.contains(&(digest.clone(), *ordinal)) => Outcome::AlreadyImported,
                RowContent::Fields {
                    digest,
                    ordinal,
                    fields,
                } => self.import_row(unit, digest, *ordinal, fields).await?,
            });
        }
        Ok(outcomes)
    }
}

impl Batch<'_> {
    async fn import_row(
        &self,
        unit: &dyn UnitOfWork,
        digest: &str,
        ordinal: i64,
        fields: &Fields,
    ) -> Result<Outcome, AppError> {
        let strict = Fields {
            strict: true,
            ..fields.clone()
        };
        let warnings = Warnings::default();
        let prepare = |fields: &Fields| {
            let reading = Reading::of(self.calendar, self.caller);
            let write = forms::create::<Event>(fields, reading);
            self.calendar.check_new(self.caller, &write)
        };
        let (prepared, mut left_out) = match prepare(&strict) {
            Err(AppError::Invalid(faults)) if !self.calendar.site().strict => {
                (prepare(fields), texts(&faults))
            }
            prepared => (prepared, Vec::new()),
        };
        let prepared = match prepared {
            Ok(prepared) => prepared,
            Err(error) => return refusal(error),
        };
        let nested = unit.nested().await?;
        let writes = Unit::new(self.calendar, self.caller, &*nested).warning(&warnings);
        let added = writes.create(&prepared, &CreateOptions::default()).await;
        match added {
            Ok(event) => {
                nested.imports().record(digest, ordinal, event.id).await?;
                nested.commit().await?;
                let faults = warnings.take().into_iter().map(|one| {
                    let Warning {
                        field,
                        value,
                        fault,
                    } = one;
                    (field.to_string(), format!("{value}: {fault}"))
                });
                left_out.extend(faults);
                Ok(if left_out.is_empty() {
                    Outcome::Imported(event.id)
                } else {
                    Outcome::ImportedInPart(event.id, left_out)
                })
            }
            Err(error) => {
                nested.rollback().await?;
                refusal(error)
            }
        }
    }
}

/// The fields with their faults. Fields of inline venues and organizers and of tickets have the name
/// of the containing field.
pub(super) fn texts(faults: &Faults) -> Vec<(String, String)> {
    let named = faults
        .iter()
        .map(|(field, fault)| (field.to_string(), fault.to_string()));
    named.collect()
}

/// The outcome of a row that was refused; the error itself if the store failed.
fn refusal(error: AppError) -> Result<Outcome, AppError> {
    faults_of(error).map(Outcome::Rejected)
}

/// The faults of a record, each with the name of its field; the error itself if the store failed.
pub(super) fn faults_of(error: AppError) -> Result<Vec<(String, String)>, AppError> {
    Ok(match error {
        AppError::Missing(fields) => fields
            .into_iter()
            .map(|field| (field.to_owned(), "is required".to_owned()))
            .collect(),
        AppError::Invalid(faults) => texts(&faults),
        error if is_of_store(&error) => return Err(error),
        other => vec![(String::new(), other.to_string())],
    })
}

/// Whether an error is one of the store: nothing is known about the rows then.
pub(super) fn is_of_store(error: &AppError) -> bool {
    matches!(
        error,
        AppError::Store(
            StoreError::Conflict | StoreError::Unavailable(_) | StoreError::Internal(_)
        )
    )
}

/// Imports rows in one unit of work and returns the result of each.
///
/// # Errors
///
/// If the store fails. Then no row is imported.
pub async fn import_rows(
    calendar: &Calendar,
    caller: Caller,
    rows: &[Row],
) -> Result<Vec<Outcome>, AppError> {
    calendar
        .in_unit(&Batch {
            calendar,
            caller,
            rows,
        })
        .await
}

#[cfg(test)]
mod tests {
    use domain::Role;

    use super::*;
    use app::{
        ports::Repositories,
        test_support::{InMemoryStore, add_user, calendar},
    };

    #[tokio::test]
    async fn terms_that_are_not_linked_are_told() {
        let store = InMemoryStore::new();
        let editor = add_user(&store, "ada", Role::Editor).await;
        let calendar = calendar(store.clone()).await;
        let row = r#"{"title": "Jazz", "start_date": "2030-03-05", "end_date": "2030-03-05", "tags": [7, "<i>"]}"#;
        let rows: Vec<_> = RowReader::default().read(row).into_iter().collect();
        let outcomes = import_rows(&calendar, editor, &rows).await.unwrap();
        let [Outcome::ImportedInPart(_, faults)] = &outcomes[..] else {
            panic!("{outcomes:?}");
        };
        let told = faults
            .iter()
            .map(|(field, fault)| (field.as_str(), fault.as_str()));
        assert_eq!(
            told.collect::<Vec<_>>(),
            [
                ("tags", "7: names no tag that exists"),
                ("tags", "<i>: must not be empty"),
            ]
        );
    }

    #[tokio::test]
    async fn a_row_with_a_recurrence_becomes_a_series() {
        let store = InMemoryStore::new();
        let editor = add_user(&store, "ada", Role::Editor).await;
        let calendar = calendar(store.clone()).await;
        let file = r#"
            {"title": "Jazz", "start_date": "2030-03-05 19:00", "end_date": "2030-03-05 21:00", "recurrence": "FREQ=WEEKLY;COUNT=6"}
            {"title": "Chess", "start_date": "2030-03-05 19:00", "end_date": "2030-03-05 21:00", "recurrence": "FREQ=HOURLY"}
        "#;
        let mut reader = RowReader::default();
        let rows: Vec<Row> = file.lines().filter_map(|line| reader.read(line)).collect();
        let outcomes = import_rows(&calendar, editor, &rows).await.unwrap();
        let Outcome::Imported(series) = outcomes[0] else {
            panic!("{outcomes:?}");
        };
        let all = app::ports::OccurrenceFilter::default();
        let stored = store.occurrences().of_series(series, &all).await.unwrap();
        assert_eq!(stored.len(), 6);
        let Outcome::Rejected(faults) = &outcomes[1] else {
            panic!("{outcomes:?}");
        };
        assert_eq!(faults[0].0, "recurrence");
        let again = import_rows(&calendar, editor, &rows[..1]).await.unwrap();
        assert_eq!(again, [Outcome::AlreadyImported]);
    }
}
