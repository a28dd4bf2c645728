//! How many connections there is room for.

use std::fs;

/// Connections at the most, whatever the system allows.
const MOST: u32 = 20_000;

/// Descriptors that are left to the database, the log and the listener itself.
const RESERVED: u32 = 64;

/// How many connections there is room for, so that descriptors are left when all are open.
pub(super) fn connections() -> u32 {
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let Some(descriptors) = descriptors(&limits) else {
        return MOST;
    };
    let room = descriptors.saturating_sub(RESERVED).clamp(1, MOST);
    if room < MOST - RESERVED {
        tracing::info!(
            connections = room,
            descriptors,
            "the limit of open files is also one of connections: `ulimit -n` sets it"
        );
    }
    room
}

/// How many descriptors the system lets this process have; none if it does not tell or has no limit.
fn descriptors(limits: &str) -> Option<u32> {
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max open files"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_soft_limit_counts() {
        let limits = "Limit                     Soft Limit           Hard Limit           Units\n\
                      Max processes             62000                62000                processes\n\
                      Max open files            1024                 524288               files\n";
        assert_eq!(descriptors(limits), Some(1024));
        assert_eq!(
            descriptors("Max open files  unlimited unlimited files"),
            None
        );
        assert_eq!(descriptors(""), None);
    }
}
