//! Reading rows.

use std::collections::HashMap;

use app::ports::StoreError;
use domain::time::Timestamp;
use sea_orm::{QueryResult, TryGetable};
use serde::de::DeserializeOwned;

use crate::{
    error::{broken_row, store_error},
    sql::{Cell, FromCell},
};

/// A row of a table, with errors that say where they are.
pub(crate) struct Row<'a> {
    pub(crate) table: &'static str,
    values: Values<'a>,
}

/// Where its values are.
enum Values<'a> {
    /// As the driver hands them over.
    Driver(&'a QueryResult),
    /// As the database wrote them, in the order of the columns.
    Cells {
        columns: &'a [&'static str],
        cells: &'a [Cell<'a>],
        /// Behind the column that was read last: columns are mostly read in their order.
        next: std::cell::Cell<usize>,
    },
}

impl<'a> Row<'a> {
    /// A row of a driver.
    pub(crate) fn new(table: &'static str, result: &'a QueryResult) -> Self {
        let values = Values::Driver(result);
        Self { table, values }
    }

    /// A row of these columns.
    pub(crate) fn of_cells(
        table: &'static str,
        columns: &'a [&'static str],
        cells: &'a [Cell<'a>],
    ) -> Self {
        let next = std::cell::Cell::new(0);
        let values = Values::Cells {
            columns,
            cells,
            next,
        };
        Self { table, values }
    }

    /// The value of a column.
    pub(crate) fn get<T: TryGetable + FromCell>(&self, column: &str) -> Result<T, StoreError> {
        match &self.values {
            Values::Driver(result) => result.try_get_by(column).map_err(store_error),
            Values::Cells {
                columns,
                cells,
                next,
            } => {
                let (before, after) = columns.split_at(next.get().min(columns.len()));
                let mut places = (before.len()..).zip(after).chain((0..).zip(before));
                let place = places.find_map(|(place, name)| (*name == column).then_some(place));
                let place = place.ok_or_else(|| broken_row(self.table, column, "not selected"))?;
                next.set(place + 1);
                let value = cells.get(place).and_then(T::from_cell);
                value.ok_or_else(|| broken_row(self.table, column, "a value of another type"))
            }
        }
    }

    /// The value of a column, made into a value of the domain.
    pub(crate) fn parse<T, E: std::fmt::Display>(
        &self,
        column: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<T, StoreError> {
        parse(&self.get::<String>(column)?).map_err(|error| broken_row(self.table, column, error))
    }

    /// A word from a closed list.
    pub(crate) fn word<T>(
        &self,
        column: &str,
        known: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, StoreError> {
        self.parse(column, |word| {
            known(word).ok_or_else(|| format!("unknown word {word}"))
        })
    }

    /// A list that [`Json`](crate::json::Json) made; empty for null.
    pub(crate) fn list<T: DeserializeOwned>(&self, column: &str) -> Result<Vec<T>, StoreError> {
        let Some(text) = self.get::<Option<String>>(column)? else {
            return Ok(Vec::new());
        };
        serde_json::from_str(&text).map_err(|error| broken_row(self.table, column, error))
    }

    /// A moment.
    pub(crate) fn moment(&self, column: &str) -> Result<Timestamp, StoreError> {
        self.optional_moment(column)?
            .ok_or_else(|| broken_row(self.table, column, "no moment"))
    }

    /// A moment that may be absent.
    pub(crate) fn optional_moment(&self, column: &str) -> Result<Option<Timestamp>, StoreError> {
        let seconds: Option<i64> = self.get(column)?;
        let out_of_range = || broken_row(self.table, column, "out of range");
        seconds
            .map(|seconds| Timestamp::from_seconds(seconds).ok_or_else(out_of_range))
            .transpose()
    }
}

/// What a translation says, by column; what it leaves to the original is absent.
pub(crate) struct Texts(pub(crate) HashMap<String, Option<String>>);

impl Texts {
    /// The text of a column.
    pub(crate) fn take(&mut self, column: &str) -> Option<String> {
        self.0.remove(column).flatten()
    }
}
