//! The filters of lists of venues and organizers.

use domain::{
    Entry, EventId, FieldName, place::PlaceFilter, query::Statuses, search::FieldSearch, slug::Slug,
};

use super::Place;
use crate::{
    entry::readable_event, error::AppError, ports::Repositories, request::Request,
    resource::among_slugs,
};

/// The filters of a list of venues or organizers, whose links are not looked up yet.
#[derive(Clone, Debug, Default)]
pub struct PlaceQuery {
    /// Statuses; `None` for all that the caller may see.
    pub statuses: Statuses,
    /// Words.
    pub search: Option<FieldSearch>,
    /// Slugs to which the list is restricted.
    pub slugs: Option<Vec<Slug>>,
    /// The event whose places are listed.
    pub event: Option<EventId>,
    /// Whether events name the place.
    pub has_events: Option<bool>,
    /// Whether events to come name the place; `false` restricts nothing.
    pub only_with_upcoming: bool,
}

impl PlaceQuery {
    /// See [`Resource::look_up`](crate::resource::Resource::look_up).
    pub(super) async fn look_up<D: Place>(
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
                let event = readable_event(FieldName::Event, id, request, repositories).await?;
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
