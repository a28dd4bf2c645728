//! Work that keeps a processor busy, off the workers of the runtime.
//!
//! A worker that parses a long text answers nobody else meanwhile. Such work is therefore done off the
//! workers, by at most as many requests at once as there are processors to spare; a request that waits
//! too long for its turn is refused.

use std::{sync::Arc, thread::available_parallelism, time::Duration};

use tokio::{
    runtime::{Handle, RuntimeFlavor},
    sync::Semaphore,
    task::block_in_place,
    time::timeout,
};

use crate::error::AppError;

/// Input of at most so many bytes is worked on at once: it takes less than a millisecond.
const LIGHT_BYTES: usize = 4096;

/// How long a request waits for its turn.
const PATIENCE: Duration = Duration::from_millis(500);

/// Turns for heavy work. Clones share the turns.
#[derive(Clone, Debug)]
pub struct HeavyWork {
    turns: Arc<Semaphore>,
    patience: Duration,
}

impl Default for HeavyWork {
    /// One processor is left to all other work, if there are several.
    fn default() -> Self {
        let processors = available_parallelism().map_or(1, usize::from);
        Self::with_turns(processors.saturating_sub(1).max(1))
    }
}

impl HeavyWork {
    /// At most so many requests work at once.
    pub fn with_turns(turns: usize) -> Self {
        Self {
            turns: Arc::new(Semaphore::new(turns)),
            patience: PATIENCE,
        }
    }

    /// Does work whose time grows with an input of so many bytes.
    ///
    /// # Errors
    ///
    /// [`AppError::Overloaded`] if the turns stay taken for half a second.
    pub async fn run<T>(&self, bytes: usize, work: impl FnOnce() -> T) -> Result<T, AppError> {
        if bytes <= LIGHT_BYTES {
            return Ok(work());
        }
        match timeout(self.patience, self.turns.acquire()).await {
            Ok(Ok(_turn)) => Ok(off_the_workers(work)),
            Ok(Err(_)) | Err(_) => Err(AppError::Overloaded),
        }
    }
}

/// Does work whose time grows with an input of so many bytes, without a turn: for what has to be done
/// while others wait for it.
pub fn without_turn<T>(bytes: usize, work: impl FnOnce() -> T) -> T {
    if bytes <= LIGHT_BYTES {
        work()
    } else {
        off_the_workers(work)
    }
}

/// The tasks of this worker go on elsewhere meanwhile. A runtime of one thread has nowhere to put them.
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
    const HEAVY: usize = LIGHT_BYTES + 1;

    #[tokio::test]
    async fn a_request_without_a_turn_is_refused() {
        let heavy = HeavyWork {
            patience: Duration::ZERO,
            ..HeavyWork::with_turns(1)
        };
        let turn = heavy.turns.acquire().await.unwrap();
        assert!(matches!(
            heavy.run(HEAVY, || ()).await,
            Err(AppError::Overloaded)
        ));
        assert_eq!(heavy.run(LIGHT_BYTES, || 1).await.unwrap(), 1);
        drop(turn);
        assert_eq!(heavy.run(HEAVY, || 2).await.unwrap(), 2);
    }

    /// With one worker, another task runs only if the work is off that worker.
    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn other_tasks_go_on_meanwhile() {
        let heavy = HeavyWork::default();
        let task = tokio::spawn(async move {
            let (send, receive) = std::sync::mpsc::channel();
            heavy
                .run(HEAVY, move || {
                    tokio::spawn(async move { send.send(()) });
                    receive.recv_timeout(Duration::from_secs(10))
                })
                .await
        });
        assert!(task.await.unwrap().unwrap().is_ok());
    }
}
