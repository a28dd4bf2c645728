//! The texts of cells.

/// The mark before a text that a spreadsheet would take for a formula.
const GUARD: char = '\'';

/// Whether a spreadsheet may take a text for a formula, or for a guarded text. Programs that clean a
/// cell remove what nobody sees, so a sign behind such characters counts, too.
fn is_formula(text: &str) -> bool {
    const BREAKS: [char; 3] = ['\t', '\r', '\n'];
    let seen = text.trim_start_matches(|c: char| is_invisible(c) && !BREAKS.contains(&c));
    seen.starts_with([
        '=', '+', '-', '@', GUARD, '\t', '\r', '\n', '＝', '＋', '－', '＠',
    ])
}

/// Whether a character takes no place, or is a blank that no keyboard writes.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || (!c.is_ascii() && c.is_whitespace())
        || matches!(
            c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
        )
}

/// The text of a cell, which no spreadsheet takes for a formula.
pub(super) fn guarded(text: String) -> String {
    if is_formula(&text) {
        format!("{GUARD}{text}")
    } else {
        text
    }
}

/// The text of a cell, without the mark that guards it.
pub(crate) fn unguarded(cell: &str) -> &str {
    match cell.strip_prefix(GUARD) {
        Some(text) if is_formula(text) => text,
        _ => cell,
    }
}

/// Texts in one cell, separated by commas. `instead` stands for a text that has a comma itself.
pub(super) fn listed(texts: impl Iterator<Item = (String, Option<String>)>) -> String {
    let texts = texts.map(|(text, instead)| match instead {
        Some(instead) if text.contains(',') => instead,
        _ => text,
    });
    texts.collect::<Vec<_>>().join(",")
}

/// The word for a flag.
pub(super) fn flag(value: bool) -> String {
    if value { "TRUE" } else { "FALSE" }.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_guarded() {
        for text in [
            "=1+1",
            "+33 1",
            "-x",
            "@x",
            "'x",
            "\tx",
            "\rx",
            "\nx",
            "＝x",
            "＋x",
            "－x",
            "＠x",
            // Nobody sees what stands before the sign.
            "\u{feff}=1",
            "\u{200b}+1",
            "\u{202e}\u{2060}-1",
            "\u{ad}@x",
            "\u{a0}=1",
            "\0=1",
            "\u{1}\tx",
            "\u{200d}'x",
            "\u{e0001}＝x",
            "\u{fe0f}\u{3164}=1",
        ] {
            let cell = guarded(text.to_owned());
            assert_eq!((&*cell, unguarded(&cell)), (&*format!("'{text}"), text));
        }
        for text in ["", "x=1", "1", " =1", "–", "\u{feff}x", "\u{200b}"] {
            assert_eq!((&*guarded(text.to_owned()), unguarded(text)), (text, text));
        }
    }

    #[test]
    fn a_text_with_a_comma_has_another_name() {
        let named =
            |text: &str, instead: Option<&str>| (text.to_owned(), instead.map(str::to_owned));
        let texts = [
            named("Jazz", Some("jazz")),
            named("Rock, Pop", Some("rock-pop")),
            named("a,b", None),
        ];
        assert_eq!(listed(texts.into_iter()), "Jazz,rock-pop,a,b");
        assert_eq!(listed([].into_iter()), "");
    }
}
