//! Limits CPU-bound work and moves it off the worker threads of the runtime.
//!
//! A worker thread that parses a long text serves no other task meanwhile. Such work runs in
//! `block_in_place`, for at most N requests at once, where N leaves one processor free. A request
//! that waits longer than 500 ms for a permit is refused.
//!
//! ```
//! use events_calendar_app::cpu_limiter::{CpuLimiter, run_unlimited};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let limiter = CpuLimiter::default();
//! let text = "a long text".repeat(1000);
//! let words = limiter.run(text.len(), || text.split(' ').count()).await?;
//! assert_eq!(words, run_unlimited(text.len(), || text.split(' ').count()));
//! # Ok(())
//! # }
//! ```

use std::{sync::Arc, thread::available_parallelism, time::Duration};

use tokio::{
    runtime::{Handle, RuntimeFlavor},
    sync::Semaphore,
    task::block_in_place,
    time::timeout,
};

use crate::error::AppError;

/// Input of at most this many bytes is processed on the worker thread: it takes less than 1 ms.
const INLINE_BYTES: usize = 4096;

/// Longest time that a request waits for a permit.
const MAX_WAIT: Duration = Duration::from_millis(500);

/// Permits for CPU-bound work. Clones share the permits.
#[derive(Clone, Debug)]
pub struct CpuLimiter {
    permits: Arc<Semaphore>,
    max_wait: Duration,
}

impl Default for CpuLimiter {
    /// One permit fewer than there are processors, at least one.
    fn default() -> Self {
        let processors = available_parallelism().map_or(1, usize::from);
        Self::with_permits(processors.saturating_sub(1).max(1))
    }
}

impl CpuLimiter {
    /// At most `permits` requests work at once.
    pub(crate) fn with_permits(permits: usize) -> Self {
        Self {
            permits: Arc::new(Semaphore::new(permits)),
            max_wait: MAX_WAIT,
        }
    }

    /// Runs work whose time grows with an input of `bytes` bytes.
    ///
    /// # Errors
    ///
    /// [`AppError::Overloaded`] if no permit becomes free within 500 ms.
    pub async fn run<T>(&self, bytes: usize, work: impl FnOnce() -> T) -> Result<T, AppError> {
        if bytes <= INLINE_BYTES {
            return Ok(work());
        }
        match timeout(self.max_wait, self.permits.acquire()).await {
            Ok(Ok(_permit)) => Ok(off_the_workers(work)),
            Ok(Err(_)) | Err(_) => Err(AppError::Overloaded),
        }
    }
}

/// Runs work whose time grows with an input of `bytes` bytes, without a permit, because other tasks
/// wait for its result.
pub fn run_unlimited<T>(bytes: usize, work: impl FnOnce() -> T) -> T {
    if bytes <= INLINE_BYTES {
        work()
    } else {
        off_the_workers(work)
    }
}

/// Runs work while the other tasks of this worker move to other workers. A single-threaded runtime
/// has no other worker: there the work runs in place.
fn off_the_workers<T>(work: impl FnOnce() -> T) -> T {
    let runtime = Handle::try_current().map(|handle| handle.runtime_flavor());
    match runtime {
        Ok(RuntimeFlavor::MultiThread) => block_in_place(work),
        _ => work(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    const LONG_INPUT: usize = INLINE_BYTES + 1;

    #[tokio::test]
    async fn a_request_without_a_permit_is_refused() {
        let limiter = CpuLimiter {
            max_wait: Duration::ZERO,
            ..CpuLimiter::with_permits(1)
        };
        let permit = limiter.permits.acquire().await.unwrap();
        assert!(matches!(
            limiter.run(LONG_INPUT, || ()).await,
            Err(AppError::Overloaded)
        ));
        assert_eq!(limiter.run(INLINE_BYTES, || 1).await.unwrap(), 1);
        drop(permit);
        assert_eq!(limiter.run(LONG_INPUT, || 2).await.unwrap(), 2);
    }

    /// With one worker, another task runs only if the work is not on that worker.
    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn other_tasks_go_on_meanwhile() {
        let limiter = CpuLimiter::default();
        let task = tokio::spawn(async move {
            let (send, receive) = std::sync::mpsc::channel();
            limiter
                .run(LONG_INPUT, move || {
                    tokio::spawn(async move { send.send(()) });
                    receive.recv_timeout(Duration::from_secs(10))
                })
                .await
        });
        assert!(task.await.unwrap().unwrap().is_ok());
    }
}
