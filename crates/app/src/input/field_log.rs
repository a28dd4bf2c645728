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
pub fn take() -> BTreeSet<String> {
    NAMES.take()
}
