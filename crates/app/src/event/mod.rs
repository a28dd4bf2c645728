//! Use cases of events.

mod changes;
mod filter;
mod links;
mod recurrence;
mod series;
mod tickets;
mod view;

use domain::{Event, event::EventDetails};

use crate::{
    entry::EntryKind,
    ports::{Repositories, Repository},
};

use changes::EventChanges;
use filter::EventFilterInput;
pub use filter::{EVENT_ORDERS, default_window};
pub use view::{EventView, SlotChanges};

impl EntryKind for EventDetails {
    const TITLE_FIELD: &'static str = "title";
    type Changes = EventChanges;
    type FilterInput = EventFilterInput;
    type View = EventView;

    fn repository(repositories: &dyn Repositories) -> &dyn Repository<Event> {
        repositories.events()
    }
}
