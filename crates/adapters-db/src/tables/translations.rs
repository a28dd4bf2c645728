//! Texts in other languages: a table beside that of each kind of record, with a row a language.

use std::{collections::HashMap, fmt::Display};

use app::ports::StoreError;
use domain::{
    Language, Translation, Translations,
    html::RichText,
    slug::Slug,
    text::{Title, fold},
};
use sea_orm::{
    EntityTrait, ExprTrait, IdenStatic, Iterable,
    sea_query::{CaseStatement, Expr, Query, SimpleExpr},
};

use super::Table;
use crate::{
    entity::{RecordColumn, TranslationColumn as Column},
    error::broken_row,
    session::Session,
    sql::{ColumnValue, InsertBatch, Json, Row, Shape, Texts, set},
};

impl Session {
    /// Writes the translations of a record that differ from those before, or show something else
    /// because the original changed.
    pub(crate) async fn save_translations<R: Table>(
        &self,
        id: i64,
        before: &R,
        after: &R,
    ) -> Result<(), StoreError> {
        for language in Language::ALL {
            let before = columns(before, language);
            let after = columns(after, language);
            if before == after {
                continue;
            }
            if before.is_some() {
                let delete = Query::delete()
                    .from_table(R::translations_table())
                    .and_where(Expr::col(Column::RecordId).eq(id))
                    .and_where(Expr::col(Column::Language).eq(language.code()))
                    .take();
                self.connection.execute_deferred(&delete).await?;
            }
            let Some(columns) = after else { continue };
            let mut rows = InsertBatch::default();
            rows.push(R::translations_table(), keyed(id, language, columns));
            rows.insert(self).await?;
        }
        Ok(())
    }
}

/// The rows of the translations of a new record.
pub(crate) fn translation_rows<R: Table>(id: i64, record: &R, rows: &mut InsertBatch) {
    for language in Language::ALL {
        if let Some(columns) = columns(record, language) {
            rows.push(R::translations_table(), keyed(id, language, columns));
        }
    }
}

/// The columns of a translation with those that tell of what it is one.
fn keyed(
    id: i64,
    language: Language,
    columns: Vec<ColumnValue>,
) -> impl Iterator<Item = ColumnValue> {
    let key = [
        set(Column::RecordId, id),
        set(Column::Language, language.code()),
    ];
    key.into_iter().chain(columns)
}

/// The columns of the translation into a language, if the record has one.
fn columns<R: Table>(record: &R, language: Language) -> Option<Vec<ColumnValue>> {
    let translation = record.translations().get(language)?;
    let shown = record.clone().localized(language);
    let Translation {
        title,
        slug,
        former_slug: _,
        description,
        excerpt: _,
        text_fields: _,
    } = translation;
    let mut columns = vec![
        set(Column::Title, title.as_ref().map(Title::as_str)),
        set(Column::TitleKey, fold(shown.title().as_str())),
        set(Column::Slug, slug.as_ref().map(Slug::as_str)),
        set(
            Column::Description,
            description.as_ref().map(RichText::as_str),
        ),
    ];
    columns.extend(shown.translation_columns(translation));
    Some(columns)
}

/// The name of the column with the translations of the record that is being selected.
pub(crate) const COLUMN: &str = "translations";

/// All of them. Most records have none: then none are looked for.
pub(crate) fn value<R: Table>(json: Json) -> SimpleExpr {
    let derived =
        [Column::RecordId, Column::TitleKey, Column::SearchText].map(|column| column.as_str());
    let columns = <R::Translations as EntityTrait>::Column::iter().map(|column| column.as_str());
    let columns: Vec<_> = columns.filter(|column| !derived.contains(column)).collect();
    let key = (R::translations_table(), Column::RecordId.as_str());
    let rows = json.rows(
        key,
        R::table(),
        Shape::Object(&columns),
        Column::Language.as_str(),
    );
    let rows = SimpleExpr::SubQuery(None, Box::new(rows.into()));
    let translated = Expr::col((R::table(), RecordColumn::Translated));
    CaseStatement::new().case(translated, rows).into()
}

/// Reads them.
pub(crate) fn read<R: Table>(row: &Row<'_>) -> Result<Translations, StoreError> {
    let translations: Vec<HashMap<String, Option<String>>> = row.list(COLUMN)?;
    translations
        .into_iter()
        .map(Texts)
        .map(read_one::<R>)
        .collect()
}

fn read_one<R: Table>(mut texts: Texts) -> Result<(Language, Translation), StoreError> {
    let broken =
        |column: Column, error: &dyn Display| broken_row(R::translations_table(), column, error);
    let language = texts.take(Column::Language.as_str()).unwrap_or_default();
    let title = texts.take(Column::Title.as_str());
    let title = title.map(|title| title.parse::<Title>()).transpose();
    let mut translation = Translation {
        title: title.map_err(|error| broken(Column::Title, &error))?,
        slug: texts.take(Column::Slug.as_str()).map(Slug::from_stored),
        description: texts
            .take(Column::Description.as_str())
            .map(RichText::from_stored),
        ..Translation::default()
    };
    R::read_translation(&mut texts, &mut translation);
    let language = language
        .parse()
        .map_err(|_| broken(Column::Language, &language))?;
    Ok((language, translation))
}
