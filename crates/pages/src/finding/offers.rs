//! The records that the form offers as filters.

use std::collections::HashMap;

use app::{
    error::AppError,
    place::{Place, PlaceView},
    term::{TermKind, TermView},
};
use domain::{
    Entry, FieldName, Id, OrganizerDetails, Term, VenueDetails, page as list,
    place::PlaceFilter,
    term::{Categories, Tags, Taxonomy, TermFilter},
    text::fold,
};

use super::choices::Choices;
use crate::request::PageRequest;

/// The maximum number of choices of a filter.
const MAX_OFFERS: u64 = 100;

/// A choice of a filter.
#[derive(Clone, Debug)]
pub(super) struct Offer {
    pub(super) value: String,
    pub(super) text: String,
    /// The number of choices above it in their tree.
    pub(super) depth: usize,
}

impl Offer {
    fn new(value: impl ToString, text: &str) -> Self {
        Self {
            value: value.to_string(),
            text: text.to_owned(),
            depth: 0,
        }
    }
}

/// The choices of the filters by records.
#[derive(Debug, Default)]
pub(super) struct Offers(HashMap<FieldName, Vec<Offer>>);

impl Offers {
    /// The records that everybody can list, up to a hundred of a kind, and the chosen ones.
    pub(super) async fn load(request: &PageRequest, choices: &Choices) -> Result<Self, AppError> {
        let chosen = |filter| choices.values(filter);
        let categories = terms::<Categories>(request, &chosen(FieldName::Categories)).await?;
        let tags = terms::<Tags>(request, &chosen(FieldName::Tags)).await?;
        let venues = places::<VenueDetails>(request, &chosen(FieldName::Venue)).await?;
        let organizers = places::<OrganizerDetails>(request, &chosen(FieldName::Organizer)).await?;
        let mut cities: Vec<_> = venues
            .iter()
            .map(|view| view.entry.details.city.as_str())
            .chain(chosen(FieldName::City))
            .filter(|city| !city.is_empty())
            .map(|city| Offer::new(city, city))
            .collect();
        sort(&mut cities);
        cities.dedup_by_key(|city| fold(&city.text));
        let tags = tags.iter();
        let tags = tags.map(|view| Offer::new(view.term.id, view.term.name.as_str()));
        Ok(Self(HashMap::from([
            (FieldName::Categories, tree(&categories)),
            (FieldName::Tags, tags.collect()),
            (FieldName::Venue, titles(&venues)),
            (FieldName::City, cities),
            (FieldName::Organizer, titles(&organizers)),
        ])))
    }

    /// The choices of a filter.
    pub(super) fn of(&self, filter: FieldName) -> &[Offer] {
        self.0.get(&filter).map_or(&[], Vec::as_slice)
    }
}

/// Venues or organizers, by title.
fn titles<D: Place>(places: &[PlaceView<D>]) -> Vec<Offer> {
    let offers = places.iter();
    let offers = offers.map(|view| Offer::new(view.entry.id, view.entry.title.as_str()));
    let mut offers: Vec<_> = offers.collect();
    sort(&mut offers);
    offers
}

fn sort(offers: &mut [Offer]) {
    offers.sort_by_cached_key(|offer| (fold(&offer.text), offer.value.clone()));
}

fn first_page() -> list::PageRequest {
    list::PageRequest::new(1, MAX_OFFERS, u32::MAX)
}

/// The chosen IDs that were not found; none if there are none.
fn missing<R>(chosen: &[&str], found: impl Iterator<Item = Id<R>>) -> Option<Vec<Id<R>>> {
    let chosen = chosen.iter().filter_map(|id| id.parse().ok());
    let mut missing: Vec<_> = chosen.map(Id::from_raw).collect();
    for id in found {
        missing.retain(|one| *one != id);
    }
    (!missing.is_empty()).then_some(missing)
}

async fn terms<X: TermKind>(
    request: &PageRequest,
    chosen: &[&str],
) -> Result<Vec<TermView<X>>, AppError> {
    let all = TermFilter::default();
    let mut found = request.list::<Term<X>>(all, first_page()).await?.rows;
    if let Some(missing) = missing(chosen, found.iter().map(|view| view.term.id)) {
        let filter = TermFilter {
            include: Some(missing),
            ..TermFilter::default()
        };
        found.extend(request.list::<Term<X>>(filter, first_page()).await?.rows);
    }
    Ok(found)
}

/// Terms below those above them, with their depth.
fn tree<X: Taxonomy>(terms: &[TermView<X>]) -> Vec<Offer> {
    let is_found = |id: Id<Term<X>>| terms.iter().any(|view| view.term.id == id);
    let above = |view: &TermView<X>| view.term.parent.filter(|parent| is_found(*parent));
    let children = |parent: Option<Id<Term<X>>>| {
        let children = terms.iter().filter(move |view| above(view) == parent);
        children.collect::<Vec<_>>().into_iter().rev()
    };
    let mut offers = Vec::new();
    let mut waiting: Vec<_> = children(None).map(|view| (view, 0)).collect();
    while let Some((view, depth)) = waiting.pop() {
        offers.push(Offer {
            depth,
            ..Offer::new(view.term.id, view.term.name.as_str())
        });
        waiting.extend(children(Some(view.term.id)).map(|view| (view, depth + 1)));
    }
    offers
}

/// Venues or organizers.
async fn places<D: Place>(
    request: &PageRequest,
    chosen: &[&str],
) -> Result<Vec<PlaceView<D>>, AppError> {
    let all = PlaceFilter::default();
    let mut found = request.list::<Entry<D>>(all, first_page()).await?.rows;
    if let Some(missing) = missing(chosen, found.iter().map(|view| view.entry.id)) {
        let filter = PlaceFilter {
            include: Some(missing),
            ..PlaceFilter::default()
        };
        found.extend(request.list::<Entry<D>>(filter, first_page()).await?.rows);
    }
    Ok(found)
}
