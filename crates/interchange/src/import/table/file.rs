//! The rows of a table.

use domain::{FieldName, Kind};

use super::cells::{self, Cells};
use crate::{Finding, FindingCode, import::ImportReport};

/// Most columns of a table.
const MAX_COLUMNS: usize = 200;

/// A table, read whole.
///
/// The text is UTF-8, UTF-16 with a byte order mark, or else Windows-1252. The first line has the labels
/// of the columns or the names of fields, in any case and order, separated by commas, semicolons or
/// tabs.
///
/// ```
/// use events_calendar_interchange::import::TableFile;
/// use domain::Kind;
///
/// let text = "Event Name,Event Start Date,Event Start Time,Colour\nFair,4/17/2027,8:30 PM,red\n";
/// let file = TableFile::read(text.as_bytes(), Kind::Event, 1000).unwrap();
/// assert_eq!(file.rows(), 1);
/// assert!(TableFile::read(text.as_bytes(), Kind::Event, 0).is_none());
/// ```
#[derive(Debug)]
pub struct TableFile {
    pub(super) kind: Kind,
    /// Whether a column has the titles or names of the records.
    has_titles: bool,
    /// The line of the labels.
    pub(super) first_line: u64,
    pub(super) rows: Vec<ReadRow>,
    /// The rows that are refused, as far as they were read.
    pub(super) refused: Vec<Cells>,
    /// The findings of the reading.
    pub(super) report: ImportReport,
}

/// A row as it was read.
#[derive(Debug)]
pub(super) struct ReadRow {
    /// Its line, from 1.
    pub(super) line: u64,
    pub(super) cells: Cells,
}

impl TableFile {
    /// Reads the table of events, venues or organizers; none if it has more than `max` rows.
    pub fn read(bytes: &[u8], kind: Kind, max: usize) -> Option<Self> {
        let (whole, is_guessed) = decoded(bytes);
        let (delimiter, text) = named_delimiter(&whole);
        let first_line = if delimiter.is_some() { 2 } else { 1 };
        let mut file = Self {
            kind,
            has_titles: false,
            first_line,
            rows: Vec::new(),
            refused: Vec::new(),
            report: ImportReport::default(),
        };
        if is_guessed {
            file.report.warn(finding(1, None, FindingCode::Encoding));
        }
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(delimiter.unwrap_or_else(|| most_frequent(text)))
            .flexible(true)
            .from_reader(text.as_bytes());
        let labels = reader.headers().cloned().unwrap_or_default();
        if labels.len() > MAX_COLUMNS {
            let refused = finding(first_line, None, FindingCode::TooManyColumns);
            file.report.refused.push(refused);
            return Some(file);
        }
        let columns: Vec<_> = labels
            .iter()
            .map(|label| cells::field(kind, label))
            .collect();
        file.has_titles = columns.contains(&Some(FieldName::title_of(kind).as_str()));
        for (label, column) in labels.iter().zip(&columns) {
            if column.is_none() && !label.trim().is_empty() {
                let unknown = finding(first_line, Some(label), FindingCode::UnknownColumn);
                file.report.warn(unknown);
            }
        }
        let mut row = csv::StringRecord::new();
        let mut lines = Lines {
            text,
            byte: 0,
            line: first_line,
        };
        // A text in memory can always be read.
        while reader.read_record(&mut row).unwrap_or(false) {
            if row.iter().all(|cell| cell.trim().is_empty()) {
                continue;
            }
            if file.rows.len() + file.report.refused.len() == max {
                return None;
            }
            let line = row.position().map_or(0, |start| lines.at(start.byte()));
            let cells = columns.iter().zip(&row);
            let cells = cells.filter_map(|(field, cell)| Some(((*field)?, cell)));
            let cells = Cells::read(kind, cells);
            if let Some(field) = cells.bad {
                file.refuse(line, cells, Some(field), FindingCode::BadValue);
            } else if cells.title(kind).is_empty() {
                file.refuse(line, cells, None, FindingCode::NoTitle);
            } else {
                file.rows.push(ReadRow { line, cells });
            }
        }
        Some(file)
    }

    /// Refuses a row.
    pub(super) fn refuse(
        &mut self,
        line: u64,
        cells: Cells,
        field: Option<&str>,
        code: FindingCode,
    ) {
        self.refused.push(cells);
        self.report.refused.push(finding(line, field, code));
    }

    /// Whether a column has the titles or names of the records. A page of a login has none.
    ///
    /// ```
    /// use events_calendar_interchange::import::TableFile;
    /// use domain::Kind;
    ///
    /// let file = TableFile::read(b"<!DOCTYPE html>\n<title>Log in</title>", Kind::Event, 1000).unwrap();
    /// assert!(!file.has_titles());
    /// ```
    pub fn has_titles(&self) -> bool {
        self.has_titles
    }

    /// Whether the table has more than 200 columns. Then no row of it is taken.
    ///
    /// ```
    /// use events_calendar_interchange::import::TableFile;
    /// use domain::Kind;
    ///
    /// let wide = format!("title{}\nFair\n", ",".repeat(200));
    /// let file = TableFile::read(wide.as_bytes(), Kind::Event, 1000).unwrap();
    /// assert!(file.is_too_wide() && file.rows() == 0);
    /// ```
    pub fn is_too_wide(&self) -> bool {
        let mut refused = self.report.refused.iter();
        refused.any(|one| one.code == FindingCode::TooManyColumns)
    }

    /// The number of rows that can be taken.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }
}

/// Counts the lines of a text up to the rows that begin in them.
struct Lines<'a> {
    text: &'a str,
    byte: usize,
    line: u64,
}

impl Lines<'_> {
    /// The line, from 1, of the row that begins at a byte, or after the line breaks there. Bytes ascend.
    fn at(&mut self, byte: u64) -> u64 {
        let rest = self.text.as_bytes();
        let is_break = |byte: &u8| matches!(byte, b'\r' | b'\n');
        let mut end = usize::try_from(byte).unwrap_or(usize::MAX).min(rest.len());
        while rest.get(end).is_some_and(is_break) {
            end += 1;
        }
        let passed = self.text.get(self.byte..end).unwrap_or_default();
        let breaks = passed.matches('\n').count();
        self.line += breaks as u64;
        self.byte = end;
        self.line
    }
}

pub(super) fn finding(line: u64, field: Option<&str>, code: FindingCode) -> Finding {
    Finding {
        line,
        uid: None,
        property: field.map(str::to_owned),
        code,
    }
}

/// The text, and whether its encoding is a guess.
fn decoded(bytes: &[u8]) -> (std::borrow::Cow<'_, str>, bool) {
    let (text, _, is_bad) = encoding_rs::UTF_8.decode(bytes);
    if !is_bad {
        return (text, false);
    }
    let (text, ..) = encoding_rs::WINDOWS_1252.decode(bytes);
    (text, true)
}

/// The separator that a first line such as `sep=;` names, as spreadsheets write it, and the text after
/// that line.
fn named_delimiter(text: &str) -> (Option<u8>, &str) {
    let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
    let line = line.trim_end_matches('\r').trim_matches('"');
    let named = line
        .get(..4)
        .filter(|begin| begin.eq_ignore_ascii_case("sep="));
    match (named, line.as_bytes().get(4..)) {
        (Some(_), Some([separator])) if separator.is_ascii() => (Some(*separator), rest),
        _ => (None, text),
    }
}

/// The most frequent separator in the first line, outside of quotes.
fn most_frequent(text: &str) -> u8 {
    let mut counts = [(b',', 0), (b';', 0), (b'\t', 0)];
    let mut is_quoted = false;
    for byte in text.bytes() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'\n' | b'\r' if !is_quoted => break,
            _ if is_quoted => {}
            _ => {
                let mut counts = counts.iter_mut();
                if let Some((_, count)) = counts.find(|(one, _)| *one == byte) {
                    *count += 1;
                }
            }
        }
    }
    // The first of equal counts wins.
    let most = counts.into_iter().rev().max_by_key(|(_, count)| *count);
    most.map_or(b',', |(byte, _)| byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(bytes: &[u8]) -> Vec<String> {
        let file = TableFile::read(bytes, Kind::Venue, 10).unwrap();
        let titles = file.rows.iter().map(|row| row.cells.title(Kind::Venue));
        titles.map(str::to_owned).collect()
    }

    #[test]
    fn separators_and_encodings() {
        assert_eq!(titles(b"name,city\nMill,Lyon\n"), ["Mill"]);
        assert_eq!(titles(b"name;city,town;zip\nMill;Lyon;1\n"), ["Mill"]);
        assert_eq!(titles(b"name\tcity\r\nMill\tLyon\r\n"), ["Mill"]);
        assert_eq!(titles(b"\"a,b;\",name\nx,Mill"), ["Mill"]);
        assert_eq!(titles("\u{feff}name\nMühle".as_bytes()), ["Mühle"]);
        assert_eq!(titles(b"name\nM\xfchle"), ["Mühle"]);
        let utf16: Vec<u8> = "\u{feff}name\nMühle"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        assert_eq!(titles(&utf16), ["Mühle"]);
        assert_eq!(
            titles(b"sep=;\r\nname;city,town\r\nMill;Lyon\r\n"),
            ["Mill"]
        );
        assert_eq!(titles(b"\"sep=|\"\nname|city\nMill|Lyon\n"), ["Mill"]);
        assert_eq!(titles(b""), [""; 0]);
    }

    #[test]
    fn faults_have_the_line_of_their_row() {
        let text =
            "name,show_map,colour\nMill,yes,red\n\"two\nlines\",no,\n\n,yes,\nBarn,perhaps,\n";
        for text in [text.to_owned(), text.replace('\n', "\r\n")] {
            let file = TableFile::read(text.as_bytes(), Kind::Venue, 10).unwrap();
            let lines: Vec<_> = file.rows.iter().map(|row| row.line).collect();
            assert_eq!(lines, [2, 3, 7]);
            let refused: Vec<_> = file
                .report
                .refused
                .iter()
                .map(|one| (one.line, one.code))
                .collect();
            // The table of venues has no map.
            assert_eq!(refused, [(6, FindingCode::NoTitle)]);
            let warnings: Vec<_> = file
                .report
                .warnings
                .iter()
                .map(|one| one.property.as_deref())
                .collect();
            assert_eq!(warnings, [Some("show_map"), Some("colour")]);
        }
    }
}
