//! Straight forms of quotes, apostrophes, hyphens and dashes.

/// The form of a quote, apostrophe, hyphen or dash that a keyboard has; `None` for other
/// characters.
///
/// A double prime has none: it decomposes into two primes.
pub(crate) fn straight(c: char) -> Option<char> {
    Some(match c {
        '‘' | '’' | '‚' | '‛' | '‹' | '›' | '′' | '‵' | '＇' // quotes and primes
        | '\u{2b9}' | '\u{2bb}'..='\u{2bd}' => '\'', // letters that look like an apostrophe
        '“' | '”' | '„' | '‟' | '«' | '»' | '〝' | '〞' | '〟' | '＂' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{2043}' // hyphens, dashes, minus, hyphen bullet
        | '\u{58a}' | '\u{5be}' | '\u{1806}' // Armenian, Hebrew, Mongolian
        | '\u{2e3a}' | '\u{2e3b}' | '\u{2e40}' // long dashes, double hyphen
        | '\u{fe31}' | '\u{fe32}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => '-',
        _ => return None,
    })
}
