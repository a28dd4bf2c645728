//! Use cases of the events calendar, and the ports that they need.
//!
//! The crate knows neither SQL nor HTTP. [`domain`] has the rules: what an event is, who sees it,
//! which events a list holds. This crate adds what a program does with them: it reads, checks the
//! caller's right, and writes in one unit of work, over a store that implements its ports.
//!
//! ```
//! use events_calendar_app::{test_support::{InMemoryStore, add_user, calendar}, write::{NewEvent, ReadOptions}};
//! use domain::{Event, Role, event::EventFilter, page::PageRequest, policy::Caller, time::{EventTime, parse_civil}};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let store = InMemoryStore::new();
//! let ada = add_user(&store, "ada", Role::Editor).await;
//! let calendar = calendar(store).await;
//!
//! let [nine, noon] = ["2030-03-10 09:00:00", "2030-03-10 12:00:00"].map(|text| parse_civil(text).unwrap());
//! let when = EventTime::new("Europe/Paris".parse()?, nine, noon, false)?;
//! calendar.create(ada, &NewEvent::builder("River cleanup".parse()?, when).build()).await?;
//!
//! let (all, page, options) = (EventFilter::default(), PageRequest::new(1, 10, 100), ReadOptions::default());
//! let list = calendar.query::<Event>(Caller::Anonymous, None, all, page, &options).await?;
//! assert_eq!(list.rows[0].event.title.as_str(), "River cleanup");
//! # Ok(())
//! # }
//! ```
//!
//! # Chapters
//!
//! 1. **Use cases.** A [`Calendar`] has them: [`create`](Calendar::create), [`get`](Calendar::get),
//!    [`query`](Calendar::query), [`update`](Calendar::update), [`delete`](Calendar::delete), for
//!    each kind of [`Resource`](resource::Resource), and those of images. A use case takes the caller
//!    first; the program says who that is, for example with [`auth::Accounts`] by a token, or with
//!    [`sign_in::SignIn`] by a password.
//! 2. **Writes.** [`write`](mod@write) has what a write sets, as checked values, and their builders. The crate
//!    `forms` reads them from the fields of requests. A write may have a
//!    [`Precondition`](calendar::Precondition), or an [`IdempotencyKey`](calendar::IdempotencyKey).
//! 3. **Reads.** A read returns a view: the record in the language of the reader, with the related
//!    records that the caller may see. See [`EventView`](event::EventView),
//!    [`PlaceView`](place::PlaceView) and [`TermView`](term::TermView). Lists take the filters of the
//!    domain.
//! 4. **Errors.** An [`AppError`] says why a use case failed; nothing was changed then. All faults of
//!    the fields are reported together, each as a [`Fault`](fault::Fault), and they precede a missing
//!    right.
//! 5. **Ports.** [`ports`] has the traits that a program implements or takes from an adapter: a
//!    [`Store`](ports::Store) with its repositories, a [`Clock`](ports::Clock), [`Media`](ports::Media).
//!    `adapters-db` has a store on SQLite and PostgreSQL, `adapters-media` the ports of images,
//!    `adapters-ical` a format of calendar files, `adapters-tec` the sites of The Events Calendar.
//! 6. **Load.** [`search_queue`] lets few searches run at once, [`cpu_limiter`] little parsing.
//!    [`CacheEpoch`](calendar::CacheEpoch) says how long an answer may be used again.
//! 7. **Calendar files.** [`feed`] has what feeds say, for the port [`CalendarFormat`](ports::CalendarFormat).
//! 8. **Batches.** [`Calendar::in_unit`] runs several writes as one unit of work; the crate
//!    `interchange` builds imports, tables and archives on it.
//! 9. **Tests.** The feature `test-support` adds `test_support`: the store in memory of the example
//!    above, a stopped clock, builders of records, and a mock of each port.
//!
//! # Features
//!
//! - `test-support`: doubles for tests of other crates.

pub mod audit;
pub mod auth;
pub mod calendar;
mod change;
pub mod cpu_limiter;
pub mod entry;
pub mod error;
pub mod event;
pub mod fault;
pub mod feed;
pub mod hashing;
pub mod image;
pub mod place;
pub mod ports;
pub mod request;
pub mod resource;
pub mod search_queue;
pub mod sign_in;
pub mod site;
pub mod term;
#[cfg(any(test, feature = "test-support"))]
pub mod test_support;
pub mod write;

pub use calendar::Calendar;
pub use error::AppError;
