//! Dates of events: days, wall clocks with the name of their zone, and instants.

use domain::{
    recurrence::{DateValue, Slot},
    time::{EventTime, Moment, Zone},
};

use super::{content_line::ContentLines, time_zone::id};

/// How the dates of an event are written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form<'a> {
    /// Days.
    Days,
    /// Wall clocks of a zone, which the file defines.
    Zone(&'a Zone),
    /// Instants.
    Utc,
}

impl<'a> Form<'a> {
    /// The form of an event that happens once. Instants stand for zones that are UTC or an offset, and
    /// for a wall clock that occurs twice and means the second time, as RFC 5545, section 3.3.5, reads
    /// it as the first.
    pub(super) fn of_event(when: &'a EventTime) -> Self {
        let zone = when.zone();
        let is_as_read = |moment: Moment| {
            zone.at_local(moment.local)
                .is_ok_and(|read| read.utc == moment.utc)
        };
        if when.all_day() {
            Self::Days
        } else if zone.fixed_offset().is_none()
            && is_as_read(when.start())
            && is_as_read(when.end())
        {
            Self::Zone(zone)
        } else {
            Self::Utc
        }
    }

    /// The form of a series. Its rule selects wall clocks. Of UTC, too: readers that show instants in the
    /// zone of the calendar would follow the rule by the clocks of that one.
    pub(super) fn of_series(first: &'a EventTime) -> Self {
        if first.all_day() {
            Self::Days
        } else {
            Self::Zone(first.zone())
        }
    }

    /// The zone that the file must define.
    pub(super) fn zone(self) -> Option<&'a Zone> {
        match self {
            Self::Zone(zone) => Some(zone),
            Self::Days | Self::Utc => None,
        }
    }

    /// Writes the start and the end of an event. An end equal to the start is left out.
    pub(super) fn write(self, lines: &mut ContentLines, when: &EventTime) {
        let (start, end) = (when.start(), when.end());
        if matches!(self, Self::Days) {
            self.date(lines, "DTSTART", start);
            // The day after the last one.
            let after = end.local.date().succ_opt().unwrap_or(end.local.date());
            self.values(lines, "DTEND", [DateValue::Day(after)]);
            return;
        }
        self.date(lines, "DTSTART", start);
        if start.utc != end.utc {
            self.date(lines, "DTEND", end);
        }
    }

    /// Writes the first slot of a series, and the end of its first occurrence.
    pub(super) fn write_series(self, lines: &mut ContentLines, slot: Slot, first: &EventTime) {
        let Self::Zone(zone) = self else {
            return self.write(lines, first);
        };
        self.slots(lines, "DTSTART", [slot]);
        let end = first.end();
        if first.start().utc == end.utc {
            return;
        }
        let is_as_read = zone
            .at_local(end.local)
            .is_ok_and(|read| read.utc == end.utc);
        let form = if is_as_read { self } else { Self::Utc };
        form.date(lines, "DTEND", end);
    }

    /// Writes a property with slots of a series; nothing without slots.
    pub(super) fn slots(
        self,
        lines: &mut ContentLines,
        name: &'static str,
        slots: impl IntoIterator<Item = Slot>,
    ) {
        let dates = slots.into_iter().map(|slot| match self {
            Self::Days => DateValue::Day(slot.day()),
            Self::Zone(_) => DateValue::Local(slot.local()),
            Self::Utc => Zone::utc()
                .at_local(slot.local())
                .map_or(DateValue::Local(slot.local()), |moment| {
                    DateValue::Instant(moment.utc)
                }),
        });
        let dates: Vec<_> = dates.collect();
        if !dates.is_empty() {
            self.values(lines, name, dates);
        }
    }

    fn date(self, lines: &mut ContentLines, name: &'static str, moment: Moment) {
        let value = match self {
            Self::Days => DateValue::Day(moment.local.date()),
            Self::Zone(_) => DateValue::Local(moment.local),
            Self::Utc => DateValue::Instant(moment.utc),
        };
        self.values(lines, name, [value]);
    }

    fn values(
        self,
        lines: &mut ContentLines,
        name: &'static str,
        values: impl IntoIterator<Item = DateValue>,
    ) {
        let property = lines.property(name);
        let property = match self {
            Self::Days => property.parameter("VALUE", "DATE"),
            Self::Zone(zone) => property.parameter("TZID", &id(zone)),
            Self::Utc => property,
        };
        property.values(values);
    }
}
