//! Records as the rows of a table (RFC 4180), with the columns that the reference service exports and
//! imports.
//!
//! ```
//! use app::{feed::FeedUrls, test_support::{InMemoryStore, add_user, calendar}, write::NewOrganizer};
//! use domain::{Event, EventId, Image, Organizer, Role};
//! use events_calendar_interchange::table::{self, Column, ORGANIZER_COLUMNS};
//!
//! struct Urls;
//! impl FeedUrls for Urls {
//!     fn page(&self, _: &Event, id: Option<EventId>) -> String {
//!         id.map_or_else(String::new, |id| format!("https://cal.example/?p={id}"))
//!     }
//!
//!     fn image(&self, image: &Image) -> String {
//!         format!("https://cal.example/media/{}", image.name)
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let store = InMemoryStore::new();
//! # let editor = add_user(&store, "ada", Role::Editor).await;
//! # let calendar = calendar(store).await;
//! let club = NewOrganizer::builder("Rowing, and more".parse()?).phone("+33 1").build();
//! let view = calendar.create::<Organizer>(editor, &club).await?;
//!
//! let mut file = table::header(ORGANIZER_COLUMNS, false)?;
//! file.extend(table::rows(ORGANIZER_COLUMNS, &[view], &Urls)?);
//! let file = String::from_utf8(file)?;
//! let mut lines = file.split("\r\n");
//! assert!(lines.next().unwrap().starts_with("Organizer ID,Organizer Name,"));
//! // A text with which a spreadsheet would calculate begins with an apostrophe.
//! assert_eq!(lines.next(), Some(r#"1,"Rowing, and more",,,,'+33 1,"#));
//! let phone: &Column<_> = &ORGANIZER_COLUMNS[5];
//! assert_eq!((phone.label, phone.field), ("Organizer Phone", "phone"));
//! # Ok(())
//! # }
//! ```

mod cell;
mod event;
mod place;

use std::{fmt, io};

use app::feed::FeedUrls;
use cell::guarded;
use domain::Kind;

pub(crate) use cell::unguarded;
pub use event::EVENT_COLUMNS;
pub use place::{ORGANIZER_COLUMNS, VENUE_COLUMNS};

/// The media type of tables, with its parameters.
///
/// ```
/// assert!(events_calendar_interchange::table::MEDIA_TYPE.starts_with("text/csv;"));
/// ```
pub const MEDIA_TYPE: &str = "text/csv; charset=utf-8; header=present";

/// The byte order mark, by which spreadsheets know UTF-8.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// A column of the table of a kind, whose records have views of type `V`.
pub struct Column<V> {
    /// The label in the first row.
    pub label: &'static str,
    /// The field of the interface that the column shows, or a name of its own.
    pub field: &'static str,
    cell: fn(&V, &dyn FeedUrls) -> String,
}

impl<V> Column<V> {
    const fn new(
        label: &'static str,
        field: &'static str,
        cell: fn(&V, &dyn FeedUrls) -> String,
    ) -> Self {
        Self { label, field, cell }
    }
}

impl<V> fmt::Debug for Column<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Column").field(&self.label).finish()
    }
}

/// The first row of a table: the labels, by request after a byte order mark.
///
/// # Errors
///
/// None that a caller could cause.
pub fn header<V>(columns: &[Column<V>], with_mark: bool) -> io::Result<Vec<u8>> {
    let begin = if with_mark { BYTE_ORDER_MARK } else { &[] };
    let labels = columns.iter().map(|column| column.label);
    let mut rows = writer(begin.to_vec());
    rows.write_record(labels)?;
    finish(rows)
}

/// The rows of some records. Lines end with CR LF; a cell with a comma, a quote or a line break is
/// quoted; a cell that a spreadsheet would take for a formula begins with an apostrophe.
///
/// # Errors
///
/// None that a caller could cause.
pub fn rows<V>(columns: &[Column<V>], views: &[V], urls: &dyn FeedUrls) -> io::Result<Vec<u8>> {
    let mut rows = writer(Vec::new());
    for view in views {
        let cells = columns.iter().map(|column| (column.cell)(view, urls));
        rows.write_record(cells.map(guarded))?;
    }
    finish(rows)
}

/// The label and the field of each column of a kind; empty for a kind without a table.
pub(crate) fn labels(kind: Kind) -> Vec<(&'static str, &'static str)> {
    fn of<V>(columns: &[Column<V>]) -> Vec<(&'static str, &'static str)> {
        columns.iter().map(|one| (one.label, one.field)).collect()
    }
    match kind {
        Kind::Event => of(EVENT_COLUMNS),
        Kind::Venue => of(VENUE_COLUMNS),
        Kind::Organizer => of(ORGANIZER_COLUMNS),
        Kind::Category | Kind::Tag => Vec::new(),
    }
}

fn writer(begin: Vec<u8>) -> csv::Writer<Vec<u8>> {
    csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(begin)
}

fn finish(rows: csv::Writer<Vec<u8>>) -> io::Result<Vec<u8>> {
    rows.into_inner().map_err(csv::IntoInnerError::into_error)
}
