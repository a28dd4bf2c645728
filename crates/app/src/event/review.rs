//! The review of an event: what ends with it.

use domain::{Event, EventId, Kind, Stage, Status, text::Title};

use crate::{
    change::Change,
    error::AppError,
    event::{EventWrite, PlaceRef},
    place::VenueWrite,
    ports::Repositories,
    request::Request,
    resource::Located,
};

/// An event before a change, as far as its review depends on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Review {
    id: Option<EventId>,
    stage: Stage,
}

impl Review {
    pub(super) fn of(before: &Located<Event>) -> Self {
        Self {
            id: before.id,
            stage: before.stage,
        }
    }

    /// The write that approves a proposal, with the venue that its sender wrote. Other writes stay as they are.
    pub(super) async fn with_place(
        self,
        mut write: EventWrite,
        before: &Located<Event>,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<EventWrite, AppError> {
        let status = write
            .shared
            .status
            .and_then(|wanted| request.caller.granted(Kind::Event, wanted));
        let is_published = matches!(
            status,
            Some(Status::Publish | Status::Future | Status::Private)
        );
        let has_venue = before.details.venue.is_some() || !matches!(write.own.venue, Change::Keep);
        let Some(id) = self
            .id
            .filter(|_| self.stage.awaits_decision() && is_published && !has_venue)
        else {
            return Ok(write);
        };
        let proposals = unit.reviews().proposals(&[id]).await?;
        let open = proposals.iter().find(|one| one.closed.is_none());
        if let Some(title) = open.and_then(|one| one.place.parse::<Title>().ok()) {
            let mut venue = VenueWrite::default();
            venue.shared.title = Change::Set(title);
            write.own.venue = Change::Set(PlaceRef::New(Box::new(venue)));
        }
        Ok(write)
    }

    /// Ends the remark and the proposal of an event that waits no more.
    pub(super) async fn end(
        self,
        after: Stage,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<(), AppError> {
        let Some(id) = self
            .id
            .filter(|_| self.stage.awaits_decision() && after != self.stage)
        else {
            return Ok(());
        };
        if self.stage == Stage::Draft && after != Stage::Trashed {
            unit.reviews().end_remark(id).await?;
        }
        if !after.awaits_decision() {
            unit.reviews().close_proposal(id, request.now).await?;
        }
        Ok(())
    }
}
