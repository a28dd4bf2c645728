//! How each kind of record lies in tables.

mod entry;
mod event;
mod organizer;
mod place;
mod term;
mod ticket;
mod venue;

use app::ports::{SlugRequests, StoreError};
use async_trait::async_trait;
use domain::{
    Id, Record, page::Page, query::Query, slug::Slug, translation::Translation, web_url::WebUrl,
};
use sea_orm::{Value, sea_query::SelectStatement};

pub(crate) use entry::DetailsTable;
pub(crate) use event::{CATEGORIES, Links, ORGANIZERS, TAGS, counted_terms};
pub(crate) use term::{CATEGORY_PATH, TermTable, scheduled};
pub(crate) use ticket::TABLE as TICKETS;

use crate::{
    error::broken_row,
    json::Json,
    over::{Connection, Over},
    row::Row,
    rows::Rows,
    translations::Texts,
};

/// A column and what shall stand in it.
pub(crate) type Column = (&'static str, Value);

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
    fn columns(&self) -> Vec<Column>;

    /// The columns of a translation but those that all kinds have; `self` is the record as it is
    /// shown in that language.
    fn translation_columns(&self, _translation: &Translation) -> Vec<Column> {
        Vec::new()
    }

    /// Those of these columns that are read again.
    fn translation_texts() -> Vec<&'static str> {
        Vec::new()
    }

    /// What stands in these.
    fn read_translation(_texts: &mut Texts, _translation: &mut Translation) {}

    /// Columns that only a creation fills.
    fn creation_columns(&self, _slugs: &SlugRequests) -> Vec<Column> {
        Vec::new()
    }

    /// Columns that a change of something else spoils.
    fn change_columns(&self, _before: &Self) -> Vec<Column> {
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

    /// The page that a query asks for.
    async fn page<C: Connection>(
        over: &Over<C>,
        query: &Query<Self::Filter>,
    ) -> Result<Page<Id<Self>>, StoreError>;

    /// The rows of a new record in other tables.
    fn linked_rows(&self, _id: Id<Self>, _rows: &mut Rows) {}

    /// Writes what lies in other tables; `before` is none for a new record, `after` for one that is
    /// about to be deleted.
    async fn save_links<C: Connection>(
        _over: &Over<C>,
        _id: Id<Self>,
        _before: Option<&Self>,
        _after: Option<&Self>,
    ) -> Result<(), StoreError> {
        Ok(())
    }
}

/// A text column that is empty where there is nothing.
pub(crate) fn text(name: &'static str, value: impl AsRef<str>) -> Column {
    (name, value.as_ref().into())
}

/// A text column that is null where there is nothing.
pub(crate) fn optional_text(name: &'static str, value: Option<impl AsRef<str>>) -> Column {
    (name, value.map(|value| value.as_ref().to_owned()).into())
}

/// The web site of an event, a venue or an organizer.
fn website(row: &Row<'_>) -> Result<Option<WebUrl>, StoreError> {
    let url: Option<String> = row.get("website")?;
    url.as_deref()
        .map(WebUrl::parse)
        .transpose()
        .map_err(|error| broken_row(row.table, "website", error))
}
