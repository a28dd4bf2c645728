//! One implementation of the repository for all kinds of record.

use std::collections::{BTreeSet, HashMap, HashSet};

use app::ports::{Repository, SlugWishes, StoreError};
use async_trait::async_trait;
use domain::{Id, Stored, page::Page, query::Query as ListQuery, slug::Slug};
use sea_orm::{
    DbBackend, ExprTrait, QueryResult, Statement, Value,
    sea_query::{Expr, Query, SelectStatement, UnionType},
};

use crate::{
    error::store_error,
    row::Row,
    store::{Connection, Over},
    table::Table,
};

/// How often a record that keeps changing is read again.
const READS: usize = 5;

impl<C: Connection> Over<C> {
    /// The records that a selection of rows holds, in its order, with their links.
    ///
    /// That takes several statements. Outside of a unit of work a record may change between them, and
    /// the row that says who may read it must not come with texts of later: then it is read again.
    pub(crate) async fn load<R: Table>(
        &self,
        select: &SelectStatement,
    ) -> Result<Vec<Stored<R>>, StoreError> {
        let mut records = self.load_once::<R>(select).await?;
        if self.is_unit() {
            return Ok(records);
        }
        for _ in 0..READS {
            let changed = self.changed(&records).await?;
            if changed.is_empty() {
                return Ok(records);
            }
            let id = Expr::col((R::TABLE, "id"));
            let again = select
                .clone()
                .and_where(id.is_in(changed.iter().copied()))
                .take();
            let again = self.load_once::<R>(&again).await?;
            let mut again: HashMap<i64, Stored<R>> = again
                .into_iter()
                .map(|record| (record.id.get(), record))
                .collect();
            records = records
                .into_iter()
                .filter_map(|record| match record.id.get() {
                    id if changed.contains(&id) => again.remove(&id),
                    _ => Some(record),
                })
                .collect();
        }
        let text = "a record changes faster than it can be read";
        Err(StoreError::Unavailable(text.to_owned()))
    }

    /// Those of some records, as far as they do not lie in one row, that have another revision by now.
    async fn changed<R: Table>(&self, records: &[Stored<R>]) -> Result<HashSet<i64>, StoreError> {
        let mut read: HashMap<i64, i64> = records
            .iter()
            .filter(|record| R::LINKED || !record.translations().is_empty())
            .map(|record| (record.id.get(), record.revision))
            .collect();
        if read.is_empty() {
            return Ok(HashSet::new());
        }
        let select = Query::select()
            .columns(["id", "revision"])
            .from(R::TABLE)
            .and_where(Expr::col("id").is_in(read.keys().copied()))
            .take();
        let rows = self.connection.rows(&select).await?;
        for row in rows {
            let id: i64 = row.try_get("", "id").map_err(store_error)?;
            let revision: i64 = row.try_get("", "revision").map_err(store_error)?;
            if read.get(&id) == Some(&revision) {
                read.remove(&id);
            }
        }
        Ok(read.into_keys().collect())
    }

    async fn load_once<R: Table>(
        &self,
        select: &SelectStatement,
    ) -> Result<Vec<Stored<R>>, StoreError> {
        let rows = self.connection.rows(select).await?;
        let mut records = Vec::with_capacity(rows.len());
        let mut translated = Vec::new();
        for row in &rows {
            let record = read::<R>(row)?;
            if row.try_get("", "translated").map_err(store_error)? {
                translated.push(record.id.get());
            }
            records.push(record);
        }
        if !translated.is_empty() {
            self.load_translations(&mut records, &translated).await?;
        }
        if !records.is_empty() {
            R::load_links(self, &mut records).await?;
        }
        Ok(records)
    }

    async fn load_one<R: Table>(
        &self,
        select: &SelectStatement,
    ) -> Result<Option<Stored<R>>, StoreError> {
        Ok(self.load(select).await?.into_iter().next())
    }

    /// Keeps others from taking the same word before the transaction ends. SQLite has one writer
    /// anyway.
    pub(crate) async fn lock_word(&self, word: String) -> Result<(), StoreError> {
        if self.is_postgres() {
            let lock = Statement::from_sql_and_values(
                DbBackend::Postgres,
                "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
                [word.into()],
            );
            self.connection
                .execute_raw(lock)
                .await
                .map_err(store_error)?;
        }
        Ok(())
    }
}

fn read<R: Table>(result: &QueryResult) -> Result<Stored<R>, StoreError> {
    let row = Row {
        table: R::TABLE,
        result,
    };
    Ok(Stored {
        id: Id::from_raw(row.get("id")?),
        revision: row.get("revision")?,
        content: R::read(&row)?,
    })
}

fn select<R: Table>() -> SelectStatement {
    Query::select()
        .expr(Expr::col(sea_orm::sea_query::Asterisk))
        .from(R::TABLE)
        .take()
}

#[async_trait]
impl<R: Table, C: Connection> Repository<R> for Over<C> {
    async fn find(&self, id: Id<R>) -> Result<Option<Stored<R>>, StoreError> {
        self.load_one(select::<R>().and_where(Expr::col("id").eq(id.get())))
            .await
    }

    async fn find_for_update(&self, id: Id<R>) -> Result<Option<Stored<R>>, StoreError> {
        self.load_one(
            select::<R>()
                .and_where(Expr::col("id").eq(id.get()))
                .lock_exclusive(),
        )
        .await
    }

    async fn find_many(&self, ids: &[Id<R>]) -> Result<Vec<Stored<R>>, StoreError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let numbers = ids.iter().map(|id| id.get());
        let found = self
            .load(select::<R>().and_where(Expr::col("id").is_in(numbers)))
            .await?;
        let mut by_id: HashMap<Id<R>, Stored<R>> = found
            .into_iter()
            .map(|record| (record.id, record))
            .collect();
        Ok(ids.iter().filter_map(|id| by_id.remove(id)).collect())
    }

    async fn find_by_slug(&self, slug: &Slug) -> Result<Option<Id<R>>, StoreError> {
        Ok(self.slug_owner(R::KIND, slug).await?.map(Id::from_raw))
    }

    async fn find_named(&self, folded: &[String]) -> Result<Vec<Stored<R>>, StoreError> {
        if folded.is_empty() {
            return Ok(Vec::new());
        }
        let translated = Query::select()
            .column("record_id")
            .from(R::TRANSLATIONS)
            .and_where(Expr::col("title_key").is_in(folded))
            .take();
        // Each part follows an index; with an OR, PostgreSQL would read the whole table.
        let named = Query::select()
            .column("id")
            .from(R::TABLE)
            .and_where(Expr::col(R::NAME_KEY).is_in(folded))
            .union(UnionType::Distinct, translated)
            .take();
        self.load(
            select::<R>()
                .and_where(Expr::col("id").in_subquery(named))
                .order_by("id", sea_orm::sea_query::Order::Asc),
        )
        .await
    }

    async fn lock_names(&self, folded: &[String]) -> Result<(), StoreError> {
        // In one order, or two who take the same names could wait for each other.
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

    async fn insert(&self, mut content: R, slugs: SlugWishes) -> Result<Stored<R>, StoreError> {
        let wished = slugs.original.as_ref();
        content.set_slug(wished.map(|wish| wish.candidates()[0].clone()));
        let translated = !content.translations().is_empty() || !slugs.translations.is_empty();
        let columns = content.columns();
        let extra = content.creation_columns(&slugs);
        let (names, values): (Vec<_>, Vec<_>) = columns
            .into_iter()
            .chain(extra)
            .chain([
                ("revision", Value::from(1_i64)),
                ("translated", translated.into()),
            ])
            .unzip();
        let insert = Query::insert()
            .into_table(R::TABLE)
            .columns(names)
            .values_panic(values.into_iter().map(Expr::value))
            .returning_col("id")
            .take();
        let row = self.connection.row(&insert).await?;
        let row =
            row.ok_or_else(|| StoreError::Internal("an insertion answered no row".to_owned()))?;
        let id: i64 = row.try_get("", "id").map_err(store_error)?;
        let inserted = content.slug().cloned();
        self.take_slugs(id, None, &mut content, slugs).await?;
        if let Some(taken) = content
            .slug()
            .filter(|slug| Some(*slug) != inserted.as_ref())
        {
            let update = Query::update()
                .table(R::TABLE)
                .value("slug", taken.as_str())
                .and_where(Expr::col("id").eq(id))
                .take();
            self.connection.run(&update).await?;
        }
        self.save_translations(id, None, &content).await?;
        R::save_links(self, Id::from_raw(id), None, Some(&content)).await?;
        Ok(Stored {
            id: Id::from_raw(id),
            revision: 1,
            content,
        })
    }

    async fn update(
        &self,
        before: &Stored<R>,
        mut content: R,
        slugs: SlugWishes,
    ) -> Result<Stored<R>, StoreError> {
        let id = before.id.get();
        self.take_slugs(id, Some(&before.content), &mut content, slugs)
            .await?;
        let changed = content.columns().into_iter().zip(before.content.columns());
        let changed = changed.filter(|(new, old)| new != old).map(|(new, _)| new);
        let extra = content.change_columns(&before.content);
        let update = Query::update()
            .table(R::TABLE)
            .values(
                changed
                    .chain(extra)
                    .map(|(name, value)| (name, Expr::value(value))),
            )
            .value("revision", before.revision + 1)
            .value("translated", !content.translations().is_empty())
            .and_where(Expr::col("id").eq(id))
            .and_where(Expr::col("revision").eq(before.revision))
            .take();
        if self.connection.run(&update).await?.rows_affected() == 0 {
            return Err(StoreError::Conflict);
        }
        self.save_translations(id, Some(&before.content), &content)
            .await?;
        R::save_links(self, before.id, Some(&before.content), Some(&content)).await?;
        Ok(Stored {
            id: before.id,
            revision: before.revision + 1,
            content,
        })
    }

    async fn delete(&self, id: Id<R>) -> Result<bool, StoreError> {
        let Some(before) = Repository::<R>::find_for_update(self, id).await? else {
            return Ok(false);
        };
        R::save_links(self, id, Some(&before.content), None).await?;
        self.release_slugs(R::KIND, id.get()).await?;
        let delete = Query::delete()
            .from_table(R::TABLE)
            .and_where(Expr::col("id").eq(id.get()))
            .take();
        Ok(self.connection.run(&delete).await?.rows_affected() > 0)
    }
}
