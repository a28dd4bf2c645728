//! Searches by words alone, on SQLite: they read the texts in the order of starts.

use domain::{
    event::{EventFilter, EventSort},
    policy::Visibility,
};
use migration::EVENT_TEXT_ROWS_PER_SECOND;
use sea_orm::{
    ColumnTrait, ExprTrait,
    sea_query::{CaseStatement, Condition, Expr, SimpleExpr},
};

use super::{
    filter,
    text_index::{LETTERS, none_of},
};
use crate::{
    entity::{event::Column, event_text, event_translation},
    sql::{List, LocalizedColumns, Total, condition::contains, from},
};

/// The list of an anonymous search by words alone within a window of starts, on SQLite; none for
/// other lists. With `short`, the list is empty unless that condition is true.
pub(super) fn in_order(
    filter: &EventFilter,
    visibility: &Visibility,
    short: Option<SimpleExpr>,
) -> Option<List> {
    let window = &filter.window;
    let ordered = filter.sort == EventSort::Start && window.end_min.is_none();
    if !visibility.is_public() || !ordered || filter.search.is_empty() || filter::has_more(filter) {
        return None;
    }
    let column = |name: event_text::Column| Expr::col((event_text::Entity, name));
    let place = |start: i64| start.saturating_mul(EVENT_TEXT_ROWS_PER_SECOND);
    let from_place = window.start_min.map(|start| place(start.seconds()));
    let to_place = window
        .latest_start()
        .map(|start| place(start.seconds().saturating_add(1)));
    let to_place = match short {
        None => to_place.map(Expr::val),
        Some(short) => {
            let (to, none) = (to_place.unwrap_or(i64::MAX), i64::MIN);
            // As an end of the range, the condition is evaluated once and not for each row.
            let end = CaseStatement::new().case(short, to).finally(none);
            Some(end.into())
        }
    };
    let mut rows = from(event_text::Entity);
    let translated = CaseStatement::new().case(
        column(event_text::Column::Translated),
        column(event_text::Column::EventId),
    );
    let shown = LocalizedColumns::join(
        &mut rows,
        (event_text::Entity, event_translation::Entity),
        translated,
        visibility.language,
    );
    let text: SimpleExpr = CaseStatement::new()
        .case(
            column(event_text::Column::Locked),
            shown.column(
                event_translation::Column::TitleKey,
                event_text::Column::Folded,
            ),
        )
        .finally(shown.column(
            event_translation::Column::SearchText,
            event_text::Column::Folded,
        ))
        .into();
    let wanted = filter.search.wanted.iter();
    let wanted = wanted.fold(Condition::all(), |all, word| {
        all.add(contains_quickly(&text, word))
    });
    rows.and_where_option(from_place.map(|from| column(event_text::Column::Place).gte(from)))
        .and_where_option(to_place.map(|to| column(event_text::Column::Place).lt(to)))
        .cond_where(filter::within(window, |name: Column| {
            Expr::col((event_text::Entity, name))
        }))
        .and_where(column(event_text::Column::PublishedUtc).lte(visibility.now.seconds()))
        .cond_where(wanted.add(none_of(&filter.search.excluded, &text)));
    Some(List {
        parts: vec![rows],
        id: event_text::Column::EventId.as_column_ref(),
        order: Some(column(event_text::Column::StartUtc)),
        descending: filter.descending,
        slow: true,
        total: Total::Few,
    })
}

/// [`contains`] for a text that is scanned. On SQLite, `LIKE` stops at each letter equal to the
/// first letter of its pattern. So the end of the word from its rarest letter on is searched first,
/// and the whole word only in the few texts that contain this end.
fn contains_quickly(text: &SimpleExpr, word: &str) -> Condition {
    Condition::all()
        .add_option(rare_end(word).map(|end| contains(text.clone(), end)))
        .add(contains(text.clone(), word))
}

/// The end of a word from its rarest letter on, unless it is the whole word.
fn rare_end(word: &str) -> Option<&str> {
    /// Letters by frequency in English, descending; other European languages differ little.
    const BY_FREQUENCY: &str = " etaoinsrhldcumfpgwybvkxjqz";
    let last = word.char_indices().rev().nth(LETTERS - 1)?.0;
    let frequency = |letter| BY_FREQUENCY.find(letter).unwrap_or(BY_FREQUENCY.len());
    let beginnings = word.char_indices().take_while(|(place, _)| *place <= last);
    // The first of equally rare letters.
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
        assert_eq!(rare_end("jazz"), None, "the end from z on is too short");
        assert_eq!(rare_end("marine"), None, "its first letter is the rarest");
        assert_eq!(rare_end("sax"), None);
        assert_eq!(rare_end("go"), None);
        assert_eq!(rare_end("معرض"), None, "letters of unknown frequency");
    }
}
