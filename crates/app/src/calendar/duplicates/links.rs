//! The events that name a record: they name the one into which it was merged.

use domain::{
    Event, EventId, Id, Kind, Status, Stored,
    event::{EventFilter, SeriesListing},
    page::PageRequest,
    query::{Query, Statuses},
};

use crate::{
    change::Change,
    error::AppError,
    event::{EventFields, EventWrite, PlaceRef},
    ports::{Moved, OccurrenceFilter, UnitOfWork},
    request::Request,
    resource::Resource as _,
};

/// The events of a page while they are looked for.
const PAGE: u32 = 1000;

/// The events and series that name a record, by their IDs.
async fn naming(
    kind: Kind,
    id: i64,
    request: &Request<'_>,
    unit: &dyn UnitOfWork,
) -> Result<Vec<EventId>, AppError> {
    let mut filter = EventFilter {
        statuses: Statuses(Some(Status::ALL.into())),
        with_hidden: true,
        series: SeriesListing::Series,
        ..EventFilter::default()
    };
    match kind {
        Kind::Event => filter.parent = Some(Id::from_raw(id)),
        Kind::Venue => filter.venues = Some(vec![Id::from_raw(id)]),
        _ => filter.organizers = Some(vec![Id::from_raw(id)]),
    }
    let (mut found, mut number) = (Vec::new(), 1);
    loop {
        let query = Query {
            visibility: request.visibility(),
            filter: filter.clone(),
            page: PageRequest::new(number, PAGE.into(), PAGE),
        };
        let page = unit.events().page(&query).await?;
        let is_last = !page.has_next();
        found.extend(page.rows);
        if is_last {
            return Ok(found);
        }
        number += 1;
    }
}

/// The index of a record among the organizers of an event that names another one, too.
type Beside = Option<usize>;

/// The change by which an event names one record in place of another; `None` if it does not name it.
fn change(event: &Event, kind: Kind, from: i64, to: i64) -> Option<(EventFields, Beside)> {
    let mut fields = EventFields::default();
    let details = &event.details;
    let mut beside = None;
    match kind {
        Kind::Event if details.parent == Some(Id::from_raw(from)) => {
            fields.parent = Change::Set(Id::from_raw(to));
        }
        Kind::Venue if details.venue == Some(Id::from_raw(from)) => {
            fields.venue = Change::Set(PlaceRef::Id(to));
        }
        Kind::Organizer => {
            let mut all: Vec<_> = details.organizers.iter().map(|id| id.get()).collect();
            let index = all.iter().position(|id| *id == from)?;
            if all.contains(&to) {
                all.remove(index);
                beside = Some(index);
            } else {
                all[index] = to;
            }
            fields.organizers = Some(all.into_iter().map(PlaceRef::Id).collect());
        }
        _ => return None,
    }
    Some((fields, beside))
}

async fn write(
    event: Stored<Event>,
    own: EventFields,
    request: &Request<'_>,
    unit: &dyn UnitOfWork,
) -> Result<(), AppError> {
    let write = EventWrite {
        own,
        ..EventWrite::default()
    };
    Event::change(write, event.into(), request, unit).await?;
    Ok(())
}

/// Lets all events that name a record name another one. Series come before their own dates, which follow them.
pub(super) async fn rename(
    kind: Kind,
    from: i64,
    to: i64,
    request: &Request<'_>,
    unit: &dyn UnitOfWork,
) -> Result<Vec<Moved>, AppError> {
    let mut moved = Vec::new();
    for id in naming(kind, from, request, unit).await? {
        let mut events = vec![id];
        let series = unit.events().find(id).await?;
        if series.is_some_and(|event| event.series().is_some()) {
            let own = OccurrenceFilter::overrides();
            let own = unit.occurrences().of_series(id, &own).await?;
            events.extend(own.into_iter().map(|one| one.id));
        }
        for id in events {
            let Some(event) = unit.events().find_for_update(id).await? else {
                continue;
            };
            if let Some((fields, beside)) = change(&event, kind, from, to) {
                write(event, fields, request, unit).await?;
                moved.push(Moved::Event { id, beside });
            }
        }
    }
    Ok(moved)
}

/// Lets the events that [`rename`] moved name the former record again, except for those that name others since.
pub(super) async fn rename_back(
    kind: Kind,
    from: i64,
    to: i64,
    moved: &[Moved],
    request: &Request<'_>,
    unit: &dyn UnitOfWork,
) -> Result<(), AppError> {
    for one in moved {
        let Moved::Event { id, beside } = one else {
            continue;
        };
        let Some(event) = unit.events().find_for_update(*id).await? else {
            continue;
        };
        let fields = match beside {
            None => change(&event, kind, to, from).map(|(fields, _)| fields),
            Some(index) => {
                let all = event.details.organizers.iter();
                let mut all: Vec<_> = all.map(|id| id.get()).collect();
                let stays = all.contains(&to) && !all.contains(&from);
                stays.then(|| {
                    all.insert((*index).min(all.len()), from);
                    EventFields {
                        organizers: Some(all.into_iter().map(PlaceRef::Id).collect()),
                        ..EventFields::default()
                    }
                })
            }
        };
        if let Some(fields) = fields {
            write(event, fields, request, unit).await?;
        }
    }
    Ok(())
}
