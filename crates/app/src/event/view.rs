//! Events with the related data of their answers.

use std::{
    borrow::Cow,
    collections::{BTreeSet, HashMap},
    hash::Hash,
    sync::Arc,
};

use domain::{
    Entry, Event, EventId, Id, Image, Language, OrganizerDetails, Status, Stored, VenueDetails,
    entry::EntryId,
    event::{Repetition, Series, SlotChanges},
    policy::{Guarded, Visibility},
    term::{Categories, Tags},
    text::fold,
    time::{Moment, Timestamp},
};

use crate::{
    error::AppError,
    fault::Warning,
    hashing,
    image::{self, ImageViews},
    place::{Place, PlaceView},
    ports::{RelatedIds, RelatedRecords, Repositories, TermWithCount},
    resource::Located,
    term::{self, TermKind, TermView},
};

/// An event as an answer shows it.
///
/// ```
/// use events_calendar_app::{event::EventView, write::{NewEvent, NewVenue}};
/// use domain::{Status, text::Title, time::{EventTime, Zone, parse_civil}};
/// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
/// # use domain::Role;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = InMemoryStore::new();
/// # let editor = add_user(&store, "ada", Role::Editor).await;
/// # let calendar = calendar(store).await;
/// # let nine = parse_civil("2030-03-10 09:00:00").unwrap();
/// # let when = EventTime::new(Zone::utc(), nine, nine, false)?;
///
/// let mill = NewVenue::builder("Old Mill".parse()?).build();
/// let fair = NewEvent::builder("Fair".parse()?, when).venue(mill).tags(["Loud".parse::<Title>()?]);
/// let view: EventView = calendar.create(editor, &fair.build()).await?;
/// assert_eq!((view.status, view.open), (Status::Publish, true));
/// assert_eq!(view.uid_digest().len(), 64);
/// assert_eq!(view.last_change(), view.event.modified);
/// assert!(view.uid().ends_with("@localhost"));
/// assert_eq!(view.venue.unwrap().entry.title.as_str(), "Old Mill");
/// assert_eq!(view.tags[0].count, 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct EventView {
    /// The event, localized to `language`. A series has the neighbours that the caller may know of.
    pub event: Located<Event>,
    /// The language of the answer.
    pub language: Language,
    /// Its status at the time of the answer.
    pub status: Status,
    /// Whether its content is open to the caller.
    pub open: bool,
    /// The start before it was moved, if its content is open and readers learn of the move.
    pub previous_start: Option<Moment>,
    /// Its categories, by name.
    pub categories: Vec<Arc<TermView<Categories>>>,
    /// Its tags, by name.
    pub tags: Vec<Arc<TermView<Tags>>>,
    /// Its venue, if the caller may see it.
    pub venue: Option<Arc<PlaceView<VenueDetails>>>,
    /// Its image.
    pub image: Option<Arc<Stored<Image>>>,
    /// Its organizers that the caller may see, in the order of the event.
    pub organizers: Vec<Arc<PlaceView<OrganizerDetails>>>,
    /// Its parent, if the caller may see it.
    pub parent: Option<EventId>,
    /// The series of an occurrence, localized as the event.
    pub series: Option<Arc<Stored<Event>>>,
    /// The time at which it was verified last, if the caller may change it. That of its series for an occurrence.
    pub verified_at: Option<Timestamp>,
    /// The effect of the answered write on the slots of the series.
    pub changes: Option<SlotChanges>,
    /// The values of the answered write that had no effect.
    pub warnings: Vec<Warning>,
}

impl EventView {
    /// See [`Resource::load`](crate::resource::Resource::load).
    pub(super) async fn load(
        events: Vec<Located<Event>>,
        visibility: &Visibility,
        repositories: &dyn Repositories,
    ) -> Result<Vec<Self>, AppError> {
        let details = || events.iter().map(|event| &event.details);
        let ids = RelatedIds {
            categories: distinct(details().flat_map(|one| &one.categories)),
            tags: distinct(details().flat_map(|one| &one.tags)),
            venues: distinct(details().flat_map(|one| &one.venue)),
            organizers: distinct(details().flat_map(|one| &one.organizers)),
        };
        let RelatedRecords {
            categories,
            tags,
            venues,
            organizers,
        } = repositories
            .events()
            .load_related(&ids, visibility.now)
            .await?;
        let categories = terms(&ids.categories, categories, visibility.language);
        let tags = terms(&ids.tags, tags, visibility.language);
        let (venues, organizers) = (linked(venues, visibility), linked(organizers, visibility));
        let parents = distinct(details().flat_map(|one| &one.parent));
        let parents = if parents.is_empty() {
            parents
        } else {
            repositories
                .events()
                .linkable_ids(&parents, visibility)
                .await?
        };
        let series = events
            .iter()
            .filter_map(|event| Some(event.occurrence()?.series));
        let neighbours = events.iter().filter_map(|event| event.series());
        let neighbours = neighbours.flat_map(Series::neighbours);
        let series: Vec<_> = series.chain(neighbours).collect();
        let series = distinct(series.iter());
        let series = repositories.events().find_many(&series).await?.into_iter();
        let series_of: HashMap<_, _> = series
            .map(|one| (one.id, Arc::new(one.localized(visibility.language))))
            .collect();
        let is_known = |id: &EventId| {
            let one = series_of.get(id);
            one.is_some_and(|one| one.is_visible(visibility))
        };
        let mut shown = image::shown(&events);
        shown.extend(image::shown(&venues));
        shown.extend(image::shown(&organizers));
        let images = image::load(shown, repositories).await?;
        let verified = verified(&events, visibility, repositories).await?;
        let venues = views(venues, visibility, &images);
        let organizers = views(organizers, visibility, &images);
        let views = events.into_iter().map(|event| {
            let verified_at = verifiable(&event, visibility);
            let mut view = Self::alone(event, visibility);
            view.verified_at = verified_at.and_then(|id| verified.get(&id).copied());
            view.event = with_neighbours(view.event, is_known);
            let series = view.event.occurrence().map(|one| one.series);
            view.series = series.and_then(|id| series_of.get(&id).cloned());
            view.image = images.of(view.event.image);
            let details = &view.event.details;
            view.categories = by_name(&details.categories, &categories);
            view.tags = by_name(&details.tags, &tags);
            view.venue = details.venue.and_then(|id| venues.get(&id).cloned());
            view.organizers = pick(&details.organizers, &organizers);
            view.parent = details.parent.filter(|id| parents.contains(id));
            view
        });
        Ok(views.collect())
    }

    /// An event without the records that it names: its own texts and times.
    pub(crate) fn alone(event: Located<Event>, visibility: &Visibility) -> Self {
        let open = visibility.opens(&event);
        Self {
            status: event.status(visibility.now),
            open,
            previous_start: event.previous_start(visibility.now).filter(|_| open),
            categories: Vec::new(),
            tags: Vec::new(),
            venue: None,
            image: None,
            organizers: Vec::new(),
            parent: None,
            series: None,
            verified_at: None,
            changes: None,
            event: event.localized(visibility.language),
            warnings: Vec::new(),
            language: visibility.language,
        }
    }

    /// The SHA-256 of the [unique identifier](Self::uid), in hexadecimal digits.
    pub fn uid_digest(&self) -> String {
        hashing::sha256_hex(&*self.uid())
    }

    /// The latest change of the event, of its series, and of the venue and the organizers shown.
    pub fn last_change(&self) -> Timestamp {
        let series = self.series.iter().map(|one| one.modified);
        let venue = self.venue.iter().map(|one| one.entry.modified);
        let organizers = self.organizers.iter().map(|one| one.entry.modified);
        let related = venue.chain(organizers).filter(|_| self.open);
        series.chain(related).fold(self.event.modified, Ord::max)
    }

    /// The unique identifier across calendars (RFC 5545, 3.8.4.7). An occurrence on its own has that of
    /// its series after its slot.
    pub fn uid(&self) -> Cow<'_, str> {
        match (self.event.occurrence(), &self.series) {
            (Some(one), Some(series)) => Cow::Owned(series.uid_at(one.slot)),
            _ => Cow::Borrowed(&self.event.details.uid),
        }
    }
}

/// The event that is verified in place of this one, if the caller may change it.
fn verifiable(event: &Located<Event>, visibility: &Visibility) -> Option<EventId> {
    let series = event.occurrence().map(|one| one.series);
    let id = series.or(event.id);
    id.filter(|_| visibility.caller.may_edit(&event.content))
}

/// The times at which events were verified, for the events that the caller may change.
async fn verified(
    events: &[Located<Event>],
    visibility: &Visibility,
    repositories: &dyn Repositories,
) -> Result<HashMap<EventId, Timestamp>, AppError> {
    let ids = events.iter().filter_map(|one| verifiable(one, visibility));
    let ids: BTreeSet<_> = ids.collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let ids: Vec<_> = ids.into_iter().collect();
    let verified = repositories.reviews().verified(&ids).await?;
    Ok(verified.into_iter().collect())
}

/// The event with the neighbours of its series that `is_known` accepts.
fn with_neighbours(
    mut event: Located<Event>,
    is_known: impl Fn(&EventId) -> bool,
) -> Located<Event> {
    if let Repetition::Series(series) = &mut event.content.details.repetition {
        series.previous = series.previous.filter(&is_known);
        series.next = series.next.filter(&is_known);
    }
    event
}

type Terms<X> = HashMap<Id<domain::Term<X>>, Arc<TermView<X>>>;
type Places<D> = HashMap<EntryId<D>, Arc<PlaceView<D>>>;

fn terms<X: TermKind>(
    ids: &[Id<domain::Term<X>>],
    found: Vec<TermWithCount<X>>,
    language: Language,
) -> Terms<X> {
    let views = term::views(ids, found, language).into_iter();
    views.map(|view| (view.term.id, Arc::new(view))).collect()
}

/// The places that the caller may see.
fn linked<D: Place>(
    mut places: Vec<Stored<Entry<D>>>,
    visibility: &Visibility,
) -> Vec<Stored<Entry<D>>> {
    places.retain(|place| place.is_linkable(visibility));
    places
}

fn views<D: Place>(
    places: Vec<Stored<Entry<D>>>,
    visibility: &Visibility,
    images: &ImageViews,
) -> Places<D> {
    let places = places.into_iter();
    places
        .map(|place| {
            (
                place.id,
                Arc::new(PlaceView::new(place, visibility, images)),
            )
        })
        .collect()
}

fn distinct<'a, T: Copy + Ord + 'a>(ids: impl Iterator<Item = &'a T>) -> Vec<T> {
    let mut ids: Vec<T> = ids.copied().collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

fn pick<K: Eq + Hash, V>(ids: &[K], from: &HashMap<K, Arc<V>>) -> Vec<Arc<V>> {
    ids.iter().filter_map(|id| from.get(id).cloned()).collect()
}

fn by_name<X: TermKind>(ids: &[Id<domain::Term<X>>], from: &Terms<X>) -> Vec<Arc<TermView<X>>> {
    let mut terms = pick(ids, from);
    terms.sort_by_cached_key(|view| (fold(view.term.name.as_str()), view.term.id));
    terms
}
