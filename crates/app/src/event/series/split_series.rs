//! The split of a series, and the links between series that were split.

use std::collections::{HashMap, HashSet};

use domain::{
    Event, EventId, FieldName, Stored,
    event::{Repetition, Series, SeriesSplit},
    recurrence::{InvalidRecurrence, InvalidSplit, Recurrence, Slot},
    time::Timestamp,
};

use super::overrides::renewals;
use crate::{
    error::AppError,
    hashing::random_hex,
    ports::{OccurrenceFilter, OccurrencePlan, Repositories, SlugRequest, SlugRequests},
    request::Request,
    resource::writes,
};

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
    let second = writes::insert(content, slugs, request, unit).await?;
    let all = OccurrenceFilter::default();
    let rows = unit.occurrences().of_series(series.id, &all).await?;
    let own = rows.iter().filter(|row| row.is_override).map(|row| row.id);
    let own = unit.events().find_many(&own.collect::<Vec<_>>()).await?;
    let (kept, rest): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.slot >= at);
    let is_kept = |one: &Stored<Event>| one.occurrence().is_some_and(|one| one.slot >= at);
    let (own_kept, own_rest): (Vec<_>, Vec<_>) = own.into_iter().partition(is_kept);
    let none = HashMap::new();
    let taken_over = OccurrencePlan {
        kept: kept.iter().map(|row| (row.id, row.slot)).collect(),
        ..renewals(&second, own_kept, &none, false)
    };
    writes::apply(&second, &taken_over, request, unit).await?;
    // The first half has an end: all its occurrences are stored from now on.
    let content = split.first_before(second.id);
    let known: HashSet<Slot> = rest.iter().map(|row| row.slot).collect();
    let mut added = content.series().map_or_else(Vec::new, Series::stored_slots);
    added.retain(|slot| !known.contains(slot));
    let slugs = SlugRequests::default();
    let first = writes::update(series, content, slugs, request, unit).await?;
    let rest = OccurrencePlan {
        added,
        ..renewals(&first, own_rest, &none, false)
    };
    writes::apply(&first, &rest, request, unit).await?;
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
