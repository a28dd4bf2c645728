//! Slugs that records gave up: unique per kind, each with the last record that did.

use app::ports::StoreError;
use domain::{Kind, Language, slug::Slug};
use sea_orm::{
    ExprTrait,
    sea_query::{Expr, OnConflict, Query, SelectStatement},
};

use crate::{
    connection::Connection,
    error::{broken_row, store_error},
    session::Session,
};

const TABLE: &str = "former_slug";

/// Selects the record that was the last to give up a slug.
fn last_owner(kind: Kind, slug: &Slug) -> SelectStatement {
    Query::select()
        .columns(["record_id", "language"])
        .from(TABLE)
        .and_where(Expr::col("kind").eq(kind.name()))
        .and_where(Expr::col("slug").eq(slug.as_str()))
        .take()
}

impl<C: Connection> Session<C> {
    /// Notes that a record gave up some slugs. They come in the order of slugs, so that no two units of
    /// work that write the same ones wait for each other.
    pub(crate) async fn keep_former_slugs(
        &self,
        kind: Kind,
        id: i64,
        slugs: &[(Language, Slug)],
    ) -> Result<(), StoreError> {
        let mut insert = Query::insert()
            .into_table(TABLE)
            .columns(["kind", "slug", "record_id", "language"])
            .on_conflict(
                OnConflict::columns(["kind", "slug"])
                    .update_columns(["record_id", "language"])
                    .to_owned(),
            )
            .take();
        for (language, slug) in slugs {
            insert.values_panic([
                kind.name().into(),
                slug.as_str().into(),
                id.into(),
                language.code().into(),
            ]);
        }
        self.connection.execute_deferred(&insert).await
    }

    /// The record that was the last to give up a slug, and the language that the slug was in.
    pub(crate) async fn former_owner(
        &self,
        kind: Kind,
        slug: &Slug,
    ) -> Result<Option<(i64, Language)>, StoreError> {
        let Some(row) = self.connection.row(&last_owner(kind, slug)).await? else {
            return Ok(None);
        };
        let id: i64 = row.try_get("", "record_id").map_err(store_error)?;
        let code: String = row.try_get("", "language").map_err(store_error)?;
        let language = code.parse();
        let language = language.map_err(|_| broken_row(TABLE, "language", &code))?;
        Ok(Some((id, language)))
    }

    /// Forgets all slugs that a record gave up.
    pub(crate) async fn forget_former_slugs(&self, kind: Kind, id: i64) -> Result<(), StoreError> {
        let delete = Query::delete()
            .from_table(TABLE)
            .and_where(Expr::col("kind").eq(kind.name()))
            .and_where(Expr::col("record_id").eq(id))
            .take();
        self.connection.execute_deferred(&delete).await
    }
}
