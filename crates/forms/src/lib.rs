//! The fields of requests, tables and files: declared once, and read into the writes and queries of
//! the use cases.
//!
//! [`Fields`] are the names and values of a request. [`create`] and [`update`] read a write from
//! them, [`query`] the filters of a list. A fault of a field is a part of the result; the use case
//! reports it with those that it finds itself, in the order of the contract.
//!
//! ```
//! use app::{AppError, fault::Fault};
//! use domain::{Venue, policy::Caller};
//! use events_calendar_forms::{Fields, Reading};
//! # use app::test_support::{InMemoryStore, add_user, calendar};
//! # use domain::Role;
//! # use serde_json::json;
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let store = InMemoryStore::new();
//! # let editor = add_user(&store, "ada", Role::Editor).await;
//! # let calendar = calendar(store).await;
//!
//! let body = json!({ "venue": "Old Mill", "city": "Lyon" }).as_object().unwrap().clone();
//! let write = events_calendar_forms::create::<Venue>(&Fields::from_body(body), Reading::of(&calendar, editor));
//! let view = calendar.create(editor, &write).await?;
//! assert_eq!(view.entry.details.city, "Lyon");
//!
//! let body = json!({ "venue": "Old Mill", "zip": 69001 }).as_object().unwrap().clone();
//! let write = events_calendar_forms::create::<Venue>(&Fields::from_body(body), Reading::of(&calendar, editor));
//! let refused = calendar.create(editor, &write).await;
//! assert!(matches!(refused, Err(AppError::Invalid(faults)) if faults.contains_key("zip")));
//! # Ok(())
//! # }
//! ```
//!
//! [`written`] does the reverse: a client in Rust makes the body of its request of a write.
//!
//! # A list of one's own
//!
//! A query string is read without a server. A program that has its events elsewhere reads the filters
//! and asks [`EventFilter::matches`](domain::event::EventFilter).
//!
//! ```
//! use app::{site::Site, test_support::{at, event}};
//! use domain::{Event, policy::Caller};
//! use events_calendar_forms::{Fields, Reading};
//!
//! let site = Site::default();
//! let reading = Reading { caller: Caller::Anonymous, site: &site, now: at("2030-01-01 09:00:00") };
//! let fields = Fields::from_query("featured=true&start_date=2030-03-01&end_date=2030-03-31");
//! let list = events_calendar_forms::query::<Event>(&fields, reading)?;
//! assert_eq!(list.page.number(), 1);
//! assert_eq!(list.query.filter.featured, Some(true));
//! assert_eq!(list.query.filter.window.start_min, Some(at("2030-03-01 00:00:00")));
//!
//! let refused = events_calendar_forms::query::<Event>(&Fields::from_query("start_date=someday"), reading);
//! assert!(refused.is_err());
//! # Ok::<(), app::fault::BadFields>(())
//! ```

#[macro_use]
mod field;

mod audit;
mod brackets;
mod changes;
mod duplicate;
mod entry;
mod event;
mod fields;
mod image;
mod input;
mod kind;
mod list;
mod options;
mod query;
mod secret_feed;
mod term;
mod unknown;

pub use audit::{AUDIT_FILTERS, REVISION_FILTERS, audit, revisions};
pub use brackets::{Nested, nest};
pub use changes::{CHANGES, ChangesForm};
pub use duplicate::{DUPLICATE_FILTERS, MERGE_FIELDS, duplicates, merge};
pub use event::{OPENING_PASSWORD, RECURRENCE_MEMBERS, SCOPE, TICKET_MEMBERS, WHICH_OCCURRENCES};
pub use field::{DefaultValue, Field, Param, Schema, WrittenField, values};
pub use fields::{Digits, Fields, Repeated};
pub use image::{ALT, IMAGE_FIELDS, image, new_image};
pub use input::{Input, LANGUAGE, Reading};
pub use kind::{Form, create, update, written};
pub use list::PAGING;
pub use options::{AS_OF, FORCE, as_of, delete_options, language_options, read_options};
pub use query::{
    FeedForm, ListForm, PAGE_FILTERS, WholeForm, feed, images, newest, occurrence_params,
    occurrences, page_filters, query, whole,
};
pub use secret_feed::{SECRET_FEED, secret_feed};
