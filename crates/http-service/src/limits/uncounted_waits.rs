//! Waits that do not count against the time limit of a request.

use std::sync::Arc;

use tokio::sync::watch;

/// Lets a handler wait, for news for example, without its time limit.
#[derive(Clone, Debug)]
pub struct Patience(pub(crate) Arc<watch::Sender<bool>>);

impl Patience {
    /// Waits for a future. Its duration does not count, and the time limit begins anew after it.
    pub async fn wait<F: Future>(&self, future: F) -> F::Output {
        let _paused = Paused::new(&self.0);
        future.await
    }
}

/// The time limit is paused until this is dropped.
struct Paused<'a>(&'a watch::Sender<bool>);

impl<'a> Paused<'a> {
    fn new(paused: &'a watch::Sender<bool>) -> Self {
        paused.send_replace(true);
        Self(paused)
    }
}

impl Drop for Paused<'_> {
    fn drop(&mut self) {
        self.0.send_replace(false);
    }
}
