//! Search texts, and their comparison with records.
//!
//! A [`Search`] looks for words anywhere in the texts of a record, a [`FieldSearch`] within one
//! field. Both compare texts in [folded](fold) form. An index that stores the [`tokens`] of each
//! text finds the same without reading texts; [`parts`] says how.
//!
//! ```
//! use events_calendar_domain::{search::{Search, parts, tokens}, text::fold};
//!
//! let text = fold("Été à la plage, 20 h");
//! let search = Search::parse("plage -hiver");
//! assert!(search.matches(&text));
//!
//! let index = tokens(&text);
//! assert!(search.wanted.iter().all(|word| index.words.contains(&word.as_str())));
//! assert!(parts(&search.wanted[0]).is_exact);
//! ```

mod tokens;

pub use tokens::{MAX_TOKEN, Part, Tokens, WordParts, parts, suffixes, tokens};

use crate::text::{fold, straight};

/// Words that a text must contain, and words that it must not.
///
/// Words are split on blanks; `"two words"` is one phrase, within quotes of any kind; `-word`
/// excludes. Every wanted word must occur, in any order, also within a longer word; letter case,
/// accents and the shapes of quotes and dashes are ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    /// Folded words that must occur.
    pub wanted: Vec<String>,
    /// Folded words that must not occur.
    pub excluded: Vec<String>,
}

impl Search {
    /// Parses a search; a blank text has no words.
    ///
    /// ```
    /// use events_calendar_domain::search::Search;
    /// let search = Search::parse("Été \"à la\" -hiver");
    /// assert_eq!(search.wanted, ["ete", "a la"]);
    /// assert_eq!(search.excluded, ["hiver"]);
    /// assert_eq!(Search::parse("« l’été »").wanted, ["l'ete"]);
    /// ```
    pub fn parse(raw: &str) -> Self {
        let mut search = Self::default();
        let raw: String = raw.chars().map(|c| straight(c).unwrap_or(c)).collect();
        let mut rest = raw.trim_start();
        while let Some(first) = rest.chars().next() {
            let excluded = first == '-' && rest[1..].starts_with(|c: char| !c.is_whitespace());
            let body = if excluded { &rest[1..] } else { rest };
            let quoted = body
                .strip_prefix('"')
                .and_then(|inner| inner.split_once('"'));
            let (word, after) = quoted.unwrap_or_else(|| {
                let end = body.find(char::is_whitespace).unwrap_or(body.len());
                body.split_at(end)
            });
            let word = fold(word);
            let word = word.trim();
            if !word.is_empty() {
                let list = if excluded {
                    &mut search.excluded
                } else {
                    &mut search.wanted
                };
                list.push(word.to_owned());
            }
            rest = after.trim_start();
        }
        search
    }

    /// Whether there are no words.
    ///
    /// ```
    /// assert!(events_calendar_domain::search::Search::parse("  ").is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.wanted.is_empty() && self.excluded.is_empty()
    }

    /// Whether a folded text matches; it consists of all fields, separated by line ends.
    ///
    /// ```
    /// use events_calendar_domain::{search::Search, text::fold};
    /// assert!(Search::parse("plage été").matches(&fold("Été à la plage")));
    /// ```
    pub fn matches(&self, folded: &str) -> bool {
        self.wanted.iter().all(|word| folded.contains(word))
            && !self.excluded.iter().any(|word| folded.contains(word))
    }
}

/// Words that one field must contain together.
///
/// The text is split at every character that is not a letter, a digit or a dash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldSearch {
    /// Folded words; without words, nothing matches.
    pub words: Vec<String>,
}

impl FieldSearch {
    /// Parses a search.
    ///
    /// ```
    /// use events_calendar_domain::search::FieldSearch;
    /// assert_eq!(FieldSearch::parse("100, Temple").words, ["100", "temple"]);
    /// ```
    pub fn parse(raw: &str) -> Self {
        let folded = fold(raw);
        let words = folded.split(|c: char| !(c.is_alphanumeric() || c == '-'));
        Self {
            words: words
                .filter(|word| !word.is_empty())
                .map(str::to_owned)
                .collect(),
        }
    }

    /// Whether one of the folded fields contains all words.
    ///
    /// ```
    /// use events_calendar_domain::search::FieldSearch;
    /// let search = FieldSearch::parse("temple avenue");
    /// assert!(search.matches(&["geneve".into(), "100, avenue du temple".into()]));
    /// assert!(!FieldSearch::parse("!!!").matches(&["!!!".into()]));
    /// ```
    pub fn matches(&self, folded_fields: &[String]) -> bool {
        !self.words.is_empty()
            && folded_fields
                .iter()
                .any(|field| self.words.iter().all(|word| field.contains(word)))
    }
}
