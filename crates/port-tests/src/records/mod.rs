//! Records of each kind, and the units of work that change them.

pub mod deletion;
pub mod former_slugs;
pub mod found;
pub mod given_ids;
pub mod images;
pub mod races;
pub mod round_trips;
pub mod slugs;
pub mod translations;
pub mod units;
