//! Former states of events.

use domain::{
    Entry, Event, FieldName, Id, Kind, OrganizerDetails, Record as _, Stored, VenueDetails,
    audit::TrailValues, event::EventDetails, policy::Guarded as _,
};

use super::{check_parent, series};
use crate::{
    error::AppError,
    fault::{BadFields, Fault, FaultCollector},
    place::Place,
    ports::{AuditEntry, Repositories},
    request::Request,
    resource::{
        Former, Located,
        former_states::{image, state_at, warn, warn_unread},
    },
};

/// An event with the fields of a former state. An occurrence has the others from its series, as it is now or was then.
pub(super) async fn former(
    present: &Located<Event>,
    values: &TrailValues,
    former: Former,
    request: &Request<'_>,
    repositories: &dyn Repositories,
) -> Result<Event, AppError> {
    let series = series_then(present, former, request, repositories).await?;
    let now = request.now;
    let restored =
        series.and_then(|series| series.restored_occurrence(&present.content, values, now));
    let (mut content, unread) = restored.unwrap_or_else(|| {
        let mut content = present.content.clone();
        let unread = content.restore_fields(values, now);
        (content, unread)
    });
    warn_unread(&unread, values, request);
    keep_links(&mut content, present, former, request, repositories).await?;
    Ok(content)
}

/// The series of an occurrence, as it is now or was then; as it is now, if the trail does not reach so far.
async fn series_then(
    present: &Event,
    when: Former,
    request: &Request<'_>,
    repositories: &dyn Repositories,
) -> Result<Option<Stored<Event>>, AppError> {
    let series = series::series_of(present, repositories).await?;
    let (Former::Shown(at), Some(series)) = (when, &series) else {
        return Ok(series);
    };
    let present = Located::from(series.clone());
    let is_it = |entry: &AuditEntry| entry.at <= at;
    let Some(state) = state_at(&present, is_it, repositories).await? else {
        return Ok(Some(series.clone()));
    };
    let then = Box::pin(former(&present, &state.values, when, request, repositories));
    let mut content = then.await?;
    content.restore_standing(&state.values, state.at);
    Ok(Some(Stored {
        content,
        ..series.clone()
    }))
}

/// Removes the links that the caller may not make.
pub(super) async fn keep_links(
    content: &mut Event,
    present: &Located<Event>,
    former: Former,
    request: &Request<'_>,
    repositories: &dyn Repositories,
) -> Result<(), AppError> {
    let (wanted, now) = (content.image, present.image);
    content.image = image(wanted, now, former, request, repositories).await?;
    let (new, old) = (&mut content.details, &present.details);
    let venues = new.venue.into_iter().collect();
    let kept = places::<VenueDetails>(venues, old.venue.as_slice(), request, repositories);
    new.venue = kept.await?.first().copied();
    let organizers = std::mem::take(&mut new.organizers);
    let kept = places::<OrganizerDetails>(organizers, &old.organizers, request, repositories);
    new.organizers = kept.await?;
    macro_rules! terms {
        ($($member:ident, $kind:ident, $field:ident);*) => {
            $(let found = repositories.$member().find_many(&new.$member).await?;
            new.$member.retain(|id| {
                let is_known = found.iter().any(|term| term.id == *id);
                if !is_known {
                    warn(FieldName::$field, id, Fault::unknown(Kind::$kind), request);
                }
                is_known
            });)*
        };
    }
    terms!(categories, Category, Categories; tags, Tag, Tags);
    keep_parent(new, old, present, request, repositories).await
}

/// The places that the event has now, or to which the caller may link.
async fn places<D: Place>(
    mut wanted: Vec<Id<Entry<D>>>,
    present: &[Id<Entry<D>>],
    request: &Request<'_>,
    repositories: &dyn Repositories,
) -> Result<Vec<Id<Entry<D>>>, AppError> {
    let new = wanted.iter().filter(|id| !present.contains(id));
    let new: Vec<_> = new.copied().collect();
    if new.is_empty() {
        return Ok(wanted);
    }
    let found = D::repository(repositories).find_many(&new).await?;
    let visibility = request.visibility();
    let linkable = |place: &&Stored<Entry<D>>| place.is_linkable(&visibility);
    let found: Vec<_> = found
        .iter()
        .filter(linkable)
        .map(|place| place.id)
        .collect();
    let field = if D::KIND == Kind::Venue {
        FieldName::Venue
    } else {
        FieldName::Organizer
    };
    wanted.retain(|id| {
        let is_known = present.contains(id) || found.contains(id);
        if !is_known {
            warn(field, id, Fault::unknown(D::KIND), request);
        }
        is_known
    });
    Ok(wanted)
}

async fn keep_parent(
    new: &mut EventDetails,
    old: &EventDetails,
    present: &Located<Event>,
    request: &Request<'_>,
    repositories: &dyn Repositories,
) -> Result<(), AppError> {
    let Some(parent) = new.parent.filter(|_| new.parent != old.parent) else {
        return Ok(());
    };
    let mut faults = FaultCollector::default();
    let field = FieldName::Parent;
    check_parent(
        field,
        parent,
        present.id,
        request,
        repositories,
        &mut faults,
    )
    .await?;
    if let Err(BadFields::Invalid(faults)) = faults.finish() {
        for (_, fault) in faults {
            warn(field, &parent, fault, request);
        }
        new.parent = None;
    }
    Ok(())
}
