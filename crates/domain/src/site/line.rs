//! Texts of one line that a site shows.

use std::str::FromStr;

use crate::text::breaks_a_line;

/// A text of one line, not empty, at most [`Line::MAX_CHARS`] characters. It is shown as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line(String);

text_value!(Line, " Town of <Springfield>".parse::<events_calendar_domain::site::Line>().unwrap() => "Town of <Springfield>");

/// The reason why a text is not a [`Line`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidLine {
    /// It is empty without blanks, or has several lines.
    #[error("must be a text of one line")]
    NotOneLine,
    /// It has more than [`Line::MAX_CHARS`] characters.
    #[error("must have at most {} characters", Line::MAX_CHARS)]
    TooLong,
}

impl Line {
    /// The largest number of characters.
    pub const MAX_CHARS: usize = 1000;
}

impl FromStr for Line {
    type Err = InvalidLine;

    /// Parses a line. Blanks at its ends are left out.
    ///
    /// # Errors
    ///
    /// [`InvalidLine`], naming the rule that `raw` breaks.
    ///
    /// ```
    /// use events_calendar_domain::site::{InvalidLine, Line};
    ///
    /// assert_eq!("a\nb".parse::<Line>(), Err(InvalidLine::NotOneLine));
    /// let long = "é".repeat(Line::MAX_CHARS + 1);
    /// assert_eq!(long.parse::<Line>(), Err(InvalidLine::TooLong));
    /// ```
    fn from_str(raw: &str) -> Result<Self, InvalidLine> {
        let text = raw.trim();
        if text.is_empty() || text.chars().any(breaks_a_line) {
            Err(InvalidLine::NotOneLine)
        } else if text.chars().count() > Self::MAX_CHARS {
            Err(InvalidLine::TooLong)
        } else {
            Ok(Self(text.to_owned()))
        }
    }
}
