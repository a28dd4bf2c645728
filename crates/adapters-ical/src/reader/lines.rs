//! Unfolded lines of a file: bounded, decoded, with their numbers.

use std::io::{self, Read};

use encoding_rs::WINDOWS_1252;

use super::text_encoding;

/// Most bytes of an unfolded line.
pub(super) const MAX_LINE: usize = 1024 * 1024;

/// Bytes that are read at once.
const CHUNK: usize = 64 * 1024;

/// An unfolded line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// The number of its first part, from 1.
    pub(super) number: u64,
    /// The text; cut after [`MAX_LINE`] bytes.
    pub(super) text: String,
    /// Whether it is longer than the text.
    pub(super) is_cut: bool,
    /// Whether it is not UTF-8, and was read as Windows-1252, though it does not say so.
    pub(super) is_recoded: bool,
}

/// The encoding of a file, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    /// UTF-8, or Windows-1252 where a line is not.
    Utf8,
    Utf16 {
        is_big_endian: bool,
    },
}

/// Reads the lines of a file. They end with CRLF, LF or CR, and go on in a line that begins with a
/// blank or TAB. Empty lines are left out.
pub(super) struct Lines {
    file: Box<dyn Read + Send>,
    buffer: Vec<u8>,
    chunk: Vec<u8>,
    at: usize,
    is_at_end: bool,
    /// The number of the next line.
    number: u64,
    encoding: Option<Encoding>,
    /// Bytes of a UTF-16 unit or pair that the last chunk divides.
    rest: Vec<u8>,
}

impl Lines {
    pub(super) fn new(file: Box<dyn Read + Send>) -> Self {
        Self {
            file,
            buffer: vec![0; CHUNK],
            chunk: Vec::new(),
            at: 0,
            is_at_end: false,
            number: 1,
            encoding: None,
            rest: Vec::new(),
        }
    }

    /// The number of the next line as it stands in the file, from 1.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// The next line.
    pub(super) fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let number = self.number;
            let mut bytes = Vec::new();
            let mut is_cut = false;
            if !self.physical(&mut bytes, &mut is_cut)? {
                return Ok(None);
            }
            if bytes.is_empty() {
                continue;
            }
            self.continuations(&mut bytes, &mut is_cut)?;
            let (text, is_recoded) = decoded(bytes);
            return Ok(Some(Line {
                number,
                text,
                is_cut,
                is_recoded,
            }));
        }
    }

    /// Appends the lines in which a line goes on. Empty lines before one belong to the fold.
    fn continuations(&mut self, line: &mut Vec<u8>, is_cut: &mut bool) -> io::Result<()> {
        loop {
            if text_encoding::ends_softly(line) {
                line.pop();
                if !self.physical(line, is_cut)? {
                    return Ok(());
                }
            } else if let Some(next @ (b' ' | b'\t' | b'\r' | b'\n')) = self.peek()? {
                self.at += usize::from(matches!(next, b' ' | b'\t'));
                self.physical(line, is_cut)?;
            } else {
                return Ok(());
            }
        }
    }

    /// Appends a line as it stands in the file; false at the end of the file.
    fn physical(&mut self, line: &mut Vec<u8>, is_cut: &mut bool) -> io::Result<bool> {
        let mut is_there = false;
        loop {
            if self.peek()?.is_none() {
                self.number += u64::from(is_there);
                return Ok(is_there);
            }
            is_there = true;
            let chunk = self.chunk.get(self.at..).unwrap_or_default();
            // Most of a very long line is passed over without a look at each byte.
            let is_within = !chunk.contains(&b'\n') && !chunk.contains(&b'\r');
            let is_end = |byte: &u8| matches!(byte, b'\r' | b'\n');
            let end = if is_within {
                None
            } else {
                chunk.iter().position(is_end)
            };
            let part = &chunk[..end.unwrap_or(chunk.len())];
            let space = MAX_LINE.saturating_sub(line.len());
            *is_cut |= part.len() > space;
            line.extend_from_slice(&part[..part.len().min(space)]);
            self.at += part.len();
            if end.is_some() {
                self.line_end()?;
                return Ok(true);
            }
        }
    }

    /// Passes over the end of a line. A file that was written as text twice has CR CR LF.
    fn line_end(&mut self) -> io::Result<()> {
        let mut returns = 0;
        while self.peek()? == Some(b'\r') {
            self.at += 1;
            returns += 1;
        }
        let is_feed = self.peek()? == Some(b'\n');
        self.at += usize::from(is_feed);
        self.number += if is_feed { 1 } else { returns };
        Ok(())
    }

    /// The next byte of the file as UTF-8.
    fn peek(&mut self) -> io::Result<Option<u8>> {
        while self.at >= self.chunk.len() && !self.is_at_end {
            self.fill()?;
        }
        Ok(self.chunk.get(self.at).copied())
    }

    fn fill(&mut self) -> io::Result<()> {
        let read = loop {
            match self.file.read(&mut self.buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        let mut bytes = std::mem::take(&mut self.rest);
        bytes.extend_from_slice(self.buffer.get(..read).unwrap_or_default());
        self.is_at_end = read == 0;
        // The mark of the encoding has up to three bytes.
        if self.encoding.is_none() && bytes.len() < 3 && !self.is_at_end {
            self.rest = bytes;
            return Ok(());
        }
        let encoding = *self.encoding.get_or_insert_with(|| {
            let (encoding, mark) = marked(&bytes);
            bytes.drain(..mark);
            encoding
        });
        self.at = 0;
        self.chunk = match encoding {
            Encoding::Utf8 => bytes,
            Encoding::Utf16 { is_big_endian } => self.utf_16(bytes, is_big_endian),
        };
        Ok(())
    }

    /// Converts UTF-16 to UTF-8, and keeps what the chunk divides.
    fn utf_16(&mut self, mut bytes: Vec<u8>, is_big_endian: bool) -> Vec<u8> {
        let unit = |pair: &[u8]| match pair {
            [a, b] if is_big_endian => u16::from_be_bytes([*a, *b]),
            [a, b] => u16::from_le_bytes([*a, *b]),
            _ => 0xfffd,
        };
        if !self.is_at_end {
            let mut end = bytes.len() / 2 * 2;
            let last = bytes.get(end.saturating_sub(2)..end).map_or(0, unit);
            if (0xd800..0xdc00).contains(&last) {
                end -= 2;
            }
            self.rest = bytes.split_off(end);
        }
        let units = bytes.chunks(2).map(unit);
        let text: String = char::decode_utf16(units)
            .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect();
        text.into_bytes()
    }
}

/// The encoding that the first bytes of a file announce, and how many bytes do so.
fn marked(bytes: &[u8]) -> (Encoding, usize) {
    match bytes {
        [0xef, 0xbb, 0xbf, ..] => (Encoding::Utf8, 3),
        [0xff, 0xfe, ..] => (
            Encoding::Utf16 {
                is_big_endian: false,
            },
            2,
        ),
        [0xfe, 0xff, ..] => (
            Encoding::Utf16 {
                is_big_endian: true,
            },
            2,
        ),
        _ => (Encoding::Utf8, 0),
    }
}

/// The text of a line, and whether it was read as Windows-1252.
fn decoded(mut bytes: Vec<u8>) -> (String, bool) {
    // A line that is cut may end within a character.
    if bytes.len() >= MAX_LINE
        && let Err(error) = std::str::from_utf8(&bytes)
        && error.error_len().is_none()
    {
        bytes.truncate(error.valid_up_to());
    }
    match String::from_utf8(bytes) {
        Ok(text) => (text, false),
        Err(error) => {
            let bytes = error.as_bytes();
            let declared = text_encoding::of_line(bytes);
            let encoding = declared.unwrap_or(WINDOWS_1252);
            let text = encoding.decode_without_bom_handling(bytes).0.into_owned();
            (text, declared.is_none())
        }
    }
}
