//! Typed access to rows.

use std::{fmt::Display, str::FromStr};

use app::ports::StoreError;
use domain::time::Timestamp;
use sea_orm::{ColumnTrait, Iden};
use serde::de::DeserializeOwned;

use crate::{
    error::{broken_column, broken_row},
    sql::{Cell, FromCell},
};

/// A row of a table, as JSON cells. Its errors name table and column.
pub(crate) struct Row<'a> {
    pub(crate) table: &'static str,
    columns: &'a [&'static str],
    /// The values, in the order of the columns.
    cells: &'a [Cell<'a>],
    /// The index behind the last column that was read; columns are mostly read in order.
    next: std::cell::Cell<usize>,
}

impl<'a> Row<'a> {
    pub(crate) fn new(
        table: &'static str,
        columns: &'a [&'static str],
        cells: &'a [Cell<'a>],
    ) -> Self {
        Self {
            table,
            columns,
            cells,
            next: std::cell::Cell::new(0),
        }
    }

    /// The value of a column.
    pub(crate) fn get<T: FromCell>(&self, column: impl Iden + Copy) -> Result<T, StoreError> {
        let (before, after) = self
            .columns
            .split_at(self.next.get().min(self.columns.len()));
        let mut indexes = (before.len()..).zip(after).chain((0..).zip(before));
        let index = indexes.find_map(|(index, name)| (*name == column.unquoted()).then_some(index));
        let index = index.ok_or_else(|| broken_row(self.table, column, "not selected"))?;
        self.next.set(index + 1);
        let value = self.cells.get(index).and_then(T::from_cell);
        value.ok_or_else(|| broken_row(self.table, column, "a value of another type"))
    }

    /// The value of a column that holds a text or null, parsed into a value of the domain.
    pub(crate) fn parse_optional<T: FromStr<Err: Display>>(
        &self,
        column: impl Iden + Copy,
    ) -> Result<Option<T>, StoreError> {
        let text: Option<String> = self.get(column)?;
        text.map(|text| text.parse())
            .transpose()
            .map_err(|error| broken_row(self.table, column, error))
    }

    /// The value of a column that holds a text, parsed into a value of the domain.
    pub(crate) fn parse<T: FromStr<Err: Display>>(
        &self,
        column: impl Iden + Copy,
    ) -> Result<T, StoreError> {
        let text: String = self.get(column)?;
        text.parse()
            .map_err(|error| broken_row(self.table, column, error))
    }

    /// The value of a column that holds a word of a closed list.
    pub(crate) fn word<T>(
        &self,
        column: impl Iden + Copy,
        known: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, StoreError> {
        let word: String = self.get(column)?;
        known(&word).ok_or_else(|| broken_row(self.table, column, format!("unknown word {word}")))
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

/// Parses the text of a nullable column into a value of the domain.
pub(crate) fn parse_optional_column<T: FromStr<Err: Display>>(
    column: impl ColumnTrait,
    text: Option<&str>,
) -> Result<Option<T>, StoreError> {
    text.map(|text| parse_column(column, text)).transpose()
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
