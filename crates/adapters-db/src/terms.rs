//! What only terms are asked.

use std::collections::HashMap;

use app::ports::{Counted, StoreError, TermRepository};
use async_trait::async_trait;
use domain::{Id, Record, Stored, Term, time::Timestamp};
use sea_orm::{
    ExprTrait, QueryResult,
    sea_query::{Expr, Query, SimpleExpr},
};

use crate::{
    beside::Shape,
    kept::Key,
    repository,
    row::Row,
    store::{Connection, Over},
    table::{TermTable, scheduled},
    tree::{REACHED, Way, reached},
};

/// A term and what tells how many events carry it, as long as it does not change.
#[derive(Clone, Debug)]
pub(crate) struct CountedTerm<X: TermTable> {
    pub(crate) term: Stored<Term<X>>,
    /// Those that are published, also those not yet due by the clock.
    published: i64,
    /// When those come that were not yet due when the term was read.
    scheduled: Vec<i64>,
    /// When it was read.
    as_of: Timestamp,
}

impl<X: TermTable> CountedTerm<X> {
    fn read(result: &QueryResult, as_of: Timestamp) -> Result<Self, StoreError> {
        let row = Row {
            table: X::TABLE,
            result,
        };
        Ok(Self {
            term: repository::read(result)?,
            published: row.get("event_count")?,
            scheduled: row.list("scheduled")?,
            as_of,
        })
    }

    /// The number at a moment that is not before the term was read.
    fn events_at(&self, now: Timestamp) -> u64 {
        let later = self.scheduled.iter().filter(|due| **due > now.seconds());
        let later = i64::try_from(later.count()).unwrap_or(i64::MAX);
        u64::try_from(self.published.saturating_sub(later)).unwrap_or(0)
    }
}

impl<C: Connection> Over<C> {
    /// Some terms and all above them: those that are kept, and the others from the database.
    async fn find_terms<X: TermTable>(
        &self,
        ids: &[Id<Term<X>>],
        now: Timestamp,
    ) -> Result<Vec<CountedTerm<X>>, StoreError> {
        let Some(kept) = self.kept().await? else {
            return self.load_terms(ids, now).await;
        };
        let key = |id: Id<Term<X>>| Key::Counted(X::TABLE, id.get());
        let mut found = HashMap::new();
        let mut missing = Vec::new();
        let mut wanted = ids.to_vec();
        while let Some(id) = wanted.pop() {
            if found.contains_key(&id) {
                continue;
            }
            let known = kept.get::<CountedTerm<X>>(&key(id));
            match known.filter(|known| known.as_of <= now) {
                Some(known) => {
                    wanted.extend(known.term.parent);
                    found.insert(id, known);
                }
                None => missing.push(id),
            }
        }
        for term in self.load_terms(&missing, now).await? {
            let weight = term.term.text_bytes() + size_of_val(&*term.scheduled);
            kept.put(key(term.term.id), term.clone(), weight);
            found.insert(term.term.id, term);
        }
        Ok(found.into_values().collect())
    }

    /// Some terms and all above them, in one statement.
    async fn load_terms<X: TermTable>(
        &self,
        ids: &[Id<Term<X>>],
        now: Timestamp,
    ) -> Result<Vec<CountedTerm<X>>, StoreError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let due = Shape::Value("event.published_utc");
        let due = self.json().all(due, "event.published_utc");
        let scheduled = scheduled::<X>(now).expr(due).take();
        let mut select = self.select::<Term<X>>();
        select
            .column((X::TABLE, "event_count"))
            .expr_as(SimpleExpr::from(scheduled), "scheduled");
        let wanted = Expr::col((X::TABLE, "id"));
        let numbers: Vec<_> = ids.iter().map(|id| id.get()).collect();
        let rows = if X::HIERARCHICAL {
            let found = Query::select().column("id").from(REACHED).take();
            select.and_where(wanted.in_subquery(found));
            let up = reached(self.json(), X::TABLE, &numbers, Way::Up);
            self.connection.rows(select.with_cte(up)).await?
        } else {
            self.connection
                .rows(select.and_where(self.json().is_one_of((X::TABLE, "id"), &numbers)))
                .await?
        };
        rows.iter().map(|row| CountedTerm::read(row, now)).collect()
    }
}

#[async_trait]
impl<X: TermTable, C: Connection> TermRepository<X> for Over<C> {
    async fn counted(
        &self,
        ids: &[Id<Term<X>>],
        now: Timestamp,
    ) -> Result<Vec<Counted<X>>, StoreError> {
        let terms = self.find_terms::<X>(ids, now).await?.into_iter();
        let counted = terms.map(|one| Counted {
            events: one.events_at(now),
            term: one.term,
        });
        Ok(counted.collect())
    }

    async fn with_descendants(&self, ids: &[Id<Term<X>>]) -> Result<Vec<Id<Term<X>>>, StoreError> {
        if ids.is_empty() || !X::HIERARCHICAL {
            return Ok(ids.to_vec());
        }
        let numbers: Vec<_> = ids.iter().map(|id| id.get()).collect();
        let down = reached(self.json(), X::TABLE, &numbers, Way::Down);
        let mut select = Query::select().column("id").from(REACHED).take();
        self.ids(select.with_cte(down)).await
    }
}
