//! The signal that texts wait for the search index.

use tokio::sync::mpsc;

/// Wakes the task that merges texts into the search index. The task ends with its last signal.
#[derive(Clone, Debug)]
pub(crate) struct MergeSignal(mpsc::Sender<()>);

impl MergeSignal {
    /// A signal, and the receiver of the task.
    pub(crate) fn channel() -> (Self, mpsc::Receiver<()>) {
        let (sender, receiver) = mpsc::channel(1);
        (Self(sender), receiver)
    }

    /// Announces texts that wait.
    pub(crate) fn send(&self) {
        // A full channel has woken the task already.
        let _ = self.0.try_send(());
    }
}
