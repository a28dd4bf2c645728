//! The tables that venues and organizers share.

use domain::{
    Entry, Id, Language, Record, Status, entry::EntryId, place::PlaceFilter, query::Query,
    search::FieldSearch,
};
use sea_orm::{
    DynIden, EntityName, EntityTrait, ExprTrait,
    sea_query::{Condition, Expr, Query as Sql, SelectStatement, SimpleExpr, UnionType},
};

use super::{
    Table,
    entry::{DetailsTable, folded},
};
use crate::{
    entity::{event, venue_text, venue_translation, venue_translation_text},
    sql::{
        InsertBatch, List, Total,
        condition::{self, contains},
        from, set,
    },
};

/// The mapping of a kind of place to its tables.
pub(crate) trait PlaceTable: DetailsTable {
    /// The table of the folded fields.
    type Texts: EntityTrait;
    /// The table of the folded fields in other languages.
    type TranslatedTexts: EntityTrait;

    /// A query, without columns, of the links between events and places, one row per link.
    fn linked() -> SelectStatement;

    /// The same query for anonymous readers: only links of listed events, from the table of
    /// [`PlaceTable::linked_id`].
    fn listed() -> SelectStatement;

    /// The column with the IDs of the places that events name.
    fn linked_id() -> (DynIden, DynIden);
}

/// The list of places that a query selects.
pub(crate) fn list<D: PlaceTable>(query: &Query<PlaceFilter<D>>) -> List {
    let Query {
        visibility,
        filter,
        page: _,
    } = query;
    let PlaceFilter {
        statuses,
        search,
        include,
        has_events,
        only_with_upcoming,
    } = filter;
    let table = Entry::<D>::table();
    let id = || Expr::col((table, event::Column::Id));
    let is_public = visibility.is_public();
    let mut place = Condition::all().add(condition::is_visible(visibility, table));
    // A reader who sees only published records sees no other status.
    if !(is_public && statuses.hold(Status::Publish)) {
        place = place.add(condition::holds(statuses, visibility.now, table));
    }
    if let Some(ids) = include {
        place = place.add(id().is_in(ids.iter().map(|id| id.get())));
    }
    if let Some(search) = search {
        place = place.add(finds::<D>(search, visibility.language));
    }
    let linked = |upcoming: bool| {
        let (table, _) = D::linked_id();
        let of_event = if is_public {
            table
        } else {
            event::Entity.into()
        };
        let event = |column: event::Column| Expr::col((of_event.clone(), column));
        let now = visibility.now.seconds();
        let mut linked = if is_public {
            let due = event(event::Column::PublishedUtc).lte(now);
            D::listed().and_where(due).take()
        } else {
            let counted = condition::counts_for_links(visibility);
            D::linked().cond_where(counted).take()
        };
        linked.and_where_option(upcoming.then(|| event(event::Column::StartUtc).gte(now)));
        linked
    };
    // A subquery for each place, which an index answers. PostgreSQL may scan a whole `NOT IN` list
    // for each place.
    let exists = |upcoming| {
        let same = id().equals(D::linked_id());
        condition::exists(linked(upcoming).expr(Expr::val(1)).and_where(same).take())
    };
    match has_events {
        Some(true) if is_public => place = place.add(exists(false)),
        Some(true) => place = place.add(id().in_subquery(ids_of::<D>(linked(false)))),
        Some(false) => place = place.add(exists(false).not()),
        None => {}
    }
    if *only_with_upcoming && is_public {
        place = place.add(exists(true));
    } else if *only_with_upcoming {
        place = place.add(id().in_subquery(ids_of::<D>(linked(true))));
    }
    List {
        parts: vec![from(table).cond_where(place).take()],
        id: (table.into(), event::Column::Id.into()),
        order: Some(Expr::col((table, event::Column::DateUtc))),
        descending: true,
        slow: search.is_some() || has_events.is_some() || *only_with_upcoming,
        total: Total::Count,
    }
}

/// The IDs of the places that events name.
fn ids_of<D: PlaceTable>(mut linked: SelectStatement) -> SelectStatement {
    linked.column(D::linked_id()).take()
}

/// Whether a search matches the texts of the translation, or those of the original where there is
/// no translation.
fn finds<D: PlaceTable>(search: &FieldSearch, language: Language) -> SimpleExpr {
    let translations = Entry::<D>::translations_table();
    let texts = D::Texts::default().table_name();
    let translated_texts = D::TranslatedTexts::default().table_name();
    let matching = |table: &'static str| {
        let mut texts = Sql::select()
            .column((table, venue_text::Column::PlaceId))
            .from(table)
            .take();
        for word in &search.words {
            texts.and_where(contains(
                Expr::col((table, venue_text::Column::Folded)),
                word,
            ));
        }
        if search.words.is_empty() {
            texts.and_where(Expr::val(false));
        }
        texts
    };
    let in_language = |table: &'static str| {
        Expr::col((table, venue_translation::Column::Language)).eq(language.code())
    };
    let same = Expr::col((translations, venue_translation::Column::RecordId))
        .equals((texts, venue_text::Column::PlaceId));
    let translated = Sql::select()
        .expr(Expr::val(1))
        .from(translations)
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
    Expr::col((Entry::<D>::table(), event::Column::Id)).in_subquery(found)
}

/// The folded fields in a language, if there is a translation into it.
fn translated_fields<D: PlaceTable>(place: &Entry<D>, language: Language) -> Option<Vec<String>> {
    place.translations.get(language)?;
    Some(folded(&place.clone().localized(language)))
}

/// The rows of the folded fields in one language.
fn field_rows<R>(
    table: &'static str,
    id: Id<R>,
    language: Option<Language>,
    fields: &[String],
    rows: &mut InsertBatch,
) {
    for (position, folded) in (0_i64..).zip(fields) {
        let row = [
            set(venue_text::Column::PlaceId, id.get()),
            set(venue_text::Column::Position, position),
            set(venue_text::Column::Folded, folded),
        ];
        let language =
            language.map(|language| set(venue_translation_text::Column::Language, language.code()));
        rows.push(table, row.into_iter().chain(language));
    }
}

/// The rows of the folded fields in all languages.
pub(super) fn text_rows<D: PlaceTable>(place: &Entry<D>, id: EntryId<D>, rows: &mut InsertBatch) {
    let texts = D::Texts::default().table_name();
    let translated_texts = D::TranslatedTexts::default().table_name();
    field_rows(texts, id, None, &folded(place), rows);
    for language in Language::ALL {
        if let Some(fields) = translated_fields(place, language) {
            field_rows(translated_texts, id, Some(language), &fields, rows);
        }
    }
}
