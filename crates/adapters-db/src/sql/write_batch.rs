//! Statements that change rows, joined into one on PostgreSQL. A round trip takes longer than most of
//! them.

use app::ports::StoreError;
use sea_orm::sea_query::{
    CommonTableExpression, Expr, InsertStatement, Query, SubQueryStatement, UpdateStatement,
    WithClause,
};

use crate::session::Session;

/// The condition that part `number` of a joined statement has inserted rows. PostgreSQL determines
/// no order of the parts, but a part with this condition runs after that part.
pub(super) fn has_run(number: usize) -> Expr {
    Expr::cust(format!("(SELECT count(*) FROM {}) > 0", name(number)))
}

/// Joins insertions into one statement. Each is a part, numbered from 0.
pub(super) fn inserts(inserts: Vec<InsertStatement>) -> Option<InsertStatement> {
    let mut parts: Vec<SubQueryStatement> = Vec::new();
    let mut inserts = inserts.into_iter().peekable();
    while let Some(mut insert) = inserts.next() {
        if inserts.peek().is_none() {
            return Some(match with(parts) {
                Some(parts) => insert.with_cte(parts).take(),
                None => insert,
            });
        }
        let row = Query::returning().expr(Expr::cust("1"));
        parts.push(insert.returning(row).take().into());
    }
    None
}

fn name(number: usize) -> String {
    format!("part_{number}")
}

fn with(parts: Vec<SubQueryStatement>) -> Option<WithClause> {
    if parts.is_empty() {
        return None;
    }
    let mut with = WithClause::new();
    for (number, part) in parts.into_iter().enumerate() {
        let part = CommonTableExpression::new()
            .table_name(name(number))
            .query(part)
            .to_owned();
        with.cte(part);
    }
    Some(with)
}

impl Session {
    /// Runs updates of different rows, in no order.
    pub(crate) async fn update_together(
        &self,
        mut updates: Vec<UpdateStatement>,
    ) -> Result<(), StoreError> {
        if self.is_postgres() && updates.len() > 1 {
            let last = updates.pop();
            let parts = with(updates.into_iter().map(Into::into).collect());
            updates = last.into_iter().collect();
            if let (Some(update), Some(parts)) = (updates.first_mut(), parts) {
                update.with_cte(parts);
            }
        }
        for update in updates {
            self.connection.execute_deferred(&update).await?;
        }
        Ok(())
    }
}
