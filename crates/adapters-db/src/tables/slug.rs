//! The registry of slugs, as statements see it.

use domain::{Kind, slug::Slug};
use sea_orm::{
    ExprTrait,
    sea_query::{Expr, Query, SelectStatement},
};

use crate::sql::{ColumnValue, text};

/// What stands in the registry for a slug that a record has.
pub(crate) fn slug_row(kind: Kind, id: i64, slug: &Slug) -> [ColumnValue; 3] {
    [
        text("kind", kind.name()),
        text("slug", slug.as_str()),
        ("record_id", id.into()),
    ]
}

/// Selects the ID of the record that has a slug.
pub(crate) fn owner_of_slug(kind: Kind, slug: &Slug) -> SelectStatement {
    Query::select()
        .column("record_id")
        .from("slug")
        .and_where(Expr::col("kind").eq(kind.name()))
        .and_where(Expr::col("slug").eq(slug.as_str()))
        .take()
}
