//! Lists that the database writes as one text.
//!
//! A driver takes longer for a row than for a kilobyte of text, above all on SQLite, where rows
//! come from another thread one by one.

use sea_orm::sea_query::{Expr, Func, SelectStatement, SimpleExpr};

use crate::session::Session;

/// The functions of a database that make lists.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextList {
    is_postgres: bool,
}

impl TextList {
    /// The values of all rows, in no order, separated by commas.
    pub(crate) fn of(self, value: SimpleExpr) -> SimpleExpr {
        if self.is_postgres {
            let value = Func::cast_as(value, "text").into();
            Func::cust("string_agg")
                .args([value, Expr::cust("','")])
                .into()
        } else {
            Func::cust("group_concat").arg(value).into()
        }
    }

    /// A number, a colon and another value.
    pub(crate) fn pair(self, number: SimpleExpr, value: SimpleExpr) -> SimpleExpr {
        let pair = if self.is_postgres {
            "($1) || ':' || ($2)"
        } else {
            "(?) || ':' || (?)"
        };
        Expr::cust_with_exprs(pair, [number, value])
    }

    /// Bytes in hexadecimal digits.
    pub(crate) fn hex(self, bytes: SimpleExpr) -> SimpleExpr {
        if self.is_postgres {
            Func::cust("encode")
                .args([bytes, Expr::cust("'hex'")])
                .into()
        } else {
            Func::cust("hex").arg(bytes).into()
        }
    }

    /// Whether a column holds one of the values of a query, which is run once. PostgreSQL would
    /// join the query, and might read the whole table of the column.
    pub(crate) fn is_one_of(self, column: SimpleExpr, values: SelectStatement) -> SimpleExpr {
        let values = SimpleExpr::from(values);
        let is_one = if self.is_postgres {
            "$1 = ANY (ARRAY $2)"
        } else {
            "? IN ?"
        };
        Expr::cust_with_exprs(is_one, [column, values])
    }
}

impl Session {
    /// The functions of this session's database that make lists.
    pub(crate) fn text_list(&self) -> TextList {
        TextList {
            is_postgres: self.is_postgres(),
        }
    }
}
