//! Texts as they are shown in one language.

use domain::Language;
use sea_orm::{
    ExprTrait,
    sea_query::{Expr, Func, JoinType, SelectStatement, SimpleExpr},
};

/// The translation that a reader sees, in a statement that selects records.
const SHOWN: &str = "shown";

/// The texts of the records of a table as they are shown in one language.
pub(crate) struct LocalizedColumns {
    table: &'static str,
}

impl LocalizedColumns {
    /// Joins the table `translations` to a statement that selects from `table`, where `id` is the ID of the
    /// record.
    pub(crate) fn join(
        rows: &mut SelectStatement,
        (table, translations): (&'static str, &'static str),
        id: impl Into<SimpleExpr>,
        language: Language,
    ) -> Self {
        let same = Expr::col((SHOWN, "record_id"))
            .eq(id.into())
            .and(Expr::col((SHOWN, "language")).eq(language.code()));
        rows.join_as(JoinType::LeftJoin, translations, SHOWN, same);
        Self { table }
    }

    /// A text: that of the translation if it says one, else that of the original.
    pub(crate) fn column(&self, translated: &'static str, original: &'static str) -> SimpleExpr {
        let texts = [
            Expr::col((SHOWN, translated)),
            Expr::col((self.table, original)),
        ];
        Func::coalesce(texts).into()
    }
}
