//! Folding: the form in which texts are compared.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::punctuation::straight;

/// Folds `text` for search and order.
///
/// Lower case; accents, Arabic and Hebrew vowel marks and the tatweel are removed. `ß` becomes
/// `ss`, `æ` `ae`, `ø` `o`, `ł` `l`, `ı` `i` and so on; compatibility forms become the usual ones
/// (`ﬁ` becomes `fi`). Quotes, apostrophes, hyphens and dashes become `'`, `"` and `-`; soft hyphens
/// and invisible no-break marks are removed. Runs of white space and control characters become one blank, and are trimmed
/// at the ends. Letters of other scripts stay, with the marks that distinguish letters (Japanese
/// `が`, Indic vowel signs). Folding is idempotent.
///
/// ```
/// use events_calendar_domain::text::fold;
///
/// assert_eq!(fold("  Été à  la PLAGE "), "ete a la plage");
/// assert_eq!(fold("Straße, Łódź, Ærø"), "strasse, lodz, aero");
/// assert_eq!(fold("مُوسِيقَى"), "موسيقى");
/// assert_eq!(fold("L’Été – «\u{a0}Saint‑Denis\u{a0}»"), "l'ete - \" saint-denis \"");
/// ```
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return super::join_words(&text.to_ascii_lowercase());
    }
    let mut folded = String::with_capacity(text.len());
    for c in text
        .nfkd()
        .filter(|&c| !is_ignored(c))
        .flat_map(char::to_lowercase)
    {
        if is_ignored(c) {
            continue;
        }
        match plain_letters(c) {
            Some(letters) => folded.push_str(letters),
            None => folded.push(straight(c).unwrap_or(c)),
        }
    }
    super::join_words(&folded.nfc().collect::<String>())
}

/// Whether a search does not see a character: an accent, or a mark of how lines are broken.
fn is_ignored(c: char) -> bool {
    match c {
        '\u{640}' // tatweel: only stretches a word
        | '\u{ad}' | '\u{2060}' | '\u{feff}' => true, // soft hyphen, no-break marks without width
        '\u{300}'..='\u{36f}' // Latin, Greek, Cyrillic
        | '\u{483}'..='\u{489}' // Cyrillic
        | '\u{591}'..='\u{5c7}' // Hebrew
        | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{6d6}'..='\u{6ed}' // Arabic
        | '\u{8ca}'..='\u{8ff}' // Arabic
        | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}' => is_combining_mark(c),
        _ => false,
    }
}

/// Replacements of letters that Unicode normalization does not decompose.
fn plain_letters(c: char) -> Option<&'static str> {
    Some(match c {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'ł' => "l",
        'đ' | 'ð' => "d",
        'þ' => "th",
        'ħ' => "h",
        'ŧ' => "t",
        'ŋ' => "n",
        'ı' => "i",
        'ĸ' => "k",
        'ə' => "e",
        'ς' => "σ", // the two shapes of one Greek letter
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn accents_go_and_letters_stay() {
        for (text, folded) in [
            ("ÉCOLE İstanbul ılık", "ecole istanbul ilik"),
            ("ΣΊΣΥΦΟΣ Σίσυφος", "σισυφοσ σισυφοσ"),
            ("Ёлка Йод", "елка иод"),
            ("東京 がっこう 한국", "東京 がっこう 한국"),
            ("हिन्दी", "हिन्दी"),
            ("الـمُوسيقى أحمد", "الموسيقى احمد"),
            ("ＡＢＣ ﬁn Ⅳ", "abc fin iv"),
            ("a\u{a0}\t\nb", "a b"),
            ("a\0b\u{1b}", "a b"),
            ("é\0\u{85}b", "e b"),
            ("50% _x", "50% _x"),
            ("L’Été ‘d‚ ʼn ‹x› 5′", "l'ete 'd' 'n 'x' 5'"),
            ("“a” „b‟ «c» ＂d＂ 7″", "\"a\" \"b\" \"c\" \"d\" 7''"),
            ("a‐b‑c‒d–e—f―g−h－i", "a-b-c-d-e-f-g-h-i"),
            (
                "Kon\u{ad}zert\u{2060} 20\u{202f}h\u{2007}30",
                "konzert 20 h 30",
            ),
        ] {
            assert_eq!(fold(text), folded);
        }
    }

    #[test]
    fn each_character_folds_once() {
        // No character beyond these has a case or a decomposition.
        for c in ('\0'..='\u{1ffff}').chain('\u{2f800}'..='\u{2fa1f}') {
            let once = fold(&format!("x{c}x"));
            assert_eq!(fold(&once), once, "{c:?}");
        }
    }

    proptest! {
        #[test]
        fn folding_twice_changes_nothing(text: String) {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once);
        }
    }
}
