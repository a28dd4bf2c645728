//! Texts in other languages: a table beside that of each kind of record, with a row a language.

use std::{
    collections::{BTreeMap, HashMap},
    fmt::Display,
};

use app::ports::{SlugRequest, SlugRequests, StoreError};
use domain::{
    Language,
    html::RichText,
    slug::Slug,
    text::{Title, fold},
    translation::{Translation, Translations},
};
use sea_orm::{
    ExprTrait,
    sea_query::{CaseStatement, Expr, Func, JoinType, Query, SelectStatement, SimpleExpr},
};

use crate::{
    error::broken_row,
    json::{Json, Shape},
    over::{Connection, Over},
    row::Row,
    rows::Rows,
    slugs::OwnSlugs,
    table::{Column, Table, optional_text, text},
};

/// The translation that a reader sees, in a statement that selects records.
const SHOWN: &str = "shown";

/// The texts of the records of a table as they are shown in one language.
pub(crate) struct Shown {
    table: &'static str,
}

impl Shown {
    /// Joins the translations into a language to the records that a statement selects.
    pub(crate) fn join<R: Table>(rows: &mut SelectStatement, language: Language) -> Self {
        Self::join_copies::<R>(rows, R::TABLE, Expr::col((R::TABLE, "id")), language)
    }

    /// The same for a table with copies of texts of the records, whose IDs are told.
    pub(crate) fn join_copies<R: Table>(
        rows: &mut SelectStatement,
        table: &'static str,
        id: SimpleExpr,
        language: Language,
    ) -> Self {
        let same = Expr::col((SHOWN, "record_id"))
            .eq(id)
            .and(Expr::col((SHOWN, "language")).eq(language.code()));
        rows.join_as(JoinType::LeftJoin, R::TRANSLATIONS, SHOWN, same);
        Self { table }
    }

    /// A text: that of the translation if it says one, else that of the original.
    pub(crate) fn column(&self, translated: &'static str, original: &'static str) -> SimpleExpr {
        let texts = [
            Expr::col((SHOWN, translated)),
            Expr::col((self.table, original)),
        ];
        Func::coalesce(texts).into()
    }
}

impl<C: Connection> Over<C> {
    /// Gives the content of a record, which was `before`, the slugs that the
    /// wishes lead to, and gives those back that it no longer has.
    pub(crate) async fn take_slugs<R: Table>(
        &self,
        id: i64,
        before: &R,
        content: &mut R,
        wishes: SlugRequests,
    ) -> Result<(), StoreError> {
        let mut own = OwnSlugs::of(before);
        let present = before.slug();
        let slug = match wishes.original {
            Some(wish) => {
                let taken = self.take_slug(R::KIND, id, &wish, present, &mut own);
                Some(taken.await?)
            }
            None => present.cloned(),
        };
        content.set_slug(slug);
        self.take_translated_slugs(id, Some(before), content, wishes.translations, own)
            .await?;
        let old = before.slugs().map(|(_, slug)| slug);
        let freed = old.filter(|old| content.slugs().all(|(_, slug)| slug != *old));
        for slug in freed.cloned().collect::<Vec<_>>() {
            self.release_slug(R::KIND, id, &slug).await?;
        }
        Ok(())
    }

    /// So for its translations; `own` are the slugs that the record has already.
    pub(crate) async fn take_translated_slugs<R: Table>(
        &self,
        id: i64,
        before: Option<&R>,
        content: &mut R,
        mut wishes: BTreeMap<Language, SlugRequest>,
        mut own: OwnSlugs,
    ) -> Result<(), StoreError> {
        for language in Language::ALL {
            let kept = before.and_then(|before| before.translations().get(language)?.slug.clone());
            let wish = wishes.remove(&language);
            if wish.is_none() && content.translations().get(language).is_none() {
                continue;
            }
            let mut translation = content.translations_mut().take(language);
            translation.slug = match wish {
                Some(wish) => {
                    let taken = self.take_slug(R::KIND, id, &wish, kept.as_ref(), &mut own);
                    Some(taken.await?)
                }
                None => kept.filter(|_| translation.slug.is_some()),
            };
            content.translations_mut().put(language, translation);
        }
        Ok(())
    }

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
                    .from_table(R::TRANSLATIONS)
                    .and_where(Expr::col("record_id").eq(id))
                    .and_where(Expr::col("language").eq(language.code()))
                    .take();
                self.connection.later(&delete).await?;
            }
            let Some(columns) = after else { continue };
            let mut rows = Rows::default();
            rows.push(R::TRANSLATIONS, keyed(id, language, columns));
            rows.insert(self).await?;
        }
        Ok(())
    }
}

/// The rows of the translations of a new record.
pub(crate) fn translation_rows<R: Table>(id: i64, record: &R, rows: &mut Rows) {
    for language in Language::ALL {
        if let Some(columns) = columns(record, language) {
            rows.push(R::TRANSLATIONS, keyed(id, language, columns));
        }
    }
}

/// The columns of a translation with those that tell of what it is one.
fn keyed(id: i64, language: Language, columns: Vec<Column>) -> impl Iterator<Item = Column> {
    let key = [("record_id", id.into()), text("language", language.code())];
    key.into_iter().chain(columns)
}

/// What stands in the row of a translation, if there is one into this language.
fn columns<R: Table>(record: &R, language: Language) -> Option<Vec<Column>> {
    let translation = record.translations().get(language)?;
    let shown = record.clone().localized(language);
    let Translation {
        title,
        slug,
        former_slug: _,
        description,
        excerpt: _,
        lines: _,
    } = translation;
    let mut columns = vec![
        optional_text("title", title.as_ref().map(Title::as_str)),
        text("title_key", fold(shown.title().as_str())),
        optional_text("slug", slug.as_ref().map(Slug::as_str)),
        optional_text("description", description.as_ref().map(RichText::as_str)),
    ];
    columns.extend(shown.translation_columns(translation));
    Some(columns)
}

/// What a translation says, by column; what it leaves to the original is absent.
pub(crate) struct Texts(HashMap<String, Option<String>>);

impl Texts {
    /// The text of a column.
    pub(crate) fn take(&mut self, column: &str) -> Option<String> {
        self.0.remove(column).flatten()
    }
}

/// The name of the column with the translations of the record that is being selected.
pub(crate) const COLUMN: &str = "translations";

/// All of them. Most records have none: then none are looked for.
pub(crate) fn value<R: Table>(json: Json) -> SimpleExpr {
    let mut columns = vec!["language", "title", "slug", "description"];
    columns.extend(R::translation_texts());
    let key = (R::TRANSLATIONS, "record_id");
    let rows = json.rows(key, R::TABLE, Shape::Object(&columns), "language");
    let rows = SimpleExpr::SubQuery(None, Box::new(rows.into()));
    let translated = Expr::col((R::TABLE, "translated"));
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
    let broken = |column, error: &dyn Display| broken_row(R::TRANSLATIONS, column, error);
    let language = texts.take("language").unwrap_or_default();
    let title = texts.take("title");
    let title = title.map(|title| Title::parse(&title)).transpose();
    let mut translation = Translation {
        title: title.map_err(|error| broken("title", &error))?,
        slug: texts.take("slug").map(Slug::from_stored),
        description: texts.take("description").map(RichText::from_stored),
        ..Translation::default()
    };
    R::read_translation(&mut texts, &mut translation);
    let language = Language::from_code(&language).ok_or_else(|| broken("language", &language))?;
    Ok((language, translation))
}
