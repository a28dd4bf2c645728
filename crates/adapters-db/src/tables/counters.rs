//! The numbers that lists share with the triggers of the database. Each says in which migration it stands,
//! too: to change it takes another migration.

/// Counters of events by their starts, in stretches of time of one length.
#[derive(Clone, Copy)]
pub(crate) struct Counters {
    /// The number under which the table has them.
    pub(crate) scope: i64,
    /// How long the stretches are, as a power of two, in seconds.
    pub(crate) shift: u32,
}

impl Counters {
    /// The table.
    pub(crate) const TABLE: &str = "event_starts";

    /// Of all events: `ALL` of `m20261121_000006_lists`.
    pub(crate) const OF_ALL: Self = Self {
        scope: 0,
        shift: 16,
    };

    /// Of all events, in longer stretches: `LONG` of `m20261122_000011_all`.
    pub(crate) const OF_ALL_LONG: Self = Self {
        scope: -1,
        shift: 21,
    };

    /// Of each category, with those below it: `IN_CATEGORY` of `m20261121_000010_in_category`.
    pub(crate) const OF_CATEGORIES: Self = Self::of_each(1);

    /// Of each tag: `LINKS` of `m20261121_000006_lists`.
    pub(crate) const OF_TAGS: Self = Self::of_each(2);

    /// Of each organizer: `LINKS` of `m20261121_000006_lists`.
    pub(crate) const OF_ORGANIZERS: Self = Self::of_each(3);

    /// Of each venue: `VENUES` of `m20261121_000006_lists`.
    pub(crate) const OF_VENUES: Self = Self::of_each(4);

    /// The stretches are `LONG_SHIFT` of `m20261121_000006_lists`.
    const fn of_each(scope: i64) -> Self {
        Self { scope, shift: 19 }
    }
}

/// How long the events of each class last at the most, in seconds; those of the last, endlessly.
/// The column `span` holds the class: `SPAN` of `m20261121_000006_lists`.
pub(crate) const SPANS: [Option<i64>; 6] = [
    Some(14_400),
    Some(86_400),
    Some(518_400),
    Some(3_110_400),
    Some(18_662_400),
    None,
];

/// Rows of the table of texts are numbered by starts, in so many steps a second: `IN_A_SECOND` of
/// `m20261121_000009_texts`.
pub(crate) const TEXTS_IN_A_SECOND: i64 = 1 << 24;
