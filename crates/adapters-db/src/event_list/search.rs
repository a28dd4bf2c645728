//! Finding events by the letters of their texts.

use domain::{
    Event,
    policy::{Caller, Visibility},
    query::{EventFilter, EventSort},
    search::Search,
};
use sea_orm::{
    ExprTrait,
    sea_query::{
        CaseStatement, Condition, Expr, Query as Sql, SelectStatement, SimpleExpr, UnionType,
    },
};

use super::{filter, schema::TEXTS_IN_A_SECOND};
use crate::{
    condition::contains,
    page::{List, Total, from},
    translations::Shown,
};

/// So many letters in a row are what the indexes of texts hold.
const LETTERS: usize = 3;

/// On SQLite, the texts of listed events in the order of starts.
const TEXTS: &str = "event_text";

/// Whether a text of an event holds the words of a search, and none of those that it excludes. Where an
/// index is asked, only texts that may hold an excluded word are read for it.
pub(super) fn words(search: &Search, text: &SimpleExpr, index: Option<Index>) -> Condition {
    let wanted = search.wanted.iter();
    let wanted = wanted.fold(Condition::all(), |all, word| {
        all.add(contains(text.clone(), word))
    });
    let (indexed, others): (Vec<_>, Vec<_>) = search
        .excluded
        .iter()
        .partition(|word| index.is_some() && is_indexed(word));
    let words = wanted.add(none_of(others, text));
    let may_hold = index.and_then(|index| index.holding(Words::Any, indexed.iter().copied()));
    match may_hold {
        None => words,
        Some(ids) => {
            let may_hold = Expr::col(("event", "id")).in_subquery(ids);
            // Of an OR, SQLite looks at what has no selection first: that would be the texts.
            let holds_none: SimpleExpr = CaseStatement::new()
                .case(may_hold, none_of(indexed, text))
                .finally(true)
                .into();
            words.add(holds_none)
        }
    }
}

fn none_of<'a>(words: impl IntoIterator<Item = &'a String>, text: &SimpleExpr) -> Condition {
    let words = words.into_iter();
    words.fold(Condition::all(), |all, word| {
        all.add(contains(text.clone(), word).not())
    })
}

/// What [`contains`] says of a text that is read through: on SQLite, LIKE stops at each letter that is the
/// first of what it looks for. So the end of the word that begins with its rarest letter is looked for
/// first, and the word itself only in the few texts that hold it.
fn contains_quickly(text: &SimpleExpr, word: &str) -> Condition {
    Condition::all()
        .add_option(rare_end(word).map(|end| contains(text.clone(), end)))
        .add(contains(text.clone(), word))
}

/// The end of a word that begins with its rarest letter, if it is not the whole.
fn rare_end(word: &str) -> Option<&str> {
    /// From the most frequent on, in English; other European languages differ little.
    const BY_FREQUENCY: &str = " etaoinsrhldcumfpgwybvkxjqz";
    let last = word.char_indices().rev().nth(LETTERS - 1)?.0;
    let frequency = |letter| BY_FREQUENCY.find(letter).unwrap_or(BY_FREQUENCY.len());
    let beginnings = word.char_indices().take_while(|(place, _)| *place <= last);
    // Of equally rare ones, the first.
    let rarest = beginnings.reduce(|rarest, next| {
        if frequency(next.1) > frequency(rarest.1) {
            next
        } else {
            rarest
        }
    });
    let (place, _) = rarest?;
    (place > 0).then(|| &word[place..])
}

/// What somebody unknown who asks for nothing else finds within a window of starts, on SQLite; none
/// for a list of another kind. If it is to be `short`, it holds nothing unless it is.
pub(super) fn in_order(
    filter: &EventFilter,
    visibility: &Visibility,
    short: Option<SimpleExpr>,
) -> Option<List> {
    let window = &filter.window;
    let unknown = visibility.caller == Caller::Anonymous && visibility.password.is_none();
    let ordered = filter.sort == EventSort::Start && window.end_min.is_none();
    if !unknown || !ordered || filter.search.is_empty() || filter::has_more(filter) {
        return None;
    }
    let column = |name| Expr::col((TEXTS, name));
    let place = |start: i64| start.saturating_mul(TEXTS_IN_A_SECOND);
    let from_place = window.start_min.map(|start| place(start.seconds()));
    let to_place = window
        .latest_start()
        .map(|start| place(start.seconds().saturating_add(1)));
    let to_place = match short {
        None => to_place.map(Expr::val),
        Some(short) => {
            let (to, none) = (to_place.unwrap_or(i64::MAX), i64::MIN);
            // As an end of the range it is asked once, and not for each row.
            let end = CaseStatement::new().case(short, to).finally(none);
            Some(end.into())
        }
    };
    let mut rows = from(TEXTS);
    let translated = CaseStatement::new().case(column("translated"), column("event_id"));
    let shown =
        Shown::join_copies::<Event>(&mut rows, TEXTS, translated.into(), visibility.language);
    let text: SimpleExpr = CaseStatement::new()
        .case(column("locked"), shown.column("title_key", "folded"))
        .finally(shown.column("search_text", "folded"))
        .into();
    let wanted = filter.search.wanted.iter();
    let wanted = wanted.fold(Condition::all(), |all, word| {
        all.add(contains_quickly(&text, word))
    });
    rows.and_where_option(from_place.map(|from| column("place").gte(from)))
        .and_where_option(to_place.map(|to| column("place").lt(to)))
        .cond_where(filter::within(window, column))
        .and_where(column("published_utc").lte(visibility.now.seconds()))
        .cond_where(wanted.add(none_of(&filter.search.excluded, &text)));
    Some(List {
        parts: vec![rows],
        id: (TEXTS, "event_id"),
        order: Some(column("start_utc")),
        descending: filter.descending,
        slow: true,
        total: Total::Few,
    })
}

/// An index of the letters of texts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Index {
    Sqlite,
    Postgres,
}

/// How many of some words an event holds at the least.
#[derive(Clone, Copy, Debug)]
pub(super) enum Words {
    All,
    Any,
}

impl Index {
    /// The IDs of all events that hold some words, and of some others; none if no word is long enough. What
    /// is too short is not asked for.
    pub(super) fn holding<'a>(
        self,
        which: Words,
        words: impl IntoIterator<Item = &'a String>,
    ) -> Option<SelectStatement> {
        let words = words.into_iter().map(String::as_str);
        let words: Vec<&str> = words.filter(|word| is_indexed(word)).collect();
        (!words.is_empty()).then(|| match self {
            Self::Sqlite => in_full_text(which, &words),
            Self::Postgres => in_one_text(which, &words),
        })
    }
}

/// Whether a word is long enough for an index.
fn is_indexed(word: &str) -> bool {
    word.chars().count() >= LETTERS
}

/// Those with the words in one of their texts.
fn in_one_text(which: Words, words: &[&str]) -> SelectStatement {
    let texts = |table: &'static str, id: &'static str| {
        let start = match which {
            Words::All => Condition::all(),
            Words::Any => Condition::any(),
        };
        let words = words.iter().fold(start, |held, word| {
            held.add(contains(Expr::col((table, "search_text")), word))
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

/// Those that the full-text index finds, and those that wait to be put into it.
fn in_full_text(which: Words, words: &[&str]) -> SelectStatement {
    let waiting = Sql::select()
        .column("event_id")
        .from("event_search_waiting")
        .take();
    Sql::select()
        .column("rowid")
        .from("event_search")
        .and_where(Expr::col("event_search").eq(matching(which, words)))
        .union(UnionType::All, waiting)
        .take()
}

/// Asks the full-text index for enough of the letters of each word: all of them, in groups that
/// overlap as little as may be.
fn matching(which: Words, words: &[&str]) -> String {
    let word = |word: &&str| {
        let letters: Vec<char> = word.chars().collect();
        let last = letters.len() - LETTERS;
        let places = (0..last).step_by(LETTERS).chain([last]);
        let groups: Vec<_> = places
            .map(|place| letters[place..place + LETTERS].iter().collect::<String>())
            .map(|group| format!("\"{}\"", group.replace('"', "\"\"")))
            .collect();
        groups.join(" AND ")
    };
    let words: Vec<_> = words.iter().map(word).collect();
    match which {
        Words::All => words.join(" AND "),
        // AND binds closer.
        Words::Any => words.join(" OR "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rare_end_of_a_word_holds_enough_letters() {
        assert_eq!(rare_end("robotics"), Some("botics"));
        assert_eq!(rare_end("salsa"), Some("lsa"));
        assert_eq!(rare_end("jazz"), None, "what begins with z is too short");
        assert_eq!(rare_end("marine"), None, "its first letter is the rarest");
        assert_eq!(rare_end("sax"), None);
        assert_eq!(rare_end("go"), None);
        assert_eq!(rare_end("معرض"), None, "letters that are not told apart");
    }

    #[test]
    fn all_letters_of_a_word_are_asked_for() {
        let all = |words: &[&str]| matching(Words::All, words);
        assert_eq!(all(&["opera"]), "\"ope\" AND \"era\"");
        assert_eq!(
            all(&["zoo", "a\"b c"]),
            "\"zoo\" AND \"a\"\"b\" AND \"b c\""
        );
        assert_eq!(all(&["abcdef"]), "\"abc\" AND \"def\"");
        assert_eq!(
            matching(Words::Any, &["opera", "zoo"]),
            "\"ope\" AND \"era\" OR \"zoo\""
        );
    }
}
