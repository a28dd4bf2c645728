//! What events, venues and organizers share.

use app::ports::StoreError;
use async_trait::async_trait;
use domain::{
    Entry, Id, Language, Stage, Stored, UserId,
    entry::{Details, EntryId},
    html::RichText,
    query::Query,
    slug::Slug,
    text::{Title, fold},
    translation::{Translation, Translations},
};

use super::{Column, Table, optional_text, text};
use crate::{
    page::List,
    row::Row,
    rows::Rows,
    store::{Connection, Over},
};

/// The details of an entry, as its table sees them.
#[async_trait]
pub(crate) trait DetailsTable: Details {
    /// Name of the table.
    const TABLE: &'static str;
    /// See [`Table::TRANSLATIONS`].
    const TRANSLATIONS: &'static str;
    /// See [`Table::LINKED`].
    const LINKED: bool = false;

    /// The columns that only this kind has.
    fn columns(entry: &Entry<Self>) -> Vec<Column>;

    /// The columns of a translation that only this kind has; the entry is as it is shown in that
    /// language.
    fn translation_columns(_shown: &Entry<Self>) -> Vec<Column> {
        Vec::new()
    }

    /// The details of a row.
    fn read(row: &Row<'_>) -> Result<Self, StoreError>;

    /// See [`Table::list`].
    fn list(query: &Query<Self::Filter>) -> List;

    /// See [`Table::linked_rows`].
    fn linked_rows(entry: &Entry<Self>, id: EntryId<Self>, rows: &mut Rows);

    /// See [`Table::load_links`].
    async fn load_links<C: Connection>(
        _over: &Over<C>,
        _entries: &mut [Stored<Entry<Self>>],
    ) -> Result<(), StoreError> {
        Ok(())
    }

    /// See [`Table::save_links`].
    async fn save_links<C: Connection>(
        over: &Over<C>,
        id: EntryId<Self>,
        before: Option<&Entry<Self>>,
        after: Option<&Entry<Self>>,
    ) -> Result<(), StoreError>;
}

#[async_trait]
impl<D: DetailsTable> Table for Entry<D> {
    const TABLE: &'static str = D::TABLE;
    const NAME_KEY: &'static str = "title_key";
    const TRANSLATIONS: &'static str = D::TRANSLATIONS;
    const LINKED: bool = D::LINKED;

    fn columns(&self) -> Vec<Column> {
        let Self {
            author,
            stage,
            date,
            date_is_chosen,
            published_at,
            modified,
            language,
            translations: _,
            title,
            slug,
            former_slug,
            description,
            excerpt,
            image,
            details: _,
        } = self;
        let mut columns = vec![
            ("author_id", author.get().into()),
            text("stage", stage_name(*stage)),
            ("date_utc", date.seconds().into()),
            ("date_is_chosen", (*date_is_chosen).into()),
            (
                "published_utc",
                published_at.map(domain::time::Timestamp::seconds).into(),
            ),
            ("modified_utc", modified.seconds().into()),
            text("language", language.code()),
            text("title", title.as_str()),
            text("title_key", fold(title.as_str())),
            optional_text("slug", slug.as_ref().map(Slug::as_str)),
            optional_text("former_slug", former_slug.as_ref().map(Slug::as_str)),
            text("description", description.as_str()),
            text("excerpt", excerpt.as_str()),
            ("image_id", image.map(Id::get).into()),
        ];
        columns.extend(D::columns(self));
        columns
    }

    fn translation_columns(&self, translation: &Translation) -> Vec<Column> {
        let mut columns = vec![
            optional_text(
                "former_slug",
                translation.former_slug.as_ref().map(Slug::as_str),
            ),
            optional_text(
                "excerpt",
                translation.excerpt.as_ref().map(RichText::as_str),
            ),
        ];
        let lines = D::LINES.iter();
        columns.extend(lines.map(|line| optional_text(line.name(), translation.lines.get(line))));
        columns.extend(D::translation_columns(self));
        columns
    }

    fn read_translation(row: &Row<'_>, translation: &mut Translation) -> Result<(), StoreError> {
        let text = |column| row.get::<Option<String>>(column);
        translation.former_slug = text("former_slug")?.map(Slug::from_stored);
        translation.excerpt = text("excerpt")?.map(RichText::from_stored);
        for line in D::LINES {
            let shown = text(line.name())?.map(|shown| (*line, shown));
            translation.lines.extend(shown);
        }
        Ok(())
    }

    fn read(row: &Row<'_>) -> Result<Self, StoreError> {
        let slug =
            |column| Ok::<_, StoreError>(row.get::<Option<String>>(column)?.map(Slug::from_stored));
        Ok(Self {
            author: UserId::from_raw(row.get("author_id")?),
            stage: row.word("stage", stage)?,
            date: row.moment("date_utc")?,
            date_is_chosen: row.get("date_is_chosen")?,
            published_at: row.optional_moment("published_utc")?,
            modified: row.moment("modified_utc")?,
            language: row.word("language", Language::from_code)?,
            translations: Translations::default(),
            title: row.parse("title", Title::parse)?,
            slug: slug("slug")?,
            former_slug: slug("former_slug")?,
            description: RichText::from_stored(row.get("description")?),
            excerpt: RichText::from_stored(row.get("excerpt")?),
            image: row.get::<Option<i64>>("image_id")?.map(Id::from_raw),
            details: D::read(row)?,
        })
    }

    fn set_slug(&mut self, slug: Option<Slug>) {
        self.slug = slug;
    }

    fn list(query: &Query<Self::Filter>) -> List {
        D::list(query)
    }

    fn linked_rows(&self, id: Id<Self>, rows: &mut Rows) {
        D::linked_rows(self, id, rows);
    }

    async fn load_links<C: Connection>(
        over: &Over<C>,
        records: &mut [Stored<Self>],
    ) -> Result<(), StoreError> {
        D::load_links(over, records).await
    }

    async fn save_links<C: Connection>(
        over: &Over<C>,
        id: Id<Self>,
        before: Option<&Self>,
        after: Option<&Self>,
    ) -> Result<(), StoreError> {
        D::save_links(over, id, before, after).await
    }
}

/// The word that stands for a stage.
pub(crate) fn stage_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Published => "published",
        Stage::Draft => "draft",
        Stage::Pending => "pending",
        Stage::Private => "private",
        Stage::Trashed => "trashed",
    }
}

fn stage(word: &str) -> Option<Stage> {
    let stages = [
        Stage::Published,
        Stage::Draft,
        Stage::Pending,
        Stage::Private,
        Stage::Trashed,
    ];
    stages.into_iter().find(|stage| stage_name(*stage) == word)
}
