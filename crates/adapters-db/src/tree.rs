//! Ways through tables whose rows name others of the same table as their parents.

use crate::beside::Json;
use sea_orm::{
    ExprTrait,
    sea_query::{
        CommonTableExpression, Expr, Query, SelectStatement, SimpleExpr, UnionType, WithClause,
    },
};

/// The rows that are reached on a way, as a table of IDs and parents.
pub(crate) const REACHED: &str = "reached";

/// Where a way leads.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    /// From each row to the one that it names as its parent.
    Up,
    /// From each row to those that name it as their parent.
    Down,
}

/// Makes [`REACHED`] of the rows that a way leads to from some rows, these included. `UNION` without
/// repetition ends also if the tree should have a circle.
pub(crate) fn reached(json: Json, table: &'static str, ids: &[i64], way: Way) -> WithClause {
    let columns = |select: &mut SelectStatement| {
        select
            .column((table, "id"))
            .column((table, "parent_id"))
            .from(table)
            .take()
    };
    let mut start = columns(&mut Query::select());
    start.and_where(json.is_one_of((table, "id"), ids));
    let step: SimpleExpr = match way {
        Way::Up => Expr::col((table, "id")).equals((REACHED, "parent_id")),
        Way::Down => Expr::col((table, "parent_id")).equals((REACHED, "id")),
    };
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
