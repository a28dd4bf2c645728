//! Indexes of the letters of texts, and the conditions of a search.

use domain::search::Search;
use sea_orm::{
    ExprTrait,
    sea_query::{
        CaseStatement, Condition, Expr, Query as Sql, SelectStatement, SimpleExpr, UnionType,
    },
};

use crate::sql::condition::contains;

/// So many letters in a row are what the indexes of texts hold.
pub(super) const LETTERS: usize = 3;

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

pub(super) fn none_of<'a>(
    words: impl IntoIterator<Item = &'a String>,
    text: &SimpleExpr,
) -> Condition {
    let words = words.into_iter();
    words.fold(Condition::all(), |all, word| {
        all.add(contains(text.clone(), word).not())
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
