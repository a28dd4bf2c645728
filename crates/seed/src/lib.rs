//! Made-up records for a calendar of any size.
//!
//! A [`Generator`] makes a record from its number alone. Only the slug depends on the records of
//! its kind that were made before. So the same seed, day and order of calls make the same records.
//! Texts are put together from the word lists in `data/`.

mod cities;
mod events;
mod random;
mod records;
mod slugs;
mod texts;
mod words;

pub use self::{
    events::{EventGenerator, RelatedIds},
    records::Generator,
};

#[cfg(test)]
mod tests;
