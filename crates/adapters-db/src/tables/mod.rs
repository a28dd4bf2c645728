//! How each kind of record lies in tables.

mod entry;
mod event;
mod links;
mod organizer;
mod place;
mod record_query;
mod slug;
mod term;
mod ticket;
mod translations;
mod venue;

use app::ports::{SlugRequests, StoreError};
use async_trait::async_trait;
use domain::{Id, Language, Record, Translation, slug::Slug, web_url::WebUrl};
use sea_orm::sea_query::{Expr, SelectStatement};

pub(crate) use self::{
    entry::DetailsTable,
    event::counted_terms,
    links::{CATEGORIES, Links, ORGANIZERS, TAGS},
    place::list as places,
    record_query::{Columns, RecordQuery, read_record},
    slug::{owner_of_slug, slug_row},
    term::{CATEGORY_PATH, TermTable, list as terms, scheduled},
    ticket::TABLE as TICKETS,
    translations::translation_rows,
};

use crate::{
    connection::Connection,
    error::broken_row,
    session::Session,
    sql::{ColumnValue, InsertBatch, Json, LocalizedColumns, Row, Texts},
};

/// A kind of record, as its table sees it.
#[async_trait]
pub(crate) trait Table: Record {
    /// Name of the table.
    const TABLE: &'static str;
    /// The column with the folded title or name.
    const NAME_KEY: &'static str;
    /// The table of its translations.
    const TRANSLATIONS: &'static str;

    /// All columns but ID, revision and whether it is translated, always in the same order.
    fn columns(&self) -> Vec<ColumnValue>;

    /// The columns of a translation but those that all kinds have; `self` is the record as it is
    /// shown in that language.
    fn translation_columns(&self, _translation: &Translation) -> Vec<ColumnValue> {
        Vec::new()
    }

    /// Those of these columns that are read again.
    fn translation_texts() -> Vec<&'static str> {
        Vec::new()
    }

    /// What stands in these.
    fn read_translation(_texts: &mut Texts, _translation: &mut Translation) {}

    /// Columns that only a creation fills.
    fn creation_columns(&self, _slugs: &SlugRequests) -> Vec<ColumnValue> {
        Vec::new()
    }

    /// Columns that a change of something else spoils.
    fn change_columns(&self, _before: &Self) -> Vec<ColumnValue> {
        Vec::new()
    }

    /// The columns of its row that are read. Some are only searched, and can be long.
    fn read_columns() -> Vec<&'static str>;

    /// Those beside them that hold numbers with fractions.
    fn real_columns() -> &'static [&'static str] {
        &[]
    }

    /// What lies in tables of links, each as a column under a name.
    fn links(_json: Json) -> Vec<(&'static str, SelectStatement)> {
        Vec::new()
    }

    /// The content of a row with these columns, without translations.
    fn read(row: &Row<'_>) -> Result<Self, StoreError>;

    /// Gives it a slug.
    fn set_slug(&mut self, slug: Option<Slug>);

    /// Joins the texts in a language to a statement that selects records of this kind.
    fn localize(rows: &mut SelectStatement, language: Language) -> LocalizedColumns {
        let id = Expr::col((Self::TABLE, "id"));
        LocalizedColumns::join(rows, (Self::TABLE, Self::TRANSLATIONS), id, language)
    }

    /// The rows of a new record in other tables.
    fn linked_rows(&self, _id: Id<Self>, _rows: &mut InsertBatch) {}

    /// Writes what lies in other tables; `before` is none for a new record, `after` for one that is
    /// about to be deleted.
    async fn save_links<C: Connection>(
        _over: &Session<C>,
        _id: Id<Self>,
        _before: Option<&Self>,
        _after: Option<&Self>,
    ) -> Result<(), StoreError> {
        Ok(())
    }
}

/// The web site of an event, a venue or an organizer.
fn website(row: &Row<'_>) -> Result<Option<WebUrl>, StoreError> {
    let url: Option<String> = row.get("website")?;
    url.as_deref()
        .map(str::parse::<WebUrl>)
        .transpose()
        .map_err(|error| broken_row(row.table, "website", error))
}
