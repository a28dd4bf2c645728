//! Updates with `scope=all` and `scope=following`.

use domain::{Event, FieldName, Stored, time::EventTime};

use super::{store_series::save_series, written_back::is_slug_of};
use crate::{
    change::Change,
    entry::EntryWrite,
    error::AppError,
    event::{EventFields, EventWrite, own_page::is_page_of},
    fault::FaultCollector,
    ports::Repositories,
    request::Request,
    resource::{Changed, Resource as _},
};

/// Changes a series, or an event that may become one. `via` is the occurrence that the request names:
/// a time sent for it moves all by as much as it moves.
pub(super) async fn change(
    changes: EventWrite,
    before: Stored<Event>,
    via: Option<&Stored<Event>>,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Changed<Event>, AppError> {
    let EntryWrite {
        mut shared,
        mut own,
    } = changes;
    let fields = own.series.clone();
    if let Some(via) = via {
        own = follow(own, &before, via, request)?;
        own = own.without_website(|url| is_page_of(url, via, request.site));
        if matches!(&shared.slug, Change::Set(slug) if is_slug_of(slug, via)) {
            shared.slug = Change::Keep;
        }
    }
    let (content, slugs) =
        Event::changed_content(EntryWrite { shared, own }, &before, request, unit).await?;
    save_series(before, content, slugs, &fields, request, unit).await
}

/// The changes with the start of the series that gives an occurrence the time that was sent.
fn follow(
    own: EventFields,
    series: &Stored<Event>,
    via: &Stored<Event>,
    request: &Request<'_>,
) -> Result<EventFields, AppError> {
    let (Some(whole), Some(one)) = (series.series(), via.occurrence()) else {
        return Ok(own);
    };
    if !own.has_time() {
        return Ok(own);
    }
    let mut faults = FaultCollector::default();
    let shown = &via.details.when;
    let sent = own.when(Some(shown), request, &mut faults);
    let recurrence = &whole.recurrence;
    let start = sent.and_then(|sent| {
        let by_slot = recurrence.time_at(one.slot)?;
        let to = if *shown == by_slot {
            sent
        } else {
            let to = moved_alike(&by_slot, shown, &sent);
            faults.accept(FieldName::StartDate, to)?
        };
        faults.accept(FieldName::StartDate, recurrence.start_for(one.slot, &to))
    });
    faults.finish()?;
    Ok(match start {
        Some(start) => own.at(start),
        None => own,
    })
}

/// A time moved by the distance on the clock between two others.
fn moved_alike(
    time: &EventTime,
    from: &EventTime,
    to: &EventTime,
) -> Result<EventTime, domain::time::InvalidEventTime> {
    let start = time.start().local + (to.start().local - from.start().local);
    let end = time.end().local + (to.end().local - from.end().local);
    EventTime::new(to.zone().clone(), start, end.max(start), to.all_day())
}
