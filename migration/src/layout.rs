//! Numbers that the triggers and the queries of the program share. A change of any of them needs a
//! migration.

/// A histogram of the start times of listed events, in the table `event_starts`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Histogram {
    /// The value of the column `scope`.
    pub scope: i64,
    /// A bucket covers 2 to the power of `shift` seconds.
    pub shift: u32,
}

impl Histogram {
    /// All events, in buckets of about 24 days.
    ///
    /// Counters are written in the order of their scopes: a transaction that waits for a counter of
    /// this histogram holds no other counter yet.
    pub const ALL_COARSE: Self = Self::new(-1, 21);

    /// All events, in buckets of about 18 hours.
    pub const ALL: Self = Self::new(0, 16);

    /// One histogram for each category and its descendants, in buckets of about 6 days.
    pub const CATEGORY: Self = Self::new(1, 19);

    /// One histogram for each tag, in buckets of about 6 days.
    pub const TAG: Self = Self::new(2, 19);

    /// One histogram for each organizer, in buckets of about 6 days.
    pub const ORGANIZER: Self = Self::new(3, 19);

    /// One histogram for each venue, in buckets of about 6 days.
    pub const VENUE: Self = Self::new(4, 19);

    const fn new(scope: i64, shift: u32) -> Self {
        Self { scope, shift }
    }
}

/// The maximum duration of an event of each class, in seconds; the last class has none.
///
/// The column `event.span` holds the class. Each class lasts six times as long as the one before,
/// so that events in progress at a moment started, class by class, shortly before it.
pub const DURATION_CLASSES: [Option<i64>; 6] = [
    Some(14_400),
    Some(86_400),
    Some(518_400),
    Some(3_110_400),
    Some(18_662_400),
    None,
];

/// A block of the search index covers 2 to the power of this number of seconds: about 3 days.
pub const SEARCH_BLOCK_SHIFT: u32 = 18;

/// Row IDs of `event_text` per second: the start time of the event times this number is the first
/// row ID of that second. The first migration created the table, and a later one deletes it.
pub(crate) const EVENT_TEXT_ROWS_PER_SECOND: i64 = 1 << 24;

/// Returns the SQL expression of the duration class of an event.
pub(crate) fn duration_class() -> String {
    let case = |(class, maximum): (usize, &Option<i64>)| match maximum {
        Some(seconds) => format!("WHEN end_utc - start_utc <= {seconds} THEN {class} "),
        None => format!("ELSE {class}"),
    };
    let cases: String = DURATION_CLASSES.iter().enumerate().map(case).collect();
    format!("CASE {cases} END")
}
