//! The audit trail: each write of a record adds an entry, in the unit of work of the write.
//!
//! An [`Actor`] says on which way a write came. The program wraps the work of a request, a command or a job by
//! [`Actor::act`]; all writes below it, also those of use cases that know nothing of it, have its entry.
//!
//! ```
//! use events_calendar_app::{audit::Actor, test_support::{InMemoryStore, add_user, calendar}, write::NewVenue};
//! use domain::{FieldName, Role, audit::{AuditAction, AuditChannel, AuditFilter}, page::PageRequest};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let store = InMemoryStore::new();
//! let admin = add_user(&store, "ada", Role::Administrator).await;
//! let calendar = calendar(store).await;
//! let mill = NewVenue::builder("Old Mill".parse()?).build();
//! Actor::command("import csv").act(calendar.create(admin, &mill)).await?;
//!
//! let page = PageRequest::new(1, 10, 100);
//! let trail = calendar.audit(admin, AuditFilter::default(), page).await?;
//! let entry = &trail.rows[0];
//! assert_eq!((entry.action, entry.channel), (AuditAction::Create, AuditChannel::Command));
//! assert_eq!((entry.user, entry.channel_name.as_deref()), (admin.user(), Some("import csv")));
//! assert!(entry.changes.iter().any(|change| change.field == FieldName::Venue));
//! assert!(entry.bytes() > 0);
//! # Ok(())
//! # }
//! ```

mod accounts;
mod actor;
mod digest;

pub(crate) use accounts::{note, of_image, of_source, of_user, secret, value};
pub use actor::Actor;
pub(crate) use actor::add_entry;
pub use digest::digested;
