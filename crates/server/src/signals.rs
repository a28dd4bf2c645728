//! The signals that stop a server.

use anyhow::Context;
use tokio::{
    signal::unix::{SignalKind, signal},
    sync::mpsc,
};

/// Sends a message for each SIGTERM and Ctrl-C from now on.
///
/// # Errors
///
/// If the system refuses the signal handlers.
pub(crate) fn listen() -> anyhow::Result<mpsc::UnboundedReceiver<()>> {
    let mut terminate = signal(SignalKind::terminate()).context("cannot listen to SIGTERM")?;
    let mut interrupt = signal(SignalKind::interrupt()).context("cannot listen to Ctrl-C")?;
    let (sender, receiver) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        loop {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
            if sender.send(()).is_err() {
                return;
            }
        }
    });
    Ok(receiver)
}
