//! Remarks on events that editors returned, verifications of events, and proposals of visitors.

use app::ports::{EventRemark, Proposal, ReviewRepository, StoreError};
use async_trait::async_trait;
use domain::{Event, EventId, Id, Stage, UserId, time::Timestamp};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, EntityTrait, ExprTrait, PaginatorTrait, QueryFilter,
    QueryOrder, QuerySelect, QueryTrait, Select, sea_query::Expr,
};

use crate::{
    entity::{
        event::{self, Column as EventColumn},
        event_remark::{ActiveModel, Column, Entity, Model},
        event_verification::{self, Column as VerificationColumn},
        occurrence::{self, Column as OccurrenceColumn},
        proposal::{self, Column as ProposalColumn},
    },
    error::store_error,
    session::Session,
    sql::{optional_time_column, parse_column, parse_optional_column, time_column},
};

fn read_remark(row: &Model) -> Result<EventRemark, StoreError> {
    Ok(EventRemark {
        event: Id::from_raw(row.event_id),
        text: parse_column(Column::Remark, &row.remark)?,
        author: row.author_id.map(Id::from_raw),
        at: time_column(Column::AtUtc, row.at_utc)?,
    })
}

#[async_trait]
impl ReviewRepository for Session {
    async fn remarks(&self, events: &[EventId]) -> Result<Vec<EventRemark>, StoreError> {
        if events.is_empty() {
            return Ok(Vec::new());
        }
        let remarks = Entity::find()
            .filter(Column::EventId.is_in(events.iter().map(|id| id.get())))
            .order_by_asc(Column::EventId);
        self.all(remarks).await?.iter().map(read_remark).collect()
    }

    async fn put_remark(&self, remark: &EventRemark) -> Result<(), StoreError> {
        let row = ActiveModel {
            event_id: Set(remark.event.get()),
            remark: Set(remark.text.as_str().to_owned()),
            author_id: Set(remark.author.map(Id::get)),
            at_utc: Set(remark.at.seconds()),
        };
        self.put(row).await
    }

    async fn end_remark(&self, event: EventId) -> Result<bool, StoreError> {
        let end = Entity::delete_by_id(event.get());
        Ok(self.connection.change(end).await? > 0)
    }

    async fn verify(&self, event: EventId, at: Timestamp) -> Result<(), StoreError> {
        let row = event_verification::ActiveModel {
            event_id: Set(event.get()),
            verified_utc: Set(at.seconds()),
        };
        self.put(row).await
    }

    async fn verified(&self, events: &[EventId]) -> Result<Vec<(EventId, Timestamp)>, StoreError> {
        if events.is_empty() {
            return Ok(Vec::new());
        }
        let ids = events.iter().map(|id| id.get());
        let rows = event_verification::Entity::find()
            .filter(VerificationColumn::EventId.is_in(ids))
            .order_by_asc(VerificationColumn::EventId);
        let read = |row: event_verification::Model| {
            let at = time_column(VerificationColumn::VerifiedUtc, row.verified_utc)?;
            Ok((Id::from_raw(row.event_id), at))
        };
        self.all(rows).await?.into_iter().map(read).collect()
    }

    async fn to_verify(
        &self,
        author: UserId,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<EventId>, StoreError> {
        let seconds = Event::VERIFIED_DAYS * 86_400;
        let (now, ahead, before) = (
            now.seconds(),
            now.saturating_add(seconds).seconds(),
            now.saturating_add(-seconds).seconds(),
        );
        // An index holds each part, in the order of its keys.
        let once = due(author, now, before)
            .filter(EventColumn::Repetition.is_null())
            .filter(EventColumn::StartUtc.between(now, ahead));
        let near = occurrence::Entity::find()
            .select_only()
            .expr(Expr::val(1))
            .filter(
                Expr::col((occurrence::Entity, OccurrenceColumn::SeriesId))
                    .equals((event::Entity, EventColumn::Id)),
            )
            .filter(OccurrenceColumn::StartUtc.between(now, ahead))
            .into_query();
        let series = due(author, now, before)
            .filter(EventColumn::Repetition.is_not_null())
            .filter(
                Condition::any()
                    .add(EventColumn::KeptUntilUtc.is_not_null())
                    .add(Expr::exists(near)),
            );
        let mut due: Vec<(i64, i64)> = Vec::new();
        for part in [once, series] {
            let part = part
                .order_by_asc(EventColumn::ModifiedUtc)
                .order_by_asc(EventColumn::Id)
                .limit(u64::from(limit));
            due.append(&mut self.connection.values(&part.into_query()).await?);
        }
        due.sort_unstable();
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let due = due.into_iter().take(limit);
        Ok(due.map(|(_, id)| Id::from_raw(id)).collect())
    }

    async fn add_proposal(&self, proposal: &Proposal) -> Result<(), StoreError> {
        let row = proposal::ActiveModel {
            event_id: Set(proposal.event.get()),
            hash: Set(proposal.hash.expose().clone()),
            address: Set(proposal.address.clone()),
            network: Set(proposal.network.clone()),
            sender: Set(proposal.sender.clone()),
            email: Set(proposal.email.as_ref().map(|one| one.as_str().to_owned())),
            place_text: Set(proposal.place.clone()),
            created_utc: Set(proposal.created.seconds()),
            closed_utc: Set(proposal.closed.map(Timestamp::seconds)),
        };
        let insert = proposal::Entity::insert(row);
        self.connection.change(insert).await.map(drop)
    }

    async fn proposal(&self, hash: &str) -> Result<Option<Proposal>, StoreError> {
        let named = proposal::Entity::find().filter(ProposalColumn::Hash.eq(hash));
        let row = self.one(named).await?;
        row.map(read_proposal).transpose()
    }

    async fn proposals(&self, events: &[EventId]) -> Result<Vec<Proposal>, StoreError> {
        if events.is_empty() {
            return Ok(Vec::new());
        }
        let of_events = proposal::Entity::find()
            .filter(ProposalColumn::EventId.is_in(events.iter().map(|id| id.get())))
            .order_by_asc(ProposalColumn::EventId);
        let rows = self.all(of_events).await?;
        rows.into_iter().map(read_proposal).collect()
    }

    async fn proposals_sent(
        &self,
        address: &str,
        after: Timestamp,
    ) -> Result<Vec<Timestamp>, StoreError> {
        let sent = proposal::Entity::find()
            .select_only()
            .column(ProposalColumn::CreatedUtc)
            .filter(ProposalColumn::Address.eq(address))
            .filter(ProposalColumn::CreatedUtc.gt(after.seconds()))
            .order_by_asc(ProposalColumn::CreatedUtc);
        let sent = self.connection.values(&sent.into_query()).await?;
        let read = |seconds| time_column(ProposalColumn::CreatedUtc, seconds);
        sent.into_iter().map(read).collect()
    }

    async fn open_proposals(&self, network: Option<String>) -> Result<u64, StoreError> {
        let mut open = proposal::Entity::find().filter(ProposalColumn::ClosedUtc.is_null());
        if let Some(network) = network {
            open = open.filter(ProposalColumn::Network.eq(network));
        }
        open.count(&self.connection).await.map_err(store_error)
    }

    async fn close_proposal(&self, event: EventId, at: Timestamp) -> Result<bool, StoreError> {
        let close = proposal::Entity::update_many()
            .col_expr(ProposalColumn::ClosedUtc, Expr::val(at.seconds()))
            .filter(ProposalColumn::EventId.eq(event.get()))
            .filter(ProposalColumn::ClosedUtc.is_null());
        Ok(self.connection.change(close).await? > 0)
    }

    async fn prune_proposals(&self, closed: Timestamp) -> Result<u64, StoreError> {
        let prune =
            proposal::Entity::delete_many().filter(ProposalColumn::ClosedUtc.lte(closed.seconds()));
        self.connection.change(prune).await
    }
}

fn read_proposal(row: proposal::Model) -> Result<Proposal, StoreError> {
    Ok(Proposal {
        event: Id::from_raw(row.event_id),
        hash: row.hash.into(),
        address: row.address,
        network: row.network,
        sender: row.sender,
        email: parse_optional_column(ProposalColumn::Email, row.email.as_deref())?,
        place: row.place_text,
        created: time_column(ProposalColumn::CreatedUtc, row.created_utc)?,
        closed: optional_time_column(ProposalColumn::ClosedUtc, row.closed_utc)?,
    })
}

/// Time of the last change and ID of the public events and series of an author that were neither changed nor verified
/// after an instant.
fn due(author: UserId, now: i64, before: i64) -> Select<event::Entity> {
    let verified = event_verification::Entity::find()
        .select_only()
        .expr(Expr::val(1))
        .filter(
            Expr::col((event_verification::Entity, VerificationColumn::EventId))
                .equals((event::Entity, EventColumn::Id)),
        )
        .filter(VerificationColumn::VerifiedUtc.gt(before))
        .into_query();
    event::Entity::find()
        .select_only()
        .column(EventColumn::ModifiedUtc)
        .column(EventColumn::Id)
        .filter(EventColumn::AuthorId.eq(author.get()))
        .filter(EventColumn::SeriesId.is_null())
        .filter(EventColumn::Stage.eq(Stage::Published.name()))
        .filter(EventColumn::PublishedUtc.lte(now))
        .filter(EventColumn::ModifiedUtc.lte(before))
        .filter(Expr::exists(verified).not())
}
