//! Which fields of requests were asked for, so that a test can hold descriptions to it.

use std::{cell::RefCell, collections::BTreeSet};

thread_local! {
    static NAMES: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
}

/// Notes that the field of this name was asked for.
pub(crate) fn record(name: &str) {
    NAMES.with_borrow_mut(|names| {
        if !names.contains(name) {
            names.insert(name.to_owned());
        }
    });
}

/// The names of the fields that were asked for on this thread since the last call.
pub fn take() -> BTreeSet<String> {
    NAMES.take()
}
