//! Finding events: the filters of lists and views, their form, and the addresses that keep them.

mod choices;
mod offers;
mod panel;
mod ranges;
mod read;
mod words;

pub(super) use panel::{panel, refused};
pub(super) use read::{Finding, Sent};
