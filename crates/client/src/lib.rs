//! A client of the REST interface of the events calendar.
//!
//! Writes are those of [`app::write`], answers are structs of this crate, with the IDs, dates and statuses of
//! `domain`. [`Client`] has one method for each operation, for the five kinds of records.
//!
//! ```no_run
//! use app::write::{DeleteOptions, NewVenue, ReadOptions, VenueUpdate};
//! use domain::{Event, FieldName, Secret, Venue};
//! use events_calendar_client::{Client, ClientError, ErrorCode, ListQuery};
//! use futures_util::TryStreamExt;
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let client = Client::new("https://cal.example/cal/events/v1")?.with_token(&Secret::new("…".to_owned()))?;
//!
//! let mill = client.create(&NewVenue::builder("Old Mill".parse()?).city("Lyon").build()).await?;
//! let renamed = VenueUpdate::builder().title("New Mill".parse()?).build();
//! client.update(mill.id, &renamed).await?;
//! assert_eq!(client.get::<Venue>(mill.id, &ReadOptions::default()).await?.venue, "New Mill");
//!
//! let june = ListQuery::default().with(FieldName::StartDate, "2027-06-01").with(FieldName::EndDate, "2027-06-30");
//! let mut events = std::pin::pin!(client.list::<Event>(&june));
//! while let Some(event) = events.try_next().await? {
//!     println!("{} {}", event.start_date, event.title);
//! }
//!
//! client.delete::<Venue>(mill.id, &DeleteOptions::permanently()).await?;
//! let gone = client.get::<Venue>(mill.id, &ReadOptions::default()).await;
//! assert!(gone.is_err_and(|error| error.code() == Some(&ErrorCode::VenueNotFound)));
//! # Ok(())
//! # }
//! ```
//!
//! # Repetition
//!
//! A request that the service refuses with 429 or 503 is repeated after the time in `Retry-After`, at most three
//! times, and never after more than a minute. Reads and creations are also repeated if there was no answer: a
//! creation carries an `Idempotency-Key`, so that no record is added twice.
//!
//! # Copies
//!
//! With the feature `sync`, a `Feed` keeps a copy of the calendar up to date.

mod client;
mod code;
mod error;
mod kind;
mod query;
pub mod record;
#[cfg(feature = "sync")]
pub mod sync;

pub use client::Client;
pub use code::ErrorCode;
pub use error::{ClientError, FieldFault, Refusal};
pub use kind::Entity;
pub use query::ListQuery;
