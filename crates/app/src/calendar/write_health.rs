//! Whether the store takes writes.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use crate::{error::AppError, ports::StoreError};

/// The outcome of the last write of this process. A full disk fails writes, and lets reads work.
#[derive(Clone, Debug, Default)]
pub(super) struct WriteHealth {
    failing: Arc<AtomicBool>,
}

impl WriteHealth {
    /// Records the outcome of a write. A refusal of the write is none of the store.
    pub(super) fn record<T>(&self, outcome: &Result<T, AppError>) {
        let failing = match outcome {
            Ok(_) => false,
            Err(AppError::Store(StoreError::Unavailable(_) | StoreError::Internal(_))) => true,
            Err(_) => return,
        };
        self.failing.store(failing, Ordering::Relaxed);
    }

    /// Whether the store failed the last write.
    pub(super) fn is_failing(&self) -> bool {
        self.failing.load(Ordering::Relaxed)
    }
}
