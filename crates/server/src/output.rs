//! Standard output and standard error.

use std::io::{self, Write};

use indicatif::{ProgressBar, ProgressStyle};

/// Writes to standard output and flushes it.
///
/// # Errors
///
/// If writing fails, such as to a broken pipe, where `println!` would panic.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Writes a list to standard output. A reader may close the pipe early.
///
/// # Errors
///
/// If writing fails for another reason.
pub(crate) fn print_list(text: &str) -> io::Result<()> {
    match print(text) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        printed => printed,
    }
}

/// Writes a line to standard error, and ignores errors.
pub(crate) fn notice(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// A progress bar on standard error, if that is a terminal. Without a length it shows the bytes
/// read.
pub(crate) fn progress_bar(length: Option<u64>) -> ProgressBar {
    let (bar, template) = match length {
        Some(length) => (
            ProgressBar::new(length),
            "{bar:40} {percent:>3} %  {eta} left",
        ),
        None => (ProgressBar::new_spinner(), "{spinner} {binary_bytes} read"),
    };
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// A table with aligned columns. Control characters are escaped.
pub(crate) fn table<const N: usize>(header: [&str; N], rows: Vec<[String; N]>) -> String {
    let mut lines = vec![header.map(str::to_owned)];
    lines.extend(rows.into_iter().map(|row| row.map(|cell| printable(&cell))));
    let widths: [usize; N] = std::array::from_fn(|column| {
        let cells = lines.iter().map(|line| line[column].chars().count());
        cells.max().unwrap_or(0)
    });
    let mut text = String::new();
    for line in lines {
        let mut cells = String::new();
        for (cell, width) in line.iter().zip(widths) {
            cells.push_str(cell);
            cells.extend(std::iter::repeat_n(' ', width - cell.chars().count() + 2));
        }
        text.push_str(cells.trim_end());
        text.push('\n');
    }
    text
}

/// A number with a comma before each group of three digits: `6,006`.
pub(crate) fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut shown = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// A text with control characters escaped.
pub(crate) fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        let numbers = [0, 999, 1_000, 6_006, 123_456, 1_234_567].map(number);
        assert_eq!(
            numbers,
            ["0", "999", "1,000", "6,006", "123,456", "1,234,567"]
        );
    }

    #[test]
    fn columns_are_aligned_by_characters() {
        let rows = vec![
            ["1".to_owned(), "Zoë".to_owned(), String::new()],
            ["20".to_owned(), "a\nb".to_owned(), "x".to_owned()],
        ];
        assert_eq!(
            table(["ID", "NAME", "E-MAIL"], rows),
            "ID  NAME  E-MAIL\n1   Zoë\n20  a\\nb  x\n"
        );
    }
}
