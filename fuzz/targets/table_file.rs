//! Any bytes as a table: its rows are at most as many as its lines, and as many as are asked for.
#![no_main]

use domain::Kind;
use interchange::import::TableFile;
use libfuzzer_sys::fuzz_target;

/// Most rows of a table.
const MAX_ROWS: usize = 1000;

fuzz_target!(|bytes: &[u8]| {
    for kind in [Kind::Event, Kind::Venue, Kind::Organizer] {
        let Some(file) = TableFile::read(bytes, kind, MAX_ROWS) else {
            continue;
        };
        let breaks = bytes.iter().filter(|byte| b"\r\n".contains(byte)).count();
        assert!(
            file.rows() <= breaks,
            "{} rows, {breaks} breaks",
            file.rows()
        );
        if let Some(fewer) = file.rows().checked_sub(1) {
            assert!(TableFile::read(bytes, kind, fewer).is_none());
        }
    }
});
