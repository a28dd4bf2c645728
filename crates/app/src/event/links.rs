//! The venues, organizers, categories and tags that an event names.

use domain::{
    Entry, Id, OrganizerDetails, OrganizerId, Stored, Term, VenueDetails, VenueId,
    policy::Capability,
    text::{Title, fold},
};
use serde_json::Value;

use crate::{
    entry::{EntryChanges, new_entry},
    error::AppError,
    input::{self, Fault, Fields, Input, Named, Wanted},
    patch::Patch,
    place::{OrganizerChanges, Place, PlaceChanges, VenueChanges},
    ports::Repositories,
    resource::{Purpose, Request, Resource},
    term::{NewTerm, TermKind, find_by_name_or_slug},
};

/// How an event names a category or a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TermRef {
    /// By its number; unknown ones are ignored.
    Id(i64),
    /// By its name or slug; unknown ones are made, if the caller may make such terms.
    Name(Title),
}

impl TermRef {
    fn name(&self) -> Option<&Title> {
        match self {
            Self::Id(_) => None,
            Self::Name(name) => Some(name),
        }
    }
}

/// How an event names its venue.
pub type VenueRef = PlaceRef<VenueChanges>;

/// How an event names an organizer.
pub type OrganizerRef = PlaceRef<OrganizerChanges>;

/// How an event names a venue or an organizer.
#[derive(Clone, Debug)]
pub enum PlaceRef<C> {
    /// By its number.
    Id(i64),
    /// By its fields: one that fits is used, else one is made.
    New(Box<(EntryChanges, C)>),
}

impl<C> PlaceRef<C> {
    fn name(&self) -> Option<&Title> {
        match self {
            Self::Id(_) => None,
            Self::New(changes) => changes.0.title.as_ref(),
        }
    }
}

/// Reads a list of terms.
pub(super) fn terms(value: &Value) -> Result<Vec<TermRef>, Fault> {
    let read = |value: &Value| match value {
        Value::String(text) if !is_number(text.trim()) => match Title::parse(text) {
            Ok(name) => Ok(Some(TermRef::Name(name))),
            // Nothing is left without markup: as a blank one.
            Err(domain::text::InvalidTitle::Empty) => Ok(None),
            Err(error) => Err(Fault::Title(error)),
        },
        Value::String(_) | Value::Number(_) => Ok(Some(TermRef::Id(input::integer(value)?))),
        _ => Err(Fault::Type(Wanted::IdsAndNames)),
    };
    input::list(value)?
        .iter()
        .filter_map(|value| read(value).transpose())
        .collect()
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The IDs of the terms named, without repetition; those that do not exist are made.
pub(super) async fn resolve_terms<X: TermKind>(
    terms: Vec<TermRef>,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Vec<Id<Term<X>>>, AppError> {
    let mut ids = vec![None; terms.len()];
    for (place, term) in by_name(&terms, TermRef::name) {
        ids[place] = match term {
            TermRef::Id(number) => {
                let id = Id::from_raw(*number);
                X::repository(unit).find(id).await?.map(|term| term.id)
            }
            TermRef::Name(name) => find_by_name_or_slug::<X>(name.as_str(), unit).await?,
        };
    }
    if request.caller.can(Capability::Write(X::KIND)) {
        for (id, term) in ids.iter_mut().zip(&terms) {
            if let (None, TermRef::Name(name)) = (&id, term) {
                *id = Some(find_or_make_term::<X>(name, request, unit).await?);
            }
        }
    }
    Ok(distinct(ids))
}

/// Things in the order of their names, each with its place.
///
/// Who looks for a name keeps others from adding it. Without an order in which all look, two who
/// look for the same names would wait for each other.
fn by_name<T>(things: &[T], name: fn(&T) -> Option<&Title>) -> Vec<(usize, &T)> {
    let mut things: Vec<_> = things.iter().enumerate().collect();
    things.sort_by_cached_key(|(_, thing)| name(thing).map(|name| fold(name.as_str())));
    things
}

/// The IDs that there are, without repetition.
fn distinct<R>(ids: Vec<Option<Id<R>>>) -> Vec<Id<R>> {
    let mut distinct = Vec::with_capacity(ids.len());
    for id in ids.into_iter().flatten() {
        if !distinct.contains(&id) {
            distinct.push(id);
        }
    }
    distinct
}

/// The term of this name, which the same event may have named before in another spelling; if there
/// is none, a new one.
async fn find_or_make_term<X: TermKind>(
    name: &Title,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Id<Term<X>>, AppError> {
    if let Some(id) = find_by_name_or_slug::<X>(name.as_str(), unit).await? {
        return Ok(id);
    }
    let (content, slug) = NewTerm::<X>::named(name.clone())
        .make(request, unit)
        .await?;
    Ok(X::repository(unit).insert(content, slug).await?.id)
}

/// Reads the venue of an event: an ID, the fields of one, or a list of which the first counts.
pub(super) fn read_venue(input: &mut Input<'_>, request: &Request<'_>) -> Patch<VenueRef> {
    let Some(value) = input.raw("venue") else {
        return Patch::Keep;
    };
    let first = match value {
        Value::Array(values) => values.iter().find(|value| !is_nothing(value)),
        value => Some(value).filter(|value| !is_nothing(value)),
    };
    match first {
        None => Patch::Clear,
        Some(first) => input
            .read("venue", |_| place_ref::<VenueDetails>(first, request))
            .map_or(Patch::Keep, Patch::Set),
    }
}

/// Reads the organizers of an event: IDs, the fields of one, or a list of both.
pub(super) fn read_organizers(
    input: &mut Input<'_>,
    request: &Request<'_>,
) -> Option<Vec<OrganizerRef>> {
    input.read("organizer", |value| {
        let values = match value {
            Value::Object(_) => vec![value.clone()],
            value => input::list(value)?,
        };
        let named = values.iter().filter(|value| !is_nothing(value));
        named
            .map(|value| place_ref::<OrganizerDetails>(value, request))
            .collect()
    })
}

/// Values that stand for no link at all.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => matches!(text.trim(), "" | "0"),
        Value::Number(number) => number.as_f64() == Some(0.0),
        _ => false,
    }
}

fn place_ref<D: Place>(
    value: &Value,
    request: &Request<'_>,
) -> Result<PlaceRef<<D as Place>::Changes>, Fault> {
    let Value::Object(object) = value else {
        return input::positive(value).map(PlaceRef::Id);
    };
    if let Some(id) = object.get("id").filter(|id| !is_nothing(id)) {
        return input::positive(id).map(PlaceRef::Id);
    }
    let fields = Fields::from_body(object.clone());
    let mut input = Input::new(&fields);
    let inline = Request {
        fields: &fields,
        ..*request
    };
    let changes = <Entry<D> as Resource>::read(&mut input, &inline, Purpose::Create);
    match input.finish() {
        Ok(()) => Ok(PlaceRef::New(Box::new(changes))),
        Err(cause) => Err(Fault::Inline {
            kind: D::KIND,
            cause,
        }),
    }
}

/// The ID of the venue named; none if it does not exist, which is reported.
pub(super) async fn resolve_venue(
    venue: VenueRef,
    request: &Request<'_>,
    unit: &dyn Repositories,
    input: &mut Input<'_>,
) -> Result<Option<VenueId>, AppError> {
    resolve_place::<VenueDetails>(venue, "venue", request, unit, input).await
}

/// The IDs of the organizers named, without repetition; what does not exist is reported.
pub(super) async fn resolve_organizers(
    organizers: Vec<OrganizerRef>,
    request: &Request<'_>,
    unit: &dyn Repositories,
    input: &mut Input<'_>,
) -> Result<Vec<OrganizerId>, AppError> {
    let inline: Vec<_> = by_name(&organizers, PlaceRef::name)
        .into_iter()
        .filter_map(|(_, organizer)| organizer.name())
        .collect();
    // One alone is looked for when its turn comes.
    if inline.len() > 1 {
        for name in inline {
            let name = fold(name.as_str());
            unit.organizers().find_named(&name).await?;
        }
    }
    let mut ids = Vec::with_capacity(organizers.len());
    for organizer in organizers {
        ids.push(
            resolve_place::<OrganizerDetails>(organizer, "organizer", request, unit, input).await?,
        );
    }
    Ok(distinct(ids))
}

async fn resolve_place<D: Place>(
    place: PlaceRef<<D as Place>::Changes>,
    field: &'static str,
    request: &Request<'_>,
    unit: &dyn Repositories,
    input: &mut Input<'_>,
) -> Result<Option<Id<Entry<D>>>, AppError> {
    match place {
        PlaceRef::Id(number) => {
            let found = <D as Place>::repository(unit)
                .find(Id::from_raw(number))
                .await?;
            let usable = found.filter(|place| request.visibility().links(place));
            if usable.is_none() {
                input.fault(field, Fault::Unknown(Named::Record(D::KIND)));
            }
            Ok(usable.map(|place| place.id))
        }
        PlaceRef::New(changes) => {
            let (shared, own) = *changes;
            let fields = Fields::default();
            let mut inline = Input::new(&fields);
            shared.authorize(request.caller, None)?;
            shared.check(request.caller, unit, &mut inline).await?;
            if let Err(cause) = inline.finish() {
                let kind = D::KIND;
                input.fault(field, Fault::Inline { kind, cause });
                return Ok(None);
            }
            find_or_make::<D>(shared, own, request, unit)
                .await
                .map(Some)
        }
    }
}

/// The place of that name which contradicts nothing that was sent; if there is none, a new one.
async fn find_or_make<D: Place>(
    shared: EntryChanges,
    own: <D as Place>::Changes,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Id<Entry<D>>, AppError> {
    let (Some(title), Some(user)) = (shared.title.clone(), request.caller.user()) else {
        return Err(AppError::Unauthenticated);
    };
    let visibility = request.visibility();
    let fits = |place: &Stored<Entry<D>>| {
        let same_name = place.title.as_str().to_lowercase() == title.as_str().to_lowercase();
        let description = shared.description.as_ref().filter(|text| !text.is_empty());
        same_name
            && visibility.links(place)
            && description.is_none_or(|text| *text == place.description)
            && own.fits(&place.details)
    };
    let named = <D as Place>::repository(unit)
        .find_named(&fold(title.as_str()))
        .await?;
    if let Some(place) = named.iter().find(|place| fits(place)) {
        return Ok(place.id);
    }
    let mut entry = new_entry(user, title, own.apply_to(D::default()), request);
    let slug = shared.apply(&mut entry, request.caller, true, request.now);
    Ok(<D as Place>::repository(unit).insert(entry, slug).await?.id)
}
