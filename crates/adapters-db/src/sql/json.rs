//! JSON made by the database: the rows of other tables that belong to a record become a column of
//! its row.
//!
//! One statement reads a whole record, so that all of it is of one snapshot: a password never comes
//! with texts of a later state.

use app::ports::StoreError;
use sea_orm::{
    ConnectionTrait, DbBackend, ExprTrait,
    sea_query::{CaseStatement, Expr, Func, IntoColumnRef, Query, SelectStatement, SimpleExpr},
};
use serde::de::DeserializeOwned;

use crate::{entity::RecordColumn, session::Session};

/// The JSON functions of a database.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Json {
    pub(crate) backend: DbBackend,
}

/// The JSON value of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape<'a> {
    /// The value of a column.
    Value(&'a str),
    /// An array of the values of columns.
    List(&'a [&'a str]),
    /// An object of the values of columns.
    Object(&'a [&'a str]),
}

impl Json {
    /// Whether a column holds one of some IDs. All IDs are one parameter, so that the SQL text, and
    /// with it the cached plan, stays the same.
    pub(crate) fn is_one_of(self, column: impl IntoColumnRef, ids: &[i64]) -> SimpleExpr {
        self.has_one_of(Expr::col(column), ids)
    }

    /// Whether a value is one of some IDs.
    pub(crate) fn has_one_of(self, value: impl Into<SimpleExpr>, ids: &[i64]) -> SimpleExpr {
        let ids: Vec<_> = ids.iter().map(i64::to_string).collect();
        let ids = ids.join(",");
        let value = value.into();
        if self.backend == DbBackend::Postgres {
            let listed = "$1 = ANY(string_to_array($2, ',')::bigint[])";
            Expr::cust_with_exprs(listed, [value, Expr::val(ids)])
        } else {
            let listed = "? IN (SELECT value FROM json_each(?))";
            Expr::cust_with_exprs(listed, [value, Expr::val(format!("[{ids}]"))])
        }
    }

    /// Whether a column holds one of some texts, which are one parameter.
    pub(crate) fn is_one_of_texts(
        self,
        column: impl IntoColumnRef,
        texts: &[String],
    ) -> SimpleExpr {
        let texts = Expr::val(serde_json::json!(texts).to_string());
        let listed = if self.backend == DbBackend::Postgres {
            "$1 = ANY(ARRAY(SELECT json_array_elements_text($2::json)))"
        } else {
            "? IN (SELECT value FROM json_each(?))"
        };
        Expr::cust_with_exprs(listed, [Expr::col(column), texts])
    }

    /// The values of a column as a JSON array, in the order of the rows.
    pub(crate) fn list(self, column: impl IntoColumnRef) -> SimpleExpr {
        self.gathered(Expr::col(column))
    }

    /// All rows as a JSON array of arrays, in no order. Without rows: null or an empty array.
    pub(crate) fn table(self, values: Vec<SimpleExpr>) -> SimpleExpr {
        self.gathered(Func::cust(self.build("array")).args(values))
    }

    /// The name of the function that builds an array or an object.
    fn build(self, shape: &str) -> String {
        let build = match self.backend {
            DbBackend::Postgres => "json_build_",
            _ => "json_",
        };
        format!("{build}{shape}")
    }

    /// A value of all rows as a JSON array.
    fn gathered(self, value: impl Into<SimpleExpr>) -> SimpleExpr {
        if self.backend == DbBackend::Postgres {
            Func::cast_as(Func::cust("json_agg").arg(value), "text").into()
        } else {
            Func::cust("json_group_array").arg(value).into()
        }
    }

    /// A floating-point column in full precision.
    pub(crate) fn real(self, column: impl IntoColumnRef) -> SimpleExpr {
        let column = Expr::col(column);
        if self.backend == DbBackend::Postgres {
            return column;
        }
        // SQLite writes only 15 digits in JSON.
        let digits = "iif(? IS NULL, NULL, printf('%!.17g', ?))";
        Expr::cust_with_exprs(digits, [column.clone(), column])
    }

    /// All rows as a JSON array in the order of a column. Without rows: null or an empty array.
    pub(crate) fn all(self, shape: Shape<'_>, order: &str) -> SimpleExpr {
        let value = match shape {
            Shape::Value(column) => column.to_owned(),
            Shape::List(columns) => format!("{}({})", self.build("array"), columns.join(", ")),
            Shape::Object(columns) => {
                let member = |column: &&str| format!("'{column}', {column}");
                let members: Vec<_> = columns.iter().map(member).collect();
                format!("{}({})", self.build("object"), members.join(", "))
            }
        };
        // sea-query has no order within an aggregate.
        if self.backend == DbBackend::Postgres {
            let list = Expr::cust(format!("json_agg({value} ORDER BY {order})"));
            Func::cast_as(list, "text").into()
        } else {
            // The concatenation turns the array into a text, which an outer array does not embed as
            // JSON.
            Expr::cust(format!("json_group_array({value} ORDER BY {order}) || ''"))
        }
    }

    /// The rows of a table whose column `key` is the ID of the selected record of `owner`.
    pub(crate) fn rows(
        self,
        (table, key): (&'static str, &'static str),
        owner: &'static str,
        shape: Shape<'_>,
        order: &str,
    ) -> SelectStatement {
        Query::select()
            .expr(self.all(shape, order))
            .from(table)
            .and_where(Expr::col((table, key)).equals((owner, RecordColumn::Id)))
            .take()
    }
}

/// A boolean column as 1 or 0, in both databases.
pub(crate) fn as_number(column: SimpleExpr) -> SimpleExpr {
    CaseStatement::new()
        .case(column, 1_i64)
        .finally(0_i64)
        .into()
}

/// Reads a text that [`Json`] made; null stands for nothing.
pub(crate) fn read_json<T: DeserializeOwned + Default>(
    text: Option<&str>,
) -> Result<T, StoreError> {
    let value = text.map(serde_json::from_str).transpose();
    let broken = |error| StoreError::Internal(format!("JSON of the database: {error}"));
    Ok(value.map_err(broken)?.unwrap_or_default())
}

impl Session {
    /// The JSON functions of this session's database.
    pub(crate) fn json(&self) -> Json {
        let backend = self.connection.get_database_backend();
        Json { backend }
    }
}
