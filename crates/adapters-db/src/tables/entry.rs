//! The columns that events, venues and organizers share.

use app::{cpu_limiter, ports::StoreError};
use domain::{
    Entry, Id, Translations, entry::Details, html::RichText, slug::Slug, text::fold,
    time::Timestamp,
};

use crate::{
    entity::EntryColumn as Column,
    sql::{ColumnValue, Row, set},
};

/// The folded fields that searches read. Folding long texts takes CPU time.
pub(super) fn folded<D: Details>(entry: &Entry<D>) -> Vec<String> {
    let bytes = entry.description.as_str().len() + entry.excerpt.as_str().len();
    cpu_limiter::run_unlimited(bytes, || entry.folded_fields())
}

/// The columns to write.
pub(super) fn columns<D: Details>(entry: &Entry<D>) -> Vec<ColumnValue> {
    let Entry {
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
    } = entry;
    vec![
        set(Column::AuthorId, author.get()),
        set(Column::Stage, stage.name()),
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
    ]
}

/// Reads an entry, without its translations.
pub(super) fn read<D: Details>(
    row: &Row<'_>,
    details: impl FnOnce(&Row<'_>) -> Result<D, StoreError>,
) -> Result<Entry<D>, StoreError> {
    let slug = |column: Column| {
        Ok::<_, StoreError>(row.get::<Option<String>>(column)?.map(Slug::from_stored))
    };
    Ok(Entry {
        author: row.get(Column::AuthorId)?,
        stage: row.word(Column::Stage, |word| word.parse().ok())?,
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
        details: details(row)?,
    })
}
