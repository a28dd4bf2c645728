//! A log of the field names that use cases read. Tests compare it with the documented parameters.

use std::{cell::RefCell, collections::BTreeSet};

thread_local! {
    static NAMES: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
}

/// Records the name of a field that a use case reads.
pub(crate) fn record(name: &str) {
    NAMES.with_borrow_mut(|names| {
        if !names.contains(name) {
            names.insert(name.to_owned());
        }
    });
}

/// Takes the names recorded on this thread since the last call.
///
/// ```
/// use app::input::{Fields, field_log};
///
/// Fields::default().get("title");
/// assert!(field_log::take().contains("title"));
/// assert!(field_log::take().is_empty());
/// ```
pub fn take() -> BTreeSet<String> {
    NAMES.take()
}
