//! Properties of changes, of random rules and starts.

use std::collections::BTreeSet;

use chrono::TimeDelta;
use events_calendar_domain::{
    recurrence::{Comparison, DateValue, Occurrence, Recurrence, RecurrenceParts, Slot},
    time::{EventTime, Timestamp},
};
use proptest::{prelude::*, sample::select};

use super::{
    parts,
    random_rules::{at, end, endless, rules},
    wall,
};

/// Some of the slots as extra and deleted dates, and some dates that are none.
fn with_some_dates(series: &Recurrence, every: usize) -> Recurrence {
    let slots: Vec<_> = series.slots(..).take(60).collect();
    let deleted = slots.iter().copied().skip(1).step_by(every).collect();
    let hour = TimeDelta::hours(1);
    let extra = slots
        .iter()
        .step_by(every + 1)
        .map(|slot| Slot::new(slot.local() + hour));
    series.with_dates(extra.collect(), deleted)
}

const ZONES: [&str; 4] = [
    "UTC",
    "Europe/Paris",
    "America/New_York",
    "Australia/Lord_Howe",
];

/// Days on which the clocks jump, some of them over midnight, and one on which they go back.
const JUMPS: [(&str, &str); 8] = [
    ("Europe/Paris", "2027-03-28"),
    ("Europe/Paris", "2027-10-31"),
    ("America/New_York", "2027-03-14"),
    ("Australia/Lord_Howe", "2027-10-03"),
    ("America/Nuuk", "2027-03-28"),
    ("America/Santiago", "2027-09-05"),
    ("Cuba", "2027-03-14"),
    ("Pacific/Apia", "2011-12-30"),
];

/// Rules with slots on most days.
fn dense() -> impl Strategy<Value = String> {
    let rules = [
        "FREQ=DAILY",
        "FREQ=DAILY;INTERVAL=2",
        "FREQ=DAILY;BYHOUR=2;BYMINUTE=0,30",
        "FREQ=DAILY;BYHOUR=2,3;BYMINUTE=10,30",
        "FREQ=DAILY;BYHOUR=0,1,23;BYMINUTE=30",
        "FREQ=DAILY;BYMINUTE=10,35",
        "FREQ=WEEKLY",
        "FREQ=WEEKLY;INTERVAL=2;WKST=SU",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU,MO;BYSETPOS=1,-1",
        "FREQ=MONTHLY",
    ];
    select(rules.map(str::to_owned).to_vec())
}

/// Series from some days before a jump of the clocks on.
fn over_jumps() -> impl Strategy<Value = Recurrence> {
    let rule = prop_oneof![dense(), dense(), endless()];
    let time = select(vec![
        "00:00", "00:30", "01:30", "02:00", "02:10", "02:30", "22:00", "23:30",
    ]);
    let minutes = select(vec![0, 30, 90, 270, 1500]);
    let when = (
        select(&JUMPS[..]),
        0..20_i64,
        time,
        minutes,
        prop::bool::weighted(0.2),
    );
    (rule, end(), when, 2..5_usize).prop_filter_map(
        "a series",
        |(rule, end, ((zone, day), before, time, minutes, all_day), every)| {
            let start = wall(&format!("{day} {time}")) - TimeDelta::days(before);
            let last = start + TimeDelta::minutes(minutes);
            let first = EventTime::new(zone.parse().unwrap(), start, last, all_day).ok()?;
            let series = Recurrence::new(first, parts(&(rule + &end.of(start)))).ok()?;
            Some(if all_day {
                series
            } else {
                with_some_dates(&series, every)
            })
        },
    )
}

fn random_series() -> impl Strategy<Value = Recurrence> {
    let random = (rules(), select(&ZONES[..]), 2..5_usize);
    random.prop_filter_map("a series", |((rule, start), zone, every)| {
        let series = Recurrence::new(at(start, zone), parts(&rule)).ok()?;
        Some(with_some_dates(&series, every))
    })
}

fn some(series: &Recurrence) -> Vec<Occurrence> {
    series.occurrences(..).take(300).collect()
}

fn some_slots(series: &Recurrence) -> Vec<Slot> {
    series.slots(..).take(200).collect()
}

/// The slots of the start and of the rule.
fn rule_slots(series: &Recurrence) -> impl Iterator<Item = Slot> {
    let slots = series.all_slots(..);
    slots.filter(|slot| series.has_rule_slot(*slot))
}

fn halves_are_the_whole(series: &Recurrence, index: usize) -> Result<(), TestCaseError> {
    let Some(at) = rule_slots(series).take(index + 1).last() else {
        return Ok(());
    };
    let Ok([before, after]) = series.split(at) else {
        return Ok(());
    };
    prop_assert!(before.slots(..).all(|slot| slot < at));
    prop_assert!(after.slots(..).take(300).all(|slot| slot >= at));
    prop_assert_eq!(after.first_slot(), at);
    prop_assert!(!before.is_endless());
    let mut halves = some(&before);
    halves.extend(some(&after));
    halves.truncate(300);
    prop_assert_eq!(halves, some(series), "at {}", at);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// The halves of a split have the occurrences of the whole.
    #[test]
    fn both_halves_are_the_whole(series in random_series(), index in 1..200_usize) {
        halves_are_the_whole(&series, index)?;
    }

    /// The same where the clocks jump, and so has the later half as it is stored.
    #[test]
    fn both_halves_over_a_jump_are_the_whole(series in over_jumps(), index in 1..25_usize) {
        halves_are_the_whole(&series, index)?;
    }

    /// An occurrence can be written back as it was read, and nothing changes.
    #[test]
    fn times_are_written_back(series in over_jumps(), index in 0..40_usize, split in 1..20_usize) {
        let at = rule_slots(&series).take(split + 1).last().unwrap();
        let halves = series.split(at);
        for series in halves.iter().flatten().chain([&series]) {
            let Some(one) = series.occurrences(..).take(index + 1).last() else {
                continue;
            };
            let start = series.start_for(one.slot, &one.when).unwrap();
            prop_assert_eq!(&start, series.start(), "by {}", one.slot);
            let moved = series.moved_to(start);
            prop_assert_eq!(moved.as_ref(), Ok(series));
            let Comparison { added, removed, .. } = series.compare(&moved.unwrap(), horizon(series));
            prop_assert_eq!((added, removed), (vec![], vec![]));
        }
    }

    /// All slots move with the start, and the way back restores the recurrence.
    #[test]
    fn moves_there_and_back(
        series in random_series(),
        days in -40..40_i64,
        minutes in -300..300_i64,
    ) {
        let distance = TimeDelta::days(days) + TimeDelta::minutes(minutes);
        let from = series.first().clone();
        let to = at(from.start().local + distance, from.zone().name());
        let Ok(moved) = series.moved(&to) else {
            return Ok(());
        };
        // The clocks skip the new start: it shows another wall clock.
        let distance = to.start().local - from.start().local;
        let shift = |slot: Slot| Slot::new(slot.local() + distance);
        let rule = series.rule().unwrap().to_string();
        let changes_day = to.start().local.date() != from.start().local.date();
        let is_uniform = !changes_day || rule.contains("WEEKLY") || rule.contains("DAILY");
        if is_uniform {
            let expected: Vec<_> = some_slots(&series).into_iter().map(shift).collect();
            prop_assert_eq!(some_slots(&moved), expected);
        }
        // As many slots, of which the n-th is the n-th.
        let slots: Vec<_> = rule_slots(&series).take(200).collect();
        let moved_slots: Vec<_> = rule_slots(&moved).take(200).collect();
        if !slots.iter().any(|slot| series.extra().contains(slot)) {
            prop_assert_eq!(slots.len(), moved_slots.len());
        }
        prop_assert_eq!(series.deleted().len(), moved.deleted().len());
        prop_assert_eq!(series.extra().len(), moved.extra().len());
        if is_plain(&series) && is_plain(&moved) {
            let Comparison { added, removed, kept, .. } = series.compare(&moved, horizon(&series));
            prop_assert_eq!(removed, vec![]);
            // The slots after the horizon come before it where they move back.
            let is_moved = |slot: &Slot| series.has_slot(Slot::new(slot.local() - distance));
            prop_assert!(!is_uniform || added.iter().all(is_moved));
            prop_assert!(!is_uniform || kept.iter().all(|(from, to)| shift(*from) == *to));
        }
        let back = moved.moved(&from);
        prop_assert_eq!(some_slots(back.as_ref().unwrap()), some_slots(&series));
        // An end follows the n-th slot, or the clocks skip it; and hours come and go.
        let end = match series.rule().unwrap().parts().until {
            Some(DateValue::Instant(end)) => Some(from.zone().at(end).local + distance),
            _ => None,
        };
        let is_skipped = end.is_some_and(|end| at(end, from.zone().name()).start().local != end);
        let has_other_text = (!is_uniform || is_skipped) && rule.contains("UNTIL");
        if !has_other_text && !rule.contains("BYHOUR") && !rule.contains("BYMINUTE") {
            prop_assert_eq!(back, Ok(series));
        }
    }

    /// Lines of iCalendar are read back.
    #[test]
    fn lines_are_read_back(series in prop_oneof![random_series(), over_jumps()]) {
        let read = RecurrenceParts::from_lines(&series.lines(), series.first().zone()).unwrap();
        prop_assert_eq!(Recurrence::new(series.start().clone(), read), Ok(series));
    }

    /// The slots before are the kept and the removed ones; those after, the kept and the added ones.
    #[test]
    fn comparisons_are_complete(old in random_series(), other in endless()) {
        let Ok(new) = old.with_rule(other.parse().ok()) else {
            return Ok(());
        };
        let horizon = horizon(&old);
        let Comparison { kept, added, removed, deleted } = old.compare(&new, horizon);
        let of = |series: &Recurrence| {
            series.occurrences(..horizon).map(|one| one.slot).collect::<BTreeSet<_>>()
        };
        let former = kept.iter().map(|(former, _)| *former);
        prop_assert_eq!(former.chain(removed).collect::<BTreeSet<_>>(), of(&old));
        // A slot that is kept may be after the horizon, later on the same day.
        let is_before = |slot: &Slot| new.time_at(*slot).unwrap().start().utc < horizon;
        let present = kept.iter().map(|(_, present)| *present).chain(added);
        prop_assert_eq!(present.filter(is_before).collect::<BTreeSet<_>>(), of(&new));
        prop_assert!(kept.iter().all(|(_, present)| new.occurrence_at(*present).is_some()));
        for (former, present) in deleted {
            prop_assert!(old.deleted().contains(&former) && new.deleted().contains(&present));
        }
    }

    /// A label leads to its slot, and each slot with an occurrence has another one.
    #[test]
    fn labels_lead_to_slots(series in over_jumps()) {
        let slots: Vec<_> = series.all_occurrences(..).take(40).map(|one| one.slot).collect();
        for (label, slot) in series.labels(slots.iter().copied()).zip(&slots) {
            prop_assert_eq!(&label, &series.label(*slot));
            prop_assert_eq!(series.find_label(&label), Some(*slot), "{}", label);
        }
    }
}

/// Whether each slot has an occurrence up to the horizon.
fn is_plain(series: &Recurrence) -> bool {
    let horizon = horizon(series);
    let slots = series.all_slots(..Slot::new(series.first().zone().at(horizon).local));
    let count = series.all_occurrences(..horizon).count();
    slots.count() == count
}

/// Some time after the start.
fn horizon(series: &Recurrence) -> Timestamp {
    series.first().start().utc.saturating_add(500 * 86_400)
}
