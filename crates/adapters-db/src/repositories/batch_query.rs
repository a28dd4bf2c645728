//! Record queries that run in one statement.

use app::ports::StoreError;
use domain::{Id, Stored};
use sea_orm::{
    QueryResult,
    sea_query::{SelectStatement, SimpleExpr},
};

use crate::{
    cache::BatchLookup,
    error::store_error,
    session::Session,
    sql::{Json, Row},
    tables::{Extent, ROWS_READ, RecordQuery, Table, read_record},
};

/// Takes the result of a query from its column of the row.
type TakeRecords<'a> = Box<dyn FnOnce(&QueryResult) -> Result<(), StoreError> + Send + 'a>;

/// Record queries that run in one statement, each as a column.
#[derive(Default)]
pub(crate) struct BatchQuery<'a> {
    select: SelectStatement,
    takers: Vec<TakeRecords<'a>>,
}

impl<'a> BatchQuery<'a> {
    /// Adds a query, whose records `take` gets.
    pub(crate) fn add<T>(
        &mut self,
        name: &'static str,
        query: RecordQuery,
        read: impl Fn(&Row<'_>) -> Result<T, StoreError> + Send + 'a,
        take: impl FnOnce(Vec<T>) + Send + 'a,
    ) {
        let (select, columns) = query.into_parts();
        self.select.expr_as(SimpleExpr::from(select), name);
        self.takers.push(Box::new(move |row| {
            take(columns.read(row, name, read)?);
            Ok(())
        }));
    }

    /// Adds a query for the records of a lookup that are not cached, if any.
    pub(crate) fn add_missing<R: Table>(
        &mut self,
        name: &'static str,
        lookup: &'a mut BatchLookup<'_, R>,
        json: Json,
    ) {
        self.add_missing_in(Extent::Whole, name, lookup, json);
    }

    /// As [`add_missing`](Self::add_missing), in an extent. Outlines are not cached.
    pub(crate) fn add_missing_in<R: Table>(
        &mut self,
        extent: Extent,
        name: &'static str,
        lookup: &'a mut BatchLookup<'_, R>,
        json: Json,
    ) {
        if lookup.missing.is_empty() {
            return;
        }
        let missing = RecordQuery::in_extent::<R>(json, extent).only(&lookup.missing);
        self.add(name, missing, read_record::<R>, move |records| {
            for record in records {
                match extent {
                    Extent::Whole => {
                        let weight = record.text_bytes();
                        lookup.add(record, weight);
                    }
                    Extent::Outline => lookup.add_shown(Some(record)),
                }
            }
        });
    }

    /// Adds a query that gives one text, or none, which `take` gets.
    pub(crate) fn add_text(
        &mut self,
        name: &'static str,
        query: SelectStatement,
        take: impl FnOnce(Option<String>) -> Result<(), StoreError> + Send + 'a,
    ) {
        self.select.expr_as(SimpleExpr::from(query), name);
        self.takers.push(Box::new(move |row| {
            take(row.try_get_by(name).map_err(store_error)?)
        }));
    }

    /// Runs the queries, if there are any.
    pub(crate) async fn run(self, session: &Session) -> Result<(), StoreError> {
        if self.takers.is_empty() {
            return Ok(());
        }
        if let Some(row) = session.generic_plan().row(&self.select).await? {
            for take in self.takers {
                take(&row)?;
            }
        }
        Ok(())
    }
}

impl Session {
    /// The records with some IDs, in their order, without those that do not exist.
    pub(crate) async fn find_records<R: Table>(
        &self,
        ids: &[Id<R>],
    ) -> Result<Vec<Stored<R>>, StoreError> {
        let cache = self.cache().await?;
        let mut records = BatchLookup::new(cache, R::table(), ids.to_vec());
        let mut batch = BatchQuery::default();
        batch.add_missing(ROWS_READ, &mut records, self.json());
        batch.run(self).await?;
        Ok(records.in_order())
    }
}
