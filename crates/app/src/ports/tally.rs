//! The numbers of events by each value of the filters of lists.

use std::collections::HashMap;

use domain::{CategoryId, OrganizerId, TagId, VenueId};

/// Events counted by each value of a filter.
///
/// ```
/// use events_calendar_app::{ports::{CityTally, Repositories, Tally}, test_support::{InMemoryStore, START, add_user, at, event, venue}};
/// use domain::{Role, policy::{Caller, Visibility}};
/// # use events_calendar_app::ports::Store;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = InMemoryStore::new();
/// # add_user(&store, "ada", Role::Editor).await;
/// # let unit = store.begin().await?;
///
/// let mill = venue("Old Mill").with(|venue| venue.details.city = "Lyon".into()).insert(&*unit).await.id;
/// let fair = event("Fair").venue(mill).insert(&*unit).await.id;
/// let anybody = Visibility::new(Caller::Anonymous, at(START));
/// let tally: Tally = unit.events().tally(&[fair], None, &anybody).await?;
/// assert_eq!((tally.free, tally.not_free, tally.venues[&mill]), (0, 1, 1));
/// assert_eq!(tally.cities["lyon"], CityTally { events: 1, venue: mill });
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// By category; events below it count.
    pub categories: HashMap<CategoryId, u64>,
    /// By tag.
    pub tags: HashMap<TagId, u64>,
    /// By venue, visible or not.
    pub venues: HashMap<VenueId, u64>,
    /// By [folded](domain::text::fold) city, as the reader's language names it.
    pub cities: HashMap<String, CityTally>,
    /// By organizer, visible or not.
    pub organizers: HashMap<OrganizerId, u64>,
    /// Free events.
    pub free: u64,
    /// Other events.
    pub not_free: u64,
    /// Events with tickets.
    pub ticketed: u64,
    /// Events without tickets.
    pub not_ticketed: u64,
}

/// The events of a city. [`Tally`] has an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CityTally {
    /// Their number.
    pub events: u64,
    /// The venue with the least ID at which one of them takes place.
    pub venue: VenueId,
}
