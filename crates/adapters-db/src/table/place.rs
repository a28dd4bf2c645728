//! What the tables of venues and organizers share.

use app::ports::StoreError;
use domain::{
    Entry,
    entry::EntryId,
    query::{PlaceFilter, Query},
    search::Searchable,
};
use sea_orm::{
    ExprTrait,
    sea_query::{Condition, Expr, Query as Sql, SelectStatement},
};

use super::entry::DetailsTable;
use crate::{
    condition::{self, contains},
    error::store_error,
    page::{List, from},
    store::{Connection, Over},
};

/// A kind of place, as its tables see it.
pub(crate) trait PlaceTable: DetailsTable {
    /// The table of its folded fields.
    const TEXTS: &'static str;

    /// Selects the IDs of the places that events name, from `event` and what it is joined with.
    fn linked() -> SelectStatement;
}

/// The list that a query asks for.
pub(super) fn list<D: PlaceTable>(query: &Query<PlaceFilter<D>>) -> List {
    let Query {
        visibility,
        filter,
        page: _,
    } = query;
    let PlaceFilter {
        statuses,
        search,
        include,
        has_events,
        only_with_upcoming,
    } = filter;
    let id = || Expr::col((D::TABLE, "id"));
    let mut place = Condition::all()
        .add(condition::sees(visibility, D::TABLE))
        .add(condition::holds(statuses, visibility.now, D::TABLE));
    if let Some(ids) = include {
        place = place.add(id().is_in(ids.iter().map(|id| id.get())));
    }
    if let Some(search) = search {
        let mut texts = Sql::select().column("place_id").from(D::TEXTS).take();
        for word in &search.words {
            texts.and_where(contains(Expr::col("folded"), word));
        }
        if search.words.is_empty() {
            texts.and_where(Expr::val(false));
        }
        place = place.add(id().in_subquery(texts));
    }
    let linked = || {
        D::linked()
            .cond_where(condition::counts_for_links(visibility))
            .take()
    };
    match has_events {
        Some(true) => place = place.add(id().in_subquery(linked())),
        Some(false) => place = place.add(id().not_in_subquery(linked())),
        None => {}
    }
    if *only_with_upcoming {
        let upcoming = Expr::col(("event", "start_utc")).gte(visibility.now.seconds());
        place = place.add(id().in_subquery(linked().and_where(upcoming).take()));
    }
    List {
        rows: from(D::TABLE).cond_where(place).take(),
        table: D::TABLE,
        order: Some(Expr::col((D::TABLE, "date_utc"))),
        descending: true,
        searches: search.is_some(),
    }
}

/// Writes the folded fields; nothing is to be done for a place that is deleted.
pub(super) async fn save_texts<D: PlaceTable, C: Connection>(
    over: &Over<C>,
    id: EntryId<D>,
    before: Option<&Entry<D>>,
    after: Option<&Entry<D>>,
) -> Result<(), StoreError> {
    let Some(after) = after.map(Searchable::folded_fields) else {
        return Ok(());
    };
    let before = before.map(Searchable::folded_fields);
    if before.as_ref() == Some(&after) {
        return Ok(());
    }
    if before.is_some() {
        let delete = Sql::delete()
            .from_table(D::TEXTS)
            .and_where(Expr::col("place_id").eq(id.get()))
            .take();
        over.connection
            .execute(&delete)
            .await
            .map_err(store_error)?;
    }
    let mut insert = Sql::insert()
        .into_table(D::TEXTS)
        .columns(["place_id", "position", "folded"])
        .take();
    for (position, folded) in (0_i64..).zip(after) {
        insert.values_panic([id.get().into(), position.into(), folded.into()]);
    }
    over.connection
        .execute(&insert)
        .await
        .map_err(store_error)?;
    Ok(())
}
