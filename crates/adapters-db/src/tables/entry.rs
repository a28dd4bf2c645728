//! The columns that events, venues and organizers share.

use app::{
    cpu_limiter,
    ports::{SlugRequests, StoreError},
};
use domain::{
    Entry, Id, Stage, Translation, Translations,
    entry::{Details, EntryId},
    html::RichText,
    search::Searchable,
    slug::Slug,
    text::fold,
    time::Timestamp,
};
use sea_orm::{
    DynIden, EntityTrait, IdenStatic,
    sea_query::{IntoIden, SelectStatement},
};

use super::{Table, TermKey};
use crate::{
    entity::EntryColumn as Column,
    session::Session,
    sql::{ColumnValue, InsertBatch, Json, Row, Texts, set},
};

/// The folded fields that searches read. Folding long texts takes CPU time.
pub(super) fn folded<D: Details>(entry: &Entry<D>) -> Vec<String> {
    let bytes = entry.description.as_str().len() + entry.excerpt.as_str().len();
    cpu_limiter::run_unlimited(bytes, || entry.folded_fields())
}

/// The mapping of the details of an entry to the columns and tables of its kind.
pub(crate) trait DetailsTable: Details {
    /// The table of the entries.
    type Entity: EntityTrait;
    /// The table of the translations.
    type Translations: EntityTrait;

    /// The columns that only this kind has.
    fn columns(entry: &Entry<Self>) -> Vec<ColumnValue>;

    /// The columns of a translation that only this kind has. `shown` is the entry in that language.
    fn translation_columns(_shown: &Entry<Self>) -> Vec<ColumnValue> {
        Vec::new()
    }

    /// The kind's part of [`Table::links`].
    fn links(_json: Json) -> Vec<(&'static str, SelectStatement)> {
        Vec::new()
    }

    /// Reads the details of a row.
    fn read(row: &Row<'_>) -> Result<Self, StoreError>;

    /// The kind's part of [`Table::linked_rows`].
    fn linked_rows(entry: &Entry<Self>, id: EntryId<Self>, rows: &mut InsertBatch);

    /// The kind's part of [`Table::creation_columns`].
    fn creation_columns(_entry: &Entry<Self>) -> Vec<ColumnValue> {
        Vec::new()
    }

    /// The kind's part of [`Table::change_columns`].
    fn change_columns(_entry: &Entry<Self>, _before: &Entry<Self>) -> Vec<ColumnValue> {
        Vec::new()
    }

    /// The kind's part of [`Table::before_delete`].
    fn before_delete(
        _entry: &Entry<Self>,
        _session: &Session,
        _id: EntryId<Self>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send {
        async { Ok(()) }
    }

    /// The kind's part of [`Table::after_write`].
    fn after_write(
        _entry: &Entry<Self>,
        _before: Option<&Entry<Self>>,
        _session: &Session,
        _id: EntryId<Self>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send {
        async { Ok(()) }
    }

    /// The kind's part of [`Table::registers_slugs`].
    fn registers_slugs(_entry: &Entry<Self>) -> bool {
        true
    }

    /// The kind's part of [`Table::counted_terms`].
    fn counted_terms(_entry: &Entry<Self>) -> Vec<TermKey> {
        Vec::new()
    }
}

impl<D: DetailsTable> Table for Entry<D> {
    type Entity = D::Entity;
    type Translations = D::Translations;

    fn name_key() -> DynIden {
        Column::TitleKey.into_iden()
    }

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
            set(Column::AuthorId, author.get()),
            set(Column::Stage, stage_name(*stage)),
            set(Column::DateUtc, date.seconds()),
            set(Column::DateIsChosen, *date_is_chosen),
            set(Column::PublishedUtc, published_at.map(Timestamp::seconds)),
            set(Column::ModifiedUtc, modified.seconds()),
            set(Column::Language, language.code()),
            set(Column::Title, title.as_str()),
            set(Column::TitleKey, fold(title.as_str())),
            set(Column::Slug, slug.as_ref().map(Slug::as_str)),
            set(Column::FormerSlug, former_slug.as_ref().map(Slug::as_str)),
            set(Column::Description, description.as_str()),
            set(Column::Excerpt, excerpt.as_str()),
            set(Column::ImageId, image.map(Id::get)),
        ];
        columns.extend(D::columns(self));
        columns
    }

    fn translation_columns(&self, translation: &Translation) -> Vec<ColumnValue> {
        let mut columns = vec![
            set(
                Column::FormerSlug,
                translation.former_slug.as_ref().map(Slug::as_str),
            ),
            set(
                Column::Excerpt,
                translation.excerpt.as_ref().map(RichText::as_str),
            ),
        ];
        columns.extend(D::TEXT_FIELDS.iter().map(|field| {
            let text = translation.text_fields.get(field);
            set(field.name(), text.map(String::as_str))
        }));
        columns.extend(D::translation_columns(self));
        columns
    }

    fn read_translation(texts: &mut Texts, translation: &mut Translation) {
        translation.former_slug = texts
            .take(Column::FormerSlug.as_str())
            .map(Slug::from_stored);
        translation.excerpt = texts
            .take(Column::Excerpt.as_str())
            .map(RichText::from_stored);
        for field in D::TEXT_FIELDS {
            let text = texts.take(field.name()).map(|text| (*field, text));
            translation.text_fields.extend(text);
        }
    }

    fn links(json: Json) -> Vec<(&'static str, SelectStatement)> {
        D::links(json)
    }

    fn read(row: &Row<'_>) -> Result<Self, StoreError> {
        let slug = |column: Column| {
            Ok::<_, StoreError>(row.get::<Option<String>>(column)?.map(Slug::from_stored))
        };
        Ok(Self {
            author: row.get(Column::AuthorId)?,
            stage: row.word(Column::Stage, stage)?,
            date: row.moment(Column::DateUtc)?,
            date_is_chosen: row.get(Column::DateIsChosen)?,
            published_at: row.optional_moment(Column::PublishedUtc)?,
            modified: row.moment(Column::ModifiedUtc)?,
            language: row.parse(Column::Language)?,
            translations: Translations::default(),
            title: row.parse(Column::Title)?,
            slug: slug(Column::Slug)?,
            former_slug: slug(Column::FormerSlug)?,
            description: RichText::from_stored(row.get(Column::Description)?),
            excerpt: RichText::from_stored(row.get(Column::Excerpt)?),
            image: row.get(Column::ImageId)?,
            details: D::read(row)?,
        })
    }

    fn registers_slugs(&self) -> bool {
        D::registers_slugs(self)
    }

    fn set_slug(&mut self, slug: Option<Slug>) {
        self.slug = slug;
    }

    fn linked_rows(&self, id: Id<Self>, rows: &mut InsertBatch) {
        D::linked_rows(self, id, rows);
    }

    fn counted_terms(&self) -> Vec<TermKey> {
        D::counted_terms(self)
    }

    fn creation_columns(&self, _slugs: &SlugRequests) -> Vec<ColumnValue> {
        D::creation_columns(self)
    }

    fn change_columns(&self, before: &Self) -> Vec<ColumnValue> {
        D::change_columns(self, before)
    }

    async fn before_delete(&self, session: &Session, id: Id<Self>) -> Result<(), StoreError> {
        D::before_delete(self, session, id).await
    }

    async fn after_write(
        &self,
        before: Option<&Self>,
        session: &Session,
        id: Id<Self>,
    ) -> Result<(), StoreError> {
        D::after_write(self, before, session, id).await
    }
}

/// The word of a stage in the database.
pub(crate) fn stage_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Published => "published",
        Stage::Draft => "draft",
        Stage::Pending => "pending",
        Stage::Private => "private",
        Stage::Trashed => "trashed",
    }
}

/// The stage of a word in the database.
pub(crate) fn stage(word: &str) -> Option<Stage> {
    let stages = [
        Stage::Published,
        Stage::Draft,
        Stage::Pending,
        Stage::Private,
        Stage::Trashed,
    ];
    stages.into_iter().find(|stage| stage_name(*stage) == word)
}
