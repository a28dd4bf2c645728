//! What the use cases of events, venues and organizers share.

mod changes;

pub use changes::EntryChanges;
