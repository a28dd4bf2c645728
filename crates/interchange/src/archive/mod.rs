//! Archives: a whole calendar as lines of JSON, and back.
//!
//! The first line is a header. Each further line is one record, or the dates of a series, after the
//! records that it names; a parent of an event may follow it. An archive is read into an empty
//! calendar, whose records then have the same IDs, slugs, dates and revisions.
//!
//! ```
//! use app::{test_support::{InMemoryStore, add_user, calendar}, write::{NewVenue, ReadOptions}};
//! use domain::{Role, Venue, policy::Caller};
//! use events_calendar_interchange::{
//!     archive::{ArchiveError, Export, ExportOptions, ExportPart, Restore, RestoredCounts, export},
//! };
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let store = InMemoryStore::new();
//! let editor = add_user(&store, "ada", Role::Editor).await;
//! let calendar = calendar(store.clone()).await;
//! let mill = calendar.create(editor, &NewVenue::builder("Old Mill".parse()?).build()).await?;
//!
//! let mut export: Export = export(&calendar, ExportOptions { secrets: false, audit: false }).await?;
//! let mut lines = Vec::new();
//! while let Some(part) = export.next_part().await? {
//!     let ExportPart { lines: next, files, made_drafts } = part;
//!     assert!(files.is_empty() && made_drafts.is_empty());
//!     lines.extend(next);
//! }
//! drop(export);
//! assert!(Restore::is_header(&lines[0]));
//! assert!(lines[1].starts_with(r#"{"kind":"user","id":1,"name":"ada""#));
//!
//! let empty = InMemoryStore::new();
//! let mut restore = Restore::begin(&empty, &lines[0]).await?;
//! assert_eq!(restore.zone().name(), "UTC");
//! assert_eq!(restore.language().code(), "en");
//! for line in &lines[1..] {
//!     assert!(restore.add(line).await?.is_empty(), "no image has files");
//! }
//! let counts: RestoredCounts = restore.commit().await?;
//! assert_eq!(counts.to_string(), "1 user, 1 venue");
//! let restored = app::test_support::calendar(empty.clone()).await;
//! let same = restored.get::<Venue>(Caller::Anonymous, mill.entry.id.into(), &ReadOptions::default()).await?;
//! assert_eq!(same, mill);
//!
//! let again = Restore::begin(&empty, &lines[0]).await;
//! assert!(matches!(again, Err(ArchiveError::NotEmpty)));
//! # Ok(())
//! # }
//! ```

mod entry;
mod event;
mod export;
mod image;
mod line;
mod restore;
mod review;
mod site;
mod term;
mod text;
mod tombstone;
mod trail;

pub use export::{Export, ExportOptions, ExportPart, export};
pub use restore::{ArchiveError, Restore, RestoredCounts};
