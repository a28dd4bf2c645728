//! The use cases of the crate.

use app::{AppError, Calendar};
use async_trait::async_trait;
use domain::policy::Caller;

use crate::{
    archive::{self, Export, ExportOptions},
    import::{
        self, CalendarFile, FileImport, ImportOptions, Observer, Outcome, Row, SiteImport,
        SiteImportError, SiteReport, TableFile,
    },
    source_site::SourceSite,
};

/// Imports and archives of a [`Calendar`].
#[async_trait]
pub trait Interchange {
    /// Imports rows in one unit of work and returns the result of each.
    ///
    /// # Errors
    ///
    /// If the store fails. Then no row is imported.
    async fn import(&self, caller: Caller, rows: &[Row]) -> Result<Vec<Outcome>, AppError>;

    /// Begins the import of a table, for editors and above. Each row is stored whole or not at all. An
    /// import that was interrupted can be repeated: rows that are stored already stay.
    ///
    /// A row is the record with its UID, else that with its ID and its name, else that of the source with
    /// its title and start, or of a venue or an organizer with its name. Other rows become new records.
    ///
    /// ```
    /// use domain::Kind;
    /// use interchange::{Interchange as _, import::{FileImport, ImportOptions, TableFile}};
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
    /// let mut import: FileImport<'_> = calendar.import_table(editor, file, options).await?;
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
    /// [`AppError::Invalid`] for `prune` if the table is not one of events, or has not even half of the
    /// events of its source that have not ended; or if the store fails.
    async fn import_table(
        &self,
        caller: Caller,
        file: TableFile,
        options: ImportOptions,
    ) -> Result<FileImport<'_>, AppError>;

    /// Begins the import of a calendar file, for editors and above. Each event is stored whole or not at
    /// all. An import that was interrupted can be repeated: events that are stored already stay.
    ///
    /// ```
    /// use interchange::{
    ///     Interchange as _,
    ///     import::{CalendarFile, FileImport, ImportOptions, ImportReport},
    /// };
    /// # use app::test_support::{InMemoryStore, add_user, calendar};
    /// # use interchange::MockCalendarReader;
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    /// # let mut reader = MockCalendarReader::new();
    /// # reader.expect_next().returning(|| Ok(None));
    /// let file = CalendarFile::read(&mut reader, 1000)?.unwrap();
    /// let options = ImportOptions::from_source("festival");
    /// let mut import: FileImport<'_> = calendar.import_calendar(editor, file, options).await?;
    /// while import.remaining() > 0 {
    ///     import.step(25).await?;
    /// }
    /// assert_eq!(import.finish(), ImportReport::default());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError::Unauthenticated`] and [`AppError::Forbidden`] without the right;
    /// [`AppError::Invalid`] for `prune` if the file is incomplete, or has not even half of the events of
    /// its source that have not ended; or if the store fails.
    async fn import_calendar(
        &self,
        caller: Caller,
        file: CalendarFile,
        options: ImportOptions,
    ) -> Result<FileImport<'_>, AppError>;

    /// Imports all records of a site, one after the other: terms, venues, organizers, events. Each
    /// record is a unit of work of its own, so that a run that was interrupted is continued by another
    /// one. A record that an earlier run brought is found by its identifier in the site.
    ///
    /// A record keeps its ID if that is free here. A field that is not valid here is left out, and
    /// a record without a required field is refused; both are remarks to the observer.
    ///
    /// ```
    /// use domain::{Kind, Status};
    /// use interchange::{
    ///     Interchange as _, MockSourceSite, SourcePage, SourceRecord,
    ///     import::{SiteCounts, SiteImport, SiteImportError, SiteProgress, SiteReport},
    /// };
    /// use serde_json::json;
    /// # use app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), SiteImportError> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    ///
    /// let mut site = MockSourceSite::new();
    /// site.expect_name().return_const("old.example".to_owned());
    /// site.expect_statuses().return_const(vec![Status::Publish]);
    /// site.expect_event_ids().returning(|_, _| Ok(None));
    /// site.expect_page().returning(|list, number| {
    ///     let mut mill = SourceRecord::new(Kind::Venue, 7, "https://old.example/venue/mill/");
    ///     mill.fields = json!({ "venue": "Old Mill" }).as_object().unwrap().clone();
    ///     let page = SourcePage { records: vec![mill], ..SourcePage::default() };
    ///     Ok((list.kind == Kind::Venue && number == 1).then_some(page))
    /// });
    /// let observer = |progress: SiteProgress| if let SiteProgress::Remark(remark) = progress {
    ///     println!("{remark}");
    /// };
    /// let import = SiteImport::default();
    /// let report: SiteReport = calendar.import_site(editor, &site, &import, &observer).await?;
    /// assert_eq!(report.counts[&Kind::Venue], SiteCounts { created: 1, ..SiteCounts::default() });
    /// let again = calendar.import_site(editor, &site, &import, &observer).await?;
    /// assert!(again.is_unchanged() && again.refused() == 0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError::Forbidden`] for a caller who may not change the records of others; or if the site or
    /// the store fails.
    async fn import_site(
        &self,
        caller: Caller,
        site: &dyn SourceSite,
        options: &SiteImport,
        observer: &Observer<'_>,
    ) -> Result<SiteReport, SiteImportError>;

    /// Begins an archive of everything in the calendar.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn export(&self, options: ExportOptions) -> Result<Export, AppError>;
}

#[async_trait]
impl Interchange for Calendar {
    async fn import(&self, caller: Caller, rows: &[Row]) -> Result<Vec<Outcome>, AppError> {
        import::import(self, caller, rows).await
    }

    async fn import_table(
        &self,
        caller: Caller,
        file: TableFile,
        options: ImportOptions,
    ) -> Result<FileImport<'_>, AppError> {
        import::import_table(self, caller, file, options).await
    }

    async fn import_calendar(
        &self,
        caller: Caller,
        file: CalendarFile,
        options: ImportOptions,
    ) -> Result<FileImport<'_>, AppError> {
        import::import_calendar(self, caller, file, options).await
    }

    async fn import_site(
        &self,
        caller: Caller,
        site: &dyn SourceSite,
        options: &SiteImport,
        observer: &Observer<'_>,
    ) -> Result<SiteReport, SiteImportError> {
        import::import_site(self, caller, site, options, observer).await
    }

    async fn export(&self, options: ExportOptions) -> Result<Export, AppError> {
        archive::export(self, options).await
    }
}
