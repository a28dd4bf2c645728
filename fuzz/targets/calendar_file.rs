//! Any bytes as a calendar file: the reader gives items up to the end.
#![no_main]

use std::io::Cursor;

use adapters_ical::ICalendar;
use domain::time::Zone;
use interchange::{ReadItem, ReadableFormat};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let items = ICalendar.reader(Box::new(Cursor::new(bytes.to_vec())), Zone::utc());
    for item in items {
        if let ReadItem::Event(event) = item.expect("bytes in memory are read") {
            assert!(!event.title.trim().is_empty());
            assert!(event.when.start().utc <= event.when.end().utc);
        }
    }
});
