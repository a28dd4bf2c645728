//! The remark with which an editor returns an event to its author.

use std::str::FromStr;

/// The remark with which an editor returns an event to its author: plain text of several lines, not empty, at most
/// [`Remark::MAX_CHARS`] characters. Control characters other than line ends are blanks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark(String);

text_value!(Remark, " Which hall?\r\n".parse::<events_calendar_domain::event::Remark>().unwrap() => "Which hall?");

/// The reason why a text is not a [`Remark`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidRemark {
    /// The text is empty without blanks.
    #[error("must not be empty")]
    Empty,
    /// The text has more than [`Remark::MAX_CHARS`] characters.
    #[error("must have at most {} characters", Remark::MAX_CHARS)]
    TooLong,
}

impl Remark {
    /// The largest number of characters.
    pub const MAX_CHARS: usize = 2000;
}

impl FromStr for Remark {
    type Err = InvalidRemark;

    /// Parses a remark.
    ///
    /// # Errors
    ///
    /// [`InvalidRemark`], naming the rule that `raw` breaks.
    ///
    /// ```
    /// use events_calendar_domain::event::{InvalidRemark, Remark};
    ///
    /// assert_eq!("Which\r\n<b>\thall?".parse::<Remark>()?.as_str(), "Which\n<b> hall?");
    /// assert_eq!(" \n".parse::<Remark>(), Err(InvalidRemark::Empty));
    /// let long = "é".repeat(Remark::MAX_CHARS + 1);
    /// assert_eq!(long.parse::<Remark>(), Err(InvalidRemark::TooLong));
    /// # Ok::<(), InvalidRemark>(())
    /// ```
    fn from_str(raw: &str) -> Result<Self, InvalidRemark> {
        let text = raw.replace("\r\n", "\n");
        let text: String = text.chars().map(shown).collect();
        let text = text.trim();
        if text.is_empty() {
            Err(InvalidRemark::Empty)
        } else if text.chars().count() > Self::MAX_CHARS {
            Err(InvalidRemark::TooLong)
        } else {
            Ok(Self(text.to_owned()))
        }
    }
}

/// A character of a text of several lines.
fn shown(c: char) -> char {
    let is_bad = c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}');
    if is_bad && c != '\n' { ' ' } else { c }
}
