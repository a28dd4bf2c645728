//! Texts in the language of the reader.

use domain::Language;
use sea_orm::{
    DynIden, ExprTrait, Iden,
    sea_query::{Expr, Func, IntoIden, IntoTableRef, JoinType, SelectStatement, SimpleExpr},
};

use crate::entity::TranslationColumn;

/// The alias of the joined translation.
const SHOWN: &str = "shown";

/// The texts of a table's records in one language.
pub(crate) struct LocalizedColumns {
    table: DynIden,
}

impl LocalizedColumns {
    /// Joins the table `translations` to a statement that selects from `table`, where `id` is the
    /// ID of the record.
    pub(crate) fn join(
        rows: &mut SelectStatement,
        (table, translations): (impl Iden, impl IntoTableRef),
        id: impl Into<SimpleExpr>,
        language: Language,
    ) -> Self {
        let same = Expr::col((SHOWN, TranslationColumn::RecordId))
            .eq(id.into())
            .and(Expr::col((SHOWN, TranslationColumn::Language)).eq(language.code()));
        rows.join_as(JoinType::LeftJoin, translations, SHOWN, same);
        Self {
            table: table.into_iden(),
        }
    }

    /// A text of the translation, or that of the original if the translation has none.
    pub(crate) fn column(&self, translated: impl Iden, original: impl Iden) -> SimpleExpr {
        let texts = [
            Expr::col((SHOWN, translated)),
            Expr::col((self.table.clone(), original)),
        ];
        Func::coalesce(texts).into()
    }
}
