//! The numbers of the events of a period, read from indexes in the order of starts.
//!
//! An event is found by its ID in five places of five tables. The events of a period stand beside each other in indexes by
//! start: reading all of them costs less than half.

use std::collections::HashSet;

use app::ports::{StoreError, Tally};
use domain::{EventId, event::Window, policy::Visibility};
use sea_orm::{
    ExprTrait,
    sea_query::{DynIden, Expr, IntoIden, Query as Sql, SelectStatement, SimpleExpr},
};

use super::{
    CITIES, FOUND, LINKED, TICKETED, add_cities, add_event, add_link, cities, counted, values, with,
};
use crate::{
    entity::{
        LinkColumn,
        event::{self, Column},
    },
    session::Session,
    sql::{as_number, from},
};

/// An event: its ID, its venue, and whether it is free and has tickets.
type Found = (i64, Option<i64>, u8, u8);

impl Session {
    /// Counts the events that begin within a window, and returns the IDs of the other events, for example of one that began
    /// before the window and goes on.
    pub(super) async fn tally_by_start(
        &self,
        ids: &[EventId],
        window: &Window,
        visibility: &Visibility,
    ) -> Result<(Tally, Vec<EventId>), StoreError> {
        let json = self.json();
        let found = counted(begun_within(&event::Entity.into_iden(), window, visibility));
        let events = [
            Expr::col((FOUND, Column::Id)),
            Expr::col((FOUND, Column::VenueId)),
            as_number(Expr::col((FOUND, Column::IsFree))),
            as_number(Expr::col((FOUND, TICKETED))),
        ];
        let events = json.table(events.into());
        let events = Sql::select().expr(events).from(FOUND).take();
        let mut all = Sql::select();
        all.expr_as(SimpleExpr::from(events), FOUND);
        for (links, [name, _]) in LINKED {
            let link = |column: DynIden| Expr::col((links.table(), column));
            let pair = [link(LinkColumn::EventId.into_iden()), link(links.column())];
            let linked = begun_within(&links.table().into_iden(), window, visibility)
                .expr(json.table(pair.into()))
                .take();
            all.expr_as(SimpleExpr::from(linked), name);
        }
        all.expr_as(SimpleExpr::from(cities(json, &[FOUND], visibility)), CITIES);
        let all = all.with_cte(with([(FOUND, found)]));
        let Some(row) = self.slow().row(all).await? else {
            return Ok((Tally::default(), ids.to_vec()));
        };
        let mut wanted: HashSet<_> = ids.iter().map(|id| id.get()).collect();
        let mut counted = HashSet::new();
        let mut tally = Tally::default();
        for (id, venue, is_free, is_ticketed) in values::<Found>(&row, FOUND)? {
            if wanted.remove(&id) {
                counted.insert(id);
                add_event(&mut tally, (venue, is_free, is_ticketed, 1));
            }
        }
        for (links, [name, _]) in LINKED {
            for (event, record) in values::<(i64, i64)>(&row, name)? {
                if counted.contains(&event) {
                    add_link(&mut tally, links, record, 1);
                }
            }
        }
        add_cities(&mut tally, &row)?;
        let others = wanted.into_iter().map(EventId::from_raw);
        Ok((tally, others.collect()))
    }
}

/// The rows of the listed events that begin within a window, in the table of events or of links.
fn begun_within(table: &DynIden, window: &Window, visibility: &Visibility) -> SelectStatement {
    let column = |name: Column| Expr::col((table.clone(), name));
    let (first, last) = (window.start_min.max(window.end_min), window.latest_start());
    from(table.clone())
        .and_where_option(first.map(|first| column(Column::StartUtc).gte(first.seconds())))
        .and_where_option(last.map(|last| column(Column::StartUtc).lte(last.seconds())))
        .and_where(column(Column::Listed))
        .and_where(column(Column::PublishedUtc).lte(visibility.now.seconds()))
        .take()
}
