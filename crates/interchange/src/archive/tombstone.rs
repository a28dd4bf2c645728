//! Lines of tombstones, which feeds show as cancelled events.

use domain::{
    CategoryId, EventId, OrganizerId, TagId, VenueId, event::Tombstone, recurrence::DateValue,
};
use serde::{Deserialize, Serialize};

use super::text::{SlugText, Utc};

/// An event that is not public any more.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct TombstoneLine {
    event: EventId,
    uid: String,
    slug: Option<SlugText>,
    sequence: i64,
    withdrawn_utc: Utc,
    start_date: DateValue,
    utc_start_date: Utc,
    utc_end_date: Utc,
    repeats: bool,
    categories: Vec<CategoryId>,
    tags: Vec<TagId>,
    venue: Option<VenueId>,
    organizer: Vec<OrganizerId>,
}

impl TombstoneLine {
    pub(super) fn new(tombstone: Tombstone) -> Self {
        let Tombstone {
            event,
            uid,
            slug,
            sequence,
            ended,
            start,
            period: (first, last),
            repeats,
            categories,
            tags,
            venue,
            organizers,
        } = tombstone;
        Self {
            event,
            uid,
            slug: slug.map(SlugText),
            sequence,
            withdrawn_utc: Utc(ended),
            start_date: start,
            utc_start_date: Utc(first),
            utc_end_date: Utc(last),
            repeats,
            categories,
            tags,
            venue,
            organizer: organizers,
        }
    }

    pub(super) fn into_tombstone(self) -> Tombstone {
        Tombstone {
            event: self.event,
            uid: self.uid,
            slug: self.slug.map(|slug| slug.0),
            sequence: self.sequence,
            ended: self.withdrawn_utc.0,
            start: self.start_date,
            period: (self.utc_start_date.0, self.utc_end_date.0),
            repeats: self.repeats,
            categories: self.categories,
            tags: self.tags,
            venue: self.venue,
            organizers: self.organizer,
        }
    }
}
