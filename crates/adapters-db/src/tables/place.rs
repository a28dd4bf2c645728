//! What the tables of venues and organizers share.

use app::ports::StoreError;
use domain::{
    Entry, Id, Language, Record, Status, entry::EntryId, place::PlaceFilter, policy::Reach,
    query::Query, search::FieldSearch,
};
use sea_orm::{
    ExprTrait,
    sea_query::{Condition, Expr, Query as Sql, SelectStatement, SimpleExpr, UnionType},
};

use super::entry::{DetailsTable, folded};
use crate::{
    connection::Connection,
    session::Session,
    sql::{
        InsertBatch, List, Total,
        condition::{self, contains},
        from, text,
    },
};

/// A kind of place, as its tables see it.
pub(crate) trait PlaceTable: DetailsTable {
    /// The table of its folded fields.
    const TEXTS: &'static str;
    /// The table of its folded fields in other languages.
    const TRANSLATED_TEXTS: &'static str;

    /// Selects nothing yet from `event` and what it is joined with, where places are named.
    fn linked() -> SelectStatement;

    /// The same of what everybody may list of events, from the table of [`PlaceTable::linked_id`].
    fn listed() -> SelectStatement;

    /// The column with the IDs of the places that events name.
    fn linked_id() -> (&'static str, &'static str);
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
    let id = || Expr::col((D::TABLE, "id"));
    let for_everybody = visibility.reach() == Reach::Published && visibility.password.is_none();
    let mut place = Condition::all().add(condition::sees(visibility, D::TABLE));
    // Who sees what is published alone sees nothing of another status.
    if !(for_everybody && statuses.hold(Status::Publish)) {
        place = place.add(condition::holds(statuses, visibility.now, D::TABLE));
    }
    if let Some(ids) = include {
        place = place.add(id().is_in(ids.iter().map(|id| id.get())));
    }
    if let Some(search) = search {
        place = place.add(finds::<D>(search, visibility.language));
    }
    let linked = |upcoming: bool| {
        let (table, _) = D::linked_id();
        let event = |column| {
            let of_event = if for_everybody { table } else { "event" };
            Expr::col((of_event, column))
        };
        let now = visibility.now.seconds();
        let mut linked = if for_everybody {
            let due = event("published_utc").lte(now);
            D::listed().and_where(due).take()
        } else {
            let counted = condition::counts_for_links(visibility);
            D::linked().cond_where(counted).take()
        };
        linked.and_where_option(upcoming.then(|| event("start_utc").gte(now)));
        linked
    };
    // Asked place by place: an index finds an event of each, and PostgreSQL may look through a whole
    // NOT IN for each.
    let exists = |upcoming| {
        let same = id().equals(D::linked_id());
        condition::exists(linked(upcoming).expr(Expr::val(1)).and_where(same).take())
    };
    match has_events {
        Some(true) if for_everybody => place = place.add(exists(false)),
        Some(true) => place = place.add(id().in_subquery(ids_of::<D>(linked(false)))),
        Some(false) => place = place.add(exists(false).not()),
        None => {}
    }
    if *only_with_upcoming && for_everybody {
        place = place.add(exists(true));
    } else if *only_with_upcoming {
        place = place.add(id().in_subquery(ids_of::<D>(linked(true))));
    }
    List {
        parts: vec![from(D::TABLE).cond_where(place).take()],
        id: (D::TABLE, "id"),
        order: Some(Expr::col((D::TABLE, "date_utc"))),
        descending: true,
        slow: search.is_some() || has_events.is_some() || *only_with_upcoming,
        total: Total::Count,
    }
}

/// Selects the IDs of the places that events name.
fn ids_of<D: PlaceTable>(mut linked: SelectStatement) -> SelectStatement {
    linked.column(D::linked_id()).take()
}

/// Whether a search finds a place in the texts that are shown: those of the translation, or of the
/// original where there is none.
fn finds<D: PlaceTable>(search: &FieldSearch, language: Language) -> SimpleExpr {
    let matching = |table: &'static str| {
        let mut texts = Sql::select().column((table, "place_id")).from(table).take();
        for word in &search.words {
            texts.and_where(contains(Expr::col((table, "folded")), word));
        }
        if search.words.is_empty() {
            texts.and_where(Expr::val(false));
        }
        texts
    };
    let in_language = |table: &'static str| Expr::col((table, "language")).eq(language.code());
    let same = Expr::col((D::TRANSLATIONS, "record_id")).equals((D::TEXTS, "place_id"));
    let translated = Sql::select()
        .expr(Expr::val(1))
        .from(D::TRANSLATIONS)
        .and_where(same)
        .and_where(in_language(D::TRANSLATIONS))
        .take();
    let translation = matching(D::TRANSLATED_TEXTS)
        .and_where(in_language(D::TRANSLATED_TEXTS))
        .take();
    // One list of IDs: PostgreSQL looks through one within an OR for each place anew.
    let found = matching(D::TEXTS)
        .and_where(condition::exists(translated).not())
        .union(UnionType::All, translation)
        .take();
    Expr::col((D::TABLE, "id")).in_subquery(found)
}

/// Writes the folded fields in all languages; nothing is to be done for a place that is deleted.
pub(super) async fn save_texts<D: PlaceTable, C: Connection>(
    session: &Session<C>,
    id: EntryId<D>,
    before: Option<&Entry<D>>,
    after: Option<&Entry<D>>,
) -> Result<(), StoreError> {
    let Some(after) = after else { return Ok(()) };
    let fields = before.map(folded).unwrap_or_default();
    save_fields(session, D::TEXTS, id, None, &fields, &folded(after)).await?;
    for language in Language::ALL {
        let before = before.and_then(|before| translated_fields(before, language));
        let after = translated_fields(after, language);
        let [before, after] = [before, after].map(Option::unwrap_or_default);
        let table = D::TRANSLATED_TEXTS;
        save_fields(session, table, id, Some(language), &before, &after).await?;
    }
    Ok(())
}

/// The folded fields as they are shown in a language, if there is a translation into it.
fn translated_fields<D: PlaceTable>(place: &Entry<D>, language: Language) -> Option<Vec<String>> {
    place.translations.get(language)?;
    Some(folded(&place.clone().localized(language)))
}

/// Writes the folded fields of one language, if they changed.
async fn save_fields<R, C: Connection>(
    session: &Session<C>,
    table: &'static str,
    id: Id<R>,
    language: Option<Language>,
    before: &[String],
    after: &[String],
) -> Result<(), StoreError> {
    if before == after {
        return Ok(());
    }
    if !before.is_empty() {
        let mut delete = Sql::delete()
            .from_table(table)
            .and_where(Expr::col("place_id").eq(id.get()))
            .take();
        if let Some(language) = language {
            delete.and_where(Expr::col("language").eq(language.code()));
        }
        session.connection.execute_deferred(&delete).await?;
    }
    let mut rows = InsertBatch::default();
    field_rows(table, id, language, after, &mut rows);
    rows.insert(session).await
}

/// The rows of the folded fields of one language.
fn field_rows<R>(
    table: &'static str,
    id: Id<R>,
    language: Option<Language>,
    fields: &[String],
    rows: &mut InsertBatch,
) {
    for (position, folded) in (0_i64..).zip(fields) {
        let row = [
            ("place_id", id.get().into()),
            ("position", position.into()),
            text("folded", folded),
        ];
        let language = language.map(|language| text("language", language.code()));
        rows.push(table, row.into_iter().chain(language));
    }
}

/// The rows of the folded fields of a new place, in all languages.
pub(super) fn text_rows<D: PlaceTable>(place: &Entry<D>, id: EntryId<D>, rows: &mut InsertBatch) {
    field_rows(D::TEXTS, id, None, &folded(place), rows);
    for language in Language::ALL {
        if let Some(fields) = translated_fields(place, language) {
            field_rows(D::TRANSLATED_TEXTS, id, Some(language), &fields, rows);
        }
    }
}
