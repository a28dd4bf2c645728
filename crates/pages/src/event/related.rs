//! Other events at the venue, of the organizers and in the categories of an event.

use app::{error::AppError, event::EventView};
use domain::{EventId, event::EventFilter};

use super::super::{content::Events, request::PageRequest, words::Word};

/// The maximum number of events in each list.
const MAX_EVENTS: usize = 4;

/// The number of events of which a list is made: several may be dates of one series. A list that names
/// each series once would read many more, and wait for its turn among searches.
const MAX_READ: u64 = 24;

/// Up to four upcoming events for each list, each event once. The event itself, its series and its
/// other dates are left out.
pub(super) async fn related(
    view: &EventView,
    request: &PageRequest,
) -> Result<Vec<Events>, AppError> {
    let mut lists = Vec::new();
    let mut shown = vec![whole(view)];
    for (heading, filter) in filters(view) {
        let limit = shown.len() + MAX_EVENTS;
        let mut events = request.upcoming_of(filter, MAX_READ).await?;
        events.retain(|one| {
            let is_new = shown.len() < limit && !shown.contains(&whole(one));
            if is_new {
                shown.push(whole(one));
            }
            is_new
        });
        if !events.is_empty() {
            lists.push(Events {
                heading: Some(request.word(heading)),
                days: request.days(&events),
                all: None,
                pager: None,
            });
        }
    }
    Ok(lists)
}

fn filters(view: &EventView) -> impl Iterator<Item = (Word, EventFilter)> {
    let venue = view.venue.as_ref().map(|venue| EventFilter {
        venues: Some(vec![venue.entry.id]),
        ..EventFilter::default()
    });
    let organizers: Vec<_> = view.organizers.iter().map(|one| one.entry.id).collect();
    let organizers = (!organizers.is_empty()).then(|| EventFilter {
        organizers: Some(organizers),
        ..EventFilter::default()
    });
    let categories: Vec<_> = view.categories.iter().map(|one| one.term.id).collect();
    let categories = (!categories.is_empty()).then(|| EventFilter {
        categories: Some(categories),
        ..EventFilter::default()
    });
    let lists = [
        (Word::MORE_AT_THE_VENUE, venue),
        (Word::MORE_OF_THE_ORGANIZER, organizers),
        (Word::MORE_IN_THE_CATEGORY, categories),
    ];
    lists
        .into_iter()
        .filter_map(|(heading, filter)| Some((heading, filter?)))
}

/// The series of an occurrence; else the event itself.
fn whole(view: &EventView) -> Option<EventId> {
    let occurrence = view.event.occurrence();
    occurrence.map(|one| one.series).or(view.event.id)
}
