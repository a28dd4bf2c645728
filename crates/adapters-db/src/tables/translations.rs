//! Texts in other languages: a table beside that of each kind of record, with a row a language.

use std::{collections::HashMap, fmt::Display};

use app::ports::StoreError;
use domain::{
    Language, TextField, Translation, Translations,
    html::RichText,
    slug::Slug,
    text::{InvalidTitle, Title, fold},
};
use sea_orm::{
    ExprTrait, IdenStatic, Value,
    sea_query::{CaseStatement, Expr, Query, SimpleExpr},
};

use super::Table;
use crate::{
    entity::{RecordColumn, TranslationColumn as Column},
    error::broken_row,
    session::Session,
    sql::{ColumnValue, InsertBatch, Json, Row, Shape, set},
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
            let before = row(id, before, language);
            let after = row(id, after, language);
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
            let Some(row) = after else { continue };
            let mut rows = InsertBatch::default();
            rows.push(R::translations_table(), row);
            rows.insert(self).await?;
        }
        Ok(())
    }
}

/// The rows of the translations of a new record.
pub(crate) fn translation_rows<R: Table>(id: i64, record: &R, rows: &mut InsertBatch) {
    for language in Language::ALL {
        if let Some(row) = row(id, record, language) {
            rows.push(R::translations_table(), row);
        }
    }
}

/// The row of the translation into a language, if the record has one.
fn row<R: Table>(id: i64, record: &R, language: Language) -> Option<Vec<ColumnValue>> {
    let Translation {
        title,
        slug,
        former_slug,
        description,
        excerpt,
        text_fields,
    } = record.translations().get(language)?;
    let shown = record.clone().localized(language);
    let value = |name: &'static str| -> Value {
        match name.parse() {
            Ok(Column::RecordId) => id.into(),
            Ok(Column::Language) => language.code().into(),
            Ok(Column::Title) => title.as_ref().map(Title::as_str).into(),
            Ok(Column::TitleKey) => fold(shown.title().as_str()).into(),
            Ok(Column::Slug) => slug.as_ref().map(Slug::as_str).into(),
            Ok(Column::Description) => description.as_ref().map(RichText::as_str).into(),
            Ok(Column::FormerSlug) => former_slug.as_ref().map(Slug::as_str).into(),
            Ok(Column::Excerpt) => excerpt.as_ref().map(RichText::as_str).into(),
            Ok(Column::SearchText) => shown.search_text().into(),
            // The other columns are named like the text fields.
            Err(_) => {
                let mut fields = text_fields.iter();
                let text = fields.find(|(field, _)| field.name() == name);
                text.map(|(_, text)| text.as_str()).into()
            }
        }
    };
    let columns = (R::tables().translation_columns)().into_iter();
    Some(columns.map(|name| set(name, value(name))).collect())
}

/// The name of the column with the translations of the record that is being selected.
pub(crate) const COLUMN: &str = "translations";

/// All of them. Most records have none: then none are looked for.
pub(crate) fn value<R: Table>(json: Json) -> SimpleExpr {
    let derived =
        [Column::RecordId, Column::TitleKey, Column::SearchText].map(|column| column.as_str());
    let mut columns = (R::tables().translation_columns)();
    columns.retain(|column| !derived.contains(column));
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
    translations.into_iter().map(read_one::<R>).collect()
}

fn read_one<R: Table>(
    mut texts: HashMap<String, Option<String>>,
) -> Result<(Language, Translation), StoreError> {
    let broken =
        |column: Column, error: &dyn Display| broken_row(R::translations_table(), column, error);
    let mut take = |name: &str| texts.remove(name).flatten();
    let language = take(Column::Language.as_str()).unwrap_or_default();
    let title = take(Column::Title.as_str());
    let title = title.map(|title| title.parse()).transpose();
    let fields = TextField::ALL.into_iter();
    let translation = Translation {
        title: title.map_err(|error: InvalidTitle| broken(Column::Title, &error))?,
        slug: take(Column::Slug.as_str()).map(Slug::from_stored),
        former_slug: take(Column::FormerSlug.as_str()).map(Slug::from_stored),
        description: take(Column::Description.as_str()).map(RichText::from_stored),
        excerpt: take(Column::Excerpt.as_str()).map(RichText::from_stored),
        text_fields: fields
            .filter_map(|field| Some((field, take(field.name())?)))
            .collect(),
    };
    let language = language
        .parse()
        .map_err(|_| broken(Column::Language, &language))?;
    Ok((language, translation))
}
