//! The time of the last order at an authority. A restart does not forget it.

use std::{io, str, time::Duration};

use app::ports::Clock;
use domain::time::Timestamp;

use super::folder::{PrivateFolder, file_name};

/// The shortest time between two orders. Authorities refuse names for which orders failed too often.
pub(super) const PERIOD: Duration = Duration::from_hours(1);

/// The orders at one authority.
pub(super) struct Orders<C> {
    folder: PrivateFolder,
    file: String,
    clock: C,
}

/// The answer to a wish to order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Permission {
    /// The order is recorded, and may begin.
    Granted,
    /// The next order may begin after this time.
    In(Duration),
}

impl<C: Clock> Orders<C> {
    /// The orders at the authority with this directory.
    pub(super) fn new(folder: PrivateFolder, directory: &str, clock: C) -> Self {
        Self {
            file: file_name("order", &[directory.to_owned()], ".time"),
            folder,
            clock,
        }
    }

    /// Records an order that begins now, unless the last one is too recent.
    ///
    /// # Errors
    ///
    /// If the file of the time cannot be read or written.
    pub(super) fn begin(&self) -> io::Result<Permission> {
        let now = self.clock.now();
        let Some(text) = self.folder.read(&self.file)? else {
            self.record(now)?;
            return Ok(Permission::Granted);
        };
        // A time in the future is one of a clock that was set back.
        let Some(last) = time(&text).filter(|last| *last <= now) else {
            // It may have been at any time, also just now.
            self.record(now)?;
            return Ok(Permission::In(PERIOD));
        };
        let elapsed = now.seconds().saturating_sub(last.seconds());
        let left = PERIOD.saturating_sub(Duration::from_secs(elapsed.unsigned_abs()));
        if !left.is_zero() {
            return Ok(Permission::In(left));
        }
        self.record(now)?;
        Ok(Permission::Granted)
    }

    fn record(&self, time: Timestamp) -> io::Result<()> {
        self.folder
            .write(&self.file, format!("{time}\n").as_bytes())
    }
}

fn time(text: &[u8]) -> Option<Timestamp> {
    str::from_utf8(text).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use app::test_support::FixedClock;
    use tempfile::TempDir;

    use super::*;

    const DIRECTORY: &str = "https://acme.example/directory";

    fn orders(path: &Path, directory: &str, now: &str) -> Orders<FixedClock> {
        let folder = PrivateFolder::open(path).unwrap();
        Orders::new(folder, directory, FixedClock::at(now))
    }

    #[test]
    fn an_order_an_hour_begins_also_after_restarts() {
        let folder = TempDir::new().unwrap();
        let begin = |now: &str| orders(folder.path(), DIRECTORY, now).begin().unwrap();
        let left = |minutes| Permission::In(Duration::from_mins(minutes));
        assert_eq!(begin("2027-03-10 09:00:00"), Permission::Granted);
        assert_eq!(begin("2027-03-10 09:00:00"), left(60));
        assert_eq!(begin("2027-03-10 09:45:00"), left(15));
        assert_eq!(begin("2027-03-10 10:00:00"), Permission::Granted);
        assert_eq!(begin("2027-03-10 10:01:00"), left(59));
        // The clock was set back.
        assert_eq!(begin("2026-03-10 10:01:00"), left(60));
        assert_eq!(begin("2026-03-10 10:31:00"), left(30));
    }

    #[test]
    fn each_authority_has_its_own_hour() {
        let folder = TempDir::new().unwrap();
        let begin = |directory| {
            let orders = orders(folder.path(), directory, "2027-03-10 09:00:00");
            orders.begin().unwrap()
        };
        assert_eq!(begin(DIRECTORY), Permission::Granted);
        assert_eq!(begin("https://other.example/"), Permission::Granted);
        assert_ne!(begin(DIRECTORY), Permission::Granted);
    }

    #[test]
    fn after_a_broken_file_an_hour_passes() {
        let folder = TempDir::new().unwrap();
        let at = |now| orders(folder.path(), DIRECTORY, now);
        let first = at("2027-03-10 09:00:00");
        fs::write(first.folder.file(&first.file), b"yesterday").unwrap();
        assert_eq!(first.begin().unwrap(), Permission::In(PERIOD));
        let second = at("2027-03-10 10:00:00");
        assert_eq!(second.begin().unwrap(), Permission::Granted);
    }
}
