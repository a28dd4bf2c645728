//! Ways through tables whose rows name others of the same table as their parents.

use crate::beside::Json;
use sea_orm::{
    ExprTrait,
    sea_query::{CommonTableExpression, Expr, Query, SelectStatement, UnionType, WithClause},
};

/// The rows that are reached, as a table of IDs and parents.
pub(crate) const REACHED: &str = "reached";

/// Makes [`REACHED`] of some rows and all above them. `UNION` without repetition ends also if the tree
/// should have a circle.
pub(crate) fn reached(json: Json, table: &'static str, ids: &[i64]) -> WithClause {
    let columns = |select: &mut SelectStatement| {
        select
            .column((table, "id"))
            .column((table, "parent_id"))
            .from(table)
            .take()
    };
    let mut start = columns(&mut Query::select());
    start.and_where(json.is_one_of((table, "id"), ids));
    let step = Expr::col((table, "id")).equals((REACHED, "parent_id"));
    let mut next = columns(&mut Query::select());
    next.inner_join(REACHED, step);
    start.union(UnionType::Distinct, next);
    let rows = CommonTableExpression::new()
        .query(start)
        .columns(["id", "parent_id"])
        .table_name(REACHED)
        .to_owned();
    WithClause::new().recursive(true).cte(rows).to_owned()
}
