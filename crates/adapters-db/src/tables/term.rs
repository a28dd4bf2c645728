//! The tables of categories and tags.

use std::marker::PhantomData;

use app::ports::{SlugRequests, StoreError};
use async_trait::async_trait;
use domain::{
    Id, Term, Translations,
    html::RichText,
    query::Query,
    slug::Slug,
    term::{Categories, Tags, Taxonomy, TermFilter, TermSort},
    text::{Title, fold},
    time::Timestamp,
};
use sea_orm::{
    ExprTrait, Value,
    sea_query::{
        Asterisk, CaseStatement, Condition, Expr, Func, Query as Sql, SelectStatement, SimpleExpr,
    },
};
use sha2::{Digest, Sha256};

use super::{Table, owner_of_slug};
use crate::{
    connection::Connection,
    session::Session,
    sql::{
        ColumnValue, List, Row, Total,
        condition::{self, contains},
        from, text,
    },
};

/// Pairs of categories of which one lies above the other, and each with itself.
pub(crate) const CATEGORY_PATH: &str = "category_path";

/// A vocabulary, as its tables see it.
pub(crate) trait TermTable: Taxonomy {
    /// The table of its terms.
    const TABLE: &'static str;
    /// The table of their translations.
    const TRANSLATIONS: &'static str;
    /// The table of which events carry which.
    const LINKS: &'static str;
}

impl TermTable for Categories {
    const TABLE: &'static str = "category";
    const TRANSLATIONS: &'static str = "category_translation";
    const LINKS: &'static str = "event_category";
}

impl TermTable for Tags {
    const TABLE: &'static str = "tag";
    const TRANSLATIONS: &'static str = "tag_translation";
    const LINKS: &'static str = "event_tag";
}

#[async_trait]
impl<X: TermTable> Table for Term<X> {
    const TABLE: &'static str = X::TABLE;
    const NAME_KEY: &'static str = "name_key";
    const TRANSLATIONS: &'static str = X::TRANSLATIONS;

    fn columns(&self) -> Vec<ColumnValue> {
        let Self {
            language,
            translations: _,
            name,
            slug,
            description,
            parent,
            taxonomy: _,
        } = self;
        let mut columns = vec![
            text("language", language.code()),
            text("name", name.as_str()),
            text("name_key", fold(name.as_str())),
            text("slug", slug.as_str()),
            text("description", description.as_str()),
        ];
        if X::HIERARCHICAL {
            columns.push(("parent_id", parent.map(Id::get).into()));
        }
        columns
    }

    fn creation_columns(&self, slugs: &SlugRequests) -> Vec<ColumnValue> {
        let wish = slugs.original.as_ref();
        let named = wish.filter(|wish| wish.is_from_name()).map(|_| {
            let parent = self.parent.map_or(0, Id::get);
            let name = Sha256::digest(format!("{parent}:{}", self.name.as_str().to_lowercase()));
            let digits: Vec<_> = name.iter().map(|byte| format!("{byte:02x}")).collect();
            digits.concat()
        });
        vec![("creation_key", named.into())]
    }

    fn change_columns(&self, before: &Self) -> Vec<ColumnValue> {
        let identity = |term: &Self| (term.name.clone(), term.slug.clone(), term.parent);
        if identity(self) == identity(before) {
            return Vec::new();
        }
        // Names may be changed to ones that are taken, and slugs let two terms have one name.
        vec![("creation_key", Value::String(None))]
    }

    fn read_columns() -> Vec<&'static str> {
        let parent = X::HIERARCHICAL.then_some("parent_id");
        let shared = ["language", "name", "slug", "description"];
        shared.into_iter().chain(parent).collect()
    }

    fn read(row: &Row<'_>) -> Result<Self, StoreError> {
        let parent: Option<i64> = if X::HIERARCHICAL {
            row.get("parent_id")?
        } else {
            None
        };
        Ok(Self {
            language: row.parse("language", str::parse)?,
            translations: Translations::default(),
            name: row.parse("name", str::parse::<Title>)?,
            slug: Slug::from_stored(row.get("slug")?),
            description: RichText::from_stored(row.get("description")?),
            parent: parent.map(Id::from_raw),
            taxonomy: PhantomData,
        })
    }

    fn set_slug(&mut self, slug: Option<Slug>) {
        if let Some(slug) = slug {
            self.slug = slug;
        }
    }

    async fn save_links<C: Connection>(
        session: &Session<C>,
        id: Id<Self>,
        before: Option<&Self>,
        after: Option<&Self>,
    ) -> Result<(), StoreError> {
        let (Some(before), None, true) = (before, after, X::HIERARCHICAL) else {
            return Ok(());
        };
        // The children of a deleted term go to its parent.
        let update = Sql::update()
            .table(X::TABLE)
            .value("parent_id", before.parent.map(Id::get))
            .value("creation_key", Value::String(None))
            .value("revision", Expr::col("revision").add(1))
            .and_where(Expr::col("parent_id").eq(id.get()))
            .take();
        session.connection.execute_deferred(&update).await?;
        Ok(())
    }
}

/// The links, as a selection without columns, with events that the term being selected counts already
/// though they are due only after a moment.
pub(crate) fn scheduled<X: TermTable>(now: Timestamp) -> SelectStatement {
    let link = |column| Expr::col((X::LINKS, column));
    Sql::select()
        .from(X::LINKS)
        .and_where(link("term_id").equals((X::TABLE, "id")))
        .cond_where(condition::is_scheduled(&link("published_utc"), now))
        .take()
}

/// How many events carry the term being selected.
///
/// The table counts what is published, also what is not yet due by the clock: that is subtracted.
fn event_count<X: TermTable>(now: Timestamp) -> SimpleExpr {
    let mut scheduled = scheduled::<X>(now);
    scheduled.expr(Func::count(Expr::col(Asterisk)));
    Expr::col((X::TABLE, "event_count")).sub(SimpleExpr::from(scheduled))
}

/// The list of terms that a query selects.
pub(crate) fn list<X: TermTable>(query: &Query<TermFilter<X>>) -> List {
    let Query {
        visibility,
        filter,
        page: _,
    } = query;
    let TermFilter {
        search,
        include,
        exclude,
        parent,
        slug,
        hide_empty,
        sort,
        descending,
    } = filter;
    let column = |name| Expr::col((X::TABLE, name));
    let mut rows = from(X::TABLE);
    let needs_count = *hide_empty || *sort == TermSort::Count;
    let count = needs_count.then(|| event_count::<X>(visibility.now));
    let needs_texts = search.is_some()
        || matches!(
            sort,
            TermSort::Name | TermSort::Slug | TermSort::Description
        );
    let shown = needs_texts.then(|| Term::<X>::localize(&mut rows, visibility.language));

    let mut term = Condition::all();
    if let (Some(part), Some(shown)) = (search, &shown) {
        term = term.add(
            Condition::any()
                .add(contains(shown.column("title_key", "name_key"), part))
                .add(contains(shown.column("slug", "slug"), part)),
        );
    }
    if let Some(ids) = include {
        term = term.add(column("id").is_in(ids.iter().map(|id| id.get())));
    }
    if !exclude.is_empty() {
        term = term.add(column("id").is_not_in(exclude.iter().map(|id| id.get())));
    }
    match parent {
        Some(Some(parent)) if X::HIERARCHICAL => {
            term = term.add(column("parent_id").eq(parent.get()));
        }
        Some(None) if X::HIERARCHICAL => term = term.add(column("parent_id").is_null()),
        Some(Some(_)) => term = term.add(Expr::val(false)),
        Some(None) | None => {}
    }
    if let Some(slug) = slug {
        term = term.add(column("id").in_subquery(owner_of_slug(X::KIND, slug)));
    }
    if let (true, Some(count)) = (*hide_empty, &count) {
        term = term.add(count.clone().gt(0));
    }
    let text = |translated, original| Some(shown.as_ref()?.column(translated, original));
    let order = match sort {
        TermSort::Name => text("title_key", "name_key"),
        TermSort::Slug => text("slug", "slug"),
        TermSort::Count => count,
        TermSort::Description => text("description", "description"),
        // The top comes first, on databases that put nothing last too.
        TermSort::Parent if X::HIERARCHICAL => {
            Some(Func::coalesce([column("parent_id"), Expr::val(0_i64)]).into())
        }
        TermSort::Id | TermSort::Parent => None,
        TermSort::Include => include.as_ref().filter(|ids| !ids.is_empty()).map(|ids| {
            let places = (0_i64..).zip(ids);
            let case = places.fold(CaseStatement::new(), |case, (place, id)| {
                case.case(column("id").eq(id.get()), place)
            });
            case.into()
        }),
    };
    List {
        parts: vec![rows.cond_where(term).take()],
        id: (X::TABLE, "id"),
        order,
        descending: *descending,
        slow: search.is_some(),
        total: Total::Count,
    }
}
