//! Finding events by the letters of their texts.

use domain::{
    Event,
    policy::{Caller, Visibility},
    query::{EventFilter, EventSort, Window},
    search::Search,
    time::Timestamp,
};
use sea_orm::{
    ExprTrait,
    sea_query::{
        CaseStatement, Condition, Expr, Query as Sql, SelectStatement, SimpleExpr, UnionType,
    },
};

use super::filter;
use crate::{
    condition::contains,
    page::{List, Total, from},
    translations::Shown,
};

/// So many letters in a row are what the indexes of texts hold.
const LETTERS: usize = 3;

/// On SQLite, the texts of listed events, about in the order of starts.
const TEXTS: &str = "event_text";

/// Rows of it are numbered by the stretch of time in which events start, in so many steps a stretch.
const IN_A_STRETCH: i64 = 1 << 24;

/// The length of a stretch, as a power of two, in seconds.
const STRETCH: u32 = 19;

/// Adds that a text holds the words of a search, and none of those that it excludes.
pub(super) fn words(search: &Search, text: &SimpleExpr) -> Condition {
    let all = search.wanted.iter().fold(Condition::all(), |all, word| {
        all.add(contains(text.clone(), word))
    });
    search
        .excluded
        .iter()
        .fold(all, |all, word| all.add(contains(text.clone(), word).not()))
}

/// What somebody unknown who asks for nothing else finds within a window of starts, on SQLite; none
/// for a list of another kind.
pub(super) fn in_order(filter: &EventFilter, visibility: &Visibility) -> Option<List> {
    let window = &filter.window;
    let unknown = visibility.caller == Caller::Anonymous && visibility.password.is_none();
    let ordered = filter.sort == EventSort::Start && window.end_min.is_none();
    if !unknown || !ordered || filter.search.is_empty() || filter::has_more(filter) {
        return None;
    }
    let column = |name| Expr::col((TEXTS, name));
    let mut rows = from(TEXTS);
    let translated = CaseStatement::new().case(column("translated"), column("event_id"));
    let shown =
        Shown::join_copies::<Event>(&mut rows, TEXTS, translated.into(), visibility.language);
    let text = CaseStatement::new()
        .case(column("locked"), shown.column("title_key", "folded"))
        .finally(shown.column("search_text", "folded"));
    let places = match matching(&filter.search) {
        Some(matching) => {
            Condition::all().add(column("place").in_subquery(places(&matching, window)))
        }
        None => within(window, &column("place")),
    };
    rows.cond_where(places)
        .cond_where(filter::within(window, column))
        .and_where(column("published_utc").lte(visibility.now.seconds()))
        .cond_where(words(&filter.search, &text.into()));
    Some(List {
        parts: vec![rows],
        id: (TEXTS, "event_id"),
        order: Some(column("start_utc")),
        descending: filter.descending,
        slow: true,
        total: Total::Few,
    })
}

/// Whether the event at a place may start within a window: its stretch does, at least in part.
fn within(window: &Window, place: &Expr) -> Condition {
    let stretch = |moment: Timestamp| moment.seconds() >> STRETCH;
    let from = window.start_min.map(|start| stretch(start) * IN_A_STRETCH);
    // Nothing ends before it starts.
    let to = window.start_max.into_iter().chain(window.end_max).min();
    let to = to.map(|start| (stretch(start) + 1) * IN_A_STRETCH);
    Condition::all()
        .add_option(from.map(|from| place.clone().gte(from)))
        .add_option(to.map(|to| place.clone().lt(to)))
}

/// The IDs of all events that a search may find within a window of starts, and of some others, by an
/// index; none if no word is long enough for one.
pub(super) fn candidates(
    search: &Search,
    window: &Window,
    postgres: bool,
) -> Option<SelectStatement> {
    if postgres {
        let words: Vec<&str> = long_words(search).collect();
        return (!words.is_empty()).then(|| containing(&words));
    }
    let places = places(&matching(search)?, window);
    let events = Sql::select()
        .column("event_id")
        .from(TEXTS)
        .and_where(Expr::col("place").in_subquery(places))
        .take();
    Some(events)
}

/// The words that are long enough for an index.
fn long_words(search: &Search) -> impl Iterator<Item = &str> {
    let words = search.wanted.iter().map(String::as_str);
    words.filter(|word| word.chars().count() >= LETTERS)
}

/// Those with the words in one of their texts.
fn containing(words: &[&str]) -> SelectStatement {
    let texts = |table: &'static str, id: &'static str| {
        let words = words.iter().fold(Condition::all(), |all, word| {
            all.add(contains(Expr::col((table, "search_text")), word))
        });
        Sql::select()
            .column((table, id))
            .from(table)
            .cond_where(words)
            .take()
    };
    texts("event", "id")
        .union(UnionType::All, texts("event_translation", "record_id"))
        .take()
}

/// The places of those that the full-text index finds within a window, and of those that wait to be put
/// into it.
fn places(matching: &str, window: &Window) -> SelectStatement {
    let mut found = Sql::select()
        .column("rowid")
        .from("event_search")
        .and_where(Expr::col("event_search").eq(matching))
        .cond_where(within(window, &Expr::col("rowid")))
        .take();
    let waiting = Sql::select()
        .column("place")
        .from("event_search_waiting")
        .cond_where(within(window, &Expr::col("place")))
        .take();
    found.union(UnionType::All, waiting).take()
}

/// Asks the full-text index for enough of the letters of each long word: all of them, in groups that
/// overlap as little as may be.
fn matching(search: &Search) -> Option<String> {
    let groups = long_words(search).flat_map(|word| {
        let letters: Vec<char> = word.chars().collect();
        let last = letters.len() - LETTERS;
        let places = (0..last).step_by(LETTERS).chain([last]);
        places
            .map(|place| letters[place..place + LETTERS].iter().collect::<String>())
            .map(|group| format!("\"{}\"", group.replace('"', "\"\"")))
            .collect::<Vec<_>>()
    });
    let groups: Vec<_> = groups.collect();
    (!groups.is_empty()).then(|| groups.join(" AND "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_letters_of_a_word_are_asked_for() {
        let asked = |words: &[&str]| {
            matching(&Search {
                wanted: words.iter().map(|word| (*word).to_owned()).collect(),
                excluded: Vec::new(),
            })
        };
        for (words, wanted) in [
            (&["opera"][..], Some("\"ope\" AND \"era\"")),
            (
                &["zoo", "a\"b c", "of"],
                Some("\"zoo\" AND \"a\"\"b\" AND \"b c\""),
            ),
            (&["abcdef"], Some("\"abc\" AND \"def\"")),
            (&["of"], None),
        ] {
            assert_eq!(asked(words).as_deref(), wanted, "{words:?}");
        }
    }
}
