//! Records of tables, which an import adds and updates.

mod apply;
mod cells;
mod file;

use domain::{
    Event, Kind, Organizer, Venue,
    policy::{Caller, Capability},
};

use self::apply::{Apply, Step};
use super::{ImportOptions, ImportReport};
use crate::{
    calendar::{Calendar, require},
    error::AppError,
    feed::Finding,
    input::Fault,
};

pub use file::TableFile;

/// An import of a table under way.
#[derive(Debug)]
pub struct TableImport<'a> {
    calendar: &'a Calendar,
    caller: Caller,
    options: ImportOptions,
    file: TableFile,
    /// The number of rows that were imported.
    done: usize,
    report: ImportReport,
}

impl Calendar {
    /// Begins the import of a table, for editors and above. Each row is stored whole or not at all. An
    /// import that was interrupted can be repeated: rows that are stored already stay.
    ///
    /// A row is the record with its UID, else that with its ID and its name, else that which an equal
    /// row of the source made before. Other rows become new records.
    ///
    /// ```
    /// use app::import::{ImportOptions, TableFile, TableImport};
    /// use domain::Kind;
    /// # use app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    /// let text = b"Venue Name;Venue City\nOld Mill;Lyon\n;Vienne\n";
    /// let file = TableFile::read(text, Kind::Venue, 1000).unwrap();
    /// let options = ImportOptions::from_source("venues");
    /// let mut import: TableImport<'_> = calendar.import_table(editor, file, options)?;
    /// while import.remaining() > 0 {
    ///     import.step(25).await?;
    /// }
    /// let report = import.finish();
    /// assert_eq!((report.read, report.created), (2, 1));
    /// assert_eq!((report.refused[0].line, report.refused[0].code.name()), (3, "no-title"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError::Unauthenticated`] and [`AppError::Forbidden`] without the right;
    /// [`AppError::Invalid`] for `prune`, as a table is no whole calendar.
    pub fn import_table(
        &self,
        caller: Caller,
        mut file: TableFile,
        options: ImportOptions,
    ) -> Result<TableImport<'_>, AppError> {
        require(caller, Capability::EditOthers)?;
        if options.prune {
            return Err(AppError::invalid("prune", Fault::NotOneOf(vec!["0"])));
        }
        let refused = std::mem::take(&mut file.refused);
        let report = ImportReport {
            read: (file.rows.len() + refused.len()) as u64,
            refused,
            warnings: std::mem::take(&mut file.warnings),
            ..ImportReport::default()
        };
        Ok(TableImport {
            calendar: self,
            caller,
            options,
            file,
            done: 0,
            report,
        })
    }
}

impl TableImport<'_> {
    /// The number of rows that are not imported yet.
    pub fn remaining(&self) -> usize {
        self.file.rows.len() - self.done
    }

    /// Imports the next rows, at most `max`, in one unit of work.
    ///
    /// # Errors
    ///
    /// If the store fails. Then none of them is imported.
    pub async fn step(&mut self, max: usize) -> Result<(), AppError> {
        let end = self.file.rows.len().min(self.done + max.clamp(1, 1000));
        let rows = self.file.rows.get(self.done..end).unwrap_or_default();
        let (calendar, caller, options) = (self.calendar, self.caller, &self.options);
        let steps = match self.file.kind {
            Kind::Venue => {
                Apply::<Venue>::new(calendar, caller, options, rows)
                    .run()
                    .await
            }
            Kind::Organizer => {
                let apply = Apply::<Organizer>::new(calendar, caller, options, rows);
                apply.run().await
            }
            Kind::Event | Kind::Category | Kind::Tag => {
                Apply::<Event>::new(calendar, caller, options, rows)
                    .run()
                    .await
            }
        }?;
        self.done = end;
        for step in steps {
            match step {
                Step::Created => self.report.created += 1,
                Step::Updated => self.report.updated += 1,
                Step::Unchanged => self.report.unchanged += 1,
                Step::Refused(finding) => self.report.refused.push(finding),
            }
        }
        Ok(())
    }

    /// The report of what was imported so far.
    pub fn finish(mut self) -> ImportReport {
        let by_line = |finding: &Finding| finding.line;
        self.report.refused.sort_by_key(by_line);
        self.report
    }
}
