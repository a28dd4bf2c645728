//! The metrics of the process, under the names that all programs use. Linux shows them below `/proc/self`.

use std::{fs, sync::LazyLock};

use app::ports::{Clock as _, SystemClock};
use domain::time::Timestamp;
use metrics::{describe_gauge, gauge};
use rustix::process::{Resource, getrlimit};

/// The ticks of a second in `/proc/self/stat`, which Linux fixes for programs.
const TICKS: f64 = 100.0;

/// The time of the first scrape or of the start, whichever is first.
static BEGAN: LazyLock<Timestamp> = LazyLock::new(|| SystemClock.now());

pub(super) fn describe() {
    LazyLock::force(&BEGAN);
    describe_gauge!(
        "process_start_time_seconds",
        "Start of the process since the epoch"
    );
    describe_gauge!(
        "process_cpu_seconds_total",
        "Time of processors that the process used"
    );
    describe_gauge!(
        "process_resident_memory_bytes",
        "Memory that the process holds"
    );
    describe_gauge!("process_threads", "Threads of the process");
    describe_gauge!("process_open_fds", "Open file descriptors");
    describe_gauge!("process_max_fds", "Most open file descriptors");
}

/// Sets the metrics. One that the system does not show is left out.
pub(super) fn collect() {
    gauge!("process_start_time_seconds").set(super::number_of(*BEGAN));
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    if let Some(seconds) = cpu_seconds(&stat) {
        gauge!("process_cpu_seconds_total").set(seconds);
    }
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    if let Some(kibibytes) = line(&status, "VmRSS:") {
        gauge!("process_resident_memory_bytes").set(kibibytes * 1024.0);
    }
    if let Some(threads) = line(&status, "Threads:") {
        gauge!("process_threads").set(threads);
    }
    if let Ok(open) = fs::read_dir("/proc/self/fd") {
        gauge!("process_open_fds").set(super::number(open.count() as u64));
    }
    if let Some(most) = getrlimit(Resource::Nofile).current {
        gauge!("process_max_fds").set(super::number(most));
    }
}

/// The time of processors, from fields 14 and 15 of `/proc/self/stat`. The name of the program, field 2, may have spaces.
fn cpu_seconds(stat: &str) -> Option<f64> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / TICKS)
}

/// The number in a line of `/proc/self/status`.
fn line(status: &str, name: &str) -> Option<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_linux_are_read() {
        let stat = "7 (events ca) x) S 1 7 7 0 -1 4194560 100 0 0 0 150 50 0 0 20 0 9 0 12";
        assert_eq!(cpu_seconds(stat), Some(2.0));
        assert_eq!(cpu_seconds("7 (x"), None);
        let status = "Name:\tx\nVmRSS:\t    2048 kB\nThreads:\t9\n";
        assert_eq!(
            (line(status, "VmRSS:"), line(status, "Threads:")),
            (Some(2048.0), Some(9.0))
        );
        assert_eq!(line(status, "VmSwap:"), None);
    }
}
