//! Columns that depend on rules of the domain, in the rows of an older schema.

use app::ports::StoreError;
use domain::{cost::Cost, text::fold};
use sea_orm::{
    ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QuerySelect, sea_query::Expr,
};

use crate::{
    entity::{event, venue_city},
    error::store_error,
};

/// The maximum number of texts in a statement.
const AT_ONCE: usize = 1_000;

/// Fills the columns that migrations add and leave to the program. Rows that are filled stay as they
/// are.
pub(super) async fn fill(transaction: &DatabaseTransaction) -> Result<(), StoreError> {
    fold_cities(transaction).await?;
    mark_free_events(transaction).await
}

/// Folds the cities of venues.
async fn fold_cities(transaction: &DatabaseTransaction) -> Result<(), StoreError> {
    use venue_city::{Column, Entity};
    let cities = Entity::find().select_only().column(Column::CityKey);
    let cities: Vec<String> = cities
        .distinct()
        .into_tuple()
        .all(transaction)
        .await
        .map_err(store_error)?;
    for city in cities {
        let folded = fold(&city);
        if folded == city {
            continue;
        }
        let there = Column::CityKey.eq(city);
        if folded.is_empty() {
            let delete = Entity::delete_many().filter(there);
            delete.exec(transaction).await.map_err(store_error)?;
            continue;
        }
        let update = Entity::update_many()
            .col_expr(Column::CityKey, Expr::val(folded))
            .filter(there);
        update.exec(transaction).await.map_err(store_error)?;
    }
    Ok(())
}

/// Marks the events whose cost is 0.
async fn mark_free_events(transaction: &DatabaseTransaction) -> Result<(), StoreError> {
    use event::{Column, Entity};
    let costs = Entity::find().select_only().column(Column::Cost);
    let mut costs: Vec<String> = costs
        .filter(Column::Cost.ne(""))
        .distinct()
        .into_tuple()
        .all(transaction)
        .await
        .map_err(store_error)?;
    costs.retain(|cost| Cost::parse_lines(cost).is_ok_and(|cost| cost.is_free()));
    for costs in costs.chunks(AT_ONCE) {
        let update = Entity::update_many()
            .col_expr(Column::IsFree, Expr::val(true))
            .filter(Column::Cost.is_in(costs))
            .filter(Column::IsFree.eq(false));
        update.exec(transaction).await.map_err(store_error)?;
    }
    Ok(())
}
