//! Series and occurrences by ID, slug and date.

use domain::{
    Event, EventId, Language, Record as _, Stored,
    policy::{Guarded as _, Visibility},
    recurrence::{DateValue, Recurrence, Slot},
    slug::Slug,
};

use crate::{
    error::AppError,
    ports::{Repositories, StoreError},
    request::RecordKey,
    resource::{self, Located},
};

/// The event of a key; locked, with its series, if it is to be changed.
pub(in super::super) async fn locate(
    repositories: &dyn Repositories,
    key: &RecordKey<Event>,
    for_update: bool,
) -> Result<Option<Located<Event>>, AppError> {
    match key {
        RecordKey::Slot(id, date) => {
            let Some(series) = series(repositories, *id, for_update).await? else {
                return Ok(None);
            };
            let slot = series.series().and_then(|one| one.recurrence.find(*date));
            match slot {
                Some(slot) => at_slot(repositories, &series, slot, for_update).await,
                None => left_at(repositories, &series, *date).await,
            }
        }
        RecordKey::Slug(slug) if slug.series_and_label().is_some() => {
            by_slug(repositories, slug, for_update).await
        }
        key => resource::locate(repositories, key, for_update).await,
    }
}

/// Most halves of series that a former slug passes.
const MAX_SPLITS: usize = 100;

/// The event outside the trash to which a slug leads that no event has now, with the slug's language:
/// the event that gave it up. A slug of an occurrence leads to the occurrence of that date, also if
/// the series gave up its slug or was split, or if the day has got several occurrences.
pub(in super::super) async fn locate_former(
    repositories: &dyn Repositories,
    slug: &Slug,
) -> Result<Option<(Located<Event>, Language)>, AppError> {
    let found = resource::locate_former(repositories, slug).await?;
    let named = slug.series_and_label();
    let named = named.and_then(|(series, label)| Some((series, Recurrence::date_of_label(label)?)));
    let (None, Some((of_series, date))) = (&found, named) else {
        return Ok(found);
    };
    let present = repositories.events().find_by_slug(&of_series).await?;
    let present = match present {
        Some(id) => repositories.events().find(id).await?,
        None => None,
    };
    let language = present.as_ref().and_then(|event| {
        let mut slugs = event.slugs();
        slugs.find_map(|(language, slug)| (*slug == of_series).then_some(language))
    });
    let (series, language) = match present.zip(language) {
        Some(named) => named,
        None => match resource::locate_former::<Event>(repositories, &of_series).await? {
            Some((event, language)) => (event.stored()?, language),
            None => return Ok(None),
        },
    };
    let found = at_date_of_halves(repositories, series, date).await?;
    Ok(found.map(|(event, _)| (event, language)))
}

/// The occurrence outside the trash that a later half of a series has at a date, with its key in that half. A reader who
/// may not read the series learns nothing of its halves.
pub(crate) async fn locate_split(
    repositories: &dyn Repositories,
    id: EventId,
    date: DateValue,
    visibility: &Visibility,
) -> Result<Option<(Located<Event>, RecordKey<Event>)>, AppError> {
    match series(repositories, id, false).await? {
        Some(series) if series.check_readable(visibility).is_ok() => {
            at_date_of_halves(repositories, series, date).await
        }
        _ => Ok(None),
    }
}

/// The first occurrence of a date in a series or in the later halves that were split from it, unless it is in the trash.
async fn at_date_of_halves(
    repositories: &dyn Repositories,
    mut series: Stored<Event>,
    date: DateValue,
) -> Result<Option<(Located<Event>, RecordKey<Event>)>, AppError> {
    for _ in 0..MAX_SPLITS {
        let Some(own) = series.series() else { break };
        if let Some(slot) = own.recurrence.find_first(date) {
            let key = RecordKey::Slot(series.id, own.recurrence.recurrence_id(slot));
            let found = at_slot(repositories, &series, slot, false).await?;
            let found = found.filter(|event| !event.is_in_trash());
            return Ok(found.map(|event| (event, key)));
        }
        let Some(next) = own.next else { break };
        match repositories.events().find(next).await? {
            Some(next) => series = next,
            None => break,
        }
    }
    Ok(None)
}

/// The series with an ID, or the series of the occurrence with it.
async fn series(
    repositories: &dyn Repositories,
    id: EventId,
    for_update: bool,
) -> Result<Option<Stored<Event>>, AppError> {
    let events = repositories.events();
    let found = if for_update {
        events.find_for_update(id).await?
    } else {
        events.find(id).await?
    };
    match found.as_ref().and_then(|event| event.occurrence()) {
        Some(one) => Ok(events.find(one.series).await?),
        None => Ok(found),
    }
}

async fn by_slug(
    repositories: &dyn Repositories,
    slug: &Slug,
    for_update: bool,
) -> Result<Option<Located<Event>>, AppError> {
    let Some((of_series, label)) = slug.series_and_label() else {
        return Ok(None);
    };
    let Some(id) = repositories.events().find_by_slug(&of_series).await? else {
        return Ok(None);
    };
    let Some(series) = series(repositories, id, for_update).await? else {
        return Ok(None);
    };
    if for_update && !series.slugs().any(|(_, one)| *one == of_series) {
        return Err(StoreError::Conflict.into());
    }
    let label = label.trim_end_matches("__trashed");
    match series
        .series()
        .and_then(|one| one.recurrence.find_label(label))
    {
        Some(slot) => at_slot(repositories, &series, slot, for_update).await,
        None => Ok(None),
    }
}

/// The occurrence at a slot that the series has, deleted or not.
async fn at_slot(
    repositories: &dyn Repositories,
    series: &Stored<Event>,
    slot: Slot,
    for_update: bool,
) -> Result<Option<Located<Event>>, AppError> {
    if let Some(id) = repositories
        .occurrences()
        .find_slot(series.id, slot)
        .await?
    {
        let stored = repositories.events().find(id).await?;
        return Ok(stored.map(Located::from));
    }
    let Some(plain) = series.occurrence_at(slot) else {
        return Ok(None);
    };
    // A deleted slot comes back by a write.
    let is_held = series.series().is_some_and(|one| one.is_held_at(slot));
    let content = if is_held {
        Some(plain)
    } else {
        series.inherited_by(&plain, slot).filter(|_| for_update)
    };
    Ok(content.map(|content| Located {
        id: None,
        revision: series.revision,
        content,
    }))
}

/// The occurrence that is left at a slot that the series does not have any more.
async fn left_at(
    repositories: &dyn Repositories,
    series: &Stored<Event>,
    date: DateValue,
) -> Result<Option<Located<Event>>, AppError> {
    let DateValue::Local(local) = date else {
        return Ok(None);
    };
    let id = repositories
        .occurrences()
        .find_slot(series.id, Slot::new(local))
        .await?;
    match id {
        Some(id) => Ok(repositories.events().find(id).await?.map(Located::from)),
        None => Ok(None),
    }
}
