//! The filters of lists of venues and organizers.

use async_trait::async_trait;
use domain::{
    Entry, EventId, place::PlaceFilter, query::Statuses, search::FieldSearch, slug::Slug,
};

use super::Place;
use crate::{
    entry::{read_event_id, read_statuses, readable_event},
    error::AppError,
    input::{self, Input},
    ports::Repositories,
    request::Request,
    resource::{FilterInput, among_slugs, read_slugs},
};

/// The filters of a list of venues or organizers, as sent.
#[derive(Clone, Debug)]
pub struct PlaceFilterInput {
    statuses: Statuses,
    search: Option<FieldSearch>,
    slugs: Option<Vec<Slug>>,
    event: Option<EventId>,
    has_events: Option<bool>,
    only_with_upcoming: bool,
}

#[async_trait]
impl<D: Place> FilterInput<Entry<D>> for PlaceFilterInput {
    fn read(input: &mut Input<'_>, request: &Request<'_>) -> Self {
        Self {
            statuses: read_statuses(input, request),
            search: input.read("search", |value| {
                let search = FieldSearch::parse(input::search(value)?);
                input::bounded(search.words.len())?;
                Ok(search)
            }),
            slugs: read_slugs(input),
            event: input.read("event", read_event_id),
            has_events: input.read("has_events", input::loose_boolean),
            only_with_upcoming: input
                .read("only_with_upcoming", input::loose_boolean)
                .unwrap_or(false),
        }
    }

    async fn look_up(
        self,
        request: &Request<'_>,
        repositories: &dyn Repositories,
    ) -> Result<PlaceFilter<D>, AppError> {
        let Self {
            statuses,
            search,
            slugs,
            event,
            has_events,
            only_with_upcoming,
        } = self;
        let of_event = match event {
            None => None,
            Some(id) => {
                let event = readable_event("event", id, request, repositories).await?;
                Some(D::of_event(&event).to_vec())
            }
        };
        let include = among_slugs::<Entry<D>>(of_event, slugs, repositories).await?;
        Ok(PlaceFilter {
            statuses,
            search,
            include,
            has_events,
            only_with_upcoming,
        })
    }
}
