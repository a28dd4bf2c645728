//! The values of `orderby`.

use serde_json::Value;

use super::{Fault, text};

/// The words that `orderby` accepts, each with its sort order.
///
/// ```
/// use app::{event::EVENT_ORDERS, input::Orders};
/// use domain::event::EventSort;
///
/// let orders: &Orders<EventSort, 6> = &EVENT_ORDERS;
/// assert_eq!(orders.words().len(), 6);
/// ```
#[derive(Debug)]
pub struct Orders<T: 'static, const N: usize>(pub(crate) [(&'static str, T); N]);

impl<T: Copy, const N: usize> Orders<T, N> {
    /// The words.
    pub const fn words(&self) -> [&'static str; N] {
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
