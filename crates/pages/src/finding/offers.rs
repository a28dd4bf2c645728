//! The records that the form offers as filters.

use std::collections::{BTreeMap, HashMap};

use app::{calendar::Tallied, error::AppError, place::Place, term::TermKind};
use domain::{
    Entry, FieldName, Id, Stored, Term,
    entry::Details,
    page as list,
    place::PlaceFilter,
    term::{Taxonomy, TermFilter},
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
    fn new(value: &impl ToString, text: &str) -> Self {
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
        let records = Tallied {
            categories: terms(request, &chosen(FieldName::Categories)).await?,
            tags: terms(request, &chosen(FieldName::Tags)).await?,
            venues: places(request, &chosen(FieldName::Venue)).await?,
            organizers: places(request, &chosen(FieldName::Organizer)).await?,
            tallies: Vec::new(),
        };
        Ok(Self::of_records(records, choices))
    }

    /// The choices of these records.
    pub(super) fn of_records(mut records: Tallied, choices: &Choices) -> Self {
        let cities = records.venues.iter();
        let cities = cities.map(|venue| venue.details.city.as_str());
        let cities = cities.chain(choices.values(FieldName::City));
        let cities = cities.filter(|city| !city.is_empty());
        // A city has one choice: its first spelling in the order of bytes.
        let mut by_key = BTreeMap::new();
        for city in cities {
            let shown = by_key.entry(fold(city)).or_insert(city);
            *shown = city.min(*shown);
        }
        let cities = by_key.values().map(|city| Offer::new(city, city));
        let tags = records.tags.iter();
        let tags = sorted(tags.map(|tag| Offer::new(&tag.id, tag.name.as_str())));
        let categories = &mut records.categories;
        categories.sort_by_cached_key(|one| (fold(one.name.as_str()), one.id));
        Self(HashMap::from([
            (FieldName::Categories, tree(categories)),
            (FieldName::Tags, tags),
            (FieldName::Venue, titles(&records.venues)),
            (FieldName::City, cities.collect()),
            (FieldName::Organizer, titles(&records.organizers)),
        ]))
    }

    /// The choices of a filter.
    pub(super) fn of(&self, filter: FieldName) -> &[Offer] {
        self.0.get(&filter).map_or(&[], Vec::as_slice)
    }
}

/// Venues or organizers, by title.
fn titles<D: Details>(places: &[Stored<Entry<D>>]) -> Vec<Offer> {
    let offers = places.iter();
    sorted(offers.map(|place| Offer::new(&place.id, place.title.as_str())))
}

fn sorted(offers: impl Iterator<Item = Offer>) -> Vec<Offer> {
    let mut offers: Vec<_> = offers.collect();
    offers.sort_by_cached_key(|offer| (fold(&offer.text), offer.value.clone()));
    offers
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
) -> Result<Vec<Stored<Term<X>>>, AppError> {
    let all = TermFilter::default();
    let mut found = request.list::<Term<X>>(all, first_page()).await?.rows;
    if let Some(missing) = missing(chosen, found.iter().map(|view| view.term.id)) {
        let filter = TermFilter {
            include: Some(missing),
            ..TermFilter::default()
        };
        found.extend(request.list::<Term<X>>(filter, first_page()).await?.rows);
    }
    Ok(found.into_iter().map(|view| view.term).collect())
}

/// Terms below those above them, with their depth.
fn tree<X: Taxonomy>(terms: &[Stored<Term<X>>]) -> Vec<Offer> {
    let is_found = |id: Id<Term<X>>| terms.iter().any(|term| term.id == id);
    let above = |term: &Stored<Term<X>>| term.parent.filter(|parent| is_found(*parent));
    let children = |parent: Option<Id<Term<X>>>| {
        let children = terms.iter().filter(move |term| above(term) == parent);
        children.collect::<Vec<_>>().into_iter().rev()
    };
    let mut offers = Vec::new();
    let mut waiting: Vec<_> = children(None).map(|term| (term, 0)).collect();
    while let Some((term, depth)) = waiting.pop() {
        offers.push(Offer {
            depth,
            ..Offer::new(&term.id, term.name.as_str())
        });
        waiting.extend(children(Some(term.id)).map(|term| (term, depth + 1)));
    }
    offers
}

/// Venues or organizers.
async fn places<D: Place>(
    request: &PageRequest,
    chosen: &[&str],
) -> Result<Vec<Stored<Entry<D>>>, AppError> {
    let all = PlaceFilter::default();
    let mut found = request.list::<Entry<D>>(all, first_page()).await?.rows;
    if let Some(missing) = missing(chosen, found.iter().map(|view| view.entry.id)) {
        let filter = PlaceFilter {
            include: Some(missing),
            ..PlaceFilter::default()
        };
        found.extend(request.list::<Entry<D>>(filter, first_page()).await?.rows);
    }
    Ok(found.into_iter().map(|view| view.entry).collect())
}
