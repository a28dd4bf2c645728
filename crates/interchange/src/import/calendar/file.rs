//! The events of a calendar file, each with the parts that belong to it.

use std::{collections::HashMap, io};

use app::hashing;
use domain::{recurrence::DateValue, time::Zone};

use crate::{FindingCode, ReadEvent, ReadItem, import::ImportReport};

/// Most bytes of a unique identifier.
const MAX_UID_BYTES: usize = 1000;

/// The events of a calendar file, read whole.
///
/// ```
/// use events_calendar_interchange::import::CalendarFile;
///
/// let file = CalendarFile::read(std::iter::empty(), 1000)?.unwrap();
/// assert_eq!(file.events(), 0);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct CalendarFile {
    pub(super) events: Vec<FileEvent>,
    /// The findings of the reading.
    pub(super) report: ImportReport,
    /// Whether each event of the file is known by its identifier.
    pub(super) is_complete: bool,
}

/// An event of a file with its overrides.
#[derive(Debug)]
pub(super) struct FileEvent {
    /// The unique identifier; for an event without one, a hash.
    pub(super) uid: String,
    /// The event; none if the file has overrides alone.
    pub(super) event: Option<ReadEvent>,
    /// The overrides, in the order of the file.
    pub(super) overrides: Vec<ReadEvent>,
}

impl CalendarFile {
    /// Reads a file; none if it has more than `max` events, counting overrides.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn read(
        items: impl Iterator<Item = io::Result<ReadItem>>,
        max: usize,
    ) -> io::Result<Option<Self>> {
        let mut file = Self {
            is_complete: true,
            ..Self::default()
        };
        let mut indexes = HashMap::new();
        let mut components = 0;
        for item in items {
            let item = item?;
            components += usize::from(matches!(item, ReadItem::Event(_) | ReadItem::Refused(_)));
            if components > max {
                return Ok(None);
            }
            match item {
                ReadItem::Event(event) => file.add(*event, &mut indexes),
                ReadItem::Refused(finding) => {
                    file.is_complete &= finding.uid.is_some();
                    file.report.refused.push(finding);
                }
                ReadItem::Warning(finding) => {
                    file.is_complete &= finding.code != FindingCode::NotClosed;
                    file.report.warn(finding);
                }
                ReadItem::Ignored { .. } => file.report.counts.ignored += 1,
            }
        }
        file.sort(&indexes);
        Ok(Some(file))
    }

    /// Whether the file is a calendar, even one without events. A page of a login is none.
    ///
    /// ```
    /// use events_calendar_interchange::import::CalendarFile;
    ///
    /// let file = CalendarFile::read(std::iter::empty(), 1000)?.unwrap();
    /// assert!(file.is_calendar());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn is_calendar(&self) -> bool {
        let mut refused = self.report.refused.iter();
        refused.all(|finding| finding.code != FindingCode::NoCalendar)
    }

    /// The number of events.
    pub fn events(&self) -> usize {
        self.events.len()
    }

    /// The unique identifiers of all events, also of those that cannot be taken.
    pub(super) fn uids(&self) -> impl Iterator<Item = &str> {
        let refused = self.report.refused.iter();
        let refused = refused.filter_map(|finding| finding.uid.as_deref());
        self.events.iter().map(|event| &*event.uid).chain(refused)
    }

    /// Adds a category to all events. Overrides without categories inherit from their series.
    pub(super) fn classify(&mut self, category: &str) {
        for event in &mut self.events {
            let overrides = event.overrides.iter_mut();
            let overrides = overrides.filter(|one| !one.categories.is_empty());
            for one in event.event.iter_mut().chain(overrides) {
                if !one.categories.iter().any(|name| name == category) {
                    one.categories.push(category.to_owned());
                }
            }
        }
    }

    /// Sorts the events: each is behind the one that it is a part of.
    fn sort(&mut self, indexes: &HashMap<String, usize>) {
        let events = std::mem::take(&mut self.events);
        let mut events: Vec<_> = events.into_iter().map(Some).collect();
        for first in 0..events.len() {
            let mut parts = Vec::new();
            let mut next = Some(first);
            while let Some(event) = next.and_then(|at| events.get_mut(at)?.take()) {
                let whole = event.event.as_ref();
                let parent = whole.and_then(|event| event.parent_uid.as_ref());
                next = parent.and_then(|uid| indexes.get(uid).copied());
                parts.push(event);
            }
            self.events.extend(parts.into_iter().rev());
        }
    }

    /// Adds an event; `indexes` has the index of each identifier.
    fn add(&mut self, event: ReadEvent, indexes: &mut HashMap<String, usize>) {
        let uid = event.uid.as_deref().map(str::trim);
        let uid = match uid.filter(|uid| !uid.is_empty()) {
            Some(uid) if uid.len() > MAX_UID_BYTES || uid.contains(char::is_control) => {
                self.is_complete = false;
                self.report
                    .refused
                    .push(event.finding("UID", FindingCode::BadValue));
                return;
            }
            Some(uid) => uid.to_owned(),
            None => {
                self.report.warn(event.finding("UID", FindingCode::NoUid));
                hash(&event)
            }
        };
        let index = *indexes.entry(uid.clone()).or_insert_with(|| {
            self.events.push(FileEvent {
                uid,
                event: None,
                overrides: Vec::new(),
            });
            self.events.len() - 1
        });
        if let Some(known) = self.events.get_mut(index)
            && let Some(older) = known.add(event)
        {
            self.report.warn(older.finding("UID", FindingCode::Twice));
        }
    }
}

impl FileEvent {
    /// Adds a component. Returns the older of two for the same event or occurrence.
    fn add(&mut self, event: ReadEvent) -> Option<ReadEvent> {
        let slot = slot(&event);
        let mut overrides = self.overrides.iter_mut();
        let known = match &slot {
            None => self.event.as_mut(),
            Some(_) => overrides.find(|one| self::slot(one) == slot),
        };
        match known {
            Some(known) => {
                let (newer, older) = by_age(known.clone(), event);
                *known = newer;
                return Some(older);
            }
            None if slot.is_none() => self.event = Some(event),
            None => self.overrides.push(event),
        }
        None
    }
}

/// The date that a component has in a series, and whether it stands for all later ones, too.
fn slot(event: &ReadEvent) -> Option<(DateValue, Option<Zone>, bool)> {
    let id = event.recurrence_id.as_ref()?;
    Some((id.value, id.zone.clone(), id.and_following))
}

/// The newer and the older of two components; of two of the same age, the later one in the file.
fn by_age(first: ReadEvent, second: ReadEvent) -> (ReadEvent, ReadEvent) {
    let age = |event: &ReadEvent| (event.sequence, event.stamp);
    if age(&first) > age(&second) {
        (first, second)
    } else {
        (second, first)
    }
}

/// The identifier of an event without one.
fn hash(event: &ReadEvent) -> String {
    let place = event.place.as_ref();
    let place = place.map_or("", |place| place.name.as_str());
    let start = event.when.start().utc.seconds();
    let text = format!("{start}\n{}\n{place}", event.title);
    let mut hash = hashing::sha256_hex(&text);
    hash.truncate(32);
    hash
}
