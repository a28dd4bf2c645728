//! Searches by words alone, on SQLite: they read the texts in the order of starts.

use domain::{
    Event,
    event::{EventFilter, EventSort},
    policy::{Caller, Visibility},
};
use migration::EVENT_TEXT_ROWS_PER_SECOND;
use sea_orm::{
    ExprTrait,
    sea_query::{CaseStatement, Condition, Expr, SimpleExpr},
};

use super::{
    filter,
    text_index::{LETTERS, none_of},
};
use crate::{
    sql::{List, LocalizedColumns, Total, condition::contains, from},
    tables::Table,
};

/// On SQLite, the texts of listed events in the order of starts.
const TEXTS: &str = "event_text";

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
    let place = |start: i64| start.saturating_mul(EVENT_TEXT_ROWS_PER_SECOND);
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
    let shown = LocalizedColumns::join(
        &mut rows,
        (TEXTS, Event::TRANSLATIONS),
        translated,
        visibility.language,
    );
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
}
