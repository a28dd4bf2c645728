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
    ("start_date", EventSort::Start),
    ("end_date", EventSort::End),
    ("date", EventSort::Date),
    ("modified", EventSort::Modified),
    ("title", EventSort::Title),
    ("id", EventSort::Id),
]);

/// The values of `orderby` for lists of terms.
pub(crate) const TERM_ORDERS: Orders<TermSort, 9> = Orders([
    ("id", TermSort::Id),
    ("name", TermSort::Name),
    ("slug", TermSort::Slug),
    ("count", TermSort::Count),
    // Terms have no groups: all are in the same one.
    ("term_group", TermSort::Id),
    ("description", TermSort::Description),
    ("parent", TermSort::Parent),
    ("include", TermSort::Include),
    ("include_slugs", TermSort::Slug),
]);
