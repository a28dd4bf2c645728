//! The mapping between the records of each kind and the rows of their tables.

mod entry;
mod event;
mod links;
mod organizer;
mod place;
mod record_query;
mod repetition;
mod series_scopes;
mod slug;
mod term;
mod ticket;
mod translations;
mod venue;

use app::ports::{SlugRequests, StoreError};
use domain::{Id, Language, Record, Translation, slug::Slug};
use sea_orm::{
    DynIden, EntityName, EntityTrait,
    sea_query::{Expr, SelectStatement},
};

pub(crate) use self::{
    entry::{stage, stage_name},
    links::Links,
    place::{PlaceTable, list as places},
    record_query::{ROWS_READ, RecordQuery, read_record},
    repetition::stored_repetition,
    slug::{owner_of_slug, slug_row},
    term::{TermTable, counts_events, list as terms, scheduled},
    translations::translation_rows,
};
use crate::{
    entity::RecordColumn,
    session::Session,
    sql::{ColumnValue, InsertBatch, Json, LocalizedColumns, Row, Texts},
};

/// The table and the ID of a category or a tag.
pub(crate) type TermKey = (&'static str, i64);

/// The mapping of a kind of record to its tables.
pub(crate) trait Table: Record {
    /// The table of the records.
    type Entity: EntityTrait;
    /// The table of the translations.
    type Translations: EntityTrait;

    /// Name of the table.
    fn table() -> &'static str {
        Self::Entity::default().table_name()
    }

    /// Name of the table of translations.
    fn translations_table() -> &'static str {
        Self::Translations::default().table_name()
    }

    /// The column with the folded title or name.
    fn name_key() -> DynIden;

    /// The columns to write, always in the same order: all but the ID, the revision and
    /// `translated`.
    fn columns(&self) -> Vec<ColumnValue>;

    /// The columns of a translation that not all kinds have. `self` is the record in that language.
    fn translation_columns(&self, _translation: &Translation) -> Vec<ColumnValue> {
        Vec::new()
    }

    /// Reads the columns of a translation that not all kinds have.
    fn read_translation(_texts: &mut Texts, _translation: &mut Translation) {}

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

    /// Sets the slug of the original.
    fn set_slug(&mut self, slug: Option<Slug>);

    /// Joins the texts in a language to a statement that selects records of this kind.
    fn localize(rows: &mut SelectStatement, language: Language) -> LocalizedColumns {
        let id = Expr::col((Self::table(), RecordColumn::Id));
        let tables = (Self::table(), Self::translations_table());
        LocalizedColumns::join(rows, tables, id, language)
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
