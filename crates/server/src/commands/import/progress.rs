//! The progress bar of an import.

use indicatif::{ProgressBar, ProgressStyle};

use crate::output;

/// A progress bar on standard error, if that is a terminal.
pub(super) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Shows the bar. `bytes` is the length of the file, if it is known.
    pub(super) fn start(bytes: Option<u64>) -> Self {
        let (bar, template) = match bytes {
            Some(bytes) => (
                ProgressBar::new(bytes),
                "{bar:40} {percent:>3} %  {eta} left",
            ),
            None => (ProgressBar::new_spinner(), "{spinner} {binary_bytes} read"),
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { bar }
    }

    /// Shows the number of bytes read.
    pub(super) fn set(&mut self, bytes: u64) {
        self.bar.set_position(bytes);
    }

    /// Writes a line to standard error, above the bar.
    pub(super) fn print(&mut self, line: &str) {
        self.bar.suspend(|| output::notice(line));
    }

    /// Removes the bar.
    pub(super) fn end(self) {
        self.bar.finish_and_clear();
    }
}
