//! Imports: rows of text, and the records of other calendars.
//!
//! # Rows
//!
//! [`RowReader`] reads rows, and [`import_rows`] makes an event of each, once.
//!
//! ```
//! use events_calendar_interchange::import::{Outcome, Row, RowContent, RowReader, import_rows};
//! # use app::test_support::{InMemoryStore, add_user, calendar};
//! # use domain::Role;
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let store = InMemoryStore::new();
//! # let editor = add_user(&store, "ada", Role::Editor).await;
//! # let calendar = calendar(store).await;
//!
//! let mut reader = RowReader::default();
//! let file = r#"
//! {"title": "Fair", "start_date": "2030-03-10 9:00", "end_date": "2030-03-10 17:00"}
//! {"title": "Fair without end", "start_date": "2030-03-10 9:00"}
//! not JSON
//! "#;
//! let rows: Vec<Row> = file.lines().filter_map(|line| reader.read(line)).collect();
//! assert_eq!(rows[0].line, 2);
//! assert!(matches!(rows[2].content, RowContent::Unreadable(_)));
//!
//! let outcomes = import_rows(&calendar, editor, &rows).await?;
//! assert!(matches!(outcomes[0], Outcome::Imported(_)));
//! let missing = ("end_date".to_owned(), "is required".to_owned());
//! assert_eq!(outcomes[1], Outcome::Rejected(vec![missing]));
//! assert_eq!(import_rows(&calendar, editor, &rows[..1]).await?, [Outcome::AlreadyImported]);
//! # Ok(())
//! # }
//! ```

mod apply;
mod calendar;
mod gzip;
mod missing_events;
mod options;
mod policy;
mod report;
mod rows;
mod site;
mod table;

pub use apply::FileImport;
pub(crate) use calendar::import_calendar_of;
pub use calendar::{CalendarFile, import_calendar};
pub use gzip::{CompressionError, decompressed, is_compressed};
pub(crate) use missing_events::{brought_by, trash_of};
pub use options::{IMPORT_OPTIONS, ImportOptions};
pub use report::ImportReport;
pub use rows::{Outcome, Row, RowContent, RowReader, import_rows};
pub(crate) use site::import_site_of;
pub use site::{
    Observer, SiteCounts, SiteImport, SiteImportError, SiteProgress, SiteReport, import_site,
};
pub(crate) use table::import_table_of;
pub use table::{TableFile, import_table};
