//! How many rows are taken in together.

use std::time::Duration;

/// The work of a batch: so long nobody else writes to an SQLite file.
const AIM: Duration = Duration::from_millis(100);

/// Rows at the most: a failed batch is begun again from its first row.
const MOST: usize = 200;

/// Where most of the time goes into waiting for the disk, smaller batches than this would take as
/// long and only be more.
const FEW: usize = 50;

/// From here on the rows themselves are to blame, or nothing else is left to try.
const TOO_LONG: Duration = Duration::from_secs(1);

/// How many rows are taken in together, learnt from how long the last ones took.
#[derive(Debug)]
pub(super) struct BatchSize {
    rows: usize,
}

impl Default for BatchSize {
    fn default() -> Self {
        // Few: a slow database must not be found out by holding up a server.
        Self { rows: 10 }
    }
}

impl BatchSize {
    /// Rows of the next batch, from 1 to 200.
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// Learns that a batch of `rows` took `time`. It grows to the double at the most, as one quick
    /// batch proves little, and shrinks at once.
    pub(super) fn adapt(&mut self, rows: usize, time: Duration) {
        let per_row = time.as_micros() / rows.max(1) as u128;
        let fitting = AIM.as_micros() / per_row.max(1);
        let fitting = usize::try_from(fitting).unwrap_or(MOST);
        let most = MOST.min(self.rows * 2);
        let least = if time < TOO_LONG { FEW.min(most) } else { 1 };
        self.rows = fitting.clamp(least, most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_grows_step_by_step_to_the_most() {
        let mut size = BatchSize::default();
        let mut sizes = Vec::new();
        for _ in 0..6 {
            size.adapt(size.rows(), Duration::ZERO);
            sizes.push(size.rows());
        }
        assert_eq!(sizes, [20, 40, 80, 160, 200, 200]);
    }

    #[test]
    fn it_shrinks_at_once_to_what_fits() {
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
