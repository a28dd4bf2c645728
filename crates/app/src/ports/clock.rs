//! The time.

use std::time::Duration;

use domain::time::Timestamp;

/// Tells the time.
#[cfg_attr(any(test, feature = "test-support"), mockall::automock)]
pub trait Clock: Send + Sync {
    /// The present moment.
    fn now(&self) -> Timestamp;

    /// How much time has passed since some moment in the past. It never jumps, whatever becomes of the
    /// time of day.
    fn passed(&self) -> Duration;
}
