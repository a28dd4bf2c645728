//! The repository of categories and tags.

use std::collections::HashMap;

use app::ports::{StoreError, TermRepository, TermWithCount};
use async_trait::async_trait;
use domain::{Id, Record, Term, term::Taxonomy, time::Timestamp};
use sea_orm::{
    ExprTrait, IdenStatic,
    sea_query::{Asterisk, Expr, Func, Query},
};

use super::batch_query::BatchQuery;
use crate::{
    cache::{CacheKey, CacheSnapshot},
    entity::{LinkColumn, TermColumn, category_path},
    error::broken_row,
    session::Session,
    sql::{Json, Row},
    tables::{RecordQuery, Table, read_record, scheduled},
};

/// A term with its number of events, and how long that number is valid.
#[derive(Clone, Debug)]
pub(crate) struct CountedTerm<X: Taxonomy> {
    counted: TermWithCount<X>,
    /// When the term was read.
    from: Timestamp,
    /// When its next scheduled event is due.
    until: Option<Timestamp>,
}

impl<X: Taxonomy> CountedTerm<X> {
    fn read(row: &Row<'_>, now: Timestamp) -> Result<Self, StoreError> {
        let broken = |cause: &str| broken_row(Term::<X>::table(), SCHEDULED, cause);
        let scheduled: String = row.get(SCHEDULED)?;
        let (later, next) = scheduled.split_once(',').ok_or_else(|| broken("no pair"))?;
        let later: i64 = later.parse().map_err(|_| broken("no number"))?;
        let until = next.parse().ok().and_then(Timestamp::from_seconds);
        let published: i64 = row.get(TermColumn::EventCount)?;
        Ok(Self {
            counted: TermWithCount {
                term: read_record(row)?,
                events: u64::try_from(published.saturating_sub(later)).unwrap_or(0),
            },
            from: now,
            until,
        })
    }

    fn is_right_at(&self, now: Timestamp) -> bool {
        self.from <= now && self.until.is_none_or(|until| now < until)
    }
}

/// The column with the number of scheduled events that the counter includes, and when the next is
/// due.
const SCHEDULED: &str = "scheduled";

/// A lookup of terms and their ancestors: first in the cache, then in the database.
pub(crate) struct TermLookup<'a, X: Taxonomy> {
    cache: Option<CacheSnapshot<'a>>,
    now: Timestamp,
    has_series: bool,
    /// Whether scheduled events have one of the terms that were read.
    has_scheduled: bool,
    found: HashMap<Id<Term<X>>, TermWithCount<X>>,
    missing: Vec<i64>,
}

impl<'a, X: Taxonomy> TermLookup<'a, X> {
    pub(crate) fn new(
        cache: Option<CacheSnapshot<'a>>,
        ids: &[Id<Term<X>>],
        now: Timestamp,
        has_series: bool,
    ) -> Self {
        let mut found = HashMap::new();
        let mut missing = Vec::new();
        let mut wanted = ids.to_vec();
        while let Some(id) = wanted.pop() {
            if found.contains_key(&id) {
                continue;
            }
            let known = cache.and_then(|cache| cache.get::<CountedTerm<X>>(&Self::key(id)));
            match known.filter(|known| known.is_right_at(now)) {
                Some(known) => {
                    wanted.extend(known.counted.term.parent);
                    found.insert(id, known.counted);
                }
                None => missing.push(id.get()),
            }
        }
        Self {
            cache,
            now,
            has_series,
            has_scheduled: false,
            found,
            missing,
        }
    }

    fn key(id: Id<Term<X>>) -> CacheKey {
        CacheKey::Counted(Term::<X>::table(), id.get())
    }

    /// The query for the terms that are not cached, if any.
    fn missing(&self, json: Json) -> Option<RecordQuery> {
        if self.missing.is_empty() {
            return None;
        }
        let published = Expr::col(LinkColumn::PublishedUtc);
        let pair = [Expr::col(Asterisk).count(), Expr::val(","), published.min()];
        let mut scheduled = scheduled::<X>(self.now, self.has_series);
        scheduled.expr(Func::cust("concat").args(pair));
        let mut wanted = RecordQuery::of::<Term<X>>(json);
        wanted.add(
            TermColumn::EventCount.as_str(),
            Expr::col((Term::<X>::table(), TermColumn::EventCount)),
        );
        wanted.add(SCHEDULED, scheduled);
        if !X::HIERARCHICAL {
            return Some(wanted.only(&self.missing));
        }
        let above = Query::select()
            .column(category_path::Column::AboveId)
            .from(category_path::Entity)
            .and_where(json.is_one_of(
                (category_path::Entity, category_path::Column::BelowId),
                &self.missing,
            ))
            .take();
        let found = Expr::col((Term::<X>::table(), TermColumn::Id)).in_subquery(above);
        wanted.rows().and_where(found);
        Some(wanted)
    }

    /// Adds the query for the terms that are not cached to a batch.
    pub(crate) fn add_to<'b>(
        &'b mut self,
        batch: &mut BatchQuery<'b>,
        name: &'static str,
        json: Json,
    ) {
        if let Some(missing) = self.missing(json) {
            let now = self.now;
            let read = move |row: &Row<'_>| CountedTerm::read(row, now);
            batch.add(name, missing, read, |terms| self.add(terms));
        }
    }

    /// Whether scheduled events have one of the terms that were read.
    pub(crate) fn has_scheduled(&self) -> bool {
        self.has_scheduled
    }

    /// Adds terms that were read.
    fn add(&mut self, terms: Vec<CountedTerm<X>>) {
        self.has_scheduled |= terms.iter().any(|term| term.until.is_some());
        for term in terms {
            let id = term.counted.term.id;
            if let Some(cache) = self.cache {
                let weight = term.counted.term.text_bytes();
                cache.put(Self::key(id), term.clone(), weight);
            }
            self.found.insert(id, term.counted);
        }
    }

    /// All terms that were found.
    pub(crate) fn counted(self) -> Vec<TermWithCount<X>> {
        self.found.into_values().collect()
    }
}

#[async_trait]
impl<X: Taxonomy> TermRepository<X> for Session {
    async fn find_with_counts(
        &self,
        ids: &[Id<Term<X>>],
        now: Timestamp,
    ) -> Result<Vec<TermWithCount<X>>, StoreError> {
        let cache = self.cache().await?;
        let mut has_series = cache.is_some() && self.has_series().await?;
        loop {
            let mut terms = TermLookup::new(cache, ids, now, has_series);
            if let Some(missing) = terms.missing(self.json()) {
                let read = |row: &Row<'_>| CountedTerm::read(row, now);
                terms.add(self.load(missing, read).await?);
            }
            // A unit of work has no cache, and asks for series only if the answer matters.
            if has_series || !terms.has_scheduled() || !self.has_series().await? {
                return Ok(terms.counted());
            }
            has_series = true;
        }
    }
}
