//! Rows and queries of the slug registry.

use domain::{Kind, slug::Slug};
use sea_orm::{
    ExprTrait,
    sea_query::{Expr, Query, SelectStatement},
};

use crate::entity::slug::{self, Column};

/// The row of a slug that a record has.
pub(crate) fn slug_row(kind: Kind, id: i64, slug: &Slug) -> slug::Model {
    slug::Model {
        kind: kind.name().to_owned(),
        slug: slug.as_str().to_owned(),
        record_id: id,
    }
}

/// Selects the ID of the record that has a slug.
pub(crate) fn owner_of_slug(kind: Kind, slug: impl Into<Expr>) -> SelectStatement {
    Query::select()
        .column(Column::RecordId)
        .from(slug::Entity)
        .and_where(Expr::col(Column::Kind).eq(kind.name()))
        .and_where(Expr::col(Column::Slug).eq(slug))
        .take()
}
