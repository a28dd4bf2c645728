//! The indexes of trigrams, and the conditions of a search.

use domain::search::Search;
use sea_orm::{
    DynIden, ExprTrait,
    sea_query::{
        CaseStatement, Condition, Expr, IntoIden, Query as Sql, SelectStatement, SimpleExpr,
        UnionType,
    },
};

use crate::{
    entity::{event, event_search, event_search_waiting, event_translation},
    sql::condition::contains,
};

/// The length of the indexed letter sequences.
pub(super) const LETTERS: usize = 3;

/// Whether a text contains all words of a search and none of the excluded ones. With an index, only
/// texts that may contain an excluded word are read for it.
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
            let may_hold = Expr::col((event::Entity, event::Column::Id)).in_subquery(ids);
            // SQLite evaluates the branches of an `OR` without a subquery first, which would read
            // the texts. `CASE` preserves the order.
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

/// An index of trigrams.
#[derive(Clone, Copy, Debug)]
pub(super) enum Index {
    Sqlite,
    Postgres,
}

/// How many of the words an event must contain.
#[derive(Clone, Copy, Debug)]
pub(super) enum Words {
    All,
    Any,
}

impl Index {
    /// The IDs of all events that may contain the words; they may include others. None if no word
    /// is long enough for the index. Shorter words are not looked up.
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

/// The events that contain the words in one of their texts.
fn in_one_text(which: Words, words: &[&str]) -> SelectStatement {
    let texts = |table: DynIden, id: DynIden| {
        let start = match which {
            Words::All => Condition::all(),
            Words::Any => Condition::any(),
        };
        let words = words.iter().fold(start, |held, word| {
            held.add(contains(
                Expr::col((table.clone(), event::Column::SearchText)),
                word,
            ))
        });
        Sql::select()
            .column((table.clone(), id))
            .from(table)
            .cond_where(words)
            .take()
    };
    texts(event::Entity.into_iden(), event::Column::Id.into_iden())
        .union(
            UnionType::All,
            texts(
                event_translation::Entity.into_iden(),
                event_translation::Column::RecordId.into_iden(),
            ),
        )
        .take()
}

/// The matches of the full-text index, and the events that wait to be indexed.
fn in_full_text(which: Words, words: &[&str]) -> SelectStatement {
    let waiting = Sql::select()
        .column(event_search_waiting::Column::EventId)
        .from(event_search_waiting::Entity)
        .take();
    Sql::select()
        .column(event_search::Column::Rowid)
        .from(event_search::Entity)
        .and_where(Expr::col(event_search::Entity).eq(matching(which, words)))
        .union(UnionType::All, waiting)
        .take()
}

/// The full-text query for the trigrams of each word: all letters, with as little overlap as
/// possible.
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
        // `AND` binds more tightly than `OR`.
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
