//! Finding events by the letters of their texts.

use domain::search::Search;
use sea_orm::{
    ExprTrait,
    sea_query::{Condition, Expr, Query as Sql, SelectStatement, UnionType},
};

use crate::condition::contains;

/// So many letters in a row are what the indexes of texts hold.
const LETTERS: usize = 3;

/// The IDs of all events that a search may find, and of some others, by an index; none if no word is
/// long enough for one.
pub(super) fn candidates(search: &Search, postgres: bool) -> Option<SelectStatement> {
    let words: Vec<&str> = search
        .wanted
        .iter()
        .map(String::as_str)
        .filter(|word| word.chars().count() >= LETTERS)
        .collect();
    if words.is_empty() {
        return None;
    }
    Some(if postgres {
        containing(&words)
    } else {
        indexed(&words)
    })
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

/// Those that the full-text index finds, and those that wait to be put into it.
fn indexed(words: &[&str]) -> SelectStatement {
    let waiting = Sql::select()
        .column("event_id")
        .from("event_search_waiting")
        .take();
    Sql::select()
        .column("rowid")
        .from("event_search")
        .and_where(Expr::col("event_search").eq(matching(words)))
        .union(UnionType::All, waiting)
        .take()
}

/// Asks the full-text index for enough of the letters of each word: all of them, in groups that
/// overlap as little as may be.
fn matching(words: &[&str]) -> String {
    let groups = words.iter().flat_map(|word| {
        let letters: Vec<char> = word.chars().collect();
        let last = letters.len() - LETTERS;
        let places = (0..last).step_by(LETTERS).chain([last]);
        places
            .map(|place| letters[place..place + LETTERS].iter().collect::<String>())
            .map(|group| format!("\"{}\"", group.replace('"', "\"\"")))
            .collect::<Vec<_>>()
    });
    groups.collect::<Vec<_>>().join(" AND ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_letters_of_a_word_are_asked_for() {
        assert_eq!(matching(&["opera"]), "\"ope\" AND \"era\"");
        assert_eq!(
            matching(&["zoo", "a\"b c"]),
            "\"zoo\" AND \"a\"\"b\" AND \"b c\""
        );
        assert_eq!(matching(&["abcdef"]), "\"abc\" AND \"def\"");
    }
}
