//! Tokens: what an index of words stores of a text, and how it finds a search word.
//!
//! A token is a run of letters and digits. A search word without other characters is in a text
//! exactly if it is in one of the text's tokens. So an index needs the tokens of each text and a
//! list of all tokens, and reads no text.
//!
//! Two kinds of texts keep the list of tokens short. A character of a script that is written
//! without blanks between words, such as Chinese, is a token of its own. A run of more than
//! [`MAX_TOKEN`] characters is no token: the index knows only that the text has such a run.
//!
//! Stored indexes depend on this module: a change of what a token is needs a migration that empties
//! them and indexes all texts again.

/// The maximum length of a token, in characters.
pub const MAX_TOKEN: usize = 32;

/// The tokens of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tokens<'a> {
    /// The tokens, as often as they occur.
    pub words: Vec<&'a str>,
    /// Whether the text has a run that is too long for a token.
    pub has_long_run: bool,
}

/// The tokens of a folded text.
///
/// ```
/// use events_calendar_domain::search::{MAX_TOKEN, Tokens, tokens};
/// let Tokens { words, has_long_run } = tokens("jazz in the park\njazz, 20:30");
/// assert_eq!(words, ["jazz", "in", "the", "park", "jazz", "20", "30"]);
/// assert!(!has_long_run);
/// assert!(tokens(&"a".repeat(MAX_TOKEN + 1)).has_long_run);
/// ```
pub fn tokens(folded: &str) -> Tokens<'_> {
    let mut tokens = Tokens::default();
    for run in runs(folded) {
        if is_long(run) {
            tokens.has_long_run = true;
        } else {
            tokens.words.push(run);
        }
    }
    tokens
}

/// The ends of a token, by which an index lists it: a token contains a part exactly if one of its
/// ends begins with the part.
///
/// ```
/// use events_calendar_domain::search::suffixes;
/// assert!(suffixes("jazz").eq(["jazz", "azz", "zz"]));
/// assert!(suffixes("a").eq(["a"]));
/// ```
pub fn suffixes(token: &str) -> impl Iterator<Item = &str> {
    let last = token.chars().next_back().map_or(0, char::len_utf8);
    let ends = token.char_indices().map(|(offset, _)| offset);
    // A part of a longer token has at least two letters.
    let ends = ends.filter(move |offset| *offset == 0 || offset + last < token.len());
    ends.map(|offset| &token[offset..])
}

/// A part of a search word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// One of the text's tokens contains this, or the text has a long run.
    InToken(&'a str),
    /// The text has a long run.
    InLongRun,
}

/// The conditions that the tokens of a text set for a search word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordParts<'a> {
    /// Conditions that each text with the word meets. Empty if nothing is known.
    pub parts: Vec<Part<'a>>,
    /// Whether each text with a token that contains the only part contains the word.
    pub is_exact: bool,
}

/// The parts of a folded search word.
///
/// Single letters are no parts, as almost all texts contain them.
///
/// ```
/// use events_calendar_domain::search::{Part, WordParts, parts};
/// let music = WordParts { parts: vec![Part::InToken("music")], is_exact: true };
/// assert_eq!(parts("music"), music);
///
/// let several = parts("rock'n'roll");
/// assert_eq!(several.parts, [Part::InToken("rock"), Part::InToken("roll")]);
/// assert!(!several.is_exact, "a text may contain both words, but not together");
/// assert_eq!(parts("c++").parts, []);
/// ```
pub fn parts(word: &str) -> WordParts<'_> {
    let part = |run| {
        if is_long(run) {
            return Some(Part::InLongRun);
        }
        let mut letters = run.chars();
        let is_telling = letters.next().is_some_and(is_word) || letters.next().is_some();
        is_telling.then_some(Part::InToken(run))
    };
    let parts: Vec<_> = runs(word).filter_map(part).collect();
    let is_exact = matches!(parts.as_slice(), [Part::InToken(only)] if *only == word);
    WordParts { parts, is_exact }
}

/// The runs of letters and digits in a text.
fn runs(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
        let first = rest.chars().next()?;
        let end = if is_word(first) {
            first.len_utf8()
        } else {
            rest.find(|c: char| !c.is_alphanumeric() || is_word(c))
                .unwrap_or(rest.len())
        };
        let (run, after) = rest.split_at(end);
        rest = after;
        Some(run)
    })
}

fn is_long(run: &str) -> bool {
    run.len() > MAX_TOKEN && run.chars().count() > MAX_TOKEN
}

/// Whether a character belongs to a script that is written without blanks between words.
fn is_word(c: char) -> bool {
    matches!(
        c,
        '\u{e00}'..='\u{eff}' // Thai, Lao
        | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' // Burmese, Khmer
        | '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' // Japanese syllables
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' // Chinese
        | '\u{20000}'..='\u{3ffff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_of_scripts_without_blanks_are_tokens() {
        let found = tokens("東京jazzในสวน");
        assert_eq!(found.words, ["東", "京", "jazz", "ใ", "น", "ส", "ว", "น"]);
        let word = parts("東京");
        assert_eq!(word.parts, [Part::InToken("東"), Part::InToken("京")]);
        assert!(!word.is_exact);
        assert!(parts("東").is_exact);
    }

    #[test]
    fn long_runs_are_no_tokens() {
        let token = "é".repeat(MAX_TOKEN);
        assert!(tokens(&token).words.contains(&token.as_str()));
        assert!(parts(&token).is_exact);
        let run = format!("{token}é");
        assert_eq!(tokens(&run).words.len(), 0);
        assert!(tokens(&run).has_long_run);
        let word = parts(&run);
        assert_eq!((word.parts, word.is_exact), (vec![Part::InLongRun], false));
    }

    #[test]
    fn words_without_letters_have_no_parts() {
        for word in ["~", "a", "c++", "a b"] {
            let word = parts(word);
            assert_eq!((word.parts, word.is_exact), (Vec::new(), false));
        }
        assert_eq!(parts("go!").parts, [Part::InToken("go")]);
        assert!(!parts("go!").is_exact);
    }
}
