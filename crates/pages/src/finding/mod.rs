//! Finding events: the filters of lists and views, their form, and the addresses that keep them.

mod choices;
mod counts;
mod offers;
mod panel;
mod ranges;
mod read;
mod widen;
mod words;

pub(super) use counts::Shown;
pub(super) use panel::{panel, refused};
pub(super) use read::{Finding, Sent};
