//! The mapping between the records of each kind and the rows of their tables.

mod entry;
mod event;
mod links;
mod place_list;
mod record_query;
mod repetition;
mod series_scopes;
mod slug;
mod term;
mod ticket;
mod translations;

use app::ports::{SlugRequests, StoreError};
use domain::{Id, Language, Record, Stored, page::Page, query::Query as ListQuery};
use sea_orm::{
    EntityTrait, ExprTrait, IdenStatic, Iterable,
    sea_query::{Expr, Query, SelectStatement, SimpleExpr},
};

pub(crate) use self::{
    links::Links,
    record_query::{Extent, ROWS_READ, RecordQuery, is_read_with_record, read_record},
    repetition::{stored_neighbours, stored_repetition},
    slug::{owner_of_slug, slug_row},
    term::scheduled,
    translations::translation_rows,
};
use crate::{
    entity::{EntryColumn, RecordColumn},
    session::Session,
    sql::{ColumnValue, InsertBatch, Json, LocalizedColumns, Row},
};

/// The table and the ID of a category or a tag.
pub(crate) type TermKey = (&'static str, i64);

/// The tables of a kind of record.
#[derive(Clone, Copy)]
pub(crate) struct Tables {
    /// Name of the table of the records.
    records: &'static str,
    /// Name of the table of the translations.
    translations: &'static str,
    /// The columns that are read with a record.
    read_columns: fn(Json) -> Vec<(&'static str, SimpleExpr)>,
    /// All columns of the table of translations.
    translation_columns: fn() -> Vec<&'static str>,
}

impl Tables {
    fn of<R: EntityTrait, T: EntityTrait>() -> Self {
        Self {
            records: R::default().table_name(),
            translations: T::default().table_name(),
            read_columns: record_query::read_columns::<R>,
            translation_columns: || T::Column::iter().map(|column| column.as_str()).collect(),
        }
    }
}

/// The mapping of a kind of record to its tables.
pub(crate) trait Table: Record {
    /// The tables of this kind.
    fn tables() -> Tables;

    /// Name of the table.
    fn table() -> &'static str {
        Self::tables().records
    }

    /// Name of the table of translations.
    fn translations_table() -> &'static str {
        Self::tables().translations
    }

    /// Name of the column with the folded title or name.
    fn name_key() -> &'static str {
        EntryColumn::TitleKey.as_str()
    }

    /// The columns to write, always in the same order: all but the ID, the revision and
    /// `translated`.
    fn columns(&self) -> Vec<ColumnValue>;

    /// The text for searches, if a column of the record and of each translation has it. `self` is
    /// the record in that language.
    fn search_text(&self) -> Option<String> {
        None
    }

    /// Columns that are only written when a record is created.
    fn creation_columns(&self, _slugs: &SlugRequests) -> Vec<ColumnValue> {
        Vec::new()
    }

    /// Derived columns to rewrite when their inputs change.
    fn change_columns(&self, _before: &Self) -> Vec<ColumnValue> {
        Vec::new()
    }

    /// Queries of the rows of other tables. The result of each is a column with the given name.
    fn links(_json: Json) -> Vec<(&'static str, SelectStatement)> {
        Vec::new()
    }

    /// Reads the record of a row, without its translations.
    fn read(row: &Row<'_>) -> Result<Self, StoreError>;

    /// Whether its slugs are in the registry. Others follow from the slugs of another record.
    fn registers_slugs(&self) -> bool {
        true
    }

    /// Joins the texts in a language to a statement that selects records of this kind.
    fn localize(rows: &mut SelectStatement, language: Language) -> LocalizedColumns {
        let id = Expr::col((Self::table(), RecordColumn::Id));
        let tables = (Self::table(), Self::translations_table());
        LocalizedColumns::join(rows, tables, id, language)
    }

    /// The page that a query selects.
    fn page(
        session: &Session,
        query: &ListQuery<Self::Filter>,
    ) -> impl Future<Output = Result<Page<Id<Self>>, StoreError>> + Send;

    /// The records with some IDs, in their order, without those that do not exist.
    fn find_many(
        session: &Session,
        ids: &[Id<Self>],
    ) -> impl Future<Output = Result<Vec<Stored<Self>>, StoreError>> + Send {
        session.find_records(ids)
    }

    /// Locks the row of a record on PostgreSQL until the transaction ends.
    fn lock(
        session: &Session,
        id: Id<Self>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send {
        async move {
            let lock = Query::select()
                .column(RecordColumn::Id)
                .from(Self::table())
                .and_where(Expr::col(RecordColumn::Id).eq(id.get()))
                .lock_exclusive()
                .take();
            session.connection.rows(&lock).await.map(drop)
        }
    }

    /// Adds the rows of a record in other tables. The first column of each is the ID of the record.
    fn linked_rows(&self, _id: Id<Self>, _rows: &mut InsertBatch) {}

    /// The terms that count the record among their events.
    fn counted_terms(&self) -> Vec<TermKey> {
        Vec::new()
    }

    /// Updates other records of the same kind before the record is deleted.
    fn before_delete(
        &self,
        _session: &Session,
        _id: Id<Self>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send {
        async { Ok(()) }
    }

    /// Writes rows that depend on the record, after it was written. A new one was nothing before.
    fn after_write(
        &self,
        _before: Option<&Self>,
        _session: &Session,
        _id: Id<Self>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send {
        async { Ok(()) }
    }
}
