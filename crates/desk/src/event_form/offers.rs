//! The records that the form of an event offers for its fields.

use app::{AppError, event::EventView};
use domain::{
    Category, Event, EventId, Venue,
    event::{EventFilter, SeriesListing},
    index::not_over,
    place::PlaceFilter,
    policy::Capability,
    term::TermFilter,
};

use super::{read::key, values::Values};
use crate::request::DeskRequest;

/// A choice of the form.
#[derive(Debug)]
pub(crate) struct Choice {
    pub(crate) value: String,
    pub(crate) text: String,
    pub(crate) is_chosen: bool,
}

/// The choices of a form.
#[derive(Debug)]
pub(super) struct Offers {
    pub(super) categories: Vec<Choice>,
    /// The names of venues.
    pub(super) venues: Vec<String>,
    /// The coming events, each with its number.
    pub(super) parents: Vec<String>,
    /// All users, for a person who may give an event to another one.
    pub(super) authors: Vec<Choice>,
}

impl Offers {
    /// The choices for an event with these values.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub(super) async fn load(
        request: &DeskRequest,
        values: &Values,
        view: Option<&EventView>,
    ) -> Result<Self, AppError> {
        Ok(Self {
            categories: categories(request, values, view).await?,
            venues: venues(request).await?,
            parents: parents(request, view).await?,
            authors: authors(request, values, view).await?,
        })
    }
}

async fn categories(
    request: &DeskRequest,
    values: &Values,
    view: Option<&EventView>,
) -> Result<Vec<Choice>, AppError> {
    let offered = request.first::<Category>(TermFilter::default()).await?;
    // A category of the event is a choice, whatever the number of categories.
    let of_event = view.into_iter().flat_map(|view| &view.categories);
    let of_event = of_event.map(|category| &category.term);
    let of_event = of_event.filter(|own| offered.iter().all(|one| one.term.id != own.id));
    let categories = offered.iter().map(|one| &one.term).chain(of_event);
    let categories = categories.map(|term| {
        let value = term.id.to_string();
        Choice {
            is_chosen: values.has_category(&value),
            text: term.name.as_str().to_owned(),
            value,
        }
    });
    Ok(categories.collect())
}

async fn venues(request: &DeskRequest) -> Result<Vec<String>, AppError> {
    let venues = request
        .first::<Venue>(PlaceFilter::default())
        .await?
        .into_iter();
    Ok(venues
        .map(|view| view.entry.title.as_str().to_owned())
        .collect())
}

async fn parents(request: &DeskRequest, view: Option<&EventView>) -> Result<Vec<String>, AppError> {
    let filter = EventFilter {
        window: not_over(request.state.calendar.now()),
        series: SeriesListing::First,
        ..EventFilter::default()
    };
    let own = view.and_then(|view| view.event.id);
    let events = request.first::<Event>(filter).await?.into_iter();
    let events = events.filter(|view| view.event.id != own);
    Ok(events.filter_map(|view| named(&view)).collect())
}

/// The title of an event with its number.
fn named(view: &EventView) -> Option<String> {
    Some(format!("{} #{}", view.event.title.as_str(), view.event.id?))
}

/// The parent of an event, by its title and number; none if the person may not read it.
///
/// # Errors
///
/// If the store cannot answer.
pub(super) async fn parent(request: &DeskRequest, id: EventId) -> Result<Option<String>, AppError> {
    let calendar = &request.state.calendar;
    let options = request.options();
    let parent = calendar.get(request.caller(), key(id.get()), &options);
    match parent.await {
        Ok(view) => Ok(named(&view)),
        Err(AppError::NotFound(_) | AppError::Forbidden) => Ok(None),
        Err(error) => Err(error),
    }
}

async fn authors(
    request: &DeskRequest,
    values: &Values,
    view: Option<&EventView>,
) -> Result<Vec<Choice>, AppError> {
    if !request.caller().can(Capability::EditOthers) {
        return Ok(Vec::new());
    }
    let own = view.map_or(request.user.id, |view| view.event.author);
    let chosen = match values.get("author") {
        "" => own.to_string(),
        sent => sent.to_owned(),
    };
    let names = request.state.accounts.names().await?.into_iter();
    let mut choices: Vec<_> = names
        .map(|(id, name)| Choice {
            is_chosen: id.to_string() == chosen,
            value: id.to_string(),
            text: name.as_str().to_owned(),
        })
        .collect();
    choices.sort_unstable_by(|one, other| one.text.cmp(&other.text));
    Ok(choices)
}
