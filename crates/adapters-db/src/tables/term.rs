//! The tables of categories and tags.

use std::marker::PhantomData;

use app::ports::{SlugRequests, StoreError};
use domain::{
    Filter as _, Id, Kind, Term, Translations,
    html::RichText,
    page::Page,
    query::Query,
    slug::Slug,
    term::{Taxonomy, TermFilter, TermSort},
    text::fold,
    time::Timestamp,
};
use sea_orm::{
    ExprTrait, IdenStatic, Value,
    sea_query::{
        Asterisk, CaseStatement, Condition, Expr, Func, IntoIden, JoinType, Query as Sql,
        SelectStatement, SimpleExpr,
    },
};
use sha2::{Digest, Sha256};

use super::{Links, Table, Tables, owner_of_slug};
use crate::{
    entity::{
        LinkColumn, TermColumn as Column, TranslationColumn, category, category_translation, event,
        tag, tag_translation,
    },
    session::Session,
    sql::{
        ColumnValue, List, Part, Row, Total,
        condition::{self, contains},
        from, set,
    },
};

impl<X: Taxonomy> Table for Term<X> {
    fn tables() -> Tables {
        match X::KIND {
            Kind::Category => Tables::of::<category::Entity, category_translation::Entity>(),
            _ => Tables::of::<tag::Entity, tag_translation::Entity>(),
        }
    }

    fn name_key() -> &'static str {
        Column::NameKey.as_str()
    }

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
            set(Column::Language, language.code()),
            set(Column::Name, name.as_str()),
            set(Column::NameKey, fold(name.as_str())),
            set(Column::Slug, slug.as_str()),
            set(Column::Description, description.as_str()),
        ];
        if X::HIERARCHICAL {
            columns.push(set(Column::ParentId, parent.map(Id::get)));
        }
        columns
    }

    fn creation_columns(&self, slugs: &SlugRequests) -> Vec<ColumnValue> {
        let request = slugs.original.as_ref();
        let named = request.filter(|request| request.is_from_name()).map(|_| {
            let parent = self.parent.map_or(0, Id::get);
            let name = Sha256::digest(format!("{parent}:{}", self.name.as_str().to_lowercase()));
            let digits: Vec<_> = name.iter().map(|byte| format!("{byte:02x}")).collect();
            digits.concat()
        });
        vec![set(Column::CreationKey, named)]
    }

    fn change_columns(&self, before: &Self) -> Vec<ColumnValue> {
        let identity = |term: &Self| (term.name.clone(), term.slug.clone(), term.parent);
        if identity(self) == identity(before) {
            return Vec::new();
        }
        // A term may be renamed to a name that is taken, as slugs allow two terms of one name.
        vec![set(Column::CreationKey, Value::String(None))]
    }

    fn read(row: &Row<'_>) -> Result<Self, StoreError> {
        Ok(Self {
            language: row.parse(Column::Language)?,
            translations: Translations::default(),
            name: row.parse(Column::Name)?,
            slug: Slug::from_stored(row.get(Column::Slug)?),
            description: RichText::from_stored(row.get(Column::Description)?),
            parent: if X::HIERARCHICAL {
                row.get(Column::ParentId)?
            } else {
                None
            },
            taxonomy: PhantomData,
        })
    }

    async fn page(
        session: &Session,
        query: &Query<Self::Filter>,
    ) -> Result<Page<Id<Self>>, StoreError> {
        let has_series = counts_events(&query.filter) && session.has_series().await?;
        session.page_of(query.page, list(query, has_series)).await
    }

    async fn before_delete(&self, session: &Session, id: Id<Self>) -> Result<(), StoreError> {
        if !X::HIERARCHICAL {
            return Ok(());
        }
        // The children move to the parent.
        let update = Sql::update()
            .table(Self::table())
            .value(Column::ParentId, self.parent.map(Id::get))
            .value(Column::CreationKey, Value::String(None))
            .value(Column::Revision, Expr::col(Column::Revision).add(1))
            .and_where(Expr::col(Column::ParentId).eq(id.get()))
            .take();
        session.connection.execute_deferred(&update).await
    }
}

/// A query without columns: the links of the selected term with published events that are not yet
/// due. Where there are series, it leaves out what occurrences have from their series: no counter
/// holds that.
pub(crate) fn scheduled<X: Taxonomy>(now: Timestamp, has_series: bool) -> SelectStatement {
    const OF_SERIES: &str = "of_series";
    let links = match X::KIND {
        Kind::Category => Links::Categories.table(),
        _ => Links::Tags.table(),
    };
    let link = |column: LinkColumn| Expr::col((links, column));
    let mut scheduled = from(links)
        .and_where(link(LinkColumn::TermId).equals((Term::<X>::table(), Column::Id)))
        .cond_where(condition::is_scheduled(
            &link(LinkColumn::PublishedUtc),
            now,
        ))
        .take();
    if has_series {
        let event = |column: event::Column| Expr::col((event::Entity, column));
        let inherited = Expr::col((OF_SERIES, LinkColumn::EventId))
            .equals((event::Entity, event::Column::SeriesId))
            .and(Expr::col((OF_SERIES, LinkColumn::TermId)).equals((links, LinkColumn::TermId)));
        let inherited = from(event::Entity)
            .join_as(JoinType::InnerJoin, links, OF_SERIES, inherited)
            .and_where(event(event::Column::Id).equals((links, LinkColumn::EventId)))
            .take();
        scheduled.and_where(condition::exists(inherited).not());
    }
    scheduled
}

/// The number of due events of the selected term.
///
/// The table counts published events. Published events that are not yet due are subtracted.
fn event_count<X: Taxonomy>(now: Timestamp, has_series: bool) -> SimpleExpr {
    let mut scheduled = scheduled::<X>(now, has_series);
    scheduled.expr(Func::count(Expr::col(Asterisk)));
    Expr::col((Term::<X>::table(), Column::EventCount)).sub(SimpleExpr::from(scheduled))
}

/// Whether a list of terms depends on their numbers of events.
fn counts_events<X: Taxonomy>(filter: &TermFilter<X>) -> bool {
    filter.hide_empty || filter.sort == TermSort::Count
}

/// The list of terms that a query selects.
fn list<X: Taxonomy>(query: &Query<TermFilter<X>>, has_series: bool) -> List {
    let visibility = &query.visibility;
    let TermFilter {
        search,
        include,
        exclude,
        parent,
        slug,
        hide_empty,
        sort,
        descending,
    } = &query.filter;
    let column = |name: Column| Expr::col((Term::<X>::table(), name));
    let mut rows = from(Term::<X>::table());
    let count = counts_events(&query.filter);
    let count = count.then(|| event_count::<X>(visibility.now, has_series));
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
                .add(contains(
                    shown.column(TranslationColumn::TitleKey, Column::NameKey),
                    part,
                ))
                .add(contains(
                    shown.column(TranslationColumn::Slug, Column::Slug),
                    part,
                )),
        );
    }
    if let Some(ids) = include {
        term = term.add(column(Column::Id).is_in(ids.iter().map(|id| id.get())));
    }
    if !exclude.is_empty() {
        term = term.add(column(Column::Id).is_not_in(exclude.iter().map(|id| id.get())));
    }
    match parent {
        Some(Some(parent)) if X::HIERARCHICAL => {
            term = term.add(column(Column::ParentId).eq(parent.get()));
        }
        Some(None) if X::HIERARCHICAL => term = term.add(column(Column::ParentId).is_null()),
        Some(Some(_)) => term = term.add(Expr::val(false)),
        Some(None) | None => {}
    }
    if let Some(slug) = slug {
        term = term.add(column(Column::Id).in_subquery(owner_of_slug(X::KIND, slug.as_str())));
    }
    if let (true, Some(count)) = (*hide_empty, &count) {
        term = term.add(count.clone().gt(0));
    }
    let text = |translated: TranslationColumn, original: Column| {
        Some(shown.as_ref()?.column(translated, original))
    };
    let order = match sort {
        TermSort::Name => text(TranslationColumn::TitleKey, Column::NameKey),
        TermSort::Slug => text(TranslationColumn::Slug, Column::Slug),
        TermSort::Count => count,
        TermSort::Description => text(TranslationColumn::Description, Column::Description),
        // Top-level terms come first, also on databases that sort nulls last.
        TermSort::Parent if X::HIERARCHICAL => {
            Some(Func::coalesce([column(Column::ParentId), Expr::val(0_i64)]).into())
        }
        TermSort::Id | TermSort::Parent => None,
        TermSort::Include => include.as_ref().filter(|ids| !ids.is_empty()).map(|ids| {
            let indexes = (0_i64..).zip(ids);
            let case = indexes.fold(CaseStatement::new(), |case, (index, id)| {
                case.case(column(Column::Id).eq(id.get()), index)
            });
            case.into()
        }),
    };
    List {
        parts: vec![Part {
            rows: rows.cond_where(term).take(),
            id: (Term::<X>::table().into_iden(), Column::Id.into_iden()),
            order,
        }],
        is_disjoint: true,
        descending: *descending,
        slow: query.filter.scans(),
        total: Total::Count,
    }
}
