//! The venues, organizers, categories and tags that an event names.

use domain::{
    Entry, EventId, FieldName, Id, Kind, Language, OrganizerDetails, Record as _, Stored, Term,
    VenueDetails,
    policy::{Capability, Guarded},
    text::{Title, fold},
    web_url::WebUrl,
};

use crate::{
    entry::{EntryFields, EntryWrite, new_entry},
    error::AppError,
    fault::{Fault, FaultCollector, Warning},
    place::{Place, PlaceWrite},
    ports::Repositories,
    request::Request,
    resource::{Resource as _, writes},
    term::{TermKind, TermWrite, find_by_name_or_slug},
};

/// The reference of an event to a category or a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TermRef {
    /// By ID.
    Id(i64),
    /// By digits: the term with this ID, else the one with this name or slug.
    Digits {
        /// The ID.
        id: i64,
        /// The digits as a name.
        name: Title,
        /// Whether an unknown term is created, as for a name.
        creates: bool,
    },
    /// By name or slug; an unknown term is created, if the caller may create such terms.
    Name(Title),
    /// A text without a name in it, such as markup alone.
    Nameless(String),
}

impl TermRef {
    fn id<R>(&self) -> Option<Id<R>> {
        match self {
            Self::Id(id) | Self::Digits { id, .. } => Some(Id::from_raw(*id)),
            Self::Name(_) | Self::Nameless(_) => None,
        }
    }

    fn name(&self) -> Option<&Title> {
        match self {
            Self::Id(_) | Self::Nameless(_) => None,
            Self::Digits { name, .. } | Self::Name(name) => Some(name),
        }
    }

    /// The name of the term to create if there is none.
    fn new_name(&self) -> Option<&Title> {
        let creates = !matches!(self, Self::Digits { creates: false, .. });
        self.name().filter(|_| creates)
    }

    /// The reference as text.
    fn text(&self) -> String {
        match self {
            Self::Id(id) => id.to_string(),
            Self::Nameless(text) => text.clone(),
            Self::Digits { name, .. } | Self::Name(name) => name.as_str().to_owned(),
        }
    }

    /// The reason why the reference links no term, if there is none to link.
    fn fault(&self, kind: Kind) -> Fault {
        match self {
            Self::Nameless(_) => Fault::Empty,
            _ if self.new_name().is_some() => Fault::RequiresCapability(Capability::Write(kind)),
            _ => Fault::unknown(kind),
        }
    }
}

/// The reference of an event to its venue.
pub type VenueRef = PlaceRef<VenueDetails>;

/// The reference of an event to an organizer.
pub type OrganizerRef = PlaceRef<OrganizerDetails>;

/// The reference of an event to a venue or an organizer.
#[derive(Clone, Debug)]
pub enum PlaceRef<D: Place> {
    /// By ID.
    Id(i64),
    /// By fields: a matching record is used, or else a new one is created.
    New(Box<PlaceWrite<D>>),
}

impl<D: Place> PlaceRef<D> {
    fn fields(&self) -> Option<&PlaceWrite<D>> {
        match self {
            Self::Id(_) => None,
            Self::New(fields) => Some(fields),
        }
    }

    /// Parses the texts of a record that is given in full.
    pub(super) fn parse_html(&mut self, field: FieldName, faults: &mut FaultCollector) {
        let Self::New(changes) = self else { return };
        let mut inline = FaultCollector::default();
        changes.shared.parse_html(&mut inline);
        if let Err(cause) = inline.finish() {
            let kind = D::KIND;
            faults.fault(field, Fault::Inline { kind, cause });
        }
    }

    /// The URL of an image to fetch.
    pub(super) fn image_url(&self) -> Option<&WebUrl> {
        match self {
            Self::Id(_) => None,
            Self::New(changes) => changes.shared.image_url(),
        }
    }
}

/// The IDs of the referenced terms, without repetition; missing terms are created.
pub(super) async fn resolve_terms<X: TermKind>(
    terms: Vec<TermRef>,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Vec<Id<Term<X>>>, AppError> {
    let repository = X::repository(unit);
    let ids_sent: Vec<_> = terms.iter().filter_map(TermRef::id).collect();
    let with_id = repository.find_many(&ids_sent).await?;
    let mut ids: Vec<_> = terms.iter().map(TermRef::id).collect();
    for id in &mut ids {
        *id = id.filter(|id| with_id.iter().any(|term| term.id == *id));
    }
    let left = ids.iter_mut().zip(&terms).filter(|(id, _)| id.is_none());
    let (left, names): (Vec<_>, Vec<_>) = left
        .filter_map(|(id, term)| Some((id, term.name()?.as_str())))
        .unzip();
    let found = find_by_name_or_slug::<X>(&names, unit).await?;
    for (id, found) in left.into_iter().zip(found) {
        *id = found;
    }
    let missing = ids.iter_mut().zip(&terms).filter(|(id, _)| id.is_none());
    let missing: Vec<_> = missing
        .filter_map(|(id, term)| Some((id, term.new_name()?)))
        .collect();
    let collection = request.caller.within(X::KIND);
    if !missing.is_empty() && collection != request.caller {
        return Err(AppError::Forbidden);
    }
    if collection.can(Capability::Write(X::KIND)) {
        let names: Vec<_> = missing
            .iter()
            .map(|(_, name)| fold(name.as_str()))
            .collect();
        repository.lock_names(&names).await?;
        for (id, name) in missing {
            *id = Some(find_or_make_term::<X>(name, request, unit).await?);
        }
    }
    for (_, term) in ids.iter().zip(&terms).filter(|(id, _)| id.is_none()) {
        request.warn(Warning {
            field: X::FIELD,
            value: term.text(),
            fault: term.fault(X::KIND),
        });
    }
    Ok(distinct(ids))
}

/// The folded names of the terms referenced by name.
pub(super) fn folded_terms(terms: Option<&[TermRef]>) -> Vec<String> {
    let names = terms.unwrap_or_default().iter().filter_map(TermRef::name);
    names.map(|name| fold(name.as_str())).collect()
}

/// The IDs of the terms referenced by ID.
pub(super) fn term_ids<R>(terms: Option<&[TermRef]>) -> Vec<Id<R>> {
    let terms = terms.unwrap_or_default().iter();
    terms.filter_map(TermRef::id).collect()
}

/// The folded names of the places given by fields.
pub(super) fn folded_places<D: Place>(places: &[PlaceRef<D>]) -> Vec<String> {
    let fields = places.iter().filter_map(PlaceRef::fields);
    fields.filter_map(|write| folded(&write.shared)).collect()
}

/// The IDs of the places given by ID.
pub(super) fn place_ids<D: Place>(places: &[PlaceRef<D>]) -> Vec<Id<Entry<D>>> {
    let ids = places.iter().filter_map(|place| match place {
        PlaceRef::Id(id) => Some(Id::from_raw(*id)),
        PlaceRef::New(_) => None,
    });
    ids.collect()
}

/// The IDs that are present, without repetition.
fn distinct<R>(ids: Vec<Option<Id<R>>>) -> Vec<Id<R>> {
    let mut distinct = Vec::with_capacity(ids.len());
    for id in ids.into_iter().flatten() {
        if !distinct.contains(&id) {
            distinct.push(id);
        }
    }
    distinct
}

/// The term with this name; if there is none, a new one. A concurrent request may just have added
/// it, or the same event may have named it in another spelling.
async fn find_or_make_term<X: TermKind>(
    name: &Title,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Id<Term<X>>, AppError> {
    let found = find_by_name_or_slug::<X>(&[name.as_str()], unit).await?;
    if let [Some(id)] = found[..] {
        return Ok(id);
    }
    let named = TermWrite::<X>::named(name.clone());
    let (content, slugs) = Term::new_content(named, request, unit).await?;
    Ok(writes::insert(content, slugs, request, unit).await?.id)
}

/// Reports a parent that the caller may not see, and a parent that is the event itself or a
/// descendant of it.
pub(crate) async fn check_parent(
    field: FieldName,
    parent: EventId,
    event: Option<EventId>,
    request: &Request<'_>,
    unit: &dyn Repositories,
    faults: &mut FaultCollector,
) -> Result<(), AppError> {
    let known = unit
        .events()
        .linkable_ids(&[parent], &request.visibility())
        .await?;
    if known.is_empty() {
        faults.fault(field, Fault::unknown(Kind::Event));
    } else if let Some(event) = event {
        let above = unit.events().ancestors(parent).await?;
        let found = unit.events().find_many(&above).await?;
        let is_part = |above: &Stored<domain::Event>| {
            above.occurrence().is_some_and(|one| one.series == event)
        };
        if above.contains(&event) || found.iter().any(is_part) {
            faults.fault(field, Fault::CircularParent(Kind::Event));
        }
    }
    Ok(())
}

/// The IDs of the referenced places, without repetition; missing ones are reported.
pub(super) async fn resolve_places<D: Place>(
    places: Vec<PlaceRef<D>>,
    field: FieldName,
    request: &Request<'_>,
    unit: &dyn Repositories,
    faults: &mut FaultCollector,
) -> Result<Vec<Id<Entry<D>>>, AppError> {
    let inline: Vec<_> = places.iter().filter_map(PlaceRef::fields).collect();
    let names: Vec<_> = inline
        .iter()
        .filter_map(|write| folded(&write.shared))
        .collect();
    let repository = D::repository(unit);
    let candidates = repository.find_named(&names).await?;
    let missing: Vec<_> = inline
        .iter()
        .filter(|write| fitting(&candidates, write, request).is_none())
        .filter_map(|write| folded(&write.shared))
        .collect();
    repository.lock_names(&missing).await?;
    let mut ids = Vec::with_capacity(places.len());
    for place in places {
        ids.push(resolve_place::<D>(place, field, request, unit, faults).await?);
    }
    Ok(distinct(ids))
}

/// The links of a field after a write: the present links, if the links sent are what the caller
/// may see of them. A link that a response left out is not removed when the response is sent back.
pub(super) async fn with_hidden<D: Place>(
    sent: Vec<Id<Entry<D>>>,
    present: &[Id<Entry<D>>],
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Vec<Id<Entry<D>>>, AppError> {
    let is_part = sent.len() < present.len() && sent.iter().all(|id| present.contains(id));
    if !is_part {
        return Ok(sent);
    }
    let found = D::repository(unit).find_many(present).await?;
    let visibility = request.visibility();
    let is_shown = |id: &&Id<Entry<D>>| {
        let mut found = found.iter();
        found.any(|place| place.id == **id && place.is_linkable(&visibility))
    };
    let shown: Vec<_> = present.iter().filter(is_shown).copied().collect();
    Ok(if sent == shown {
        present.to_vec()
    } else {
        sent
    })
}

/// The terms of an event after a write: in their present order if no other ones were sent.
pub(super) fn in_order<R>(sent: Vec<Id<R>>, present: Option<&[Id<R>]>) -> Vec<Id<R>> {
    let is_same = |present: &&[Id<R>]| {
        present.len() == sent.len() && sent.iter().all(|id| present.contains(id))
    };
    match present.filter(is_same) {
        Some(present) => present.to_vec(),
        None => sent,
    }
}

/// The folded name of a record given by its fields.
fn folded(fields: &EntryFields) -> Option<String> {
    fields.new_title().map(|title| fold(title.as_str()))
}

async fn resolve_place<D: Place>(
    place: PlaceRef<D>,
    field: FieldName,
    request: &Request<'_>,
    unit: &dyn Repositories,
    faults: &mut FaultCollector,
) -> Result<Option<Id<Entry<D>>>, AppError> {
    match place {
        PlaceRef::Id(number) => {
            let found = D::repository(unit).find(Id::from_raw(number)).await?;
            let usable = found.filter(|place| place.is_linkable(&request.visibility()));
            if usable.is_none() {
                faults.fault(field, Fault::unknown(D::KIND));
            }
            Ok(usable.map(|place| place.id))
        }
        PlaceRef::New(mut write) => {
            let mut inline = FaultCollector::default();
            write.shared.authorize(request.caller, D::KIND, None)?;
            write
                .shared
                .check(D::KIND, request, unit, &mut inline)
                .await?;
            if let Err(cause) = inline.finish() {
                let kind = D::KIND;
                faults.fault(field, Fault::Inline { kind, cause });
                return Ok(None);
            }
            find_or_make::<D>(*write, request, unit).await.map(Some)
        }
    }
}

/// The place with that name, first by its original name, then by translated names, that contradicts
/// no field that was sent.
fn fitting<D: Place>(
    named: &[Stored<Entry<D>>],
    EntryWrite { shared, own }: &PlaceWrite<D>,
    request: &Request<'_>,
) -> Option<Id<Entry<D>>> {
    let visibility = request.visibility();
    let name = shared.new_title()?.as_str().to_lowercase();
    let description = shared.description.as_ref().filter(|text| !text.is_empty());
    let says = |place: &Entry<D>| {
        description.is_none_or(|text| *text == place.description) && place.details.fits(own)
    };
    let is_name = |title: &Title| title.as_str().to_lowercase() == name;
    let fits = |place: &&Stored<Entry<D>>| {
        // An importer sends the same fields again, whichever language the stored place and the name
        // have.
        let translated = |language| place.translations.get(language)?.title.as_ref();
        let is_read = |language: &Language| {
            *language == request.language() || translated(*language).is_some_and(is_name)
        };
        let shown = || {
            let languages = Language::ALL.into_iter().filter(is_read);
            languages.map(|language| place.content.clone().localized(language))
        };
        place.is_linkable(&visibility)
            && shared.image_fits(place.image)
            && (says(place) || shown().any(|place| says(&place)))
    };
    let original = named.iter().filter(|place| is_name(&place.title));
    let any = named.iter().filter(|place| place.titles().any(is_name));
    original.chain(any).find(fits).map(|place| place.id)
}

/// The matching place, which a concurrent request may just have added; if there is none, a new one.
async fn find_or_make<D: Place>(
    write: PlaceWrite<D>,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Id<Entry<D>>, AppError> {
    let (Some(title), Some(user)) = (write.shared.new_title().cloned(), request.caller.user())
    else {
        return Err(AppError::Unauthenticated);
    };
    let repository = D::repository(unit);
    let named = repository.find_named(&[fold(title.as_str())]).await?;
    if let Some(id) = fitting(&named, &write, request) {
        return Ok(id);
    }
    if !request.caller.can(Capability::Write(D::KIND)) {
        return Err(AppError::Forbidden);
    }
    let EntryWrite { shared, own } = write;
    let mut entry = new_entry(user, title, D::default().changed(own), request);
    let slugs = shared.apply(&mut entry, true, None, request);
    Ok(writes::insert(entry, slugs, request, unit).await?.id)
}
