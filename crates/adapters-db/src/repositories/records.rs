//! The repository of every kind of record.

mod given_ids;

use std::collections::BTreeSet;

use app::ports::{Repository, SlugRequests, StoreError};
use async_trait::async_trait;
use domain::{
    Id, Language, Stored,
    index::{IndexEntry, IndexQuery},
    page::Page,
    query::Query as ListQuery,
    slug::Slug,
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, DbBackend, EntityTrait, ExprTrait, QueryFilter, QueryOrder, QueryTrait, Statement,
    sea_query::{Expr, Order, Query},
};

use crate::{
    cache::CacheKey,
    connection::{raw, sort_by_id},
    entity::{RecordColumn as Column, former_slug},
    session::{Session, replace},
    sql::{InsertBatch, parse_column, set},
    tables::{RecordQuery, Table, owner_of_slug, read_record, translation_rows},
};

impl Session {
    /// Takes an advisory lock on a word until the transaction ends. SQLite has only one writer and
    /// needs none.
    pub(crate) async fn lock_word(&self, word: String) -> Result<(), StoreError> {
        if self.is_postgres() {
            let lock = Statement::from_sql_and_values(
                DbBackend::Postgres,
                "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
                [word.into()],
            );
            raw::run(&self.connection, lock).await?;
        }
        Ok(())
    }

    /// Adds a record under an ID that is reserved for it, with its revision, or else under the next one.
    async fn insert_record<R: Table>(
        &self,
        given: Option<(Id<R>, i64)>,
        mut content: R,
        slugs: SlugRequests,
    ) -> Result<Stored<R>, StoreError> {
        if let Some(cache) = self.connection.name_cache() {
            cache.forget::<R>();
        }
        let translated = !content.translations().is_empty() || !slugs.translations.is_empty();
        let extra = content.creation_columns(&slugs);
        let request = slugs.original.as_ref();
        let revision = given.map_or(1, |(_, revision)| revision);
        let (id, slug) = self.take_id::<R>(given.map(|(id, _)| id), request).await?;
        let own = slug.iter().cloned().collect();
        content.set_slug(slug);
        self.take_translated_slugs(id, None, &mut content, slugs.translations, own)
            .await?;
        let columns = content.columns().into_iter().chain(extra).chain([
            set(Column::Id, id),
            set(Column::Revision, revision),
            set(Column::Translated, translated),
        ]);
        let mut rows = InsertBatch::default();
        rows.push(R::table(), columns);
        translation_rows(id, &content, &mut rows);
        content.linked_rows(Id::from_raw(id), &mut rows);
        rows.insert_record(self).await?;
        self.recount_terms(&[], &content.counted_terms()).await?;
        content.after_write(None, self, Id::from_raw(id)).await?;
        Ok(Stored {
            id: Id::from_raw(id),
            revision,
            content,
        })
    }
}

#[async_trait]
impl<R: Table> Repository<R> for Session {
    async fn find(&self, id: Id<R>) -> Result<Option<Stored<R>>, StoreError> {
        Ok(self.find_many(&[id]).await?.pop())
    }

    async fn find_for_update(&self, id: Id<R>) -> Result<Option<Stored<R>>, StoreError> {
        if self.is_postgres() {
            // Lock first, then read: a statement that waits for a lock sees the locked row as it is
            // after the wait, but other rows as they were before it.
            R::lock(self, id).await?;
        }
        self.prefetched.forget_records();
        Ok(self.find_many(&[id]).await?.pop())
    }

    async fn find_many(&self, ids: &[Id<R>]) -> Result<Vec<Stored<R>>, StoreError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        if let Some(found) = self.prefetched.look_up(ids) {
            return Ok(found);
        }
        R::find_many(self, ids).await
    }

    async fn find_by_slug(&self, slug: &Slug) -> Result<Option<Id<R>>, StoreError> {
        let key = CacheKey::Slug(R::table(), slug.as_str().to_owned());
        let cache = self.cache().await?;
        if let Some(id) = cache.and_then(|cache| cache.get(&key)) {
            // Only a change of the record itself can take its slug away.
            let owner = self.find(Id::from_raw(id)).await?;
            let owner = owner.filter(|owner: &Stored<R>| owner.slugs().any(|(_, one)| one == slug));
            if let Some(owner) = owner {
                return Ok(Some(owner.id));
            }
        }
        let owner = owner_of_slug(R::KIND, slug.as_str());
        let owner: Option<i64> = self.connection.value(&owner).await?;
        if let (Some(cache), Some(owner)) = (cache, owner) {
            cache.put(key, owner, 0);
        }
        Ok(owner.map(Id::from_raw))
    }

    async fn find_named(&self, folded: &[String]) -> Result<Vec<Stored<R>>, StoreError> {
        if folded.is_empty() {
            return Ok(Vec::new());
        }
        let cache = self.connection.name_cache();
        let found = match cache {
            Some(cache) => cache.find::<R>(folded),
            None => self.prefetched.take_named::<R>(folded),
        };
        if let Some(found) = found {
            return Ok(found);
        }
        let query = RecordQuery::named::<R>(self.json(), folded);
        let mut found = self.load(query, read_record::<R>).await?;
        sort_by_id(&mut found);
        if let Some(cache) = cache {
            cache.add(folded.to_vec(), &found);
        }
        Ok(found)
    }

    async fn lock_names(&self, folded: &[String]) -> Result<(), StoreError> {
        // A fixed order prevents deadlocks between two callers with the same names.
        for name in folded.iter().collect::<BTreeSet<_>>() {
            let kind = R::KIND.name();
            self.lock_word(format!("{kind}:{name}")).await?;
        }
        Ok(())
    }

    async fn lock_tree(&self) -> Result<(), StoreError> {
        self.lock_word(format!("{}/tree", R::KIND.name())).await
    }

    async fn page(&self, query: &ListQuery<R::Filter>) -> Result<Page<Id<R>>, StoreError> {
        R::page(self, query).await
    }

    async fn index(&self, query: &IndexQuery) -> Result<Page<IndexEntry<R>>, StoreError> {
        self.index_page(query).await
    }

    async fn insert(&self, content: R, slugs: SlugRequests) -> Result<Stored<R>, StoreError> {
        self.insert_record(None, content, slugs).await
    }

    async fn insert_at(
        &self,
        record: Stored<R>,
        slugs: SlugRequests,
    ) -> Result<Option<Stored<R>>, StoreError> {
        self.reserve_id::<R>(record.id.get()).await?;
        if !R::find_many(self, &[record.id]).await?.is_empty() {
            return Ok(None);
        }
        let given = Some((record.id, record.revision));
        let inserted = self.insert_record(given, record.content, slugs);
        inserted.await.map(Some)
    }

    async fn update(
        &self,
        before: &Stored<R>,
        mut content: R,
        slugs: SlugRequests,
    ) -> Result<Stored<R>, StoreError> {
        if let Some(cache) = self.connection.name_cache() {
            cache.forget_all();
        }
        self.prefetched.forget_records();
        let id = before.id.get();
        if content.registers_slugs() {
            self.take_slugs(id, &before.content, &mut content, slugs)
                .await?;
        }
        let changed = content.columns().into_iter().zip(before.content.columns());
        let changed = changed.filter(|(new, old)| new != old).map(|(new, _)| new);
        let extra = content.change_columns(&before.content);
        let update = Query::update()
            .table(R::table())
            .values(
                changed
                    .chain(extra)
                    .map(|(name, value)| (name, Expr::value(value))),
            )
            .value(Column::Revision, before.revision + 1)
            .value(Column::Translated, !content.translations().is_empty())
            .and_where(Expr::col(Column::Id).eq(id))
            .and_where(Expr::col(Column::Revision).eq(before.revision))
            .returning_col(Column::Id)
            .take();
        if self.connection.row(&update).await?.is_none() {
            return Err(StoreError::Conflict);
        }
        self.save_translations(id, &before.content, &content)
            .await?;
        let [mut old, mut new] = [InsertBatch::default(), InsertBatch::default()];
        before.content.linked_rows(before.id, &mut old);
        content.linked_rows(before.id, &mut new);
        new.replace(old, self).await?;
        self.recount_terms(&before.content.counted_terms(), &content.counted_terms())
            .await?;
        content
            .after_write(Some(&before.content), self, before.id)
            .await?;
        Ok(Stored {
            id: before.id,
            revision: before.revision + 1,
            content,
        })
    }

    async fn give_up_slugs(&self, id: Id<R>, slugs: &[(Language, Slug)]) -> Result<(), StoreError> {
        let rows = slugs
            .iter()
            .map(|(language, slug)| former_slug::ActiveModel {
                kind: Set(R::KIND.name().to_owned()),
                slug: Set(slug.as_str().to_owned()),
                record_id: Set(id.get()),
                language: Set(language.code().to_owned()),
            });
        let insert = former_slug::Entity::insert_many(rows);
        let insert = insert.on_conflict(replace::<former_slug::Entity>());
        self.connection.execute_deferred(&insert.into_query()).await
    }

    async fn find_by_former_slug(
        &self,
        slug: &Slug,
    ) -> Result<Option<(Id<R>, Language)>, StoreError> {
        let key = (R::KIND.name().to_owned(), slug.as_str().to_owned());
        let row = self.one(former_slug::Entity::find_by_id(key)).await?;
        row.map(|row| {
            let language = parse_column(former_slug::Column::Language, &row.language)?;
            Ok((Id::from_raw(row.record_id), language))
        })
        .transpose()
    }

    async fn ids_after(
        &self,
        after: Option<Id<R>>,
        limit: usize,
    ) -> Result<Vec<Id<R>>, StoreError> {
        let select = Query::select()
            .column(Column::Id)
            .from(R::table())
            .and_where_option(after.map(|after| Expr::col(Column::Id).gt(after.get())))
            .order_by(Column::Id, Order::Asc)
            .limit(limit as u64)
            .take();
        self.ids(&select).await
    }

    async fn former_slugs(
        &self,
        ids: &[Id<R>],
    ) -> Result<Vec<(Id<R>, Language, Slug)>, StoreError> {
        let raw: Vec<i64> = ids.iter().map(|id| id.get()).collect();
        let rows = former_slug::Entity::find()
            .filter(former_slug::Column::Kind.eq(R::KIND.name()))
            .filter(self.json().is_one_of(former_slug::Column::RecordId, &raw))
            .order_by_asc(former_slug::Column::RecordId)
            .order_by_asc(former_slug::Column::Slug);
        let rows = self.all(rows).await?.into_iter().map(|row| {
            let language = parse_column(former_slug::Column::Language, &row.language)?;
            let slug = Slug::from_stored(row.slug);
            Ok((Id::from_raw(row.record_id), language, slug))
        });
        rows.collect()
    }

    async fn keep(&self, id: Id<R>) -> Result<Option<String>, StoreError> {
        self.record_text(id).await
    }

    async fn kept(&self, text: &str) -> Result<Option<Stored<R>>, StoreError> {
        self.of_record_text(text)
    }

    async fn delete(&self, id: Id<R>) -> Result<bool, StoreError> {
        let Some(before) = Repository::<R>::find_for_update(self, id).await? else {
            return Ok(false);
        };
        if let Some(cache) = self.connection.name_cache() {
            cache.forget_all();
        }
        let mut old = InsertBatch::default();
        before.content.linked_rows(id, &mut old);
        InsertBatch::default().replace(old, self).await?;
        self.recount_terms(&before.content.counted_terms(), &[])
            .await?;
        before.content.before_delete(self, id).await?;
        self.release_slugs(R::KIND, id.get(), None).await?;
        let former = former_slug::Entity::delete_many()
            .filter(former_slug::Column::Kind.eq(R::KIND.name()))
            .filter(former_slug::Column::RecordId.eq(id.get()));
        let former = former.into_query();
        self.connection.execute_deferred(&former).await?;
        let delete = Query::delete()
            .from_table(R::table())
            .and_where(Expr::col(Column::Id).eq(id.get()))
            .take();
        self.connection.execute_deferred(&delete).await?;
        Ok(true)
    }
}
