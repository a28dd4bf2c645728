//! The terms and places that a series names, for lists of its occurrences: the rows of `series_in`.

use std::collections::BTreeSet;

use app::ports::StoreError;
use domain::{Event, EventId, Stored};
use migration::Histogram;
use sea_orm::{
    ColumnTrait, DbBackend, ExprTrait, Statement,
    sea_query::{Expr, OnConflict, Query, SelectStatement, UnionType},
};

use super::Links;
use crate::{
    connection::raw,
    entity::{
        LinkColumn, event,
        series_in::{Column, Entity},
    },
    session::Session,
    sql::{from, insert_selected},
};

/// Whether lists of what an event names hold its occurrences.
fn has_scopes(event: &Event) -> bool {
    event.series().is_some() && event.details.password.is_none()
}

/// Whether two events name the same.
fn name_the_same(one: &Event, other: &Event) -> bool {
    let names = |event: &Event| {
        let details = &event.details;
        (
            details.categories.clone(),
            details.tags.clone(),
            details.organizers.clone(),
            details.venue,
        )
    };
    names(one) == names(other)
}

/// The scopes of what an event names.
fn scopes(id: EventId) -> SelectStatement {
    let scope = |mut rows: SelectStatement, histogram: Histogram, scope_id: Expr| {
        rows.expr_as(Expr::val(histogram.scope), Column::Scope)
            .expr_as(scope_id, Column::ScopeId)
            .take()
    };
    let linked = [Links::InCategories, Links::Tags, Links::Organizers].map(|links| {
        let rows = from(links.table())
            .and_where(Expr::col(LinkColumn::EventId).eq(id.get()))
            .take();
        scope(rows, links.histogram(), Expr::col(links.column()))
    });
    let at_venue = from(event::Entity)
        .and_where(event::Column::Id.eq(id.get()))
        .and_where(event::Column::VenueId.is_not_null())
        .take();
    let venue = Expr::col(event::Column::VenueId);
    let mut scopes = scope(at_venue, Histogram::VENUE, venue);
    scopes
        .unions(linked.map(|rows| (UnionType::All, rows)))
        .take()
}

impl Session {
    /// The lists that hold the occurrences of a series, as pairs of scope and ID.
    pub(crate) async fn scopes_of(
        &self,
        series: &Stored<Event>,
    ) -> Result<BTreeSet<(i64, i64)>, StoreError> {
        if !has_scopes(series) {
            return Ok(BTreeSet::new());
        }
        let scopes = self.connection.values(&scopes(series.id)).await?;
        Ok(scopes.into_iter().collect())
    }

    /// Copies what a series names, and what it names no more, after a write of its record.
    pub(crate) async fn update_scopes(
        &self,
        id: EventId,
        before: Option<&Event>,
        event: &Event,
    ) -> Result<(), StoreError> {
        let had = before.is_some_and(has_scopes);
        let has = has_scopes(event);
        let is_same = before.is_none_or(|before| name_the_same(before, event));
        if had == has && (is_same || !has) {
            return Ok(());
        }
        if !has {
            return self.delete_scopes(id).await;
        }
        self.share_tree().await?;
        if had {
            let columns = [Column::Scope, Column::ScopeId].map(Expr::col);
            let named = Query::select()
                .columns([Column::Scope, Column::ScopeId])
                .from_subquery(scopes(id), "named")
                .take();
            let delete = Query::delete()
                .from_table(Entity)
                .and_where(Expr::col(Column::SeriesId).eq(id.get()))
                .and_where(Expr::tuple(columns).not_in_subquery(named))
                .take();
            self.connection.execute_deferred(&delete).await?;
        }
        let named = Query::select()
            .expr(Expr::val(id.get()))
            .columns([Column::Scope, Column::ScopeId])
            .from_subquery(scopes(id), "named")
            // SQLite would read the conflict clause as the condition of a join.
            .and_where(Expr::val(true))
            .take();
        let columns = [Column::SeriesId, Column::Scope, Column::ScopeId];
        let mut insert = insert_selected(Entity, columns, named)?;
        insert.on_conflict(OnConflict::new().do_nothing().to_owned());
        self.connection.execute_deferred(&insert).await
    }

    /// Deletes what a series names.
    pub(crate) async fn delete_scopes(&self, id: EventId) -> Result<(), StoreError> {
        let delete = Query::delete()
            .from_table(Entity)
            .and_where(Expr::col(Column::SeriesId).eq(id.get()))
            .take();
        self.connection.execute_deferred(&delete).await
    }

    /// Keeps the tree of categories as it is until the transaction ends. SQLite has only one writer and
    /// needs no lock.
    async fn share_tree(&self) -> Result<(), StoreError> {
        if self.is_postgres() {
            let share = "SELECT pg_advisory_xact_lock_shared(hashtextextended('category/tree', 0))";
            let share = Statement::from_string(DbBackend::Postgres, share);
            raw::run(&self.connection, share).await?;
        }
        Ok(())
    }
}
