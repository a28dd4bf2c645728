//! Reading rows line by line.

use std::io::{self, BufRead, Read};

use interchange::import::{Row, RowContent, RowReader};

/// Maximum length of a line, in bytes: that of a request body.
const MAX_LINE: u64 = 1 << 20;

/// The rows of a file. One line at a time is in memory.
pub(super) struct Rows<R> {
    source: R,
    reader: RowReader,
    line: Vec<u8>,
    lines: u64,
    bytes: u64,
}

impl<R: BufRead> Rows<R> {
    /// The rows of a source.
    pub(super) fn new(source: R) -> Self {
        Self {
            source,
            reader: RowReader::default(),
            line: Vec::new(),
            lines: 0,
            bytes: 0,
        }
    }

    /// The number of bytes read.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Reads the next line into `self.line`, without the line end. Returns whether it is short
    /// enough; `None` at the end of the file.
    fn read_line(&mut self) -> io::Result<Option<bool>> {
        self.line.clear();
        let mut source = self.source.by_ref().take(MAX_LINE + 1);
        let read = source.read_until(b'\n', &mut self.line)? as u64;
        if read == 0 {
            return Ok(None);
        }
        self.bytes += read;
        self.lines += 1;
        if self.line.last() == Some(&b'\n') {
            self.line.pop();
        } else if read > MAX_LINE {
            self.bytes += self.source.skip_until(b'\n')? as u64;
            return Ok(Some(false));
        }
        Ok(Some(true))
    }

    /// The row in `self.line`; none if the line is blank.
    fn row(&mut self, is_short: bool) -> Option<Row> {
        let reason = match std::str::from_utf8(&self.line) {
            _ if !is_short => "is longer than 1 MiB",
            Ok(text) => return self.reader.read(text),
            Err(_) => "is not UTF-8",
        };
        // The reader counts lines too: an empty line stands for the unreadable one.
        let blank = self.reader.read("");
        debug_assert!(blank.is_none(), "a blank line is no row");
        Some(Row {
            line: self.lines,
            content: RowContent::Unreadable(reason.to_owned()),
        })
    }
}

impl<R: BufRead> Iterator for Rows<R> {
    type Item = io::Result<Row>;

    fn next(&mut self) -> Option<io::Result<Row>> {
        loop {
            let row = match self.read_line().transpose()? {
                Ok(is_short) => self.row(is_short).map(Ok),
                Err(error) => Some(Err(error)),
            };
            if row.is_some() {
                return row;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Line and reason of each row; no reason for those with fields.
    fn rows(bytes: &[u8]) -> Vec<(u64, Option<String>)> {
        let mut rows = Rows::new(bytes);
        let read = rows.by_ref().map(|row| {
            let Row { line, content } = row.unwrap();
            match content {
                RowContent::Fields { .. } => (line, None),
                RowContent::Unreadable(reason) => (line, Some(reason)),
            }
        });
        let read = read.collect();
        assert_eq!(rows.bytes(), bytes.len() as u64);
        read
    }

    #[test]
    fn lines_without_rows_are_counted() {
        let reason = |text: &str| Some(text.to_owned());
        assert_eq!(
            rows(b"\xef\xbb\xbf{}\r\n\n  \n{\"title\": \"\xff\"}\n{}\n[]"),
            [
                (1, None),
                (4, reason("is not UTF-8")),
                (5, None),
                (6, reason("is not a JSON object")),
            ]
        );
        assert_eq!(rows(b""), []);
    }

    #[test]
    fn too_long_lines_are_skipped() {
        let longest = usize::try_from(MAX_LINE).unwrap();
        for (length, end, fits) in [
            (longest, "\n", true),
            (longest + 1, "\n", false),
            (3 * longest, "\n", false),
            (longest, "", true),
            (longest + 1, "", false),
        ] {
            let mut bytes = b"{}\n{\"title\": \"".to_vec();
            bytes.resize(3 + length - 2, b'x');
            bytes.extend_from_slice(b"\"}");
            bytes.extend_from_slice(end.as_bytes());
            if !end.is_empty() {
                bytes.extend_from_slice(b"{}");
            }
            let read = rows(&bytes);
            assert_eq!(read[1].1.is_none(), fits, "{length}");
            assert_eq!(read.len(), if end.is_empty() { 2 } else { 3 });
            assert_eq!(read.last().unwrap().0, read.len() as u64);
        }
    }
}
