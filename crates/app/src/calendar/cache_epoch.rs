//! The validity of cached answers.

use std::sync::{Arc, Mutex, PoisonError};

use domain::time::Timestamp;

use crate::ports::DataVersion;

/// The state that cached answers depend on beside request and caller: data version and second.
///
/// A cached answer is valid while the current epoch equals the epoch read before the answer was
/// made. All rules use whole seconds, so an equal second means the same published records, the same
/// days and the same relative dates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CacheEpoch {
    pub(super) data: DataVersion,
    pub(super) now: Timestamp,
}

/// A value that every reader of public records gets, with the epoch in which it was read.
#[derive(Clone, Debug, Default)]
pub(super) struct EpochCache<T>(Arc<Mutex<Option<(CacheEpoch, T)>>>);

impl<T: Copy> EpochCache<T> {
    /// The value, if it was read in this epoch.
    pub(super) fn get(&self, epoch: CacheEpoch) -> Option<T> {
        let cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (of_epoch, value) = (*cached)?;
        (of_epoch == epoch).then_some(value)
    }

    /// Keeps a value that was read after the epoch was.
    pub(super) fn set(&self, epoch: CacheEpoch, value: T) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((epoch, value));
    }
}
