//! The validity of cached answers.

use domain::time::Timestamp;

use crate::ports::DataVersion;

/// The state that answers depend on beside request and caller: the version of the data and the second.
///
/// An answer that was made after one was told is right for as long as an equal one is told. The rules
/// know time in whole seconds, so that this holds for all of them: for what is published by the clock,
/// for days that begin, for dates that are said in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CacheEpoch {
    pub(super) data: DataVersion,
    pub(super) now: Timestamp,
}
