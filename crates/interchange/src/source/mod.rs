//! Sources: calendars elsewhere that are read on a schedule, and imported as files and sites are.
//!
//! ```
//! use async_trait::async_trait;
//! use domain::source::{ReadFault, Source, Validators};
//! use events_calendar_interchange::{
//!     MockReadableFormat, SourceSite,
//!     source::{Fate, ReadError, SourceFile, SourceReader, remove_source, run_source},
//! };
//! # use app::{calendar::SourceWrite, test_support::{InMemoryStore, add_user, calendar}};
//! # use domain::Role;
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let store = InMemoryStore::new();
//! # let admin = add_user(&store, "ada", Role::Administrator).await;
//! # let calendar = calendar(store).await;
//!
//! /// A server that never answers.
//! struct Silent;
//!
//! #[async_trait]
//! impl SourceReader for Silent {
//!     async fn file(&self, _: &Source, _: &Validators) -> Result<SourceFile, ReadError> {
//!         Err(ReadFault::TooSlow.into())
//!     }
//!
//!     async fn site(&self, _: &Source) -> Result<Box<dyn SourceSite>, ReadError> {
//!         Err(ReadFault::TooSlow.into())
//!     }
//! }
//!
//! let write = SourceWrite {
//!     name: Some("Club".parse()?),
//!     url: Some("https://club.example/a.ics".parse()?),
//!     ..SourceWrite::default()
//! };
//! let club = calendar.create_source(admin, &write).await?;
//! let leased = calendar.lease_due_source().await?.unwrap();
//! let run = run_source(&calendar, &MockReadableFormat::new(), &Silent, &leased).await?;
//! assert_eq!(run.counts, None);
//! assert_eq!(run.runs.failure, Some(ReadFault::TooSlow.into()));
//! remove_source(&calendar, admin, club.id, Fate::Trash).await?;
//! # Ok(())
//! # }
//! ```

mod fields;
mod read;
mod removal;
mod run;

pub use fields::{SOURCE_FIELDS, SOURCE_REMOVAL, removal, source_write};
#[cfg(any(test, feature = "test-support"))]
pub use read::MockSourceReader;
pub use read::{ReadError, SourceFile, SourceReader};
pub use removal::{Fate, remove_source};
pub use run::{MAX_SOURCE_BYTES, SourceRun, run_source};
