//! Duplicates: records of one kind that are the same thing, because two sources, or a source and a person, brought it.
//!
//! A [`Sketch`] is the part of a record that is compared. Two sketches that look alike make a [`Likeness`]: a score and the
//! reasons for it.
//!
//! ```
//! use events_calendar_domain::{*, duplicate::{DuplicateReason, Sketch}, event::EventDetails, text::Title};
//! use events_calendar_domain::time::{EventTime, Timestamp, Zone, parse_civil};
//!
//! let event = |title: &str| {
//!     let noon = parse_civil("2027-03-09 12:00:00").unwrap();
//!     let details = EventDetails::new(EventTime::new(Zone::utc(), noon, noon, false).unwrap(), "uid".into());
//!     let now = Timestamp::from_seconds(0).unwrap();
//!     Entry::new(UserId::from_raw(1), title.parse::<Title>().unwrap(), details, now)
//! };
//! let sketch = |title| Sketch::of_event(&event(title), None);
//! let fair = sketch("Spring fair of the valley");
//! let alike = fair.compare(&sketch("spring fiar of the valley")).unwrap();
//! assert!(alike.reasons.contains(&DuplicateReason::TitleSpelling) && alike.score < 95);
//! assert!(fair.compare(&sketch("Spring concert of the valley")).is_none());
//! ```

mod fields;
mod name;
mod sketch;

use crate::Kind;

pub use fields::takeable_fields;
pub use sketch::Sketch;

/// The days in which a merge can be undone.
///
/// ```
/// assert_eq!(events_calendar_domain::duplicate::UNDO_DAYS, 30);
/// ```
pub const UNDO_DAYS: i64 = 30;

named_enum! {
    /// A reason why two records look alike.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum DuplicateReason, name {
        /// The same title or name, but for letter case, accents and punctuation.
        Title = "title",
        /// The words of the title or name in another order.
        TitleOrder = "title_order",
        /// The title or name with a typing error.
        TitleSpelling = "title_spelling",
        /// One title or name is the other, shortened.
        TitlePart = "title_part",
        /// The same start and end: the same instants, or the same clocks in two zones.
        Time = "time",
        /// The same start.
        Start = "start",
        /// The same day.
        Day = "day",
        /// Days that overlap.
        Overlap = "overlap",
        /// The same venue.
        Venue = "venue",
        /// Positions less than 150 m apart.
        Position = "position",
        /// The same street and number.
        Address = "address",
        /// The same town.
        City = "city",
        /// The same web site.
        Website = "website",
        /// The same e-mail address.
        Email = "email",
        /// The same telephone number.
        Phone = "phone",
    }
}

named_enum! {
    /// The state of a pair of records that look alike.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum DuplicateState, name {
        /// Nobody has decided.
        Open = "open",
        /// The two are one record now.
        Merged = "merged",
        /// The two are two things.
        Dismissed = "dismissed",
    }
}

named_enum! {
    /// Which duplicates a run of an import or a source merges.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum MergeDuplicates, name {
        /// Duplicates are not looked for.
        Off = "off",
        /// Duplicates are reported.
        #[default]
        Report = "report",
        /// A duplicate that the run brought is merged, if the [score](Likeness::SURE) leaves no doubt.
        Sure = "sure",
    }
}

/// How much two records look alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Likeness {
    /// From [`Likeness::REPORTED`] to 100.
    pub score: u8,
    /// The reasons, in the order of their declaration.
    pub reasons: Vec<DuplicateReason>,
}

impl Likeness {
    /// The least score of records that look alike.
    pub const REPORTED: u8 = 70;

    /// The least score at which a run may merge on its own.
    pub const SURE: u8 = 95;

    /// The likeness of records that came from one source under two identifiers: a source knows its own records apart, so
    /// that this is never [sure](Self::SURE).
    ///
    /// ```
    /// use events_calendar_domain::duplicate::{DuplicateReason, Likeness};
    /// let alike = Likeness { score: 100, reasons: vec![DuplicateReason::Title] };
    /// assert!(alike.clone().of_one_source().is_some_and(|alike| alike.score < Likeness::SURE));
    /// let little = Likeness { score: Likeness::REPORTED, ..alike };
    /// assert_eq!(little.of_one_source(), None);
    /// ```
    pub fn of_one_source(self) -> Option<Self> {
        let score = self.score - 15;
        (score >= Self::REPORTED).then_some(Self { score, ..self })
    }
}

/// A pair of records of one kind that look alike.
///
/// ```
/// use events_calendar_domain::{Kind, duplicate::{Duplicate, DuplicateReason, DuplicateState, Likeness}};
///
/// let likeness = Likeness { score: 80, reasons: vec![DuplicateReason::Title] };
/// let pair = Duplicate::new(Kind::Event, [(9, 1), (7, 4)], likeness.clone());
/// assert_eq!((pair.records, pair.revisions), ([7, 9], [4, 1]));
/// assert_eq!(pair.other_than(9), Some(7));
///
/// // What was dismissed is reported again once it looks more alike.
/// let dismissed = Duplicate { state: DuplicateState::Dismissed, ..pair.clone() };
/// assert_eq!(dismissed.found_again(&pair), None);
/// let more = Duplicate { likeness: Likeness { score: 90, ..likeness }, ..pair.clone() };
/// assert_eq!(dismissed.found_again(&more).as_ref(), Some(&more));
/// assert_eq!(pair.found_again(&pair), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// The kind of the records.
    pub kind: Kind,
    /// The IDs of the records, the lower one first.
    pub records: [i64; 2],
    /// Their revisions when they were compared.
    pub revisions: [i64; 2],
    /// How much they look alike.
    pub likeness: Likeness,
    /// The decision.
    pub state: DuplicateState,
}

impl Duplicate {
    /// An open pair of records, each with its ID and its revision.
    pub fn new(kind: Kind, mut records: [(i64, i64); 2], likeness: Likeness) -> Self {
        records.sort_unstable();
        Self {
            kind,
            records: records.map(|(id, _)| id),
            revisions: records.map(|(_, revision)| revision),
            likeness,
            state: DuplicateState::Open,
        }
    }

    /// The other record of the pair; `None` if `id` is not in it.
    pub fn other_than(&self, id: i64) -> Option<i64> {
        let [lower, higher] = self.records;
        if id == lower {
            Some(higher)
        } else {
            (id == higher).then_some(lower)
        }
    }

    /// The pair to store when this one is found again; `None` if this one stays. An open pair is replaced if anything differs,
    /// a dismissed one by a greater likeness, a merged one never.
    pub fn found_again(&self, found: &Self) -> Option<Self> {
        let is_news = match self.state {
            DuplicateState::Open => self != found,
            DuplicateState::Dismissed => found.likeness.score > self.likeness.score,
            DuplicateState::Merged => false,
        };
        is_news.then(|| found.clone())
    }
}
