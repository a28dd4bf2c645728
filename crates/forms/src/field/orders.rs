//! The values of `orderby`.

use app::fault::Fault;
use domain::{event::EventSort, term::TermSort};
use serde_json::Value;

use super::values::text;

/// The words that `orderby` accepts, each with its sort order.
#[derive(Debug)]
pub(crate) struct Orders<T: 'static, const N: usize>([(&'static str, T); N]);

impl<T: Copy, const N: usize> Orders<T, N> {
    /// The words.
    pub(crate) const fn words(&self) -> [&'static str; N] {
        let mut words = [""; N];
        let mut index = 0;
        while index < N {
            words[index] = self.0[index].0;
            index += 1;
        }
        words
    }

    /// Reads the sort order of a word.
    pub(crate) fn read(&self, value: &Value) -> Result<T, Fault> {
        let word = text(value)?;
        let known = self.0.iter().find(|(known, _)| *known == word);
        known
            .map(|(_, order)| *order)
            .ok_or_else(|| Fault::NotOneOf(self.words().to_vec()))
    }
}

/// The values of `orderby` for lists of events.
pub(crate) const EVENT_ORDERS: Orders<EventSort, 6> = Orders([
    (EventSort::Start.name(), EventSort::Start),
    (EventSort::End.name(), EventSort::End),
    (EventSort::Date.name(), EventSort::Date),
    (EventSort::Modified.name(), EventSort::Modified),
    (EventSort::Title.name(), EventSort::Title),
    (EventSort::Id.name(), EventSort::Id),
]);

/// The values of `orderby` for lists of terms.
pub(crate) const TERM_ORDERS: Orders<TermSort, 9> = Orders([
    (TermSort::Id.name(), TermSort::Id),
    (TermSort::Name.name(), TermSort::Name),
    (TermSort::Slug.name(), TermSort::Slug),
    (TermSort::Count.name(), TermSort::Count),
    // Terms have no groups: all are in the same one.
    ("term_group", TermSort::Id),
    (TermSort::Description.name(), TermSort::Description),
    (TermSort::Parent.name(), TermSort::Parent),
    (TermSort::Include.name(), TermSort::Include),
    ("include_slugs", TermSort::Slug),
]);
