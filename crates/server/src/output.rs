//! Standard output, standard error and new files.

use std::{
    fs::{DirBuilder, File, OpenOptions},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::Path,
};

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

/// Creates a file that only its owner can read and write.
///
/// # Errors
///
/// If the file exists, or cannot be created.
pub(crate) fn create_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o600).open(path)
}

/// Creates a folder that only its owner can read and write.
///
/// # Errors
///
/// If it exists, or cannot be created.
pub(crate) fn create_private_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(path)
}

/// Whether two paths name the same file or folder, which exists.
pub(crate) fn is_same_file(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
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

/// A progress bar on standard error, if that is a terminal, for records of several kinds.
pub(crate) fn count_bar() -> ProgressBar {
    let bar = ProgressBar::new(0);
    match ProgressStyle::with_template("{msg:12} {bar:40} {human_pos} of {human_len}") {
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
