//! The memory that hostile rules take: an allocator counts it.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

use domain::{
    recurrence::{Recurrence, RecurrenceParts, horizon},
    time::{EventTime, Timestamp, Zone, parse_civil},
};

/// The most bytes that a rule may take.
const MOST: isize = 1 << 20;

thread_local! {
    /// The bytes of this thread that are in use, and the most that were at once.
    static IN_USE: Cell<[isize; 2]> = const { Cell::new([0; 2]) };
}

struct Counting;

fn count(bytes: isize) {
    // A thread that ends has no counter any more.
    let _ = IN_USE.try_with(|counted| {
        let [now, most] = counted.get();
        counted.set([now + bytes, most.max(now + bytes)]);
    });
}

// SAFETY: all calls go to the allocator of the system.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed());
        // SAFETY: as for this function.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        count(-layout.size().cast_signed());
        // SAFETY: as for this function.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The most bytes that were in use at once during some work, beyond those before it.
fn most_bytes(work: impl FnOnce()) -> isize {
    let [before, _] = IN_USE.get();
    IN_USE.set([before; 2]);
    work();
    IN_USE.get()[1] - before
}

/// Numbers with commas.
fn numbers(numbers: impl Iterator<Item = i32>) -> String {
    numbers
        .map(|number| number.to_string())
        .collect::<Vec<_>>()
        .join(",")
}

/// The lines of hostile recurrences: rules that give nothing, or as much as they may, and dates.
fn hostile() -> Vec<Vec<String>> {
    let (hours, days) = (numbers(0..24), numbers((1..=366).step_by(7)));
    let rules = [
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30".to_owned(),
        "FREQ=DAILY;INTERVAL=1000;BYMONTH=2;BYMONTHDAY=30,31".to_owned(),
        "FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=31;BYDAY=MO;BYMONTH=2".to_owned(),
        "FREQ=YEARLY;INTERVAL=1000;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO".to_owned(),
        "FREQ=YEARLY;BYDAY=53MO;BYSETPOS=366".to_owned(),
        format!("FREQ=DAILY;COUNT=5000;BYHOUR={hours}"),
        format!("FREQ=DAILY;BYHOUR={hours}"),
        format!("FREQ=DAILY;INTERVAL=1000;COUNT=5000;BYHOUR={hours};BYMONTH=2;BYMONTHDAY=29"),
        format!("FREQ=YEARLY;COUNT=5000;BYHOUR={hours};BYYEARDAY={days};BYSETPOS=-366,-1,1,366"),
        format!("FREQ=YEARLY;COUNT=5000;BYHOUR={hours};BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=-1"),
        format!("FREQ=MONTHLY;COUNT=5000;BYHOUR={hours};BYMONTHDAY=1,-1;BYSETPOS=-1"),
        format!(
            "FREQ=YEARLY;COUNT=5000;BYWEEKNO={};BYHOUR={hours};BYSETPOS=-1",
            numbers(1..=53)
        ),
        "FREQ=DAILY;UNTIL=20400908T000000Z".to_owned(),
        "FREQ=YEARLY;COUNT=5000;BYMONTH=2;BYMONTHDAY=29".to_owned(),
    ];
    let mut all: Vec<_> = rules
        .iter()
        .map(|rule| vec![format!("RRULE:{rule}")])
        .collect();
    let dates = |name: &str| {
        let dates: Vec<_> = (0..1000)
            .map(|n| format!("{}0302T{:02}0000", 2100 + n / 24, n % 24))
            .collect();
        format!("{name}:{}", dates.join(","))
    };
    all.push(vec![
        dates("RDATE"),
        dates("EXDATE"),
        "RRULE:FREQ=DAILY;COUNT=4000".to_owned(),
    ]);
    all
}

/// A recurrence is checked, its occurrences up to the horizon are counted, and one is named, within
/// 1 MiB.
#[test]
fn hostile_rules_take_little_memory() {
    let zone: Zone = "Europe/Paris".parse().unwrap();
    let start = parse_civil("2027-03-02 19:00:00").unwrap();
    let until = horizon(Timestamp::from_seconds(1_795_305_600).unwrap(), &zone, 60);
    let work = |lines: &[String]| {
        let first = EventTime::new(zone.clone(), start, start, false).unwrap();
        let Ok(parts) = RecurrenceParts::from_lines(lines, &zone) else {
            return false;
        };
        let Ok(recurrence) = Recurrence::new(first, parts) else {
            return false;
        };
        let count = recurrence.count_before(until, Recurrence::MAX_SLOTS + 1);
        let last = recurrence.last().map(|last| recurrence.label(last.slot));
        count > 0 && (recurrence.is_endless() || last.is_some())
    };
    // The data of the zone are read once.
    work(&["RRULE:FREQ=DAILY;COUNT=2".to_owned()]);
    let mut held = 0;
    for lines in hostile() {
        let mut is_valid = false;
        let bytes = most_bytes(|| is_valid = work(&lines));
        held += usize::from(is_valid);
        assert!(bytes <= MOST, "{bytes} bytes: {:.120}", lines.join(" "));
    }
    assert!(held >= 8, "{held} rules are valid");
    let kept = most_bytes(|| drop(vec![0_u8; 4096]));
    assert!((4096..8192).contains(&kept), "the allocator counts: {kept}");
}
