//! Threads of low priority, for the work of searches: with the usual priority, a few searches would
//! take the processors from all lists.

#[cfg(feature = "sqlite")]
use std::cell::Cell;
use std::{fmt::Display, io, sync::LazyLock, time::Duration};

use app::{ports::StoreError, search_queue::turns};
use tokio::runtime::{Builder, Runtime};

/// The increment of the nice value: where threads compete for a processor, such a thread gets a
/// sixth of the time of one with the usual priority.
#[cfg(target_os = "linux")]
const NICE: i32 = 8;

/// Runs work that takes no longer than a few milliseconds on a thread of low priority.
///
/// # Errors
///
/// If there is no thread.
pub(crate) async fn run<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, StoreError> {
    static THREADS: LazyLock<io::Result<Runtime>> = LazyLock::new(|| {
        Builder::new_current_thread()
            .max_blocking_threads(turns())
            // tokio panics if the pool has no thread and the system refuses one: the first stays.
            .thread_keep_alive(Duration::from_secs(u32::MAX.into()))
            .thread_name("search")
            .on_thread_start(lower)
            .build()
    });
    let failed = |error: &dyn Display| StoreError::Internal(error.to_string());
    let threads = THREADS.as_ref().map_err(|error| failed(error))?;
    let done = threads.spawn_blocking(work).await;
    done.map_err(|error| failed(&error))
}

/// Lowers the priority of the current thread once.
#[cfg(feature = "sqlite")]
pub(crate) fn lower_once() {
    thread_local! {
        static IS_LOWERED: Cell<bool> = const { Cell::new(false) };
    }
    if !IS_LOWERED.replace(true) {
        lower();
    }
}

/// Lowers the priority of the current thread. Other systems than Linux have one priority for all
/// threads of a process.
fn lower() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(NICE) {
        tracing::debug!(%error, "the priority of a thread cannot be lowered");
    }
}
