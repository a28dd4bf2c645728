//! What a reader may see, as conditions of SQL. Each says the same as the function of
//! [`domain::policy`] or [`domain::query`] of its name.

use domain::{
    Role, Status,
    geo::Circle,
    policy::{Caller, Reach, Visibility},
    query::Statuses,
    time::Timestamp,
};
use sea_orm::{
    ExprTrait,
    sea_query::{CaseStatement, Condition, Expr, LikeExpr, SelectStatement, SimpleExpr},
};

use crate::sql::LocalizedColumns;

/// Whether there is a row. Without a limit, SQLite 3.51 makes a join of this, and an offset of what is
/// around it then counts a row once for each that is there.
pub(crate) fn exists(mut rows: SelectStatement) -> SimpleExpr {
    Expr::exists(rows.limit(1).take())
}

/// Whether a folded text contains a folded word, taken literally.
pub(crate) fn contains(text: impl Into<SimpleExpr>, word: &str) -> SimpleExpr {
    like(text, format!("%{}%", literal(word)))
}

/// Whether a text ends with another.
pub(crate) fn ends_with(text: impl Into<SimpleExpr>, end: &str) -> SimpleExpr {
    like(text, format!("%{}", literal(end)))
}

/// A text within a pattern, without characters that mean something there.
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

fn is_public(now: Timestamp, table: &'static str) -> Condition {
    Condition::all()
        // No parameter: an index of what is published is known by this very word.
        .add(Expr::col((table, "stage")).eq(Expr::cust("'published'")))
        .add(Expr::col((table, "published_utc")).lte(now.seconds()))
}

/// Whether what is published at this moment is not yet due. That is true of few: PostgreSQL, where it plans
/// without the moment, takes a range with two ends for narrow.
pub(crate) fn is_scheduled(published: &Expr, now: Timestamp) -> Condition {
    Condition::all()
        .add(published.clone().gt(now.seconds()))
        .add(published.clone().lte(i64::MAX))
}

/// See [`Visibility::sees`].
pub(crate) fn sees(visibility: &Visibility, table: &'static str) -> Condition {
    let public = || is_public(visibility.now, table);
    match visibility.reach() {
        Reach::Published => public(),
        Reach::Own { user, private } => {
            let own = Condition::all()
                .add(Expr::col((table, "author_id")).eq(user.get()))
                .add_option((!private).then(|| Expr::col((table, "stage")).ne("private")));
            Condition::any().add(public()).add(own)
        }
        Reach::All => Condition::all(),
    }
}

/// See [`Visibility::links`].
pub(crate) fn links(visibility: &Visibility, table: &'static str) -> Condition {
    Condition::all()
        .add(sees(visibility, table))
        .add(Expr::col((table, "stage")).ne("trashed"))
}

/// Venues that [`Circle::holds`]: of those between the borders, which an index finds.
pub(crate) fn within(circle: &Circle) -> Condition {
    let venue = |column| Expr::col(("venue", column));
    let bounds = circle.bounds();
    let (south, north) = bounds.latitudes;
    let stretches = bounds.stretches();
    let longitudes = stretches
        .iter()
        .fold(Condition::any(), |any, (west, east)| {
            any.add(venue("longitude").between(*west, *east))
        });
    let squared = |column, center: f64| {
        let along = || venue(column).sub(center);
        along().mul(along())
    };
    let [x, y, z] = circle.center().direction();
    let chord = squared("direction_x", x)
        .add(squared("direction_y", y))
        .add(squared("direction_z", z));
    Condition::all()
        .add(venue("latitude").between(south, north))
        .add_option((!stretches.is_empty()).then_some(longitudes))
        .add(chord.lte(circle.max_squared_chord()))
}

/// See [`Statuses::hold`].
pub(crate) fn holds(statuses: &Statuses, now: Timestamp, table: &'static str) -> Condition {
    let stage = || Expr::col((table, "stage"));
    let Some(named) = &statuses.0 else {
        return Condition::all().add(stage().ne("trashed"));
    };
    named.iter().fold(Condition::any(), |any, status| {
        any.add(match status {
            Status::Publish => is_public(now, table),
            Status::Future => Condition::all()
                .add(stage().eq("published"))
                .add(Expr::col((table, "published_utc")).gt(now.seconds())),
            Status::Draft => Condition::all().add(stage().eq("draft")),
            Status::Pending => Condition::all().add(stage().eq("pending")),
            Status::Private => Condition::all().add(stage().eq("private")),
            Status::Trash => Condition::all().add(stage().eq("trashed")),
        })
    })
}

fn event(column: &'static str) -> Expr {
    Expr::col(("event", column))
}

/// Events that a list holds, whatever else it asks for: those that the reader sees, in the statuses
/// asked for, and not hidden unless `included` by who may edit them.
pub(crate) fn lists_events(
    visibility: &Visibility,
    statuses: &Statuses,
    included: bool,
) -> Condition {
    let only_public =
        visibility.reach() == Reach::Published && !included && statuses.hold(Status::Publish);
    if only_public {
        // The words of the index of lists for everybody.
        return Condition::all()
            .add(event("listed"))
            .add(event("published_utc").lte(visibility.now.seconds()));
    }
    let shown = event("hide_from_listings").eq(false);
    let hidden = if included {
        Condition::any().add(shown).add(may_edit(visibility.caller))
    } else {
        Condition::all().add(shown)
    };
    Condition::all()
        .add(sees(visibility, "event"))
        .add(holds(statuses, visibility.now, "event"))
        .add(hidden)
}

/// See [`Caller::may_edit`].
pub(crate) fn may_edit(caller: Caller) -> Condition {
    match caller {
        Caller::Anonymous
        | Caller::User {
            role: Role::Subscriber,
            ..
        } => Condition::all().add(Expr::val(false)),
        Caller::User {
            id,
            role: Role::Contributor,
        } => Condition::all()
            .add(event("author_id").eq(id.get()))
            .add(event("stage").is_not_in(["published", "private"]))
            .add(
                Condition::any()
                    .add(event("stage").ne("trashed"))
                    .add(event("published_utc").is_null()),
            ),
        Caller::User {
            id,
            role: Role::Author,
        } => Condition::all().add(event("author_id").eq(id.get())),
        Caller::User {
            role: Role::Editor | Role::Administrator,
            ..
        } => Condition::all().add(Expr::val(true)),
    }
}

/// See [`Visibility::opens`].
pub(crate) fn opens(visibility: &Visibility) -> Condition {
    let password = visibility
        .password
        .as_ref()
        .map(|password| event("password_hash").eq(password.as_str()));
    Condition::any()
        .add(event("password_hash").is_null())
        .add_option(password)
        .add(may_edit(visibility.caller))
}

/// What [`opens`] says of everybody without a password.
pub(crate) fn opens_to_all() -> Condition {
    Condition::all().add(event("password_hash").is_null())
}

/// The text in which a search looks: all of an open event, the title of a locked one.
pub(crate) fn searched_text(visibility: &Visibility, shown: &LocalizedColumns) -> SimpleExpr {
    CaseStatement::new()
        .case(
            opens(visibility),
            shown.column("search_text", "search_text"),
        )
        .finally(shown.column("title_key", "title_key"))
        .into()
}

/// See [`domain::event::counts_for_links`].
pub(crate) fn counts_for_links(visibility: &Visibility) -> Condition {
    lists_events(visibility, &Statuses::default(), false).add(opens(visibility))
}
