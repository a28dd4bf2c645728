//! Records of tables, which an import adds and updates.

mod apply;
mod cells;
mod file;

use domain::policy::{Caller, Capability};

use super::{
    ImportOptions,
    apply::{FileImport, FileRecord},
};
use crate::{
    calendar::{Calendar, require},
    error::AppError,
    input::Fault,
};

pub use file::TableFile;

impl Calendar {
    /// Begins the import of a table, for editors and above. Each row is stored whole or not at all. An
    /// import that was interrupted can be repeated: rows that are stored already stay.
    ///
    /// A row is the record with its UID, else that with its ID and its name, else that which an equal
    /// row of the source made before. Other rows become new records.
    ///
    /// ```
    /// use app::import::{FileImport, ImportOptions, TableFile};
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
    /// let mut import: FileImport<'_> = calendar.import_table(editor, file, options)?;
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
        file: TableFile,
        options: ImportOptions,
    ) -> Result<FileImport<'_>, AppError> {
        require(caller, Capability::EditOthers)?;
        if options.prune {
            return Err(AppError::invalid("prune", Fault::NotOneOf(vec!["0"])));
        }
        let rows = file.rows.into_iter().map(FileRecord::boxed).collect();
        Ok(FileImport::new(self, caller, options, rows, file.report))
    }
}
