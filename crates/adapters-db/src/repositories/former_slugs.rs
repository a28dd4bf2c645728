//! Slugs that records gave up: unique per kind, each with the last record that did.

use app::ports::StoreError;
use domain::{Kind, Language, slug::Slug};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, QueryTrait, sea_query::OnConflict,
};

use crate::{
    connection::Connection,
    entity::former_slug::{ActiveModel, Column, Entity},
    error::store_error,
    session::Session,
    sql::parse_column,
};

impl<C: Connection> Session<C> {
    /// Records the slugs that a record gave up. `slugs` are sorted, so that units of work that write the
    /// same slugs do not deadlock.
    pub(crate) async fn keep_former_slugs(
        &self,
        kind: Kind,
        id: i64,
        slugs: &[(Language, Slug)],
    ) -> Result<(), StoreError> {
        let rows = slugs.iter().map(|(language, slug)| ActiveModel {
            kind: Set(kind.name().to_owned()),
            slug: Set(slug.as_str().to_owned()),
            record_id: Set(id),
            language: Set(language.code().to_owned()),
        });
        let replace = OnConflict::columns([Column::Kind, Column::Slug])
            .update_columns([Column::RecordId, Column::Language])
            .to_owned();
        let insert = Entity::insert_many(rows).on_conflict(replace);
        self.connection.execute_deferred(&insert.into_query()).await
    }

    /// The record that was the last to give up a slug, and the language of the slug.
    pub(crate) async fn former_owner(
        &self,
        kind: Kind,
        slug: &Slug,
    ) -> Result<Option<(i64, Language)>, StoreError> {
        let key = (kind.name().to_owned(), slug.as_str().to_owned());
        let row = Entity::find_by_id(key)
            .one(&self.connection)
            .await
            .map_err(store_error)?;
        row.map(|row| {
            Ok((
                row.record_id,
                parse_column(Column::Language, &row.language)?,
            ))
        })
        .transpose()
    }

    /// Deletes all former slugs of a record.
    pub(crate) async fn forget_former_slugs(&self, kind: Kind, id: i64) -> Result<(), StoreError> {
        let delete = Entity::delete_many()
            .filter(Column::Kind.eq(kind.name()))
            .filter(Column::RecordId.eq(id));
        self.connection.execute_deferred(&delete.into_query()).await
    }
}
