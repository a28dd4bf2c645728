//! The cells of a week, in which an event of several days runs across its days.

use std::cmp::Reverse;

use super::span::{DaySpans, OfDays};
use crate::{
    EventId,
    time::{Days, NaiveDate},
};

/// The days of a week.
const WEEK: usize = 7;

/// A day of a week.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayCell {
    /// The day.
    pub date: NaiveDate,
    /// The events that have a row, from the first row to the last.
    pub placed: Vec<Placed>,
    /// The number of events of the day for which there is no row.
    pub more: usize,
}

/// An event in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The event.
    pub id: EventId,
    /// Its row, from 0 on: the same in all cells of the week, unless no row is free in all of them.
    pub row: usize,
    /// Whether this is the first day of the event.
    pub begins: bool,
    /// Whether this is the last day of the event.
    pub ends: bool,
    /// Whether this is the first of successive cells in its row.
    pub leads: bool,
    /// The number of these cells from this one on.
    pub cells: usize,
}

/// An event within a week: its cells.
struct OfWeek<'a> {
    of_days: &'a OfDays,
    from: usize,
    to: usize,
}

/// A week whose cells fill.
struct Grid {
    cells: [DayCell; WEEK],
    /// The taken cells of each row, one bit for each.
    taken: Vec<u8>,
}

impl Grid {
    /// The first row in which some cells are free.
    fn free_row(&self, from: usize, to: usize) -> Option<usize> {
        let mask = mask(from, to);
        self.taken.iter().position(|taken| taken & mask == 0)
    }

    /// Places an event in some of its cells.
    fn place(&mut self, event: &OfDays, row: usize, from: usize, to: usize) {
        let [begin, end] = event.days;
        for cell in from..=to {
            let DayCell { date, placed, .. } = &mut self.cells[cell];
            placed.push(Placed {
                id: event.id,
                row,
                begins: begin == *date,
                ends: end == *date,
                leads: cell == from,
                cells: to - cell + 1,
            });
        }
        self.taken[row] |= mask(from, to);
    }

    /// Places an event for which no row is free in all its cells, piece by piece where one is.
    fn place_pieces(&mut self, event: &OfWeek<'_>) {
        let mut from = event.from;
        while from <= event.to {
            let ends = (from..=event.to).rev();
            let mut pieces = ends.filter_map(|to| Some((self.free_row(from, to)?, to)));
            if let Some((row, to)) = pieces.next() {
                self.place(event.of_days, row, from, to);
                from = to + 1;
            } else {
                self.cells[from].more += 1;
                from += 1;
            }
        }
    }
}

/// Some cells of a row, one bit for each.
fn mask(from: usize, to: usize) -> u8 {
    (from..=to).fold(0, |mask, cell| mask | 1 << cell)
}

impl DaySpans {
    /// The cells of the week that begins on a day. Each has the first `rows` events of its day, and counts the
    /// others. Sticky events come first, then those of several days, then the others by start.
    pub fn week(&self, first: NaiveDate, rows: usize) -> [DayCell; WEEK] {
        let mut grid = Grid {
            cells: Self::empty_week(first),
            taken: vec![0; rows],
        };
        let mut in_pieces = Vec::new();
        for event in self.of_week(first) {
            match grid.free_row(event.from, event.to) {
                Some(row) => grid.place(event.of_days, row, event.from, event.to),
                None => in_pieces.push(event),
            }
        }
        for event in &in_pieces {
            grid.place_pieces(event);
        }
        for cell in &mut grid.cells {
            cell.placed.sort_unstable_by_key(|placed| placed.row);
        }
        grid.cells
    }

    fn empty_week(first: NaiveDate) -> [DayCell; WEEK] {
        let mut days = first.iter_days();
        [(); WEEK].map(|()| DayCell {
            date: days.next().unwrap_or(first),
            placed: Vec::new(),
            more: 0,
        })
    }

    /// The events of a week, in the order in which they choose their rows.
    fn of_week(&self, first: NaiveDate) -> Vec<OfWeek<'_>> {
        let last = first
            .checked_add_days(Days::new(WEEK as u64 - 1))
            .unwrap_or(first);
        let number = |day: NaiveDate| {
            let days = (day - first).num_days().max(0);
            usize::try_from(days).map_or(WEEK - 1, |days| days.min(WEEK - 1))
        };
        let overlap = |one: &&OfDays| one.days[0] <= last && one.days[1] >= first;
        let of_week = self.spans.iter().filter(overlap).map(|of_days| OfWeek {
            of_days,
            from: number(of_days.days[0]),
            to: number(of_days.days[1]),
        });
        let mut of_week: Vec<_> = of_week.collect();
        of_week.sort_by_key(|event| {
            let OfDays { days, sticky, .. } = event.of_days;
            (!sticky, days[0] == days[1], days[0], Reverse(days[1]))
        });
        of_week
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        event::EventSpan,
        time::{Timestamp, Zone},
    };

    const MONDAY: &str = "2027-03-08";

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    /// An event from one hour of a day of March to one of another.
    fn span(id: i64, start: (u32, u32), end: (u32, u32)) -> EventSpan {
        let at = |(day, hour): (u32, u32)| {
            let text = format!("2027-03-{day:02} {hour:02}:00:00");
            text.parse::<Timestamp>().unwrap()
        };
        EventSpan {
            id: EventId::from_raw(id),
            start: at(start),
            end: at(end),
            zone: Zone::utc(),
            sticky: false,
        }
    }

    fn week(spans: Vec<EventSpan>, rows: usize) -> [DayCell; WEEK] {
        DaySpans::new(spans).week(day(MONDAY), rows)
    }

    /// The IDs of a cell with their rows.
    fn rows(cell: &DayCell) -> Vec<(i64, usize)> {
        let placed = cell.placed.iter();
        placed.map(|one| (one.id.get(), one.row)).collect()
    }

    #[test]
    fn an_event_of_several_days_keeps_its_row() {
        let cells = week(
            vec![
                span(1, (8, 9), (8, 10)),
                span(2, (7, 9), (9, 10)),
                span(3, (9, 9), (16, 10)),
                span(4, (10, 9), (10, 10)),
            ],
            4,
        );
        assert_eq!(rows(&cells[0]), [(2, 0), (1, 1)]);
        assert_eq!(rows(&cells[1]), [(2, 0), (3, 1)]);
        assert_eq!(rows(&cells[2]), [(4, 0), (3, 1)]);
        assert_eq!(rows(&cells[6]), [(3, 1)]);
        let two = [cells[0].placed[0], cells[1].placed[0]];
        assert_eq!(
            two.map(|one| (one.begins, one.leads, one.ends, one.cells)),
            [(false, true, false, 2), (false, false, true, 1)]
        );
        assert!(cells[1].placed[1].begins && !cells[6].placed[0].ends);
    }

    #[test]
    fn a_full_day_counts_the_others() {
        let spans: Vec<_> = (1..=6).map(|id| span(id, (9, 9), (9, 10))).collect();
        let cells = week(spans, 4);
        assert_eq!(rows(&cells[1]), [(1, 0), (2, 1), (3, 2), (4, 3)]);
        assert_eq!(cells[1].more, 2);
        assert_eq!(cells[0].more, 0);
    }

    #[test]
    fn a_sticky_event_has_the_first_row() {
        let sticky = EventSpan {
            sticky: true,
            ..span(2, (9, 20), (9, 21))
        };
        let cells = week(vec![span(1, (8, 9), (10, 10)), sticky], 1);
        assert_eq!(rows(&cells[1]), [(2, 0)]);
        assert_eq!(cells.each_ref().map(|cell| cell.more)[..3], [0, 1, 0]);
        // The other event stands on both sides of it, in pieces.
        let pieces = [&cells[0], &cells[2]].map(|cell| cell.placed[0]);
        assert_eq!(
            pieces.map(|one| (one.id.get(), one.begins, one.ends, one.leads, one.cells)),
            [(1, true, false, true, 1), (1, false, true, true, 1)]
        );
    }

    #[test]
    fn each_event_is_on_each_of_its_days() {
        // Starts and lengths of all kinds, by a fixed sequence.
        let mut seed = 7_u32;
        let mut roll = |sides: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 16) % sides
        };
        for rows in 0..6 {
            let spans: Vec<_> = (1..=60)
                .map(|id| {
                    let (day, hour) = (1 + roll(20), roll(24));
                    let end = if roll(3) == 0 {
                        (day + roll(9), 23)
                    } else {
                        (day, hour.max(roll(24)))
                    };
                    span(id, (day, hour), end)
                })
                .collect();
            let spans = DaySpans::new(spans);
            for cell in spans.week(day(MONDAY), rows) {
                let all = spans.on(cell.date);
                assert_eq!(cell.placed.len() + cell.more, all.len());
                assert_eq!(cell.placed.len(), all.len().min(rows));
                assert!(cell.placed.iter().all(|one| all.contains(&one.id)));
                let mut used: Vec<_> = cell.placed.iter().map(|one| one.row).collect();
                used.dedup();
                assert_eq!(used.len(), cell.placed.len());
            }
        }
    }
}
