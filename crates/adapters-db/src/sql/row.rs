//! Typed access to rows.

use std::{collections::HashMap, fmt::Display, str::FromStr};

use app::ports::StoreError;
use domain::time::Timestamp;
use sea_orm::{ColumnTrait, Iden, QueryResult, TryGetable};
use serde::de::DeserializeOwned;

use crate::{
    error::{broken_column, broken_row, store_error},
    sql::{Cell, FromCell},
};

/// A row of a table. Its errors name table and column.
pub(crate) struct Row<'a> {
    pub(crate) table: &'static str,
    values: Values<'a>,
}

/// The source of the values.
enum Values<'a> {
    /// A row of the driver.
    Driver(&'a QueryResult),
    /// Cells of JSON, in the order of the columns.
    Cells {
        columns: &'a [&'static str],
        cells: &'a [Cell<'a>],
        /// The index behind the last column that was read; columns are mostly read in order.
        next: std::cell::Cell<usize>,
    },
}

impl<'a> Row<'a> {
    /// A row of the driver.
    pub(crate) fn new(table: &'static str, result: &'a QueryResult) -> Self {
        let values = Values::Driver(result);
        Self { table, values }
    }

    /// A row of JSON cells.
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
    pub(crate) fn get<T: TryGetable + FromCell>(
        &self,
        column: impl Iden + Copy,
    ) -> Result<T, StoreError> {
        match &self.values {
            Values::Driver(result) => result.try_get_by(column.unquoted()).map_err(store_error),
            Values::Cells {
                columns,
                cells,
                next,
            } => {
                let (before, after) = columns.split_at(next.get().min(columns.len()));
                let mut places = (before.len()..).zip(after).chain((0..).zip(before));
                let place =
                    places.find_map(|(place, name)| (*name == column.unquoted()).then_some(place));
                let place = place.ok_or_else(|| broken_row(self.table, column, "not selected"))?;
                next.set(place + 1);
                let value = cells.get(place).and_then(T::from_cell);
                value.ok_or_else(|| broken_row(self.table, column, "a value of another type"))
            }
        }
    }

    /// The value of a column, parsed into a value of the domain.
    pub(crate) fn parse<T, E: Display>(
        &self,
        column: impl Iden + Copy,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<T, StoreError> {
        parse(&self.get::<String>(column)?).map_err(|error| broken_row(self.table, column, error))
    }

    /// The value of a column that holds a word of a closed list.
    pub(crate) fn word<T>(
        &self,
        column: impl Iden + Copy,
        known: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, StoreError> {
        self.parse(column, |word| {
            known(word).ok_or_else(|| format!("unknown word {word}"))
        })
    }

    /// A JSON array made by [`Json`](crate::sql::Json); empty for null.
    pub(crate) fn list<T: DeserializeOwned>(
        &self,
        column: impl Iden + Copy,
    ) -> Result<Vec<T>, StoreError> {
        let Some(text) = self.get::<Option<String>>(column)? else {
            return Ok(Vec::new());
        };
        serde_json::from_str(&text).map_err(|error| broken_row(self.table, column, error))
    }

    /// The value of a column that holds a time.
    pub(crate) fn moment(&self, column: impl Iden + Copy) -> Result<Timestamp, StoreError> {
        self.optional_moment(column)?
            .ok_or_else(|| broken_row(self.table, column, "no moment"))
    }

    /// The value of a column that holds a time or null.
    pub(crate) fn optional_moment(
        &self,
        column: impl Iden + Copy,
    ) -> Result<Option<Timestamp>, StoreError> {
        let seconds: Option<i64> = self.get(column)?;
        let out_of_range = || broken_row(self.table, column, "out of range");
        seconds
            .map(|seconds| Timestamp::from_seconds(seconds).ok_or_else(out_of_range))
            .transpose()
    }
}

/// Parses the text of a column into a value of the domain.
pub(crate) fn parse_column<T: FromStr<Err: Display>>(
    column: impl ColumnTrait,
    text: &str,
) -> Result<T, StoreError> {
    text.parse().map_err(|error| broken_column(column, error))
}

/// Converts the seconds of a column into a time.
pub(crate) fn time_column(column: impl ColumnTrait, seconds: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_seconds(seconds).ok_or_else(|| broken_column(column, "out of range"))
}

/// Converts the seconds of a nullable column into a time.
pub(crate) fn optional_time_column(
    column: impl ColumnTrait,
    seconds: Option<i64>,
) -> Result<Option<Timestamp>, StoreError> {
    seconds
        .map(|seconds| time_column(column, seconds))
        .transpose()
}

/// The texts of a translation by column; absent where the original is shown.
pub(crate) struct Texts(pub(crate) HashMap<String, Option<String>>);

impl Texts {
    /// Takes the text of a column.
    pub(crate) fn take(&mut self, column: &str) -> Option<String> {
        self.0.remove(column).flatten()
    }
}
