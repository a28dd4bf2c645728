//! The port [`SourceSite`](interchange::SourceSite) over the REST interface of "The Events Calendar",
//! namespace `tribe/events/v1`.
//!
//! ```no_run
//! use events_calendar_adapters_tec::{Access, Site};
//! use interchange::{SourceList, SourceSite};
//! use domain::{Kind, Status};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let site = Site::find("https://old.example", Access::default()).await?;
//! let list = SourceList { kind: Kind::Event, status: Status::Publish };
//! let page = site.page(list, 1).await?;
//! # Ok(())
//! # }
//! ```

mod client;
mod mapping;
mod site;

pub use client::{Access, Login};
pub use site::{FindError, Site};
