//! Lists of venues and organizers.

use app::ports::StoreError;
use domain::{
    Entry, Filter as _, Kind, Language, Status,
    entry::{Details, EntryId},
    page::Page,
    place::PlaceFilter,
    policy::Visibility,
    query::{Query, Statuses},
    search::FieldSearch,
};
use sea_orm::{
    ColumnTrait, DynIden, ExprTrait,
    sea_query::{Condition, Expr, SelectStatement, SimpleExpr, UnionType},
};

use super::Table;
use crate::{
    entity::{EntryColumn, PlaceTextColumn, TranslationColumn, event, event_organizer, occurrence},
    session::Session,
    sql::{
        List, Part, Total,
        condition::{self, contains},
        from,
    },
};

/// The links between events and places of a kind.
pub(super) struct EventLinks {
    /// A query of all links, without columns.
    pub(super) all: SelectStatement,
    /// A query of the links of listed events without a password, from the table of `id`. Anonymous readers see the
    /// links of published ones.
    pub(super) listed: SelectStatement,
    /// The column with the ID of the place.
    pub(super) id: (DynIden, DynIden),
}

impl EventLinks {
    /// The links between events and venues.
    pub(super) fn of_venues() -> Self {
        let event = |column: event::Column| Expr::col((event::Entity, column));
        Self {
            all: from(event::Entity)
                .and_where(event(event::Column::VenueId).is_not_null())
                .take(),
            listed: from(event::Entity)
                .and_where(event(event::Column::Listed))
                .and_where(event(event::Column::PasswordHash).is_null())
                .take(),
            id: event::Column::VenueId.as_column_ref(),
        }
    }

    /// The links between events and organizers.
    pub(super) fn of_organizers() -> Self {
        let link = |column: event_organizer::Column| Expr::col((event_organizer::Entity, column));
        let same =
            link(event_organizer::Column::EventId).equals((event::Entity, event::Column::Id));
        Self {
            all: from(event_organizer::Entity)
                .inner_join(event::Entity, same)
                .take(),
            listed: from(event_organizer::Entity)
                .and_where(link(event_organizer::Column::Listed))
                .take(),
            id: event_organizer::Column::PlaceId.as_column_ref(),
        }
    }
}

/// The page that a query selects.
pub(super) async fn page<D: Details<Filter = PlaceFilter<D>>>(
    session: &Session,
    query: &Query<PlaceFilter<D>>,
    links: &EventLinks,
    texts: [&'static str; 2],
) -> Result<Page<EntryId<D>>, StoreError>
where
    Entry<D>: Table,
{
    let has_series = (query.filter.has_events.is_some() || query.filter.only_with_upcoming)
        && session.has_series().await?;
    let list = list(query, links, texts, has_series);
    session.page_of(query.page, list).await
}

/// The list of places that a query selects.
fn list<D: Details<Filter = PlaceFilter<D>>>(
    query: &Query<PlaceFilter<D>>,
    links: &EventLinks,
    texts: [&'static str; 2],
    has_series: bool,
) -> List
where
    Entry<D>: Table,
{
    let visibility = &query.visibility;
    let PlaceFilter {
        statuses,
        search,
        include,
        has_events,
        only_with_upcoming,
    } = &query.filter;
    let table = Entry::<D>::table();
    let id = || Expr::col((table, EntryColumn::Id));
    // The list reads events, too.
    let sees_public_alone =
        visibility.sees_public_alone(D::KIND) && visibility.sees_public_alone(Kind::Event);
    let mut selected = Condition::all().add(condition::is_visible(visibility, D::KIND));
    // A reader who sees only published records sees no other status.
    if !(sees_public_alone && statuses.hold(Status::Publish)) {
        selected = selected.add(condition::holds(statuses, visibility.now, table));
    }
    if let Some(ids) = include {
        selected = selected.add(id().is_in(ids.iter().map(|id| id.get())));
    }
    if let Some(search) = search {
        selected = selected.add(finds::<Entry<D>>(search, visibility.language, texts));
    }
    let linked = |upcoming: bool| {
        let (table, _) = links.id.clone();
        let of_event = if sees_public_alone {
            table
        } else {
            event::Entity.into()
        };
        let event = |column: event::Column| Expr::col((of_event.clone(), column));
        let now = visibility.now.seconds();
        let mut linked = if sees_public_alone {
            let due = event(event::Column::PublishedUtc).lte(now);
            links.listed.clone().and_where(due).take()
        } else {
            let counted = condition::counts_for_links(visibility);
            links.all.clone().cond_where(counted).take()
        };
        linked.and_where_option(upcoming.then(|| event(event::Column::StartUtc).gte(now)));
        linked
    };
    let all_linked = |upcoming: bool| {
        let mut events = linked(upcoming);
        if !has_series {
            return vec![events];
        }
        // `listed` is false for series; else their own start is left out, as `repeating` asks their occurrences.
        if !sees_public_alone && upcoming {
            events.cond_where(condition::is_series().not());
        }
        vec![events, repeating(&links.all, visibility, upcoming)]
    };
    // A subquery for each place, which an index answers. PostgreSQL may scan a whole `NOT IN` list
    // for each place.
    let exists = |upcoming| {
        let same = || id().equals(links.id.clone());
        let all = all_linked(upcoming).into_iter();
        let exists = all.map(|mut rows| condition::exists(rows.and_where(same()).take()));
        exists.fold(Condition::any(), Condition::add)
    };
    let is_linked = |upcoming| {
        if sees_public_alone {
            return exists(upcoming);
        }
        let all = all_linked(upcoming).into_iter();
        let is_linked = all.map(|mut rows| id().in_subquery(rows.column(links.id.clone()).take()));
        is_linked.fold(Condition::any(), Condition::add)
    };
    match has_events {
        Some(true) => selected = selected.add(is_linked(false)),
        Some(false) => selected = selected.add(exists(false).not()),
        None => {}
    }
    if *only_with_upcoming {
        selected = selected.add(is_linked(true));
    }
    List {
        parts: vec![Part {
            rows: from(table).cond_where(selected).take(),
            id: (table.into(), EntryColumn::Id.into()),
            order: Some(Expr::col((table, EntryColumn::DateUtc))),
        }],
        is_disjoint: true,
        descending: true,
        slow: query.filter.scans(),
        total: Total::Count,
    }
}

/// A query, without columns, of the links between places and series that the reader may list, or of
/// those of them with an upcoming occurrence.
fn repeating(links: &SelectStatement, visibility: &Visibility, upcoming: bool) -> SelectStatement {
    let mut linked = links.clone();
    linked
        .cond_where(condition::is_series())
        .cond_where(condition::lists_events_unindexed(
            visibility,
            &Statuses::default(),
            false,
        ))
        .cond_where(condition::opens(visibility));
    if upcoming {
        let of_series = Expr::col((occurrence::Entity, occurrence::Column::SeriesId))
            .equals((event::Entity, event::Column::Id));
        let upcoming = from(occurrence::Entity)
            .and_where(of_series)
            .and_where(occurrence::Column::IsOwn.eq(false))
            .and_where(occurrence::Column::StartUtc.gte(visibility.now.seconds()))
            .take();
        linked.and_where(condition::exists(upcoming));
    }
    linked
}

/// Whether a search matches the texts of the translation, or those of the original where there is
/// no translation.
fn finds<R: Table>(
    search: &FieldSearch,
    language: Language,
    [texts, translated_texts]: [&'static str; 2],
) -> SimpleExpr {
    let translations = R::translations_table();
    let matching = |table: &'static str| {
        let mut texts = from(table);
        texts.column((table, PlaceTextColumn::PlaceId));
        for word in &search.words {
            texts.and_where(contains(Expr::col((table, PlaceTextColumn::Folded)), word));
        }
        if search.words.is_empty() {
            texts.and_where(Expr::val(false));
        }
        texts
    };
    let in_language =
        |table: &'static str| Expr::col((table, TranslationColumn::Language)).eq(language.code());
    let same = Expr::col((translations, TranslationColumn::RecordId))
        .equals((texts, PlaceTextColumn::PlaceId));
    let translated = from(translations)
        .and_where(same)
        .and_where(in_language(translations))
        .take();
    let translation = matching(translated_texts)
        .and_where(in_language(translated_texts))
        .take();
    // A single list of IDs, as PostgreSQL would scan a list within an `OR` again for each place.
    let found = matching(texts)
        .and_where(condition::exists(translated).not())
        .union(UnionType::All, translation)
        .take();
    Expr::col((R::table(), EntryColumn::Id)).in_subquery(found)
}
