//! The number of rows in a batch.

use std::time::Duration;

/// Target duration of a batch, in which no other process can write to an SQLite file.
const TARGET: Duration = Duration::from_millis(100);

/// Maximum number of rows: a failed batch is repeated from its first row.
const MAX_ROWS: usize = 200;

/// Minimum number of rows on a slow disk, where a smaller batch would take the same time.
const MIN_ROWS: usize = 50;

/// Duration of a batch from which the minimum no longer applies.
const TOO_LONG: Duration = Duration::from_secs(1);

/// The number of rows in a batch, adapted to the duration of the last one.
#[derive(Debug)]
pub(super) struct BatchSize {
    rows: usize,
}

impl Default for BatchSize {
    fn default() -> Self {
        // Small at first: on a slow database a large batch would block a server.
        Self { rows: 10 }
    }
}

impl BatchSize {
    /// The number of rows in the next batch, from 1 to 200.
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// Adapts to a batch of `rows` that took `time`. The size grows by a factor of 2 at most, as
    /// one quick batch proves little, and shrinks at once.
    pub(super) fn adapt(&mut self, rows: usize, time: Duration) {
        let per_row = time.as_micros() / rows.max(1) as u128;
        let fitting = TARGET.as_micros() / per_row.max(1);
        let fitting = usize::try_from(fitting).unwrap_or(MAX_ROWS);
        let max = MAX_ROWS.min(self.rows * 2);
        let min = if time < TOO_LONG {
            MIN_ROWS.min(max)
        } else {
            1
        };
        self.rows = fitting.clamp(min, max);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_at_most_doubles_up_to_the_maximum() {
        let mut size = BatchSize::default();
        let mut sizes = Vec::new();
        for _ in 0..6 {
            size.adapt(size.rows(), Duration::ZERO);
            sizes.push(size.rows());
        }
        assert_eq!(sizes, [20, 40, 80, 160, 200, 200]);
    }

    #[test]
    fn the_size_shrinks_at_once() {
        let mut size = BatchSize { rows: 200 };
        size.adapt(200, Duration::from_millis(250));
        assert_eq!(size.rows(), 80);
        size.adapt(80, Duration::from_secs(2));
        assert_eq!(size.rows(), 4);
        size.adapt(4, Duration::from_secs(10));
        assert_eq!(size.rows(), 1);
        size.adapt(1, Duration::from_millis(1));
        assert_eq!(size.rows(), 2);
    }

    #[test]
    fn a_slow_disk_does_not_make_batches_tiny() {
        let mut size = BatchSize::default();
        for _ in 0..10 {
            size.adapt(size.rows(), Duration::from_millis(300));
        }
        assert_eq!(size.rows(), 50);
    }

    #[test]
    fn a_short_last_batch_is_measured_by_its_own_rows() {
        let mut size = BatchSize { rows: 100 };
        size.adapt(10, Duration::from_millis(10));
        assert_eq!(size.rows(), 100);
    }
}
