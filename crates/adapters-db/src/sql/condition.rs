//! The visibility of records as SQL conditions.
//!
//! A function documented as a function of the domain "as an SQL condition" mirrors that function; the others
//! are parts of these. Single reads and pages are checked by the domain alone.

use domain::{
    Kind, Role, Status,
    geo::Circle,
    policy::{Caller, Reach, Visibility},
    query::Statuses,
    time::Timestamp,
};
use sea_orm::{
    ColumnTrait, EntityTrait as _, ExprTrait, Iden, QueryFilter as _, QuerySelect as _,
    QueryTrait as _,
    sea_query::{CaseStatement, Condition, Expr, LikeExpr, SelectStatement, SimpleExpr},
};

use crate::{
    entity::{
        EntryColumn, duplicate,
        event::{self, Column},
        venue,
    },
    sql::LocalizedColumns,
};

/// Whether a query without columns returns a row.
///
/// Without the limit, SQLite 3.51 turns `EXISTS` into a join, and an outer `OFFSET` then counts a
/// row once for each match.
pub(crate) fn exists(mut rows: SelectStatement) -> SimpleExpr {
    Expr::exists(rows.expr(Expr::val(1)).limit(1).take())
}

/// Whether a folded text contains a folded word. Wildcards in the word are literal.
pub(crate) fn contains(text: impl Into<SimpleExpr>, word: &str) -> SimpleExpr {
    like(text, format!("%{}%", literal(word)))
}

/// Whether a text ends with another.
pub(crate) fn ends_with(text: impl Into<SimpleExpr>, end: &str) -> SimpleExpr {
    like(text, format!("%{}", literal(end)))
}

/// Escapes the wildcards of a pattern.
fn literal(text: &str) -> String {
    let mut literal = String::with_capacity(text.len() + 2);
    for c in text.chars() {
        if matches!(c, '%' | '_' | '\\') {
            literal.push('\\');
        }
        literal.push(c);
    }
    literal
}

fn like(text: impl Into<SimpleExpr>, pattern: String) -> SimpleExpr {
    text.into().like(LikeExpr::new(pattern).escape('\\'))
}

/// Whether a record is published and due.
pub(crate) fn is_published(now: Timestamp, table: impl Iden + Copy) -> Condition {
    Condition::all()
        // A constant, not a parameter: the condition of the partial index contains the same
        // constant.
        .add(Expr::col((table, EntryColumn::Stage)).eq(Expr::cust("'published'")))
        .add(Expr::col((table, EntryColumn::PublishedUtc)).lte(now.seconds()))
}

/// Whether a published record is not yet due, which few records are. The second bound is always
/// true: PostgreSQL, which plans without the values, estimates few rows for a range with two
/// bounds.
pub(crate) fn is_scheduled(published: &Expr, now: Timestamp) -> Condition {
    Condition::all()
        .add(published.clone().gt(now.seconds()))
        .add(published.clone().lte(i64::MAX))
}

/// [`domain::policy::Guarded::is_visible`] as an SQL condition.
pub(crate) fn is_visible(visibility: &Visibility, kind: Kind) -> Condition {
    // The tables have the names of their kinds.
    let table = kind.name();
    let public = || is_published(visibility.now, table);
    match visibility.reach(kind) {
        Reach::Published => public(),
        Reach::Own { user, private } => {
            let own = Condition::all()
                .add(Expr::col((table, EntryColumn::AuthorId)).eq(user.get()))
                .add_option(
                    (!private).then(|| Expr::col((table, EntryColumn::Stage)).ne("private")),
                );
            Condition::any().add(public()).add(own)
        }
        Reach::All => Condition::all(),
    }
}

/// [`domain::policy::Guarded::is_linkable`] as an SQL condition.
pub(crate) fn is_linkable(visibility: &Visibility, kind: Kind) -> Condition {
    Condition::all()
        .add(is_visible(visibility, kind))
        .add(Expr::col((kind.name(), EntryColumn::Stage)).ne("trashed"))
}

/// [`Circle::holds`] as an SQL condition. An index gives the venues within the bounds of the
/// circle.
pub(crate) fn within(circle: &Circle) -> Condition {
    let venue = |column: venue::Column| Expr::col((venue::Entity, column));
    let bounds = circle.bounds();
    let (south, north) = bounds.latitudes;
    let stretches = bounds.stretches();
    let longitudes = stretches
        .iter()
        .fold(Condition::any(), |any, (west, east)| {
            any.add(venue::Column::Longitude.between(*west, *east))
        });
    let squared = |column: venue::Column, center: f64| {
        let along = || venue(column).sub(center);
        along().mul(along())
    };
    let [x, y, z] = circle.center().direction();
    let chord = squared(venue::Column::DirectionX, x)
        .add(squared(venue::Column::DirectionY, y))
        .add(squared(venue::Column::DirectionZ, z));
    Condition::all()
        .add(venue::Column::Latitude.between(south, north))
        .add_option((!stretches.is_empty()).then_some(longitudes))
        .add(chord.lte(circle.max_squared_chord()))
}

/// [`Statuses::hold`] as an SQL condition. No list holds a record that was merged into another one, whatever is left of it in
/// the trash.
pub(crate) fn holds(statuses: &Statuses, now: Timestamp, table: impl Iden + Copy) -> Condition {
    let stage = || Expr::col((table, EntryColumn::Stage));
    let Some(named) = &statuses.0 else {
        return Condition::all().add(stage().ne("trashed"));
    };
    named.iter().fold(Condition::any(), |any, status| {
        any.add(match status {
            Status::Publish => is_published(now, table),
            Status::Future => Condition::all()
                .add(stage().eq("published"))
                .add(Expr::col((table, EntryColumn::PublishedUtc)).gt(now.seconds())),
            Status::Draft => Condition::all().add(stage().eq("draft")),
            Status::Pending => Condition::all().add(stage().eq("pending")),
            Status::Private => Condition::all().add(stage().eq("private")),
            Status::Trash => Condition::all()
                .add(stage().eq("trashed"))
                .add(Expr::col((table, EntryColumn::Id)).not_in_subquery(merged(&table))),
        })
    })
}

/// The IDs of the records of a table that were merged into others.
fn merged(table: &impl Iden) -> SelectStatement {
    duplicate::Entity::find()
        .select_only()
        .column(duplicate::Column::GoneId)
        // The tables have the names of their kinds.
        .filter(duplicate::Column::Kind.eq(table.unquoted()))
        .filter(duplicate::Column::GoneId.is_not_null())
        .into_query()
}

fn event(column: Column) -> Expr {
    Expr::col((event::Entity, column))
}

/// Whether a list of events, before its filters, holds exactly the published events that are not
/// hidden.
pub(crate) fn lists_public_events(
    visibility: &Visibility,
    statuses: &Statuses,
    included: bool,
) -> bool {
    visibility.reach(Kind::Event) == Reach::Published && !included && statuses.hold(Status::Publish)
}

/// The events of a list before its filters: visible to the reader, in the requested statuses, and
/// not hidden. Hidden events that the reader may edit are listed if `included`.
pub(crate) fn lists_events(
    visibility: &Visibility,
    statuses: &Statuses,
    included: bool,
) -> Condition {
    if lists_public_events(visibility, statuses, included) {
        // The condition of the index for anonymous lists.
        return Condition::all()
            .add(event(Column::Listed))
            .add(Column::PublishedUtc.lte(visibility.now.seconds()));
    }
    lists_events_unindexed(visibility, statuses, included)
}

/// [`lists_events`] without the column `listed`, which is false for series: public lists hold their occurrences.
pub(crate) fn lists_events_unindexed(
    visibility: &Visibility,
    statuses: &Statuses,
    included: bool,
) -> Condition {
    let shown = Column::HideFromListings.eq(false);
    let hidden = if included {
        Condition::any().add(shown).add(may_edit(visibility.caller))
    } else {
        Condition::all().add(shown)
    };
    Condition::all()
        .add(is_visible(visibility, Kind::Event))
        .add(holds(statuses, visibility.now, event::Entity))
        .add(hidden)
}

/// Whether an event is a series. The condition is that of an index.
pub(crate) fn is_series() -> Condition {
    Condition::all()
        .add(Column::Repetition.is_not_null())
        .add(Column::SeriesId.is_null())
}

/// [`Caller::may_edit`] of an event as an SQL condition.
pub(crate) fn may_edit(caller: Caller) -> Condition {
    let Caller::User { id, role, .. } = caller.within(Kind::Event) else {
        return Condition::all().add(Expr::val(false));
    };
    match role {
        Role::Subscriber => Condition::all().add(Expr::val(false)),
        Role::Contributor => Condition::all()
            .add(Column::AuthorId.eq(id.get()))
            .add(Column::Stage.is_not_in(["published", "private"]))
            .add(
                Condition::any()
                    .add(Column::Stage.ne("trashed"))
                    .add(Column::PublishedUtc.is_null()),
            ),
        Role::Author => Condition::all().add(Column::AuthorId.eq(id.get())),
        Role::Editor | Role::Administrator => Condition::all().add(Expr::val(true)),
    }
}

/// [`Visibility::opens`] as an SQL condition.
pub(crate) fn opens(visibility: &Visibility) -> Condition {
    let password = visibility
        .password
        .as_ref()
        .map(|password| Column::PasswordHash.eq(password.as_str()));
    Condition::any()
        .add(Column::PasswordHash.is_null())
        .add_option(password)
        .add(may_edit(visibility.caller))
}

/// [`opens`] for an anonymous reader without a password.
pub(crate) fn opens_to_all() -> Condition {
    Condition::all().add(Column::PasswordHash.is_null())
}

/// The text that a search reads: all texts of an open event, the title of a locked one.
pub(crate) fn searched_text(visibility: &Visibility, shown: &LocalizedColumns) -> SimpleExpr {
    CaseStatement::new()
        .case(
            opens(visibility),
            shown.column(Column::SearchText, Column::SearchText),
        )
        .finally(shown.column(Column::TitleKey, Column::TitleKey))
        .into()
}

/// [`domain::event::counts_for_links`] as an SQL condition.
pub(crate) fn counts_for_links(visibility: &Visibility) -> Condition {
    lists_events(visibility, &Statuses::default(), false).add(opens(visibility))
}
