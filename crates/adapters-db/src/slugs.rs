//! The registry of slugs: unique per kind, by a key of the database and never by looking first.

use std::collections::HashSet;

use app::ports::{SlugWish, StoreError};
use domain::{Kind, slug::Slug};
use sea_orm::{
    ExprTrait,
    sea_query::{Expr, OnConflict, Query, SelectStatement},
};

use crate::{
    error::store_error,
    free_number::{FreeNumber, Heard},
    store::{Connection, Over},
    table::{Column, text},
};

/// What stands in the registry for a slug that a record has.
pub(crate) fn slug_row(kind: Kind, id: i64, slug: &Slug) -> [Column; 3] {
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

impl<C: Connection> Over<C> {
    /// Takes the slug that a wish leads to.
    pub(crate) async fn take_slug(
        &self,
        kind: Kind,
        id: i64,
        wish: &SlugWish,
    ) -> Result<Slug, StoreError> {
        for slug in wish.candidates() {
            if !slug.is_reserved() && self.try_slug(kind, id, slug).await? {
                return Ok(slug.clone());
            }
        }
        // Somebody else may take a number between the look and the attempt: then look again.
        loop {
            let slug = self.free_slug(kind, id, wish.last()).await?;
            if self.try_slug(kind, id, &slug).await? {
                return Ok(slug);
            }
        }
    }

    /// A slug with a number that nobody else has.
    async fn free_slug(&self, kind: Kind, id: i64, slug: &Slug) -> Result<Slug, StoreError> {
        let mut search = FreeNumber::default();
        loop {
            let asked = search.asks();
            let numbered: Vec<_> = asked.iter().map(|n| slug.numbered(*n)).collect();
            let taken = self.taken_slugs(kind, id, &numbered).await?;
            let free = numbered
                .iter()
                .position(|slug| !taken.contains(slug.as_str()));
            match search.hears(&asked, free) {
                Heard::Free(number) => return Ok(slug.numbered(number)),
                Heard::Nearer => {}
                Heard::NoneLeft => {
                    let text = format!("no slug is left like {slug}");
                    return Err(StoreError::Internal(text));
                }
            }
        }
    }

    /// Gives a slug back.
    pub(crate) async fn release_slug(
        &self,
        kind: Kind,
        id: i64,
        slug: &Slug,
    ) -> Result<(), StoreError> {
        let delete = Query::delete()
            .from_table("slug")
            .and_where(Expr::col("kind").eq(kind.name()))
            .and_where(Expr::col("slug").eq(slug.as_str()))
            .and_where(Expr::col("record_id").eq(id))
            .take();
        self.connection.run(&delete).await?;
        Ok(())
    }

    /// Gives all slugs of a record back.
    pub(crate) async fn release_slugs(&self, kind: Kind, id: i64) -> Result<(), StoreError> {
        let delete = Query::delete()
            .from_table("slug")
            .and_where(Expr::col("kind").eq(kind.name()))
            .and_where(Expr::col("record_id").eq(id))
            .take();
        self.connection.run(&delete).await?;
        Ok(())
    }

    /// The record that has a slug.
    pub(crate) async fn slug_owner(
        &self,
        kind: Kind,
        slug: &Slug,
    ) -> Result<Option<i64>, StoreError> {
        let row = self.connection.row(&owner_of_slug(kind, slug)).await?;
        row.map(|row| row.try_get("", "record_id").map_err(store_error))
            .transpose()
    }

    async fn try_slug(&self, kind: Kind, id: i64, slug: &Slug) -> Result<bool, StoreError> {
        let (columns, row): (Vec<_>, Vec<_>) = slug_row(kind, id, slug).into_iter().unzip();
        let insert = Query::insert()
            .into_table("slug")
            .columns(columns)
            .values_panic(row.into_iter().map(Expr::value))
            // Not an error: within a transaction of PostgreSQL that would end it.
            .on_conflict(
                OnConflict::columns(["kind", "slug"])
                    .do_nothing()
                    .to_owned(),
            )
            .take();
        let inserted = self.connection.run(&insert).await?.rows_affected() == 1;
        Ok(inserted || self.slug_owner(kind, slug).await? == Some(id))
    }

    /// Those of some slugs that other records have.
    async fn taken_slugs(
        &self,
        kind: Kind,
        id: i64,
        slugs: &[Slug],
    ) -> Result<HashSet<String>, StoreError> {
        let select = Query::select()
            .column("slug")
            .from("slug")
            .and_where(Expr::col("kind").eq(kind.name()))
            .and_where(Expr::col("slug").is_in(slugs.iter().map(Slug::as_str)))
            .and_where(Expr::col("record_id").ne(id))
            .take();
        let rows = self.connection.rows(&select).await?;
        rows.iter()
            .map(|row| row.try_get("", "slug").map_err(store_error))
            .collect()
    }
}
