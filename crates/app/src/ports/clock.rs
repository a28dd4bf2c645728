//! The clock.

use std::time::Duration;

use domain::time::Timestamp;

/// Reads the time.
pub trait Clock: Send + Sync {
    /// The present moment, by the time of day.
    fn now(&self) -> Timestamp;

    /// The time since an unspecified moment in the past. It is monotonic: a change of the time of day
    /// does not move it.
    fn monotonic(&self) -> Duration;
}
