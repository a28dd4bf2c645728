//! The validity of cached answers.

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
