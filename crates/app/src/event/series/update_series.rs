//! Updates with `scope=all` and `scope=following`.

use std::collections::{HashMap, HashSet};

use domain::{
    Event, EventId, FieldName, Stored,
    event::{Repetition, Series, SeriesSplit},
    recurrence::{InvalidRecurrence, InvalidSplit, Recurrence, Slot},
    time::{EventTime, Timestamp},
};

use super::{echoed::is_slug_of, overrides::renewals, store_series::save_series};
use crate::{
    change::Change,
    entry::EntryWrite,
    error::AppError,
    event::{EventFields, EventWrite, own_page::is_page_of},
    fault::FaultCollector,
    hashing::random_hex,
    ports::{OccurrenceFilter, OccurrencePlan, Repositories, SlugRequest, SlugRequests},
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

/// Splits a series at a slot: the second half is a new series, to which the occurrences from the slot
/// on belong. None if the slot is the first one, so that nothing remains before it.
pub(super) async fn split(
    series: &Stored<Event>,
    at: Slot,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Option<Stored<Event>>, AppError> {
    let uid = format!("{}@{}", random_hex(), request.site.host);
    let split = match SeriesSplit::at(series, at, uid, request.now) {
        Ok(split) => split,
        Err(InvalidSplit::First) => return Ok(None),
        Err(error) => return Err(AppError::invalid(FieldName::Scope, error.into())),
    };
    let all = Recurrence::MAX_SLOTS;
    if split
        .before()
        .is_some_and(|one| one.count_before(Timestamp::MAX, all + 1) > all)
    {
        let fault = InvalidRecurrence::TooManySlots;
        return Err(AppError::invalid(FieldName::Scope, fault.into()));
    }
    let mut content = split.second.clone();
    let slugs = slugs_of(&mut content);
    let second = unit.events().insert(content, slugs).await?;
    let all = OccurrenceFilter::default();
    let rows = unit.occurrences().of_series(series.id, &all).await?;
    let own = rows.iter().filter(|row| row.is_own).map(|row| row.id);
    let own = unit.events().find_many(&own.collect::<Vec<_>>()).await?;
    let (kept, rest): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.slot >= at);
    let is_kept = |one: &Stored<Event>| one.occurrence().is_some_and(|one| one.slot >= at);
    let (own_kept, own_rest): (Vec<_>, Vec<_>) = own.into_iter().partition(is_kept);
    let none = HashMap::new();
    let taken_over = OccurrencePlan {
        kept: kept.iter().map(|row| (row.id, row.slot)).collect(),
        ..renewals(&second, own_kept, &none, false)
    };
    unit.occurrences().apply(&second, &taken_over).await?;
    // The first half has an end: all its occurrences are stored from now on.
    let content = split.first_before(second.id);
    let known: HashSet<Slot> = rest.iter().map(|row| row.slot).collect();
    let mut added = content.series().map_or_else(Vec::new, Series::stored_slots);
    added.retain(|slot| !known.contains(slot));
    let first = unit
        .events()
        .update(series, content, SlugRequests::default())
        .await?;
    let rest = OccurrencePlan {
        added,
        ..renewals(&first, own_rest, &none, false)
    };
    unit.occurrences().apply(&first, &rest).await?;
    let neighbour = second.series().and_then(|second| second.next);
    link(neighbour, |series| series.previous = Some(second.id), unit).await?;
    Ok(Some(second))
}

/// Changes the links of a series that was split off, if there is one.
pub(super) async fn link(
    series: Option<EventId>,
    change: impl FnOnce(&mut Series) + Send,
    unit: &dyn Repositories,
) -> Result<(), AppError> {
    let Some(id) = series else { return Ok(()) };
    let Some(found) = unit.events().find_for_update(id).await? else {
        return Ok(());
    };
    let mut content = found.content.clone();
    if let Repetition::Series(series) = &mut content.details.repetition {
        change(series);
        unit.events()
            .update(&found, content, SlugRequests::default())
            .await?;
    }
    Ok(())
}

/// Takes the slugs from the content of a new series, and requests numbered ones.
fn slugs_of(content: &mut Event) -> SlugRequests {
    let mut slugs = SlugRequests {
        original: content.slug.take().map(SlugRequest::new),
        ..SlugRequests::default()
    };
    let translations = content.translations.iter().map(|(language, translation)| {
        let mut translation = translation.clone();
        let slug = translation.slug.take().map(SlugRequest::new);
        slugs.translations.extend(slug.map(|slug| (language, slug)));
        (language, translation)
    });
    content.translations = translations.collect();
    slugs
}
