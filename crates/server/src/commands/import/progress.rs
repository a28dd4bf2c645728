//! How far an import is.

use indicatif::{ProgressBar, ProgressStyle};

use crate::output;

/// A bar on standard error, if that is a terminal.
pub(super) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Begins, with the bytes that there are to read, if that is known.
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

    /// Shows how many bytes were read.
    pub(super) fn at(&mut self, bytes: u64) {
        self.bar.set_position(bytes);
    }

    /// Writes a line to standard error, above the bar.
    pub(super) fn remark(&mut self, line: &str) {
        self.bar.suspend(|| output::remark(line));
    }

    /// Removes the bar.
    pub(super) fn end(self) {
        self.bar.finish_and_clear();
    }
}
