//! Reading rows.

use app::ports::StoreError;
use domain::time::Timestamp;
use sea_orm::{QueryResult, TryGetable};
use serde::de::DeserializeOwned;

use crate::error::{broken_row, store_error};

/// A row of a table, with errors that say where they are.
pub(crate) struct Row<'a> {
    pub(crate) table: &'static str,
    pub(crate) result: &'a QueryResult,
}

impl Row<'_> {
    /// The value of a column.
    pub(crate) fn get<T: TryGetable>(&self, column: &str) -> Result<T, StoreError> {
        self.result.try_get_by(column).map_err(store_error)
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

    /// A list that [`Json`](crate::beside::Json) made; empty for null.
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
