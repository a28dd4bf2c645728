//! The clock.

use std::time::Duration;

use domain::time::Timestamp;

/// Reads the time.
#[cfg_attr(any(test, feature = "test-support"), mockall::automock)]
pub trait Clock: Send + Sync {
    /// The current time of day.
    fn now(&self) -> Timestamp;

    /// The time since an unspecified time in the past. It is monotonic: adjusting the time of day
    /// does not affect it.
    fn monotonic(&self) -> Duration;
}
