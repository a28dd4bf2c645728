//! The time.

use domain::time::Timestamp;

/// Tells the time.
#[cfg_attr(any(test, feature = "test-support"), mockall::automock)]
pub trait Clock: Send + Sync {
    /// The present moment.
    fn now(&self) -> Timestamp;
}
