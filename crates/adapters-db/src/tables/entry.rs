//! What events, venues and organizers share.

use app::{cpu_limiter, ports::StoreError};
use async_trait::async_trait;
use domain::{
    Entry, Id, Stage, Translation, Translations, UserId,
    entry::{Details, EntryId},
    html::RichText,
    search::Searchable,
    slug::Slug,
    text::{Title, fold},
};
use sea_orm::sea_query::SelectStatement;

use super::Table;
use crate::{
    connection::Connection,
    session::Session,
    sql::{ColumnValue, InsertBatch, Json, Row, Texts, optional_text, text},
};

/// The fields in which people search. Folding long texts takes time.
pub(super) fn folded<D: Details>(entry: &Entry<D>) -> Vec<String> {
    let bytes = entry.description.as_str().len() + entry.excerpt.as_str().len();
    cpu_limiter::run_unlimited(bytes, || entry.folded_fields())
}

/// The details of an entry, as its table sees them.
#[async_trait]
pub(crate) trait DetailsTable: Details {
    /// Name of the table.
    const TABLE: &'static str;
    /// See [`Table::TRANSLATIONS`].
    const TRANSLATIONS: &'static str;
    /// The columns that only this kind has.
    fn columns(entry: &Entry<Self>) -> Vec<ColumnValue>;

    /// The columns of a translation that only this kind has; the entry is as it is shown in that
    /// language.
    fn translation_columns(_shown: &Entry<Self>) -> Vec<ColumnValue> {
        Vec::new()
    }

    /// The columns of a row that only this kind has and that are read.
    const READ: &'static [&'static str];

    /// See [`Table::real_columns`].
    const REALS: &'static [&'static str] = &[];

    /// See [`Table::links`].
    fn links(_json: Json) -> Vec<(&'static str, SelectStatement)> {
        Vec::new()
    }

    /// The details of a row.
    fn read(row: &Row<'_>) -> Result<Self, StoreError>;

    /// See [`Table::linked_rows`].
    fn linked_rows(entry: &Entry<Self>, id: EntryId<Self>, rows: &mut InsertBatch);

    /// See [`Table::save_links`].
    async fn save_links<C: Connection>(
        session: &Session<C>,
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

    fn columns(&self) -> Vec<ColumnValue> {
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

    fn translation_columns(&self, translation: &Translation) -> Vec<ColumnValue> {
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

    fn translation_texts() -> Vec<&'static str> {
        let lines = D::LINES.iter().map(|line| line.name());
        ["former_slug", "excerpt"]
            .into_iter()
            .chain(lines)
            .collect()
    }

    fn read_translation(texts: &mut Texts, translation: &mut Translation) {
        translation.former_slug = texts.take("former_slug").map(Slug::from_stored);
        translation.excerpt = texts.take("excerpt").map(RichText::from_stored);
        for line in D::LINES {
            let shown = texts.take(line.name()).map(|shown| (*line, shown));
            translation.lines.extend(shown);
        }
    }

    fn read_columns() -> Vec<&'static str> {
        let shared = [
            "author_id",
            "stage",
            "date_utc",
            "date_is_chosen",
            "published_utc",
            "modified_utc",
            "language",
            "title",
            "slug",
            "former_slug",
            "description",
            "excerpt",
            "image_id",
        ];
        shared.into_iter().chain(D::READ.iter().copied()).collect()
    }

    fn real_columns() -> &'static [&'static str] {
        D::REALS
    }

    fn links(json: Json) -> Vec<(&'static str, SelectStatement)> {
        D::links(json)
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
            language: row.parse("language", str::parse)?,
            translations: Translations::default(),
            title: row.parse("title", str::parse::<Title>)?,
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

    fn linked_rows(&self, id: Id<Self>, rows: &mut InsertBatch) {
        D::linked_rows(self, id, rows);
    }

    async fn save_links<C: Connection>(
        session: &Session<C>,
        id: Id<Self>,
        before: Option<&Self>,
        after: Option<&Self>,
    ) -> Result<(), StoreError> {
        D::save_links(session, id, before, after).await
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
