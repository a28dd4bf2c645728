//! JSON that a database writes: with it, what belongs to a record but lies in rows of other tables is a
//! column of the record's own row.
//!
//! A record is read in one statement, so that all of it is of one moment: what says who may read it never
//! comes with texts of later.

use sea_orm::{
    DbBackend, ExprTrait,
    sea_query::{Expr, Func, Query, SelectStatement, SimpleExpr},
};

use crate::{connection::Connection, session::Session};

/// How a database writes JSON.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Json {
    pub(crate) backend: DbBackend,
}

/// What becomes of each row.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape<'a> {
    /// The value of a column.
    Value(&'static str),
    /// A list of the values of columns.
    List(&'a [&'static str]),
    /// The values of columns by name.
    Object(&'a [&'static str]),
}

impl Json {
    /// Whether a column holds one of some IDs. They are one value: however many they are, the statement
    /// reads the same, so that the database knows it already.
    pub(crate) fn is_one_of(self, column: (&'static str, &'static str), ids: &[i64]) -> SimpleExpr {
        let ids: Vec<_> = ids.iter().map(i64::to_string).collect();
        let ids = ids.join(",");
        let column = Expr::col(column);
        if self.backend == DbBackend::Postgres {
            let listed = "$1 = ANY(string_to_array($2, ',')::bigint[])";
            Expr::cust_with_exprs(listed, [column, Expr::val(ids)])
        } else {
            let listed = "? IN (SELECT value FROM json_each(?))";
            Expr::cust_with_exprs(listed, [column, Expr::val(format!("[{ids}]"))])
        }
    }

    /// The values of a column as the text of a list, as the rows come.
    pub(crate) fn list(self, column: &'static str) -> SimpleExpr {
        self.gathered(Expr::col(column))
    }

    /// All rows of a selection as the text of a list of lists of values, in no order; null or an empty
    /// list if there are none.
    pub(crate) fn table(self, values: Vec<SimpleExpr>) -> SimpleExpr {
        let row = match self.backend {
            DbBackend::Postgres => "json_build_array",
            _ => "json_array",
        };
        self.gathered(Func::cust(row).args(values))
    }

    /// A value of all rows of a selection, as the text of a list.
    fn gathered(self, value: impl Into<SimpleExpr>) -> SimpleExpr {
        if self.backend == DbBackend::Postgres {
            Func::cast_as(Func::cust("json_agg").arg(value), "text").into()
        } else {
            Func::cust("json_group_array").arg(value).into()
        }
    }

    /// A column with numbers that have fractions, to the last digit.
    pub(crate) fn real(self, column: (&'static str, &'static str)) -> SimpleExpr {
        let column = || Expr::col(column);
        if self.backend == DbBackend::Postgres {
            return column();
        }
        // In JSON, SQLite writes fifteen digits.
        let digits = "iif(? IS NULL, NULL, printf('%!.17g', ?))";
        Expr::cust_with_exprs(digits, [column(), column()])
    }

    /// All rows of a selection as the text of a list, in the order of a column; null or an empty list if
    /// there are none.
    pub(crate) fn all(self, shape: Shape<'_>, order: &str) -> SimpleExpr {
        let postgres = self.backend == DbBackend::Postgres;
        let value = match shape {
            Shape::Value(column) => column.to_owned(),
            Shape::List(columns) => {
                let list = if postgres {
                    "json_build_array"
                } else {
                    "json_array"
                };
                format!("{list}({})", columns.join(", "))
            }
            Shape::Object(columns) => {
                let object = if postgres {
                    "json_build_object"
                } else {
                    "json_object"
                };
                let members: Vec<_> = columns
                    .iter()
                    .map(|column| format!("'{column}', {column}"))
                    .collect();
                format!("{object}({})", members.join(", "))
            }
        };
        // The order within an aggregate is nothing that sea-query could say.
        if postgres {
            let list = Expr::cust(format!("json_agg({value} ORDER BY {order})"));
            Func::cast_as(list, "text").into()
        } else {
            // Text, and no part of a text around it.
            Expr::cust(format!("json_group_array({value} ORDER BY {order}) || ''"))
        }
    }

    /// The rows of a table whose column `key` names the record of `owner` that is being selected.
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
            .and_where(Expr::col((table, key)).equals((owner, "id")))
            .take()
    }
}

impl<C: Connection> Session<C> {
    /// How the database of this session writes JSON.
    pub(crate) fn json(&self) -> Json {
        let backend = self.connection.get_database_backend();
        Json { backend }
    }
}
